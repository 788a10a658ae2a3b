import pytest

from gin.actions import BigGin, Discard, Knock, LayOff, Phase
from gin.cards import DECK
from gin.errors import (
    BetweenRuns,
    DoesNotFit,
    IllegalAction,
    JustTaken,
    KnockForbidden,
    MalformedDeck,
    MatchOver,
    NotAMeld,
    NotInHand,
    NotYourTurn,
    OverLimit,
    UpcardNotSettled,
    UpcardRefused,
    UsedTwice,
    WrongPhase,
)
from gin.hand import Hand, apply, can, deal, legal_actions, verify
from gin.legal import may_knock
from gin.melds import Meld
from gin.results import Ending
from gin.rules import OKLAHOMA, STRAIGHT, Rules
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
    legal,
    melds,
    refuses,
    result,
)


def to_knock(rules: Rules = PLAIN, hand: str = KNOCKER) -> Hand:
    """A holds KNOCKER and has drawn KD from the stock; B holds DEFENDER."""
    return act(dealt(hand, DEFENDER, "TS", "KD", rules), *PASSES, "draw stock")


# The deal


def test_cards_are_dealt_one_at_a_time_alternating_from_the_non_dealer() -> None:
    hand = deal(PLAIN, 1, B, A, DECK)
    assert hand.cards(A) == tuple(DECK[0:20:2])
    assert hand.cards(B) == tuple(DECK[1:20:2])
    assert hand.starter == hand.upcard == DECK[20]
    assert hand.stock == DECK[21:]
    assert len(hand.stock) == 31
    assert (hand.dealer, hand.to_move, hand.phase) == (B, A, Phase.UPCARD)


@pytest.mark.parametrize("deck", [DECK[:51], (*DECK[:51], DECK[0]), (*DECK, DECK[0]), ()])
def test_a_deck_is_each_card_once(deck: tuple[int, ...]) -> None:
    with pytest.raises(MalformedDeck):
        deal(PLAIN, 1, B, A, deck)  # type: ignore[arg-type]


def test_a_seat_that_sits_out_holds_nothing() -> None:
    assert dealt().cards(C) == ()
    assert dealt().opponent(A) is B
    assert dealt().opponent(B) is A


# The first turn


def test_the_non_dealer_may_take_the_up_card_or_pass() -> None:
    assert legal(dealt(starter="5C")) == ["draw discard", "pass"]


def test_no_stock_draw_is_legal_before_both_have_refused_the_up_card() -> None:
    hand = dealt()
    refuses(hand, "draw stock", UpcardNotSettled)
    refuses(act(hand, "pass"), "draw stock", UpcardNotSettled)


def test_after_the_non_dealers_pass_the_dealer_may_take_the_up_card_or_pass() -> None:
    hand = act(dealt(starter="5C"), "pass")
    assert hand.to_move is B
    assert legal(hand) == ["draw discard", "pass"]


def test_after_both_passes_the_non_dealer_draws_from_the_stock_and_nothing_else() -> None:
    hand = act(dealt(starter="5C"), *PASSES)
    assert (hand.to_move, hand.phase) == (A, Phase.DRAW)
    assert legal(hand) == ["draw stock"]
    refuses(hand, "draw discard", UpcardRefused)
    refuses(hand, "pass", WrongPhase)
    drawn = act(hand, "draw stock")
    assert len(drawn.stock) == 30
    assert drawn.pile == cards("5C")


def test_the_refused_up_card_is_buried_by_the_first_discard() -> None:
    hand = act(dealt(ODD, starter="5C", stock="TC"), *PASSES, "draw stock", "discard TC")
    assert hand.pile == cards("5C TC")
    assert legal(hand) == ["draw stock", "draw discard"]


def test_the_up_card_taken_leaves_the_stock_at_thirty_one() -> None:
    hand = act(dealt(ODD, starter="5C"), "draw discard")
    assert len(hand.stock) == 31
    assert hand.pile == ()
    assert hand.taken == hand.drawn == cards("5C")[0]
    after = act(hand, "discard KH")
    assert (after.to_move, after.phase) == (B, Phase.DRAW)
    assert legal(after) == ["draw stock", "draw discard"]


def test_the_dealer_who_takes_the_up_card_is_followed_by_the_non_dealer() -> None:
    hand = act(dealt("", ODD, "5C"), "pass", "draw discard", "discard KH")
    assert hand.to_move is A
    assert legal(hand) == ["draw stock", "draw discard"]


# A turn


def test_a_card_just_taken_from_the_discard_pile_may_not_be_discarded() -> None:
    hand = act(dealt(ODD, starter="5C"), "draw discard")
    refuses(hand, "discard 5C", JustTaken)
    assert "discard 5C" not in legal(hand)
    assert len([text for text in legal(hand) if text.startswith("discard")]) == 10


def test_the_card_taken_in_an_earlier_turn_may_be_discarded() -> None:
    hand = act(dealt(ODD, DEFENDER, "5C"), "draw discard", "discard KH")
    hand = act(hand, "draw discard", "discard KS", "draw stock")
    assert can(hand, A, Discard(cards("5C")[0]))


def test_a_card_drawn_from_the_stock_may_be_discarded_at_once() -> None:
    hand = act(dealt(stock="7D"), *PASSES, "draw stock")
    assert hand.drawn == cards("7D")[0]
    assert hand.taken is None
    assert act(hand, "discard 7D").upcard == cards("7D")[0]


def test_a_player_draws_once_and_discards_once() -> None:
    hand = act(dealt(ODD, stock="7H"), *PASSES)
    refuses(hand, "discard KH", WrongPhase)
    refuses(hand, "knock KH", WrongPhase)
    drawn = act(hand, "draw stock")
    refuses(drawn, "draw stock", WrongPhase)
    refuses(drawn, "draw discard", WrongPhase)
    refuses(drawn, "pass", WrongPhase)
    refuses(act(drawn, "discard KH"), "discard QD", NotYourTurn, seat=A)


def test_only_a_card_in_hand_may_be_discarded() -> None:
    refuses(act(dealt(ODD, stock="7H"), *PASSES, "draw stock"), "discard KD", NotInHand)


def test_only_the_player_to_move_may_act() -> None:
    refuses(dealt(), "pass", NotYourTurn, seat=B)
    refuses(dealt(), "pass", NotYourTurn, seat=C)
    refuses(to_knock(), f"knock KD {SPREAD}", NotYourTurn, seat=B)


def test_what_is_wrong_is_told_in_order_seat_then_moment_then_card_then_rule() -> None:
    taken = act(dealt(ODD, starter="5C"), "draw discard")
    over = act(to_knock(), f"knock KD {SPREAD}", "layoff -")
    refuses(over, "knock QH 5C6C7C", MatchOver, seat=B)
    refuses(taken, "pass", NotYourTurn, seat=B)
    refuses(taken, "pass", WrongPhase)
    refuses(act(dealt(ODD), *PASSES), "discard KD", WrongPhase)
    refuses(taken, "knock KD 5C6C7C", NotInHand)
    refuses(taken, "knock 5C 5C6C7C", JustTaken)
    refuses(taken, "knock KH 5C6C7C", NotInHand)
    refuses(taken, "knock KH", OverLimit)


def test_looking_laying_off_and_big_gin_need_their_moment() -> None:
    for text in ("look", "take-back", "layoff -", "big-gin 2S3S4S"):
        refuses(dealt(), text, WrongPhase)
        refuses(to_knock(), "look", WrongPhase)


# The knock


def test_the_knock_that_leaves_least_is_listed_first() -> None:
    knocks = [action for action in legal_actions(to_knock()) if isinstance(action, Knock)]
    assert knocks[0].discard == cards("KD")[0]
    assert set(knocks[0].melds) == set(melds("4H5H6H", "9S9D9C", "JCQCKC"))
    #   with 5D shed KD is loose: ten, the other legal knock
    assert {str(knock.discard) for knock in knocks} == {"KD", "5D"}


def test_a_knock_opens_the_hand_to_the_defenders_one_act() -> None:
    hand = act(to_knock(), f"knock KD {SPREAD}")
    assert (hand.phase, hand.to_move) == (Phase.LAYOFF, B)
    assert hand.knock is not None
    assert hand.knock.loose == cards("5D")
    assert hand.knock.deadwood == 5
    assert hand.knock.discard == cards("KD")[0]
    assert hand.pile == cards("TS")
    assert all(isinstance(action, LayOff) for action in legal_actions(hand))


def test_one_may_knock_on_the_first_turn_with_the_up_card_just_taken() -> None:
    #   4H 5H 6H · 9S 9D and the up-card 9C · JC QC KC · loose 5D: five points
    hand = dealt("4H 5H 6H 9S 9D JC QC KC 5D KD", starter="9C")
    hand = act(hand, "draw discard", f"knock KD {SPREAD}")
    assert hand.knock is not None
    assert hand.knock.deadwood == 5


def test_the_dealer_too_may_knock_on_his_first_turn() -> None:
    hand = dealt("", "4H 5H 6H 9S 9D JC QC KC 5D KD", "9C")
    hand = act(hand, "pass", "draw discard", f"knock KD {SPREAD}")
    assert (hand.to_move, hand.phase) == (A, Phase.LAYOFF)


def test_the_card_just_taken_may_not_be_the_discard_of_a_knock() -> None:
    hand = act(dealt(KNOCKER, starter="KD"), "draw discard")
    refuses(hand, f"knock KD {SPREAD}", JustTaken)
    assert not any(text.startswith("knock KD") for text in legal(hand))


def test_ten_points_are_within_the_limit_and_eleven_are_not() -> None:
    #   4H 5H 6H · 9S 9D 9C · JC QC KC · TD loose: ten
    hand = to_knock(hand="4H 5H 6H 9S 9D 9C JC QC KC TD")
    assert can(hand, A, Knock(cards("KD")[0], melds("4H5H6H", "9S9D9C", "JCQCKC")))
    #   4H 5H 6H · JC QC KC · 8H 3S loose: eleven, with a run of four
    hand = to_knock(hand="3H 4H 5H 6H JC QC KC TC 8S 3S")
    error = refuses(hand, "knock KD 3H4H5H6H/TCJCQCKC", OverLimit)
    assert isinstance(error, OverLimit)
    assert (error.deadwood, error.limit) == (11, 10)


def test_a_player_may_declare_more_deadwood_than_he_need_have() -> None:
    #   3H 4H 5H 6H · 9S 9D 9C · JC QC KC would be gin; he declares 4H 5H 6H and leaves 3H
    hand = to_knock(hand="3H 4H 5H 6H 9S 9D 9C JC QC KC")
    hand = act(hand, "knock KD 4H5H6H/9S9D9C/JCQCKC")
    assert hand.phase is Phase.LAYOFF
    assert hand.knock is not None
    assert hand.knock.loose == cards("3H")


def test_a_player_may_not_declare_more_deadwood_than_the_limit_though_he_holds_less() -> None:
    refuses(to_knock(), "knock KD 4H5H6H/9S9D9C", OverLimit)


def test_gin_is_not_forced_on_a_player_who_holds_it() -> None:
    hand = act(to_knock(hand="3H 4H 5H 6H 9S 9D 9C JC QC KC"), "discard KD")
    assert (hand.phase, hand.to_move) == (Phase.DRAW, B)


def test_a_run_of_six_may_be_declared_as_two_of_three() -> None:
    hand = to_knock(hand="8H 9H TH JH QH KH 4H 5H 6H AD")
    hand = act(hand, "knock KD 8H9HTH/JHQHKH/4H5H6H")
    assert hand.knock is not None
    assert len(hand.knock.melds) == 3


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("knock QD 4H5H6H/9S9D9C/JCQCKC", NotInHand),
        ("knock KD 4H5H6H/9S9D9C/JSQSKS", NotInHand),
        ("knock KC 4H5H6H/9S9D9C/JCQCKC", UsedTwice),
        ("knock KD 4H5H6H/4H5H6H/9S9D9C", NotAMeld),
    ],
)
def test_a_knock_declares_only_cards_that_are_held_each_once(
    text: str, error: type[IllegalAction]
) -> None:
    refuses(to_knock(), text, error)


def test_a_knock_declares_only_sets_and_runs() -> None:
    crooked = Knock(cards("KD")[0], (Meld(cards("4H 5H 9S")),))
    with pytest.raises(NotAMeld, match="neither a set nor a run"):
        verify(to_knock(), A, crooked)
    thrice = Knock(cards("KD")[0], (Meld(cards("4H") * 3),))
    with pytest.raises(NotAMeld):
        verify(to_knock(), A, thrice)


def test_melds_declared_out_of_order_are_put_in_order() -> None:
    action = Knock(
        cards("KD")[0],
        (Meld(cards("6H 4H 5H")), Meld(cards("9C 9S 9D")), Meld(cards("KC JC QC"))),
    )
    knock = apply(to_knock(), A, action).knock
    assert knock is not None
    assert knock.melds == melds("4H5H6H", "9S9D9C", "JCQCKC")


def test_where_only_gin_counts_no_knock_with_deadwood_is_legal() -> None:
    hand = to_knock(STRAIGHT)
    refuses(hand, f"knock KD {SPREAD}", OverLimit)
    assert not may_knock(hand)
    assert not any(text.startswith("knock") for text in legal(hand))


def test_in_oklahoma_the_limit_stays_the_starters_value_after_it_was_taken() -> None:
    hand = act(dealt(ODD, DEFENDER, "3D", rules=OKLAHOMA), "draw discard", "discard KH")
    assert (hand.knock_limit, hand.upcard) == (3, cards("KH")[0])


def test_gin_ends_the_hand_at_once() -> None:
    hand = to_knock(hand="3H 4H 5H 6H 9S 9D 9C JC QC KC")
    over = act(hand, "knock KD 3H4H5H6H/9S9D9C/JCQCKC")
    assert over.to_move is None
    assert result(over).ending is Ending.GIN
    assert legal(over) == []


def test_after_the_end_nothing_is_legal() -> None:
    hand = act(to_knock(), f"knock KD {SPREAD}", "layoff -")
    refuses(hand, "draw stock", MatchOver, seat=A)
    refuses(hand, "pass", MatchOver, seat=B)


# Big gin

BIG = "3H 4H 5H 6H 9S 9D 9C JC QC KC"
"""With 9H all eleven are melded."""
BIG_SPREAD = "3H4H5H6H/9S9H9D9C/JCQCKC"


def with_nine(rules: Rules) -> Hand:
    return act(dealt(BIG, DEFENDER, "TS", "9H", rules), *PASSES, "draw stock")


def test_big_gin_is_an_act_without_a_discard() -> None:
    hand = with_nine(Rules(big_gin=31))
    big = [action for action in legal_actions(hand) if isinstance(action, BigGin)]
    assert [set(action.melds) for action in big] == [
        set(melds("3H4H5H6H", "9S9H9D9C", "JCQCKC")),
    ]
    over = apply(hand, A, big[0])
    assert result(over).ending is Ending.BIG_GIN
    assert result(over).knock_discard is None
    assert over.mask(A).bit_count() == 11


def test_big_gin_may_be_laid_after_a_draw_from_the_discard_pile_too() -> None:
    hand = act(dealt(BIG, DEFENDER, "9H", rules=Rules(big_gin=31)), "draw discard")
    assert act(hand, f"big-gin {BIG_SPREAD}").is_over


def test_big_gin_may_be_laid_under_any_limit() -> None:
    assert act(with_nine(Rules(big_gin=31, knock_limit=0)), f"big-gin {BIG_SPREAD}").is_over
    three = dealt(BIG, DEFENDER, "3D", "9H", Rules(big_gin=31, knock_limit=OKLAHOMA.knock_limit))
    assert act(three, *PASSES, "draw stock", f"big-gin {BIG_SPREAD}").is_over


def test_where_big_gin_is_not_played_the_player_sheds_a_card_and_goes_gin() -> None:
    hand = with_nine(PLAIN)
    refuses(hand, f"big-gin {BIG_SPREAD}", KnockForbidden)
    assert not any(text.startswith("big-gin") for text in legal(hand))
    assert result(act(hand, "knock 9H 3H4H5H6H/9S9D9C/JCQCKC")).ending is Ending.GIN


def test_big_gin_takes_all_eleven_cards_in_melds() -> None:
    hand = to_knock(Rules(big_gin=31))
    refuses(hand, f"big-gin {SPREAD}", OverLimit)
    refuses(hand, "big-gin 4H5H6H/4H5H6H", NotAMeld)
    refuses(hand, "big-gin ASADAC", NotInHand)
    refuses(act(dealt(rules=Rules(big_gin=31)), *PASSES), f"big-gin {SPREAD}", WrongPhase)
    assert not any(text.startswith("big-gin") for text in legal(hand))


# Lay-off

CHAIN = "7H 8H 2C 3C AC KS QS JD TD 2S"
"""AC 2C 3C is a run; 7H and then 8H fit the knocker's 4H 5H 6H."""


def after_knock(defender: str = DEFENDER) -> Hand:
    hand = act(dealt(KNOCKER, defender, "TS", "KD"), *PASSES, "draw stock")
    return act(hand, f"knock KD {SPREAD}")


def test_the_defender_acts_also_when_nothing_fits() -> None:
    hand = after_knock()
    assert hand.to_move is B
    over = result(act(hand, "layoff -"))
    assert over.laid_off == ()
    assert over.defender_melds == ()


def test_a_card_is_laid_on_a_meld_as_it_has_grown() -> None:
    over = result(act(after_knock(CHAIN), "layoff - 7H8H"))
    assert over.laid_off == ((cards("7H")[0], 0), (cards("8H")[0], 0))


def test_a_card_laid_before_the_one_that_joins_it_does_not_fit() -> None:
    refuses(after_knock(CHAIN), "layoff - 8H7H", DoesNotFit)


def test_a_card_that_fits_nothing_may_not_be_laid() -> None:
    refuses(after_knock(), "layoff - AS", DoesNotFit)


def test_nothing_is_laid_on_deadwood() -> None:
    #   AS AH AD · 9C TC JC QC KC · loose 4S 4H: 4D makes no set with them
    hand = dealt("AS AH AD TC JC QC KC 4S 4H KS", "4D", "TS", "9C")
    hand = act(hand, *PASSES, "draw stock", "knock KS ASAHAD/9CTCJCQCKC")
    refuses(hand, "layoff - 4D", DoesNotFit)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("layoff 7S7D7H - 7H", UsedTwice),
        ("layoff - KD", NotInHand),
        ("layoff 8S8D8H -", NotInHand),
        ("layoff 7S7D7H/7S7D7H -", NotAMeld),
    ],
)
def test_the_defender_uses_each_of_his_own_cards_once(
    text: str, error: type[IllegalAction]
) -> None:
    refuses(after_knock(), text, error)


def test_a_card_is_laid_off_once() -> None:
    with pytest.raises(UsedTwice, match="twice"):
        verify(after_knock(), B, LayOff((), cards("7H") * 2))


def test_the_knocker_does_not_lay_off() -> None:
    refuses(after_knock(), "layoff - 5D", NotYourTurn, seat=A)


def test_the_best_play_is_offered_first_and_laying_nothing_off_is_offered_too() -> None:
    offered = [action for action in legal_actions(after_knock(CHAIN)) if isinstance(action, LayOff)]
    #   7H 8H on 4H 5H 6H, TD nowhere (JC QC KC takes only TC): fifteen points saved
    assert offered[0] == LayOff(melds("AC2C3C"), cards("7H 8H"))
    assert any(action.cards == () for action in offered)


def test_a_strict_house_allows_no_card_between_two_runs() -> None:
    #   4H 5H 6H and 8H 9H TH: 7H lies next to both
    knocker = "4H 5H 6H 8H 9H TH JC QC KC 5D"
    for strict in (False, True):
        hand = dealt(knocker, "7H", "TS", "KD", Rules(strict_bridge=strict))
        hand = act(hand, *PASSES, "draw stock", "knock KD 4H5H6H/8H9HTH/JCQCKC")
        if strict:
            refuses(hand, "layoff - 7H", BetweenRuns)
        else:
            assert result(act(hand, "layoff - 7H")).laid_off == ((cards("7H")[0], 0),)
