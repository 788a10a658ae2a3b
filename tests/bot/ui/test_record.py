"""The leaderboard and the list of matches in play."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.ui.page import ChallengeShown, LeaderRow, OpenChallenge, PersonShown
from bot.ui.pages import leaderboard_page, status_page
from gin import Rules, Seat
from tests.bot.ui.limits_check import check_page
from tests.bot.ui.staging import (
    ANN,
    AWKWARD_NAMES,
    BOB,
    CAT,
    LATER,
    URL,
    buttons,
    has_eleven,
    may_knock,
    named,
    shown,
    text,
)
from tests.gin import table


def row(rank: int, person: int, name: str, won: int = 5) -> LeaderRow:
    return LeaderRow(rank, PersonShown(person, name), 10, won, 1000)


def board(page_text: str) -> list[str]:
    return page_text.split("```")[1].strip("\n").splitlines()


def test_ranks_are_shown_as_given_and_ones_own_row_is_marked() -> None:
    rows = [row(1, 1, "Ann", 8), row(2, 2, "Bob"), row(2, 3, "Cat"), row(4, 4, "Dan", 1)]
    lines = board(text(leaderboard_page(rows, 9, 0, 1, 3)))
    assert lines == [
        "   # Player        Played Won Points",
        "   1 Ann               10   8   1000",
        "   2 Bob               10   5   1000",
        "›  2 Cat               10   5   1000",
        "   4 Dan               10   1   1000",
    ]


def test_former_players_on_one_page_of_the_leaderboard_are_told_apart() -> None:
    rows = [row(1, -5, "Former player"), row(2, 2, "Bob"), row(3, -4, "Former player")]
    lines = board(text(leaderboard_page(rows, 9, 0, 1)))
    assert [line[5:18] for line in lines[1:]] == ["Former play…1", "Bob          ", "Former play…2"]
    alone = board(text(leaderboard_page(rows[:2], 9, 0, 1)))
    assert alone[1].startswith("   1 Former player ")


def test_it_is_said_whose_row_is_marked_and_a_phone_shows_every_column() -> None:
    page = text(leaderboard_page([row(1, 1, "Ann"), row(2, 2, "Bob")], 9, 0, 1, 2))
    assert "› is Bob, who asked." in page
    assert all(len(line) <= 36 for line in board(page))
    assert "who asked" not in text(leaderboard_page([row(1, 1, "Ann")], 9, 0, 1, 5))


def test_ones_own_row_from_another_page_stands_below() -> None:
    lines = board(text(leaderboard_page([row(1, 1, "Ann")], 9, 0, 3, 7, row(44, 7, "Me"))))
    assert lines[-1].startswith("› 44 Me")


def test_the_leaderboard_is_paged_with_the_server_in_the_control() -> None:
    middle = leaderboard_page([row(1, 1, "Ann")], 99, 1, 3, 1)
    assert buttons(middle) == {
        "‹ Previous": "gin:leaderboard-page:99:0:0",
        "Next ›": "gin:leaderboard-page:99:0:2",
    }
    assert "Page 2 of 3." in text(middle)
    first = leaderboard_page([row(1, 1, "Ann")], 99, 0, 3, 1)
    assert list(buttons(first)) == ["Next ›"]
    assert buttons(leaderboard_page([row(1, 1, "Ann")], 99, 0, 1, 1)) == {}


def test_an_empty_leaderboard_invites_to_play() -> None:
    page = leaderboard_page([], 99, 0, 0, 1)
    assert "`/gin challenge`" in text(page)
    check_page(page)


@pytest.mark.parametrize("name", AWKWARD_NAMES.values(), ids=AWKWARD_NAMES.keys())
def test_awkward_names_keep_the_columns_in_line(name: str) -> None:
    rows = [LeaderRow(10**3, PersonShown(n, name), 10**4, 10**4, 10**6) for n in range(25)]
    page = leaderboard_page(rows, 10**18, 5, 99, 3)
    check_page(page)
    said = text(page)
    assert said.count("```") == 2
    assert len(board(said)) == 26
    assert {line[-19:] for line in board(said)[1:]} == {"  10000100001000000"}


def test_matches_that_wait_for_the_asker_stand_first() -> None:
    waiting = shown(has_eleven(), match_id=1)
    other = replace(waiting, match_id=2, people=waiting.people[::-1])
    page = status_page([other, waiting], 101)
    said = text(page)
    assert said.index("Ann – Bob") < said.index("Bob – Ann")
    assert "**Your turn**" in said
    assert buttons(page)["My hand"] in ("gin:my-hand:1:7", "gin:my-hand:2:7")


def test_a_match_without_a_table_says_why_and_how_it_goes_on() -> None:
    here = shown(has_eleven())
    hidden = replace(here, has_table=False, table_url=None)
    gone = text(status_page([replace(hidden, channel_gone=True)], 101))
    assert "The channel of its table is gone" in gone
    assert "`/gin-admin match-move`" in gone
    waiting = text(status_page([hidden], 101))
    assert "Its table can't be shown at present. Play on with `/gin hand`." in waiting
    assert "gone" not in waiting
    assert "`/gin hand`" not in text(status_page([hidden], 999))
    assert "`/gin hand`" not in text(status_page([here], 101))


def test_a_strangers_match_has_no_hand_button() -> None:
    page = status_page([shown(has_eleven())], 999)
    assert list(buttons(page)) == ["Score sheet"]
    assert URL in repr(page.layout.to_components())


def test_no_match_says_how_to_begin_one() -> None:
    assert "`/gin challenge`" in text(status_page([], 101))


def test_open_challenges_are_named_with_where_they_stand() -> None:
    mine = ChallengeShown(5, ANN, (BOB, CAT), Rules(), LATER)
    asked = ChallengeShown(6, BOB, (ANN,), Rules(), LATER, house="Friday")
    said = text(status_page([], 101, [OpenChallenge(mine, URL), OpenChallenge(asked)]))
    moment = f"<t:{int(LATER.timestamp())}:t>"
    assert "No match in play yet" in said
    assert (
        f"- You challenged Bob and Cat (Standard gin · to 100); the offer stands until {moment}. "
        f"[Show it]({URL})" in said
    )
    assert "- Bob challenged you (Standard gin · to 100 · house rules “Friday”)" in said
    assert "Answer with `/gin respond`." in said
    waits = replace(mine, accepted=(102,))
    assert "You accepted Ann's challenge" in text(status_page([], 102, [OpenChallenge(waits)]))


def test_many_challenges_and_matches_keep_the_limits() -> None:
    match = table.started().after(table.stacked())
    for name in AWKWARD_NAMES.values():
        several = [shown(match, match_id=number, people=named(name)) for number in range(30)]
        first, *others = named(name)
        one = ChallengeShown(5, first, tuple(others), Rules(), LATER, house=name)
        page = status_page(several, 101, [OpenChallenge(one, URL)] * 30)
        check_page(page)
        assert "And 25 more." in text(page)


def test_many_matches_are_cut_and_counted() -> None:
    match = table.started().after(table.stacked())
    for name in AWKWARD_NAMES.values():
        several = [shown(match, match_id=number, people=named(name)) for number in range(30)]
        page = status_page(several, 101)
        check_page(page)
        assert "And 23 more." in text(page)


def test_each_of_several_matches_says_where_it_is_played() -> None:
    one, other = (shown(has_eleven(), match_id=number) for number in (1, 2))
    said = text(status_page([one, other], 101, (), {1: "<#5>", 2: ""}))
    assert [line for line in said.splitlines() if line.startswith("###")] == [
        "### Ann – Bob · <#5>",
        "### Ann – Bob",
    ]


def test_a_finished_match_is_told_as_such() -> None:
    match = table.won(table.won(table.started(), Seat.A, 60), Seat.A, 60)
    page = status_page([shown(match)], 101)
    assert "Ann wins the match!" in text(page)
    assert list(buttons(page)) == ["Score sheet"]


def test_who_plays_in_none_of_the_matches_here_is_told_so() -> None:
    here = shown(may_knock())
    assert "You don't play in it." in text(status_page([here], 999))
    assert "You play in none of them." in text(status_page([here, here], 999))
    for said in (text(status_page([here, here], 101)), text(status_page([], 999))):
        assert "to play with you" not in said
