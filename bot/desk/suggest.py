"""Autocomplete: what to offer while somebody types. Reads only, and only his own cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.desk import house_rules, play, whereabouts
from bot.desk.finding import mine
from bot.desk.knocking import BIG_GIN_WORDS
from bot.front.visit import Visit
from bot.house import House
from bot.refusals import Refusal
from bot.ui import choices, clocks, limits, options
from bot.ui.escape import legible
from bot.ui.language import _
from bot.ui.page import MatchShown
from bot.ui.parts import against, dotted
from db.rows import MatchRow, MatchStatus

Pairs = list[tuple[str, str]]

SERVER_MATCHES: Final = 50
"""The newest matches of a server among which what is typed is looked for."""


async def running(house: House, visit: Visit, typed: str) -> Pairs:
    """The person's running matches."""
    async with house.store.reading() as tx:
        rows = await tx.matches.running_of(visit.person)
    return await _named(house, visit, rows, typed)


async def readable(house: House, visit: Visit, typed: str) -> Pairs:
    """The person's running matches, those of this channel, and his last one here."""
    async with house.store.reading() as tx:
        rows = await tx.matches.running_of(visit.person)
        rows += await tx.matches.running_in(visit.channel)
        last = await tx.matches.latest_of(visit.person, visit.channel)
    return await _named(house, visit, rows if last is None else (*rows, last), typed)


async def ended(house: House, visit: Visit, typed: str) -> Pairs:
    """The person's last match here and his last anywhere."""
    async with house.store.reading() as tx:
        last = (
            await tx.matches.latest_of(visit.person, visit.channel),
            await tx.matches.latest_of(visit.person),
        )
    return await _named(house, visit, tuple(row for row in last if row is not None), typed)


async def on_server(house: House, visit: Visit, typed: str, status: str | None = None) -> Pairs:
    """The newest matches of this server (of one status), as far as they fit what is typed.

    Also those that can't be read, since whoever manages the server may end them.
    """
    statuses = tuple(MatchStatus) if status is None else (MatchStatus(status),)
    if visit.server is None:
        return []
    async with house.store.reading() as tx:
        rows = await tx.matches.newest_on(visit.server, statuses, SERVER_MATCHES)
    return await _titled(house, visit, rows, typed)


async def discards(
    house: House, visit: Visit, typed: str, match: str | None, *, knocking: bool
) -> Pairs:
    """Cards of one's own hand that may be discarded (or leave a legal knock)."""
    shown = await _own_view(house, visit, match)
    if shown is None:
        return []
    cards = choices.card_choices(shown.view, typed, knocking=knocking)
    big_gin = BIG_GIN_WORDS[0]
    if not (knocking and shown.view.hand is not None and shown.view.hand.may_big_gin):
        return cards
    if not big_gin.startswith(typed.casefold().strip()):
        return cards
    return [(_("Big gin with all eleven"), big_gin), *cards][: limits.CHOICES]


async def knock_melds(
    house: House, visit: Visit, typed: str, match: str | None, discard: str
) -> Pairs:
    """Arrangements that make a legal knock with the discard typed so far."""
    shown = await _own_view(house, visit, match)
    if shown is None:
        return []
    try:
        card = play.read_card(discard)
    except Refusal:
        return []
    return choices.meld_choices(shown.view, typed, card)


async def layoffs(house: House, visit: Visit, typed: str, match: str | None) -> Pairs:
    """Lay-offs that fit, best first."""
    shown = await _own_view(house, visit, match)
    return [] if shown is None else choices.layoff_choices(shown.view, typed)


async def house_sets(house: House, visit: Visit, typed: str) -> Pairs:
    """The server's house sets."""
    return (await house_rules.names(house, visit.server, typed))[: limits.CHOICES]


def house_options(typed: str) -> Pairs:
    """The options of a house set, by their titles."""
    return [
        pair
        for pair in options.option_choices(typed)
        if pair[1] not in house_rules.CHOSEN_ELSEWHERE
    ] + clocks.option_choices(typed)


def house_values(option: str, typed: str) -> Pairs:
    """The values of the option that was chosen."""
    if clocks.is_option(option):
        return clocks.clock_choices(typed)
    return options.value_choices(option, typed)


async def _own_view(house: House, visit: Visit, match: str | None) -> MatchShown | None:
    try:
        table = await mine(house, visit, match, ())
    except Refusal:
        return None
    return await house.shown(table, table.seat_of(visit.person))


async def _named(house: House, visit: Visit, rows: tuple[MatchRow, ...], typed: str) -> Pairs:
    tables = await house.tables.load_all(dict.fromkeys(row.id for row in rows))
    return await _titled(house, visit, [table.row for table in tables], typed)


async def _titled(house: House, visit: Visit, rows: Sequence[MatchRow], typed: str) -> Pairs:
    pairs: Pairs = []
    for row in rows:
        names = against(person.name for person in await house.people.shown(row.people))
        title = _("#{number}: {names}").format(number=row.id, names=names)
        place = whereabouts.in_plain_words(house, visit, row) if len(rows) > 1 else ""
        pairs.append((limits.clip(dotted(title, place), 100), str(row.id)))
    wanted = legible(typed).casefold().strip()
    return [pair for pair in pairs if wanted in pair[0].casefold()][: limits.CHOICES]
