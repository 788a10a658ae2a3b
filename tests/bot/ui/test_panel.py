"""The private panel: everything that a player needs at each moment of a match."""

from __future__ import annotations

from itertools import pairwise

import pytest

from bot.ui.controls import Control, Verb
from bot.ui.pages import arranged_layoff_page, facts, knock_page, panel_page, table_page
from gin import Cancel, LayOff, Match, Move, Phase, Rules, Seat, parse_event
from gin.rules import IllegalKnock, Limit, Scoring
from tests.bot.ui.limits_check import check_page
from tests.bot.ui.staging import (
    LATER,
    buttons,
    has_eleven,
    knocked,
    may_gin,
    may_knock,
    random_match,
    selects,
    shown,
    text,
)
from tests.gin import table

A, B, C = Seat.A, Seat.B, Seat.C
ALWAYS = {"Refresh", "Score sheet", "Help", "Resign…"}


def fresh() -> Match:
    """The plain position just dealt: the non-dealer A may take the ten of spades."""
    return table.started().after(table.stacked(table.KNOCKER, table.DEFENDER, "TS", "KD"))


def test_the_panel_is_never_made_from_the_public_view() -> None:
    with pytest.raises(ValueError, match="player"):
        panel_page(shown(fresh()))


def test_the_first_player_may_take_the_upcard_or_pass() -> None:
    page = panel_page(shown(fresh(), A))
    assert "Your turn: take the 10♠ or pass" in text(page)
    assert buttons(page) == {
        "Take 10♠": "gin:draw:17:7:discard",
        "Pass": "gin:pass:17:7",
        "Refresh": "gin:hand:17:7",
        "Score sheet": "gin:sheet:17:7",
        "Help": "gin:help:17:7:play",
        "Resign…": "gin:resign-menu:17:7",
    }


def test_ones_hand_stands_in_words_with_its_melds_and_deadwood() -> None:
    page = panel_page(shown(fresh(), A))
    assert "4♥ 5♥ 6♥ · J♣ Q♣ K♣ · 9♠ 9♦ 9♣ · loose 5♦ · deadwood 5" in text(page)


def test_the_one_who_waits_has_no_acts_but_sees_who_is_awaited() -> None:
    page = panel_page(shown(fresh(), B))
    assert set(buttons(page)) == ALWAYS
    assert selects(page) == {}
    assert "Waiting for Ann" in text(page)
    assert "The table shows what is played meanwhile." in text(page)


def standing(match: Match, seat: Seat) -> str:
    """What a panel says but for the line on the last move, which was made and stays so."""
    return text(panel_page(shown(match, seat))).replace(facts.last_move(shown(match, seat)), "")


@pytest.mark.parametrize("scoring", [Scoring.GAME, Scoring.ROTATION])
def test_nothing_that_a_waiting_panel_says_is_made_untrue_by_another_ones_draw(
    scoring: Scoring,
) -> None:
    """His panel is sent once for all that others do before his turn; the table shows the rest."""
    compared = 0
    for seed in range(3):
        steps = [step.match for step in random_match(seed, Rules(scoring=scoring), most_hands=3)]
        for before, after in pairwise(steps):
            if before.hand is None or after.hand is None or before.hand.phase is not Phase.DRAW:
                continue
            for seat in after.seats:
                if seat is not after.to_move:
                    compared += 1
                    assert standing(before, seat) == standing(after, seat)
    assert compared > 100


def test_after_both_passed_only_the_stock_is_offered() -> None:
    match = table.play(fresh(), "A pass", "B pass")
    page = panel_page(shown(match, A))
    assert set(buttons(page)) - ALWAYS == {"Draw from stock"}
    assert "Both passed the up-card." in text(page)


def test_later_both_piles_are_offered_and_the_last_turn_is_told() -> None:
    match = table.play(may_knock(), "A discard KD")
    page = panel_page(shown(match, B))
    assert set(buttons(page)) - ALWAYS == {"Draw from stock", "Take K♦"}
    assert "Ann drew from the stock and discarded K♦." in text(page)
    assert "Up-card **K♦** · stock **30** · knock with 10 or less" in text(page)


def test_each_discard_is_listed_with_the_deadwood_that_remains() -> None:
    page = panel_page(shown(may_knock(), A))
    (options,) = selects(page).values()
    assert list(selects(page)) == ["gin:discard:17:7"]
    # Without K♦ the five of diamonds stays: 5. Without 5♦ the king stays: 10. Without 4♥ the rest
    # of that run (5♥ 6♥) is loose as well: 11 + 15. Without J♣: Q♣ K♣ and 15 more, 35.
    labels = {option.value: option.label for option in options}
    assert len(labels) == 11
    assert labels["KD"] == "K♦ — leaves 5"
    assert labels["5D"] == "5♦ — leaves 10"
    assert labels["4H"] == "4♥ — leaves 26"
    assert labels["JC"] == "J♣ — leaves 35"
    assert options[0].value == "KD"
    assert [option.description for option in options if option.description] == ["just drawn"]
    assert options[0].description == "just drawn"


def test_a_card_just_taken_is_not_offered_as_a_discard_and_the_panel_says_why() -> None:
    page = panel_page(shown(has_eleven(), A))
    (options,) = selects(page).values()
    assert len(options) == 10
    assert "TS" not in {option.value for option in options}
    assert "You took **10♠**, so it can't be discarded this turn." in text(page)


def test_a_knock_is_offered_with_its_count_and_only_opens_a_question() -> None:
    page = panel_page(shown(may_knock(), A))
    assert buttons(page)["Knock with 5…"] == "gin:knock-menu:17:7"
    assert "Your turn: discard, or knock" in text(page)


def test_without_a_legal_knock_none_is_offered() -> None:
    page = panel_page(shown(has_eleven(), A))
    assert set(buttons(page)) == ALWAYS
    assert "Your turn: discard a card" in text(page)


def test_gin_is_offered_never_forced() -> None:
    page = panel_page(shown(may_gin(), A))
    assert "you can go gin!" in text(page)
    assert buttons(page)["Go gin…"] == "gin:knock-menu:17:7"
    assert list(selects(page)) == ["gin:discard:17:7"]


def test_eleven_cards_are_counted_without_their_best_discard() -> None:
    page = panel_page(shown(may_knock(), A))
    assert "loose 5♦ K♦ · deadwood 5 without K♦" in text(page)


def test_the_defender_gets_the_lay_off_page_at_once() -> None:
    page = panel_page(shown(knocked(), B))
    assert "Ann knocked with 5: lay off" in text(page)


def test_the_knocker_sees_both_hands_while_the_other_lays_off() -> None:
    page = panel_page(shown(knocked(), A))
    assert "You knocked with 5." in text(page)
    assert "Bob: A♠ 7♠ K♠ 7♥ 7♦ 8♦ 2♣ 3♣ 4♣ 6♣" in text(page)
    assert set(buttons(page)) == ALWAYS


def test_the_deadline_is_a_discord_time() -> None:
    page = panel_page(shown(fresh(), A, deadline=LATER))
    assert f"Your time ends **<t:{int(LATER.timestamp())}:R>**." in text(page)


def test_the_next_hands_panel_begins_with_the_last_result_until_one_has_moved() -> None:
    match = table.won(table.started(), A, 30).after(table.stacked())
    first = match.to_move
    assert first is not None
    assert "Hand 1: Ann knocks and scores 30" in text(panel_page(shown(match, first)))
    moved = match.after(parse_event(f"{first} pass"))
    assert "Hand 1" not in text(panel_page(shown(moved, first)))
    other = B if first is A else A
    assert "Hand 1: Ann knocks and scores 30" in text(panel_page(shown(moved, other)))


def test_between_hands_the_result_stands_with_both_hands_open() -> None:
    match = table.won(table.started(), A, 30)
    page = panel_page(shown(match, B))
    assert "Hand 1: Ann knocks and scores 30" in text(page)
    assert [picture.name for picture in page.pictures] == ["showdown.png"]


def test_at_the_end_every_player_gets_the_settlement_and_a_rematch() -> None:
    match = table.won(table.won(table.started(), A, 60), A, 60)
    for seat in (A, B):
        page = panel_page(shown(match, seat))
        assert "Ann wins the match!" in text(page)
        assert "Ann: 120 in hands + 100 game bonus + 50 for 2 boxes = **270**" in text(page)
        assert "Bob: **0** in hands" in text(page)
        assert buttons(page)["Rematch"] == "gin:rematch:17:7"


def test_five_void_hands_in_a_row_bring_the_question_whether_to_go_on() -> None:
    match = table.started()
    for _count in range(4):
        match = table.void(match)
    assert "Ask to call it off" not in buttons(panel_page(shown(match.after(table.stacked()), A)))
    match = table.void(match).after(table.stacked())
    page = panel_page(shown(match, A))
    assert "5 void hands in a row" in text(page)
    assert buttons(page)["Ask to call it off"] == "gin:cancel-menu:17:7"
    assert "Resign…" in buttons(page), "he may still give up"


def test_the_one_who_sits_out_sees_no_cards() -> None:
    match = table.started(Rules(scoring=Scoring.ROTATION)).after(table.stacked())
    page = panel_page(shown(match, C))
    assert "You sit this hand out" in text(page)
    assert "Cat sits this hand out, Ann the next one." in text(page)
    assert page.pictures == ()
    assert "deadwood" not in text(page)


def test_oklahomas_limit_and_doubling_stay_on_screen() -> None:
    rules = Rules(knock_limit=Limit.UPCARD)
    match = table.started(rules).after(table.stacked(starter="7S"))
    for page in (panel_page(shown(match, A)), table_page(shown(match))):
        assert "knock with 7 or less, by the 7♠ · a spade: everything scored counts double" in text(
            page
        )


def test_straight_gin_says_only_gin() -> None:
    match = table.started(Rules(knock_limit=0)).after(table.stacked())
    assert "only gin" in text(panel_page(shown(match, A)))


def test_an_exposed_knock_is_answered_by_look_or_take_back() -> None:
    rules = Rules(illegal_knock=IllegalKnock.EXPOSE)
    deal = table.stacked(table.ODD, table.DEFENDER, "TS", "KD")
    match = table.play(
        table.started(rules).after(deal), "A pass", "B pass", "A draw stock", "A knock KD"
    )
    page = panel_page(shown(match, B))
    assert set(buttons(page)) - ALWAYS == {"Look", "Have them taken back"}
    assert Control.parse(buttons(page)["Look"]) == Control(Verb.LOOK, 17, 7)
    looked = table.play(match, "B look")
    assert "Your knock was over the limit" in text(panel_page(shown(looked, A)))
    assert "The exposed cards:" in text(panel_page(shown(looked, B)))
    assert "The exposed cards:" not in text(table_page(shown(looked)))


def test_a_note_stands_above_the_hand() -> None:
    page = panel_page(shown(fresh(), A), note="That's already done.")
    assert "> That's already done." in text(page)


def test_every_button_carries_the_version_that_the_page_shows() -> None:
    match = may_knock()
    page = panel_page(shown(match, A, version=42))
    controls = [Control.parse(custom_id) for custom_id in buttons(page).values()]
    assert {control.version for control in controls if control} == {42}
    assert None not in controls


def test_every_legal_kind_of_move_has_its_control() -> None:
    offered = {
        Move.PASS: (fresh(), A, "gin:pass:"),
        Move.DRAW: (fresh(), A, "gin:draw:"),
        Move.DISCARD: (may_knock(), A, "gin:discard:"),
        Move.KNOCK: (may_knock(), A, "gin:knock-menu:"),
        Move.LAY_OFF: (knocked(), B, "gin:layoff:"),
    }
    for move, (match, seat, start) in offered.items():
        one = shown(match, seat)
        assert one.view.hand is not None
        assert move in one.view.hand.legal
        page = panel_page(one)
        ids = [*buttons(page).values(), *selects(page)]
        assert any(custom_id.startswith(start) for custom_id in ids)
        check_page(page)


def test_ones_new_cards_stand_above_the_hand_that_has_ended() -> None:
    match = table.won(table.started(), A, 30).after(table.stacked())
    page = panel_page(shown(match, match.to_move))
    said = text(page)
    assert said.index("Your turn") < said.index("The hand before")
    assert [picture.name for picture in page.pictures] == ["hand.png", "showdown.png"]


def test_every_private_page_says_in_which_match_it_is() -> None:
    meant = LayOff((), ())
    pages = (
        panel_page(shown(may_knock(), Seat.A)),
        panel_page(shown(knocked(), Seat.B)),
        knock_page(shown(may_knock(), Seat.A)),
        arranged_layoff_page(shown(knocked(), Seat.B), meant),
        panel_page(shown(may_knock().after(Cancel()), Seat.A)),
    )
    for page in pages:
        assert text(page).splitlines()[1].endswith(" · match 17")
