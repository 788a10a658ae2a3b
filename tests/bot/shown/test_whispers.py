"""Private answers with somebody's hand: one a seat, kept true while Discord lets us."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest
import time_machine

import bot.shown.whispers
from bot.mail.post import TOKEN_LASTS, MessageGone, PrivatePlace, TryLater
from db.ids import MatchId, MessageId
from gin import Seat
from gin.rules import IllegalKnock, Rules
from tests.bot.playing import ADA, BEN, LOUNGE, PRIVATE, REFUSED, A, B, House, turns, until

EXPOSING = Rules(illegal_knock=IllegalKnock.EXPOSE)
FIRST, SECOND = PrivatePlace(9, "one", MessageId(71)), PrivatePlace(9, "two", MessageId(72))


@pytest.fixture
async def closed(house: House, match: MatchId) -> MatchId:
    """A match at which nobody takes direct messages, after both refused the up-card."""
    await house.people.closed(ADA)
    await house.people.closed(BEN)
    await house.shows(match, *REFUSED)
    house.discord.sent.clear()
    return match


def changed(house: House) -> list[tuple[str, MessageId]]:
    """What was done to private answers, in order."""
    return [(one.act, one.message) for one in house.discord.sent if one.channel == PRIVATE]


async def test_an_answer_is_edited_when_the_turn_comes_back(house: House, closed: MatchId) -> None:
    await house.showing.whispered(closed, A, 4, FIRST)
    await house.shows(closed, *next(turns()))  # Ben's turn, so it is Ada's now
    assert changed(house) == [("edit", 71)]
    assert "send" not in house.discord.acts(LOUNGE), "she was here a moment ago, and sees it"


async def test_a_newer_answer_takes_the_older_one_away(house: House, closed: MatchId) -> None:
    await house.showing.whispered(closed, A, 4, FIRST)
    await house.showing.whispered(closed, A, 4, SECOND)
    await house.showing.whispered(closed, A, 4, SECOND)  # a press changed it in its place
    assert changed(house) == [("delete", 71)]
    await house.shows(closed, *next(turns()))
    assert changed(house) == [("delete", 71), ("edit", 72)]


async def test_one_that_shows_less_than_the_table_is_brought_up_to_date_at_once(
    house: House, closed: MatchId
) -> None:
    """Its picture took long, and the turn had come meanwhile."""
    await house.shows(closed, *next(turns()))
    await house.showing.whispered(closed, A, 4, FIRST)
    await house.showing.settle()
    assert changed(house) == [("edit", 71)]


@pytest.mark.parametrize("error", [MessageGone("10008"), TryLater("503")])
async def test_who_has_no_answer_that_can_be_changed_is_called_in_the_channel(
    house: House, closed: MatchId, error: MessageGone | TryLater
) -> None:
    """Rows 4 and 10: dismissed, or its token is over."""
    await house.showing.whispered(closed, A, 4, FIRST)
    house.discord.failing["edit", PRIVATE] = [error]
    await house.shows(closed, *next(turns()))
    assert changed(house) == []
    assert "send" in house.discord.acts(LOUNGE)


async def test_an_answer_is_left_alone_when_its_token_is_over(
    house: House, closed: MatchId
) -> None:
    """Row 10."""
    with time_machine.travel(datetime.now(UTC), tick=False) as clock:
        await house.showing.whispered(closed, A, 4, FIRST)
        clock.shift(TOKEN_LASTS + timedelta(seconds=1))
        await house.shows(closed, *next(turns()))
        await house.showing.whispered(closed, A, 6, SECOND)
    assert changed(house) == []


async def test_each_seat_has_its_own_answer(house: House, closed: MatchId) -> None:
    await house.showing.whispered(closed, A, 4, FIRST)
    await house.showing.whispered(closed, B, 4, SECOND)
    acts = turns()
    await house.shows(closed, *next(acts))
    await house.shows(closed, *next(acts))
    assert ("edit", 71) in changed(house)
    assert ("edit", 72) in changed(house)
    assert not any(act == "delete" for act, _ in changed(house))


@pytest.mark.usefixtures("brisk")
async def test_an_older_one_that_could_not_be_taken_away_is_taken_away_in_the_end(
    house: House, closed: MatchId
) -> None:
    """Row 26: exposed cards may stand on it."""
    await house.showing.whispered(closed, A, 4, FIRST)
    house.discord.failing["delete", PRIVATE] = [TryLater("503")] * 2
    await house.showing.whispered(closed, A, 4, SECOND)
    await until(lambda: ("delete", MessageId(71)) in changed(house))


@pytest.mark.usefixtures("brisk")
async def test_one_that_could_not_be_edited_when_the_match_ended_is_edited_in_the_end(
    house: House, closed: MatchId
) -> None:
    """Row 26: what it showed of a hand before would go on standing."""
    await house.showing.whispered(closed, A, 4, FIRST)
    house.discord.failing["edit", PRIVATE] = [TryLater("503")] * 2
    await house.shows(closed, "A resign")
    await until(lambda: ("edit", MessageId(71)) in changed(house))


@pytest.fixture
async def laid_open(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[MatchId, set[Seat], time_machine.Traveller]]:
    """A match in which whoever is in the set may look at the other's cards now; and the clock."""
    looking: set[Seat] = set()
    monkeypatch.setattr(bot.shown.whispers, "exposes", lambda _table, seat: seat in looking)
    monkeypatch.setattr(bot.shown.whispers, "WATCHED_EVERY", timedelta(milliseconds=1))
    await house.people.closed(ADA)
    await house.people.closed(BEN)
    match = await house.match(rules=EXPOSING)
    with time_machine.travel(datetime.now(UTC), tick=False) as clock:
        await house.shows(match, *REFUSED)
        house.discord.sent.clear()
        yield match, looking, clock


async def passes(house: House) -> None:
    """Let the house look through its answers more than once."""
    before = house.showing._whispers._watching
    await until(lambda: house.showing._whispers._watching is not before)
    before = house.showing._whispers._watching
    await until(lambda: house.showing._whispers._watching is not before)
    await house.showing.settle()


@pytest.mark.parametrize("when", ["said", "edited"])
@pytest.mark.parametrize("remembered", [True, False], ids=["at hand", "out of memory"])
async def test_exposed_cards_are_put_away_before_its_token_is_over(
    house: House,
    laid_open: tuple[MatchId, set[Seat], time_machine.Traveller],
    when: str,
    remembered: bool,
) -> None:
    """Rows 10 and 26: nothing could take them from there later, and nobody plays meanwhile."""
    match, looking, clock = laid_open
    if when == "said":
        looking.add(A)
    await house.showing.whispered(match, A, 4, FIRST)
    await house.showing.whispered(match, B, 4, PrivatePlace(9, "three", MessageId(73)))
    if when == "edited":  # he looks by a press on another message
        looking.add(A)
        await house.shows(match, *next(turns()))
        assert ("edit", 71) in changed(house)
        house.discord.sent.clear()
    if not remembered:
        house.tables.forget(match)
    clock.shift(timedelta(minutes=12, seconds=55))
    await passes(house)
    assert changed(house) == []
    clock.shift(timedelta(seconds=5))
    await until(lambda: changed(house) == [("edit", 71)])
    await passes(house)
    assert changed(house) == [("edit", 71)]
    clock.shift(timedelta(minutes=1))
    await until(lambda: house.showing._whispers._watching is None)
    assert changed(house) == [("edit", 71)]


async def test_closing_looks_only_at_matches_in_which_exposed_cards_stand(
    house: House,
    laid_open: tuple[MatchId, set[Seat], time_machine.Traveller],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A house that has run for long is stopped as quickly as a new one."""
    match, looking, clock = laid_open
    plain, long_ago = await house.match(), await house.match(rules=EXPOSING)
    await house.shows(plain)
    await house.shows(long_ago)
    monkeypatch.setattr(bot.shown.whispers, "WATCHED_EVERY", timedelta(hours=1))
    looking.add(A)
    await house.showing.whispered(long_ago, A, 2, SECOND)
    clock.shift(TOKEN_LASTS)
    await house.showing.whispered(plain, A, 2, PrivatePlace(9, "three", MessageId(73)))
    await house.showing.whispered(match, A, 4, FIRST)
    for each in (match, plain, long_ago):
        house.tables.forget(each)
    await house.showing.settle()
    house.discord.sent.clear()
    looked: list[MatchId] = []
    monkeypatch.setattr(house.showing, "changed", looked.append)
    await house.showing.close(timedelta(seconds=5))
    assert looked == [match]


def test_a_token_is_never_shown() -> None:
    assert "one" not in repr(FIRST)


@pytest.mark.usefixtures("brisk")
@pytest.mark.parametrize("failures", [[], [TryLater("503")]], ids=["at once", "in the end"])
async def test_one_beside_a_direct_message_shows_no_more_than_that_does(
    house: House, match: MatchId, failures: list[TryLater]
) -> None:
    """Its reader acts by the other: what is hidden again by then may not go on standing here."""
    await house.shows(match, *REFUSED)
    await house.showing.whispered(match, B, 4, FIRST)
    hand = await house.hand(match, B)
    house.discord.failing["edit", PRIVATE] = [*failures]
    await house.acted(match, next(turns())[0])
    await house.showing.hand_shown(match, B, hand.channel_id, hand.message_id, 5)
    house.showing.changed(match)
    await until(lambda: ("edit", MessageId(71)) in changed(house))
    await house.showing.settle()
    assert changed(house) == [("edit", 71)]
