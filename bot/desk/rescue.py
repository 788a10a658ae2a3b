"""Rescue by administrators: look at this server's matches, move, end and void them.

Every act is written down in the transaction that does it. Matches of other servers don't exist
here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import structlog

from bot.desk.finding import by_number
from bot.desk.invite import need_rights
from bot.front.reply import Reply
from bot.front.visit import Visit
from bot.house import House
from bot.mail.governor import Urgency
from bot.mail.post import Undelivered
from bot.play.table import Table
from bot.refusals import BadText, NoSuchMatch, NotPossibleNow, UnreadableMatch
from bot.ui.escape import name as escaped
from bot.ui.escape import whole
from bot.ui.language import _
from bot.ui.limits import page_within
from bot.ui.page import Page
from bot.ui.pages import note_page
from bot.ui.pages.admin import (
    ActShown,
    MatchKept,
    MatchUnread,
    acts_page,
    ended_by_house,
    match_kept_page,
    match_list_page,
)
from db.ids import MatchId, ServerId
from db.rows import AdminAct, MatchRow, MatchStatus, NewAdminAct

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

MATCHES_A_PAGE: Final = 10
ACTS_A_PAGE: Final = 10
LONGEST_REASON: Final = 150
ENDED: Final = (MatchStatus.FINISHED, MatchStatus.CANCELLED, MatchStatus.VOID)


def server_of(visit: Visit) -> ServerId:
    """The server that is administered; raise in direct messages."""
    if visit.server is None:
        raise BadText(_("This command belongs to a server. Use it there."))
    return visit.server


def act_of(
    house: House,
    visit: Visit,
    act: AdminAct,
    *,
    match: MatchId | None = None,
    reason: str | None = None,
) -> NewAdminAct:
    """The line that is written down for what somebody does now."""
    note = whole(reason or "").strip()[:LONGEST_REASON]
    return NewAdminAct(server_of(visit), visit.person, act, house.now(), match_id=match, note=note)


def limits_note(limits: Sequence[tuple[str, int]]) -> str:
    """The limits that somebody sets, as they are written down: ``challenges=5, allow=17``."""
    return ", ".join(f"{which}={value}" for which, value in limits)


def limits_in(note: str) -> tuple[tuple[str, int], ...]:
    """The same read back."""
    parts = (part.partition("=") for part in note.split(", "))
    return tuple((which, int(value)) for which, _is, value in parts if value.isdigit())


async def match_list(house: House, visit: Visit, which: str | None, page: int | None) -> Reply:
    """``/gin-admin match-list``."""
    ended = which == "ended"
    statuses = ENDED if ended else (MatchStatus.RUNNING,)
    server = server_of(visit)
    async with house.store.reading() as tx:
        count = await tx.matches.count_on(server, statuses)
        number, pages = page_within((page or 1) - 1, count, MATCHES_A_PAGE)
        rows = await tx.matches.newest_on(server, statuses, MATCHES_A_PAGE, number * MATCHES_A_PAGE)
    kept = [await _kept_or_unread(house, row) for row in rows]
    title = _("Matches that have ended") if ended else _("Matches in play")
    return Reply(page=match_list_page(kept, title, number, pages), in_place=False)


async def _kept_or_unread(house: House, row: MatchRow) -> MatchKept | MatchUnread:
    try:
        table = await house.tables.load(row.id)
    except UnreadableMatch:
        table = None
    if table is not None:
        return await _kept(house, table)
    return MatchUnread(
        match_id=row.id,
        people=await house.people.shown(row.people),
        channel=row.thread_id or row.channel_id,
        acted_at=row.acted_at,
        is_running=row.status is MatchStatus.RUNNING,
    )


async def match_show(house: House, visit: Visit, named: str) -> Reply:
    """``/gin-admin match-show``."""
    table = await _match_here(house, visit, named)
    return Reply(page=match_kept_page(await _kept(house, table)), in_place=False)


async def match_move(house: House, visit: Visit, named: str) -> Reply:
    """``/gin-admin match-move``: the table goes to the channel where this is typed."""
    table = await _match_here(house, visit, named)
    if table.is_over:
        raise NotPossibleNow(_("That match is over; only running matches are moved."))
    if table.channel == visit.channel:
        raise NotPossibleNow(_("The table of that match stands in this channel already."))
    need_rights(visit)
    async with house.tables.beside(table.id) as tx:
        await tx.matches.set_channel(table.id, visit.parent or visit.channel)
        await tx.matches.set_thread(table.id, None if visit.parent is None else visit.channel)
        await tx.admin.record(act_of(house, visit, AdminAct.MATCH_MOVE, match=table.id))
    log.info("moved", match=table.id)
    said = _("Match #{number} goes on here; its table is being set up.").format(number=table.id)
    return Reply(page=note_page(said), in_place=False, changed=table.id)


async def match_end(house: House, visit: Visit, named: str, reason: str | None) -> Reply:
    """``/gin-admin match-end``: end a running match without a result."""
    try:
        table = await _match_here(house, visit, named)
    except UnreadableMatch as unread:
        return await _end_unread(house, visit, MatchId(unread.match), reason)
    act = act_of(house, visit, AdminAct.MATCH_END, match=table.id, reason=reason)
    after = await house.tables.end(table.id, act, visit.interaction)
    await _tell(house, after.row, act.note, void=False)
    return Reply(page=_has_ended(table.id), in_place=False, changed=table.id)


async def _end_unread(house: House, visit: Visit, match: MatchId, reason: str | None) -> Reply:
    """The same for a match that nobody can read: its players are free of it."""
    async with house.store.reading() as tx:
        row = await tx.matches.get(match)
    if row is None or row.server_id != server_of(visit):
        raise _no_match_here()
    act = act_of(house, visit, AdminAct.MATCH_END, match=match, reason=reason)
    if not await house.tables.end_unread(
        match, visit.person, act=act, interaction=visit.interaction
    ):
        raise NotPossibleNow(_("That match is over already."))
    await _tell(house, row, act.note, void=False)
    return Reply(page=_has_ended(match), in_place=False)


def _has_ended(match: MatchId) -> Page:
    return note_page(_("Match #{number} has ended without a result.").format(number=match))


async def match_void(house: House, visit: Visit, named: str, reason: str | None) -> Reply:
    """``/gin-admin match-void``: take a finished match out of the league table."""
    table = await _match_here(house, visit, named)
    if not table.is_over:
        raise NotPossibleNow(
            _("That match is still running. `/gin-admin match-end` ends it without a result.")
        )
    act = act_of(house, visit, AdminAct.MATCH_VOID, match=table.id, reason=reason)
    async with house.tables.beside(table.id) as tx:
        if not await tx.matches.void(table.id):
            raise NotPossibleNow(_("That match counts for nobody already."))
        await tx.admin.record(act)
    log.info("voided", match=table.id)
    house.showing.redraw(table.id)
    await _tell(house, table.row, act.note, void=True)
    said = _(
        "Match #{number} counts no more: its result has left the league table. Its log stays."
    ).format(number=table.id)
    return Reply(page=note_page(said), in_place=False)


async def acts(house: House, visit: Visit, page: int | None) -> Reply:
    """``/gin-admin acts``: what administrators did on this server."""
    server = server_of(visit)
    async with house.store.reading() as tx:
        number, pages = page_within((page or 1) - 1, await tx.admin.count(server), ACTS_A_PAGE)
        rows = await tx.admin.acts(server, ACTS_A_PAGE, number * ACTS_A_PAGE)
    people = [one for row in rows for one in (row.actor, row.person_id) if one is not None]
    known = {one.id: one for one in await house.people.shown(dict.fromkeys(people))}
    shown = [
        ActShown(
            actor=known[row.actor],
            act=row.act.value,
            at=row.at,
            match=row.match_id,
            person=None if row.person_id is None else known[row.person_id],
            note=row.note,
            limits=limits_in(row.note) if row.act is AdminAct.LIMITS else (),
        )
        for row in rows
    ]
    return Reply(page=acts_page(shown, number, pages), in_place=False)


async def _match_here(house: House, visit: Visit, named: str) -> Table:
    """The match of this server by its number; another server's is as if it weren't there."""
    server = server_of(visit)
    table = await by_number(house, named)
    if table is None or table.row.server_id != server:
        raise _no_match_here()
    return table


def _no_match_here() -> NoSuchMatch:
    return NoSuchMatch(
        _("There is no such match on this server. `/gin-admin match-list` has the numbers.")
    )


async def _kept(house: House, table: Table) -> MatchKept:
    async with house.store.reading() as tx:
        row = await tx.matches.get(table.id) or table.row
        ruled_by = await tx.admin.ruled_by(row.server_id, table.id) if table.is_over else None
    people = await house.people.shown(() if ruled_by is None else (ruled_by,))
    return MatchKept(
        shown=await house.shown(table, None),
        channel=table.channel,
        created_at=row.created_at,
        acted_at=row.acted_at,
        ended_at=row.ended_at,
        is_void=row.status is MatchStatus.VOID,
        ruled_by=next(iter(people), None),
    )


async def _tell(house: House, match: MatchRow, reason: str, *, void: bool) -> None:
    """Say at the table what became of the match; where that can't be, the admin knows it."""
    names = [escaped(person.name) for person in await house.people.shown(match.people)]
    page = note_page(ended_by_house(match.id, names, reason, void=void), warning=True)
    try:
        place = match.thread_id or match.channel_id
        await house.post.send(place, page, urgency=Urgency.TABLE)
    except Undelivered:
        log.info("not told", match=match.id)
