"""A whole log in one compressed value: how the logs of matches that ended long ago are kept.

Decompressed (zlib) it is text of six lines, each but the first with one field an entry, set apart
by tabs::

    packed 1
    the entries' texts
    seats, empty where nobody acted
    actors: empty for nobody, = for the person in that seat, + for somebody who is kept beside
    ids of interactions, each as its difference from the one before; empty for none
    times in microseconds since 1970 UTC, each as its difference from the one before

Who sat where isn't in it: a person who leaves goes out of a packed log as out of any other.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from db.errors import DamagedLog
from db.ids import InteractionId, PersonId
from db.rows import LogEntry

_FIRST_LINE: Final = "packed 1"
_OF_ITS_SEAT: Final = "="
_BESIDE: Final = "+"
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class PackedLog:
    """A log in one value, and by entry the actors who weren't in the seat that they acted for."""

    content: bytes
    beside: Mapping[int, PersonId]


def pack(entries: Sequence[LogEntry], people: Sequence[PersonId]) -> PackedLog:
    """Pack a log, from its first entry on; ``people`` by seat.

    Raises `ValueError` for what couldn't be unpacked as it was: entries that aren't numbered
    1, 2, 3 …, or a text with a tab or a line break in it.
    """
    beside = {
        entry.seq: entry.actor
        for entry in entries
        if entry.actor is not None and entry.actor != _of_seat(entry.seat, people)
    }
    columns = (
        (entry.text for entry in entries),
        ("" if entry.seat is None else str(entry.seat) for entry in entries),
        (_by_whom(entry, beside) for entry in entries),
        _differences([entry.interaction_id for entry in entries]),
        _differences([(entry.at - _EPOCH) // _MICROSECOND for entry in entries]),
    )
    text = "\n".join((_FIRST_LINE, *("\t".join(column) for column in columns)))
    packed = PackedLog(zlib.compress(text.encode(), 9), beside)
    try:
        is_the_same = unpack(packed, people) == tuple(entries)
    except DamagedLog:
        is_the_same = False
    if not is_the_same:
        raise ValueError("this log would not come out as it went in")
    return packed


def unpack(packed: PackedLog, people: Sequence[PersonId]) -> tuple[LogEntry, ...]:
    """Return the log that was packed; raises `DamagedLog` if it can't be read."""
    try:
        first, *lines = zlib.decompress(packed.content).decode().split("\n")
        if first != _FIRST_LINE:
            raise DamagedLog("it is packed in a way that this version doesn't know")
        texts, seats, actors, interactions, times = (line.split("\t") for line in lines)
        entries: list[LogEntry] = []
        interaction = at = 0
        for seq, (text, seat, actor, further, later) in enumerate(
            zip(texts, seats, actors, interactions, times, strict=True), 1
        ):
            interaction += int(further or 0)
            at += int(later)
            place = int(seat) if seat else None
            entries.append(
                LogEntry(
                    seq,
                    text,
                    place,
                    packed.beside[seq] if actor == _BESIDE else _actor(actor, place, people),
                    InteractionId(interaction) if further else None,
                    _EPOCH + at * _MICROSECOND,
                )
            )
    except (zlib.error, ValueError, LookupError, OverflowError) as error:
        # Without the error's words: they may quote the log.
        raise DamagedLog(f"its packed log can't be read ({type(error).__name__})") from None
    return tuple(entries)


def _by_whom(entry: LogEntry, beside: Mapping[int, PersonId]) -> str:
    if entry.actor is None:
        return ""
    return _BESIDE if entry.seq in beside else _OF_ITS_SEAT


def _actor(mark: str, seat: int | None, people: Sequence[PersonId]) -> PersonId | None:
    return _of_seat(seat, people) if mark == _OF_ITS_SEAT else None


def _of_seat(seat: int | None, people: Sequence[PersonId]) -> PersonId | None:
    return None if seat is None else people[seat]


def _differences(numbers: Sequence[int | None]) -> Iterator[str]:
    """Each number's difference from the one before, the first one's from 0; empty for None."""
    before = 0
    for number in numbers:
        if number is None:
            yield ""
        else:
            yield str(number - before)
            before = number
