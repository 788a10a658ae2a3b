from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gin.arrange import (
    Arrangement,
    arrangement_of,
    arrangements,
    best_arrangement,
    best_sheds,
    big_gin,
    deadwood,
    knock_options,
)
from gin.cards import DECK, Card, format_cards, mask_of, parse_cards, points_of
from gin.melds import Meld
from tests.gin import naive
from tests.gin.hands import any_hand, dealt_hand, rich_hand, vectors


def cards(texts: Iterable[str]) -> tuple[Card, ...]:
    return parse_cards(" ".join(texts))


def laid(way: Arrangement) -> str:
    return " / ".join(map(str, way.melds)) + " + " + format_cards(way.loose)


def check_is_a_way_to_lay(way: Arrangement, hand: Iterable[Card]) -> None:
    used = [card for meld in way.melds for card in meld.cards] + list(way.loose)
    assert sorted(used) == sorted(hand)
    assert all(Meld.of(meld.cards) == meld for meld in way.melds)
    assert list(way.loose) == sorted(way.loose)
    assert way.deadwood == points_of(way.loose)


def check_agrees_with_the_naive_solver(hand: naive.Cards) -> None:
    least = naive.deadwood(hand)
    held = cards(hand)
    assert deadwood(mask_of(held)) == least
    best = best_arrangement(held)
    assert best.deadwood == least
    check_is_a_way_to_lay(best, held)


def test_a_hand_of_three_melds_and_a_five_counts_five() -> None:
    # 4-5-6 of hearts, three nines, J-Q-K of clubs; the five of diamonds is loose.
    hand = parse_cards("4H 5H 6H 9S 9D 9C JC QC KC 5D")
    assert laid(best_arrangement(hand)) == "4H 5H 6H / JC QC KC / 9S 9D 9C + 5D"
    assert deadwood(mask_of(hand)) == 5


def test_a_hand_without_melds_counts_all_its_cards() -> None:
    # 1 + 3 + 5 + 7 + 9 + 10 + 2 + 4 + 6 + 8
    hand = parse_cards("AS 3S 5S 7S 9S JH 2D 4D 6C 8C")
    assert deadwood(mask_of(hand)) == 55
    assert best_arrangement(hand) == Arrangement((), tuple(sorted(hand)), 55)


def test_no_cards_count_nothing() -> None:
    assert deadwood(0) == 0
    assert best_arrangement([]) == Arrangement((), (), 0)
    assert arrangements([]) == (Arrangement((), (), 0),)


def test_one_of_four_sevens_goes_to_the_run_that_needs_it() -> None:
    # 7-8-9 of hearts needs its seven; the other three sevens are still a set. Loose: K Q 2 A.
    hand = parse_cards("7S 7H 7D 7C 8H 9H KS QD 2C AD")
    best = best_arrangement(hand)
    assert laid(best) == "7H 8H 9H / 7S 7D 7C + KS AD QD 2C"
    assert best.deadwood == 23


def test_a_long_run_gives_a_card_to_a_set_only_where_that_saves_points() -> None:
    # 3-4-5-6 of spades, 6H, 6D: three sixes and 3-4-5 leave nothing of them loose.
    saves = parse_cards("3S 4S 5S 6S 6H 6D")
    assert laid(best_arrangement(saves)) == "3S 4S 5S / 6S 6H 6D + "
    # 4-5-6 of spades, 6H, 6D: the run leaves 12, the set 4 + 5 = 9.
    assert laid(best_arrangement(parse_cards("4S 5S 6S 6H 6D"))) == "6S 6H 6D + 4S 5S"
    # 7-8-9 of spades, 7H, 7D: the run leaves 14, the set 8 + 9 = 17.
    assert laid(best_arrangement(parse_cards("7S 8S 9S 7H 7D"))) == "7S 8S 9S + 7H 7D"


def test_sets_and_runs_that_share_all_their_cards_make_gin_either_way() -> None:
    # Three rows of A-2-3 are three runs or three sets. Sets are offered first, runs second.
    hand = parse_cards("AS 2S 3S AH 2H 3H AD 2D 3D")
    sets, runs = arrangements(hand)
    assert laid(sets) == "AS AH AD / 2S 2H 2D / 3S 3H 3D + "
    assert laid(runs) == "AS 2S 3S / AH 2H 3H / AD 2D 3D + "
    assert laid(best_arrangement(hand)) == laid(sets)


def test_every_ten_card_vector_has_its_deadwood() -> None:
    rows = list(vectors("deadwood10"))
    assert len(rows) == 4500
    for row in rows:
        hand = parse_cards(str(row["hand"]))
        assert deadwood(mask_of(hand)) == row["deadwood"], row
        best = best_arrangement(hand)
        assert best.deadwood == row["deadwood"], row
        check_is_a_way_to_lay(best, hand)


def test_every_eleven_card_vector_has_its_discards_knocks_and_big_gin() -> None:
    rows = list(vectors("deadwood11"))
    assert len(rows) == 4518
    for row in rows:
        hand = parse_cards(str(row["hand"]))
        sheds = best_sheds(hand)
        least = sheds[0].arrangement.deadwood
        assert least == row["deadwood"], row
        best = {shed.discard for shed in sheds if shed.arrangement.deadwood == least}
        assert best == set(parse_cards(str(row["best_discards"]))), row
        knocks = {shed.discard for shed in knock_options(hand, 10)}
        assert knocks == set(parse_cards(str(row["knock_discards"]))), row
        assert deadwood(mask_of(hand)) == row["all_eleven"], row
        assert (big_gin(hand) is not None) == (row["all_eleven"] == 0), row


def test_eleven_cards_are_not_melded_before_one_is_dropped() -> None:
    # Fault 39. Melding all eleven best gives A-2-3 of spades, A-2-3 of clubs, 2-3-4 of diamonds
    # and leaves AH 2H, so 1 after the two is dropped. But without the four of diamonds there are
    # three aces, four twos and three threes: gin.
    hand = parse_cards("AS 2S 3S AC 2C 3C 2D 3D 4D AH 2H")
    assert deadwood(mask_of(hand)) == 3
    best = best_sheds(hand)[0]
    assert str(best.discard) == "4D"
    assert laid(best.arrangement) == "AS AH AC / 2S 2H 2D 2C / 3S 3D 3C + "


def test_the_card_just_taken_is_no_discard_and_no_discard_of_a_knock() -> None:
    # Three melds, a king and a two. The king goes, unless it was just taken.
    hand = parse_cards("4H 5H 6H 9S 9D 9C JC QC KC KD 2S")
    king, two = parse_cards("KD 2S")
    assert [shed.discard for shed in best_sheds(hand)][:2] == [king, two]
    assert len(best_sheds(hand)) == 11
    assert len(best_sheds(hand, banned=king)) == 10
    assert best_sheds(hand, banned=king)[0].discard == two
    assert best_sheds(hand, banned=king)[0].arrangement.deadwood == 10
    knocks = [(shed.discard, shed.arrangement.deadwood) for shed in knock_options(hand, 10)]
    assert knocks == [(king, 2), (two, 10)]
    assert [shed.discard for shed in knock_options(hand, 10, banned=king)] == [two]
    assert [shed.discard for shed in knock_options(hand, 2)] == [king]
    assert knock_options(hand, 1) == ()


def test_level_discards_are_ordered_by_points_high_first_then_by_card() -> None:
    # Gin after any of the four cards that lengthen a meld: 4H, 7H, one of the nines, TC.
    hand = parse_cards("4H 5H 6H 7H 9S 9H 9D TC JC QC KC")
    gins = [str(shed.discard) for shed in best_sheds(hand) if shed.arrangement.deadwood == 0]
    assert gins == ["TC", "KC", "7H", "4H"]


def test_only_gin_may_be_knocked_with_a_limit_of_nothing() -> None:
    gin = parse_cards("AS 2S 3S AC 2C 3C 2D 3D 4D AH 2H")
    assert {str(shed.discard) for shed in knock_options(gin, 0)} == {"4D"}
    assert knock_options(parse_cards("4H 5H 6H 9S 9D 9C JC QC KC KD AS"), 0) == ()


def test_big_gin_is_all_eleven_cards_in_melds() -> None:
    way = big_gin(parse_cards("4H 5H 6H 7H 9S 9H 9D TC JC QC KC"))
    assert way is not None
    assert laid(way) == "4H 5H 6H 7H / TC JC QC KC / 9S 9H 9D + "
    assert big_gin(parse_cards("4H 5H 6H 9S 9D 9C JC QC KC KD AS")) is None
    assert big_gin(parse_cards("4H 5H 6H 9S 9D 9C TC JC QC KC")) is None, "ten cards are gin"


def test_the_ways_to_lay_a_hand_come_with_the_least_deadwood_first_and_within_the_limit() -> None:
    # The nine of hearts belongs to the nines, and 7H 8H TD KS are loose, or to 7-8-9, and 9S 9D
    # TD KS are.
    hand = parse_cards("7H 8H 9H 9S 9D TD KS")
    assert [laid(way) for way in arrangements(hand)] == [
        "9S 9H 9D + KS 7H 8H TD",
        "7H 8H 9H + 9S KS 9D TD",
    ]
    assert [way.deadwood for way in arrangements(hand)] == [35, 38]
    assert [way.deadwood for way in arrangements(hand, limit=37)] == [35]
    assert arrangements(hand, limit=34) == ()


def test_two_runs_that_touch_are_given_as_one() -> None:
    assert [laid(way) for way in arrangements(DECK[:7])] == ["AS 2S 3S 4S 5S 6S 7S + "]


@settings(max_examples=200, deadline=None)
@given(any_hand() | rich_hand() | rich_hand(11))
def test_the_ways_to_lay_a_hand_are_all_those_that_leave_nothing_to_meld(
    hand: naive.Cards,
) -> None:
    ways = arrangements(cards(hand))
    found = [frozenset(frozenset(map(str, meld.cards)) for meld in way.melds) for way in ways]
    assert len(set(found)) == len(found)
    assert set(found) == naive.full_spreads(hand)
    assert [way.deadwood for way in ways] == sorted(way.deadwood for way in ways)
    assert ways[0].deadwood == naive.deadwood(hand)
    assert ways[0] == best_arrangement(cards(hand))
    assert arrangements(cards(sorted(hand))) == ways, "whatever the order of the cards"
    for way in ways:
        check_is_a_way_to_lay(way, cards(hand))


@settings(max_examples=30, deadline=None)
@given(rich_hand(11), st.sampled_from([0, 1, 5, 10]))
def test_the_knocks_are_every_discard_with_every_way_within_the_limit(
    hand: naive.Cards, limit: int
) -> None:
    expected = {
        (card, spread)
        for card in hand
        for spread in naive.full_spreads(hand - {card})
        if naive.count(hand - {card} - frozenset().union(*spread)) <= limit
    }
    options = knock_options(cards(hand), limit)
    found = [
        (
            str(shed.discard),
            frozenset(frozenset(map(str, meld.cards)) for meld in shed.arrangement.melds),
        )
        for shed in options
    ]
    assert len(found) == len(expected)
    assert set(found) == expected


@settings(max_examples=1500, deadline=None)
@given(any_hand() | dealt_hand())
def test_the_least_deadwood_of_random_hands_is_the_naive_solvers(hand: naive.Cards) -> None:
    check_agrees_with_the_naive_solver(hand)


@settings(max_examples=500, deadline=None)
@given(rich_hand())
def test_the_least_deadwood_of_meld_rich_hands_is_the_naive_solvers(hand: naive.Cards) -> None:
    check_agrees_with_the_naive_solver(hand)


@settings(max_examples=300, deadline=None)
@given(st.sets(st.sampled_from(naive.PACK), max_size=12).map(frozenset))
def test_hands_of_any_size_are_arranged(hand: naive.Cards) -> None:
    check_agrees_with_the_naive_solver(hand)


@settings(max_examples=60, deadline=None)
@given(any_hand(11) | rich_hand(11))
def test_the_best_discards_are_the_naive_solvers(hand: naive.Cards) -> None:
    sheds = best_sheds(cards(hand))
    found = {str(shed.discard): shed.arrangement.deadwood for shed in sheds}
    assert found == naive.deadwood_after_discard(hand)


def test_all_four_cards_of_each_rank_are_never_too_many_to_arrange() -> None:
    # The whole pack is thirteen sets of four, or four runs of thirteen.
    assert deadwood((1 << 52) - 1) == 0
    assert arrangement_of((1 << 52) - 1).deadwood == 0


@pytest.mark.long
@pytest.mark.timeout(1200)
@settings(max_examples=20_000, deadline=None)
@given(dealt_hand())
def test_twenty_thousand_random_hands_agree_with_the_naive_solver(hand: naive.Cards) -> None:
    check_agrees_with_the_naive_solver(hand)


@pytest.mark.long
@pytest.mark.timeout(1200)
@settings(max_examples=5_000, deadline=None)
@given(rich_hand())
def test_five_thousand_meld_rich_hands_agree_with_the_naive_solver(hand: naive.Cards) -> None:
    check_agrees_with_the_naive_solver(hand)


@pytest.mark.long
@pytest.mark.timeout(1200)
@settings(max_examples=2_000, deadline=None)
@given(rich_hand(11))
def test_two_thousand_meld_rich_hands_of_eleven_agree_with_the_naive_solver(
    hand: naive.Cards,
) -> None:
    sheds = best_sheds(cards(hand))
    found = {str(shed.discard): shed.arrangement.deadwood for shed in sheds}
    assert found == naive.deadwood_after_discard(hand)
