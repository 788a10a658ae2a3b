"""Governing a server: limits, channels, who is blocked; and how the bot is there."""

from __future__ import annotations

import math
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from bot.desk.rescue import LONGEST_REASON, limits_note, server_of
from bot.front.reply import Reply
from bot.front.visit import Invited, Visit
from bot.house import House
from bot.play import blocks
from bot.refusals import BadText
from bot.ui import rights
from bot.ui.escape import name as escaped
from bot.ui.escape import whole
from bot.ui.language import _, ngettext
from bot.ui.pages import note_page
from bot.ui.pages.admin import Diagnosis, LimitsShown, diagnosis_page, limits_page
from db.ids import ChannelId
from db.rows import AdminAct, Limits, MatchStatus, NewAdminAct

MOST_CHANNELS: Final = 50
"""Channels on a server's list."""


async def block(house: House, visit: Visit, person: Invited, reason: str | None) -> Reply:
    """``/gin-admin block``: this person can neither challenge nor be challenged here."""
    server = server_of(visit)
    if person.is_bot:
        raise BadText(_("Bots don't sit at our tables, so there is nobody to block."))
    if person.id == visit.person:
        raise BadText(_("You can't block yourself. Pick somebody else."))
    now = house.now()
    note = whole(reason or "").strip()[:LONGEST_REASON]
    await house.people.named(person.id, person.name)
    async with house.store.transaction() as tx:
        if not note and person.id in await tx.admin.blocked(server):
            raise BadText(
                _(
                    "{name} is blocked on this server already. With a `reason` I write that down; "
                    "`/gin-admin unblock` ends the block."
                ).format(name=escaped(person.name))
            )
        settled = await blocks.by_server(tx, server, person.id, now)
        await tx.admin.record(
            NewAdminAct(
                server,
                visit.person,
                AdminAct.BLOCK,
                now,
                person_id=person.id,
                note=note,
            )
        )
    await house.invitations.blocked(settled, person.id)
    said = _(
        "{name} can't challenge or be challenged on this server any more. Running matches go on; "
        "`/gin-admin match-end` ends one."
    ).format(name=escaped(person.name))
    if settled:
        open_ones = ngettext(
            "{count} challenge that was open is withdrawn.",
            "{count} challenges that were open are withdrawn.",
            len(settled),
        )
        said = f"{said} {open_ones.format(count=len(settled))}"
    return _said(said)


async def unblock(house: House, visit: Visit, person: Invited) -> Reply:
    """``/gin-admin unblock``."""
    server = server_of(visit)
    async with house.store.transaction() as tx:
        if not await tx.admin.unblock(server, person.id):
            raise BadText(
                _("{name} isn't blocked on this server.").format(name=escaped(person.name))
            )
        await tx.admin.record(
            NewAdminAct(server, visit.person, AdminAct.UNBLOCK, house.now(), person_id=person.id)
        )
    return _said(_("{name} may play on this server again.").format(name=escaped(person.name)))


async def limits(
    house: House,
    visit: Visit,
    *,
    challenges: int | None = None,
    matches: int | None = None,
    allow: int | None = None,
    disallow: int | None = None,
) -> Reply:
    """``/gin-admin limits``: show them, or change those given (``allow``: a channel's id)."""
    server = server_of(visit)
    wanted = {"challenges": challenges, "matches": matches, "allow": allow, "disallow": disallow}
    given = [(name, value) for name, value in wanted.items() if value is not None]
    if given:
        async with house.store.transaction() as tx:
            now = await tx.admin.limits(server)
            await tx.admin.set_limits(
                server,
                Limits(
                    now.challenges if challenges is None else challenges,
                    now.matches if matches is None else matches,
                ),
            )
            if allow is not None:
                if len(await tx.admin.channels(server)) >= MOST_CHANNELS:
                    raise BadText(
                        _(
                            "The list holds at most {most} channels, so nothing was changed. Take "
                            "one off it first: `/gin-admin limits disallow`."
                        ).format(most=MOST_CHANNELS)
                    )
                await tx.admin.allow(server, ChannelId(allow))
            if disallow is not None and not await tx.admin.disallow(server, ChannelId(disallow)):
                raise BadText(_("That channel isn't on the list, so nothing was changed."))
            await tx.admin.record(
                NewAdminAct(
                    server,
                    visit.person,
                    AdminAct.LIMITS,
                    house.now(),
                    note=limits_note(given),
                )
            )
    async with house.store.reading() as tx:
        allowed = await tx.admin.limits(server)
        channels = await tx.admin.channels(server)
        blocked = await tx.admin.blocked(server)
        reasons = await tx.admin.reasons(server)
    shown = LimitsShown(
        challenges=allowed.challenges,
        matches=allowed.matches,
        channels=channels,
        blocked=await house.people.shown(blocked),
        reasons={int(person): why for person, why in reasons.items()},
    )
    return Reply(page=limits_page(shown), in_place=False)


async def diagnose(house: House, visit: Visit) -> Reply:
    """``/gin-admin diagnose``: what the bot may do here, and how it is."""
    server = server_of(visit)
    health = await house.store.health()
    async with house.store.reading() as tx:
        running = await tx.matches.count_on(server, (MatchStatus.RUNNING,))
        me = (await tx.people.get_many([visit.person])).get(visit.person)
    latency = house.post.latency
    found = Diagnosis(
        rights=tuple(
            (name, bool(getattr(visit.rights, right)))
            for right, name in rights.needed(in_thread=visit.in_thread)
        ),
        direct_messages=None
        if me is None or (me.dm_channel_id is None and not me.dm_closed)
        else not me.dm_closed,
        latency=latency if math.isfinite(latency) else None,
        database_size=health.size,
        revision=health.revision,
        is_sound=health.is_sound,
        version=_version(),
        running=running,
    )
    return Reply(page=diagnosis_page(found), in_place=False)


def _version() -> str:
    try:
        return version("ginhouse")
    except PackageNotFoundError:  # run from a folder without being installed
        return "?"


def _said(sentence: str) -> Reply:
    return Reply(page=note_page(sentence), in_place=False)
