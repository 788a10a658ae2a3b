"""A database of a house with a long past: many matches under way, and a million hands played.

A few hundred matches are really played; they are repeated with other people. Logs of the past are
packed, as the bot does it a week after a match's end; what is under way stands on Discord already,
as after a restart.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random
from typing import Final

from bench.under_way import RULES, by_whom, whole_match
from bot.play.derived import results_of
from db.ids import PersonId
from db.packed import pack
from db.rows import LogEntry
from gin import Draw, Match, Play
from gin.events import Event
from gin.notation import dump_event

PEOPLE: Final = 2_000
FIRST_PERSON: Final = 1_100_000_000_000_000_000
FIRST_CHANNEL: Final = 1_300_000_000_000_000_000
BEGAN: Final = datetime(2026, 1, 1, tzinfo=UTC)
IN_ONE_GO: Final = 5_000
"""Matches a transaction."""


@dataclass(frozen=True, slots=True)
class Played:
    """A whole match: its events, and how it ended."""

    events: tuple[Event, ...]
    match: Match

    @property
    def hands(self) -> int:
        """How many hands it took."""
        return len(self.match.results)


def played(number: int) -> list[Played]:
    """So many matches, really played by the scripted players."""
    found = []
    for seed in range(number):
        match = Match.start(RULES)
        events = tuple(whole_match(Random(seed), attentive=True))
        for event in events:
            match = match.after(event)
        found.append(Played(events, match))
    return found


def moment(at: datetime) -> int:
    """A time as the database keeps it."""
    return (at - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


class House:
    """Fills the database of a server."""

    def __init__(self, file: Path, server: int, matches: list[Played]) -> None:
        self._file = file
        self._server = server
        self._played = matches
        self._random = Random(7)

    def fill(self, *, running: int, hands: int) -> int:
        """Write matches under way and so many past hands; how many past matches these are."""
        with closing(sqlite3.connect(self._file)) as database:
            database.execute("PRAGMA synchronous = OFF")
            (first,) = database.execute("SELECT coalesce(max(id), 0) + 1 FROM matches").fetchone()
            numbers = count(first)
            self._people(database)
            for _ in range(running):
                self._under_way(database, next(numbers))
            database.commit()
            past = 0
            while hands > 0:
                hands -= self._past(database, next(numbers), self._played[past % len(self._played)])
                past += 1
                if past % IN_ONE_GO == 0:
                    database.commit()
            database.execute(
                "INSERT INTO standings (person_id, server_id, played, won, points) "
                "SELECT person_id, server_id, count(*), sum(won), sum(total) FROM results "
                "GROUP BY person_id, server_id"
            )
            database.commit()
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return past

    def _people(self, database: sqlite3.Connection) -> None:
        database.executemany(
            "INSERT OR IGNORE INTO people (id, name, seen_at, dm_channel_id, dm_closed) "
            "VALUES (?, ?, ?, ?, 0)",
            [
                (FIRST_PERSON + n, f"Person {n}", moment(BEGAN), FIRST_CHANNEL + n)
                for n in range(PEOPLE)
            ],
        )

    def _two(self) -> tuple[PersonId, PersonId]:
        one, two = self._random.sample(range(PEOPLE), 2)
        return PersonId(FIRST_PERSON + one), PersonId(FIRST_PERSON + two)

    def _match(
        self, database: sqlite3.Connection, number: int, status: str, head: int
    ) -> tuple[PersonId, PersonId]:
        people = self._two()
        ended = None if status == "running" else moment(BEGAN)
        database.execute(
            "INSERT INTO matches (id, server_id, channel_id, rules, status, head, created_at, "
            "acted_at, ended_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(number, self._server, FIRST_CHANNEL + PEOPLE + number % 100, RULES.dump()),
                *(status, head, moment(BEGAN), moment(datetime.now(UTC)), ended),
            ),
        )
        database.executemany(
            "INSERT INTO seats (match_id, seat, person_id) VALUES (?, ?, ?)",
            [(number, seat, person) for seat, person in enumerate(people)],
        )
        return people

    def _under_way(self, database: sqlite3.Connection, number: int) -> None:
        events = self._random.choice(self._played).events
        events = events[: self._random.randrange(3, min(60, len(events) - 1))]
        people = self._match(database, number, "running", len(events))
        database.executemany(
            "INSERT INTO entries (match_id, seq, text, seat, actor, interaction_id, at) "
            "VALUES (?, ?, ?, ?, ?, NULL, ?)",
            [
                (number, seq, dump_event(event), *_by_whom(event, people), moment(BEGAN))
                for seq, event in enumerate(events, 1)
            ],
        )
        posted = moment(datetime.now(UTC))

        def version(kind: str, seat: int) -> int:
            """All that has happened; but that the other has drawn stands on the table only."""
            behind = kind == "hand" and drawn is not None and seat != drawn
            return len(events) - behind

        drawn = next(
            (
                event.seat
                for event in events[-1:]
                if isinstance(event, Play) and isinstance(event.action, Draw)
            ),
            None,
        )
        database.executemany(
            "INSERT INTO shown (match_id, kind, seat, channel_id, message_id, version, posted_at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                (number, kind, seat, channel, number * 4 + seat + 1, version(kind, seat), posted)
                for kind, seat, channel in (
                    ("table", -1, FIRST_CHANNEL + PEOPLE + number % 100),
                    ("hand", 0, people[0] - FIRST_PERSON + FIRST_CHANNEL),
                    ("hand", 1, people[1] - FIRST_PERSON + FIRST_CHANNEL),
                )
            ],
        )

    def _past(self, database: sqlite3.Connection, number: int, one: Played) -> int:
        """Write a match of the past; how many hands it had."""
        people = self._match(database, number, "finished", len(one.events))
        database.execute(
            "INSERT INTO packed_logs (match_id, content) VALUES (?, ?)",
            (number, self._packed(one, people)),
        )
        database.executemany(
            "INSERT INTO results (match_id, seat, server_id, person_id, place, points, total, "
            "hands_won, hands_played, won) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    *(number, line.seat, self._server, line.person_id, line.place, line.points),
                    *(line.total, line.hands_won, line.hands_played, line.won),
                )
                for line in results_of(people, one.match)
            ],
        )
        return one.hands

    _packs: dict[int, bytes] = {}  # noqa: RUF012 - one for each match that was really played

    def _packed(self, one: Played, people: tuple[PersonId, PersonId]) -> bytes:
        """The packed log: the same for everybody, since who sat where isn't in it."""
        known = self._packs.get(id(one))
        if known is None:
            entries = [
                LogEntry(seq, dump_event(event), *_by_whom(event, people), None, at)
                for seq, (event, at) in enumerate(_timed(one.events), 1)
            ]
            known = self._packs[id(one)] = pack(entries, people).content
        return known


def _by_whom(event: Event, people: tuple[PersonId, PersonId]) -> tuple[int | None, PersonId | None]:
    seat, person = by_whom(event, people)
    return None if seat is None else int(seat), person


def _timed(events: tuple[Event, ...]) -> Iterator[tuple[Event, datetime]]:
    at = BEGAN
    for event in events:
        at += timedelta(seconds=9 if isinstance(event, Play) else 0)
        yield event, at
