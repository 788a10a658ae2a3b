"""What administrators did and set; what people wish, and whom they block."""

from __future__ import annotations

import pytest

from db import MatchStatus, Store, migrate
from db.rows import AdminAct, AdminActRow, Limits, NewAdminAct, Wishes
from tests.db.house import (
    ANN,
    BOB,
    CAT,
    CELLAR,
    CLUB,
    LOUNGE,
    MINUTE,
    NOW,
    PUB,
    lost,
    new_match,
    play_to_the_end,
    won,
)


async def test_old_acts_are_forgotten_but_who_voided_a_match_stays_with_it(store: Store) -> None:
    match = await new_match(store)
    async with store.transaction() as tx:
        for act in (AdminAct.MATCH_END, AdminAct.MATCH_VOID, AdminAct.LIMITS):
            await tx.admin.record(NewAdminAct(CLUB, ANN, act, NOW, match, note="why"))
        assert await tx.privacy.old_acts(NOW) == 0
        assert await tx.privacy.old_acts(NOW + MINUTE) == 2
        left = await tx.admin.acts(CLUB, limit=5)
        assert [(one.act, one.note) for one in left] == [(AdminAct.MATCH_VOID, "why")]


async def test_acts_are_read_back_newest_first_and_only_those_of_the_server(store: Store) -> None:
    match = await new_match(store)
    async with store.transaction() as tx:
        await tx.admin.record(NewAdminAct(CLUB, ANN, AdminAct.MATCH_END, NOW, match, note="x"))
        await tx.admin.record(NewAdminAct(PUB, BOB, AdminAct.LIMITS, NOW, note="matches=3"))
        await tx.admin.record(NewAdminAct(CLUB, ANN, AdminAct.BLOCK, NOW + MINUTE, person_id=CAT))
    async with store.reading() as tx:
        assert await tx.admin.acts(CLUB, 5) == (
            AdminActRow(3, CLUB, ANN, AdminAct.BLOCK, NOW + MINUTE, None, CAT, ""),
            AdminActRow(1, CLUB, ANN, AdminAct.MATCH_END, NOW, match, None, "x"),
        )
        assert [act.id for act in await tx.admin.acts(CLUB, 1, 1)] == [1]
        assert await tx.admin.count(CLUB) == 2


async def test_an_act_is_undone_with_the_transaction_that_fails(store: Store) -> None:
    async def fail() -> None:
        async with store.transaction() as tx:
            await tx.admin.record(NewAdminAct(CLUB, ANN, AdminAct.BLOCK, NOW))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    async with store.reading() as tx:
        assert await tx.admin.acts(CLUB, 5) == ()


async def test_a_server_has_the_default_limits_until_it_sets_its_own(store: Store) -> None:
    async with store.transaction() as tx:
        assert await tx.admin.limits(CLUB) == Limits(5, 25)
        await tx.admin.set_limits(CLUB, Limits(1, 2))
        await tx.admin.set_limits(CLUB, Limits(3, 2))
    async with store.reading() as tx:
        assert await tx.admin.limits(CLUB) == Limits(3, 2)
        assert await tx.admin.limits(PUB) == Limits(5, 25)


async def test_channels_go_on_the_list_once_and_off_it(store: Store) -> None:
    async with store.transaction() as tx:
        for channel in (LOUNGE, CELLAR, LOUNGE):
            await tx.admin.allow(CLUB, channel)
        assert await tx.admin.channels(CLUB) == (LOUNGE, CELLAR)
        assert await tx.admin.channels(PUB) == ()
        assert await tx.admin.disallow(CLUB, LOUNGE)
        assert not await tx.admin.disallow(CLUB, LOUNGE)
        assert await tx.admin.channels(CLUB) == (CELLAR,)


async def test_a_block_holds_on_its_server_until_it_is_taken_back(store: Store) -> None:
    async with store.transaction() as tx:
        await tx.admin.block(CLUB, BOB, NOW)
        await tx.admin.block(CLUB, BOB, NOW + MINUTE)
        assert await tx.admin.blocked(CLUB) == (BOB,)
        assert await tx.admin.blocked(PUB) == ()
        assert await tx.admin.unblock(CLUB, BOB)
        assert not await tx.admin.unblock(CLUB, BOB)
        assert await tx.admin.blocked(CLUB) == ()


async def test_people_find_whom_they_blocked_and_nobody_else_does(store: Store) -> None:
    async with store.transaction() as tx:
        await tx.wishes.block(ANN, CAT, NOW + MINUTE)
        await tx.wishes.block(ANN, BOB, NOW)
        await tx.wishes.block(BOB, ANN, NOW)
    async with store.transaction() as tx:
        assert await tx.wishes.blocked_by(ANN) == (BOB, CAT)
        assert await tx.wishes.blocked_by(CAT) == ()
        assert await tx.wishes.among((ANN, BOB)) == ((ANN, BOB), (BOB, ANN))
        assert await tx.wishes.among((BOB, CAT)) == ()
        await tx.wishes.unblock(ANN, BOB)
        assert await tx.wishes.blocked_by(ANN) == (CAT,)


async def test_wishes_are_the_defaults_until_somebody_has_others(store: Store) -> None:
    async with store.transaction() as tx:
        assert await tx.wishes.of(ANN) == Wishes(calls=True, four_colours=False)
        await tx.wishes.put(ANN, Wishes(calls=False, four_colours=True))
    async with store.reading() as tx:
        assert await tx.wishes.of(ANN) == Wishes(calls=False, four_colours=True)
        assert await tx.wishes.of(BOB) == Wishes()


async def test_only_a_finished_match_is_voided_and_only_once(store: Store) -> None:
    running = await new_match(store)
    ended = await play_to_the_end(store, [won(0, ANN, 200), lost(1, BOB, 10)])
    async with store.transaction() as tx:
        assert not await tx.matches.void(running)
        assert await tx.matches.void(ended)
        assert not await tx.matches.void(ended)
        assert await tx.matches.results(ended) == ()
        assert len(await tx.matches.log(ended)) == 1
        assert (await tx.league.page(CLUB, 5)).lines == ()
        assert await tx.matches.count_on(CLUB, (MatchStatus.VOID,)) == 1


async def test_a_servers_matches_come_newest_first_page_by_page(store: Store) -> None:
    made = [await new_match(store) for _ in range(5)]
    await new_match(store, server=PUB)
    async with store.reading() as tx:
        first = await tx.matches.newest_on(CLUB, (MatchStatus.RUNNING,), 2)
        second = await tx.matches.newest_on(CLUB, (MatchStatus.RUNNING,), 2, 2)
        assert [row.id for row in (*first, *second)] == [made[4], made[3], made[2], made[1]]
        assert await tx.matches.count_on(CLUB, (MatchStatus.RUNNING,)) == 5
        assert await tx.matches.newest_on(CLUB, (MatchStatus.FINISHED,), 2) == ()


async def test_the_health_of_a_fresh_database_is_good(store: Store) -> None:
    health = await store.health()
    assert health.size > 4096
    assert health.revision == migrate.newest()
    assert health.is_sound
