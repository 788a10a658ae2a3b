"""Special moments on the table and the panels: the stock's end, exposed knocks, sitting out."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from bot.ui.drawn import table_picture
from bot.ui.page import PersonShown
from bot.ui.pages import knock_modal, knock_page, panel_page, table_page
from gin import Card, Match, Rules, Seat
from gin.rules import OKLAHOMA, BoxTiming, IllegalKnock, Limit, Scoring, SpadesDouble
from tests.bot.ui.limits_check import check_form
from tests.bot.ui.staging import buttons, has_eleven, knocked, named, selects, shown, text
from tests.gin import table

A, B, C = Seat.A, Seat.B, Seat.C
EXPOSE = Rules(illegal_knock=IllegalKnock.EXPOSE)
FIFTIETH = Rules(fiftieth_card=True)
ALWAYS = {"Refresh", "Score sheet", "Help", "Resign…"}


def exposed() -> Match:
    """A has knocked with ODD, 75 points over the limit; B holds DEFENDER and is to choose."""
    deal = table.stacked(table.ODD, table.DEFENDER, "TS", "KD 3H")
    start = table.started(EXPOSE).after(deal)
    return table.play(start, "A pass", "B pass", "A draw stock", "A knock KD")


def near_the_end(rules: Rules, hand: str, left: int = 3) -> Match:
    """A is to draw the king of diamonds, with so many cards left in the stock."""
    deal = table.stacked(hand, table.DEFENDER, "TS", "KD")
    match = table.play(table.started(rules).after(deal), "A pass", "B pass")
    assert match.hand is not None
    return replace(match, hand=table.short_stock(match.hand, left))


# ------------------------------------------------------------------ a knock over the limit


def test_the_table_announces_a_knock_over_the_limit_and_offers_the_choice() -> None:
    page = table_page(shown(exposed()))
    assert "Bob may look at the exposed cards or have them taken back" in text(page)
    assert "Ann knocked over the limit, so it doesn't count." in text(page)
    assert "Then Ann discards, and can't knock this turn." in text(page)
    assert buttons(page)["Look"] == "gin:look:17:7"
    assert buttons(page)["Have them taken back"] == "gin:take-back:17:7"


def test_the_opponent_is_told_what_each_choice_means() -> None:
    page = panel_page(shown(exposed(), B))
    assert "you alone see those eleven cards until your next draw" in text(page)
    assert set(buttons(page)) - ALWAYS == {"Look", "Have them taken back"}


def test_the_offender_is_told_what_comes_and_has_no_buttons() -> None:
    page = panel_page(shown(exposed(), A))
    assert "Your knock was over the limit, so it doesn't count." in text(page)
    assert set(buttons(page)) == ALWAYS


def test_where_only_gin_ends_a_hand_it_is_told_as_gin_that_was_none() -> None:
    rules = replace(EXPOSE, knock_limit=0)
    start = table.started(rules).after(table.stacked(table.ODD, table.DEFENDER, "TS", "KD 3H"))
    match = table.play(start, "A pass", "B pass", "A draw stock", "A knock KD")
    said = "Ann declared gin without having it, so it doesn't count."
    assert said in text(table_page(shown(match)))
    assert said in text(panel_page(shown(match, B)))
    assert "What you declared wasn't gin" in text(panel_page(shown(match, A)))
    for page in (
        table_page(shown(match)),
        panel_page(shown(match, A)),
        panel_page(shown(match, B)),
    ):
        assert "over the limit" not in text(page)


def test_only_the_one_who_looked_sees_the_eleven_cards_and_only_until_he_draws() -> None:
    match = table.play(exposed(), "B look")
    cards = "2♠ 8♠ Q♠ 5♥ J♥ K♥ A♦ 10♦ Q♦ K♦ 9♣"
    for later in (match, table.play(match, "A discard KD")):
        page = panel_page(shown(later, B))
        assert f"The exposed cards: {cards}" in text(page)
        assert [picture.name for picture in page.pictures] == ["hand.png", "exposed.png"]
        assert "The exposed cards" not in text(table_page(shown(later)))
        assert "The exposed cards" not in text(panel_page(shown(later, A)))
    drawn = table.play(match, "A discard KD", "B draw stock")
    assert "The exposed cards" not in text(panel_page(shown(drawn, B)))


def test_taken_back_unseen_nobody_sees_them_and_the_offender_only_discards() -> None:
    match = table.play(exposed(), "B take-back")
    assert "The exposed cards" not in text(panel_page(shown(match, B)))
    assert "Bob had the cards taken back unseen." in text(table_page(shown(match)))
    page = panel_page(shown(match, A))
    told = "Your knock was over the limit, so it doesn't count. You can't knock this turn."
    assert told in text(page)
    assert set(buttons(page)) == ALWAYS
    assert len(next(iter(selects(page).values()))) == 11


def test_the_form_says_what_a_knock_over_the_limit_becomes_where_it_is_announced() -> None:
    deal = table.stacked(table.KNOCKER, table.DEFENDER, "TS", "KD")
    for rules, said in ((EXPOSE, True), (Rules(), False)):
        match = table.play(table.started(rules).after(deal), "A pass", "B pass", "A draw stock")
        form = knock_modal(shown(match, A))
        check_form(form)
        assert ("Over the limit it is announced" in repr(form.to_dict())) is said


# --------------------------------------------------------------------- the stock's end


def test_the_last_card_of_the_stock_is_said_with_what_a_discard_means() -> None:
    match = table.play(near_the_end(Rules(), table.ODD), "A draw stock")
    for page in (panel_page(shown(match, A)), table_page(shown(match))):
        assert "The stock is down to two: without a knock the hand is void." in text(page)


def test_the_fiftieth_card_is_explained_to_the_one_who_may_take_it() -> None:
    # B holds 2♣ 3♣ 4♣ and three sevens; with K♦ he is far from ten.
    match = table.play(near_the_end(FIFTIETH, table.ODD), "A draw stock", "A discard KD")
    page = panel_page(shown(match, B))
    assert "K♦ would give you no knock, so you can only pass" in text(page)
    assert "Your turn: you can only pass" in text(page)
    assert set(buttons(page)) - ALWAYS == {"Pass"}
    table_says = text(table_page(shown(match)))
    assert "Bob may take K♦ to knock with it at once, or pass; then the hand is void." in table_says


def test_whether_the_fiftieth_card_helps_is_seen_by_nobody_else() -> None:
    # B holds two melds and 4♦ 5♦ J♠ A♠: with 6♦ he can shed the jack and knock with one.
    helped = "2C 3C 4C 7S 7D 7H 4D 5D JS AS"
    seen = []
    for hand in (table.DEFENDER, helped):
        deal = table.stacked(table.ODD, hand, "TS", "6D")
        match = table.play(table.started(FIFTIETH).after(deal), "A pass", "B pass")
        assert match.hand is not None
        match = replace(match, hand=table.short_stock(match.hand, 3))
        match = table.play(match, "A draw stock", "A discard 6D")
        page = table_page(shown(match))
        seen.append((text(page), buttons(page)))
        own = panel_page(shown(match, B))
        assert ("Take 6♦" in buttons(own)) is (hand == helped)
    assert seen[0] == seen[1]


@pytest.mark.parametrize("bonus", [None, 31])
def test_whoever_may_take_the_fiftieth_card_reads_of_big_gin_where_it_is_played(
    bonus: int | None,
) -> None:
    # B holds 2♣ 3♣ 4♣, three sevens and 4♦ 5♦: 6♦ completes a run.
    rules = replace(FIFTIETH, big_gin=bonus)
    deal = table.stacked(table.ODD, "2C 3C 4C 7S 7D 7H 4D 5D JS AS", "TS", "6D")
    match = table.play(table.started(rules).after(deal), "A pass", "B pass")
    assert match.hand is not None
    match = replace(match, hand=table.short_stock(match.hand, 3))
    page = panel_page(shown(table.play(match, "A draw stock", "A discard 6D"), B))
    assert "Take 6♦ only if you knock with it at once" in text(page)
    assert ("Eleven cards all in melds are big gin" in text(page)) is (bonus is not None)


def test_who_took_the_fiftieth_card_has_to_knock() -> None:
    # B has ten points without the king: taking it he may knock with another discard.
    deal = table.stacked(table.ODD, "2C 3C 4C 7S 7D 7H KS KC 9D AS", "TS", "KD")
    match = table.play(table.started(FIFTIETH).after(deal), "A pass", "B pass")
    assert match.hand is not None
    match = replace(match, hand=table.short_stock(match.hand, 3))
    match = table.play(match, "A draw stock", "A discard KD", "B draw discard")
    page = panel_page(shown(match, B))
    assert "Your turn: you have to knock" in text(page)
    assert "K♦ was the fiftieth card: it has to be knocked with" in text(page)
    assert selects(page) == {}
    assert set(buttons(page)) - ALWAYS == {"Knock with 1…"}


def test_from_nine_draws_on_it_is_said_how_many_are_left() -> None:
    match = near_the_end(Rules(draw_cap=30), table.ODD, 20)
    for draws, said in ((20, ""), (21, "9 draws are left"), (29, "1 draw is left")):
        assert match.hand is not None
        match = replace(match, hand=replace(match.hand, draws=draws))
        told = text(table_page(shown(match)))
        assert said in told
        assert ("left before the hand is void" in told) is bool(said)


def test_the_last_draw_of_the_cap_is_told_as_such() -> None:
    match = near_the_end(Rules(draw_cap=30), table.ODD, 20)
    assert match.hand is not None
    match = replace(match, hand=replace(match.hand, draws=29))
    match = table.play(match, "A draw stock")
    assert "That was the last draw of the hand" in text(panel_page(shown(match, A)))


# ------------------------------------------------------------------------------ big gin


def eleven_melded(bonus: int | None) -> Match:
    """A holds 4♥ to 7♥, three nines, J♣ Q♣ K♣ and draws the eight of hearts."""
    hand = "4H 5H 6H 7H 9S 9D 9C JC QC KC"
    deal = table.stacked(hand, table.DEFENDER.replace("7H", "QH"), "TS", "8H")
    match = table.started(Rules(big_gin=bonus)).after(deal)
    return table.play(match, "A pass", "B pass", "A draw stock")


def test_big_gin_is_offered_with_what_it_scores() -> None:
    page = panel_page(shown(eleven_melded(50), A))
    assert "Your turn: you have big gin!" in text(page)
    assert buttons(page)["Big gin, or gin…"] == "gin:knock-menu:17:7"
    asked = knock_page(shown(eleven_melded(50), A))
    assert "**Big gin** scores Bob's deadwood plus 50." in text(asked)
    assert "You score Bob's deadwood plus 25." in text(asked)
    assert buttons(asked)["Big gin with all eleven"] == "gin:big-gin:17:7"
    assert buttons(asked)["Go gin"] == "gin:knock:17:7:0"


def test_where_big_gin_is_not_played_it_is_not_spoken_of() -> None:
    one = shown(eleven_melded(None), A)
    for page in (panel_page(one), knock_page(one)):
        assert "ig gin" not in text(page)
        assert not any("ig gin" in label for label in buttons(page))


# ---------------------------------------------------------------------------- the limit


def test_who_is_who_is_said_where_a_picture_cannot_draw_a_name() -> None:
    people = (PersonShown(101, "日本語"), PersonShown(102, "José"), PersonShown(103, "Cat"))
    for match, seat in ((has_eleven(), A), (has_eleven(), None), (knocked(), None)):
        page = panel_page if seat is not None else table_page
        assert "in the pictures A = 日本語" in text(page(shown(match, seat, people=people)))
    assert "in the pictures" not in text(table_page(shown(has_eleven())))


def test_oklahomas_limit_card_is_drawn_once_while_it_is_the_up_card() -> None:
    fresh = table.started(OKLAHOMA).after(table.stacked(starter="7S"))
    taken = table.play(fresh, "A draw discard")
    drawn = []
    for match in (fresh, taken):
        picture = table_picture(shown(match))
        assert picture is not None
        assert isinstance(picture.render, partial)
        drawn.append(picture.render.args[0].starter)
    assert drawn == [None, Card.parse("7S")]


def test_oklahomas_limit_names_the_starter_also_after_it_was_taken() -> None:
    rules = Rules(knock_limit=Limit.UPCARD)
    match = table.started(rules).after(table.stacked(starter="7S"))
    taken = table.play(match, "A draw discard")
    for page in (table_page(shown(match)), table_page(shown(taken)), panel_page(shown(taken, A))):
        assert "knock with 7 or less, by the 7♠" in text(page)
        assert "a spade: everything scored counts double" in text(page)
    assert "by the 7 of spades" in table_page(shown(taken)).pictures[0].alt


def test_the_doubling_is_told_as_the_house_plays_it() -> None:
    told = {
        SpadesDouble.ALL: "a spade: everything scored counts double",
        SpadesDouble.DIFFERENCE: "a spade: the deadwood scored counts double, bonuses don't",
    }
    for doubling, said in told.items():
        rules = Rules(knock_limit=Limit.UPCARD, spades_double=doubling)
        match = table.started(rules).after(table.stacked(starter="7S"))
        assert said in text(table_page(shown(match)))
    off = Rules(knock_limit=Limit.UPCARD, spades_double=SpadesDouble.OFF)
    match = table.started(off).after(table.stacked(starter="7S"))
    assert "spade" not in text(table_page(shown(match)))


# ------------------------------------------------------------------------ three players


ROTATION = Rules(scoring=Scoring.ROTATION)


def test_the_one_who_sits_out_gets_a_friendly_word_and_the_public_view() -> None:
    match = table.started(ROTATION).after(table.stacked())
    page = panel_page(shown(match, C))
    assert "Lean back and watch: Bob and Ann play this one, and you are back" in text(page)
    assert "The table shows what is played meanwhile." in text(page)
    assert table_page(shown(match)).pictures[0].alt.endswith("Cat sits out.")


def test_between_two_hands_the_next_to_sit_out_is_named() -> None:
    match = table.won(table.started(ROTATION), A, 30)
    for page in (table_page(shown(match)), panel_page(shown(match, B))):
        assert "Ann sits the next hand out." in text(page)


def test_after_a_void_hand_the_same_one_sits_out() -> None:
    match = table.void(table.started(ROTATION))
    assert "Cat sits the next hand out." in text(table_page(shown(match)))


def test_a_round_that_is_being_completed_is_told_as_such() -> None:
    rules = Rules(scoring=Scoring.ROTATION, finish_rotation=True)
    match = table.won(table.won(table.started(rules), A, 60), B, 20)
    match = table.won(table.won(match, C, 20), A, 60).after(table.stacked())
    said = text(table_page(shown(match)))
    assert "Ann has reached 100; the round of three is completed first." in said


# ---------------------------------------------------------------------------- Hollywood


HOLLYWOOD = Rules(scoring=Scoring.HOLLYWOOD)


def hollywood(*wins: tuple[Seat, int], rules: Rules = HOLLYWOOD) -> Match:
    match = table.started(rules)
    for winner, points in wins:
        match = table.won(match, winner, points)
    return match


def test_open_and_closed_games_and_where_the_next_win_goes_stay_on_screen() -> None:
    match = hollywood((A, 30), (A, 25), (B, 47)).after(table.stacked())
    for page in (table_page(shown(match)), panel_page(shown(match, A))):
        assert "Closed" not in text(page)
        goes = "The next win counts: Ann's in games 1, 2 and 3, Bob's in games 1 and 2."
        assert goes in text(page)


def test_a_game_that_closes_is_settled_at_once_under_the_hand_that_closed_it() -> None:
    # Game 1: 30 + 25 + 60 = 115 for Ann, 47 for Bob.
    match = hollywood((A, 30), (A, 25), (B, 47), (A, 60))
    for page in (table_page(shown(match)), panel_page(shown(match.after(table.stacked()), B))):
        said = text(page)
        assert "Entered in games 1, 2, 3." in said
        assert "**Game 1, closed and won by Ann**" in said
        assert "Ann: 115 in hands + 100 game bonus + 75 for 3 boxes = **290**" in said
        assert "Closed: game 1. The next win counts:" in said


def test_a_closed_game_is_told_only_with_the_hand_that_closed_it() -> None:
    match = hollywood((A, 30), (A, 25), (B, 47), (A, 60), (B, 20))
    assert "closed and won by" not in text(table_page(shown(match)))


def test_boxes_at_once_are_in_the_settlement_and_add_up() -> None:
    # Two hands of 60 with a box of 25 each: 85, then 170. 120 + 100 + 50 = 270.
    rules = Rules(scoring=Scoring.HOLLYWOOD, box_timing=BoxTiming.AT_ONCE)
    said = text(table_page(shown(hollywood((A, 60), (A, 60), rules=rules))))
    assert "Ann: 120 in hands + 100 game bonus + 50 for 2 boxes, added at once = **270**" in said


def test_long_names_leave_room_for_what_matters() -> None:
    match = hollywood((A, 60), (A, 60)).after(table.stacked())
    said = text(table_page(shown(match, people=named("*" * 32))))
    assert "The next win counts" in said
    assert "Up-card" in said
