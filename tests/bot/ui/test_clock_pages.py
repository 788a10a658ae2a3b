"""What the clock says on the table, on one's own hand, and in what it has people told."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.clock import Clock, TimeUp
from bot.ui.page import ChallengeShown, MatchShown
from bot.ui.pages import challenge_page, gone_page, knock_page, panel_page, status_page, table_page
from bot.ui.pages.clocks import idle_page, reminder_page, time_up_page, vacation_over_page
from bot.ui.pages.settings import SettingsShown, settings_page
from gin import Cancel, Forfeit, Rules, Seat
from tests.bot.ui.limits_check import check_page
from tests.bot.ui.staging import (
    ANN,
    AWKWARD_NAMES,
    BOB,
    LATER,
    buttons,
    knocked,
    may_knock,
    named,
    shown,
    text,
)

LIVE = Clock(timedelta(minutes=2))
STAMP = f"<t:{int(LATER.timestamp())}:R>"
A, B = Seat.A, Seat.B


def clocked(of: MatchShown, **how: object) -> MatchShown:
    return replace(of, clock=LIVE, **how)  # type: ignore[arg-type]


def test_the_deadline_stands_on_the_table_on_the_hand_and_on_the_lay_off() -> None:
    table = text(table_page(clocked(shown(may_knock()), deadline=LATER)))
    assert f"Ann to discard · deadline {STAMP}" in table
    assert "2 minutes a turn" in table
    pages = (
        panel_page(clocked(shown(may_knock(), A), deadline=LATER)),
        panel_page(clocked(shown(knocked(), B), deadline=LATER)),
        knock_page(clocked(shown(may_knock(), A), deadline=LATER)),
    )
    for page in pages:
        (line,) = [line for line in text(page).splitlines() if STAMP in line]
        assert line == f"Your time ends **{STAMP}**. Then the house plays this turn for you."
    waits = text(panel_page(clocked(shown(may_knock(), B), deadline=LATER)))
    assert f"\nAnn's time ends **{STAMP}**. Then the house plays that turn.\n" in waits
    assert STAMP in text(status_page([clocked(shown(may_knock()), deadline=LATER)], ANN.id))


def test_the_others_read_who_is_on_vacation_and_when_the_clock_goes_on() -> None:
    away = clocked(shown(may_knock()), back_by=LATER)
    stands = f"on vacation, so the clock stands still; it goes on {STAMP} at the latest"
    for said in (text(table_page(away)), text(status_page([away], BOB.id))):
        assert f"Ann to discard · Ann is {stands}" in said
        assert "deadline" not in said
    assert f"**Your turn** · you are {stands}" in text(status_page([away], ANN.id))
    bold = f"clock stands still; it goes on **{STAMP}** at the latest."
    waits = text(panel_page(clocked(shown(may_knock(), B), back_by=LATER)))
    assert f"Ann is on vacation, so the {bold}" in waits
    own = text(panel_page(clocked(shown(may_knock(), A), back_by=LATER)))
    assert f"You are on vacation, so your {bold}" in own


def test_while_the_server_is_away_each_reads_that_the_clock_stands_still() -> None:
    away = clocked(shown(may_knock()), server_away=True)
    line = "Ann to discard · the clock stands still while I can't reach the server"
    assert line in text(table_page(away))
    assert line in text(status_page([away], BOB.id))
    for page, yours in (
        (panel_page(clocked(shown(may_knock(), A), server_away=True)), True),
        (panel_page(clocked(shown(may_knock(), B), server_away=True, back_by=LATER)), False),
        (panel_page(clocked(shown(knocked(), B), server_away=True)), True),
        (knock_page(clocked(shown(may_knock(), A), server_away=True)), True),
    ):
        check_page(page)
        said = text(page)
        assert "so the clock stands still until I can." in said
        assert ("You may play on here." in said) is yours
        assert "<t:" not in said


@pytest.mark.parametrize(
    ("then", "terms", "threat"),
    [
        (TimeUp.FORFEIT_MATCH, "then the match is lost", "Then Ann loses the match."),
        (TimeUp.FORFEIT_HAND, "then the hand is lost", "Then Ann loses this hand."),
        (TimeUp.WAIT, "then everybody waits", "Then you are told."),
    ],
)
def test_the_table_and_both_hands_say_what_happens_when_the_time_is_up(
    then: TimeUp, terms: str, threat: str
) -> None:
    clock = replace(LIVE, then=then)
    for seat in (None, A, B):
        of = replace(clocked(shown(may_knock(), seat), deadline=LATER), clock=clock)
        said = text(table_page(of) if seat is None else panel_page(of))
        assert f"2 minutes a turn, {terms}" in said
        assert (threat in said) == (seat is B)


def test_where_everybody_waits_it_says_since_when_the_time_was_up() -> None:
    said = text(table_page(clocked(shown(may_knock()), deadline=LATER, time_is_up=True)))
    assert f"the time was up {STAMP}" in said


def test_it_is_told_for_whom_the_house_played() -> None:
    by_house = clocked(shown(may_knock()), stood_in=B)
    assert "Bob's time was up, so the house played that turn." in text(table_page(by_house))
    mine = clocked(shown(may_knock(), B), stood_in=B)
    assert "Your time was up, so the house played that turn for you." in text(panel_page(mine))


def test_the_end_of_a_match_tells_what_the_clock_had_to_do_with_it() -> None:
    lost = shown(may_knock().after(Forfeit(A)))
    forfeits = replace(lost, clock=replace(LIVE, then=TimeUp.FORFEIT_MATCH), stood_in=A)
    assert "Ann's time was up." in text(table_page(forfeits))
    called_off = clocked(shown(may_knock().after(Cancel())), stood_in=A)
    assert "nobody came back to the table" in text(table_page(called_off))
    assert "time" not in text(table_page(shown(may_knock().after(Cancel()))))


def test_a_match_that_was_closed_idle_says_so_and_by_whom() -> None:
    closed = replace(shown(may_knock().after(Cancel())), closed_idle=B)
    assert "Nobody had played for two weeks, so Bob closed the match." in text(table_page(closed))


def test_a_match_that_was_called_off_as_somebody_had_left_says_so_and_by_whom() -> None:
    said = "Ann called the match off, since Bob had left the server."
    match = shown(may_knock().after(Cancel()))
    assert said in text(table_page(replace(match, left=(B,))))
    assert "had left" not in text(table_page(match))


@pytest.mark.parametrize(
    ("then", "says"),
    [
        (TimeUp.WAIT, "It is Ann's turn, so the match waits."),
        (
            TimeUp.PLAY_ON,
            "In each turn of Ann the match waits until the time is up. "
            "Then the house plays that turn.",
        ),
        (
            TimeUp.FORFEIT_MATCH,
            "In each turn of Ann the match waits until the time is up. Then Ann loses the match.",
        ),
    ],
)
def test_that_somebody_has_left_stays_true_over_the_turns_that_his_clock_ends(
    then: TimeUp, says: str
) -> None:
    of = replace(shown(may_knock(), deadline=LATER), clock=replace(LIVE, then=then))
    said = text(gone_page(of, A, [BOB.id]))
    assert says in said
    assert "<@102>" in said
    assert "<t:" not in said, "it stands for longer than this turn"


def test_an_idle_match_offers_to_be_closed_in_place_of_giving_it_up() -> None:
    page = panel_page(replace(shown(may_knock(), A), may_close=True))
    assert "Close the match" in buttons(page)
    assert "Resign…" not in buttons(page)
    assert "Close the match" not in buttons(panel_page(shown(may_knock(), A)))


def test_a_reminder_says_against_whom_until_when_and_what_happens_then() -> None:
    page = reminder_page(clocked(shown(may_knock()), deadline=LATER), A)
    assert "Against Bob · match 17" in text(page)
    assert STAMP in text(page)
    assert "the house plays this turn for you" in text(page)
    assert "<@" not in text(page)
    assert "<@101>" in text(reminder_page(clocked(shown(may_knock()), deadline=LATER), A, 101))
    assert "My hand" in buttons(page)


def test_when_the_time_is_up_the_player_and_the_others_are_told_in_their_own_words() -> None:
    waits = clocked(shown(may_knock()), deadline=LATER, time_is_up=True)
    assert "Your time is up" in text(time_up_page(waits, A, A))
    assert "Ann's time is up" in text(time_up_page(waits, A, B))
    assert "`/gin cancel`" in text(time_up_page(waits, A, B))
    assert "Against Bob · match 17" in text(time_up_page(waits, A, A))
    assert "Against Ann · match 17" in text(time_up_page(waits, A, B))


def test_who_is_back_from_vacation_reads_where_he_is_awaited_until_when_and_what_follows() -> None:
    slow = replace(shown(may_knock()), clock=Clock(timedelta(days=1)), deadline=LATER)
    page = vacation_over_page([slow], [A])
    assert "Your vacation is over" in text(page)
    assert "Against Bob · match 17 · until " + STAMP in text(page)
    assert "the house plays this turn for you" in text(page)
    assert "My hand" in buttons(page)
    assert "<@101>" in text(vacation_over_page([slow], [A], 101))


def test_who_is_awaited_in_many_matches_after_his_vacation_is_told_in_one_word() -> None:
    of = clocked(shown(may_knock(), people=named("W" * 32)), deadline=LATER)
    page = vacation_over_page([of] * 25, [A] * 25)
    check_page(page)
    assert "15 more matches" in text(page)
    assert buttons(page) == {}
    assert "`/gin hand`" in text(page)


def test_the_table_and_the_hand_say_that_a_vacation_is_over() -> None:
    slow = Clock(timedelta(days=1), TimeUp.FORFEIT_MATCH)

    def back(reader: Seat | None) -> MatchShown:
        of = shown(may_knock(), reader)
        return replace(of, clock=slow, deadline=LATER, vacation_over=True)

    assert f"Ann's vacation is over, deadline {STAMP}" in text(table_page(back(None)))
    assert "Your vacation is over, so your clock runs again." in text(panel_page(back(A)))
    other = back(B)
    assert "Ann's vacation is over, so the clock runs again." in text(panel_page(other))


def test_an_idle_match_asks_with_a_button() -> None:
    page = idle_page(shown(may_knock()), B)
    assert "Against Ann · match 17" in text(page)
    assert buttons(page)["Close the match"].startswith("gin:close:17:")


def test_the_pages_of_the_clock_hold_whatever_people_call_themselves() -> None:
    for name in AWKWARD_NAMES.values():
        of = clocked(shown(may_knock(), people=named(name)), deadline=LATER)
        for page in (reminder_page(of, A), time_up_page(of, A, B), idle_page(of, A)):
            check_page(page)
            assert "@everyone" not in text(page)


def test_a_challenge_tells_the_clock_or_that_there_is_none() -> None:
    asked = ChallengeShown(5, ANN, (BOB,), Rules(), LATER)
    assert "**No clock**" in text(challenge_page(asked))
    assert "**Clock**: 2 minutes a turn." in text(challenge_page(replace(asked, clock=LIVE)))


def test_the_settings_have_a_switch_for_vacation() -> None:
    here = settings_page(SettingsShown(101, True, False, vacation_days=30))
    assert "in any twelve months; 30 days are left" in text(here)
    assert buttons(here)["Go on vacation"].endswith(":vacation:on")
    away = settings_page(SettingsShown(101, True, False, vacation=LATER, vacation_days=16))
    assert STAMP in text(away)
    assert buttons(away)["I'm back"].endswith(":vacation:off")
    check_page(away)
