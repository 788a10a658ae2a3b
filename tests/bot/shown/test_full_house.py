"""What a move takes doesn't grow with the number of matches under way."""

from __future__ import annotations

from dataclasses import replace

from bot.now import utc_now
from bot.play.tables import Intent
from bot.ui.pages import table_page
from db.ids import MatchId
from db.onetrip import OneTripConnection
from db.rows import NewEntry, NewMatch
from gin import Draw, Pass, Pile, Play
from gin.actions import Action
from gin.rules import Rules
from tests.bot.playing import ADA, BEN, CLUB, FIRST_HAND, LOUNGE, A, B, House

STEPS = 10
"""Of SQLite's own machine, between two looks at it."""
MANY = 300


class Work:
    """How many steps the database was asked for."""

    def __init__(self) -> None:
        self.looks = 0

    def __call__(self) -> int:
        self.looks += 1
        return 0


async def count_work(house: House, work: Work) -> None:
    """Count the steps of every connection: that of the writer, and all that read."""
    for engine, connections in ((house.store._write, 1), (house.store._read, 4)):
        held = [await engine.connect() for _ in range(connections)]
        for connection in held:
            driver = (await connection.get_raw_connection()).driver_connection
            assert isinstance(driver, OneTripConnection)
            await driver.set_progress_handler(work, STEPS)
        for connection in held:
            await connection.close()


def doing(action: Action) -> Intent:
    return lambda _match, seat: Play(seat, action)


async def a_round(house: House) -> None:
    """A match of its own: three acts, their pages, and what is shown of them."""
    match = await house.match()
    await house.shows(match)
    for person, action in ((BEN, Pass()), (ADA, Pass()), (BEN, Draw(Pile.STOCK))):
        table = await house.tables.act(match, person, doing(action))
        for seat in (None, A, B):
            shown = await house.showing.shown(table, seat)
            if seat is None:
                assert table_page(shown).layout is not None
        house.showing.changed(match)
        await house.showing.settle()


async def many_more(house: House) -> None:
    """Matches under way, each shown like the first one."""
    now = utc_now()
    rows = (await house.rows(MatchId(1))).values()
    async with house.store.transaction() as tx:
        for _ in range(MANY):
            match = await tx.matches.create(NewMatch(CLUB, LOUNGE, Rules().dump(), (ADA, BEN), now))
            await tx.matches.append(match, 0, [NewEntry(line) for line in FIRST_HAND], now)
            for row in rows:
                await tx.shown.put(replace(row, match_id=match))


async def test_a_move_asks_as_much_of_the_database_with_many_matches_under_way_as_with_one(
    house: House,
) -> None:
    work = Work()
    await a_round(house)
    await count_work(house, work)
    await a_round(house)
    alone = work.looks
    assert alone > 20
    await many_more(house)
    work.looks = 0
    await a_round(house)
    # A statement that walked through them all would take several steps for each.
    assert work.looks * STEPS < alone * STEPS + MANY
