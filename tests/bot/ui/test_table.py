"""The table message: public facts only, and the controls for those who sit there."""

from __future__ import annotations

import pytest

from bot.ui.pages import ping_page, table_page
from bot.ui.pages.table import public_piles
from gin import Match, Pile, Rules, Seat, view
from gin.rules import Scoring
from tests.bot.ui.staging import LATER, buttons, knocked, may_knock, random_match, shown, text
from tests.gin import table

A, B = Seat.A, Seat.B


def fresh() -> Match:
    return table.started().after(table.stacked(table.KNOCKER, table.DEFENDER, "TS", "KD"))


def test_the_table_is_never_made_from_a_players_view() -> None:
    with pytest.raises(ValueError, match="public view"):
        table_page(shown(fresh(), A))


def test_the_upcard_phase_offers_take_and_pass() -> None:
    page = table_page(shown(fresh(), deadline=LATER))
    assert list(buttons(page)) == ["My hand", "Take 10♠", "Pass", "Score sheet", "Rules", "Help"]
    assert f"**Ann may take the 10♠ or pass · deadline <t:{int(LATER.timestamp())}:R>**" in text(
        page
    )
    assert "The cut: Ann 7♥, Bob K♦. Bob deals first." in text(page)


def test_after_two_passes_only_the_stock_is_open() -> None:
    page = table_page(shown(table.play(fresh(), "A pass", "B pass")))
    assert list(buttons(page)) == ["My hand", "Draw from stock", "Score sheet", "Rules", "Help"]
    assert "Both passed the up-card." in text(page)


def test_the_draw_phase_offers_both_piles() -> None:
    page = table_page(shown(table.play(may_knock(), "A discard KD")))
    assert buttons(page)["Draw from stock"] == "gin:draw:17:7:stock"
    assert buttons(page)["Take K♦"] == "gin:draw:17:7:discard"
    assert "Ann drew from the stock and discarded K♦." in text(page)
    assert "Up-card **K♦** · stock **30** · knock with 10 or less" in text(page)


def test_a_card_drawn_from_the_stock_stays_unnamed() -> None:
    page = table_page(shown(may_knock()))
    assert "Ann drew from the stock." in text(page)
    assert "K♦" not in text(page)
    assert list(buttons(page)) == ["My hand", "Score sheet", "Rules", "Help"]


def test_after_a_knock_both_hands_lie_open_and_the_discard_stays_hidden() -> None:
    page = table_page(shown(knocked()))
    assert "Ann knocked with 5." in text(page)
    assert "Ann: 4♥ 5♥ 6♥ · 9♠ 9♦ 9♣ · J♣ Q♣ K♣ · loose 5♦ · deadwood 5" in text(page)
    assert "Bob: A♠ 7♠ K♠ 7♥ 7♦ 8♦ 2♣ 3♣ 4♣ 6♣" in text(page)
    assert "K♦" not in text(page)
    assert "king of diamonds" not in page.pictures[0].alt


def test_a_young_hand_still_shows_how_the_last_one_ended() -> None:
    match = table.won(table.started(), A, 30).after(table.stacked())
    page = table_page(shown(match))
    assert "Hand 1: Ann knocks and scores 30" in text(page)
    assert [picture.name for picture in page.pictures] == ["showdown.png", "table.png"]
    after = table.play(match, f"{match.to_move} pass")
    after = table.play(after, f"{after.to_move} pass")
    assert "Hand 1" not in text(table_page(shown(after)))


def test_the_end_is_settled_on_the_table_with_a_rematch() -> None:
    match = table.won(table.won(table.started(), A, 60), A, 60)
    page = table_page(shown(match))
    assert "Ann wins the match!" in text(page)
    assert list(buttons(page)) == ["Rematch", "Score sheet", "Help"]


def test_a_rotation_says_who_sits_out_and_who_is_next() -> None:
    match = table.started(Rules(scoring=Scoring.ROTATION)).after(table.stacked())
    assert "Cat sits this hand out, Ann the next one." in text(table_page(shown(match)))


def test_the_piles_offered_on_the_table_are_those_that_the_player_may_draw_from() -> None:
    checked = 0
    for step in random_match(5, Rules(fiftieth_card=True), most_hands=4):
        seat = step.match.to_move
        public = view(step.match, None).hand
        if seat is None or public is None:
            continue
        own = view(step.match, seat).hand
        assert own is not None
        stock, take = public_piles(public)
        assert (stock, take) == (Pile.STOCK in own.piles, Pile.DISCARD in own.piles)
        checked += 1
    assert checked > 50


def test_a_call_to_ones_turn_names_one_person() -> None:
    page = ping_page(shown(fresh()), B)
    assert "<@102>" in text(page)
    assert "<@101>" not in text(page)
    assert list(buttons(page)) == ["My hand"]
