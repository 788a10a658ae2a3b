"""The lay-off page: the best is worked out, everything else can be chosen."""

from __future__ import annotations

import pytest

from bot.ui import choices
from bot.ui.pages import arranged_layoff_page, layoff_modal, layoff_page
from gin import LayOff, Match, Meld, Seat, parse_cards
from tests.bot.ui.limits_check import check_form, check_page
from tests.bot.ui.staging import buttons, knocked, selects, shown, text
from tests.gin import table

A, B = Seat.A, Seat.B

#   knocker A:  4♥ 5♥ 6♥ · 9♠ 9♦ 9♣ · J♣ Q♣ K♣ · loose 5♦        5 points
#   defender B: 7♥ 8♥ fit the hearts one after the other, 9♥ the nines or then the hearts;
#               2♣ 3♣ 4♣ is his own run; K♠ 2♦ A♠ Q♦ stay.
CHAIN = "2C 3C 4C 7H 8H 9H KS 2D AS QD"


def chain() -> Match:
    deal = table.stacked(table.KNOCKER, CHAIN, "TS", "KD")
    return table.play(
        table.started().after(deal),
        "A pass",
        "B pass",
        "A draw stock",
        f"A knock KD {table.SPREAD}",
    )


def test_the_knockers_spread_and_ones_own_hand_are_shown() -> None:
    page = layoff_page(shown(chain(), B))
    assert "Ann: 4♥ 5♥ 6♥ · 9♠ 9♦ 9♣ · J♣ Q♣ K♣ · loose 5♦ · deadwood 5" in text(page)
    assert "You hold: A♠ K♠ 7♥ 8♥ 9♥ 2♦ Q♦ 2♣ 3♣ 4♣" in text(page)


def test_the_joint_optimum_is_offered_first() -> None:
    # 7♥ 8♥ 9♥ is a run of his own already: it stays, nothing need be laid off. Left: K♠ 2♦ A♠ Q♦.
    page = layoff_page(shown(chain(), B))
    assert "Best: lay off nothing." in text(page)
    assert "23 against 5: Ann scores the difference, 18." in text(page)
    assert buttons(page)["Lay off nothing — leaves 23"] == "gin:layoff:17:7:0"


def test_another_plan_can_be_chosen_and_nothing_is_always_at_hand() -> None:
    (options,) = selects(layoff_page(shown(chain(), B))).values()
    values = {option.label: int(option.value) for option in options}
    index = values["Lay off 7♥ 8♥ 9♥ — leaves 23"]
    page = layoff_page(shown(chain(), B), index)
    assert buttons(page) == {
        "Lay off 7♥ 8♥ 9♥ — leaves 23": f"gin:layoff:17:7:{index}",
        "Lay off nothing — leaves 23": "gin:layoff:17:7:0",
        "My own way": "gin:layoff-text:17:7",
        "Refresh": "gin:hand:17:7",
        "Score sheet": "gin:sheet:17:7",
        "Help": "gin:help:17:7:layoff",
        "Resign…": "gin:resign-menu:17:7",
    }


def test_what_a_button_does_already_stands_in_no_select() -> None:
    for index in range(len(choices.layoffs(shown(chain(), B).view))):
        page = layoff_page(shown(chain(), B), index)
        for options in selects(page).values():
            assert not {option.label for option in options} & set(buttons(page))


def test_each_laid_off_card_is_told_with_its_meld() -> None:
    (options,) = selects(layoff_page(shown(chain(), B))).values()
    index = next(int(one.value) for one in options if one.label.startswith("Lay off 7♥ —"))
    assert "Lay off 7♥ on 4♥ 5♥ 6♥." in text(layoff_page(shown(chain(), B), index))


def test_an_undercut_is_announced() -> None:
    # B holds two runs and 7♥ 8♥ for the hearts; A♠ and 2♠ stay: 3 against 5.
    deal = table.stacked(table.KNOCKER, "2C 3C 4C 5C 6D 7D 8D 7H AS 2S", "TS", "KD")
    match = table.play(
        table.started().after(deal),
        "A pass",
        "B pass",
        "A draw stock",
        f"A knock KD {table.SPREAD}",
    )
    page = layoff_page(shown(match, B))
    assert "Best: lay off 7♥ on 4♥ 5♥ 6♥." in text(page)
    assert "3 against 5: an undercut! You score 2 + 25." in text(page)
    assert buttons(page)["Lay off 7♥ — leaves 3"] == "gin:layoff:17:7:0"


def test_only_the_defender_lays_off() -> None:
    for match, seat in ((knocked(), A), (knocked(), None)):
        with pytest.raises(ValueError, match="not to lay off"):
            layoff_page(shown(match, seat))


def test_the_form_is_filled_with_the_best_plan_where_nothing_is_laid_off_it_says_so() -> None:
    form = layoff_modal(shown(knocked(), B))
    check_form(form)
    assert form.custom_id == "gin:layoff-typed:17:7"
    fields = {
        label["component"]["custom_id"]: label["component"].get("value")
        for label in form.to_dict()["components"]
    }
    assert fields == {"cards": "none", "melds": "2c 3c 4c / 7s 7h 7d"}


def test_what_is_arranged_in_the_form_is_asked_for_with_its_count_and_a_better_way() -> None:
    # Own run 2♣ 3♣ 4♣ and 7♥ laid on the hearts: 8♥ 9♥ K♠ 2♦ A♠ Q♦ stay, 8+9+10+2+1+10 = 40.
    meant = LayOff((Meld.parse("2C 3C 4C"),), parse_cards("7H"))
    page = arranged_layoff_page(shown(chain(), B), meant)
    assert "There is a better way: Lay off nothing — leaves 23." in text(page)
    assert "40 against 5: Ann scores the difference, 35." in text(page)
    assert buttons(page) == {
        "Lay off 7♥ — leaves 40": "gin:layoff-arranged:17:7:2C3C4C:7H",
        "Arrange it anew": "gin:layoff-text:17:7",
        "Back": "gin:hand:17:7",
    }
    assert [picture.name for picture in page.pictures] == [
        picture.name for picture in layoff_page(shown(chain(), B)).pictures
    ]
    check_page(page)


def test_the_best_arranged_by_hand_is_not_told_to_be_bettered() -> None:
    meant = LayOff((Meld.parse("2C 3C 4C"), Meld.parse("7H 8H 9H")), ())
    page = arranged_layoff_page(shown(chain(), B), meant)
    assert "better way" not in text(page)
    assert buttons(page)["Lay off nothing — leaves 23"] == (
        "gin:layoff-arranged:17:7:2C3C4C-7H8H9H:-"
    )
