"""What the house plays for somebody whose time is up: nothing that takes a chance."""

from __future__ import annotations

from dataclasses import replace

from bot.play.standin import rest_of_turn
from gin import Match, Rules, Seat
from gin.notation import dump_event
from gin.rules import IllegalKnock
from tests.gin.table import (
    DEFENDER,
    KNOCKER,
    ODD,
    PLAIN,
    SPREAD,
    A,
    B,
    play,
    stacked,
    started,
)


def plays(match: Match, seat: Seat) -> list[str]:
    acts = rest_of_turn(match, seat)
    after = match
    for act in acts:
        after = after.after(act)  # all of it is legal
    return [dump_event(act) for act in acts]


def test_it_refuses_the_up_card() -> None:
    match = started().after(stacked(KNOCKER, DEFENDER, "TS"))
    assert plays(match, A) == ["A pass"]


def test_it_draws_from_the_stock_and_lays_that_card_away_though_it_could_knock() -> None:
    match = play(started().after(stacked(KNOCKER, DEFENDER, "TS", "KD")), "A pass", "B pass")
    assert plays(match, A) == ["A draw stock", "A discard KD"]


def test_it_lays_away_the_card_that_the_player_drew_himself() -> None:
    match = started().after(stacked(KNOCKER, DEFENDER, "TS", "KD"))
    assert plays(play(match, "A pass", "B pass", "A draw stock"), A) == ["A discard KD"]


def test_after_a_draw_from_the_pile_it_sheds_what_costs_least() -> None:
    #   4H 5H 6H · 9S 9D 9C · JC QC KC · 5D, and TS just taken, which may not go back
    match = play(started().after(stacked(KNOCKER, DEFENDER, "TS")), "A draw discard")
    assert plays(match, A) == ["A discard 5D"]


def test_of_several_cards_that_meld_nowhere_it_sheds_the_dearest() -> None:
    #   no meld among KH QD JH 9C 8S TD 5H QS 2S AD, and KS taken beside them; of those that
    #   count ten the first in the order of a new deck goes
    deal = stacked(ODD, DEFENDER.replace("KS", "KC"), "KS")
    assert plays(play(started().after(deal), "A draw discard"), A) == ["A discard QS"]


def test_it_lays_off_with_the_best_play() -> None:
    #   7H fits 4H 5H 6H, but stays in DEFENDER's set of sevens
    match = started().after(stacked(KNOCKER, DEFENDER, "TS", "KD"))
    match = play(match, "A pass", "B pass", "A draw stock", f"A knock KD {SPREAD}")
    assert plays(match, B) == ["B layoff 2C3C4C/7S7H7D -"]


def test_it_has_an_exposed_knock_taken_back() -> None:
    rules = replace(PLAIN, illegal_knock=IllegalKnock.EXPOSE)
    match = started(rules).after(stacked(ODD, DEFENDER, "TS", "KD"))
    match = play(match, "A pass", "B pass", "A draw stock", "A knock KD")
    assert plays(match, B) == ["B take-back"]


def at_the_fiftieth_card() -> Match:
    """The stock is down to two, and K♥ lies open: with it B could knock, and shed another card.

    Until then everybody drew from the stock and laid that card away.
    """
    rules = Rules(fiftieth_card=True)
    two_kings = "2C 3C 4C 7S 7D 7H KS KD 6C AS"
    some = started(rules).after(stacked(KNOCKER, two_kings, "TS")).hand
    assert some is not None
    stock = [str(card) for card in some.stock if str(card) != "KH"]
    stock.insert(28, "KH")
    match = started(rules).after(stacked(KNOCKER, two_kings, "TS", " ".join(stock)))
    match = play(match, "A pass", "B pass")
    for number, card in enumerate(stock[:29]):
        match = play(match, f"{'AB'[number % 2]} draw stock", f"{'AB'[number % 2]} discard {card}")
    return match


def test_it_lets_the_fiftieth_card_pass_though_it_would_give_a_knock() -> None:
    assert plays(at_the_fiftieth_card(), B) == ["B pass"]


def test_it_knocks_only_for_him_who_took_the_fiftieth_card_and_so_has_to() -> None:
    #   2C 3C 4C · 7S 7H 7D · KS KH KD · AS stays, 6C goes
    (act,) = plays(play(at_the_fiftieth_card(), "B draw discard"), B)
    assert act.startswith("B knock 6C ")
