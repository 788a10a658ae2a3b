"""Private answers with somebody's hand: one a seat, kept true while Discord lets us."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

import bot.shown.whispers
from bot.mail.post import MessageGone, PrivatePlace, TryLater
from bot.shown.whispers import LASTS
from db.ids import MatchId, MessageId
from tests.bot.playing import ADA, BEN, LOUNGE, PRIVATE, REFUSED, A, B, House, turns, until

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
        clock.shift(LASTS + timedelta(seconds=1))
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


async def test_exposed_cards_are_put_away_before_its_token_is_over(
    house: House, closed: MatchId, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows 10 and 26: nothing could take them from there later."""
    monkeypatch.setattr(bot.shown.whispers, "exposes", lambda _table, seat: seat is A)
    with time_machine.travel(datetime.now(UTC), tick=False) as clock:
        await house.showing.whispered(closed, A, 4, FIRST)
        await house.showing.whispered(closed, B, 4, PrivatePlace(9, "three", MessageId(73)))
        for minute in range(15):
            house.showing.changed(closed)
            await house.showing.settle()
            assert changed(house) == ([] if minute < 13 else [("edit", 71)])
            clock.shift(timedelta(minutes=1))


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
