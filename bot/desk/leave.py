"""Ending a match early: resign, or call it off by agreement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from bot.desk.membership import still_here
from bot.desk.panels import hand_reply, or_present_hand, seat_at
from bot.front.reply import Reply
from bot.front.visit import Visit
from bot.house import House
from bot.play import deed
from bot.play.table import Table
from bot.refusals import NotPossibleNow, OldControl
from bot.ui.escape import name as escaped
from bot.ui.language import _, ngettext
from bot.ui.page import Page
from bot.ui.pages import cancel_page, facts, note_page, resign_page
from bot.ui.parts import listed
from db.ids import MatchId, PersonId
from db.rows import ShownKind
from gin import Cancel, Resign, Seat


async def resign_menu(house: House, visit: Visit, match: MatchId, *, typed: bool = False) -> Reply:
    """Ask whether the person really gives the match up; ``typed`` can be typed again for a yes."""
    table = await house.tables.load(match)
    if table is None or table.is_over:
        raise NotPossibleNow(_("This match is over already."))
    seat = seat_at(table, visit.person)
    return Reply(page=resign_page(await house.shown(table, seat), typed=typed), in_place=False)


async def resign(house: House, visit: Visit, match: MatchId, version: int | None = None) -> Reply:
    """Give the match up. Works at any moment; whoever gets here has been asked."""

    async def act() -> Reply:
        table = await house.tables.act(
            match,
            visit.person,
            lambda _match, seat: Resign(seat),
            version=version,
            interaction=visit.interaction,
        )
        return await hand_reply(house, visit, table, changed=True)

    return await or_present_hand(house, visit, match, act)


async def cancel(house: House, visit: Visit, match: MatchId) -> Reply:
    """Propose to call the match off; when everybody at the table has, it is cancelled.

    A match in which nobody has played for two weeks is closed at once.
    """
    table = await house.tables.load(match)
    if table is None or table.is_over:
        raise NotPossibleNow(_("This match is over already."))
    seat = seat_at(table, visit.person)
    if await house.idle.may_be_closed(table):
        return await _cancelled(house, visit, table)
    with deed.in_parts():
        said, ended = await _proposed(house, visit, table, seat)
    if ended is not None:
        return await hand_reply(house, visit, ended, note=said, changed=True)
    return Reply(page=note_page(said or ""), in_place=False)


async def _proposed(
    house: House, visit: Visit, table: Table, seat: Seat
) -> tuple[str | None, Table | None]:
    """Note that one proposes it; gives what to say to that, and the match if it has ended so."""
    match = table.id
    async with house.store.transaction() as tx:
        before = await tx.offers.of_match(match)
        await tx.offers.make(match, visit.person, table.head)
        offers = await tx.offers.of_match(match)
    unwilling = [person for person in table.people if not _still_willing(table, person, offers)]
    waiting = await still_here(house, table.row.server_id, unwilling)
    if not waiting:
        async with house.store.transaction() as tx:
            await tx.offers.note_left(match, unwilling, table.head)
        left = await _names(house, unwilling)
        note = ngettext(
            "{names} has left the server, so nobody else had to be asked.",
            "{names} have left the server, so nobody else had to be asked.",
            len(unwilling),
        ).format(names=left)
        return note if unwilling else None, await _ended(house, visit, table)
    asked = _still_willing(table, visit.person, before) and await _is_asked(house, match)
    if asked:
        said = _("You have asked already. The match ends as soon as everybody agrees.")
        said += _meanwhile(table, seat)
    elif len(unwilling) == len(table.people) - 1:
        await house.showing.ask_others(
            table, seat, partial(cancel_page, await house.shown(table, seat))
        )
        lapsed = [person for person in waiting if person in before]
        said = await _played_on(house, lapsed) + _(
            "I've asked whether to call the match off. It ends without a result "
            "as soon as everybody at the table agrees."
        )
        said += _meanwhile(table, seat)
    else:  # the others were asked by whoever proposed it
        said = _(
            "You agree. The match ends without a result as soon as {names} agrees as well."
        ).format(names=await _names(house, waiting))
        said += _meanwhile(table, seat)
    return said, None


def _meanwhile(table: Table, seat: Seat) -> str:
    """What somebody can do while the others are asked: a move of his own takes it back."""
    if not table.awaits(seat):
        return " " + _("Until then it goes on.")
    return " " + _("Until then it is your turn; if you play, you take that back.")


async def agree(house: House, visit: Visit, match: MatchId) -> Reply:
    """Agree to another's offer to call the match off; one that has lapsed isn't made anew."""
    table = await _asked_about(house, visit, match)
    if table.is_over:
        return await _answered(house, visit, table, _("This match is over already."))
    if not await _offering(house, table):
        said = _("The match went on, which ended that offer. `/gin cancel` makes a new one.")
        return await _answered(house, visit, table, said)
    return replace(await cancel(house, visit, match), in_place=False)


async def play_on(house: House, visit: Visit, match: MatchId) -> Reply:
    """Rather play on: the offers to call the match off are gone, and who made them is told."""
    table = await _asked_about(house, visit, match)
    if table.is_over:
        return await _answered(house, visit, table, _("This match is over already."))
    offering = await _offering(house, table)
    async with house.store.transaction() as tx:
        await tx.offers.drop(match)
    said = _("{name} would rather play on, so the match goes on.").format(
        name=await _names(house, [visit.person])
    )
    others = [person for person in offering if person != visit.person]
    answer = said
    if visit.in_direct_messages:  # in a channel the others read it too
        answer = _("You'd rather play on, so the match goes on.")
        if others:
            answer += " " + _("{names} has been told.").format(names=await _names(house, others))
    reply = await _answered(house, visit, table, answer)
    which = facts.which_match(await house.shown(table, None))
    for person in others:
        await house.showing.tell(table, seat_at(table, person), partial(_told, said, which))
    return reply


def _told(said: str, which: str, called: PersonId | None) -> Page:
    if called is not None:
        said = _("<@{person}>: {said}").format(person=called, said=said)
    return note_page(f"{said}\n{which}")


async def _asked_about(house: House, visit: Visit, match: MatchId) -> Table:
    """The match of a question that was answered by one of its players."""
    table = await house.tables.load(match)
    if table is None:
        raise NotPossibleNow(_("This match is over already."))
    seat_at(table, visit.person)
    return table


async def _answered(house: House, visit: Visit, table: Table, said: str) -> Reply:
    """Put what became of a question in its place; it can't be answered any more."""
    await house.showing.questions_over(table, keep=visit.message)
    return Reply(page=note_page(said), replaces_public=True)


async def _offering(house: House, table: Table) -> list[PersonId]:
    """Who has proposed to call the match off, and hasn't played on since."""
    async with house.store.reading() as tx:
        offers = await tx.offers.of_match(table.id)
    return [person for person in table.people if _still_willing(table, person, offers)]


async def close(house: House, visit: Visit, match: MatchId) -> Reply:
    """Close a match in which nobody has played for two weeks, unscored; one player is enough."""
    table = await house.tables.load(match)
    if table is None or table.is_over:
        raise NotPossibleNow(_("This match is over already."))
    seat_at(table, visit.person)
    if not await house.idle.may_be_closed(table):
        raise NotPossibleNow(
            _(
                "Somebody has played since, so the match goes on. `/gin cancel` asks to call it "
                "off, `/gin resign` gives it up."
            )
        )
    return await _cancelled(house, visit, table)


async def _cancelled(house: House, visit: Visit, table: Table) -> Reply:
    """End a match, without a result, that may be ended as it stood in ``table``."""
    return await hand_reply(house, visit, await _ended(house, visit, table), changed=True)


async def _ended(house: House, visit: Visit, table: Table) -> Table:
    try:
        return await house.tables.act(
            table.id,
            visit.person,
            lambda _match, _seat: Cancel(),
            version=table.head,
            interaction=visit.interaction,
        )
    except OldControl:
        now = await house.tables.load(table.id)
        if now is None or now.is_over:
            raise NotPossibleNow(_("This match is over already.")) from None
        raise NotPossibleNow(
            _("Somebody played on at that very moment, so the match goes on. Ask again if need be.")
        ) from None


async def _played_on(house: House, people: list[PersonId]) -> str:
    """A word on those who had proposed it and played on since."""
    if not people:
        return ""
    said = _("{names} has played on, which took that offer back.")
    return said.format(names=await _names(house, people)) + " "


async def _is_asked(house: House, match: MatchId) -> bool:
    """Whether somebody has the question; a fault may have kept it from all to whom it was put."""
    async with house.store.reading() as tx:
        rows = await tx.shown.of_match(match)
    return any(row.kind is ShownKind.QUESTION for row in rows)


async def _names(house: House, people: list[PersonId]) -> str:
    return listed([escaped(person.name) for person in await house.people.shown(people)])


def _still_willing(table: Table, person: PersonId, offers: Mapping[PersonId, int]) -> bool:
    """Whether this person proposed it and hasn't played on since: playing on takes it back."""
    seat = table.seat_of(person)
    if seat is None or person not in offers:
        return False
    act = table.own_act.get(seat)
    return act is None or act[0] <= offers[person]
