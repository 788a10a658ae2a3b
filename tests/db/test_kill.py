"""What was acknowledged is there after a kill, once, and nothing is half there."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from db import MatchId, PersonId, Store
from tests.db.house import ANN, BOB, new_match

# Plays on in every running match at once; says what it has committed, and only that.
PLAY = """
import asyncio, sys
from datetime import UTC, datetime
from db import MatchId, NewEntry, PersonId, Store

async def play(store: Store, match_id: MatchId) -> None:
    while True:
        async with store.transaction() as tx:
            head = await tx.matches.head(match_id)
            move = [NewEntry(f"{match_id}/{head + 1}"), NewEntry(f"{match_id}/{head + 2}")]
            head = await tx.matches.append(match_id, head, move, datetime.now(UTC))
            await tx.people.seen(PersonId(match_id), str(head), datetime.now(UTC))
        print(match_id, head, flush=True)

async def main() -> None:
    store = await Store.open(sys.argv[1])
    async with store.reading() as tx:
        running = await tx.matches.running_ids()
    await asyncio.gather(*(play(store, match_id) for match_id in running))

asyncio.run(main())
"""


def play_and_kill(url: str, lines: int) -> dict[MatchId, int]:
    """Kill the program after it has said ``lines`` lines; return the last heads that it said."""
    with subprocess.Popen(
        [sys.executable, "-c", PLAY, url], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(lines)]
        process.send_signal(signal.SIGKILL)
        # What it still had said before the kill counts as well; the last line may be cut off.
        rest = process.stdout.read().splitlines(keepends=True)
    heads: dict[MatchId, int] = {}
    for line in said + [line for line in rest if line.endswith("\n")]:
        match_id, head = line.split()
        heads[MatchId(int(match_id))] = int(head)
    return heads


async def kill_again_and_again(store: Store, url: str, file: Path, kills: int) -> None:
    for _ in range(3):
        await new_match(store, ANN, BOB)
    await store.close()
    source = random.Random(8)
    acknowledged: dict[MatchId, int] = {}
    for _ in range(kills):
        acknowledged |= play_and_kill(url, source.randrange(3, 80))
        with closing(sqlite3.connect(file)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        again = await Store.open(url)
        async with again.reading() as tx:
            for match_id, said in acknowledged.items():
                head = await tx.matches.head(match_id)
                log = await tx.matches.log(match_id)
                assert head is not None
                assert head >= said
                # A whole number of transactions, each of its entries once and in order.
                assert head % 2 == 0
                assert [entry.text for entry in log] == [
                    f"{match_id}/{seq}" for seq in range(1, head + 1)
                ]
                people = await tx.people.get_many([PersonId(match_id)])
                assert [person.name for person in people.values()] == [str(head)]
        await again.close()


@pytest.mark.skipif(sys.platform == "win32", reason="no kill like that here")
async def test_after_a_kill_every_acknowledged_row_is_there_once(
    store: Store, url: str, file: Path
) -> None:
    await kill_again_and_again(store, url, file, kills=3)


@pytest.mark.long
@pytest.mark.timeout(1200)
@pytest.mark.skipif(sys.platform == "win32", reason="no kill like that here")
async def test_after_each_of_fifty_kills_every_acknowledged_row_is_there_once(
    store: Store, url: str, file: Path
) -> None:
    await kill_again_and_again(store, url, file, kills=50)
