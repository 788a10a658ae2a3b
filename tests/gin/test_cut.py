import pytest

from gin.cut import cut_from, cut_order, cut_rounds
from gin.errors import MalformedCut
from tests.gin.table import cards


def test_the_higher_of_two_cards_comes_first_and_the_ace_is_low() -> None:
    assert cut_order(cards("7H KD"), 2) == (1, 0)
    assert cut_order(cards("KD 7H"), 2) == (0, 1)
    assert cut_order(cards("AS 2H"), 2) == (1, 0)
    assert cut_order(cards("TS JH"), 2) == (1, 0)


def test_suits_do_not_count_and_level_players_cut_again() -> None:
    assert cut_order(cards("7H 7S 2D 9C"), 2) == (1, 0)
    assert cut_order(cards("7H 7S 9D 9C 3S 2S"), 2) == (0, 1)


def test_three_players_are_ordered_by_their_cards() -> None:
    assert cut_order(cards("4D KS 9H"), 3) == (1, 2, 0)


@pytest.mark.parametrize(
    ("cut", "order"),
    [
        ("KS 5H 5D 3C 8C", (0, 2, 1)),
        ("5H KS 5D 8C 3C", (1, 0, 2)),
        ("KS KH 5D 2C 9C", (1, 0, 2)),
        ("KS KH KD 5C 5S 9C 2S 3S", (2, 1, 0)),
        ("KS KH KD 5C 9S 9C 2S 3S", (2, 1, 0)),
    ],
)
def test_only_the_level_players_cut_again_and_keep_their_places(
    cut: str, order: tuple[int, ...]
) -> None:
    assert cut_order(cards(cut), 3) == order


def test_the_rounds_of_a_cut_are_shown() -> None:
    k, q, five, two, nine = cards("KS KH 5D 2C 9C")
    assert cut_rounds((k, q, five, two, nine), 3) == (
        ((0, k), (1, q), (2, five)),
        ((0, two), (1, nine)),
    )


def test_a_cut_takes_as_many_cards_from_the_deck_as_it_needs() -> None:
    deck = cards("7H 7S 2D 9C KS QS 3D")
    assert cut_from(deck, 2) == deck[:4]
    assert cut_from(cards("4D KS 9H 2C"), 3) == cards("4D KS 9H")


@pytest.mark.parametrize(
    ("cut", "players", "why"),
    [
        ("", 2, "leave players level"),
        ("7H", 2, "leave players level"),
        ("7H 7S", 2, "leave players level"),
        ("7H 7S 2D", 2, "leave players level"),
        ("KS 5H 5D", 3, "leave players level"),
        ("7H KD 2S", 2, "more cards than the cut took"),
        ("7H KD", 1, "1 players"),
        ("7H KD 3S 4S", 4, "4 players"),
    ],
)
def test_cards_that_do_not_settle_the_order_exactly_are_no_cut(
    cut: str, players: int, why: str
) -> None:
    with pytest.raises(MalformedCut, match=why):
        cut_order(cards(cut), players)


def test_no_card_is_cut_twice() -> None:
    seven = cards("7H")
    with pytest.raises(MalformedCut, match="cut twice"):
        cut_order((*seven, *cards("7S"), *seven, *cards("9S")), 2)
