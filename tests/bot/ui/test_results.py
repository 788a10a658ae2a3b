"""Results with every number explained; expected values worked out by hand."""

from __future__ import annotations

from bot.ui.matchend import match_over
from bot.ui.results import formula, hand_over, score_line
from gin import Match, Resign, Rules, Seat, view
from gin.rules import BoxTiming, Limit, Scoring, Shutout, SpadesDouble, Tie
from tests.bot.ui.staging import knocked, may_gin
from tests.gin import table

A, B, C = Seat.A, Seat.B, Seat.C
NAMES = ("Ann", "Bob", "Cat")


def said(match: Match) -> str:
    return hand_over(match.results[-1], NAMES, view(match, None))


def test_a_knock_is_explained_as_the_difference() -> None:
    # B keeps 2♣3♣4♣ and the sevens; K♠ 8♦ 6♣ A♠ are 25. 25 - 5 = 20 (S01 of the scenarios).
    match = table.play(knocked(), "B layoff 2C3C4C/7S7D7H -")
    assert said(match).splitlines() == [
        "### Hand 1: Ann knocks and scores 20",
        "Ann: 4♥ 5♥ 6♥ · 9♠ 9♦ 9♣ · J♣ Q♣ K♣ · loose 5♦ · deadwood 5 (discard K♦)",
        "Bob: 2♣ 3♣ 4♣ · 7♠ 7♥ 7♦ · loose A♠ K♠ 8♦ 6♣ · deadwood 25",
        "25 − 5 = **20** for Ann (difference of the deadwoods)",
        "And a box for Ann: 25 more at the end.",
    ]


def test_cards_laid_off_are_named() -> None:
    match = table.play(knocked(), "B layoff 2C3C4C - 7H")
    # Without the set of sevens: A♠ 1, 7♠ 7, K♠ 10, 7♦ 7, 8♦ 8, 6♣ 6 = 39.
    assert "Bob: laid off 7♥ · 2♣ 3♣ 4♣ · loose A♠ 7♠ K♠ 7♦ 8♦ 6♣ · deadwood 39" in said(match)
    assert "39 − 5 = **34** for Ann" in said(match)


def test_an_undercut_is_explained_with_its_bonus() -> None:
    match = table.undercut(table.started(), B, 28)
    assert "Bob undercuts Ann and scores 28" in said(match)
    assert "10 − 7 + 25 = **28** for Bob (difference of the deadwoods, undercut bonus)" in said(
        match
    )


def test_gin_is_explained_with_the_others_deadwood() -> None:
    # B: 2♣3♣4♣ melded; 7♠ 7♦ K♠ 8♦ 6♣ A♠ Q♥ loose: 7+7+10+8+6+1+10 = 49.
    match = table.play(may_gin(), "A knock KD 4H5H6H7H/9S9D9C/JCQCKC")
    assert "Hand 1: Ann goes gin and scores 74" in said(match)
    assert "49 + 25 = **74** for Ann (Bob's deadwood, gin bonus)" in said(match)


def spade_gin(doubling: SpadesDouble) -> Match:
    rules = Rules(knock_limit=Limit.UPCARD, spades_double=doubling)
    hand = "4H 5H 6H 9S 9D 9C JC QC KC KD"
    deal = table.stacked(hand, table.DEFENDER.replace("7H", "QH"), "TS", "7H")
    return table.play(
        table.started(rules).after(deal),
        "A pass",
        "B pass",
        "A draw stock",
        "A knock KD 4H5H6H7H/9S9D9C/JCQCKC",
    )


def test_a_spade_doubles_everything() -> None:
    match = spade_gin(SpadesDouble.ALL)
    assert formula(match.results[-1]) == "(49 + 25) × 2"
    assert "= **148** for Ann" in said(match)
    assert "(Bob's deadwood, gin bonus, all of it doubled by the spade 10♠)" in said(match)


def test_a_spade_may_double_the_deadwood_only() -> None:
    match = spade_gin(SpadesDouble.DIFFERENCE)
    assert formula(match.results[-1]) == "49 × 2 + 25"
    assert "= **123** for Ann (Bob's deadwood, doubled by the spade 10♠; gin bonus)" in said(match)


def test_a_void_hand_says_why_and_who_deals() -> None:
    match = table.void(table.started())
    assert "Hand 1 is void: only two cards were left in the stock" in said(match)
    assert "Nobody scores. Bob deals again." in said(match)
    assert formula(match.results[-1]) == ""


def level(tie: Tie) -> Match:
    deal = table.stacked(table.KNOCKER, "2C 3C 4C 7S 7D 7H 8S 8D 8H 5S", "TS", "KD")
    match = table.play(
        table.started(Rules(tie=tie)).after(deal),
        "A pass",
        "B pass",
        "A draw stock",
        f"A knock KD {table.SPREAD}",
    )
    return table.play(match, "B layoff 2C3C4C/7S7D7H/8S8D8H -")


def test_level_deadwood_is_told_as_the_house_plays_it() -> None:
    assert "5 − 5 + 25 = **25** for Bob" in said(level(Tie.UNDERCUT))
    assert "is void: level deadwood" in said(level(Tie.DRAW))
    drawn = said(level(Tie.NO_BONUS))
    assert "Bob wins the hand with no points" in drawn
    assert "5 − 5 = **0** for Bob (level deadwood, no bonus)" in drawn


def test_a_box_may_count_at_once() -> None:
    match = table.won(table.started(Rules(box_timing=BoxTiming.AT_ONCE)), A, 30)
    assert "And a box for Ann: 25 more at once." in said(match)
    assert score_line(view(match, None), NAMES[:2]) == "Ann **55** – **0** Bob"


def test_in_hollywood_a_win_brings_a_box_in_each_game_in_which_it_is_entered() -> None:
    match = table.won(table.started(Rules(scoring=Scoring.HOLLYWOOD, box_bonus=20)), A, 30)
    assert "And a box for Ann in game 1: 20 more at its end." in said(match)
    match = table.won(match, A, 30)
    assert "And a box for Ann in each of the games 1 and 2: 20 more at their ends." in said(match)


def test_the_score_names_both_players() -> None:
    match = table.won(table.won(table.started(), A, 30), B, 25)
    assert score_line(view(match, None), NAMES[:2]) == "Ann **30** – **25** Bob"


def test_hollywoods_score_goes_game_by_game() -> None:
    match = table.started(Rules(scoring=Scoring.HOLLYWOOD))
    for winner, points in ((A, 30), (A, 25), (B, 47), (A, 60)):
        match = table.won(match, winner, points)
    # Game 1: A 30+25+60 = 115 closes it, B 47. Game 2: A 25+60. Game 3: A 60.
    assert score_line(view(match, None), NAMES[:2]) == (
        "Ann – Bob · game 1: **115** – **47** (closed) · game 2: **85** – **0** "
        "· game 3: **60** – **0**"
    )


def test_three_players_have_three_columns() -> None:
    match = table.won(table.started(Rules(scoring=Scoring.ROTATION)), A, 30)
    assert score_line(view(match, None), NAMES) == "Ann **30** · Bob **0** · Cat **0**"


def test_the_settlement_spells_out_game_bonus_and_boxes() -> None:
    match = table.started()
    for winner, points in ((A, 60), (B, 25), (A, 47)):
        match = table.won(match, winner, points)
    # A 60 + 47 = 107, game 100, two boxes 50: 257. B 25 and one box: 50.
    assert match_over(view(match, None), NAMES[:2]).splitlines() == [
        "Ann: 107 in hands + 100 game bonus + 50 for 2 boxes = **257**",
        "Bob: 25 in hands + 25 for 1 box = **50**",
    ]


def test_a_shutout_is_spelled_out() -> None:
    match = table.started(Rules(shutout=Shutout.PLUS_100))
    match = table.won(table.won(match, A, 60), A, 60)
    assert (
        "Ann: 120 in hands + 100 game bonus + 50 for 2 boxes + 100 for the shutout = **370**"
        in match_over(view(match, None), NAMES[:2])
    )


def test_who_resigned_is_said_and_what_stands() -> None:
    match = table.won(table.started(), A, 30).after(table.stacked()).after(Resign(A))
    told = match_over(view(match, None), NAMES[:2])
    assert told.splitlines()[0] == "Ann resigned."
    assert "Ann: 30 in hands + 25 for 1 box = **55**" in told
