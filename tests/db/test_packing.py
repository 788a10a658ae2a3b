"""Logs of matches that have ended, packed into one row each: read as before, and nothing lost."""

from __future__ import annotations

import sqlite3
import zlib
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from db import (
    AlreadyDone,
    DamagedLog,
    InteractionId,
    LogEntry,
    MatchEnded,
    MatchId,
    MatchStatus,
    NewEntry,
    PersonId,
    Store,
    migrate,
    sqlite,
)
from db.packed import PackedLog, pack, unpack
from db.store import PATIENCE
from tests.db.house import ANN, BOB, CAT, CLUB, MINUTE, NOW, a_move, lost, new_match, won

SNOWFLAKE = 1_400_000_000_000_000_000
_numbers = count(SNOWFLAKE)
LATER = NOW + timedelta(days=8)
PLAYED = (
    NewEntry("cut KD 7H"),
    NewEntry("deal 2S9H"),
    NewEntry("B pass", 1, BOB),
    NewEntry("A pass", 0, ANN),
    NewEntry("B draw stock", 1, None),
)
RESIGNED = a_move("A resign")


async def a_finished_match(store: Store, further: NewEntry = RESIGNED) -> MatchId:
    """A match of Ann and Bob with every kind of entry, ended ten minutes after it began."""
    match_id = await new_match(store, ANN, BOB)
    pressed = replace(PLAYED[2], interaction_id=InteractionId(next(_numbers)))
    async with store.transaction() as tx:
        await tx.matches.append(match_id, 0, [*PLAYED[:2], pressed, *PLAYED[3:]], NOW)
        await tx.matches.append(match_id, len(PLAYED), [further], NOW + 10 * MINUTE)
        results = [won(0, ANN, 200), lost(1, BOB, 10)]
        await tx.matches.finish(match_id, MatchStatus.FINISHED, NOW + 10 * MINUTE, results)
    return match_id


async def log_of(store: Store, match_id: MatchId, after: int = 0) -> tuple[LogEntry, ...]:
    async with store.reading() as tx:
        return await tx.matches.log(match_id, after)


async def packed(store: Store, match_id: MatchId) -> bool:
    async with store.transaction() as tx:
        return await tx.packing.pack(match_id)


def rows_in(file: Path, table: str) -> int:
    with closing(sqlite3.connect(file)) as connection:
        (rows,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()  # noqa: S608
    return int(rows)


async def test_a_packed_log_is_one_row_and_reads_as_before(store: Store, file: Path) -> None:
    match_id = await a_finished_match(store)
    before = await log_of(store, match_id)
    assert len(before) == 6
    assert await packed(store, match_id)
    assert (rows_in(file, "entries"), rows_in(file, "packed_logs")) == (0, 1)
    assert await log_of(store, match_id) == before
    assert await log_of(store, match_id, after=4) == before[4:]
    assert await log_of(store, match_id, after=6) == ()


async def test_a_running_match_is_never_packed(store: Store, file: Path) -> None:
    match_id = await new_match(store, ANN, BOB)
    async with store.transaction() as tx:
        await tx.matches.append(match_id, 0, PLAYED, NOW)
    assert not await packed(store, match_id)
    assert rows_in(file, "entries") == len(PLAYED)
    async with store.reading() as tx:
        assert await tx.packing.ripe(LATER, MatchId(0), 10) == ()


async def test_a_log_is_packed_once(store: Store, file: Path) -> None:
    match_id = await a_finished_match(store)
    assert await packed(store, match_id)
    assert not await packed(store, match_id)
    assert not await packed(store, MatchId(99))
    assert rows_in(file, "packed_logs") == 1


async def test_a_log_with_a_gap_is_left_for_the_check(store: Store, file: Path) -> None:
    match_id = await a_finished_match(store)
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("DELETE FROM entries WHERE seq = 2")
    assert not await packed(store, match_id)
    assert rows_in(file, "entries") == 5


async def test_matches_are_ripe_some_time_after_their_end_a_few_at_a_time(store: Store) -> None:
    ended: list[MatchId] = []
    running = await new_match(store, ANN, BOB)
    for number in range(4):
        match_id = await new_match(store, ANN, BOB)
        async with store.transaction() as tx:
            await tx.matches.append(match_id, 0, [a_move("cancel")], NOW)
            await tx.matches.finish(match_id, MatchStatus.CANCELLED, NOW + number * MINUTE)
        ended.append(match_id)
    async with store.transaction() as tx:
        await tx.matches.append(running, 0, [a_move("cut KD 7H")], NOW)
    async with store.reading() as tx:
        assert await tx.packing.ripe(NOW, MatchId(0), 10) == ()
        assert await tx.packing.ripe(NOW + 2 * MINUTE, MatchId(0), 10) == tuple(ended[:2])
        assert await tx.packing.ripe(LATER, MatchId(0), 3) == tuple(ended[:3])
        assert await tx.packing.ripe(LATER, ended[0], 2) == tuple(ended[1:3])
    assert await packed(store, ended[1])
    async with store.reading() as tx:
        assert await tx.packing.ripe(LATER, MatchId(0), 10) == (ended[0], ended[2], ended[3])


async def test_an_administrator_who_ended_a_match_is_kept_with_its_entry(store: Store) -> None:
    match_id = await a_finished_match(store, NewEntry("cancel", None, CAT))
    before = await log_of(store, match_id)
    assert await packed(store, match_id)
    assert await log_of(store, match_id) == before
    assert before[-1].actor == CAT


async def test_who_leaves_goes_out_of_packed_logs_too(store: Store) -> None:
    """Once as a player, once as the administrator who ended it."""
    match_id = await a_finished_match(store, NewEntry("cancel", None, CAT))
    assert await packed(store, match_id)
    async with store.transaction() as tx:
        await tx.privacy.forget(BOB, PersonId(-5), NOW)
        await tx.privacy.forget(CAT, PersonId(-6), NOW)
    actors = [entry.actor for entry in await log_of(store, match_id)]
    assert actors == [None, None, PersonId(-5), ANN, None, PersonId(-6)]


async def test_what_a_person_is_given_of_himself_is_the_same_packed_or_not(store: Store) -> None:
    first = await a_finished_match(store)
    second = await a_finished_match(store)
    await a_finished_match(store, NewEntry("cancel", None, CAT))

    async def acts(person: PersonId) -> list[dict[str, object]]:
        async with store.reading() as tx:
            return (await tx.privacy.everything_of(person))["acts"]

    before = await acts(ANN)
    assert [act["text"] for act in before] == ["A pass", "A resign"] * 2 + ["A pass"]
    for match_id in (second, first):
        assert await packed(store, match_id)
        assert await acts(ANN) == before
    assert await acts(CAT) == []


async def test_a_packed_match_can_be_voided(store: Store) -> None:
    match_id = await a_finished_match(store)
    assert await packed(store, match_id)
    async with store.transaction() as tx:
        assert await tx.matches.void(match_id)
    async with store.reading() as tx:
        assert (await tx.league.page(CLUB, 5)).lines == ()
        row = await tx.matches.get(match_id)
        assert row is not None
        assert row.status is MatchStatus.VOID
        assert len(await tx.matches.log(match_id)) == row.head == 6


async def test_nothing_is_added_to_a_packed_log(store: Store) -> None:
    match_id = await a_finished_match(store)
    assert await packed(store, match_id)
    with pytest.raises(MatchEnded):
        async with store.transaction() as tx:
            await tx.matches.append(match_id, 6, [a_move("A pass")], NOW)


async def test_of_a_running_match_every_interaction_counts_once_whatever_is_packed(
    store: Store,
) -> None:
    running = await new_match(store, ANN, BOB)
    ended = await a_finished_match(store)
    async with store.transaction() as tx:
        await tx.matches.append(running, 0, [a_move("A pass", SNOWFLAKE + 99)], NOW)
    assert await packed(store, ended)
    another = await new_match(store, ANN, BOB)
    for match_id, head in ((running, 1), (another, 0)):
        with pytest.raises(AlreadyDone):
            async with store.transaction() as tx:
                await tx.matches.append(match_id, head, [a_move("A pass", SNOWFLAKE + 99)], NOW)


async def test_going_back_a_version_puts_every_entry_back(store: Store, file: Path) -> None:
    await a_finished_match(store)
    await a_finished_match(store, NewEntry("cancel", None, CAT))

    def rows() -> list[tuple[object, ...]]:
        with closing(sqlite3.connect(file)) as connection:
            return connection.execute("SELECT * FROM entries ORDER BY match_id, seq").fetchall()

    before = rows()
    assert len(before) == 12
    assert await packed(store, MatchId(1))
    assert await packed(store, MatchId(2))
    assert rows() == []
    engine = sqlite.migrator(file, PATIENCE)
    async with engine.begin() as connection:
        await connection.run_sync(migrate.downgrade, file, "0005")
    await engine.dispose()
    assert rows() == before


@pytest.mark.parametrize("content", [b"", b"nonsense", zlib.compress(b"packed 1\nA pass")])
async def test_a_damaged_log_is_said_to_be_damaged_without_its_words(
    store: Store, file: Path, content: bytes
) -> None:
    match_id = await a_finished_match(store)
    assert await packed(store, match_id)
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE packed_logs SET content = ?", (content,))
    with pytest.raises(DamagedLog) as damaged:
        await log_of(store, match_id)
    assert "can't be read" in str(damaged.value)
    assert "pass" not in str(damaged.value)


def test_a_log_packed_in_a_later_way_is_not_guessed_at() -> None:
    content = zlib.compress(b"packed 2\nA pass\n0\n=\n\n5")
    with pytest.raises(DamagedLog, match="this version doesn't know"):
        unpack(PackedLog(content, {}), (ANN, BOB))


ENTRY = LogEntry(1, "A pass", 0, ANN, None, NOW)


@pytest.mark.parametrize(
    "entries",
    [
        (),
        (replace(ENTRY, seq=2),),
        (ENTRY, replace(ENTRY, seq=3)),
        (replace(ENTRY, text="A\tpass"),),
        (replace(ENTRY, text="A\npass"),),
    ],
)
def test_what_would_not_come_out_as_it_went_in_is_not_packed(entries: tuple[LogEntry, ...]) -> None:
    with pytest.raises(ValueError, match="would not come out"):
        pack(entries, (ANN, BOB))


@given(
    st.lists(
        st.tuples(
            st.text(st.characters(codec="utf-8", exclude_characters="\t\n"), max_size=20),
            st.sampled_from([None, 0, 1, 2]),
            st.sampled_from([None, ANN, BOB, CAT, PersonId(-3)]),
            st.none() | st.integers(1, 2**63 - 1),
            st.integers(-(10**15), 10**15),
        ),
        min_size=1,
        max_size=8,
    )
)
def test_whatever_a_log_holds_comes_out_as_it_went_in(
    rows: list[tuple[str, int | None, PersonId | None, int | None, int]],
) -> None:
    entries = tuple(
        LogEntry(
            seq,
            text,
            seat,
            actor,
            None if interaction is None else InteractionId(interaction),
            NOW + timedelta(microseconds=at),
        )
        for seq, (text, seat, actor, interaction, at) in enumerate(rows, 1)
    )
    people = (ANN, BOB, CAT)
    assert unpack(pack(entries, people), people) == entries
