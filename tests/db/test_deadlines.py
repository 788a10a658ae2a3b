"""Deadlines and vacations as rows: read in order, changed only as they were read."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from db import MatchId, Store
from db.rows import DeadlineRow, VacationRow
from tests.db.house import ANN, BOB, MINUTE, NOW, a_challenge, a_match, a_move, new_match

DAY = timedelta(days=1)


def a_deadline(match: MatchId, **changes: object) -> DeadlineRow:
    row = DeadlineRow(match, 0, 2, NOW, NOW + 5 * MINUTE, NOW + 4 * MINUTE, NOW + 4 * MINUTE)
    return replace(row, **changes)  # type: ignore[arg-type]


async def put(store: Store, *rows: DeadlineRow) -> None:
    async with store.transaction() as tx:
        for row in rows:
            await tx.deadlines.put(row)


async def get(store: Store, match: MatchId) -> DeadlineRow | None:
    async with store.reading() as tx:
        return await tx.deadlines.get(match)


async def test_a_deadline_reads_back_and_another_takes_its_place(store: Store) -> None:
    match = await new_match(store)
    await put(store, a_deadline(match))
    assert await get(store, match) == a_deadline(match)
    later = a_deadline(match, seat=1, turn=3, remind_at=None, next_at=None, stopped_at=NOW)
    await put(store, later)
    assert await get(store, match) == later
    async with store.transaction() as tx:
        await tx.deadlines.drop(match)
    assert await get(store, match) is None


async def test_what_is_due_comes_in_the_order_in_which_it_fell_due(store: Store) -> None:
    one, two, three = [await new_match(store) for _ in range(3)]
    await put(
        store,
        a_deadline(one, next_at=NOW + 3 * MINUTE),
        a_deadline(two, next_at=NOW + MINUTE),
        a_deadline(three, next_at=None),
    )
    async with store.reading() as tx:
        assert await tx.deadlines.next() == NOW + MINUTE
        due = await tx.deadlines.due(NOW + 3 * MINUTE, 10)
        assert [row.match_id for row in due] == [two, one]
        assert len(await tx.deadlines.due(NOW + 3 * MINUTE, 1)) == 1
        assert await tx.deadlines.due(NOW + MINUTE - timedelta(microseconds=1), 10) == ()


async def test_without_deadlines_there_is_nothing_to_wait_for(store: Store) -> None:
    async with store.reading() as tx:
        assert await tx.deadlines.next() is None
        assert not await tx.deadlines.any()


@pytest.mark.parametrize(
    "changed",
    [{"turn": 3}, {"due": NOW + 6 * MINUTE}, {"next_at": NOW}, {"stopped_at": NOW}],
    ids=["another turn", "moved", "reminded", "stopped"],
)
async def test_a_deadline_that_is_no_longer_as_it_was_read_is_left_alone(
    store: Store, changed: dict[str, object]
) -> None:
    match = await new_match(store)
    read, now = a_deadline(match), a_deadline(match, **changed)
    await put(store, now)
    async with store.transaction() as tx:
        assert not await tx.deadlines.reminded(read)
        assert not await tx.deadlines.told(read)
        assert not await tx.deadlines.stop(read, NOW, NOW + DAY)
        assert not await tx.deadlines.go_on(replace(read, stopped_at=NOW - MINUTE), NOW)
    assert await get(store, match) == now


async def test_a_reminder_is_noted_once_and_so_is_the_end(store: Store) -> None:
    match = await new_match(store)
    row = a_deadline(match)
    await put(store, row)
    async with store.transaction() as tx:
        assert await tx.deadlines.reminded(row)
        assert not await tx.deadlines.reminded(row)
    reminded = replace(row, remind_at=None, next_at=row.due)
    assert await get(store, match) == reminded
    async with store.transaction() as tx:
        assert await tx.deadlines.told(reminded)
        assert not await tx.deadlines.told(reminded)
    assert await get(store, match) == replace(reminded, next_at=None)


async def test_a_clock_that_stood_still_goes_on_where_it_stopped(store: Store) -> None:
    match = await new_match(store)
    row = a_deadline(match)
    await put(store, row)
    async with store.transaction() as tx:
        assert await tx.deadlines.stop(row, NOW + MINUTE, NOW + DAY)
    stopped = replace(row, stopped_at=NOW + MINUTE, next_at=NOW + DAY)
    assert await get(store, match) == stopped
    async with store.transaction() as tx:
        assert await tx.deadlines.go_on(stopped, NOW + 3 * MINUTE)
    #   two minutes later than before
    assert await get(store, match) == a_deadline(
        match, due=NOW + 7 * MINUTE, remind_at=NOW + 6 * MINUTE, next_at=NOW + 6 * MINUTE
    )


async def test_lost_time_is_given_to_turns_that_ran_and_no_more_than_they_lost(
    store: Store,
) -> None:
    async with store.transaction() as tx:
        clocked = replace(a_match(), clock="live 300 wait")
        ran, young, stopped, told = [await tx.matches.create(clocked) for _ in range(4)]
    rows = (
        a_deadline(ran, began=NOW - MINUTE),
        a_deadline(young, began=NOW + 2 * MINUTE, remind_at=None, next_at=NOW + 5 * MINUTE),
        a_deadline(stopped, stopped_at=NOW),
        a_deadline(told, remind_at=None, next_at=None),
    )
    await put(store, *rows)
    async with store.transaction() as tx:
        moved = await tx.deadlines.give_back(NOW, NOW + 3 * MINUTE)
    assert moved == ((ran, "live 300 wait"), (young, "live 300 wait"))
    assert await get(store, ran) == a_deadline(
        ran,
        began=NOW - MINUTE,
        due=NOW + 8 * MINUTE,
        remind_at=NOW + 7 * MINUTE,
        next_at=NOW + 7 * MINUTE,
    )
    #   it began a minute before the connection was there again
    moved_young = await get(store, young)
    assert moved_young is not None
    assert moved_young.due == moved_young.next_at == NOW + 6 * MINUTE
    assert await get(store, stopped) == rows[2]
    assert await get(store, told) == rows[3]


async def test_the_deadlines_of_a_person_are_those_of_his_own_turns(store: Store) -> None:
    mine, theirs = await new_match(store), await new_match(store)
    await put(store, a_deadline(mine, seat=0), a_deadline(theirs, seat=1))
    async with store.reading() as tx:
        assert [row.match_id for row in await tx.deadlines.of_person(ANN)] == [mine]
        assert [row.match_id for row in await tx.deadlines.of_person(BOB)] == [theirs]


async def test_idle_matches_are_asked_about_once_until_somebody_acts(store: Store) -> None:
    match = await new_match(store)
    clocked = await new_match(store)
    await put(store, a_deadline(clocked))

    async def idle(before_days: int) -> tuple[MatchId, ...]:
        async with store.reading() as tx:
            return await tx.deadlines.idle(NOW + before_days * DAY, 10, after=MatchId(0))

    assert await idle(-1) == ()
    assert await idle(0) == (match,)
    async with store.transaction() as tx:
        assert await tx.deadlines.asked(match, NOW, NOW + 14 * DAY)
        assert not await tx.deadlines.asked(match, NOW, NOW + 14 * DAY)
    assert await idle(20) == ()
    async with store.transaction() as tx:
        await tx.matches.append(match, 0, [a_move("A pass")], NOW + 15 * DAY)
    assert await idle(20) == (match,)
    await put(store, a_deadline(clocked, next_at=None))
    assert await idle(20) == (match, clocked)


async def test_a_vacation_lasts_until_its_end_or_until_somebody_is_back(store: Store) -> None:
    async with store.transaction() as tx:
        await tx.vacations.begin(VacationRow(ANN, NOW, NOW + 14 * DAY))
        assert await tx.vacations.until(ANN, NOW) == NOW + 14 * DAY
        assert await tx.vacations.until(ANN, NOW + 14 * DAY) is None
        assert await tx.vacations.until(ANN, NOW - MINUTE) is None
        assert await tx.vacations.until(BOB, NOW) is None
        assert await tx.vacations.end(ANN, NOW + DAY)
        assert not await tx.vacations.end(ANN, NOW + DAY)
        assert await tx.vacations.since(ANN, NOW) == (VacationRow(ANN, NOW, NOW + DAY),)
        assert await tx.vacations.since(ANN, NOW + DAY) == ()
        kept = await tx.privacy.everything_of(ANN)
        assert [sorted(row) for row in kept["vacations"]] == [["began", "ends", "person_id"]]
        assert await tx.vacations.forget(NOW + DAY) == 0
        assert await tx.vacations.forget(NOW + 2 * DAY) == 1


async def test_the_house_rules_and_the_clock_that_one_agreed_to_are_in_ones_data(
    store: Store,
) -> None:
    terms = {"house": "Friday", "clock": "live 120 house"}
    async with store.transaction() as tx:
        await tx.challenges.create(replace(a_challenge(ANN, BOB), **terms))  # type: ignore[arg-type]
        await tx.matches.create(replace(a_match(ANN, BOB), **terms))  # type: ignore[arg-type]
        kept = await tx.privacy.everything_of(BOB)
    for what in ("challenges", "matches"):
        (row,) = kept[what]
        assert {name: row[name] for name in terms} == terms
