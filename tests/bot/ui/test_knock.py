"""A knock is asked for before it happens, with all that it means (faults.md, rows 36 to 38)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.ui import choices
from bot.ui.pages import arranged_page, knock_modal, knock_page
from bot.ui.pages.knock import fitting
from gin import Arrangement, Card, Meld, Rules, Seat, Shed, parse_cards, view
from tests.bot.ui.limits_check import check_form, check_page
from tests.bot.ui.staging import buttons, has_eleven, may_gin, may_knock, selects, shown, text
from tests.gin import table

A = Seat.A


def test_the_question_shows_count_spread_and_discard() -> None:
    page = knock_page(shown(may_knock(), A))
    assert "## Knock with 5?" in text(page)
    assert "Face-down discard: **K♦**" in text(page)
    assert "Your deadwood: 5♦ = 5 · limit 10" in text(page)
    assert buttons(page) == {
        "Knock with 5": "gin:knock:17:7:0",
        "Arrange it myself": "gin:knock-text:17:7",
        "Back": "gin:hand:17:7",
    }


def test_the_question_names_the_cards_that_would_fit_and_the_risk() -> None:
    # 4♥5♥6♥ takes 3♥ 7♥, the nines take 9♥, J♣Q♣K♣ takes 10♣ (no ace above the king).
    page = knock_page(shown(may_knock(), A))
    assert "These would fit: 3♥ 7♥ 9♥ 10♣." in text(page)
    assert "If that leaves Bob with 5 or less, you are undercut" in text(page)


def test_cards_that_one_holds_oneself_are_not_named_as_fitting() -> None:
    melds = (Meld.parse("4H 5H 6H"),)
    assert fitting(melds, parse_cards("4H 5H 6H 7H")) == parse_cards("3H")


def test_cards_that_lie_open_in_the_pile_are_not_named_as_fitting() -> None:
    # B threw the 9♥ away himself, so he can't lay it on the nines.
    deal = table.stacked(table.KNOCKER, table.DEFENDER.replace("7H", "9H"), "TS", "KD QD 8S")
    match = table.play(
        table.started().after(deal),
        "A pass",
        "B pass",
        "A draw stock",
        "A discard KD",
        "B draw stock",
        "B discard 9H",
        "A draw stock",
    )
    seen = view(match, A).hand
    assert seen is not None
    assert seen.discarded == parse_cards("TS KD 9H")
    assert "These would fit: 3♥ 7♥ 10♣." in text(knock_page(shown(match, A)))


def test_a_card_taken_from_the_pile_may_fit_again() -> None:
    seen = view(has_eleven(), A).hand  # A took the first up-card
    assert seen is not None
    assert seen.discarded == ()


def test_gin_is_asked_with_what_it_brings() -> None:
    page = knock_page(shown(may_gin(), A))
    assert "## Go gin?" in text(page)
    assert "Nothing can be laid off on gin. You score Bob's deadwood plus 25." in text(page)
    assert "You don't have to" in text(page)
    assert buttons(page)["Go gin"] == "gin:knock:17:7:0"


def test_nobody_is_told_to_play_on_where_that_is_impossible() -> None:
    one = shown(may_gin(), A)
    hand = one.view.hand
    assert hand is not None
    took_the_fiftieth = replace(one.view, hand=replace(hand, must_knock=True))
    drew_the_last = replace(one.view, hand=replace(hand, last_chance=True))
    assert "play on" not in text(knock_page(replace(one, view=took_the_fiftieth)))
    last = text(knock_page(replace(one, view=drew_the_last)))
    assert "play on" not in last
    assert "the hand is void" in last


def test_a_knock_on_the_last_draw_says_what_becomes_of_the_hand_without_it() -> None:
    one = shown(may_knock(), A)
    hand = one.view.hand
    assert hand is not None
    last = replace(one, view=replace(one.view, hand=replace(hand, last_chance=True)))
    without = "You don't have to, but if you discard instead, the hand is void."
    assert without in text(knock_page(last))
    assert without not in text(knock_page(one))


def test_other_ways_to_knock_can_be_chosen() -> None:
    one = shown(may_gin(), A)
    (options,) = selects(knock_page(one)).values()
    # Gin without K♦ is on the button; with 10 (K♦ loose) without either end of 4♥5♥6♥7♥.
    assert [option.label for option in options] == [
        "Knock with 10, discard 7♥",
        "Knock with 10, discard 4♥",
    ]
    page = knock_page(one, 1)
    assert "## Knock with 10?" in text(page)
    assert buttons(page)["Knock with 10"] == "gin:knock:17:7:1"
    (options,) = selects(page).values()
    assert [option.label for option in options] == [
        "Gin, discard K♦",
        "Knock with 10, discard 4♥",
    ]


def test_an_index_out_of_range_shows_the_best() -> None:
    page = knock_page(shown(may_knock(), A), 999)
    assert "gin:knock:17:7:0" in buttons(page).values()


def test_more_than_twenty_five_ways_are_cut_to_the_best() -> None:
    # Four sets of low cards and runs across them give dozens of arrangements.
    hand = "AS AH AD AC 2S 2H 2D 2C 3S 3H"
    deal = table.stacked(hand, "KH KC 4C 7S 7D 7H KS 8D 6C QS", "TS", "3D")
    match = table.play(table.started().after(deal), "A pass", "B pass", "A draw stock")
    one = shown(match, A)
    assert len(choices.knocks(one.view)) == 25
    page = knock_page(one, 24)
    check_page(page)
    (options,) = selects(page).values()
    assert len(options) == 24  # the one that is shown is on the button


def test_big_gin_is_offered_where_the_house_plays_it() -> None:
    hand = "4H 5H 6H 9S 9D 9C JC QC KC TC"
    deal = table.stacked(hand, table.DEFENDER.replace("7H", "QH"), "TS", "7H")
    match = table.play(
        table.started(Rules(big_gin=50)).after(deal), "A pass", "B pass", "A draw stock"
    )
    page = knock_page(shown(match, A))
    assert buttons(page)["Big gin with all eleven"] == "gin:big-gin:17:7"


def test_there_is_no_question_without_a_legal_knock() -> None:
    for match, seat in ((has_eleven(), A), (may_knock(), Seat.B)):
        with pytest.raises(ValueError, match="no knock"):
            knock_page(shown(match, seat))


def test_the_form_is_filled_with_the_best_knock() -> None:
    form = knock_modal(shown(may_knock(), A))
    check_form(form)
    assert form.custom_id == "gin:knock-typed:17:7"
    fields = {
        label["component"]["custom_id"]: label["component"]["value"]
        for label in form.to_dict()["components"]
    }
    assert fields == {"discard": "kd", "melds": "4h 5h 6h / jc qc kc / 9s 9d 9c"}


def arranged(*melds: str, loose: str) -> Shed:
    left = parse_cards(loose)
    laid = tuple(Meld.parse(meld) for meld in melds)
    return Shed(Card.parse("KD"), Arrangement(laid, left, sum(card.points for card in left)))


def test_a_knock_of_ones_own_is_asked_for_with_its_count_and_a_better_way() -> None:
    # Without the run J♣Q♣K♣ thirty points and the 5♦ are left: over any limit, but shown here.
    own = arranged("4H 5H 6H", "9S 9D 9C", loose="JC QC KC 5D")
    page = arranged_page(shown(may_knock(), A), own, is_over=True)
    assert "## Knock with 35?" in text(page)
    assert "These cards can lie better, with 5:" in text(page)
    assert "over the limit of 10" in text(page)
    assert buttons(page) == {
        "Announce it all the same": "gin:knock-arranged:17:7:KD:4H5H6H-9S9D9C",
        "Arrange it anew": "gin:knock-text:17:7",
        "Back": "gin:hand:17:7",
    }
    check_page(page)


def test_the_best_way_typed_is_asked_for_without_a_remark() -> None:
    own = arranged("4H 5H 6H", "9S 9D 9C", "JC QC KC", loose="5D")
    page = arranged_page(shown(may_knock(), A), own)
    assert "## Knock with 5?" in text(page)
    assert "can lie better" not in text(page)
    assert buttons(page)["Knock with 5"] == "gin:knock-arranged:17:7:KD:4H5H6H-9S9D9C-JCQCKC"
