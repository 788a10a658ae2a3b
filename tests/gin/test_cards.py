import pickle

import pytest

from gin.cards import DECK, Card, Suit, cards_of, format_cards, mask_of, parse_cards, points_of
from gin.errors import GinError, MalformedCard
from tests.gin import naive


def test_the_deck_is_the_fifty_two_cards_spades_first_ace_to_king() -> None:
    assert [str(card) for card in DECK] == naive.PACK
    assert format_cards(DECK[:14]) == "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AH"


def test_every_card_is_read_as_it_is_written_in_large_and_small_letters() -> None:
    for card in DECK:
        text = str(card)
        assert Card.parse(text) is card
        assert Card.parse(text.lower()) is card
        assert Card.parse(text[0] + text[1].lower()) is card
        assert Card.parse(text[0].lower() + text[1]) is card


@pytest.mark.parametrize(
    "text",
    ["", "7", "H", "H7", "10D", "1H", "0S", "7X", "7HH", " 7H", "7H ", "7♥", "７H", "7ſ", "7h\n"],
)
def test_what_is_no_card_is_refused_with_the_text_quoted(text: str) -> None:
    with pytest.raises(MalformedCard) as refusal:
        Card.parse(text)
    assert repr(text) in str(refusal.value)
    assert isinstance(refusal.value, GinError)


def test_ace_counts_one_pips_their_number_and_ten_to_king_ten() -> None:
    hearts = parse_cards("AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH")
    assert [card.points for card in hearts] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
    assert points_of(DECK) == 340


def test_a_card_is_made_of_rank_and_suit_and_tells_both() -> None:
    card = Card.of(10, Suit.DIAMONDS)
    assert str(card) == "TD"
    assert (card.rank, card.suit) == (10, Suit.DIAMONDS)
    assert repr(card) == "Card('TD')"
    for rank in (0, 14, -1):
        with pytest.raises(MalformedCard):
            Card.of(rank, Suit.SPADES)


def test_cards_sort_by_suit_then_rank() -> None:
    assert format_cards(sorted(parse_cards("2C KS AD TH 9H AS"))) == "AS KS 9H TH AD 2C"


def test_cards_apart_by_any_white_space_are_read_in_their_order() -> None:
    assert format_cards(parse_cards("  9c\tTS\n ah ")) == "9C TS AH"
    assert parse_cards(" ") == ()


def test_a_card_that_stands_twice_is_refused() -> None:
    with pytest.raises(MalformedCard, match="twice"):
        parse_cards("7H 8H 7h")


def test_cards_become_bits_and_bits_become_cards() -> None:
    assert mask_of(parse_cards("AS 2S AH KC")) == 1 | 2 | 1 << 13 | 1 << 51
    assert cards_of((1 << 52) - 1) == DECK
    assert cards_of(0) == ()
    assert cards_of(mask_of(parse_cards("KC 7H AS"))) == parse_cards("AS 7H KC")


def test_cards_survive_a_trip_to_another_process() -> None:
    again = pickle.loads(pickle.dumps(DECK))  # noqa: S301
    assert again == DECK
    assert str(again[51]) == "KC"
