import pytest
from hypothesis import given

from gin.cards import DECK, format_cards, mask_of, parse_cards
from gin.errors import MalformedMeld
from gin.melds import EXTENSIONS, MELDS, Meld, melds_in
from tests.gin import naive
from tests.gin.hands import any_hand, rich_hand


def texts(meld: Meld) -> naive.Cards:
    return frozenset(map(str, meld.cards))


def test_there_are_sixty_five_sets_and_two_hundred_and_sixty_four_runs() -> None:
    # A rank: one set of four, four of three; 13 * 5. A suit: 11 runs of three, 10 of four ...
    # one of thirteen: 66; 4 * 66.
    assert sum(meld.is_set for meld in MELDS.values()) == 65
    assert sum(not meld.is_set for meld in MELDS.values()) == 264


def test_the_melds_are_those_that_the_definition_gives() -> None:
    assert {texts(meld) for meld in MELDS.values()} == set(naive.melds_of(frozenset(naive.PACK)))


@pytest.mark.parametrize(
    "text",
    ["AS AH AC", "AS AH AD AC", "AH 2H 3H", "JC QC KC", "9H TH JH QH", "3D 2D AD", "KC KD KH"],
)
def test_sets_of_three_and_four_and_runs_of_three_and_more_are_melds(text: str) -> None:
    meld = Meld.parse(text)
    assert meld.cards == tuple(sorted(parse_cards(text)))
    assert str(meld) == format_cards(meld.cards)
    assert meld.mask == mask_of(meld.cards)
    assert meld.is_set == naive.is_set(texts(meld))
    assert meld.is_set != naive.is_run(texts(meld))


@pytest.mark.parametrize(
    "text",
    ["", "7H", "7H 8H", "7H 7D", "QH KH AH", "KH AH 2H", "7H 8H TH", "7H 8H 9D", "7H 7D 8C"],
)
def test_anything_else_is_no_meld_and_the_ace_is_low_only(text: str) -> None:
    with pytest.raises(MalformedMeld):
        Meld.parse(text)


def test_cards_of_which_one_stands_twice_are_no_meld() -> None:
    seven = parse_cards("7H")[0]
    with pytest.raises(MalformedMeld):
        Meld.of([seven, seven, seven])
    with pytest.raises(MalformedMeld):
        Meld.of([*parse_cards("7H 7D 7C 7S"), seven])


def test_a_meld_is_equal_to_the_same_cards_in_any_order() -> None:
    assert Meld.parse("9H 7H 8H") == Meld.parse("7H 8H 9H")
    assert len({Meld.parse("9H 7H 8H"), Meld(parse_cards("7H 8H 9H"))}) == 1


def test_a_set_takes_the_fourth_card_and_a_run_its_neighbours_without_wrap() -> None:
    def takes(text: str) -> str:
        return format_cards(Meld.parse(text).open_to)

    assert takes("7S 7H 7C") == "7D"
    assert takes("7S 7H 7D 7C") == ""
    assert takes("5H 6H 7H") == "4H 8H"
    assert takes("AH 2H 3H") == "4H"
    assert takes("JC QC KC") == "TC"
    assert takes("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS") == ""


def test_what_extends_a_meld_makes_another_meld() -> None:
    for mask, takes in EXTENSIONS.items():
        larger = {mask | 1 << card for card in DECK if not mask >> card & 1} & set(MELDS)
        assert larger == {mask | 1 << card for card in DECK if takes >> card & 1}


@given(any_hand() | rich_hand())
def test_the_melds_in_a_hand_are_those_that_trying_everything_finds(hand: naive.Cards) -> None:
    found = melds_in(mask_of(parse_cards(" ".join(hand))))
    assert len(found) == len(set(found))
    assert {texts(meld) for meld in found} == set(naive.melds_of(hand))
