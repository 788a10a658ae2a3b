"""What a clock changes of what stands on Discord: edits in place, and no flood of calls.

Ada (seat A) and Ben (seat B) have cut KD and 7H: Ada deals, Ben is to act first.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.clock import Clock
from bot.mail.post import NOBODY, MessageGone, Ping, TryLater
from bot.shown.crier import TableCrier
from bot.ui.pages import note_page
from db.ids import ChannelId, MatchId
from db.rows import CLOCK, NewEntry, ShownKind, Wishes
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
    turns,
    until,
)


async def redraws(house: House, match: MatchId) -> None:
    house.discord.sent.clear()
    house.showing.redraw(match)
    await house.showing.settle()


async def time_up(house: House, match: MatchId, *lines: str) -> None:
    """Let the clock act, and everything be shown."""
    entries = [NewEntry(line, seat=0 if line[0] == "A" else 1, actor=CLOCK) for line in lines]
    async with house.store.transaction() as tx:
        head = await tx.matches.head(match)
        assert head is not None
        await tx.matches.append(match, head, entries, datetime.now(UTC))
    await house.shows(match)


async def test_a_deadline_that_moved_is_shown_in_place_and_calls_nobody(
    house: House, match: MatchId
) -> None:
    await redraws(house, match)
    assert {channel: house.discord.acts(channel) for channel in (LOUNGE, TO_ADA, TO_BEN)} == {
        LOUNGE: ["edit"],
        TO_ADA: ["edit"],
        TO_BEN: ["edit"],
    }
    house.discord.sent.clear()
    house.showing.changed(match)
    await house.showing.settle()
    assert house.discord.sent == []


async def test_it_is_edited_however_old_the_messages_are(house: House, match: MatchId) -> None:
    for row in (await house.rows(match)).values():
        await house.ages(row)
    house.restart()
    await redraws(house, match)
    assert {request.act for request in house.discord.sent} == {"edit"}


async def test_what_could_not_be_edited_now_is_edited_later(
    house: House, match: MatchId, brisk: None
) -> None:
    house.discord.failing["edit", LOUNGE] += [TryLater("a bad day"), TryLater("still")]
    await redraws(house, match)
    await until(lambda: house.discord.acts(LOUNGE) == ["edit"])


async def test_a_table_that_was_deleted_is_posted_when_its_deadline_moves(
    house: House, match: MatchId
) -> None:
    house.discord.failing["edit", LOUNGE].append(MessageGone("deleted"))
    await redraws(house, match)
    assert house.discord.acts(LOUNGE) == ["send", "delete"]


async def test_who_lets_his_turns_run_out_is_called_to_the_first_two_only(
    house: House, match: MatchId
) -> None:
    """Row 5: an hour of a live match would be a flood of messages to somebody who is away."""
    await house.shows(match, *REFUSED, ago=LONG_AGO)
    turn = turns()
    sent = []
    for _number in range(3):
        house.discord.sent.clear()
        await time_up(house, match, *next(turn))  # Ben's turn
        await house.shows(match, *next(turn))  # Ada's
        sent.append(house.discord.acts(TO_BEN).count("send"))
    assert sent == [1, 0, 0]
    await house.shows(match, *next(turn))  # he is back
    house.discord.sent.clear()
    await house.shows(match, *next(turn))
    assert house.discord.acts(TO_BEN).count("edit") == 1  # and has acted a moment ago


@pytest.mark.parametrize("way", ["removed", "out of order"])
async def test_a_hand_that_is_shown_while_the_server_is_away_says_so_until_it_is_back(
    house: House, way: str
) -> None:
    """Also after an outage too short to look another deadline."""
    match = await house.match(clock=Clock(timedelta(days=3)))
    await house.shows(match)

    def said() -> str:
        last = [sent for sent in house.discord.sent if sent.channel == TO_BEN][-1]
        house.discord.sent.clear()
        return last.said

    assert "Your time ends" in said()
    if way == "removed":
        await house.presence.removed(CLUB)
    else:
        house.presence.out_of_order(CLUB)
    await redraws(house, match)
    assert "so the clock stands still until I can. You may play on here." in said()
    await house.presence.back(CLUB)
    await house.showing.server_back(CLUB, in_doubt=False)
    await house.showing.settle()
    assert "Your time ends" in said()
    await house.showing.server_back(CLUB, in_doubt=False)
    await house.showing.settle()
    assert house.discord.acts(TO_BEN) == []


def crier_of(house: House) -> TableCrier:
    return TableCrier(house.showing, house.discord, house.people)


async def remind(house: House, match: MatchId, seat: Seat) -> None:
    table = await house.tables.load(match)
    assert table is not None
    shown = await house.showing.shown(table, None)
    crier = crier_of(house)
    due = shown.deadline
    await crier.remind(table, seat, due)  # type: ignore[arg-type]  # no clock: neither has one


async def test_a_reminder_goes_when_its_reader_has_acted(house: House, match: MatchId) -> None:
    house.discord.sent.clear()
    await remind(house, match, B)
    (reminder,) = house.discord.sent
    assert (reminder.act, reminder.channel, reminder.silent) == ("send", TO_BEN, False)
    assert (ShownKind.REMINDER, B) in await house.rows(match)
    await house.shows(match, "B pass")
    assert (ShownKind.REMINDER, B) not in await house.rows(match)
    assert reminder.message in {one.message for one in house.discord.sent if one.act == "delete"}


async def test_who_wants_no_calls_is_reminded_silently_and_never_in_the_channel(
    house: House, match: MatchId
) -> None:
    await house.people.wish(BEN, Wishes(calls=False))
    house.discord.sent.clear()
    await remind(house, match, B)
    assert [one.silent for one in house.discord.sent] == [True]
    await house.people.closed(BEN)
    house.discord.sent.clear()
    await remind(house, match, B)
    assert house.discord.sent == []


async def test_with_closed_messages_a_reminder_calls_in_the_channel(
    house: House, match: MatchId
) -> None:
    await house.people.closed(BEN)
    house.discord.sent.clear()
    await remind(house, match, B)
    (reminder,) = house.discord.sent
    assert (reminder.channel, reminder.ping) == (LOUNGE, Ping((BEN,)))


async def test_everybody_at_an_idle_table_is_asked(house: House, match: MatchId) -> None:
    table = await house.tables.load(match)
    assert table is not None
    house.discord.sent.clear()
    await crier_of(house).ask_to_close(table)
    assert [one.channel for one in house.discord.sent] == [TO_ADA, TO_BEN]
    await crier_of(house).time_is_up(table, A)
    assert [one.channel for one in house.discord.sent[2:]] == [TO_ADA, TO_BEN]


@pytest.mark.parametrize(
    ("calls", "closed", "where", "silent", "ping"),
    [
        (True, False, TO_BEN, False, NOBODY),
        (False, False, TO_BEN, True, NOBODY),
        (True, True, LOUNGE, False, Ping((BEN,))),
        (False, True, LOUNGE, True, NOBODY),
    ],
)
async def test_a_question_is_always_asked_but_calls_only_who_wants_calls(
    house: House,
    match: MatchId,
    calls: bool,
    closed: bool,
    where: ChannelId,
    silent: bool,
    ping: Ping,
) -> None:
    table = await house.tables.load(match)
    assert table is not None
    await house.people.wish(BEN, Wishes(calls=calls))
    if closed:
        await house.people.closed(BEN)
    house.discord.sent.clear()
    await house.showing.ask_others(table, A, lambda _called: note_page("Shall we stop?"))
    (asked,) = house.discord.sent
    assert (asked.channel, asked.silent, asked.ping) == (where, silent, ping)
    assert (ShownKind.QUESTION, B) in await house.rows(match)
