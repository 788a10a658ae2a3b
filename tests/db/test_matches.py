"""Matches and their logs."""

from __future__ import annotations

import asyncio

import pytest

from db import (
    AlreadyDone,
    ChallengeStatus,
    InteractionId,
    LogEntry,
    MatchEnded,
    MatchId,
    MatchRow,
    MatchStatus,
    NewEntry,
    NewMatch,
    NoSuchMatch,
    StaleVersion,
    Store,
)
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
    THREAD,
    a_challenge,
    a_match,
    a_move,
    lost,
    new_match,
    won,
)


async def test_a_new_match_is_running_with_an_empty_log_and_its_people_by_seat(
    store: Store,
) -> None:
    async with store.transaction() as tx:
        challenge_id = await tx.challenges.create(a_challenge(BOB, ANN, CAT))
        match_id = await tx.matches.create(
            NewMatch(
                CLUB, LOUNGE, "rules straight", (CAT, ANN, BOB), NOW, challenge_id, house="sunday"
            )
        )
    async with store.reading() as tx:
        assert await tx.matches.get(match_id) == MatchRow(
            id=match_id,
            server_id=CLUB,
            channel_id=LOUNGE,
            thread_id=None,
            rules="rules straight",
            status=MatchStatus.RUNNING,
            head=0,
            created_at=NOW,
            acted_at=NOW,
            ended_at=None,
            challenge_id=challenge_id,
            rematch_of=None,
            people=(CAT, ANN, BOB),
            house="sunday",
        )
        assert await tx.matches.log(match_id) == ()
        assert await tx.matches.head(match_id) == 0


async def test_a_match_that_does_not_exist_is_none(store: Store) -> None:
    async with store.reading() as tx:
        assert await tx.matches.get(MatchId(7)) is None
        assert await tx.matches.head(MatchId(7)) is None
        assert await tx.matches.log(MatchId(7)) == ()


async def test_nobody_sits_in_two_seats_of_a_match(store: Store) -> None:
    async with store.transaction() as tx:
        with pytest.raises(ValueError, match="different people"):
            await tx.matches.create(NewMatch(CLUB, LOUNGE, "", (ANN, ANN), NOW))


async def test_entries_are_numbered_from_one_and_read_back_in_order(store: Store) -> None:
    match_id = await new_match(store)
    deal = NewEntry("deal AS...KC")
    first = NewEntry("A pass", 0, ANN, InteractionId(2**62))
    async with store.transaction() as tx:
        assert await tx.matches.append(match_id, 0, [deal], NOW) == 1
        assert await tx.matches.append(match_id, 1, [first, deal], NOW + MINUTE) == 3
    async with store.reading() as tx:
        log = await tx.matches.log(match_id)
        assert log == (
            LogEntry(1, "deal AS...KC", None, None, None, NOW),
            LogEntry(2, "A pass", 0, ANN, InteractionId(2**62), NOW + MINUTE),
            LogEntry(3, "deal AS...KC", None, None, None, NOW + MINUTE),
        )
        assert await tx.matches.log(match_id, after=2) == log[2:]
        row = await tx.matches.get(match_id)
        assert row is not None
        assert (row.head, row.acted_at) == (3, NOW + MINUTE)


async def test_an_act_at_an_old_version_is_refused_and_told_the_present_one(store: Store) -> None:
    match_id = await new_match(store)
    async with store.transaction() as tx:
        await tx.matches.append(match_id, 0, [a_move("one"), a_move("two")], NOW)
    for version in (0, 1, 3):
        async with store.transaction() as tx:
            with pytest.raises(StaleVersion) as refused:
                await tx.matches.append(match_id, version, [a_move("late")], NOW)
        assert refused.value.head == 2
    async with store.reading() as tx:
        assert [entry.text for entry in await tx.matches.log(match_id)] == ["one", "two"]


async def test_an_interaction_delivered_again_is_told_where_it_stands(store: Store) -> None:
    match_id = await new_match(store)
    async with store.transaction() as tx:
        await tx.matches.append(match_id, 0, [a_move("deal")], NOW)
        await tx.matches.append(match_id, 1, [a_move("A draw stock", 900)], NOW)
    # At the version at which it was sent, and at the present one: the same answer.
    for version in (1, 2):
        async with store.transaction() as tx:
            with pytest.raises(AlreadyDone) as refused:
                await tx.matches.append(match_id, version, [a_move("A draw stock", 900)], NOW)
        assert (refused.value.match_id, refused.value.seq) == (match_id, 2)
    async with store.reading() as tx:
        assert await tx.matches.head(match_id) == 2
        assert await tx.matches.of_interaction(InteractionId(900)) == (match_id, 2)
        assert await tx.matches.of_interaction(InteractionId(901)) is None


async def test_an_interaction_counts_in_one_match_only(store: Store) -> None:
    match_id, other = await new_match(store), await new_match(store)
    async with store.transaction() as tx:
        await tx.matches.append(match_id, 0, [a_move("A pass", 900)], NOW)
        with pytest.raises(AlreadyDone):
            await tx.matches.append(other, 0, [a_move("A pass", 900)], NOW)
    async with store.reading() as tx:
        assert await tx.matches.head(other) == 0


async def test_a_refused_batch_leaves_nothing_even_if_the_transaction_goes_on(
    store: Store,
) -> None:
    match_id = await new_match(store)
    async with store.transaction() as tx:
        await tx.matches.append(match_id, 0, [a_move("A pass", 900)], NOW)
    async with store.transaction() as tx:
        with pytest.raises(AlreadyDone):
            await tx.matches.append(match_id, 1, [a_move("new", 901), a_move("old", 900)], NOW)
        assert await tx.matches.append(match_id, 1, [a_move("other", 902)], NOW) == 2
    async with store.reading() as tx:
        assert [entry.text for entry in await tx.matches.log(match_id)] == ["A pass", "other"]


async def test_of_a_hundred_deliveries_of_one_interaction_exactly_one_counts(
    store: Store,
) -> None:
    match_id = await new_match(store)

    async def deliver() -> int:
        async with store.transaction() as tx:
            head = await tx.matches.head(match_id)
            assert head is not None
            return await tx.matches.append(match_id, head, [a_move("A draw stock", 900)], NOW)

    answers = await asyncio.gather(*(deliver() for _ in range(100)), return_exceptions=True)
    assert answers.count(1) == 1
    assert sum(isinstance(answer, AlreadyDone) for answer in answers) == 99
    async with store.reading() as tx:
        assert len(await tx.matches.log(match_id)) == 1


async def test_of_a_hundred_acts_at_one_version_exactly_one_counts(store: Store) -> None:
    match_id = await new_match(store)

    async def act(interaction: int) -> int:
        async with store.transaction() as tx:
            return await tx.matches.append(match_id, 0, [a_move("A pass", interaction)], NOW)

    answers = await asyncio.gather(*(act(n) for n in range(100)), return_exceptions=True)
    assert answers.count(1) == 1
    assert sum(isinstance(answer, StaleVersion) for answer in answers) == 99


async def test_nothing_is_added_to_a_match_that_is_missing_or_over(store: Store) -> None:
    match_id = await new_match(store)
    async with store.transaction() as tx:
        await tx.matches.finish(match_id, MatchStatus.CANCELLED, NOW)
        with pytest.raises(MatchEnded):
            await tx.matches.append(match_id, 0, [a_move("A pass")], NOW)
        with pytest.raises(NoSuchMatch):
            await tx.matches.append(MatchId(99), 0, [a_move("A pass")], NOW)
        with pytest.raises(ValueError, match="nothing"):
            await tx.matches.append(match_id, 0, [], NOW)


async def test_a_finished_match_keeps_its_results_by_seat(store: Store) -> None:
    match_id = await new_match(store)
    results = (won(0, ANN, 285), lost(1, BOB, 90))
    async with store.transaction() as tx:
        await tx.matches.append(match_id, 0, [a_move("A knock")], NOW + MINUTE)
        await tx.matches.finish(match_id, MatchStatus.FINISHED, NOW + MINUTE, results[::-1])
    async with store.reading() as tx:
        row = await tx.matches.get(match_id)
        assert row is not None
        assert (row.status, row.ended_at) == (MatchStatus.FINISHED, NOW + MINUTE)
        assert await tx.matches.results(match_id) == results
        assert await tx.matches.running_ids() == ()


async def test_a_match_ends_only_once(store: Store) -> None:
    match_id = await new_match(store)
    async with store.transaction() as tx:
        await tx.matches.finish(match_id, MatchStatus.CANCELLED, NOW)
    async with store.transaction() as tx:
        with pytest.raises(MatchEnded):
            await tx.matches.finish(match_id, MatchStatus.FINISHED, NOW, [won(0, ANN, 125)])
        with pytest.raises(NoSuchMatch):
            await tx.matches.finish(MatchId(99), MatchStatus.CANCELLED, NOW)
    async with store.reading() as tx:
        assert await tx.matches.results(match_id) == ()


@pytest.mark.parametrize("status", [MatchStatus.CANCELLED, MatchStatus.VOID, MatchStatus.RUNNING])
async def test_only_a_finished_match_has_results(store: Store, status: MatchStatus) -> None:
    match_id = await new_match(store)
    async with store.transaction() as tx:
        with pytest.raises(ValueError, match="results"):
            await tx.matches.finish(match_id, status, NOW, [won(0, ANN, 125)])
        with pytest.raises(ValueError, match="results"):
            await tx.matches.finish(match_id, MatchStatus.FINISHED, NOW)


async def test_running_matches_are_found_by_person_and_server(store: Store) -> None:
    ours = await new_match(store, ANN, BOB)
    pub = await new_match(store, CAT, ANN, server=PUB)
    over = await new_match(store, ANN, CAT)
    async with store.transaction() as tx:
        await tx.matches.finish(over, MatchStatus.CANCELLED, NOW)
    async with store.reading() as tx:
        assert [row.id for row in await tx.matches.running_of(ANN)] == [ours, pub]
        assert [row.people for row in await tx.matches.running_of(ANN)] == [(ANN, BOB), (CAT, ANN)]
        assert [row.id for row in await tx.matches.running_of(ANN, PUB)] == [pub]
        assert await tx.matches.running_of(BOB, PUB) == ()
        assert await tx.matches.running_ids() == (ours, pub)
        assert await tx.matches.count_running() == 2


async def test_a_match_in_a_thread_is_found_from_the_thread_and_from_its_channel(
    store: Store,
) -> None:
    async with store.transaction() as tx:
        threaded = await tx.matches.create(a_match())
        plain = await tx.matches.create(a_match(channel=CELLAR))
        await tx.matches.set_thread(threaded, THREAD)
    async with store.reading() as tx:
        assert [row.id for row in await tx.matches.running_in(THREAD)] == [threaded]
        assert [row.id for row in await tx.matches.running_in(LOUNGE)] == [threaded]
        assert [row.id for row in await tx.matches.running_in(CELLAR)] == [plain]
    async with store.transaction() as tx:
        await tx.matches.set_thread(threaded, None)
        await tx.matches.set_channel(threaded, CELLAR)
    async with store.reading() as tx:
        assert await tx.matches.running_in(THREAD) == ()
        assert [row.id for row in await tx.matches.running_in(CELLAR)] == [threaded, plain]


async def test_the_latest_match_of_a_person_is_the_one_in_which_something_happened_last(
    store: Store,
) -> None:
    async with store.transaction() as tx:
        first = await tx.matches.create(a_match())
        second = await tx.matches.create(a_match(ANN, CAT, channel=CELLAR))
        await tx.matches.append(first, 0, [a_move("A pass")], NOW + MINUTE)
        await tx.matches.finish(first, MatchStatus.CANCELLED, NOW + MINUTE)
    async with store.reading() as tx:
        latest = await tx.matches.latest_of(ANN)
        assert latest is not None
        assert (latest.id, latest.people) == (first, (ANN, BOB))
        cellar = await tx.matches.latest_of(ANN, CELLAR)
        assert cellar is not None
        assert cellar.id == second
        assert await tx.matches.latest_of(BOB, CELLAR) is None


async def test_the_match_of_a_channel_that_ended_last_is_found(store: Store) -> None:
    async with store.transaction() as tx:
        later, sooner, _running = [await tx.matches.create(a_match()) for _match in range(3)]
        for minutes, match in ((1, sooner), (2, later)):
            at = NOW + minutes * MINUTE
            await tx.matches.append(match, 0, [a_move("A pass")], at)
            await tx.matches.finish(match, MatchStatus.CANCELLED, at)
    async with store.reading() as tx:
        ended = await tx.matches.latest_ended_in(LOUNGE)
        assert ended is not None
        assert ended.id == later
        assert await tx.matches.latest_ended_in(CELLAR) is None


async def test_a_challenge_makes_one_match_and_knows_it(store: Store) -> None:
    async with store.transaction() as tx:
        challenge_id = await tx.challenges.create(a_challenge())
        match_id = await tx.matches.create(a_match())
        assert await tx.challenges.settle(challenge_id, ChallengeStatus.ACCEPTED, NOW, match_id)
    async with store.reading() as tx:
        challenge = await tx.challenges.get(challenge_id)
        row = await tx.matches.get(match_id)
        assert challenge is not None
        assert row is not None
        assert (challenge.match_id, row.challenge_id) == (match_id, challenge_id)
