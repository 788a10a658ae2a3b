"""Discord as the tests of showing play it: takes every request, unless told to fail or to wait.

Ada (seat A) and Ben (seat B) have cut KD and 7H: Ada deals, Ben is to act first.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import count

from discord.utils import time_snowflake

from bot.clock import Clock
from bot.mail.governor import Urgency
from bot.mail.people import People
from bot.mail.post import (
    NOBODY,
    Ping,
    Post,
    PrivatePlace,
    TryLater,
    Undelivered,
    controls_in,
)
from bot.now import utc_now
from bot.play import deadlines
from bot.play.presence import Presence
from bot.play.tables import Tables
from bot.shown.showing import Showing
from bot.ui.page import Page
from db.ids import ChannelId, MatchId, MessageId, PersonId, ServerId
from db.rows import TABLE_SEAT, NewEntry, NewMatch, ShownKind, ShownRow
from db.store import Store
from gin import DECK, Seat
from gin.rules import Rules

ADA, BEN = PersonId(1), PersonId(2)
A, B = Seat.A, Seat.B
CLUB = ServerId(5)
LOUNGE = ChannelId(100)
THREAD = ChannelId(101)
TO_ADA, TO_BEN = ChannelId(201), ChannelId(202)
PRIVATE = ChannelId(0)
"""Where private answers are noted; they stand in no channel of their own."""
FIRST_HAND = ("cut KD 7H", "deal " + "".join(map(str, DECK)))
LONG_AGO = timedelta(minutes=10)
PLAIN = Rules()


@dataclass(frozen=True, slots=True)
class Sent:
    """One request to Discord."""

    act: str
    channel: ChannelId
    message: MessageId
    urgency: Urgency | None = None
    ping: Ping = NOBODY
    silent: bool = False
    once: str | None = None
    said: str = ""


class Discord(Post):
    """Takes every request, unless a test has it fail or wait."""

    def __init__(self) -> None:
        self.sent: list[Sent] = []
        self.failing: defaultdict[tuple[str, ChannelId], list[Undelivered]] = defaultdict(list)
        self.held: dict[tuple[str, ChannelId], asyncio.Event] = {}
        self.missing: dict[ChannelId, tuple[str, ...]] = {}
        """What the bot knows to lack, by channel."""
        self.left: set[PersonId] = set()
        """Who isn't on the server any more."""
        self.looked_for: list[tuple[PersonId, Urgency]] = []
        self.begun: list[tuple[str, ChannelId]] = []
        self._ids = count(time_snowflake(datetime.now(UTC)))
        self._named: dict[str, MessageId] = {}
        self._controls: defaultdict[ChannelId, dict[MessageId, set[str]]] = defaultdict(dict)
        """By channel: the custom ids in each message as it was posted."""

    async def _asked(self, request: Sent) -> MessageId:
        self.begun.append((request.act, request.channel))
        held = self.held.get((request.act, request.channel))
        if held is not None:
            await held.wait()
        if self.failing[request.act, request.channel]:
            raise self.failing[request.act, request.channel].pop(0)
        self.sent.append(request)
        return request.message

    async def send(
        self,
        channel: ChannelId,
        page: Page,
        *,
        urgency: Urgency,
        ping: Ping = NOBODY,
        silent: bool = False,
        once: str | None = None,
    ) -> MessageId:
        message = MessageId(next(self._ids))
        if once is not None:  # as Discord does, also where its first answer was lost
            message = self._named.setdefault(once, message)
        components = page.layout.to_components()
        request = Sent("send", channel, message, urgency, ping, silent, once, str(components))
        try:
            await self._asked(request)
        except TryLater:
            if once is not None:  # its answer alone was lost
                self._controls[channel][message] = controls_in(components)
            raise
        self._controls[channel][message] = controls_in(components)
        return message

    async def edit(
        self,
        channel: ChannelId,
        message: MessageId,
        page: Page,
        *,
        urgency: Urgency,
    ) -> None:
        said = str(page.layout.to_components())
        await self._asked(Sent("edit", channel, message, urgency, said=said))

    async def delete(self, channel: ChannelId, message: MessageId) -> None:
        await self._asked(Sent("delete", channel, message))
        self._controls[channel].pop(message, None)

    async def newest(self, channel: ChannelId) -> dict[MessageId, set[str]]:
        await self._asked(Sent("look", channel, MessageId(0)))
        return dict(self._controls[channel])

    def live(self, channel: ChannelId) -> set[MessageId]:
        """What stands in a channel, whether its sender knows of it or not."""
        return set(self._controls[channel])

    async def edit_private(self, place: PrivatePlace, page: Page) -> None:  # noqa: ARG002
        await self._asked(Sent("edit", PRIVATE, place.message))

    async def delete_private(self, place: PrivatePlace) -> None:
        await self._asked(Sent("delete", PRIVATE, place.message))

    async def open_direct(self, person: PersonId) -> ChannelId:
        channel = ChannelId(200 + person)
        await self._asked(Sent("open", channel, MessageId(0)))
        return channel

    async def unarchive(self, thread: ChannelId) -> None:
        await self._asked(Sent("unarchive", thread, MessageId(0)))

    async def is_member(
        self,
        server: ServerId,  # noqa: ARG002
        person: PersonId,
        *,
        urgency: Urgency = Urgency.TURN,
    ) -> bool:
        self.looked_for.append((person, urgency))
        return person not in self.left

    def missing_rights(self, channel: ChannelId) -> tuple[str, ...] | None:
        return self.missing.get(channel)

    def done(self, channel: ChannelId) -> list[tuple[str, MessageId | None]]:
        """What was done in a channel and to which message, in order."""
        return [(one.act, one.message) for one in self.sent if one.channel == channel]

    def acts(self, channel: ChannelId) -> list[str]:
        """What was done in a channel, in order."""
        return [request.act for request in self.sent if request.channel == channel]


class House:
    """A database with matches, and the showing that is tested."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.discord = Discord()
        self.people = People(store, self.discord, utc_now)
        self.restart()

    def restart(self) -> None:
        self.tables = Tables(self.store, utc_now)
        self.presence = Presence(self.store, utc_now)
        self.showing = Showing(
            self.store, self.tables, self.discord, self.people, self.presence, utc_now
        )

    async def match(
        self,
        thread: ChannelId | None = None,
        rules: Rules = PLAIN,
        clock: Clock | None = None,
    ) -> MatchId:
        now = datetime.now(UTC)
        async with self.store.transaction() as tx:
            await tx.people.seen(ADA, "Ada", now)
            await tx.people.seen(BEN, "Ben", now)
            timed = None if clock is None else clock.dump()
            who = ADA, BEN
            new = NewMatch(CLUB, LOUNGE, rules.dump(), who, now, thread_id=thread, clock=timed)
            match = await tx.matches.create(new)
            await tx.matches.append(match, 0, [NewEntry(line) for line in FIRST_HAND], now)
            if clock is not None:
                table = await self.tables.load_in(tx, match)
                assert table is not None
                await deadlines.begin(tx, table, now)
        return match

    async def acted(self, match: MatchId, *lines: str, ago: timedelta = timedelta(0)) -> None:
        """Commit acts (`B pass`) that were made so long ago."""
        at = datetime.now(UTC) - ago
        entries = [
            NewEntry(line, seat=0 if line[0] == "A" else 1, actor=ADA if line[0] == "A" else BEN)
            for line in lines
        ]
        async with self.store.transaction() as tx:
            head = await tx.matches.head(match)
            assert head is not None
            await tx.matches.append(match, head, entries, at)
        self.tables.forget(match)

    async def shows(self, match: MatchId, *lines: str, ago: timedelta = timedelta(0)) -> None:
        """Let acts be committed, and everything be shown."""
        if lines:
            await self.acted(match, *lines, ago=ago)
        self.showing.changed(match)
        await self.showing.settle()

    async def rows(self, match: MatchId) -> dict[tuple[ShownKind, int], ShownRow]:
        async with self.store.reading() as tx:
            return {(row.kind, row.seat): row for row in await tx.shown.of_match(match)}

    async def hand(self, match: MatchId, seat: Seat) -> ShownRow:
        return (await self.rows(match))[ShownKind.HAND, seat]

    async def ages(self, row: ShownRow) -> None:
        """Let a message be 51 minutes old."""
        old = row.posted_at - timedelta(minutes=51)
        async with self.store.transaction() as tx:
            await tx.shown.put(replace(row, posted_at=old))
        self.showing._notes.forget(row.match_id)

    async def table(self, match: MatchId) -> ShownRow:
        return (await self.rows(match))[ShownKind.TABLE, TABLE_SEAT]


def turns() -> Iterator[tuple[str, str]]:
    """The acts of a hand after both refused the up-card, a turn at a time: Ben, Ada, Ben, …"""
    stock = iter(DECK[21:])
    while True:
        for seat in "BA":
            yield f"{seat} draw stock", f"{seat} discard {next(stock)}"


REFUSED = ("B pass", "A pass")
"""How most hands begin."""


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not true():  # noqa: ASYNC110 - what is waited for has no event of its own
            await asyncio.sleep(0.001)
