"""What stands on Discord, and how it is found to be behind."""

from __future__ import annotations

from db import (
    TABLE_SEAT,
    ChannelId,
    MatchId,
    MatchStatus,
    MessageId,
    PersonId,
    ShownKind,
    ShownRow,
    Store,
)
from tests.db.house import ANN, CLUB, LOUNGE, MINUTE, NOW, PUB, THREAD, a_move, new_match


def table(match_id: MatchId, message: int, version: int) -> ShownRow:
    return ShownRow(match_id, ShownKind.TABLE, TABLE_SEAT, LOUNGE, MessageId(message), version, NOW)


def hand(match_id: MatchId, seat: int, message: int, version: int) -> ShownRow:
    return ShownRow(
        match_id, ShownKind.HAND, seat, ChannelId(50 + seat), MessageId(message), version, NOW
    )


async def test_table_and_hands_are_kept_apart(store: Store) -> None:
    match_id = await new_match(store)
    rows = (hand(match_id, 0, 11, 0), hand(match_id, 1, 12, 0), table(match_id, 10, 0))
    async with store.transaction() as tx:
        for row in rows:
            await tx.shown.put(row)
    async with store.reading() as tx:
        assert await tx.shown.get(match_id) == rows[2]
        assert await tx.shown.get(match_id, 0) == rows[0]
        assert await tx.shown.get(match_id, 1, ShownKind.HAND) == rows[1]
        assert await tx.shown.get(match_id, 2) is None
        assert await tx.shown.of_match(match_id) == rows


async def test_a_new_message_takes_the_place_of_the_old_one(store: Store) -> None:
    match_id = await new_match(store)
    again = ShownRow(
        match_id, ShownKind.TABLE, TABLE_SEAT, ChannelId(9), MessageId(20), 3, NOW + MINUTE
    )
    async with store.transaction() as tx:
        await tx.shown.put(table(match_id, 10, 1))
        await tx.shown.put(again)
        assert await tx.shown.of_match(match_id) == (again,)


async def test_a_dropped_message_is_forgotten_and_no_other(store: Store) -> None:
    match_id = await new_match(store)
    async with store.transaction() as tx:
        await tx.shown.put(table(match_id, 10, 0))
        await tx.shown.put(hand(match_id, 0, 11, 0))
        await tx.shown.drop(match_id, 0)
        await tx.shown.drop(match_id, 1)
        assert await tx.shown.of_match(match_id) == (table(match_id, 10, 0),)
        await tx.shown.drop(match_id)
        assert await tx.shown.of_match(match_id) == ()


async def test_several_old_messages_of_one_part_are_kept_apart_until_they_are_deleted(
    store: Store,
) -> None:
    """Also where he has left: they are to be taken away from him."""
    match_id = await new_match(store)
    hands = [hand(match_id, seat, message, 3) for message in (11, 2**62) for seat in (0, 1)]
    tables = [table(match_id, message, 3) for message in (11, 12, 2**62)]
    old = [row.as_old(NOW + MINUTE) for row in (*hands, *tables)]
    async with store.transaction() as tx:
        await tx.shown.put(hand(match_id, 0, 13, 3))
        for row in old:
            await tx.shown.put(row)
        await tx.privacy.forget(ANN, PersonId(-5), NOW)
        kept = await tx.shown.of_match(match_id)
    assert sorted(kept, key=lambda row: row.seat) == sorted(old, key=lambda row: row.seat)
    assert [row.whose for row in old] == [0, 1, 0, 1, TABLE_SEAT, TABLE_SEAT, TABLE_SEAT]
    assert all(2 < row.seat < 2**31 for row in old[:4])
    assert all(-(2**31) <= row.seat < TABLE_SEAT for row in old[4:])


async def test_a_message_is_stale_while_the_log_holds_more_than_it_shows(store: Store) -> None:
    first, second = await new_match(store), await new_match(store)
    async with store.transaction() as tx:
        await tx.matches.append(first, 0, [a_move("one"), a_move("two")], NOW)
        await tx.shown.put(table(first, 10, 1))
        await tx.shown.put(hand(first, 0, 11, 2))
        await tx.shown.put(hand(first, 1, 12, 0))
        await tx.shown.put(table(second, 20, 0))
    async with store.reading() as tx:
        assert await tx.shown.stale(10) == (hand(first, 1, 12, 0), table(first, 10, 1))
        assert await tx.shown.stale(1) == (hand(first, 1, 12, 0),)


async def test_the_end_of_a_match_is_unseen_while_a_message_shows_less(store: Store) -> None:
    seen, unseen, running, old = [await new_match(store) for _ in range(4)]
    async with store.transaction() as tx:
        for match, version in ((seen, 1), (unseen, 0), (running, 0), (old, 0)):
            await tx.matches.append(match, 0, [a_move("one")], NOW)
            await tx.shown.put(table(match, 10, version))
        for match, ended in ((seen, NOW), (unseen, NOW), (old, NOW - MINUTE)):
            await tx.matches.finish(match, MatchStatus.CANCELLED, ended)
        assert await tx.shown.ended_unseen(CLUB, NOW) == (unseen,)
        assert await tx.shown.ended_unseen(PUB, NOW) == ()


async def test_a_match_is_in_doubt_unless_its_table_and_all_its_hands_show_the_whole_log(
    store: Store,
) -> None:
    """Each of the first six lacks something else, the next two nothing; the last has ended."""
    numbers = [await new_match(store) for _ in range(9)]
    elsewhere, behind, without, called, self_drawn, long_drawn, drawn, _whole, ended = numbers
    async with store.transaction() as tx:
        for match in numbers:  # the newest act is that of seat 0
            act = "A draw stock" if match in (self_drawn, long_drawn, drawn) else "A discard 2C"
            await tx.matches.append(match, 0, [a_move("B pass"), a_move(act)], NOW)
            await tx.shown.put(table(match, 10, 2))
            await tx.shown.put(hand(match, 0, 11, 2))
            await tx.shown.put(hand(match, 1, 12, 2))
        await tx.matches.set_thread(elsewhere, THREAD)
        await tx.shown.put(hand(behind, 1, 12, 1))
        await tx.shown.put(hand(self_drawn, 0, 11, 1))
        await tx.shown.put(hand(long_drawn, 1, 12, 0))
        await tx.shown.put(hand(drawn, 1, 12, 1))
        await tx.shown.drop(without, 0)
        await tx.shown.put(ShownRow(called, ShownKind.PING, 1, LOUNGE, MessageId(13), 1, NOW))
        await tx.shown.drop(ended)
        await tx.matches.finish(ended, MatchStatus.CANCELLED, NOW)
        in_doubt = elsewhere, behind, without, called, self_drawn, long_drawn
        assert await tx.shown.doubtful() == in_doubt
        assert await tx.shown.doubtful(CLUB) == in_doubt
        assert await tx.shown.doubtful(PUB) == ()
