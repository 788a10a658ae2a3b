"""Whoever lets his turn stand is looked for, for as long as it stands (faults.md, row 16).

It is Ben's turn in all of these, after both refused the up-card. An edit of what stands in his
direct messages is taken, whoever has left.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from structlog.testing import capture_logs

from bot.mail.governor import Urgency
from bot.mail.post import NOBODY, ChannelGone, Ping, PrivatePlace, TryLater, Undelivered
from bot.shown import leavers
from bot.shown.leavers import Leavers
from db.ids import MatchId, MessageId, PersonId, ServerId
from db.matches import Matches
from tests.bot.playing import (
    ADA,
    BEN,
    LOUNGE,
    PRIVATE,
    REFUSED,
    TO_ADA,
    B,
    Discord,
    House,
    Sent,
    turns,
    until,
)

MINUTE = timedelta(minutes=1)


@pytest.fixture(autouse=True)
def no_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leavers, "REST", timedelta(0))


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    """Time passes only where a test says so."""
    with time_machine.travel(datetime.now(UTC), tick=False) as clock:
        yield clock


async def passes(house: House, clock: time_machine.Traveller, time: timedelta) -> None:
    """Let time pass, and those be looked for who are due then."""
    clock.shift(time)
    await house.showing._leavers.look()
    await house.showing.settle()


def said(house: House) -> list[Sent]:
    """What notified anybody."""
    return [request for request in house.discord.sent if request.ping != NOBODY]


def says_that_ben_has_left(house: House) -> bool:
    """Whether exactly that was said to Ada, in the lounge, and nothing else to anybody."""
    return [
        (one.channel, one.ping, one.silent, "Ben has left the server" in one.said)
        for one in said(house)
    ] == [(LOUNGE, Ping((ADA,)), False, True)]


async def test_whoever_leaves_after_his_turn_was_shown_to_him_is_looked_for_and_the_others_told(
    house: House, match: MatchId, clock: time_machine.Traveller
) -> None:
    await house.shows(match, *REFUSED)
    house.discord.left.add(BEN)
    await passes(house, clock, 2 * MINUTE - timedelta(seconds=1))
    assert said(house) == []
    await passes(house, clock, timedelta(seconds=1))
    assert says_that_ben_has_left(house)
    assert house.discord.looked_for == [(BEN, Urgency.TIDY)]


async def test_the_watch_wakes_by_itself(
    house: House, match: MatchId, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leavers, "PAUSES", (timedelta(0), timedelta(hours=1)))
    house.discord.left.add(BEN)
    await house.shows(match, *REFUSED)
    await until(lambda: bool(said(house)))
    await house.showing.settle()
    assert says_that_ben_has_left(house)


async def test_who_is_there_is_looked_for_again_at_longer_and_longer_intervals(
    house: House, match: MatchId, clock: time_machine.Traveller
) -> None:
    await house.shows(match, *REFUSED)
    since = timedelta(0)
    looks = [minutes * MINUTE for minutes in (2, 12, 72, 72 + 720, 72 + 1440, 72 + 2160)]
    for number, at in enumerate(looks, start=1):
        await passes(house, clock, at - since - timedelta(seconds=1))
        assert len(house.discord.looked_for) == number - 1
        await passes(house, clock, timedelta(seconds=1))
        assert len(house.discord.looked_for) == number
        since = at
    house.discord.left.add(BEN)
    await passes(house, clock, timedelta(hours=12))
    assert says_that_ben_has_left(house)


async def test_that_somebody_has_left_is_told_once_however_often_he_is_looked_for(
    house: House, match: MatchId, clock: time_machine.Traveller
) -> None:
    await house.shows(match, *REFUSED)
    house.discord.left.add(BEN)
    for _look in range(4):
        await passes(house, clock, timedelta(hours=13))
    house.restart()
    await house.showing.restore()
    for _look in range(2):
        await passes(house, clock, timedelta(hours=13))
    assert len(house.discord.looked_for) == 6
    assert says_that_ben_has_left(house)
    (told,) = said(house)
    house.discord.left.clear()  # he is back, and plays
    await house.shows(match, *next(turns()))
    assert ("delete", told.message) in house.discord.done(LOUNGE)


async def test_who_is_back_is_called_again_and_the_word_that_he_has_left_goes(
    house: House, match: MatchId, clock: time_machine.Traveller
) -> None:
    await house.people.closed(BEN)
    house.discord.left.add(BEN)
    await house.shows(match, *REFUSED)
    await passes(house, clock, timedelta(hours=13))
    assert says_that_ben_has_left(house)
    (told,) = said(house)
    house.restart()
    await house.showing.restore()
    house.discord.left.clear()
    await passes(house, clock, timedelta(hours=13))
    assert ("delete", told.message) in house.discord.done(LOUNGE)
    assert [one.ping for one in said(house)[1:]] == [Ping((BEN,))]
    await passes(house, clock, timedelta(hours=13))
    assert len(said(house)) == 2, "he is called once"


async def test_where_the_table_has_no_place_the_others_are_told_by_direct_message(
    house: House, match: MatchId, clock: time_machine.Traveller
) -> None:
    await house.shows(match, *REFUSED)
    await house.showing.places.channel_gone(LOUNGE)
    await house.showing.settle()
    house.discord.left.add(BEN)
    house.discord.sent.clear()
    for _look in range(3):
        await passes(house, clock, timedelta(hours=13))
    told = [one for one in house.discord.sent if "Ben has left the server" in one.said]
    assert [(one.act, one.channel) for one in told] == [("send", TO_ADA)]


async def test_what_could_not_be_told_is_told_at_the_next_attempt(
    house: House, match: MatchId, clock: time_machine.Traveller
) -> None:
    await house.shows(match, *REFUSED)
    house.discord.left.add(BEN)
    house.discord.failing["send", LOUNGE] = [TryLater("503")]
    await passes(house, clock, 2 * MINUTE)
    assert said(house) == []
    await house.shows(match)
    assert says_that_ben_has_left(house)


async def test_who_left_before_a_start_is_looked_for_after_it(
    house: House, match: MatchId, clock: time_machine.Traveller
) -> None:
    """Though nothing has to be shown there, and the match is in nobody's memory."""
    await house.shows(match, *REFUSED)
    house.discord.left.add(BEN)
    house.restart()
    await house.showing.restore()
    await passes(house, clock, 2 * MINUTE)
    assert says_that_ben_has_left(house)


async def test_a_turn_that_has_stood_for_long_at_a_start_is_looked_at_once_then_twice_a_day(
    house: House, match: MatchId, clock: time_machine.Traveller
) -> None:
    await house.shows(match, *REFUSED)
    clock.shift(timedelta(days=3))
    house.restart()
    await house.showing.restore()
    await passes(house, clock, 2 * MINUTE)
    await passes(house, clock, timedelta(hours=12) - MINUTE)
    assert len(house.discord.looked_for) == 1
    await passes(house, clock, MINUTE)
    assert len(house.discord.looked_for) == 2


async def test_who_plays_by_private_answers_is_looked_for(
    house: House, match: MatchId, clock: time_machine.Traveller
) -> None:
    await house.people.closed(BEN)
    await house.shows(match, "B pass")
    await house.showing.whispered(match, B, 3, PrivatePlace(9, "t", MessageId(70)))
    await house.shows(match, "A pass")
    assert house.discord.acts(PRIVATE) == ["edit"], "before his eyes: so he wasn't called"
    assert said(house) == []
    house.discord.left.add(BEN)
    await passes(house, clock, 2 * MINUTE)
    assert says_that_ben_has_left(house)


async def test_the_call_to_somebody_who_left_after_it_goes_when_the_others_are_told(
    house: House, match: MatchId, clock: time_machine.Traveller
) -> None:
    await house.people.closed(BEN)
    await house.shows(match, *REFUSED)
    (call,) = said(house)
    assert call.ping == Ping((BEN,))
    house.discord.sent.clear()
    house.discord.left.add(BEN)
    for _look in range(3):
        await passes(house, clock, timedelta(hours=13))
    assert says_that_ben_has_left(house)
    assert ("delete", call.message) in house.discord.done(LOUNGE)


async def test_whose_match_is_in_memory_no_more_is_looked_for(
    house: House, match: MatchId, clock: time_machine.Traveller
) -> None:
    await house.shows(match, *REFUSED)
    house.discord.left.add(BEN)
    house.tables.forget(match)
    assert house.tables.remembered(match) is None
    await passes(house, clock, 2 * MINUTE)
    assert says_that_ben_has_left(house)


async def test_who_draws_and_then_leaves_is_looked_for_two_minutes_later(
    house: House, match: MatchId, clock: time_machine.Traveller
) -> None:
    draw, _discard = next(turns())
    await house.shows(match, *REFUSED)
    clock.shift(MINUTE)
    await house.shows(match, draw)
    house.discord.left.add(BEN)
    await passes(house, clock, MINUTE)
    assert house.discord.looked_for == []
    await passes(house, clock, MINUTE)
    assert says_that_ben_has_left(house)


@pytest.mark.parametrize("heard", [True, False], ids=["shown", "by another process"])
async def test_whoever_plays_on_in_time_is_not_looked_for(
    house: House, match: MatchId, clock: time_machine.Traveller, *, heard: bool
) -> None:
    """Then it is the other whose turn stands."""
    await house.shows(match, *REFUSED)
    clock.shift(MINUTE)
    await house.acted(match, *next(turns()))
    if heard:
        await house.shows(match)
    await passes(house, clock, MINUTE)
    assert house.discord.looked_for == []
    await passes(house, clock, 3 * MINUTE)
    assert house.discord.looked_for == [(ADA, Urgency.TIDY)]


async def test_nobody_is_looked_for_in_a_match_that_is_over(
    house: House, match: MatchId, clock: time_machine.Traveller
) -> None:
    await house.shows(match, *REFUSED)
    await house.shows(match, "A resign")
    await passes(house, clock, timedelta(days=1))
    assert house.discord.looked_for == []
    assert not house.showing._leavers._watched


async def test_a_look_that_fails_is_made_again(
    house: House,
    match: MatchId,
    clock: time_machine.Traveller,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def fail(*_: object) -> None:
        raise TimeoutError

    await house.shows(match, *REFUSED)
    house.discord.left.add(BEN)
    with monkeypatch.context() as failing, capture_logs() as logs:
        failing.setattr(Matches, "get", fail)
        await passes(house, clock, 2 * MINUTE)
    assert [line["match"] for line in logs if line["event"] == "nobody looked for"] == [match]
    await passes(house, clock, 10 * MINUTE)
    assert says_that_ben_has_left(house)


@pytest.mark.parametrize(
    ("error", "wait"),
    [(TryLater("503"), timedelta(minutes=10)), (ChannelGone("10004"), timedelta(hours=12))],
    ids=["later", "no server"],
)
async def test_where_discord_does_not_say_it_nobody_has_left_and_it_is_asked_again(
    house: House,
    match: MatchId,
    clock: time_machine.Traveller,
    monkeypatch: pytest.MonkeyPatch,
    error: Undelivered,
    wait: timedelta,
) -> None:
    async def fail(*_: object, **__: object) -> bool:
        raise error

    await house.shows(match, *REFUSED)
    house.discord.left.add(BEN)
    with monkeypatch.context() as failing:
        failing.setattr(house.discord, "is_member", fail)
        await passes(house, clock, timedelta(days=3))
    assert said(house) == []
    await passes(house, clock, wait - timedelta(seconds=1))
    assert house.discord.looked_for == []
    await passes(house, clock, timedelta(seconds=1))
    assert says_that_ben_has_left(house)


class Crowd(Discord):
    """Counts how many are looked for at the same time."""

    def __init__(self) -> None:
        super().__init__()
        self.now = self.most = self.asked = 0
        self.answers = asyncio.Event()

    async def is_member(
        self,
        server: ServerId,  # noqa: ARG002
        person: PersonId,  # noqa: ARG002
        *,
        urgency: Urgency = Urgency.TURN,  # noqa: ARG002
    ) -> bool:
        self.asked += 1
        self.now += 1
        self.most = max(self.most, self.now)
        await self.answers.wait()
        self.now -= 1
        return True


async def test_after_a_start_a_few_are_looked_for_at_a_time_with_a_rest_after_each(
    house: House, clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else 10,000 matches that run would be 10,000 requests at once."""
    rests: list[float] = []

    async def rest(seconds: float) -> None:
        rests.append(seconds)

    monkeypatch.setattr(leavers, "REST", timedelta(seconds=1))
    monkeypatch.setattr(leavers, "_pause", rest)
    running = [await house.match() for _ in range(9)]
    crowd = Crowd()
    watch = Leavers(
        house.store,
        house.tables,
        crowd,
        house.presence,
        lambda _: None,
        lambda: datetime.now(UTC),
    )
    watch.begin(running)
    clock.shift(timedelta(hours=1))
    looks = asyncio.create_task(watch.look())
    await until(lambda: crowd.now == 3)
    await house.tables.load_all(running)  # whoever would be asked for as well, would be by now
    crowd.answers.set()
    await looks
    watch.close()
    assert (crowd.asked, crowd.most, rests) == (9, 3, [1.0] * 9)


@pytest.mark.usefixtures("clock")
async def test_ten_thousand_matches_are_spread_over_an_hour(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leavers, "REST", timedelta(seconds=1))
    watch = house.showing._leavers
    began = datetime.now(UTC)
    watch.begin([MatchId(number) for number in range(1, 10_001)])
    due = {match: one.due - began for match, one in watch._watched.items()}
    assert round(due[MatchId(10_000)] / MINUTE) == 2, "the newest first"
    assert round(due[MatchId(1)] / MINUTE) == 2 + 56  # 10,000 at three a second


async def test_a_busy_table_leaves_no_dates_behind(house: House, match: MatchId) -> None:
    watch = house.showing._leavers
    table = await house.tables.load(match)
    assert table is not None
    for head in range(table.head + 1, 1000):
        watch.watch(replace(table, head=head))
    assert len(watch._dates) <= 2 + leavers.ROOM
    assert [one.head for _due, _number, _match, one in watch._dates][-1] == 999
