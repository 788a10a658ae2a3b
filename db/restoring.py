"""What a backup is given before it takes the database's place, as people have seen its future.

What was played after the backup is gone from the database, but not from Discord: messages show it,
and controls ask for it. So no number and no version that a control may hold comes a second time,
everything that stands is to be shown anew, and what stands for nothing any more is noted, with the
channels to be told (:mod:`db.setback`). The schema stays that of the backup, which must be of
revision 0002 at least: it has facts.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from db.facts import GENERATION, HOUSE
from db.ids import ChannelId, MatchId, MessageId
from db.rows import ShownKind, ShownRow
from db.setback import PREFIX, SINCE, Chore, Task
from db.types import microseconds

MARGIN: Final = 10_000
"""So far numbers jump at least where nobody knows which were given since the backup."""
SHOWN_ANEW_FOR: Final = timedelta(days=1)
"""Matches that ended so long before the backup are shown anew too."""
LOOKED_FOR: Final = timedelta(days=7)
"""What ended so long before the database was replaced is looked for on Discord no more."""
_PATIENCE: Final = 10.0
_ALIVE: Final = "awake"
"""The fact that says when the bot was there last (`bot.play.heartbeat`)."""
_REGISTERED: Final = "commands:"
"""How the facts begin that say which commands were registered last."""
_PASSING: Final = tuple(
    kind.value for kind in ShownKind if kind not in (ShownKind.TABLE, ShownKind.HAND, ShownKind.OLD)
)
"""Calls, words and questions: who was called for another turn has to be called anew."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class _Message:
    """A message on Discord; ``kind`` None: that of a challenge."""

    subject: int
    kind: ShownKind | None
    seat: int
    channel: int
    message: int
    began: int = 0
    """When a challenge was made (microseconds): others have had its number."""

    @property
    def chore(self) -> Chore:
        """What becomes of it where its match or challenge is gone."""
        is_read = self.kind in (None, ShownKind.TABLE, ShownKind.HAND)
        task = Task.SAY_IT_IS_GONE if is_read else Task.DELETE
        return Chore(task, self.channel, self.message)


@dataclass(frozen=True, slots=True)
class Past:
    """What another database of this house has given out and put on Discord."""

    house: str | None
    generation: int
    numbers: dict[str, int]
    """By table: the largest number that a row of it ever had."""
    messages: tuple[_Message, ...] = ()
    chores: tuple[Chore, ...] = ()
    """What an earlier restore left to be done."""


def past_of(file: Path) -> Past | None:
    """Read what counts of a database that is, or was, replaced; None where that can't be read."""
    if not file.exists():
        return None
    try:
        with closing(
            sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=_PATIENCE)
        ) as opened:
            last = opened.execute("SELECT max(acted_at) FROM matches").fetchone()[0] or 0
            since = last - microseconds(_EPOCH + LOOKED_FOR)
            return Past(
                _fact(opened, HOUSE),
                _generation(opened),
                _numbers(opened),
                tuple(_messages(opened, since)),
                tuple(_chores(opened)),
            )
    except (sqlite3.Error, ValueError):
        return None


def mark(copy: Path, replaced: Past | None, earlier: Iterable[Past], now: datetime) -> None:
    """Make a copy of a backup ready to take the place of a database.

    ``replaced`` is what stood there, ``earlier`` what stood there before; ``now`` is aware. Raises
    `sqlite3.Error` where the copy can't be written.
    """
    with closing(sqlite3.connect(copy, timeout=_PATIENCE)) as opened, opened:
        pasts = [*earlier, *(() if replaced is None else (replaced,))]
        moment = _moment(opened, now)
        _begin_generation(opened, pasts, now)
        _jump(opened, replaced, pasts)
        opened.execute("DELETE FROM facts WHERE name LIKE ?", (_REGISTERED + "%",))
        chores = [*_to_be_told(opened, moment)]
        if replaced is not None:
            chores += _stray(opened, replaced, now)
        _show_anew(opened, moment, now)
        opened.execute("DELETE FROM facts WHERE name LIKE ?", (PREFIX + "%",))
        _put_fact(opened, SINCE, moment.isoformat())
        for chore in dict.fromkeys(chores):
            _put_fact(opened, chore.name, "")


# ----------------------------------------------------------------------------------- reading


def _fact(opened: sqlite3.Connection, name: str) -> str | None:
    found = opened.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
    return None if found is None else str(found[0])


def _put_fact(opened: sqlite3.Connection, name: str, value: str) -> None:
    opened.execute("INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)", (name, value))


def _generation(opened: sqlite3.Connection) -> int:
    return int(_fact(opened, GENERATION) or 0)


def _numbers(opened: sqlite3.Connection) -> dict[str, int]:
    """The last number of each table that gives out its own, never one a second time."""
    numbered = opened.execute(
        "SELECT m.name, s.seq FROM sqlite_master m LEFT JOIN sqlite_sequence s ON s.name = m.name "
        "WHERE m.type = 'table' AND m.sql LIKE '%AUTOINCREMENT%'"
    ).fetchall()
    return {
        str(table): max(int(last or 0), _largest(opened, str(table))) for table, last in numbered
    }


def _largest(opened: sqlite3.Connection, table: str) -> int:
    # The name of one of our own tables, from the schema.
    found = opened.execute(f'SELECT max(id) FROM "{table}"').fetchone()  # noqa: S608
    return int(found[0] or 0)


def _messages(opened: sqlite3.Connection, since: int) -> Iterable[_Message]:
    """What stands on Discord, but for what ended before ``since`` (microseconds)."""
    shown = opened.execute(
        "SELECT s.match_id, s.kind, s.seat, s.channel_id, s.message_id FROM shown s "
        "JOIN matches m ON m.id = s.match_id WHERE m.ended_at IS NULL OR m.ended_at >= ?",
        (since,),
    )
    for match, kind, seat, channel, message in shown:
        yield _Message(match, ShownKind(kind), seat, channel, message)
    challenges = opened.execute(
        "SELECT id, channel_id, message_id, created_at FROM challenges "
        "WHERE message_id IS NOT NULL "
        "AND (settled_at IS NULL OR settled_at >= ?)",
        (since,),
    )
    for challenge, channel, message, began in challenges:
        yield _Message(challenge, None, 0, channel, message, began)


def _chores(opened: sqlite3.Connection) -> Iterable[Chore]:
    names = opened.execute("SELECT name FROM facts WHERE name LIKE ?", (PREFIX + "%",)).fetchall()
    for (name,) in names:
        chore = Chore.of(str(name))
        if chore is not None:
            yield chore


def _moment(opened: sqlite3.Connection, now: datetime) -> datetime:
    """The time to which the house is set back: when the bot was there last, for the backup."""
    alive = _fact(opened, _ALIVE)
    said = datetime.fromisoformat(alive) if alive else None
    acted = opened.execute("SELECT max(acted_at) FROM matches").fetchone()[0]
    last = None if acted is None else _EPOCH + timedelta(microseconds=acted)
    return max((one for one in (said, last) if one is not None), default=now)


# ----------------------------------------------------------------- what never comes once more


def _begin_generation(opened: sqlite3.Connection, pasts: Sequence[Past], now: datetime) -> None:
    """Let the controls of this database differ from all that were ever shown.

    The time makes the generation, so that it differs also where nothing is left to compare with.
    """
    before = max([_generation(opened), *(past.generation for past in pasts)])
    _put_fact(opened, GENERATION, str(max(before + 1, int(now.timestamp()))))


def _jump(opened: sqlite3.Connection, replaced: Past | None, pasts: Sequence[Past]) -> None:
    """Let the next number of each kind be one that was never given out."""
    ours = _numbers(opened)
    is_known = replaced is not None and _goes_on(_fact(opened, HOUSE), ours, replaced)
    for table, number in ours.items():
        last = max([number, *(past.numbers.get(table, 0) for past in pasts)])
        if not is_known:
            last += max(MARGIN, last)
        opened.execute("DELETE FROM sqlite_sequence WHERE name = ?", (table,))
        opened.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, last))


def _goes_on(house: str | None, numbers: dict[str, int], replaced: Past) -> bool:
    """Whether the replaced database is what became of the backup, not one that was begun anew."""
    if house is not None and replaced.house != house:
        return False
    return all(replaced.numbers.get(table, 0) >= number for table, number in numbers.items())


# ------------------------------------------------------------------------ what is to be done


def _to_be_told(opened: sqlite3.Connection, moment: datetime) -> Iterable[Chore]:
    channels = opened.execute(
        "SELECT coalesce(thread_id, channel_id) FROM matches WHERE status = 'running' "
        "OR ended_at >= ? UNION SELECT channel_id FROM challenges WHERE status = 'open'",
        (microseconds(moment - SHOWN_ANEW_FOR),),
    ).fetchall()
    for (channel,) in channels:
        yield Chore(Task.TELL, channel)
    for (challenge,) in opened.execute("SELECT id FROM challenges WHERE status = 'open'"):
        yield Chore(Task.SHOW_CHALLENGE, challenge)


def _stray(opened: sqlite3.Connection, replaced: Past, now: datetime) -> Iterable[Chore]:
    """Have done what is to become of messages that the backup doesn't know."""
    known = {message for (message,) in opened.execute("SELECT message_id FROM shown")}
    known |= {message for (message,) in opened.execute("SELECT message_id FROM challenges")}
    matches = {match for (match,) in opened.execute("SELECT id FROM matches")}
    made = set(opened.execute("SELECT id, created_at FROM challenges"))
    for chore in replaced.chores:
        if chore.task is Task.TELL or (chore.message and chore.message not in known):
            yield chore
    for one in replaced.messages:
        if one.message in known:
            continue
        if one.kind is not None and one.subject in matches:
            _note_old(opened, one, now)
            continue
        if one.kind is None and (one.subject, one.began) in made:
            yield _of_challenge(opened, one)
            continue
        yield one.chore
        if one.kind in (None, ShownKind.TABLE):
            yield Chore(Task.TELL, one.channel)


def _of_challenge(opened: sqlite3.Connection, one: _Message) -> Chore:
    """Keep a message as that of its challenge if the backup knows none; else it is one too many."""
    kept = opened.execute(
        "UPDATE challenges SET message_id = ? "
        "WHERE id = ? AND channel_id = ? AND message_id IS NULL",
        (one.message, one.subject, one.channel),
    )
    if kept.rowcount:
        return Chore(Task.SHOW_CHALLENGE, one.subject)
    return Chore(Task.DELETE, one.channel, one.message)


def _note_old(opened: sqlite3.Connection, one: _Message, now: datetime) -> None:
    """Note a message of a match as one that has to go."""
    kind = one.kind or ShownKind.TABLE
    row = ShownRow(
        MatchId(one.subject),
        kind,
        one.seat,
        ChannelId(one.channel),
        MessageId(one.message),
        0,
        now,
    )
    old = row if kind is ShownKind.OLD else row.as_old(now)
    opened.execute(
        "INSERT OR REPLACE INTO shown "
        "(match_id, kind, seat, channel_id, message_id, version, posted_at) "
        "VALUES (?, ?, ?, ?, ?, 0, ?)",
        (old.match_id, old.kind.value, old.seat, old.channel_id, old.message_id, microseconds(now)),
    )


def _show_anew(opened: sqlite3.Connection, moment: datetime, now: datetime) -> None:
    """Let tables and hands count as stale; calls, words and questions go, and come again."""
    recent = "(SELECT id FROM matches WHERE status = 'running' OR ended_at >= ?)"
    since = microseconds(moment - SHOWN_ANEW_FOR)
    opened.execute(
        "UPDATE shown SET version = -1 WHERE kind IN ('table', 'hand') "  # noqa: S608
        f"AND match_id IN {recent}",
        (since,),
    )
    passing = opened.execute(
        "SELECT match_id, kind, seat, channel_id, message_id FROM shown "  # noqa: S608
        f"WHERE kind IN ({', '.join('?' * len(_PASSING))}) AND match_id IN {recent}",
        (*_PASSING, since),
    ).fetchall()
    for match, kind, seat, channel, message in passing:
        opened.execute(
            "DELETE FROM shown WHERE match_id = ? AND kind = ? AND seat = ?", (match, kind, seat)
        )
        _note_old(opened, _Message(match, ShownKind(kind), seat, channel, message), now)
        _say_again(opened, match, ShownKind(kind), seat)
    opened.execute(
        "DELETE FROM cancel_offers "
        "WHERE match_id IN (SELECT id FROM matches WHERE status = 'running')"
    )


def _say_again(opened: sqlite3.Connection, match: int, kind: ShownKind, seat: int) -> None:
    """Let a word that is said once be said once more, where it still holds."""
    if kind is ShownKind.IDLE:
        opened.execute("UPDATE matches SET asked_at = NULL WHERE id = ?", (match,))
    elif kind is ShownKind.NOTICE:
        opened.execute(
            "UPDATE lost_places SET told = told & ~(1 << ?) WHERE match_id = ?", (seat, match)
        )
