"""What holds in every match, under random house options and random play."""

from __future__ import annotations

import copy
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gin import (
    DECK,
    Action,
    BigGin,
    Discard,
    Draw,
    Hand,
    Knock,
    LayOff,
    Look,
    Match,
    Needs,
    Pass,
    Pile,
    Play,
    Rules,
    Seat,
    TakeBack,
    cards_of,
    dump_match,
    legal_actions,
    mask_of,
    parse_match,
    view,
)
from gin.errors import IllegalAction
from gin.hand import apply, can
from gin.melds import Meld
from tests.gin.players import (
    Style,
    any_rules,
    lowering,
    next_event,
    playable_rules,
    played,
    states,
    uniform,
)
from tests.gin.recount import recount

SEEDS = st.integers(0, 2**63)
ALL = mask_of(DECK)


def tries(count: int) -> settings:
    """So many examples, each as slow as it likes."""
    return settings(
        max_examples=count,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


# One hand, played by anybody


def check_hand(hand: Hand) -> None:
    """Every card is in one place, and both hands have the size that the phase calls for."""
    places = [*hand.held, mask_of(hand.stock), mask_of(hand.pile)]
    if hand.knock is not None and hand.knock.discard is not None:
        places.append(1 << hand.knock.discard)
    assert sum(places) == ALL
    assert sum(mask.bit_count() for mask in places) == 52
    assert len(hand.stock) >= 2
    sizes = sorted(mask.bit_count() for mask in hand.held)
    if hand.result is None:
        eleven = hand.drawn is not None
        assert sizes == ([10, 11] if eleven else [10, 10])
    assert (hand.to_move is None) == hand.is_over == (hand.result is not None)
    assert hand.draws <= hand.rules.draw_cap
    if hand.taken is not None:
        assert hand.taken == hand.drawn
        assert (
            hand.mask(hand.players[0]) >> hand.taken & 1
            or hand.mask(hand.players[1]) >> hand.taken & 1
        )


def check_legal(rng: Random, hand: Hand) -> None:
    """Every listed act is accepted, and the list is empty only at the end."""
    actions = legal_actions(hand)
    assert bool(actions) != hand.is_over
    assert len(set(actions)) == len(actions)
    if hand.to_move is None:
        return
    for action in rng.sample(actions, min(3, len(actions))):
        assert can(hand, hand.to_move, action)
    for other in Seat:
        if other is not hand.to_move:
            assert not can(hand, other, actions[0])


def any_action(rng: Random, hand: Hand) -> Action:
    """An act of any kind with cards of any kind, seldom legal."""
    held = cards_of(hand.held[rng.randrange(2)])
    card = rng.choice((*held, *DECK))
    melds = tuple(Meld(tuple(rng.sample(held, min(3, len(held))))) for _ in range(rng.randrange(4)))
    some = tuple(rng.sample(DECK, rng.randrange(4)))
    kinds: tuple[Action, ...] = (
        Pass(),
        Draw(Pile.STOCK),
        Draw(Pile.DISCARD),
        Discard(card),
        Knock(card, melds),
        BigGin(melds),
        LayOff(melds, some),
        Look(),
        TakeBack(),
    )
    return rng.choice(kinds)


def check_refusals(rng: Random, hand: Hand) -> None:
    """An act out of the blue is done or refused; either way this hand stays as it was."""
    before = copy.copy(hand)
    for _ in range(3):
        action, seat = any_action(rng, hand), rng.choice(list(Seat))
        try:
            after = apply(hand, seat, action)
        except IllegalAction:
            assert not can(hand, seat, action)
        else:
            assert can(hand, seat, action)
            check_hand(after)
        assert hand == before


@tries(40)
@given(any_rules(), SEEDS)
def test_in_every_hand_each_card_is_in_one_place_and_every_refusal_changes_nothing(
    rules: Rules, seed: int
) -> None:
    rng = Random(seed)
    for match in states(rng, rules, Style(uniform, bluff=0.1), most=250):
        if match.hand is not None:
            check_hand(match.hand)
            if rng.random() < 0.2:
                check_legal(rng, match.hand)
                check_refusals(rng, match.hand)


# Whole matches


def check_match(match: Match) -> None:
    """A finished match: its outcome, its sheet, and the same counted again from its text."""
    assert match.outcome is not None
    text = dump_match(match)
    counted = recount(text)
    assert counted.is_over
    assert [
        None if hand is None else (Seat[hand.winner], Seat[hand.loser], hand.points)
        for hand in counted.hands
    ] == [
        None if one.winner is None else (one.winner, one.loser, one.points) for one in match.results
    ]
    assert tuple(counted.places) == match.outcome.places
    if match.outcome.places:
        assert tuple(counted.totals) == match.outcome.totals == match.sheet.totals
    check_explained(match)
    again = parse_match(text)
    assert again == match
    for seat in (None, *match.seats):
        assert view(again, seat) == view(match, seat)


def check_explained(match: Match) -> None:
    """Every number is the sum of its parts."""
    for one in match.results:
        parts = one.difference * one.difference_factor + one.bonus * one.bonus_factor
        assert one.points == parts
    for game in match.sheet.games:
        for line in game.settlement or ():
            parts = line.hand_points + line.game_bonus + line.box_points + line.shutout_bonus
            assert line.total == parts
            mine = [entry for entry in game.entries if entry.seat is line.seat]
            assert line.boxes == len(mine) == game.boxes[line.seat]
            assert line.hand_points == sum(entry.points - entry.box for entry in mine)
    outcome = match.outcome
    assert outcome is not None
    if outcome.places:
        first = [seat for seat in match.seats if outcome.places[seat] == 1]
        assert outcome.winner == (first[0] if len(first) == 1 else None)
        if outcome.gave_up is not None:
            assert outcome.places[outcome.gave_up] == len(match.seats)


def check_random_match(rules: Rules, seed: int) -> None:
    rng = Random(seed)
    style = Style(lowering, leave=rng.choice((0.0, 0.0, 0.005)))
    for match in states(rng, rules, style):
        if match.hand is not None:
            check_hand(match.hand)
    check_match(match)


@tries(60)
@given(playable_rules(), SEEDS)
def test_matches_of_the_lowering_player_end_and_add_up(rules: Rules, seed: int) -> None:
    check_random_match(rules, seed)


@pytest.mark.long
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("part", range(4))
def test_five_thousand_matches_end_and_add_up(part: int) -> None:
    @tries(1250)
    @given(playable_rules(), SEEDS)
    def check(rules: Rules, seed: int) -> None:
        check_random_match(rules, seed * 4 + part)

    check()


@tries(25)
@given(playable_rules(), SEEDS)
def test_a_match_given_up_at_any_moment_adds_up(rules: Rules, seed: int) -> None:
    rng = Random(seed)
    check_match(played(rng, rules, Style(lowering, leave=0.03)))


@tries(10)
@given(playable_rules(), SEEDS)
def test_an_event_leaves_the_match_before_it_as_it_was(rules: Rules, seed: int) -> None:
    rng = Random(seed)
    for match in states(rng, rules, most=60):
        if match.needs is None:
            break
        before = copy.deepcopy(match)
        match.after(next_event(rng, match, Style(uniform)))
        assert match == before


@tries(10)
@given(playable_rules(), SEEDS)
def test_the_events_of_a_match_give_the_same_match_again(rules: Rules, seed: int) -> None:
    match = played(Random(seed), rules, most=400)
    again = Match.start(rules)
    for event in match.events:
        again = again.after(event)
    assert again == match


@tries(20)
@given(playable_rules(), SEEDS)
def test_a_seat_out_of_turn_has_no_act(rules: Rules, seed: int) -> None:
    rng = Random(seed)
    for match in states(rng, rules, most=150):
        if match.needs is Needs.PLAY:
            action = match.legal_actions()[0]
            for seat in match.seats:
                assert match.can(Play(seat, action)) == (seat is match.to_move)
