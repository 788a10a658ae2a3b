"""Notes of what stands on Discord: places at once, versions a little later, nothing mixed up."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.shown.notes import Notes
from db.ids import ChannelId, MatchId, MessageId, PersonId, ServerId
from db.rows import TABLE_SEAT, NewMatch, ShownKind, ShownRow, word_to
from db.shown import Shown
from db.store import Store
from gin.rules import Rules

NOW = datetime(2026, 3, 1, tzinfo=UTC)
LOUNGE = ChannelId(100)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'notes.db'}")
    yield opened
    await opened.close()


@pytest.fixture
async def table(store: Store) -> ShownRow:
    """The table of a match, posted at version 2."""
    async with store.transaction() as tx:
        match = await tx.matches.create(
            NewMatch(ServerId(5), LOUNGE, Rules().dump(), (PersonId(1), PersonId(2)), NOW)
        )
    return ShownRow(match, ShownKind.TABLE, TABLE_SEAT, LOUNGE, MessageId(7), 2, NOW)


async def written(store: Store, match: MatchId) -> tuple[ShownRow, ...]:
    async with store.reading() as tx:
        return await tx.shown.of_match(match)


async def read(store: Store, notes: Notes, match: MatchId) -> tuple[ShownRow, ...]:
    since = notes.begins(match)
    return notes.newest(match, await written(store, match), since)


async def posted(store: Store, table: ShownRow) -> Notes:
    """Notes that know the table."""
    notes = Notes(store, lambda: NOW)
    await notes.stands(table)
    await read(store, notes, table.match_id)
    return notes


async def test_where_a_message_stands_is_written_at_once(store: Store, table: ShownRow) -> None:
    assert await Notes(store, lambda: NOW).stands(table) is None
    assert await written(store, table.match_id) == (table,)


async def test_a_newer_version_is_known_at_once_and_written_later(
    store: Store, table: ShownRow
) -> None:
    notes = await posted(store, table)
    newer = replace(table, version=3)
    assert await notes.stands(newer) is None
    assert await read(store, notes, table.match_id) == (newer,)
    assert notes.table(table.match_id) == newer
    assert await written(store, table.match_id) == (table,)
    await notes.settle()
    assert await written(store, table.match_id) == (newer,)


async def test_versions_of_many_parts_are_written_in_one_transaction(
    store: Store, table: ShownRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = Notes(store, lambda: NOW)
    hands = [
        replace(table, kind=ShownKind.HAND, seat=seat, message_id=MessageId(seat + 8))
        for seat in (0, 1)
    ]
    for row in (table, *hands):
        await notes.stands(row)
    await read(store, notes, table.match_id)
    for row in (table, *hands):
        await notes.stands(replace(row, version=5))
    opened = 0
    transaction = store.transaction

    def counted(*, aside: bool = False) -> object:
        nonlocal opened
        opened += 1
        return transaction(aside=aside)

    monkeypatch.setattr(store, "transaction", counted)
    await notes.settle()
    assert opened == 1
    assert {row.version for row in await written(store, table.match_id)} == {5}


async def test_what_is_noted_while_somebody_reads_is_not_taken_back(
    store: Store, table: ShownRow
) -> None:
    notes = await posted(store, table)
    since = notes.begins(table.match_id)
    read_before = await written(store, table.match_id)
    newer = replace(table, version=3)
    await notes.stands(newer)
    await notes.settle()
    assert notes.newest(table.match_id, read_before, since) == (newer,)
    elsewhere = replace(table, message_id=MessageId(9), version=4)
    await notes.stands(elsewhere)
    assert notes.newest(table.match_id, read_before, since) == (elsewhere,)
    await notes.gone(elsewhere)
    assert notes.newest(table.match_id, read_before, since) == ()


async def test_another_message_tells_which_one_it_replaces(store: Store, table: ShownRow) -> None:
    notes = await posted(store, table)
    newer = replace(table, version=3)
    await notes.stands(newer)
    elsewhere = replace(table, message_id=MessageId(9), version=4)
    replaced = await notes.stands(elsewhere)
    await notes.settle()
    assert replaced == table.as_old(NOW)
    assert await written(store, table.match_id) == (replaced, elsewhere)
    assert await notes.deleted(replaced) is None
    assert await written(store, table.match_id) == (elsewhere,)


async def test_a_late_version_of_a_message_that_another_process_replaced_changes_nothing(
    store: Store, table: ShownRow
) -> None:
    notes = await posted(store, table)
    await notes.stands(replace(table, version=3))
    moved = replace(table, message_id=MessageId(9), version=2)
    await Notes(store, lambda: NOW).stands(moved)
    assert await read(store, notes, table.match_id) == (table.as_old(NOW), moved)
    await notes.settle()
    assert await written(store, table.match_id) == (table.as_old(NOW), moved)


async def test_what_is_gone_is_not_written_again(store: Store, table: ShownRow) -> None:
    notes = await posted(store, table)
    newer = replace(table, version=3)
    await notes.stands(newer)
    await notes.let_be(table.match_id, ShownKind.TABLE, TABLE_SEAT)
    await notes.settle()
    assert await written(store, table.match_id) == ()
    assert notes.table(table.match_id) is None


@pytest.mark.parametrize("kind", [kind for kind in ShownKind if kind is not ShownKind.OLD])
async def test_whatever_has_to_go_is_noted_as_that_until_it_is_deleted(
    store: Store, table: ShownRow, kind: ShownKind
) -> None:
    part = replace(table, kind=kind, seat=TABLE_SEAT if kind is ShownKind.TABLE else 1)
    notes = await posted(store, part)
    old = await notes.gone(part)
    assert old is not None
    assert (old.kind, old.whose, old.message_id) == (ShownKind.OLD, part.seat, part.message_id)
    assert await written(store, table.match_id) == (old,)
    await notes.deleted(old)
    assert await written(store, table.match_id) == ()


async def test_versions_that_could_not_be_written_are_written_the_next_time(
    store: Store, table: ShownRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = await posted(store, table)
    newer = replace(table, version=3)
    await notes.stands(newer)

    def fail(*, aside: bool = False) -> object:
        raise OSError("no room")

    with monkeypatch.context() as trouble, capture_logs() as logs:
        trouble.setattr(store, "transaction", fail)
        await notes.settle()
    assert [line["event"] for line in logs] == ["notes not written"]
    await notes.settle()
    assert await written(store, table.match_id) == (newer,)


async def test_nothing_is_kept_of_a_match_that_is_over(store: Store, table: ShownRow) -> None:
    notes = await posted(store, table)
    notes.forget(table.match_id)
    assert notes.table(table.match_id) is None
    newer = replace(table, version=3)
    await notes.stands(newer)
    assert await written(store, table.match_id) == (newer,)
    assert notes.table(table.match_id) is None


# ------------------------------------------------------------------ what needn't be read anew


async def test_what_was_read_once_is_whole_with_every_newer_version(
    store: Store, table: ShownRow
) -> None:
    notes = await posted(store, table)
    assert notes.whole(table.match_id) == (table,)
    newer = replace(table, version=3)
    await notes.stands(newer)
    assert notes.whole(table.match_id) == (newer,)
    await notes.settle()
    assert notes.whole(table.match_id) == (newer,)


async def test_what_was_never_read_is_not_whole(store: Store, table: ShownRow) -> None:
    notes = Notes(store, lambda: NOW)
    notes.begins(table.match_id)
    await notes.stands(table)
    assert notes.whole(table.match_id) is None


@pytest.mark.parametrize(
    "moves",
    [
        lambda notes, row: notes.stands(replace(row, message_id=MessageId(9))),
        lambda notes, row: notes.stands(replace(row, kind=ShownKind.PING, seat=0)),
        lambda notes, row: notes.gone(row),
        lambda notes, row: notes.let_be(row.match_id, row.kind, row.seat),
        lambda notes, row: notes.deleted(replace(row, kind=ShownKind.OLD, seat=8)),
    ],
    ids=["elsewhere", "one more", "gone", "the table gone", "an old hand deleted"],
)
async def test_after_a_message_has_come_or_gone_all_are_read_anew(
    store: Store, table: ShownRow, moves: Callable[[Notes, ShownRow], Awaitable[object]]
) -> None:
    notes = await posted(store, table)
    since, read_before = notes.begins(table.match_id), await written(store, table.match_id)
    await moves(notes, table)
    assert notes.whole(table.match_id) is None
    notes.newest(table.match_id, read_before, since)  # a slow reader saw what was before
    assert notes.whole(table.match_id) is None
    now = await read(store, notes, table.match_id)
    assert notes.whole(table.match_id) == now == await written(store, table.match_id)


async def test_what_could_not_be_written_is_read_anew(
    store: Store, table: ShownRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = await posted(store, table)

    async def fails(*_: object) -> None:
        raise TimeoutError

    monkeypatch.setattr(Shown, "put", fails)
    with pytest.raises(TimeoutError):
        await notes.stands(replace(table, message_id=MessageId(9)))
    assert notes.whole(table.match_id) is None
    assert await read(store, notes, table.match_id) == (table,)


async def test_where_other_processes_write_too_nothing_is_whole(
    store: Store, table: ShownRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = await posted(store, table)
    monkeypatch.setattr(Store, "is_shared", property(lambda _store: True))
    assert notes.whole(table.match_id) is None


async def test_what_was_forgotten_while_it_was_read_is_not_whole(
    store: Store, table: ShownRow
) -> None:
    notes = await posted(store, table)
    since, read_before = notes.begins(table.match_id), await written(store, table.match_id)
    notes.forget(table.match_id)
    await notes.stands(replace(table, message_id=MessageId(9)))
    notes.newest(table.match_id, read_before, since)
    assert notes.whole(table.match_id) is None


async def test_a_word_that_is_pressed_is_the_hand_and_nothing_else_whichever_is_noted_first(
    store: Store, table: ShownRow
) -> None:
    """As is one that was read as a word before it was pressed, and is over now."""
    notes = await posted(store, table)
    word = replace(table, kind=ShownKind.REMINDER, seat=1, message_id=MessageId(8))
    hand = replace(word, kind=ShownKind.HAND, version=3)
    await notes.stands(word)
    await read(store, notes, table.match_id)
    await notes.stands(hand)
    for _ in range(2):
        assert await written(store, table.match_id) == (hand, table)
        assert await read(store, notes, table.match_id) == (hand, table)
        assert await notes.gone(word) is None
        assert await notes.stands(word) is None
    await notes.stands(replace(word, message_id=MessageId(9)))
    assert notes.row(table.match_id, ShownKind.HAND, 1) == hand


async def test_a_word_to_somebody_else_that_was_pressed_as_it_was_deleted_is_a_hand_no_more(
    store: Store, table: ShownRow
) -> None:
    """The word is about seat 0; seat 1 has read it."""
    notes = await posted(store, table)
    word = replace(table, kind=ShownKind.GONE, seat=word_to(1, 0), message_id=MessageId(8))
    await notes.stands(word)
    old = await notes.gone(word)
    assert old is not None
    hand = replace(word, kind=ShownKind.HAND, seat=1)
    await notes.stands(hand)
    assert await notes.deleted(old) == hand
    assert await written(store, table.match_id) == (table,)
