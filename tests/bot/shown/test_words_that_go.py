"""Words that ask for something, or offer it, go as soon as that is done or can't be done any more.

Ada (seat A) and Ben (seat B) have cut KD and 7H: Ada deals, Ben is to act first.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.clock import Clock, TimeUp
from bot.mail.post import ChannelGone, DirectMessagesClosed, MessageGone, NotAllowed, TryLater
from bot.play import deadlines
from bot.play.table import Table
from bot.shown.crier import TableCrier
from bot.ui.pages import note_page
from db.ids import ChannelId, MatchId
from db.rows import ShownKind, VacationRow
from db.store import told_of_commits
from gin import Seat
from tests.bot.playing import (
    BEN,
    CLUB,
    LONG_AGO,
    LOUNGE,
    REFUSED,
    TO_ADA,
    TO_BEN,
    A,
    B,
    House,
    until,
)

WAITS = Clock(timedelta(minutes=2), TimeUp.WAIT)
SLOW = Clock(timedelta(days=2))
ELSEWHERE = ChannelId(102)
WORDS = (
    ShownKind.REMINDER,
    ShownKind.WAITING,
    ShownKind.BACK,
    ShownKind.IDLE,
    ShownKind.QUESTION,
    ShownKind.NOTICE,
)


async def clocked(house: House, clock: Clock) -> MatchId:
    """A match with a clock that is shown, and whose turn begins now."""
    match = await house.match(clock=clock)
    async with house.store.transaction() as tx:
        await deadlines.begin(tx, await table_of(house, match), datetime.now(UTC))
    await house.shows(match)
    return match


async def table_of(house: House, match: MatchId) -> Table:
    table = await house.tables.load(match)
    assert table is not None
    return table


def crier_of(house: House) -> TableCrier:
    return TableCrier(house.showing, house.discord, house.people)


async def stand(house: House, match: MatchId) -> list[tuple[str, str]]:
    """The words that stand: their kind, and for whom."""
    rows = await house.rows(match)
    return sorted((kind.value, str(Seat(seat))) for kind, seat in rows if kind in WORDS)


def gone(house: House, *said: str) -> list[ChannelId]:
    """Where messages that said this were sent, and deleted."""
    deleted = {one.message for one in house.discord.sent if one.act == "delete"}
    return [
        one.channel
        for one in house.discord.sent
        if one.act == "send" and one.message in deleted and any(word in one.said for word in said)
    ]


async def test_that_time_is_up_takes_the_place_of_the_reminder_and_goes_with_the_turn(
    house: House,
) -> None:
    match = await clocked(house, WAITS)
    crier, table = crier_of(house), await table_of(house, match)
    shown = await house.showing.shown(table, None)
    assert shown.deadline is not None
    await crier.remind(table, B, shown.deadline)
    await crier.time_is_up(table, B)
    assert await stand(house, match) == [("reminder", "B"), ("waiting", "A")]
    assert gone(house, "running out", "time is up") == [TO_BEN]
    await house.shows(match, "B pass", ago=LONG_AGO)
    assert await stand(house, match) == []
    assert gone(house, "time is up") == [TO_ADA, TO_BEN]


async def test_who_has_only_drawn_is_still_waited_for(house: House, match: MatchId) -> None:
    await house.shows(match, *REFUSED)
    await crier_of(house).time_is_up(await table_of(house, match), B)
    await house.shows(match, "B draw stock")
    assert await stand(house, match) == [("reminder", "B"), ("waiting", "A")]
    await house.shows(match, "B resign")
    assert await stand(house, match) == []


async def test_times_that_are_up_one_after_another_never_pile_up(
    house: House, match: MatchId
) -> None:
    crier = crier_of(house)
    await crier.time_is_up(await table_of(house, match), B)
    await crier.time_is_up(await table_of(house, match), B)
    assert gone(house, "time is up") == [TO_ADA, TO_BEN]
    await house.shows(match, "B pass", ago=LONG_AGO)
    await crier.time_is_up(await table_of(house, match), A)
    assert await stand(house, match) == [("reminder", "A"), ("waiting", "B")]


async def test_an_idle_match_offers_to_be_closed_until_somebody_plays_or_it_is_over(
    house: House, match: MatchId
) -> None:
    await crier_of(house).ask_to_close(await table_of(house, match))
    assert await stand(house, match) == [("idle", "A"), ("idle", "B")]
    house.restart()  # they are remembered
    await house.shows(match, "B pass")
    assert await stand(house, match) == []
    await crier_of(house).ask_to_close(await table_of(house, match))
    await house.shows(match, "cancel")
    assert await stand(house, match) == []
    assert gone(house, "two weeks") == [TO_ADA, TO_BEN] * 2


async def test_what_came_after_the_act_that_it_asks_for_goes_at_once(
    house: House, match: MatchId
) -> None:
    table = await table_of(house, match)
    await house.shows(match, "B pass")
    await table_of(house, match)
    await crier_of(house).ask_to_close(table)
    await house.showing.settle()
    assert await stand(house, match) == []


async def test_the_word_that_a_vacation_is_over_goes_when_he_plays_in_one_of_the_matches(
    house: House, match: MatchId
) -> None:
    other = await house.match()
    await house.shows(other)
    house.discord.sent.clear()
    tables = [await table_of(house, one) for one in (match, other)]
    await crier_of(house).vacation_over(BEN, tables)
    (word,) = house.discord.sent
    assert (word.act, word.channel, word.silent) == ("send", TO_BEN, False)
    assert "Your vacation is over" in word.said
    assert await stand(house, match) == await stand(house, other) == [("back", "B")]
    await house.shows(other, "B pass")
    assert ("delete", word.message) in house.discord.done(TO_BEN)


async def test_a_reminder_says_the_new_deadline_and_goes_while_the_clock_stands_still(
    house: House,
) -> None:
    match = await clocked(house, SLOW)
    crier, table = crier_of(house), await table_of(house, match)
    shown = await house.showing.shown(table, None)
    assert shown.deadline is not None
    await crier.remind(table, B, shown.deadline)
    row = (await house.rows(match))[ShownKind.REMINDER, B]
    house.discord.sent.clear()
    house.showing.redraw(match)
    await house.showing.settle()
    assert ("edit", row.message_id) in house.discord.done(TO_BEN)
    house.discord.failing["edit", TO_BEN] = [MessageGone("deleted by its reader")]
    house.showing.redraw(match)
    await house.showing.settle()
    now = datetime.now(UTC)
    async with house.store.transaction() as tx:
        await tx.vacations.begin(VacationRow(BEN, now, now + timedelta(days=3)))
        deadline = await tx.deadlines.get(match)
        assert deadline is not None
        await tx.deadlines.stop(deadline, now, now + timedelta(days=3))
    house.showing.redraw(match)
    await house.showing.settle()
    assert await stand(house, match) == []
    assert ("delete", row.message_id) in house.discord.done(TO_BEN)


async def test_that_a_match_has_no_table_goes_when_it_has_one_also_after_a_restart(
    house: House, match: MatchId
) -> None:
    house.discord.failing["edit", LOUNGE] = [NotAllowed("50013")]
    await house.shows(match, "B pass")
    assert await stand(house, match) == [("notice", "A"), ("notice", "B")]
    await house.showing.close(timedelta(seconds=5))
    house.restart()
    house.discord.missing[LOUNGE] = ()
    await house.showing.restore()
    await house.shows(match, "A pass")
    assert await stand(house, match) == []
    assert gone(house, "show the table") == [TO_ADA, TO_BEN]


@pytest.mark.usefixtures("brisk")
async def test_that_a_match_has_no_table_goes_also_where_discord_fails_first(
    house: House, match: MatchId
) -> None:
    house.discord.failing["edit", LOUNGE] = [NotAllowed("50013")]
    await house.shows(match, "B pass")
    house.discord.missing[LOUNGE] = ()
    for place in (TO_ADA, TO_BEN):
        house.discord.failing["delete", place] = [TryLater("503")] * 2
    await house.showing.places.try_again(CLUB)
    await until(lambda: sorted(gone(house, "show the table")) == [TO_ADA, TO_BEN])


async def test_a_table_that_is_moved_out_of_a_channel_that_is_gone_is_found_by_its_players(
    house: House, match: MatchId
) -> None:
    """The hands lead there at once, though nobody has acted, and a word says where it is."""
    await house.shows(match, "B pass", ago=LONG_AGO)
    await house.showing.places.channel_gone(LOUNGE)
    await house.showing.settle()
    assert await stand(house, match) == [("notice", "A"), ("notice", "B")]
    async with house.tables.beside(match) as tx:
        await tx.matches.set_channel(match, ELSEWHERE)
    house.discord.sent.clear()
    await house.shows(match)
    hands = [(await house.hand(match, seat)).message_id for seat in (A, B)]
    assert ("edit", hands[0]) in house.discord.done(TO_ADA)
    assert ("edit", hands[1]) in house.discord.done(TO_BEN)
    assert await stand(house, match) == []
    words = [one for one in house.discord.sent if f"<#{ELSEWHERE}>" in one.said]
    assert [one.channel for one in words] == [TO_ADA, TO_BEN]
    assert (await house.showing.shown(await table_of(house, match), A)).has_table
    house.discord.sent.clear()
    await house.shows(match)
    assert house.discord.sent == []


@pytest.mark.usefixtures("brisk")
async def test_hands_lead_to_a_table_that_was_moved_from_where_it_stood_well(
    house: House, match: MatchId
) -> None:
    async with house.tables.beside(match) as tx:
        await tx.matches.set_channel(match, ELSEWHERE)
    house.discord.sent.clear()
    house.discord.failing["edit", TO_ADA] = [TryLater("a bad day")]
    await house.shows(match)
    assert house.discord.acts(TO_BEN) == ["edit"]
    assert not [one for one in house.discord.sent if one.act == "send" and one.channel == TO_BEN]


async def test_a_word_whose_channel_is_gone_is_no_fault(house: House, match: MatchId) -> None:
    await crier_of(house).time_is_up(await table_of(house, match), B)
    house.discord.failing["delete", TO_ADA] = [ChannelGone("10003")]
    await house.shows(match, "B pass")
    assert ("waiting", "A") not in await stand(house, match)


async def test_what_is_noted_of_messages_is_nothing_that_somebody_asked_for(
    house: House, match: MatchId
) -> None:
    """Row 1: whoever answers a question that is over by then isn't told that this counts."""
    table = await table_of(house, match)
    await house.showing.ask_others(table, A, lambda _called: note_page("Do you agree?"))
    assert (ShownKind.QUESTION, 1) in await house.rows(match)
    heard: list[int] = []
    told_of_commits.set(lambda: heard.append(1))
    await house.showing.questions_over(table)
    assert (ShownKind.QUESTION, 1) not in await house.rows(match)
    assert heard == []


# --------------------------------------------------------------- words that are pressed


async def test_a_reminder_that_is_pressed_is_the_hand_and_stays_when_the_turn_is_over(
    house: House,
) -> None:
    match = await clocked(house, WAITS)
    table = await table_of(house, match)
    shown = await house.showing.shown(table, None)
    assert shown.deadline is not None
    await crier_of(house).remind(table, B, shown.deadline)
    word = (await house.rows(match))[ShownKind.REMINDER, B].message_id
    before = (await house.hand(match, B)).message_id
    await house.showing.hand_shown(match, B, TO_BEN, word, table.head, pressed=True)
    assert await stand(house, match) == []
    await house.shows(match, "B pass")
    assert house.discord.done(TO_BEN)[-1] == ("edit", word)
    assert gone(house, "running out") == []
    assert ("delete", before) in house.discord.done(TO_BEN)
    assert house.discord.live(TO_BEN) == {word}


@pytest.mark.parametrize("is_closed", [False, True], ids=["open", "closed"])
async def test_what_closes_an_idle_match_shows_its_end_for_good(
    house: House, match: MatchId, is_closed: bool
) -> None:
    """Also in direct messages that take no new message by then."""
    await crier_of(house).ask_to_close(await table_of(house, match))
    word = (await house.rows(match))[ShownKind.IDLE, B].message_id
    await house.acted(match, "cancel")
    if is_closed:
        house.discord.failing["send", TO_BEN] = [DirectMessagesClosed("50007")]
    ended = await table_of(house, match)
    await house.showing.hand_shown(match, B, TO_BEN, word, ended.head, pressed=True)
    await house.shows(match)
    assert await stand(house, match) == []
    assert gone(house, "two weeks") == [TO_ADA]
    assert (await house.hand(match, B)).message_id == word
    assert house.discord.live(TO_BEN) == {word}
