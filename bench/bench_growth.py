"""How large the database grows by a thousand finished matches, and what packing their logs saves.

The matches are played to their end by the scripted players of :mod:`bench.under_way`, with times
and interaction ids as Discord would give them, and come by a challenge, as all matches do.
"""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Final

from bench.under_way import RULES, by_whom, whole_match
from bot.care import audit, retention
from bot.play.derived import results_of, status_of
from db.ids import ChannelId, InteractionId, MatchId, PersonId, ServerId
from db.rows import NewChallenge, NewEntry, NewMatch
from db.store import Store
from gin import Match, Play
from gin.notation import dump_event

MATCHES: Final = 100
BEGAN: Final = datetime(2026, 1, 1, tzinfo=UTC)
DISCORD: Final = datetime(2015, 1, 1, tzinfo=UTC)
"""From when Discord's ids count milliseconds."""
SNOWFLAKE: Final = 1_100_000_000_000_000_000
PEOPLE: Final = 50


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


async def play(store: Store, chance: Chance) -> int:
    """Play a match into the database; return how many entries its log has."""
    people = tuple(
        PersonId(SNOWFLAKE + person * 977) for person in chance.random.sample(range(PEOPLE), 2)
    )
    server, channel = ServerId(SNOWFLAKE + 1), ChannelId(SNOWFLAKE + 2)
    match, head = Match.start(RULES), 0
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
            entry = NewEntry(dump_event(event), *by_whom(event, people))
            at = chance.now
            if isinstance(event, Play):
                at = chance.later()
                entry = replace(entry, interaction_id=chance.interaction())
            head = await tx.matches.append(number, head, [entry], at)
            match = match.after(event)
        await tx.matches.finish(number, status_of(match), chance.now, results_of(people, match))
    return head


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
    entries = sum([await play(store, chance) for _ in range(MATCHES)])
    await store.close()
    loose = size(file) - empty

    store = await Store.open(url)
    start = perf_counter()
    packed = await retention.pack(store, chance.now + timedelta(seconds=1))
    took = perf_counter() - start
    assert packed == MATCHES
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
    print(f"{MATCHES} matches to 100 points, {entries / MATCHES:.0f} entries each")
    print(f"a thousand matches, an entry a row   {loose / thousand / 1e6:6.2f} MB")
    print(f"a thousand matches, packed           {small / thousand / 1e6:6.2f} MB")
    print(f"ratio                                {loose / small:6.1f}")
    print(f"to pack one                          {took / MATCHES * 1000:6.2f} ms")
    print(f"to read a packed log                 {read / MATCHES * 1000:6.2f} ms")


def main() -> None:
    """Print sizes of one run."""
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(Path(folder)))


if __name__ == "__main__":
    main()
