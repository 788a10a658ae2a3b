"""Shared by the tests of faults: a deal, what stands where, and what the log said meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest
from structlog.testing import capture_logs

from db.ids import MatchId
from db.rows import ShownRow
from playground.acting.people import text_of
from playground.state.model import Message
from tests.e2e.room import Room


def lay_a_deal(room: Room) -> None:
    """Ada cuts higher and deals; Ben is to act first, on the 5♣.

    Ben (non-dealer) 2♠ 3♠ 4♠ · 9♥ 9♦ 9♣ · J♣ Q♣ K♣ · loose 5♦: he can knock with 5.
    """
    room.decks.cut("KD", "7H")
    room.decks.deal(
        non_dealer="2S 3S 4S 9H 9D 9C JC QC KC 5D",
        dealer="AS AH AD 6C 7C 8C TD JD QD KH",
        starter="5C",
        stock="8H 8D KS QS TC TH JH QH",
    )


async def sit_down(room: Room) -> None:
    """Begin a match with that deal."""
    lay_a_deal(room)
    await room.begin()


async def row_of(room: Room, seat: int | None = None, number: int = 1) -> ShownRow:
    """Where the table stands (or the hand of a seat), as the house remembers it."""
    assert room.store is not None
    async with room.store.reading() as tx:
        row = await tx.shown.get(MatchId(number), seat)
    assert row is not None
    return row


async def table_of(room: Room, number: int = 1) -> Message:
    """The table message."""
    row = await row_of(room, number=number)
    message = room.world.find_message(row.message_id)
    assert message is not None
    return message


async def hand_of(room: Room, seat: int, number: int = 1) -> Message:
    """The message with the hand of a seat."""
    message = room.world.find_message((await row_of(room, seat, number)).message_id)
    assert message is not None
    return message


async def all_is_shown(room: Room, number: int = 1) -> str:
    """See that the table is at the log's head once all is quiet; return what it says."""
    await room.settled()
    row = await row_of(room, number=number)
    assert row.version == len(await room.log(number))
    return text_of(await table_of(room, number))


@dataclass
class Said:
    """What the log said: warnings with their codes, and tracebacks."""

    caplog: pytest.LogCaptureFixture
    lines: list[dict[str, object]] = field(default_factory=list)

    @property
    def codes(self) -> list[object]:
        """Discord's codes in the warnings and errors."""
        serious = [line for line in self.lines if line["log_level"] in ("warning", "error")]
        return [line.get("code") for line in serious]

    @property
    def tracebacks(self) -> list[object]:
        """Every line with a traceback, of ours or of a library."""
        ours = [line for line in self.lines if line.get("exc_info")]
        return [*ours, *(record for record in self.caplog.records if record.exc_info)]


@contextmanager
def listening(caplog: pytest.LogCaptureFixture) -> Iterator[Said]:
    """Hear what is logged in the block."""
    caplog.clear()
    with capture_logs() as lines:
        said = Said(caplog)
        said.lines = lines  # type: ignore[assignment]  # structlog's own dictionaries
        yield said
