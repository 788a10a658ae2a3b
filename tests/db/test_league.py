"""The league table of a server; every table here was counted by hand."""

from __future__ import annotations

from db import MatchStatus, Standing, Store
from tests.db.house import (
    ANN,
    BOB,
    CAT,
    CLUB,
    DAN,
    EVE,
    NOW,
    PUB,
    lost,
    new_match,
    play_to_the_end,
    won,
)


async def test_a_server_without_a_finished_match_has_an_empty_table(store: Store) -> None:
    await new_match(store)
    async with store.reading() as tx:
        assert (await tx.league.page(CLUB, 10)).lines == ()
        assert (await tx.league.page(CLUB, 1)).people == 0


async def test_people_level_in_wins_and_points_share_a_rank_and_the_next_counts_them(
    store: Store,
) -> None:
    # Ann beats Bob 300:50 and Cat 250:50; Bob beats Dan 200:60 and Cat beats Eve 200:10.
    #        won  points             played
    # Ann     2   300 + 250 = 550      2
    # Bob     1    50 + 200 = 250      2
    # Cat     1    50 + 200 = 250      2
    # Dan     0    60                  1
    # Eve     0    10                  1
    await play_to_the_end(store, [won(0, ANN, 300), lost(1, BOB, 50)])
    await play_to_the_end(store, [lost(0, CAT, 50), won(1, ANN, 250)])
    await play_to_the_end(store, [won(0, BOB, 200), lost(1, DAN, 60)])
    await play_to_the_end(store, [won(0, CAT, 200), lost(1, EVE, 10)])
    async with store.transaction() as tx:
        for person, name in ((ANN, "Ann"), (BOB, "Bob"), (CAT, "Cat"), (DAN, "Dan")):
            await tx.people.seen(person, name, NOW)
    table = (
        Standing(1, ANN, "Ann", 2, 2, 550),
        Standing(2, BOB, "Bob", 2, 1, 250),
        Standing(2, CAT, "Cat", 2, 1, 250),
        Standing(4, DAN, "Dan", 1, 0, 60),
        Standing(5, EVE, "", 1, 0, 10),
    )
    async with store.reading() as tx:
        assert (await tx.league.page(CLUB, 10)).lines == table
        assert (await tx.league.page(CLUB, 1)).people == 5
        # A page has the ranks of the whole table.
        assert (await tx.league.page(CLUB, 2, 2)).lines == table[2:4]
        assert (await tx.league.page(CLUB, 2, offset=5)).lines == ()
        for standing in table:
            assert await tx.league.standing_of(CLUB, standing.person_id) == standing
        assert await tx.league.standing_of(PUB, ANN) is None


async def test_more_wins_come_before_more_points(store: Store) -> None:
    # Bob wins twice with 110 each; Ann once with 500.
    await play_to_the_end(store, [won(0, BOB, 110), lost(1, CAT, 0)])
    await play_to_the_end(store, [won(0, BOB, 110), lost(1, CAT, 0)])
    await play_to_the_end(store, [won(0, ANN, 500), lost(1, CAT, 0)])
    async with store.reading() as tx:
        rows = (await tx.league.page(CLUB, 10)).lines
    assert [(row.rank, row.person_id) for row in rows] == [(1, BOB), (2, ANN), (3, CAT)]


async def test_among_those_who_share_a_rank_fewer_played_is_listed_first_then_the_lower_id(
    store: Store,
) -> None:
    # All three: one win, 200 points. Bob and Dan played one match, Ann two (she lost one with 0).
    await play_to_the_end(store, [won(0, ANN, 200), lost(1, EVE, 0)])
    await play_to_the_end(store, [won(0, DAN, 200), lost(1, EVE, 0)])
    await play_to_the_end(store, [won(0, BOB, 200), lost(1, ANN, 0)])
    async with store.reading() as tx:
        rows = (await tx.league.page(CLUB, 10)).lines
    assert [(row.rank, row.person_id, row.played) for row in rows] == [
        (1, BOB, 1),
        (1, DAN, 1),
        (1, ANN, 2),
        (4, EVE, 2),
    ]


async def test_only_finished_matches_of_this_server_count(store: Store) -> None:
    await play_to_the_end(store, [won(0, ANN, 150), lost(1, BOB, 20)])
    await play_to_the_end(store, [won(0, BOB, 400), lost(1, ANN, 20)], server=PUB)
    for status in (MatchStatus.CANCELLED, MatchStatus.VOID):
        ended = await new_match(store, ANN, BOB)
        async with store.transaction() as tx:
            await tx.matches.finish(ended, status, NOW)
    await new_match(store, ANN, BOB)
    async with store.reading() as tx:
        assert (await tx.league.page(CLUB, 10)).lines == (
            Standing(1, ANN, "", 1, 1, 150),
            Standing(2, BOB, "", 1, 0, 20),
        )
        assert (await tx.league.page(PUB, 10)).lines == (
            Standing(1, BOB, "", 1, 1, 400),
            Standing(2, ANN, "", 1, 0, 20),
        )


async def test_a_match_of_three_gives_each_of_them_a_line(store: Store) -> None:
    await play_to_the_end(store, [lost(0, ANN, 70), won(1, BOB, 260), lost(2, CAT, 70)])
    async with store.reading() as tx:
        rows = (await tx.league.page(CLUB, 10)).lines
    assert [(row.rank, row.person_id, row.points) for row in rows] == [
        (1, BOB, 260),
        (2, ANN, 70),
        (2, CAT, 70),
    ]
