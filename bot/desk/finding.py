"""Which match is meant: by its number, by the channel, by the only one that fits, or by asking."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Final

from bot.front.visit import Visit
from bot.house import House
from bot.play.table import Table
from bot.refusals import NoSuchMatch, Refusal
from bot.ui.escape import legible
from bot.ui.escape import name as escaped
from bot.ui.language import _
from bot.ui.parts import listed
from db.ids import ChannelId, MatchId
from db.rows import MatchRow

Fits = Callable[[Table], bool]
JUST_ENDED: Final = timedelta(days=1)
"""For so long a match that has ended is what somebody means who has none running there."""


class WhichMatch(Refusal):
    """Several matches fit; the person is asked with a select.

    ``asked`` is the command that the choice will complete: a verb and its arguments.
    """

    def __init__(self, tables: tuple[Table, ...], asked: tuple[str, ...] = ()) -> None:
        super().__init__(_("You have several matches here. Which one do you mean?"))
        self.tables = tables
        self.asked = asked


def no_match_here() -> NoSuchMatch:
    """The answer to a command about a match where there is none."""
    return NoSuchMatch(
        _("You have no match here. Challenge somebody with `/gin challenge`, and off you go.")
    )


async def my_match(
    house: House, visit: Visit, named: str | None, fits: Fits, asked: tuple[str, ...] = ()
) -> Table:
    """The running match of this person that the command is about.

    ``fits`` says which match the command makes sense for now (say, those that wait for the
    person); it decides only between several. Raises :class:`NoSuchMatch` or :class:`WhichMatch`.
    """
    if named is not None:
        table = await _named(house, named)
        if table.seat_of(visit.person) is None:
            if table.row.server_id != visit.server:
                raise _unknown()  # what is played elsewhere is nobody's business here
            raise NoSuchMatch(_("You don't play in that match. `/gin status` lists yours."))
        return table
    async with house.store.reading() as tx:
        rows = await tx.matches.running_of(visit.person)
    candidates = await _loaded(house, _played_in(visit.channel, rows) or rows)
    if not candidates:
        raise await _none_running(house, visit)
    if len(candidates) == 1:
        return candidates[0]
    fitting = tuple(table for table in candidates if fits(table))
    if len(fitting) == 1:
        return fitting[0]
    raise WhichMatch(fitting or candidates, asked)


async def _none_running(house: House, visit: Visit) -> NoSuchMatch:
    """The answer where no match is running: it points to the one that has just ended, if any."""
    async with house.store.reading() as tx:
        row = await tx.matches.latest_of(visit.person, visit.channel)
        row = row or await tx.matches.latest_of(visit.person)
    if row is None or not _has_just_ended(house, row):
        return no_match_here()
    others = await house.people.shown(one for one in row.people if one != visit.person)
    said = _(
        "Your match with {names} is over. `/gin rematch` asks for another one, "
        "`/gin sheet` shows how it went."
    )
    if any(person.has_gone for person in others):
        said = _(
            "Your match with {names} is over. `/gin challenge` asks somebody else, "
            "`/gin sheet` shows how it went."
        )
    return NoSuchMatch(said.format(names=listed([escaped(person.name) for person in others])))


def _has_just_ended(house: House, row: MatchRow) -> bool:
    return row.ended_at is not None and house.now() - row.ended_at <= JUST_ENDED


def _played_in(channel: ChannelId, rows: tuple[MatchRow, ...]) -> tuple[MatchRow, ...]:
    """Those whose table stands in this channel, or in a thread of it that this is."""
    return tuple(row for row in rows if channel in (row.channel_id, row.thread_id))


async def running_where(house: House, visit: Visit) -> tuple[Table, ...]:
    """The person's running matches in this channel; in direct messages all that he has."""
    async with house.store.reading() as tx:
        rows = await tx.matches.running_of(visit.person)
    if not visit.in_direct_messages:
        rows = _played_in(visit.channel, rows)
    return tuple(table for table in await _loaded(house, rows) if not table.is_over)


async def mine(house: House, visit: Visit, named: str | None, asked: tuple[str, ...]) -> Table:
    """The person's match for a command that acts; ``asked`` is done in it if he has to choose."""

    def waits_for_me(table: Table) -> bool:
        seat = table.seat_of(visit.person)
        return seat is not None and table.awaits(seat)

    return await my_match(house, visit, named, waits_for_me, asked)


async def any_of_mine(
    house: House, visit: Visit, named: str | None, asked: tuple[str, ...]
) -> Table:
    """The same for commands that fit a match at any moment (hand, resign, cancel)."""
    return await my_match(house, visit, named, lambda _table: True, asked)


async def any_match(
    house: House, visit: Visit, named: str | None, asked: tuple[str, ...] = ()
) -> Table:
    """The match to read about: the person's own first, else the channel's, also one that ended.

    Own ones in this order: running here, just ended here, running elsewhere; what was played here
    long ago comes after all that runs here, and after what others have just ended here.
    """
    if named is not None:
        table = await _named(house, named)
        if table.seat_of(visit.person) is None and table.row.server_id != visit.server:
            raise _unknown()
        return table
    rows = await _meant(house, visit)
    tables = await _loaded(house, rows)
    if not tables:
        raise no_match_here()
    if len(tables) > 1:
        raise WhichMatch(tables, asked)
    return tables[0]


async def _meant(house: House, visit: Visit) -> tuple[MatchRow, ...]:
    """What :func:`any_match` reads about where none is named; each is asked for in its turn."""
    async with house.store.reading() as tx:
        mine = await tx.matches.running_of(visit.person)
        here = mine if visit.in_direct_messages else _played_in(visit.channel, mine)
        if here:
            return here
        latest = await tx.matches.latest_of(visit.person, visit.channel)
        if latest is None and visit.in_direct_messages:
            latest = await tx.matches.latest_of(visit.person)
        if latest is not None and _has_just_ended(house, latest):
            return (latest,)
        rows = mine or await tx.matches.running_in(visit.channel)
        if rows:
            return rows
        ended = await tx.matches.latest_ended_in(visit.channel)
        if ended is not None and _has_just_ended(house, ended):
            return (ended,)
        return () if latest is None else (latest,)


async def last_match(house: House, visit: Visit, named: str | None) -> Table:
    """The person's newest match that has ended (for a rematch)."""
    if named is not None:
        table = await _named(house, named)
        if table.seat_of(visit.person) is None:
            if table.row.server_id != visit.server:
                raise _unknown()
            raise NoSuchMatch(
                _(
                    "Only the players of a match ask for its rematch. `/gin challenge` asks "
                    "somebody to play with you."
                )
            )
        return table
    async with house.store.reading() as tx:
        row = await tx.matches.latest_of(visit.person, visit.channel)
        if row is None:
            row = await tx.matches.latest_of(visit.person)
    if row is None:
        raise no_match_here()
    newest = await house.tables.load(row.id)
    if newest is None:
        raise no_match_here()
    return newest


async def by_number(house: House, named: str) -> Table | None:
    """The match with a number as people type it (``17``, ``#17``); None where there is none."""
    digits = legible(named).strip().lstrip("#")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 19):
        return None
    return await house.tables.load(MatchId(int(digits)))


async def _named(house: House, named: str) -> Table:
    table = await by_number(house, named)
    if table is None:
        raise _unknown()
    return table


def _unknown() -> NoSuchMatch:
    return NoSuchMatch(_("There is no such match. `/gin status` lists yours."))


async def _loaded(house: House, rows: tuple[MatchRow, ...]) -> tuple[Table, ...]:
    return tuple(await house.tables.load_all(row.id for row in rows))
