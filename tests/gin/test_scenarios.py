"""The worked-out scenarios of tests/data/scenarios.json: hands, games, sheets, rotations.

Each is played through the library and compared with the result that the file expects; where a
house option gives one of the file's other readings, that too.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gin.actions import Knock, Phase, Seat
from gin.arrange import best_arrangement
from gin.cards import Card, parse_cards
from gin.errors import DoesNotFit, JustTaken, MalformedMeld, NotYourTurn, OverLimit
from gin.hand import Hand, apply, legal_actions
from gin.legal import may_knock
from gin.match import Match
from gin.melds import Meld
from gin.results import Ending, HandResult
from gin.rules import (
    OKLAHOMA,
    PRESETS,
    STRAIGHT,
    BoxTiming,
    IllegalKnock,
    NextDealer,
    OklahomaAce,
    Rules,
    Scoring,
    Shutout,
    SpadesDouble,
)
from gin.scoring import knock_limit
from gin.view import view
from tests.gin.table import (
    ODD,
    PASSES,
    PLAIN,
    A,
    B,
    C,
    act,
    cards,
    dealt,
    legal,
    play,
    refuses,
    result,
    short_stock,
    stacked,
    started,
    undercut,
    void,
    won,
)

# Any: the file's values differ in shape from scenario to scenario.
Scenario = dict[str, Any]

FILE = Path(__file__).parents[1] / "data" / "scenarios.json"
SCENARIOS: dict[str, Scenario] = {
    one["id"]: one for one in json.loads(FILE.read_text(encoding="utf-8"))["scenarios"]
}
KNOCKS = [
    name
    for name, one in SCENARIOS.items()
    if {"knocker_melds", "defender_hand"} <= one["setup"].keys()
]


def setup(name: str) -> Scenario:
    return dict(SCENARIOS[name]["setup"])


def expected(name: str) -> Scenario:
    return dict(SCENARIOS[name]["expected"])


def readings(name: str) -> dict[str, Scenario]:
    return {one["name"]: one for one in SCENARIOS[name]["readings"]}


def test_every_scenario_is_tested_here() -> None:
    source = Path(__file__).read_text(encoding="utf-8")
    missing = [name for name in SCENARIOS if name not in KNOCKS and f'"{name}"' not in source]
    assert not missing
    assert len(SCENARIOS) == 45


# Knocks: A's spread against B's best play


def melds_of(texts: list[list[str]]) -> tuple[Meld, ...]:
    return tuple(Meld.parse(" ".join(meld)) for meld in texts)


def joined(*texts: list[str]) -> str:
    return " ".join(" ".join(text) for text in texts)


def knocked(name: str, rules: Rules) -> HandResult:
    given = setup(name)
    knocker = joined(*given["knocker_melds"], given["knocker_deadwood_cards"])
    defender = joined(given["defender_hand"])
    shed = given["face_down_discard"]
    held = parse_cards(f"{knocker} {defender} {shed}")
    free = next(text for text in ("3H", "TC", "AC", "5C") if Card.parse(text) not in held)
    hand = dealt(knocker, defender, given.get("starter", free), shed, rules)
    hand = act(hand, *PASSES, "draw stock")
    assert hand.knock_limit == given["knock_limit"]
    hand = apply(hand, A, Knock(Card.parse(shed), melds_of(given["knocker_melds"])))
    return result(hand if hand.is_over else apply(hand, B, legal_actions(hand)[0]))


@pytest.mark.parametrize("name", KNOCKS)
def test_a_knock_is_scored_as_worked_out(name: str) -> None:
    one = knocked(name, PRESETS[SCENARIOS[name]["variant"]])
    assert {
        "kind": one.ending,
        "winner": str(one.winner),
        "points": one.points,
        "knocker_deadwood": sum(card.points for card in one.knocker_deadwood),
        "defender_deadwood": sum(card.points for card in one.defender_deadwood),
    } == expected(name)


def test_the_other_readings_of_a_spade_and_of_straight_gins_bonus_are_house_options() -> None:
    difference = replace(OKLAHOMA, spades_double=SpadesDouble.DIFFERENCE)
    assert knocked("O07", difference).points == 31
    assert readings("O07")["difference only doubled"]["points"] == 31
    no_bonus = replace(STRAIGHT, gin_bonus=0)
    assert knocked("T02", no_bonus).points == readings("T02")["no bonus"]["points"] == 51


# Knocking: what is legal


def drawn(name: str, rules: Rules = PLAIN) -> Hand:
    """A holds the scenario's eleven cards, the last of them just drawn from the stock."""
    *held, last = setup(name)["hand_11"]
    return act(dealt(joined(held), "", "3H", last, rules), *PASSES, "draw stock")


def test_a_knock_with_exactly_ten() -> None:
    hand = act(drawn("S13"), "knock KD 4H5H6H/9S9D9C/JCQCKC")
    assert hand.knock is not None
    assert hand.knock.deadwood == expected("S13")["knocker_deadwood"]


def test_an_illegal_knock_is_refused_or_where_the_house_plays_it_so_exposed() -> None:
    error = refuses(drawn("S14"), "knock KD 4H5H6H/9S9D9C", OverLimit)
    assert isinstance(error, OverLimit)
    assert error.deadwood == 18
    expose = Rules(illegal_knock=IllegalKnock.EXPOSE)
    hand = act(drawn("S14", expose), "knock KD 4H5H6H/9S9D9C")
    assert (hand.phase, hand.to_move) == (Phase.EXPOSED, B)
    assert legal(hand) == ["look", "take-back"]
    assert act(hand, "take-back", "discard KD").to_move is B


def test_where_only_gin_counts_four_points_are_too_many() -> None:
    #   3H 4H 5H · 9S 9D 9C · JC QC KC · 4S loose
    assert setup("T01")["deadwood"] == 4
    hand = dealt("3H 4H 5H 9S 9D 9C JC QC KC 4S", "", "TS", "KD", STRAIGHT)
    refuses(act(hand, *PASSES, "draw stock"), "knock KD 3H4H5H/9S9D9C/JCQCKC", OverLimit)


LOOSE = {3: "AH 2C", 4: "AH 3C", 7: "3C 4D", 8: "4D 4C", 10: "6D 4C", 11: "7D 4C"}


@pytest.mark.parametrize("name", ["O01", "O02", "O03"])
def test_the_starter_sets_the_limit(name: str) -> None:
    limit = expected(name)["limit"]
    for deadwood, is_legal in ((limit, True), (limit + 1, False)):
        held = f"6S 7S 8S 9S QS QH QD QC {LOOSE[deadwood]}"
        hand = dealt(held, "", setup(name)["starter"], "KD", OKLAHOMA)
        hand = act(hand, *PASSES, "draw stock")
        assert hand.knock_limit == limit
        text = "knock KD 6S7S8S9S/QSQHQDQC"
        if is_legal:
            assert act(hand, text).phase is Phase.LAYOFF
        else:
            refuses(hand, text, OverLimit)


def test_an_ace_as_starter_allows_one_or_only_gin() -> None:
    ace = Card.parse(setup("O05")["starter"])
    assert knock_limit(OKLAHOMA, ace) == expected("O05")["limit"] == 1
    only_gin = replace(OKLAHOMA, oklahoma_ace=OklahomaAce.GIN)
    assert knock_limit(only_gin, ace) == 0
    for rules, is_legal in ((OKLAHOMA, True), (only_gin, False)):
        hand = act(dealt("6S 7S 8S QS QH QD 4H 5H 6H AH", "", "AD", "KD", rules), *PASSES)
        hand = act(hand, "draw stock")
        text = "knock KD 6S7S8S/QSQHQD/4H5H6H"
        if is_legal:
            assert act(hand, text).phase is Phase.LAYOFF
        else:
            refuses(hand, text, OverLimit)
        gin = act(dealt("6S 7S 8S 9S QS QH QD 4H 5H 6H", "", "AD", "KD", rules), *PASSES)
        assert act(gin, "draw stock", "knock KD 6S7S8S9S/QSQHQD/4H5H6H").is_over


@pytest.mark.parametrize("ace", list(OklahomaAce))
def test_gin_under_the_ace_of_spades_is_doubled(ace: OklahomaAce) -> None:
    #   B: 2C 3C 4C · JS JH JD · 8D 9H, AH 2H loose: 20
    rules = replace(OKLAHOMA, oklahoma_ace=ace)
    hand = dealt(
        "6S 7S 8S 9S QS QH QD 4H 5H 6H", "2C 3C 4C JS JH JD 8D 9H AH 2H", "AS", "KD", rules
    )
    hand = act(hand, *PASSES, "draw stock", "knock KD 6S7S8S9S/QSQHQD/4H5H6H")
    assert result(hand).difference == 20
    assert result(hand).points == expected("O09")["points"] == 90


def test_the_knocker_does_not_lay_off() -> None:
    [loose], [run] = setup("S33")["knocker_deadwood_cards"], setup("S33")["defender_melds"]
    hand = dealt(f"AS AH AC 9S 9D 9C JC QC KC {loose}", joined(run), "TD", "KD")
    hand = act(hand, *PASSES, "draw stock", "knock KD ASAHAC/9S9D9C/JCQCKC")
    refuses(hand, f"layoff - {loose}", NotYourTurn, seat=A)


def test_nothing_is_laid_on_deadwood() -> None:
    loose = joined(setup("S34")["knocker_deadwood_cards"])
    [card] = setup("S34")["defender_loose"]
    hand = dealt(f"AS AH AC TC JC QC KC {loose} KS", card, "TD", "9C")
    hand = act(hand, *PASSES, "draw stock", "knock KS ASAHAC/9CTCJCQCKC")
    refuses(hand, f"layoff - {card}", DoesNotFit)


# Drawing and discarding


def test_the_card_just_taken_may_not_be_discarded_and_one_from_the_stock_may() -> None:
    assert expected("S15")["legal"] is False
    refuses(act(dealt(ODD, "", "7D"), "draw discard"), "discard 7D", JustTaken)
    assert expected("S16")["legal"] is True
    hand = act(dealt(ODD, "", "TC", "7D"), *PASSES, "draw stock", "discard 7D")
    assert hand.to_move is B


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("S18", ("draw discard", "discard KH")),
        ("S19", ("pass", "draw discard", "discard KH")),
    ],
)
def test_taking_the_first_up_card(name: str, texts: tuple[str, ...]) -> None:
    other, dealer = (ODD, "") if name == "S18" else ("", ODD)
    hand = act(dealt(other, dealer, "5C"), *texts)
    mover = expected(name)["next_to_move"]
    assert str(hand.to_move) == mover
    assert legal(hand) == ["draw stock", "draw discard"]
    assert expected(name)[f"{mover}_options"] == ["stock", str(hand.upcard)]
    assert len(hand.stock) == expected(name)["stock"]


def test_when_both_refuse_the_non_dealer_draws_from_the_stock() -> None:
    hand = act(dealt(ODD, "", "5C", "TC"), *PASSES)
    assert str(hand.to_move) == expected("S20")["next_to_move"]
    assert legal(hand) == ["draw stock"]
    after = act(hand, "draw stock", "discard TC")
    assert len(after.stock) == expected("S20")["stock_after_draw"]
    assert after.pile == cards("5C TC")


def test_a_knock_on_the_very_first_turn() -> None:
    held = joined(setup("S22")["A_hand"])
    hand = act(dealt(held, "", setup("S22")["upcard"]), "draw discard")
    hand = act(hand, "knock KD 4H5H6H/9S9D9C/JCQCKC")
    assert hand.knock is not None
    assert hand.knock.deadwood == expected("S22")["knocker_deadwood"]


def third_last(held: str, rules: Rules, drawn: str) -> Hand:
    """A has drawn the third-last card of the stock."""
    hand = act(dealt(held, "2C 3C 5S 7S 8D TH JD QS KH AD", "TD", drawn, rules), *PASSES)
    hand = act(short_stock(hand, setup("S23")["stock"]), "draw stock")
    assert len(hand.stock) == 2
    return hand


def test_who_draws_the_third_last_card_may_knock() -> None:
    hand = third_last("4H 5H 6H 9S 9D 9C JC QC KC 5D", PLAIN, "KD")
    assert may_knock(hand)
    assert act(hand, "knock KD 4H5H6H/9S9D9C/JCQCKC", "layoff -").is_over


def test_if_he_discards_the_hand_is_void_or_the_fiftieth_card_is_left_to_take() -> None:
    odd = "KS QD JH 9C 8S 7D 5H 2S AH 6C"
    over = result(act(third_last(odd, PLAIN, "4C"), "discard 4C"))
    assert (over.ending, over.winner, over.points) == (Ending.STOCK_OUT, None, 0)
    match = void(started())
    assert match.next_pairing is not None
    assert str(match.next_pairing.dealer) == expected("S24")["next_dealer"]
    assert match.sheet.games[0].boxes == (0, 0)
    #   4C makes B a run, but leaves him far above ten: he may only pass
    fiftieth = act(third_last(odd, Rules(fiftieth_card=True), "4C"), "discard 4C")
    assert legal(fiftieth) == ["pass"]


# Counting


def test_the_ace_is_low_only() -> None:
    held = parse_cards(joined(setup("S26")["hand"]))
    assert best_arrangement(held).deadwood == expected("S26")["deadwood"]
    for texts in expected("S26")["not_melds"]:
        with pytest.raises(MalformedMeld):
            Meld.parse(" ".join(texts))


def test_a_card_belongs_to_one_meld_only() -> None:
    best = best_arrangement(parse_cards(joined(setup("S27")["hand"])))
    assert best.deadwood == expected("S27")["deadwood"]
    assert set(best.melds) == set(melds_of(expected("S27")["melds"]))


# The game


def after_hands(rules: Rules, *hands: tuple[Seat, int]) -> Match:
    match = started(rules)
    for winner, points in hands:
        match = won(match, winner, points)
    return match


def test_game_bonus_and_boxes() -> None:
    match = after_hands(PLAIN, *[(A, 26)] * 3, (B, 20), (B, 20), (B, 21), (A, 26))
    assert match.sheet.games[0].points == (104, 61)
    assert match.sheet.games[0].boxes == (4, 3)
    assert match.sheet.totals == (expected("G01")["A"], expected("G01")["B"])
    assert match.outcome is not None
    assert str(match.outcome.winner) == expected("G01")["winner"]
    assert match.sheet.totals[0] - match.sheet.totals[1] == expected("G01")["margin"]


def test_boxes_do_not_count_towards_the_target_unless_added_at_once() -> None:
    hands = ((B, 20), (B, 20), (A, 20), (A, 20), (A, 20), (A, 30))
    assert after_hands(PLAIN, *hands).outcome is None
    assert readings("G03")["boxes credited as won"]["over"] is True
    at_once = Rules(box_timing=BoxTiming.AT_ONCE)
    #   B 40 + 50, A 40 + 50, and the third hand of A takes him to 135
    assert after_hands(at_once, *hands[:4]).outcome is None
    assert after_hands(at_once, *hands[:5]).outcome is not None


@pytest.mark.parametrize(
    ("shutout", "total"), [(Shutout.NONE, 285), (Shutout.DOUBLE, 570), (Shutout.PLUS_100, 385)]
)
def test_the_loser_won_no_hand(shutout: Shutout, total: int) -> None:
    match = after_hands(Rules(shutout=shutout), (A, 40), (A, 40), (A, 30))
    assert match.sheet.games[0].points == (110, 0)
    assert match.sheet.totals == (total, expected("G04")["B"])
    assert total in [one["A"] for one in readings("G04").values()]


def test_an_undercut_wins_the_box() -> None:
    match = undercut(started(), B, 28)
    assert match.sheet.games[0].points[B] == expected("G05")["points"]["B"]
    assert match.sheet.games[0].boxes[B] == expected("G05")["hands_won"]["B"]


@pytest.mark.parametrize(
    ("option", "reading"),
    [
        (NextDealer.ALTERNATE, "alternate (default)"),
        (NextDealer.LOSER, "loser deals"),
        (NextDealer.WINNER, "winner deals"),
    ],
)
def test_the_next_dealer_after_a_won_hand(option: NextDealer, reading: str) -> None:
    match = won(started(Rules(next_dealer=option), first_dealer=A), A, 20)
    assert match.next_pairing is not None
    assert str(match.next_pairing.dealer) == readings("G07")[reading]["next_dealer"]


def test_a_new_deal_after_a_void_hand_turns_a_new_starter() -> None:
    match = void(started(OKLAHOMA)).after(stacked(starter="9H"))
    assert match.hand is not None
    assert match.hand.knock_limit == expected("O11")["limit"]
    assert match.hand.dealer is match.results[0].dealer


# Hollywood

HOLLYWOOD = Rules(scoring=Scoring.HOLLYWOOD)


def test_hollywood_columns_fill() -> None:
    match = started(HOLLYWOOD)
    for text in SCENARIOS["H01"]["actions"]:
        seat, _, points = text.split()
        match = won(match, Seat[seat], int(points))
    columns = expected("H01")["columns"]
    for seat in (A, B):
        assert [game.points[seat] for game in match.sheet.games] == columns[str(seat)]
    assert [game.scorer for game in match.sheet.games] == expected("H01")["closed"]


@pytest.mark.parametrize(
    ("shutout", "reading"),
    [
        (Shutout.NONE, "no shutout (default)"),
        (Shutout.DOUBLE, "difference doubled"),
        (Shutout.PLUS_100, "+100"),
    ],
)
def test_a_hollywood_shutout_in_a_column(shutout: Shutout, reading: str) -> None:
    match = after_hands(replace(HOLLYWOOD, shutout=shutout), (A, 40), (A, 35), (A, 30))
    game = match.sheet.games[0]
    assert (game.points, game.boxes) == ((105, 0), (3, 0))
    assert game.settlement is not None
    assert game.settlement[A].total == readings("H04")[reading]["A"]
    assert game.settlement[B].total == expected("H04")["B"]


def test_a_void_hand_enters_nothing_in_hollywood() -> None:
    before = after_hands(HOLLYWOOD, (A, 20), (A, 20))
    assert expected("H05")["entries"] == "none"
    assert void(before).sheet == before.sheet


def test_a_hollywood_match_ends_when_all_three_games_are_closed() -> None:
    match = after_hands(HOLLYWOOD, (A, 60), (A, 60), (A, 40))
    assert [game.scorer for game in match.sheet.games] == [A, A, None]
    after = won(match, A, 20)
    assert [
        number
        for number, (old, new) in enumerate(
            zip(match.sheet.games, after.sheet.games, strict=True), 1
        )
        if old != new
    ] == expected("H06")["entered_in"]
    assert after.outcome is None
    assert won(after, A, 40).outcome is not None


# Three players

ROTATION = Rules(scoring=Scoring.ROTATION)


def test_the_rotation_is_fixed() -> None:
    match = started(ROTATION)
    out = []
    for seat in (A, B, C, A):
        assert match.next_pairing is not None
        out.append(str(match.next_pairing.out))
        match = won(match, seat, 10)
    assert out == expected("P01")["out_by_hand"]


def test_the_target_reached_within_a_cycle_ends_the_match_or_the_cycle_is_finished() -> None:
    hands = ((A, 60), (B, 40), (C, 44), (A, 43))
    assert expected("P04")["over"] is True
    assert after_hands(ROTATION, *hands).outcome is not None
    finish = replace(ROTATION, finish_rotation=True)
    assert after_hands(finish, *hands).outcome is None
    match = after_hands(finish, *hands, (C, 44), (C, 5))
    assert match.outcome is not None
    assert match.outcome.hands_played == (4, 4, 4)


def test_the_player_who_sits_out_sees_nothing() -> None:
    assert setup("P05")["out"] == "C"
    match = play(started(ROTATION).after(stacked()), "B draw discard")
    mine, public = view(match, C), view(match, None)
    assert replace(mine, viewer=None, hand=public.hand) == public
    assert mine.hand is not None
    assert mine.hand.cards is None
    assert replace(mine.hand, viewer=None) == public.hand
