"""Who sees what: by example, and as a property of every state of random matches."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gin import DECK, Card, Hand, HandView, Match, MatchView, Rules, Seat, view
from gin.actions import Move, Phase, Pile
from gin.events import Needs
from gin.rules import OKLAHOMA, IllegalKnock, Scoring, SpadesDouble
from gin.view import hand_view
from gin.views import OpenKnock, PublicMove
from tests.gin.players import Style, any_rules, lowering, states, uniform
from tests.gin.table import (
    DEFENDER,
    KNOCKER,
    ODD,
    PASSES,
    PLAIN,
    SPREAD,
    A,
    B,
    C,
    act,
    cards,
    dealt,
    melds,
    play,
    short_stock,
    stacked,
    started,
    void,
    won,
)

SEATS = (A, B, None)


def at_knock() -> Hand:
    """A has drawn KD and may knock."""
    return act(dealt(KNOCKER, DEFENDER, "TS", "KD"), *PASSES, "draw stock")


def knocked() -> Hand:
    return act(at_knock(), f"knock KD {SPREAD}")


# A hand in play


def test_a_player_sees_his_own_cards_sorted_and_the_public_none() -> None:
    hand = dealt(KNOCKER, DEFENDER, "TS")
    assert hand_view(hand, A).cards == tuple(sorted(cards(KNOCKER)))
    assert hand_view(hand, B).cards == tuple(sorted(cards(DEFENDER)))
    assert hand_view(hand, None).cards is None


def test_everybody_sees_the_table() -> None:
    for seat in SEATS:
        seen = hand_view(at_knock(), seat)
        assert (seen.number, seen.dealer, seen.players) == (1, B, (A, B))
        assert (seen.starter, seen.upcard) == (cards("TS")[0], cards("TS")[0])
        assert (seen.pile_count, seen.stock_count, seen.draws) == (1, 30, 1)
        assert seen.held == ((A, 11), (B, 10))
        assert (seen.phase, seen.to_move, seen.knock_limit) == (Phase.DISCARD, A, 10)
        assert seen.sitting_out is None
        assert not seen.doubled


def test_only_the_player_who_drew_from_the_stock_sees_the_card() -> None:
    seen = [hand_view(at_knock(), seat) for seat in SEATS]
    assert [one.drawn for one in seen] == [cards("KD")[0], None, None]
    assert [one.taken for one in seen] == [None, None, None]
    assert seen[1].moves == (
        PublicMove(A, Move.PASS),
        PublicMove(B, Move.PASS),
        PublicMove(A, Move.DRAW, Pile.STOCK),
    )


def test_everybody_sees_what_was_taken_from_the_discard_pile_and_what_was_discarded() -> None:
    hand = act(dealt(ODD, "", "5C"), "draw discard")
    five, king = cards("5C KH")
    for seat in SEATS:
        assert hand_view(hand, seat).taken == five
        assert hand_view(hand, seat).moves == (PublicMove(A, Move.DRAW, Pile.DISCARD, five),)
    after = act(hand, "discard KH")
    for seat in SEATS:
        assert hand_view(after, seat).moves[-1] == PublicMove(A, Move.DISCARD, None, king)
        assert hand_view(after, seat).taken is None


@given(st.integers(0, 2**32))
@settings(max_examples=20, deadline=None)
def test_the_discard_pile_is_remembered_by_who_watched_it_grow(seed: int) -> None:
    for match in states(Random(seed), PLAIN):
        if match.hand is not None:
            assert hand_view(match.hand, None).discarded == match.hand.pile


def test_only_the_player_to_move_is_told_what_he_may_do() -> None:
    mine = hand_view(at_knock(), A)
    assert mine.legal == (Move.DISCARD, Move.KNOCK)
    assert mine.may_knock
    assert mine.discards == tuple(sorted(cards(f"{KNOCKER} KD")))
    for seat in (B, None):
        other = hand_view(at_knock(), seat)
        assert (other.legal, other.piles, other.discards) == ((), (), ())
        assert not other.may_knock
        assert not other.may_big_gin


@pytest.mark.parametrize(
    ("texts", "moves", "piles"),
    [
        ((), (Move.DRAW, Move.PASS), (Pile.DISCARD,)),
        (PASSES, (Move.DRAW,), (Pile.STOCK,)),
        ((*PASSES, "draw stock"), (Move.DISCARD,), ()),
        ((*PASSES, "draw stock", "discard KD"), (Move.DRAW,), (Pile.STOCK, Pile.DISCARD)),
    ],
)
def test_the_kinds_of_move_in_each_phase(
    texts: tuple[str, ...], moves: tuple[Move, ...], piles: tuple[Pile, ...]
) -> None:
    hand = act(dealt(ODD, DEFENDER, "TC", "KD"), *texts)
    assert hand.to_move is not None
    seen = hand_view(hand, hand.to_move)
    assert (seen.legal, seen.piles) == (moves, piles)


def test_the_card_just_taken_is_not_among_the_discards() -> None:
    seen = hand_view(act(dealt(ODD, "", "5C"), "draw discard"), A)
    assert seen.discards == tuple(sorted(cards(ODD)))


# After a knock


def test_after_a_knock_both_hands_lie_open_to_all() -> None:
    for seat in SEATS:
        seen = hand_view(knocked(), seat)
        assert seen.knock == OpenKnock(
            A, melds("4H5H6H", "9S9D9C", "JCQCKC"), cards("5D"), 5, is_gin=False
        )
        assert seen.open_hand == tuple(sorted(cards(DEFENDER)))
        assert seen.moves[-1] == PublicMove(A, Move.KNOCK)
        assert seen.pile_count == 1


def test_the_knocks_discard_is_known_to_the_knocker_alone_until_the_hand_has_ended() -> None:
    king = cards("KD")[0]
    assert [hand_view(knocked(), seat).face_down for seat in SEATS] == [king, None, None]
    for seat in (B, None):
        assert repr(king) not in repr(hand_view(knocked(), seat))
    over = act(knocked(), "layoff -")
    for seat in SEATS:
        result = hand_view(over, seat).result
        assert result is not None
        assert result.knock_discard == king
        assert dict(result.hands)[A] == tuple(sorted(cards(KNOCKER)))


def test_before_a_knock_no_hand_lies_open() -> None:
    for seat in SEATS:
        assert hand_view(at_knock(), seat).open_hand is None
        assert hand_view(at_knock(), seat).knock is None


def test_the_defender_is_told_to_lay_off() -> None:
    assert hand_view(knocked(), B).legal == (Move.LAY_OFF,)
    assert hand_view(knocked(), A).legal == ()


# House options on the table


def test_the_oklahoma_limit_and_the_spades_doubling_are_on_the_table() -> None:
    seen = hand_view(dealt("", "", "6S", rules=OKLAHOMA), None)
    assert (seen.knock_limit, seen.doubled) == (6, True)
    seen = hand_view(dealt("", "", "6H", rules=OKLAHOMA), None)
    assert (seen.knock_limit, seen.doubled) == (6, False)
    off = replace(OKLAHOMA, spades_double=SpadesDouble.OFF)
    assert not hand_view(dealt("", "", "6S", rules=off), None).doubled
    assert not hand_view(dealt("", "", "6S"), None).doubled


def test_big_gin_is_offered_to_its_holder() -> None:
    rules = Rules(big_gin=31)
    hand = dealt("3H 4H 5H 6H 9S 9D 9C JC QC KC", "", "TS", "9H", rules)
    hand = act(hand, *PASSES, "draw stock")
    assert hand_view(hand, A).legal == (Move.DISCARD, Move.KNOCK, Move.BIG_GIN)
    assert hand_view(hand, A).may_big_gin
    assert not hand_view(hand, B).may_big_gin


def fiftieth(defender: str) -> Hand:
    rules = Rules(fiftieth_card=True)
    hand = short_stock(act(dealt("", defender, "TS", "9C", rules), *PASSES), 3)
    return act(hand, "draw stock", "discard 9C")


def test_whether_the_fiftieth_card_may_be_taken_is_told_to_its_player_alone() -> None:
    can, cannot = fiftieth("4H 5H 6H 9S 9D JC QC KC 5D KS"), fiftieth(DEFENDER)
    assert hand_view(can, B).legal == (Move.DRAW, Move.PASS)
    assert hand_view(cannot, B).legal == (Move.PASS,)
    assert hand_view(cannot, B).piles == ()
    for hand in (can, cannot):
        assert hand_view(hand, A).legal == hand_view(hand, None).legal == ()
        assert hand_view(hand, A).piles == hand_view(hand, None).piles == ()
        assert hand_view(hand, None).last_chance
    taken = act(can, "draw discard")
    assert hand_view(taken, None).must_knock
    assert hand_view(taken, B).legal == (Move.KNOCK,)


EXPOSE = Rules(illegal_knock=IllegalKnock.EXPOSE)


def exposed() -> Hand:
    hand = act(dealt(ODD, DEFENDER, "TC", "KD", EXPOSE), *PASSES, "draw stock")
    return act(hand, "knock KD")


def test_an_illegal_knock_is_announced_and_shows_no_card() -> None:
    for seat in SEATS:
        seen = hand_view(exposed(), seat)
        assert seen.moves[-1] == PublicMove(A, Move.KNOCK, illegal=True)
        assert (seen.exposed_by, seen.knock, seen.open_hand) == (A, None, None)
        assert seen.looked_at is None
    assert hand_view(exposed(), B).legal == (Move.LOOK, Move.TAKE_BACK)
    assert hand_view(exposed(), A).drawn == cards("KD")[0]


def test_only_who_looks_sees_the_eleven_cards_and_only_until_his_next_draw() -> None:
    hand = act(exposed(), "look")
    eleven = tuple(sorted(cards(f"{ODD} KD")))
    assert [hand_view(hand, seat).looked_at for seat in SEATS] == [None, eleven, None]
    assert hand_view(hand, A).legal == (Move.DISCARD,)
    hand = act(hand, "discard KD")
    assert [hand_view(hand, seat).looked_at for seat in SEATS] == [None, eleven, None]
    hand = act(hand, "draw stock")
    assert [hand_view(hand, seat).looked_at for seat in SEATS] == [None, None, None]


def test_after_a_knock_taken_back_nobody_sees_the_cards() -> None:
    hand = act(exposed(), "take-back")
    assert [hand_view(hand, seat).looked_at for seat in SEATS] == [None, None, None]


# A match


def test_a_view_says_what_the_match_waits_for() -> None:
    new = view(Match.start(PLAIN), None)
    assert (new.needs, new.hand, new.cut, new.first_dealer) == (Needs.CUT, None, (), None)
    cut = view(started(), None)
    assert (cut.needs, cut.first_dealer, cut.next_dealer) == (Needs.DEAL, B, B)
    assert cut.cut == started().cut
    playing = view(started().after(stacked()), None)
    assert (playing.needs, playing.next_dealer) == (Needs.PLAY, None)
    match = void(won(started(), A, 20))
    between = view(match, None)
    assert (between.needs, between.next_dealer, between.voids_in_a_row) == (Needs.DEAL, A, 1)
    assert between.results == match.results
    assert between.last_result == match.results[-1]
    assert between.sheet == match.sheet
    over = view(play(match, "A resign"), None)
    assert (over.needs, over.next_dealer) == (None, None)
    assert over.outcome is not None


def test_in_a_rotation_everybody_sees_who_sits_out_and_who_is_next() -> None:
    match = started(Rules(scoring=Scoring.ROTATION))
    for seat in (A, B, C, None):
        assert (view(match, seat).next_out, view(match, seat).next_dealer) == (C, A)
        seen = view(match.after(stacked()), seat)
        assert seen.hand is not None
        assert (seen.hand.sitting_out, seen.hand.dealer) == (C, A)
        assert (seen.next_out, seen.next_dealer) == (A, B)


def test_the_player_who_sits_out_sees_what_the_public_sees() -> None:
    match = play(started(Rules(scoring=Scoring.ROTATION)).after(stacked()), "B draw discard")
    assert as_public(view(match, C)) == view(match, None)


def as_public(seen: MatchView) -> MatchView:
    hand = None if seen.hand is None else replace(seen.hand, viewer=None)
    return replace(seen, viewer=None, hand=hand)


# As properties


def hidden_from(hand: Hand, seat: Seat | None) -> list[Card]:
    """The cards of a hand in play that a viewer doesn't see now."""
    seen = hand.mask(seat) if seat is not None else 0
    for card in hand.pile:
        seen |= 1 << card
    if hand.knock is not None:
        for player in hand.players:
            seen |= hand.mask(player)
        if hand.knock.seat is seat and hand.knock.discard is not None:
            seen |= 1 << hand.knock.discard
    if hand.looked is not None and hand.looked[0] is seat:
        for card in hand.looked[1]:
            seen |= 1 << card
    if hand.taken is not None:
        seen |= 1 << hand.taken
    return [card for card in DECK if not seen >> card & 1]


def with_others(rng: Random, hand: Hand, seat: Seat | None) -> Hand:
    """The same hand with the cards that ``seat`` doesn't see exchanged among themselves."""
    hidden = hidden_from(hand, seat)
    mixed = rng.sample(hidden, len(hidden))
    other = dict(zip(hidden, mixed, strict=True))

    def swapped(mask: int) -> int:
        return sum(1 << other.get(card, card) for card in DECK if mask >> card & 1)

    first, second = hand.held
    drawn = None if hand.drawn is None else other.get(hand.drawn, hand.drawn)
    knock = hand.knock
    if knock is not None and knock.discard is not None:
        knock = replace(knock, discard=other.get(knock.discard, knock.discard))
    looked = hand.looked
    if looked is not None:
        looked = looked[0], tuple(sorted(other.get(card, card) for card in looked[1]))
    return replace(
        hand,
        held=(swapped(first), swapped(second)),
        stock=tuple(other.get(card, card) for card in hand.stock),
        drawn=drawn,
        knock=knock,
        looked=looked,
    )


def never_shown(hand: Hand, seat: Seat | None) -> list[Card]:
    """Hidden cards that no public move of this hand has ever named."""
    named = {move.card for move in hand.moves} | {hand.starter}
    return [card for card in hidden_from(hand, seat) if card not in named]


def check_secrets(rng: Random, match: Match) -> None:
    hand = match.hand
    if hand is None or hand.is_over:
        return
    for seat in (*match.seats, None):
        seen = view(match, seat)
        assert seen.hand is not None
        assert view(replace(match, hand=with_others(rng, hand, seat)), seat) == seen
        text = repr(seen.hand)
        for card in never_shown(hand, seat):
            assert repr(card) not in text
        if seat is not None and seat not in hand.players:
            assert as_public(seen) == view(match, None)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(any_rules(), st.integers(0, 2**63), st.sampled_from((uniform, lowering)))
def test_a_view_does_not_change_with_the_cards_that_its_viewer_may_not_see(
    rules: Rules, seed: int, player: object
) -> None:
    rng = Random(seed)
    style = Style(lowering if player is lowering else uniform, bluff=0.1)
    for match in states(rng, rules, style, most=200):
        if rng.random() < 0.3 or (match.hand is not None and match.hand.phase in RARE):
            check_secrets(rng, match)


RARE = (Phase.LAYOFF, Phase.EXPOSED, Phase.FIFTIETH, Phase.UPCARD)


def test_the_check_of_secrets_would_find_a_leak() -> None:
    hand = at_knock()
    rng = Random(1)
    assert view(replace(started(), hand=with_others(rng, hand, B)), A) != view(
        replace(started(), hand=hand), A
    )
    assert set(hidden_from(hand, None)) == set(DECK) - set(cards("TS"))
    assert len(hidden_from(hand, A)) == 52 - 11 - 1
    assert len(hidden_from(knocked(), B)) == 52 - 20 - 1
    assert isinstance(hand_view(hand, A), HandView)


@pytest.mark.parametrize("scoring", list(Scoring))
def test_a_view_is_the_same_for_the_same_match(scoring: Scoring) -> None:
    for match in states(Random(8), Rules(scoring=scoring), most=60):
        for seat in (*match.seats, None):
            assert view(match, seat) == view(match, seat)
