"""What stands on Discord, and how it is found to be behind."""

from __future__ import annotations

from db import TABLE_SEAT, ChannelId, MatchId, MessageId, ShownKind, ShownRow, Store
from tests.db.house import LOUNGE, MINUTE, NOW, a_move, new_match


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
