"""What stands on Discord follows the log (faults.md, rows 1, 4, 11 and 12); Discord is played here.

Ada (seat A) and Ben (seat B) have cut KD and 7H: Ada deals, Ben is to act first. Everybody draws
from the stock and discards what was drawn, after both have refused the up-card.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest
from discord.utils import time_snowflake
from structlog.testing import capture_logs

import bot.showing
from bot import upkeep
from bot.governor import Urgency
from bot.people import People
from bot.post import (
    NOBODY,
    DirectMessagesClosed,
    MessageGone,
    NotAllowed,
    Ping,
    Post,
    TryLater,
    Undelivered,
)
from bot.showing import Showing
from bot.standing import Standing
from bot.tables import Tables
from bot.ui import language
from bot.ui.language import speaking
from bot.ui.page import MatchShown, Page
from bot.ui.pages import table_page
from db.ids import ChannelId, MatchId, MessageId, PersonId, ServerId
from db.rows import TABLE_SEAT, MatchStatus, NewEntry, NewMatch, ShownKind, ShownRow
from db.store import Store
from gin import DECK, Seat
from gin.rules import Rules

ADA, BEN = PersonId(1), PersonId(2)
A, B = Seat.A, Seat.B
LOUNGE = ChannelId(100)
TO_ADA, TO_BEN = ChannelId(201), ChannelId(202)
FIRST_HAND = ("cut KD 7H", "deal " + "".join(map(str, DECK)))
LONG_AGO = timedelta(minutes=10)


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


class Discord(Post):
    """Takes every request, unless a test has it fail or wait."""

    def __init__(self) -> None:
        self.sent: list[Sent] = []
        self.failing: defaultdict[tuple[str, ChannelId], list[Undelivered]] = defaultdict(list)
        self.held: dict[tuple[str, ChannelId], asyncio.Event] = {}
        self.begun: list[tuple[str, ChannelId]] = []
        self._ids = count(time_snowflake(datetime.now(UTC)))

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
        page: Page,  # noqa: ARG002
        *,
        urgency: Urgency,
        ping: Ping = NOBODY,
        silent: bool = False,
        once: str | None = None,
    ) -> MessageId:
        message = MessageId(next(self._ids))
        return await self._asked(Sent("send", channel, message, urgency, ping, silent, once))

    async def edit(
        self,
        channel: ChannelId,
        message: MessageId,
        page: Page,  # noqa: ARG002
        *,
        urgency: Urgency,
    ) -> None:
        await self._asked(Sent("edit", channel, message, urgency))

    async def delete(self, channel: ChannelId, message: MessageId) -> None:
        await self._asked(Sent("delete", channel, message))

    async def open_direct(self, person: PersonId) -> ChannelId:
        channel = ChannelId(200 + person)
        await self._asked(Sent("open", channel, MessageId(0)))
        return channel

    def acts(self, channel: ChannelId) -> list[str]:
        """What was done in a channel, in order."""
        return [request.act for request in self.sent if request.channel == channel]


class House:
    """A database with matches, and the showing that is tested."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.discord = Discord()
        self.people = People(store, self.discord)
        self.restart()

    def restart(self) -> None:
        self.tables = Tables(self.store)
        self.showing = Showing(self.store, self.tables, self.discord, self.people)

    async def match(self) -> MatchId:
        now = datetime.now(UTC)
        async with self.store.transaction() as tx:
            await tx.people.seen(ADA, "Ada", now)
            await tx.people.seen(BEN, "Ben", now)
            new = NewMatch(ServerId(5), LOUNGE, Rules().dump(), (ADA, BEN), now)
            match = await tx.matches.create(new)
            await tx.matches.append(match, 0, [NewEntry(line) for line in FIRST_HAND], now)
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

    async def table(self, match: MatchId) -> ShownRow:
        return (await self.rows(match))[ShownKind.TABLE, TABLE_SEAT]


def turns() -> Iterator[tuple[str, str]]:
    """The acts of a hand after both refused the up-card, a turn at a time: Ben, Ada, Ben, …"""
    stock = iter(DECK[21:])
    while True:
        for seat in "BA":
            yield f"{seat} draw stock", f"{seat} discard {next(stock)}"


REFUSED = ("B pass", "A pass")


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'house.db'}")
    made = House(store)
    yield made
    await made.showing.close(timedelta(seconds=5))
    await store.close()


@pytest.fixture
async def match(house: House) -> MatchId:
    """A match whose table and hands are shown."""
    number = await house.match()
    await house.shows(number)
    return number


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not true():  # noqa: ASYNC110 - what is waited for has no event of its own
            await asyncio.sleep(0.001)


# ------------------------------------------------------------------------- a match as it goes on


async def test_a_new_match_shows_its_table_and_both_hands(house: House, match: MatchId) -> None:
    assert {request.channel: request.act for request in house.discord.sent if request.message} == {
        LOUNGE: "send",
        TO_ADA: "send",
        TO_BEN: "send",
    }
    assert {row.version for row in (await house.rows(match)).values()} == {2}


async def test_a_turn_comes_by_a_new_message_and_the_old_one_goes(
    house: House, match: MatchId
) -> None:
    """Row 27: an edit wouldn't notify."""
    before = await house.hand(match, A)
    house.discord.sent.clear()
    await house.shows(match, "B pass")
    assert house.discord.acts(TO_ADA) == ["send", "delete"]
    assert before.message_id in {r.message for r in house.discord.sent if r.act == "delete"}
    assert (await house.hand(match, A)).version == 3


async def test_a_turn_of_one_who_is_still_there_changes_his_message(
    house: House, match: MatchId
) -> None:
    await house.shows(match, *REFUSED)
    house.discord.sent.clear()
    await house.shows(match, *next(turns()))
    assert house.discord.acts(TO_ADA) == ["edit"]


async def test_a_hand_older_than_fifty_minutes_is_sent_anew_even_to_one_who_is_there(
    house: House, match: MatchId
) -> None:
    """Row 11: the playing that goes on for an hour in one message."""
    await house.shows(match, *REFUSED)
    await house.ages(await house.hand(match, A))
    house.discord.sent.clear()
    await house.shows(match, *next(turns()))
    assert house.discord.acts(TO_ADA) == ["send", "delete"]


async def test_what_others_do_in_between_changes_the_table_alone(
    house: House, match: MatchId
) -> None:
    await house.shows(match, *REFUSED)
    house.discord.sent.clear()
    await house.shows(match, next(turns())[0])
    assert house.discord.acts(TO_ADA) == []
    assert house.discord.acts(LOUNGE) == ["edit"]


async def test_whoever_is_to_act_goes_first(house: House, match: MatchId) -> None:
    house.discord.sent.clear()
    await house.acted(match, "B pass")
    table = await house.tables.load(match)
    assert table is not None
    async with house.store.reading() as tx:
        standing = Standing.of(table, await tx.shown.of_match(match))
    assert standing.parts_behind() == [A, B, TABLE_SEAT]
    await house.shows(match)
    assert {r.channel: r.urgency for r in house.discord.sent if r.act != "delete"} == {
        TO_ADA: Urgency.TURN,
        TO_BEN: Urgency.TIDY,
        LOUNGE: Urgency.TABLE,
    }


async def test_edits_are_coalesced_and_the_latest_wins(house: House, match: MatchId) -> None:
    """Row 11: five acts while an edit is on its way make one further edit."""
    await house.shows(match, *REFUSED)
    house.discord.sent.clear()
    arrived = house.discord.held["edit", LOUNGE] = asyncio.Event()
    acts = turns()
    await house.acted(match, next(acts)[0])
    house.showing.changed(match)
    await until(lambda: ("edit", LOUNGE) in house.discord.begun)
    acts = turns()
    ben, ada, again = next(acts), next(acts), next(acts)
    for line in (ben[1], *ada, *again):
        await house.acted(match, line)
        house.showing.changed(match)
        await asyncio.sleep(0)
    arrived.set()
    await house.showing.settle()
    assert house.discord.acts(LOUNGE) == ["edit", "edit"]
    assert (await house.table(match)).version == 10


# ------------------------------------------------------------------------------- failures


@pytest.fixture
def brisk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try again almost at once."""
    monkeypatch.setattr(upkeep, "FIRST_RETRY", timedelta(milliseconds=2))


@pytest.mark.usefixtures("brisk")
async def test_what_failed_is_tried_again_until_it_is_shown(house: House, match: MatchId) -> None:
    house.discord.sent.clear()
    house.discord.failing["send", TO_ADA] = [TryLater("503"), TryLater("503")]
    await house.shows(match, "B pass")
    await until(lambda: "send" in house.discord.acts(TO_ADA))
    await house.showing.settle()
    assert (await house.hand(match, A)).version == 3


async def test_pauses_between_attempts_grow_up_to_five_minutes(house: House) -> None:
    waits: list[float] = []
    loop = asyncio.get_running_loop()
    keep = upkeep.Upkeep(lambda _: asyncio.sleep(0, None), lambda *_: asyncio.sleep(0))
    for _ in range(12):
        keep._retry((MatchId(1), 0))
        waits.append(round(keep._retries[MatchId(1), 0].when() - loop.time()))
    assert waits == [3, 6, 12, 24, 48, 96, 192, 300, 300, 300, 300, 300]
    keep._retry((MatchId(1), 0), timedelta(minutes=20))
    assert round(keep._retries[MatchId(1), 0].when() - loop.time()) == 1200
    keep._succeeded((MatchId(1), 0))
    assert not keep._retries
    assert not keep._failures


async def test_one_seat_that_fails_holds_up_neither_the_table_nor_the_other(
    house: House, match: MatchId
) -> None:
    await house.shows(match, *REFUSED)
    house.discord.sent.clear()
    house.discord.held["edit", TO_ADA] = asyncio.Event()  # it hangs
    acts = turns()
    await house.acted(match, *next(acts))
    house.showing.changed(match)
    await until(lambda: house.discord.acts(LOUNGE) == ["edit"])
    await house.acted(match, *next(acts))
    house.showing.changed(match)
    await until(lambda: house.discord.acts(LOUNGE) == ["edit"] * 2)
    await until(lambda: "edit" in house.discord.acts(TO_BEN))
    house.discord.held["edit", TO_ADA].set()
    await house.showing.settle()


async def test_a_repair_that_succeeded_leaves_no_timer_behind(house: House, match: MatchId) -> None:
    house.discord.failing["send", TO_ADA] = [TryLater("503")]
    await house.shows(match, "B pass")
    assert list(house.showing._upkeep._retries) == [(match, A)]
    house.showing.changed(match)
    await house.showing.settle()
    assert not house.showing._upkeep._retries
    assert not house.showing._upkeep._workers


async def test_a_page_that_cannot_be_built_stops_no_other(
    house: House, match: MatchId, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(*_: object) -> Page:
        raise ZeroDivisionError

    monkeypatch.setattr(bot.showing, "table_page", stumble)
    house.discord.sent.clear()
    with capture_logs() as logs:
        await house.shows(match, "B pass")
    assert house.discord.acts(TO_ADA) == ["send", "delete"]
    assert [line["match"] for line in logs if line["event"] == "not shown"] == [match]


async def test_a_table_that_may_not_be_shown_is_not_hammered(house: House, match: MatchId) -> None:
    """Row 15."""
    house.discord.failing["edit", LOUNGE] = [NotAllowed("50013")]
    await house.shows(match, "B pass")
    assert not house.showing._upkeep._retries
    await house.shows(match, "A pass")
    assert (await house.table(match)).version == 4


# ------------------------------------------------------------------------ the table message


async def test_a_table_that_was_deleted_is_posted_again_silently(
    house: House, match: MatchId
) -> None:
    """Row 12."""
    gone = await house.table(match)
    house.discord.failing["edit", LOUNGE] = [MessageGone("10008")]
    await house.shows(match, "B pass")
    posted = [request for request in house.discord.sent if request.channel == LOUNGE][1]
    assert (posted.act, posted.silent, posted.ping) == ("send", True, NOBODY)
    assert (await house.table(match)).message_id == posted.message != gone.message_id


async def test_a_table_older_than_fifty_minutes_is_posted_again_and_the_old_one_goes(
    house: House, match: MatchId
) -> None:
    """Row 11."""
    await house.ages(await house.table(match))
    house.discord.sent.clear()
    await house.shows(match, "B pass")
    assert house.discord.acts(LOUNGE) == ["send", "delete"]
    await house.shows(match, "A pass")
    assert house.discord.acts(LOUNGE) == ["send", "delete", "edit"]


async def test_a_table_that_lies_far_up_is_posted_again_each_in_its_turn(
    house: House, match: MatchId
) -> None:
    """Of two tables in a channel one that came down doesn't count for the other."""
    other = await house.match()
    house.showing.changed(other)
    await house.showing.settle()
    for _ in range(bot.showing.FAR_UP):
        house.showing.someone_wrote(LOUNGE)
    house.discord.sent.clear()
    await house.shows(match, "B pass")
    assert house.discord.acts(LOUNGE) == ["send", "delete"]
    await house.shows(other, "B pass")
    assert house.discord.acts(LOUNGE) == ["send", "delete"] * 2
    await house.shows(match, "A pass")
    assert house.discord.acts(LOUNGE)[4:] == ["edit"]


async def test_a_match_that_ends_leaves_the_counting_below_other_tables_alone(
    house: House, match: MatchId
) -> None:
    other = await house.match()
    house.showing.changed(other)
    await house.showing.settle()
    for _ in range(bot.showing.FAR_UP):
        house.showing.someone_wrote(LOUNGE)
    await house.acted(match, "B resign")
    async with house.store.transaction() as tx:
        await tx.matches.finish(match, MatchStatus.CANCELLED, datetime.now(UTC))
    house.showing.changed(match)
    await house.showing.settle()
    house.discord.sent.clear()
    await house.shows(other, "B pass")
    assert house.discord.acts(LOUNGE) == ["send", "delete"]


# ------------------------------------------------------------------- answers and other messages


async def test_an_answer_that_lands_during_an_edit_has_it_made_again(
    house: House, match: MatchId
) -> None:
    """Nobody knows which of the two Discord took last."""
    await house.shows(match, *REFUSED)
    acts = turns()
    await house.shows(match, *next(acts))  # Ada's turn; she is still there
    hand = await house.hand(match, A)
    house.discord.sent.clear()
    arrived = house.discord.held["edit", TO_ADA] = asyncio.Event()
    await house.acted(match, *next(acts), *next(acts))  # hers, Ben's: her turn again, version 10
    house.showing.changed(match)
    house.discord.begun.clear()
    await until(lambda: ("edit", TO_ADA) in house.discord.begun)
    await house.showing.hand_shown(match, A, TO_ADA, hand.message_id, 8)
    arrived.set()
    await house.showing.settle()
    assert house.discord.acts(TO_ADA) == ["edit", "edit"]
    assert (await house.hand(match, A)).version == 10


async def test_an_answer_that_lands_after_a_newer_edit_is_put_right(
    house: House, match: MatchId
) -> None:
    await house.shows(match, *REFUSED)
    acts = turns()
    await house.shows(match, *next(acts), *next(acts), *next(acts))  # Ada's turn, version 10
    hand = await house.hand(match, A)
    assert hand.version == 10
    house.discord.sent.clear()
    await house.showing.hand_shown(match, A, TO_ADA, hand.message_id, 8)
    await house.showing.settle()
    assert house.discord.acts(TO_ADA) == ["edit"]
    assert (await house.hand(match, A)).version == 10


async def test_an_old_message_that_is_used_becomes_the_living_one(
    house: House, match: MatchId
) -> None:
    """Row 7."""
    old = await house.hand(match, A)
    await house.shows(match, "B pass")  # her turn: a new message
    new = await house.hand(match, A)
    house.discord.sent.clear()
    await house.showing.hand_shown(match, A, TO_ADA, old.message_id, 3)
    assert (await house.hand(match, A)).message_id == old.message_id
    assert [(request.act, request.message) for request in house.discord.sent] == [
        ("delete", new.message_id)
    ]


async def test_a_message_sent_while_an_old_one_was_used_leaves_one_alive(
    house: House, match: MatchId
) -> None:
    old = await house.hand(match, A)
    arrived = house.discord.held["send", TO_ADA] = asyncio.Event()
    await house.acted(match, "B pass")
    house.showing.changed(match)
    await until(lambda: house.discord.begun.count(("send", TO_ADA)) == 2)
    used = MessageId(old.message_id + 500)
    await house.showing.hand_shown(match, A, TO_ADA, used, 3)
    arrived.set()
    await house.showing.settle()
    living = (await house.hand(match, A)).message_id
    deleted = {request.message for request in house.discord.sent if request.act == "delete"}
    assert deleted == {old.message_id, used}
    assert living not in deleted


async def test_a_table_speaks_the_houses_language_whoever_pressed(
    house: House, match: MatchId, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoken: list[object] = []

    def listen(shown: MatchShown) -> Page:
        spoken.append(language._spoken.get())
        return table_page(shown)

    monkeypatch.setattr(bot.showing, "table_page", listen)
    with speaking("de"):
        await house.shows(match, "B pass")
    assert spoken == [None]


# --------------------------------------------------------------------- closed direct messages


async def test_closed_messages_are_replaced_by_a_call_in_the_channel_that_goes_again(
    house: House,
) -> None:
    """Row 4: it names only that person, comes once a turn, and ends nothing."""
    house.discord.failing["send", TO_BEN] = [DirectMessagesClosed("50007")]
    match = await house.match()
    house.showing.changed(match)
    await house.showing.settle()
    calls = [request for request in house.discord.sent if request.ping != NOBODY]
    assert [(call.channel, call.ping, call.silent) for call in calls] == [
        (LOUNGE, Ping((BEN,)), False)
    ]
    house.showing.changed(match)
    await house.showing.settle()
    assert len([request for request in house.discord.sent if request.ping != NOBODY]) == 1
    house.discord.sent.clear()
    await house.shows(match, "B pass")
    gone = [r.message for r in house.discord.sent if (r.act, r.channel) == ("delete", LOUNGE)]
    assert gone == [calls[0].message]
    assert house.discord.acts(TO_BEN) == []  # told once: no further attempt


async def test_messages_that_close_in_the_middle_cost_one_attempt(
    house: House, match: MatchId
) -> None:
    """Row 4."""
    await house.shows(match, *REFUSED, ago=LONG_AGO)
    acts = turns()
    await house.shows(match, *next(acts), ago=LONG_AGO)
    house.discord.sent.clear()
    house.discord.failing["send", TO_BEN] = [DirectMessagesClosed("50007")] * 2
    await house.shows(match, *next(acts), ago=LONG_AGO)
    await house.shows(match, *next(acts), *next(acts), ago=LONG_AGO)
    assert len(house.discord.failing["send", TO_BEN]) == 1
    assert [r.ping for r in house.discord.sent if r.ping != NOBODY] == [Ping((BEN,))] * 2
    await house.people.may_be_open(BEN)
    house.discord.failing["send", TO_BEN].clear()
    await house.shows(match, *next(acts), *next(acts), ago=LONG_AGO)
    assert house.discord.acts(TO_BEN) == ["send"]


@pytest.mark.usefixtures("brisk")
async def test_a_bad_day_of_discord_is_not_taken_for_closed_messages(house: House) -> None:
    house.discord.failing["open", TO_BEN] = [TryLater("500"), TryLater("40003")]
    match = await house.match()
    house.showing.changed(match)
    await until(lambda: house.discord.acts(TO_BEN) == ["open", "send"])
    await house.showing.settle()
    assert all(request.ping == NOBODY for request in house.discord.sent)


# --------------------------------------------------------------------------- start and end


async def test_after_a_start_what_is_stale_is_shown_and_the_rest_left_alone(
    house: House, match: MatchId
) -> None:
    """Row 1."""
    other = await house.match()
    house.showing.changed(other)
    await house.showing.settle()
    await house.acted(match, "B pass")
    house.discord.sent.clear()
    house.restart()
    await house.showing.restore()
    assert house.discord.acts(LOUNGE) == ["edit"]
    assert house.discord.acts(TO_ADA) == ["send", "delete"]
    assert house.discord.acts(TO_BEN) == ["edit"]


async def test_a_match_that_was_never_shown_is_shown_after_a_start(house: House) -> None:
    """Row 1: killed between the acceptance and its answer."""
    await house.match()
    house.restart()
    await house.showing.restore()
    assert {r.channel for r in house.discord.sent if r.act == "send"} == {LOUNGE, TO_ADA, TO_BEN}


async def test_a_table_that_hangs_holds_up_no_other_after_a_start(house: House) -> None:
    matches = [await house.match() for _ in range(20)]
    house.discord.held["send", TO_BEN] = asyncio.Event()
    house.discord.failing["send", LOUNGE] = [TryLater("503")]
    restoring = asyncio.create_task(house.showing.restore())
    await until(lambda: house.discord.acts(LOUNGE).count("send") >= upkeep.REPAIRED_AT_ONCE - 1)
    assert not restoring.done()
    house.discord.held["send", TO_BEN].set()
    await restoring
    assert house.discord.acts(TO_ADA).count("send") == len(matches)


async def test_an_attempt_after_a_start_has_the_name_of_the_one_before(house: House) -> None:
    """Killed between the message and its record: Discord gives the first one back."""
    match = await house.match()
    house.showing.changed(match)
    await house.showing.settle()
    names = {(r.channel, r.once) for r in house.discord.sent if r.act == "send"}
    async with house.store.transaction() as tx:
        await tx.shown.drop(match)
        await tx.shown.drop(match, A)
        await tx.shown.drop(match, B)
    house.discord.sent.clear()
    house.restart()
    await house.showing.restore()
    assert {(r.channel, r.once) for r in house.discord.sent if r.act == "send"} == names


async def test_closing_shows_what_is_under_way_and_nothing_afterwards(
    house: House, match: MatchId
) -> None:
    house.discord.failing["send", TO_ADA] = [TryLater("503")]
    await house.acted(match, "B pass")
    house.showing.changed(match)
    await house.showing.close(timedelta(seconds=5))
    assert (await house.table(match)).version == 3
    assert not house.showing._upkeep._retries
    house.discord.sent.clear()
    house.showing.changed(match)
    await house.showing.settle()
    assert house.discord.sent == []


async def test_closing_does_not_wait_for_ever(house: House, match: MatchId) -> None:
    house.discord.held["edit", LOUNGE] = asyncio.Event()
    await house.acted(match, "B pass")
    house.showing.changed(match)
    with capture_logs() as logs:
        await house.showing.close(timedelta(milliseconds=20))
    assert any("repaired at the next start" in line["event"] for line in logs)
    assert not house.showing._upkeep._workers
    house.restart()
    house.discord.held.clear()
    await house.showing.restore()
    assert (await house.table(match)).version == 3
