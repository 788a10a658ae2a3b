"""What is read where a hand can only end: an exposed knock, Straight, the last draws, big gin."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.refusals import broken_rule
from bot.ui.pages import arranged_page, knock_modal, knock_page, panel_page, table_page
from gin import Arrangement, Card, Match, Rules, Seat, Shed, errors, parse_cards
from gin.actions import Phase
from gin.rules import IllegalKnock
from tests.bot.ui.limits_check import check_form, check_page
from tests.bot.ui.staging import buttons, shown, text
from tests.gin import table

A, B = Seat.A, Seat.B
EXPOSE = Rules(illegal_knock=IllegalKnock.EXPOSE)
STRAIGHT = Rules(knock_limit=0)
GIN = "4H 5H 6H 9S 9D 9C JC QC KC KD"
"""With 7H it is gin by the discard of KD, and big gin it is not."""
ELEVEN = "4H 5H 6H 7H 9S 9D 9C JC QC KC"
"""With 8H all eleven are melded."""
OTHERS = table.DEFENDER.replace("7H", "QH")
LAST = {"the cap": "That was the last draw of the hand", "the stock": "The stock is down to two"}


def at_last(rules: Rules, last: str, hand: str = table.ODD, drawn: str = "KD") -> Match:
    """A has made the last draw of the draw cap, or drawn the third-last card of the stock."""
    deal = table.stacked(hand, OTHERS, "TS", drawn)
    match = table.play(table.started(rules).after(deal), "A pass", "B pass")
    assert match.hand is not None
    short = replace(match.hand, draws=rules.draw_cap - 1)
    if last == "the stock":
        short = table.short_stock(match.hand, 3)
    return table.play(replace(match, hand=short), "A draw stock")


def pages(match: Match) -> tuple[str, str, str]:
    """What A, B and everybody read."""
    return (
        text(panel_page(shown(match, A))),
        text(panel_page(shown(match, B))),
        text(table_page(shown(match))),
    )


# ------------------------------------------------------- a knock over the limit, on the last draw


@pytest.mark.parametrize("last", LAST)
def test_after_a_knock_over_the_limit_on_the_last_draw_the_discard_is_said_to_end_it(
    last: str,
) -> None:
    announced = table.play(at_last(EXPOSE, last), "A knock KD")
    answered = table.play(announced, "B look")
    ends = "it is void" if last == "the cap" else "the hand is void"
    for match in (announced, answered):
        own, others, public = pages(match)
        assert f"{LAST[last]}: with your discard {ends}." in own
        for said in (others, public):
            assert f"{LAST[last]}: with Ann's discard {ends}." in said
        for said in (own, others, public):
            assert "without a knock" not in said
    assert table.play(answered, "A discard KD").results[-1].winner is None


@pytest.mark.parametrize("last", LAST)
def test_where_no_draw_comes_nobody_is_told_to_look_until_it(last: str) -> None:
    announced = table.play(at_last(EXPOSE, last), "A knock KD")
    _own, others, public = pages(announced)
    assert "you alone see those eleven cards until the hand is over" in others
    assert "Bob may look at those eleven cards until the hand is over" in public
    _own, others, _public = pages(table.play(announced, "B look"))
    assert "You alone may look at them, until the hand is over." in others
    for said in (*pages(announced), others):
        assert "draw" not in said.replace("the last draw", "").replace("Draw", "")


def test_an_announced_knock_before_the_fiftieth_card_leaves_a_choice_that_is_said() -> None:
    rules = replace(EXPOSE, fiftieth_card=True)
    looked = table.play(at_last(rules, "the stock"), "A knock KD", "B look")
    own, others, public = pages(looked)
    assert "after this discard you may only end the hand with that card at once" in others
    for said in (own, public):
        assert "after this discard Bob may only end the hand with that card at once" in said
    # K♦ gives B no knock: he sees the cards until he has passed, and then the hand is over.
    _own, others, _public = pages(table.play(looked, "A discard KD"))
    assert "You alone may look at them, until the hand is over." in others


# ------------------------------------------------------------------- Straight: nobody knocks


def test_in_straight_one_who_declared_gin_without_it_reads_of_gin_and_never_of_a_knock() -> None:
    rules = replace(EXPOSE, knock_limit=0)
    deal = table.stacked(table.ODD, OTHERS, "TS", "KD")
    match = table.play(table.started(rules).after(deal), "A pass", "B pass", "A draw stock")
    announced = table.play(match, "A knock KD")
    own, others, public = pages(announced)
    assert "Then you discard, and can't go gin this turn." in own
    for said in (others, public):
        assert "Then Ann discards, and can't go gin this turn." in said
    answered = table.play(announced, "B take-back")
    own, others, public = pages(answered)
    assert "You can't go gin this turn." in own
    for said in (others, public):
        assert "Ann can't go gin this turn." in said
    for said in (*pages(announced), *pages(answered)):
        assert "knock" not in said.lower()
    refused = broken_rule(errors.KnockForbidden(""), answered.hand).sentence
    assert refused == "You can't go gin this turn. Discard a card instead."


def test_in_straight_gin_that_is_none_is_asked_for_as_gin() -> None:
    rules = replace(EXPOSE, knock_limit=0)
    match = at_last(rules, "the stock", GIN, "7H")
    loose = parse_cards("9S 9D 9C JC QC KC KD 4H 5H 6H")
    shed = Shed(Card.parse("7H"), Arrangement((), loose, 82))
    page = arranged_page(shown(match, A), shed, is_over=True)
    assert "## Declare gin with 82 in deadwood?" in text(page)
    assert "may not go gin this turn. With that discard the hand is void." in text(page)
    assert "only gin" in text(page)
    assert "nock" not in text(page)
    check_page(page)
    form = knock_modal(shown(match, A))
    check_form(form)
    assert form.title == "Go gin your own way"
    assert "What isn't gin is announced" in repr(form.to_dict())


@pytest.mark.parametrize("last", LAST)
def test_in_straight_the_last_draw_wants_gin(last: str) -> None:
    for said in pages(at_last(STRAIGHT, last)):
        assert f"{LAST[last]}: without gin " in said
        assert "knock" not in said.lower()


def test_in_straight_the_fiftieth_card_is_spoken_of_as_gin() -> None:
    # B has three sevens, three kings, 2♣ 3♣ 4♣ and the ace of spades: 5♣ makes him gin.
    rules = replace(STRAIGHT, fiftieth_card=True)
    deal = table.stacked(table.ODD, "2C 3C 4C 7S 7D 7H KS KD KC AS", "TS", "5C")
    match = table.play(table.started(rules).after(deal), "A pass", "B pass")
    assert match.hand is not None
    match = replace(match, hand=table.short_stock(match.hand, 3))
    offered = table.play(match, "A draw stock", "A discard 5C")
    own, others, public = pages(offered)
    assert "Your turn: take the 5♣ to go gin, or pass" in others
    assert "Take 5♣ only if you go gin with it at once" in others
    assert "Bob may take 5♣ to go gin with it at once, or pass" in public
    taken = table.play(offered, "B draw discard")
    _own, has_to, seen = pages(taken)
    assert "Your turn: you have to go gin" in has_to
    assert "5♣ was the fiftieth card: it has to make gin, with another discard." in has_to
    assert "Bob has to go gin" in seen
    for said in (own, others, public, has_to, seen):
        assert "knock" not in said.lower()
    refused = broken_rule(errors.MustKnock(""), taken.hand).sentence
    assert refused == "You took the last discard to go gin, so you must go gin now."


def test_in_straight_a_fiftieth_card_that_makes_no_gin_is_left_by_a_pass() -> None:
    rules = replace(STRAIGHT, fiftieth_card=True)
    offered = table.play(at_last(rules, "the stock"), "A discard KD")
    _own, others, _public = pages(offered)
    assert "K♦ wouldn't make you gin, so you can only pass" in others
    assert "knock" not in others.lower()
    refused = broken_rule(errors.MustKnock(""), offered.hand).sentence
    assert refused == "That card wouldn't make you gin, so you can only pass: `/gin pass`."


# ------------------------------------------------------------------ gin and big gin at the end


def test_big_gin_on_the_last_draw_is_not_asked_with_a_word_of_playing_on() -> None:
    for last in LAST:
        said = text(knock_page(shown(at_last(Rules(big_gin=50), last, ELEVEN, "8H"), A)))
        assert "## Big gin, or gin?" in said
        assert "if you discard instead, the hand is void" in said
        assert "play on" not in said


def test_before_the_fiftieth_card_gin_is_not_asked_with_a_word_of_playing_on() -> None:
    for rules, hand, drawn in (
        (Rules(fiftieth_card=True), GIN, "7H"),
        (Rules(fiftieth_card=True, big_gin=50), ELEVEN, "8H"),
    ):
        match = at_last(rules, "the stock", hand, drawn)
        said = text(knock_page(shown(match, A)))
        assert "if you discard instead, Bob may only end the hand with that card at once" in said
        assert "play on" not in said
        assert "after this discard Bob may only end the hand" in text(panel_page(shown(match, A)))


def test_who_has_big_gin_with_the_fiftieth_card_may_lay_it_and_is_offered_no_discard() -> None:
    # B takes 8♥ to 4♥ 5♥ 6♥ 7♥, three nines and J♣ Q♣ K♣.
    rules = Rules(fiftieth_card=True, big_gin=50)
    deal = table.stacked("AS AD 3S 3C 5D 6C TD TC QS KH", ELEVEN, "TS", "8H")
    match = table.play(table.started(rules).after(deal), "A pass", "B pass")
    assert match.hand is not None
    match = replace(match, hand=table.short_stock(match.hand, 3))
    taken = table.play(match, "A draw stock", "A discard 8H", "B draw discard")
    panel, asked = panel_page(shown(taken, B)), knock_page(shown(taken, B))
    to_do = "8♥ was the fiftieth card: it has to be knocked with, with another discard, or be in "
    assert to_do + "big gin." in text(panel)
    assert to_do in text(table_page(shown(taken))), "what may be is said whoever holds it or not"
    assert "## Big gin, or gin?" in text(asked)
    assert {"Big gin with all eleven", "Go gin"} <= set(buttons(asked))
    for page in (panel, asked):
        assert "play on" not in text(page)
        assert "discard instead" not in text(page)
        assert "Discard" not in buttons(page)


def test_big_gin_beside_a_chosen_knock_is_asked_as_such() -> None:
    one = shown(at_last(Rules(big_gin=50), "the cap", ELEVEN, "8H"), A)
    found = {text(knock_page(one, place)).splitlines()[0] for place in range(5)}
    assert "## Big gin, or gin?" in found
    assert any(said.startswith("## Big gin, or knock with ") for said in found)


def test_no_form_promises_that_a_knock_with_the_fiftieth_card_may_be_announced() -> None:
    # It is refused (docs/rules.md): it must be legal.
    one = shown(at_last(EXPOSE, "the cap"), A)
    hand = one.view.hand
    assert hand is not None
    assert hand.phase is Phase.DISCARD
    bound = replace(one, view=replace(one.view, hand=replace(hand, must_knock=True)))
    assert "is announced" in repr(knock_modal(one).to_dict())
    assert "is announced" not in repr(knock_modal(bound).to_dict())
