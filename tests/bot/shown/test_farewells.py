"""That a player who is awaited has left is said once, wherever it can be (faults.md, row 16).

It is Ben's turn, after both refused the up-card, unless a test says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from structlog.testing import capture_logs

from bot.mail.governor import Urgency
from bot.mail.post import (
    NOBODY,
    ChannelGone,
    DirectMessagesClosed,
    NotAllowed,
    Ping,
    TryLater,
    Undelivered,
)
from bot.shown import leavers
from db.errors import DatabaseUnusable
from db.ids import ChannelId, MatchId, PersonId
from db.rows import CLOCK, NewEntry, NewMatch, ShownKind, ShownRow, Wishes
from db.shown import Shown
from gin import DECK
from gin.rules import Rules, Scoring
from tests.bot.playing import (
    ADA,
    BEN,
    CLUB,
    LOUNGE,
    REFUSED,
    THREAD,
    TO_ADA,
    TO_BEN,
    House,
    Sent,
    turns,
)
from tests.bot.shown.test_leavers import MINUTE, passes

CAT = PersonId(3)
TO_CAT = ChannelId(203)
FULL = DatabaseUnusable("The disk is full.")


@pytest.fixture(autouse=True)
def no_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leavers, "REST", timedelta(0))


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    """Time passes only where a test says so."""
    with time_machine.travel(datetime.now(UTC), tick=False) as clock:
        yield clock


def words(house: House) -> list[Sent]:
    """Every message that says that Ben has left."""
    return [
        one
        for one in house.discord.sent
        if one.act == "send" and "Ben has left the server" in one.said
    ]


async def loses_its_channel(house: House, match: MatchId) -> None:
    await house.showing.places.channel_gone(LOUNGE)
    await house.showing.settle()
    assert await house.rows(match)
    house.discord.sent.clear()


def takes_no_note(monkeypatch: pytest.MonkeyPatch, error: Exception, times: int) -> None:
    """Let the next notes of such words fail, while all else is written."""
    put, left = Shown.put, [error] * times

    async def fail(self: Shown, row: ShownRow) -> None:
        if row.kind is ShownKind.GONE and left:
            raise left.pop()
        await put(self, row)

    monkeypatch.setattr(Shown, "put", fail)


@pytest.mark.parametrize(
    "error",
    [NotAllowed("50013"), ChannelGone("10003"), Undelivered("50035")],
    ids=["a right is missing", "the channel is gone", "another refusal"],
)
async def test_where_the_channel_refuses_the_word_the_others_are_told_by_direct_message_at_once(
    house: House, match: MatchId, clock: time_machine.Traveller, error: Undelivered
) -> None:
    await house.shows(match, *REFUSED)
    house.discord.left.add(BEN)
    house.discord.failing["send", LOUNGE] = [error] * 50
    await passes(house, clock, 2 * MINUTE)
    assert [(one.channel, one.silent) for one in words(house)] == [(TO_ADA, False)]
    for _look in range(4):
        await passes(house, clock, timedelta(hours=13))
    house.restart()
    await house.showing.restore()
    await passes(house, clock, timedelta(hours=13))
    assert len(words(house)) == 1, "told once"


async def test_where_a_right_has_been_missing_for_long_the_channel_is_not_tried(
    house: House, match: MatchId, clock: time_machine.Traveller
) -> None:
    house.discord.failing["edit", LOUNGE] = [NotAllowed("50013")]
    house.discord.missing[LOUNGE] = ("Send Messages",)
    await house.shows(match, *REFUSED)
    house.discord.left.add(BEN)
    house.discord.begun.clear()
    await passes(house, clock, 2 * MINUTE)
    assert [one.channel for one in words(house)] == [TO_ADA]
    assert ("send", LOUNGE) not in house.discord.begun


async def test_where_the_thread_of_the_table_is_found_gone_the_word_stands_beside_the_table(
    house: House, clock: time_machine.Traveller
) -> None:
    match = await house.match(thread=THREAD)
    await house.shows(match, *REFUSED)
    house.discord.left.add(BEN)
    for act in ("send", "edit"):
        house.discord.failing[act, THREAD] = [ChannelGone("10003")] * 5
    await passes(house, clock, 2 * MINUTE)
    assert [(one.channel, one.ping) for one in words(house)] == [(LOUNGE, Ping((ADA,)))]


async def test_who_wants_no_calls_reads_it_silently(
    house: House, match: MatchId, clock: time_machine.Traveller
) -> None:
    await house.people.wish(ADA, Wishes(calls=False))
    await house.shows(match, *REFUSED)
    await loses_its_channel(house, match)
    house.discord.left.add(BEN)
    await passes(house, clock, 2 * MINUTE)
    assert [(one.channel, one.silent) for one in words(house)] == [(TO_ADA, True)]


async def test_who_takes_no_direct_messages_is_told_once_he_does(
    house: House, match: MatchId, clock: time_machine.Traveller
) -> None:
    await house.people.closed(BEN)
    await house.shows(match, *REFUSED)
    assert ShownKind.PING in {kind for kind, _number in await house.rows(match)}
    await loses_its_channel(house, match)
    house.discord.failing["send", TO_ADA] = [DirectMessagesClosed("50007")]
    house.discord.left.add(BEN)
    for _look in range(3):
        await passes(house, clock, timedelta(hours=13))
    assert words(house) == [], "and nothing runs in circles"
    assert house.discord.begun.count(("send", TO_ADA)) == 3, "her hand, the place, and one try"
    await house.people.may_be_open(ADA)
    await passes(house, clock, timedelta(hours=13))
    assert [one.channel for one in words(house)] == [TO_ADA]


@pytest.mark.parametrize("place", [LOUNGE, TO_ADA], ids=["channel", "direct message"])
async def test_while_the_database_takes_no_notes_there_is_one_message_however_often_it_is_tried(
    house: House,
    match: MatchId,
    clock: time_machine.Traveller,
    monkeypatch: pytest.MonkeyPatch,
    place: ChannelId,
) -> None:
    await house.shows(match, *REFUSED)
    if place == TO_ADA:
        await loses_its_channel(house, match)
    house.discord.left.add(BEN)
    takes_no_note(monkeypatch, FULL, times=5)
    with capture_logs():
        await passes(house, clock, 2 * MINUTE)
        for _retry in range(5):
            assert _word(place) not in await house.rows(match)
            await house.shows(match)
    assert {(one.channel, one.message) for one in words(house)} == {
        (place, (await house.rows(match))[_word(place)].message_id)
    }


def _word(place: ChannelId) -> tuple[ShownKind, int]:
    """Under which number it is noted that Ben has left: to everybody, or to Ada."""
    return ShownKind.GONE, 1 if place == LOUNGE else 4


async def test_the_clock_plays_for_who_has_left_and_the_others_are_told_once(
    house: House, match: MatchId, clock: time_machine.Traveller
) -> None:
    async def plays_for_ben(draw: str, discard: str) -> None:
        now = datetime.now(UTC)
        async with house.store.transaction() as tx:
            head = await tx.matches.head(match)
            assert head is not None
            lines = [NewEntry(line, seat=1, actor=CLOCK) for line in (draw, discard)]
            await tx.matches.append(match, head, lines, now)
        house.tables.forget(match)
        await house.shows(match)

    await house.shows(match, *REFUSED)
    house.discord.left.add(BEN)
    acts = turns()
    for _turn in range(4):
        await passes(house, clock, timedelta(hours=23))
        await plays_for_ben(*next(acts))
        clock.shift(MINUTE)
        await house.shows(match, *next(acts))
    (told,) = words(house)
    assert told.channel == LOUNGE
    assert ("delete", told.message) not in house.discord.done(LOUNGE)
    await house.shows(match, *next(acts))  # by himself
    assert ("delete", told.message) in house.discord.done(LOUNGE)


async def test_who_is_back_is_called_by_a_new_hand_where_his_direct_messages_are_open(
    house: House, match: MatchId, clock: time_machine.Traveller
) -> None:
    await house.shows(match, *REFUSED)
    house.discord.left.add(BEN)
    await passes(house, clock, 2 * MINUTE)
    (told,) = words(house)
    house.discord.left.clear()
    house.discord.sent.clear()
    for _look in range(3):
        await passes(house, clock, timedelta(hours=13))
    called = [one for one in house.discord.sent if one.act == "send"]
    assert [(one.channel, one.silent) for one in called] == [(TO_BEN, False)], "once"
    assert ("delete", told.message) in house.discord.done(LOUNGE)


async def test_the_word_stands_until_whoever_is_back_has_been_called(
    house: House, match: MatchId, clock: time_machine.Traveller
) -> None:
    await house.shows(match, *REFUSED)
    house.discord.left.add(BEN)
    await passes(house, clock, 2 * MINUTE)
    (told,) = words(house)
    house.discord.left.clear()
    house.discord.failing["send", TO_BEN] = [TryLater("503")]
    await passes(house, clock, timedelta(hours=13))
    assert ("delete", told.message) not in house.discord.done(LOUNGE)
    await house.shows(match)
    assert ("delete", told.message) in house.discord.done(LOUNGE)
    acts = [(one.act, one.channel) for one in house.discord.sent]
    assert acts.index(("delete", LOUNGE)) > len(acts) - 1 - acts[::-1].index(("send", TO_BEN))


async def test_who_is_back_and_has_had_a_new_hand_since_is_not_called_again(
    house: House, match: MatchId, clock: time_machine.Traveller
) -> None:
    """His clock has played for him, and his next turn came to him as every turn does."""
    await house.shows(match, *REFUSED)
    house.discord.left.add(BEN)
    await passes(house, clock, 2 * MINUTE)
    (told,) = words(house)
    acts = turns()
    async with house.store.transaction() as tx:
        head = await tx.matches.head(match)
        assert head is not None
        lines = [NewEntry(line, seat=1, actor=CLOCK) for line in next(acts)]
        await tx.matches.append(match, head, lines, datetime.now(UTC))
    house.tables.forget(match)
    await house.shows(match)
    house.discord.left.clear()
    await house.shows(match, *next(acts))
    house.discord.sent.clear()
    await passes(house, clock, 2 * MINUTE)
    assert [one.act for one in house.discord.sent] == ["delete"]
    assert house.discord.done(LOUNGE) == [("delete", told.message)]


async def three(house: House) -> MatchId:
    """Ada, Ben and Cat play, and Ben is to act."""
    now = datetime.now(UTC)
    async with house.store.transaction() as tx:
        for person, name in ((ADA, "Ada"), (BEN, "Ben"), (CAT, "Cat")):
            await tx.people.seen(person, name, now)
        rules = Rules(scoring=Scoring.ROTATION)
        new = NewMatch(CLUB, LOUNGE, rules.dump(), (ADA, BEN, CAT), now)
        match = await tx.matches.create(new)
        cut, deal = "cut KD 7H 9S", "deal " + "".join(map(str, DECK))
        await tx.matches.append(match, 0, [NewEntry(cut), NewEntry(deal)], now)
    await house.shows(match)
    table = await house.tables.load(match)
    assert table is not None
    assert table.match.to_move == 1
    return match


async def test_of_three_players_both_are_told_and_both_words_go_when_he_has_acted(
    house: House, clock: time_machine.Traveller
) -> None:
    match = await three(house)
    await loses_its_channel(house, match)
    house.discord.left.add(BEN)
    await passes(house, clock, 2 * MINUTE)
    told = {one.channel: one.message for one in words(house)}
    assert set(told) == {TO_ADA, TO_CAT}
    await passes(house, clock, timedelta(hours=13))
    assert len(words(house)) == 2
    house.restart()
    await house.shows(match, "B pass")
    for channel, message in told.items():
        assert ("delete", message) in house.discord.done(channel)


async def test_both_words_go_when_he_is_back(house: House, clock: time_machine.Traveller) -> None:
    match = await three(house)
    await loses_its_channel(house, match)
    house.discord.left.add(BEN)
    await passes(house, clock, 2 * MINUTE)
    told = {one.channel: one.message for one in words(house)}
    house.discord.left.clear()
    await passes(house, clock, timedelta(hours=13))
    for channel in (TO_ADA, TO_CAT):
        assert ("delete", told[channel]) in house.discord.done(channel)
    assert not any(kind is ShownKind.GONE for kind, _number in await house.rows(match))


async def test_who_cannot_be_told_yet_keeps_nobody_else_waiting_and_nobody_is_told_twice(
    house: House, clock: time_machine.Traveller
) -> None:
    match = await three(house)
    await loses_its_channel(house, match)
    house.discord.left.add(BEN)
    house.discord.failing["send", TO_ADA] = [TryLater("503")]
    await passes(house, clock, 2 * MINUTE)
    assert [one.channel for one in words(house)] == [TO_CAT]
    await house.shows(match)
    assert [one.channel for one in words(house)] == [TO_CAT, TO_ADA]


async def test_a_note_that_fails_keeps_nobody_else_waiting(
    house: House, clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await three(house)
    await loses_its_channel(house, match)
    house.discord.left.add(BEN)
    takes_no_note(monkeypatch, TimeoutError(), times=1)
    with capture_logs():
        await passes(house, clock, 2 * MINUTE)
    await house.shows(match)
    assert {one.channel for one in words(house)} == {TO_ADA, TO_CAT}
    assert len({one.message for one in words(house)}) == 2


async def test_nobody_is_looked_for_on_a_server_that_has_removed_the_bot(
    house: House, match: MatchId, clock: time_machine.Traveller
) -> None:
    await house.shows(match, *REFUSED)
    await house.presence.removed(CLUB)
    house.discord.left.add(BEN)
    for _look in range(4):
        await passes(house, clock, timedelta(hours=13))
    assert house.discord.looked_for == []
    await house.presence.back(CLUB)
    await passes(house, clock, timedelta(hours=13))
    assert house.discord.looked_for == [(BEN, Urgency.TIDY)]
    assert [(one.channel, one.ping) for one in words(house)] == [(LOUNGE, Ping((ADA,)))]


async def test_on_a_server_out_of_order_the_look_is_put_off_by_ten_minutes(
    house: House, match: MatchId, clock: time_machine.Traveller
) -> None:
    await house.shows(match, *REFUSED)
    clock.shift(timedelta(days=2))
    house.presence.out_of_order(CLUB)
    await passes(house, clock, MINUTE)
    assert house.discord.looked_for == []
    await house.presence.back(CLUB)
    await passes(house, clock, 10 * MINUTE)
    assert house.discord.looked_for == [(BEN, Urgency.TIDY)]


async def test_what_was_found_before_the_bot_was_removed_is_not_said_after_it(
    house: House, match: MatchId, clock: time_machine.Traveller
) -> None:
    await house.shows(match, *REFUSED)
    house.discord.left.add(BEN)
    house.discord.failing["send", LOUNGE] = [TryLater("503")]
    await passes(house, clock, 2 * MINUTE)
    await house.presence.removed(CLUB)
    await house.shows(match)
    assert words(house) == []
    assert [one for one in house.discord.sent if one.ping != NOBODY] == []
