"""How large the database grows by a thousand finished matches, and what packing their logs saves.

The matches are played to their end by the scripted players of :mod:`bench.under_way`, with times
and interaction ids as Discord would give them, and come by a challenge, as all matches do.
"""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Final

from bench.under_way import RULES, by_whom, whole_match
from bot.care import audit
from bot.play.derived import results_of, status_of
from db.ids import ChannelId, InteractionId, MatchId, PersonId, ServerId
from db.rows import NewChallenge, NewMatch
from db.store import Store
from gin import Match, Play
from gin.notation import dump_event

MATCHES: Final = 100
BEGAN: Final = datetime(2026, 1, 1, tzinfo=UTC)
DISCORD: Final = datetime(2015, 1, 1, tzinfo=UTC)
"""From when Discord's ids count milliseconds."""
SNOWFLAKE: Final = 1_100_000_000_000_000_000
PEOPLE: Final = 50


Row = Mapping[str, object]
"""An entry of a log, by the columns of its table."""


class Chance:
    """Who plays, when, and by which interactions."""

    def __init__(self) -> None:
        self.random = Random(4)
        self.now = BEGAN

    def later(self) -> datetime:
        """Some seconds later, as people think."""
        self.now += timedelta(seconds=self.random.uniform(2, 40))
        return self.now

    def interaction(self) -> InteractionId:
        """An id of Discord's: milliseconds, then machine and counter."""
        milliseconds = (self.now - DISCORD) // timedelta(milliseconds=1)
        return InteractionId(milliseconds << 22 | self.random.randrange(1 << 22))


async def play(store: Store, chance: Chance) -> list[Row]:
    """Play a match into the database, all but its log, which is returned."""
    people = tuple(
        PersonId(SNOWFLAKE + person * 977) for person in chance.random.sample(range(PEOPLE), 2)
    )
    server, channel = ServerId(SNOWFLAKE + 1), ChannelId(SNOWFLAKE + 2)
    match = Match.start(RULES)
    log: list[Row] = []
    async with store.transaction() as tx:
        challenge = await tx.challenges.create(
            NewChallenge(
                server_id=server,
                channel_id=channel,
                challenger=people[0],
                opponents=people[1:],
                rules=RULES.dump(),
                created_at=chance.now,
                expires_at=chance.now + timedelta(hours=1),
            )
        )
        number = await tx.matches.create(
            NewMatch(server, channel, RULES.dump(), people, chance.later(), challenge)
        )
        for event in whole_match(chance.random, attentive=True):
            at, interaction = chance.now, None
            if isinstance(event, Play):
                at, interaction = chance.later(), chance.interaction()
            log.append(
                {
                    "match_id": number,
                    "seq": len(log) + 1,
                    "text": dump_event(event),
                    **dict(zip(("seat", "actor"), by_whom(event, people), strict=True)),
                    "interaction_id": interaction,
                    "at": int(at.timestamp() * 1_000_000),
                }
            )
            match = match.after(event)
        await tx.matches.finish(number, status_of(match), chance.now, results_of(people, match))
    return log


def write(file: Path, log: Sequence[Row]) -> None:
    """Write the logs, an entry a row, in one go: act by act would take minutes."""
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.executemany(
            "INSERT INTO entries (match_id, seq, text, seat, actor, interaction_id, at) "
            "VALUES (:match_id, :seq, :text, :seat, :actor, :interaction_id, :at)",
            log,
        )
        connection.execute(
            "UPDATE matches SET head = "
            "(SELECT count(*) FROM entries WHERE entries.match_id = matches.id)"
        )


def size(file: Path) -> int:
    """Bytes that the database needs, less what is free in it for what comes."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("VACUUM")
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        (bytes_each,) = connection.execute("PRAGMA page_size").fetchone()
    return int(pages) * int(bytes_each)


async def run(folder: Path) -> None:
    """Play, pack, and print the sizes a thousand matches."""
    file = folder / "growth.db"
    url = f"sqlite+aiosqlite:///{file}"
    await (await Store.open(url)).close()
    empty = size(file)
    store = await Store.open(url)
    chance = Chance()
    log = [row for _ in range(MATCHES) for row in await play(store, chance)]
    await store.close()
    write(file, log)
    loose = size(file) - empty

    store = await Store.open(url)
    took = 0.0
    for number in range(1, MATCHES + 1):
        start = perf_counter()
        async with store.transaction() as tx:
            assert await tx.packing.pack(MatchId(number))
        took += perf_counter() - start
    start = perf_counter()
    async with store.reading() as tx:
        for number in range(1, MATCHES + 1):
            assert await tx.matches.log(MatchId(number))
    read = perf_counter() - start
    is_well, report = await audit.check(store)
    assert is_well, report
    await store.close()
    small = size(file) - empty

    thousand = MATCHES / 1000
    print(f"{MATCHES} matches to 100 points, {len(log) / MATCHES:.0f} entries each")
    print(f"a thousand matches, an entry a row   {loose / thousand / 1e6:6.2f} MB")
    print(f"a thousand matches, packed           {small / thousand / 1e6:6.2f} MB")
    print(f"ratio                                {loose / small:6.1f}")
    print(f"to pack one, as a transaction        {took / MATCHES * 1000:6.2f} ms")
    print(f"to read a packed log                 {read / MATCHES * 1000:6.2f} ms")


def main() -> None:
    """Print sizes of one run."""
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(Path(folder)))


if __name__ == "__main__":
    main()
