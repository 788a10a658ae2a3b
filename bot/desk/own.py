"""What is a person's own: ``/gin settings`` and ``/gin privacy``."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from typing import Final

from bot.care import retention
from bot.front.reply import Reply
from bot.front.visit import Visit
from bot.house import House
from bot.play import blocks, deed
from bot.refusals import NotAtThisTable, NotPossibleNow, OldControl
from bot.ui.escape import name as escaped
from bot.ui.language import _
from bot.ui.pages import note_page
from bot.ui.pages.privacy import KeptShown, delete_page, export_page, privacy_page
from bot.ui.pages.settings import CALLS, COLOURS, VACATION, SettingsShown, settings_page
from db.ids import PersonId, ServerId

MOST_BLOCKED: Final = 25
"""People on one list: as many as a select shows."""
LARGEST_FILE: Final = 4_000_000
"""Bytes of an export; a larger one is sent compressed."""


def only_for(visit: Visit, subject: int) -> None:
    """Raise unless the control belongs to the panel of the one who pressed it."""
    if visit.person != subject:
        raise NotAtThisTable(
            _("That belongs to somebody else. `/gin settings` and `/gin privacy` open yours.")
        )


async def settings(house: House, visit: Visit, note: str | None = None) -> Reply:
    """The panel with one's own settings; a control on it changes it in place."""
    wanted = await house.people.wishes(visit.person)
    async with house.store.reading() as tx:
        blocked = await tx.wishes.blocked_by(visit.person)
    vacation = await house.vacations.of(visit.person)
    shown = SettingsShown(
        person=visit.person,
        calls=wanted.calls,
        four_colours=wanted.four_colours,
        blocked=await house.people.shown(blocked),
        vacation=vacation.until,
        vacation_days=vacation.left.days,
    )
    return Reply(page=settings_page(shown, note))


async def wish(house: House, visit: Visit, which: str, how: str) -> Reply:
    """Turn one setting on or off."""
    if which not in (CALLS, COLOURS, VACATION) or how not in ("on", "off"):
        raise OldControl(
            _("That setting doesn't exist any more. `/gin settings` has those of now.")
        )
    await house.people.joins(visit)
    is_on = how == "on"
    if which == VACATION:
        await (house.vacations.begin if is_on else house.vacations.end)(visit.person)
        return await settings(house, visit)
    wanted = await house.people.wishes(visit.person)
    wanted = replace(wanted, calls=is_on) if which == CALLS else replace(wanted, four_colours=is_on)
    await house.people.wish(visit.person, wanted)
    return await settings(house, visit)


async def block(house: House, visit: Visit, person: PersonId, name: str | None) -> Reply:
    """Put somebody on one's own list: he can't challenge any more."""
    if person == visit.person:
        raise NotPossibleNow(_("You can't leave yourself out. Pick somebody else from the list."))
    await house.people.joins(visit)
    if name is not None:
        await house.people.named(person, name)
    async with house.store.transaction() as tx:
        blocked = await tx.wishes.blocked_by(visit.person)
        if len(blocked) >= MOST_BLOCKED and person not in blocked:
            raise NotPossibleNow(
                _("Your list holds {most} people. Take one off it first.").format(most=MOST_BLOCKED)
            )
        settled = await blocks.by_person(tx, visit.person, person, house.now())
    for challenge in settled:
        await house.invitations.show_settled(await house.challenges.get(challenge))
    (shown,) = await house.people.shown([person])
    if settled:
        said = _(
            "{name} can't challenge you any more. What was asked between you is declined or taken "
            "back; matches that run go on."
        )
    else:
        said = _("{name} can't challenge you any more. Matches that run go on.")
    return await settings(house, visit, said.format(name=escaped(shown.name)))


async def unblock(house: House, visit: Visit, person: PersonId) -> Reply:
    """Take somebody off one's own list."""
    async with house.store.transaction() as tx:
        await tx.wishes.unblock(visit.person, person)
    (shown,) = await house.people.shown([person])
    said = _("{name} may challenge you again.").format(name=escaped(shown.name))
    return await settings(house, visit, said)


async def privacy(house: House, visit: Visit) -> Reply:
    """What is kept of the one who asks."""
    keeping = house.keeping
    kept = KeptShown(keeping.unplayed, keeping.acts, keeping.absent)
    return Reply(page=privacy_page(visit.person, kept))


async def export(house: House, visit: Visit) -> Reply:
    """Everything that is kept of the one who asks, as a file."""
    async with house.store.reading() as tx:
        kept = await tx.privacy.everything_of(visit.person)
    for match in kept["matches"]:
        match["server_name"] = house.post.server_name(ServerId(int(str(match["server_id"]))))
    record = {"exported_at": house.now().isoformat(), "person": str(visit.person), **kept}
    content = json.dumps(record, ensure_ascii=False, indent=1).encode()
    name = "ginhouse-data.json"
    if len(content) > LARGEST_FILE:
        name, content = f"{name}.gz", gzip.compress(content)
    return Reply(page=export_page(name, content), in_place=False)


async def delete_menu(house: House, visit: Visit) -> Reply:
    """Ask whether everything shall really go."""
    async with house.store.reading() as tx:
        running = len(await tx.matches.running_of(visit.person))
    return Reply(page=delete_page(visit.person, running))


async def delete(house: House, visit: Visit) -> Reply:
    """Delete what is kept of the one who asks."""
    with deed.in_parts():
        await retention.forget(house, visit.person)
    said = _(
        "Your data is deleted. Should you play again, you begin anew; and this bot keeps "
        "nothing of you until then."
    )
    return Reply(page=note_page(said))
