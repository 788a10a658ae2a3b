import pytest

from gin.actions import Knock, Move, Phase
from gin.errors import (
    IllegalAction,
    JustTaken,
    KnockForbidden,
    NotAMeld,
    NotInHand,
    NotYourTurn,
    OverLimit,
)
from gin.hand import Hand, apply, can, legal_actions
from gin.legal import exposes, may_knock
from gin.results import Ending
from gin.rules import IllegalKnock, Rules
from tests.gin.table import (
    KNOCKER,
    ODD,
    PASSES,
    A,
    B,
    act,
    cards,
    dealt,
    legal,
    melds,
    refuses,
    result,
    short_stock,
)

EXPOSE = Rules(illegal_knock=IllegalKnock.EXPOSE, big_gin=31)
BAD = "4H 5H 6H 9S 9D 9C 2C 8D AD 7S"
"""With KD shed 2C 8D AD 7S are loose: eighteen."""


def bad_knock(rules: Rules = EXPOSE) -> Hand:
    hand = act(dealt(BAD, "", "TS", "KD", rules), *PASSES, "draw stock")
    return act(hand, "knock KD 4H5H6H/9S9D9C")


def test_a_knock_over_the_limit_is_refused_and_changes_nothing() -> None:
    hand = act(dealt(BAD, "", "TS", "KD"), *PASSES, "draw stock")
    error = refuses(hand, "knock KD 4H5H6H/9S9D9C", OverLimit)
    assert isinstance(error, OverLimit)
    assert (error.deadwood, error.limit) == (18, 10)
    assert hand.mask(A).bit_count() == 11


def test_where_the_house_exposes_it_is_announced_and_the_opponent_chooses() -> None:
    hand = act(dealt(BAD, "", "TS", "KD", EXPOSE), *PASSES, "draw stock")
    knock = Knock(cards("KD")[0], melds("4H5H6H", "9S9D9C"))
    assert can(hand, A, knock)
    assert exposes(hand, A, knock)
    assert knock not in legal_actions(hand)
    after = apply(hand, A, knock)
    assert (after.phase, after.to_move, after.exposed_by) == (Phase.EXPOSED, B, A)
    assert after.mask(A).bit_count() == 11
    assert after.moves[-1].move is Move.KNOCK
    assert after.moves[-1].illegal
    assert after.moves[-1].card is None
    assert legal(after) == ["look", "take-back"]
    refuses(after, "discard KD", NotYourTurn, seat=A)


@pytest.mark.parametrize("choice", ["look", "take-back"])
def test_the_offender_keeps_eleven_cards_discards_and_may_not_knock_this_turn(choice: str) -> None:
    hand = act(bad_knock(), choice)
    assert (hand.phase, hand.to_move) == (Phase.DISCARD, A)
    assert hand.mask(A).bit_count() == 11
    refuses(hand, "knock KD 4H5H6H/9S9D9C", KnockForbidden)
    assert [text.split()[0] for text in legal(hand)] == ["discard"] * 11
    after = act(hand, "discard KD")
    assert (after.to_move, after.exposed_by) == (B, None)


def test_a_better_knock_or_big_gin_is_forbidden_too_in_the_turn_of_an_illegal_one() -> None:
    hand = act(
        dealt("3H 4H 5H 6H 9S 9D 9C JC QC KC", "", "TS", "9H", EXPOSE), *PASSES, "draw stock"
    )
    hand = act(hand, "knock KC 3H4H5H6H", "take-back")
    refuses(hand, "knock 9H 3H4H5H6H/9S9D9C/JCQCKC", KnockForbidden)
    refuses(hand, "big-gin 3H4H5H6H/9S9H9D9C/JCQCKC", KnockForbidden)
    assert all(text.startswith("discard") for text in legal(hand))


def test_the_offender_may_knock_again_in_his_next_turn() -> None:
    hand = act(dealt(KNOCKER, "", "TS", "KD", EXPOSE), *PASSES, "draw stock")
    hand = act(hand, "knock KD 4H5H6H", "take-back", "discard KD", "draw stock")
    assert hand.drawn is not None
    hand = act(hand, f"discard {hand.drawn}", "draw stock")
    assert may_knock(hand)


def test_who_looks_sees_the_eleven_cards_until_his_next_draw() -> None:
    hand = act(bad_knock(), "look")
    eleven = cards("KD " + BAD)
    assert hand.looked is not None
    assert hand.looked[0] is B
    assert set(hand.looked[1]) == set(eleven)
    hand = act(hand, "discard KD")
    assert hand.looked is not None
    assert act(hand, "draw stock").looked is None


def test_after_a_taken_back_knock_nobody_sees_the_cards() -> None:
    assert act(bad_knock(), "take-back").looked is None


def test_the_card_just_taken_stays_banned_after_an_illegal_knock() -> None:
    hand = act(dealt(BAD, "", "KD", rules=EXPOSE), "draw discard", "knock 7S", "take-back")
    refuses(hand, "discard KD", JustTaken)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("knock QD 4H5H6H", NotInHand),
        ("knock KD JSQSKS", NotInHand),
        ("knock KD 4H5H6H/4H5H6H", NotAMeld),
    ],
)
def test_a_knock_that_is_wrong_otherwise_is_refused_in_every_house(
    text: str, error: type[IllegalAction]
) -> None:
    hand = act(dealt(BAD, "", "TS", "KD", EXPOSE), *PASSES, "draw stock")
    refuses(hand, text, error)
    taken = act(dealt(BAD, "", "KD", rules=EXPOSE), "draw discard")
    refuses(taken, "knock KD 4H5H6H", JustTaken)


def test_an_illegal_knock_at_the_last_draw_still_leaves_only_a_discard() -> None:
    hand = short_stock(act(dealt(ODD, "", "TS", "KD", EXPOSE), *PASSES), 3)
    hand = act(hand, "draw stock", "knock KD", "look")
    assert hand.last_chance
    over = act(hand, "discard KD")
    assert result(over).ending is Ending.STOCK_OUT
    assert over.looked is None
