"""No page tells a card that its reader may not know (faults.md, row 26)."""

from __future__ import annotations

import re

from bot.ui import cardwords
from bot.ui.pages import panel_page, sheet_page, table_page
from gin import DECK, Card, Match, Rules, Seat
from gin.rules import IllegalKnock, Limit, Scoring
from gin.views import HandView
from tests.bot.ui.staging import everything, may_knock, random_match, shown
from tests.gin import table

BY_WORD = {cardwords.spoken(card): card for card in DECK}
BY_SIGN = {cardwords.card(card): card for card in DECK}


def told(text: str) -> set[Card]:
    """Every card that a text names, written in signs, in letters or in words."""
    found = {BY_SIGN[match] for match in re.findall(r"(?:10|[A2-9JQK])[♠♥♦♣]", text)}
    found |= {Card.parse(match) for match in re.findall(r"\b[A2-9TJQK][SHDC]\b", text)}
    for words in re.findall(
        r"(?:ace|jack|queen|king|10|[2-9]) of (?:spades|hearts|diamonds|clubs)", text
    ):
        found.add(BY_WORD[words])
    return found


def known(match: Match, seat: Seat | None) -> set[Card]:
    """What this reader may know, counted from the match itself."""
    cards = {card for one in match.cut for _seat, card in one.cards}
    for result in match.results:
        cards |= {card for _seat, hand in result.hands for card in hand}
        cards |= {result.starter}
        if result.knock_discard is not None:
            cards.add(result.knock_discard)
    hand = shown(match, seat).view.hand
    if hand is not None:
        cards |= _in_play(hand, match, seat)
    return cards


def _in_play(hand: HandView, match: Match, seat: Seat | None) -> set[Card]:
    cards = {hand.starter} | {move.card for move in hand.moves if move.card is not None}
    if seat is not None and match.hand is not None and seat in hand.players:
        cards |= set(match.hand.cards(seat))
    cards |= set(hand.looked_at or ())
    if hand.knock is not None and match.hand is not None:
        opened = [*hand.knock.deadwood, *(card for meld in hand.knock.melds for card in meld.cards)]
        cards |= set(opened)
        cards |= {
            card
            for other in hand.players
            if other is not hand.knock.seat
            for card in match.hand.cards(other)
        }
    return cards


def test_the_reader_of_this_test_finds_cards_in_any_form() -> None:
    assert told("7♥, '7H' and ace of spades · 10♦") == set(map(Card.parse, ["7H", "AS", "TD"]))


def test_no_page_names_a_hidden_card_in_any_form() -> None:
    checked = 0
    for rules in (
        Rules(scoring=Scoring.ROTATION),
        Rules(scoring=Scoring.HOLLYWOOD, knock_limit=Limit.UPCARD),
        Rules(illegal_knock=IllegalKnock.EXPOSE, fiftieth_card=True, big_gin=50),
    ):
        for step in random_match(21, rules, most_hands=1):
            for seat in (None, *step.match.seats):
                one = shown(step.match, seat)
                page = table_page(one) if seat is None else panel_page(one)
                secret = told(everything(page)) - known(step.match, seat)
                assert secret == set(), (secret, everything(page))
                checked += 1
            assert told(everything(sheet_page(shown(step.match)))) == set()
    assert checked > 100


def test_the_cards_of_an_exposed_knock_are_told_to_the_looker_alone() -> None:
    rules = Rules(illegal_knock=IllegalKnock.EXPOSE)
    deal = table.stacked(table.ODD, table.DEFENDER, "TS", "KD")
    start = table.started(rules).after(deal)
    for answer, sees in (("B look", True), ("B take-back", False)):
        match = table.play(start, "A pass", "B pass", "A draw stock", "A knock KD", answer)
        eleven = set(map(Card.parse, f"{table.ODD} KD".split()))
        hidden = eleven - known(match, None)
        assert (hidden <= told(everything(panel_page(shown(match, Seat.B))))) is sees
        assert not hidden & told(everything(table_page(shown(match))))


def test_a_drawn_card_is_named_to_its_drawer_alone() -> None:
    match = may_knock()
    drawn = Card.parse("KD")
    assert drawn in told(everything(panel_page(shown(match, Seat.A))))
    for page in (panel_page(shown(match, Seat.B)), table_page(shown(match))):
        assert drawn not in told(everything(page)) - known(match, Seat.B)


def test_what_is_hidden_changes_neither_the_table_nor_ones_own_panel() -> None:
    deals = (
        table.stacked(table.KNOCKER, table.DEFENDER, "TS", "KD 2S 3S"),
        table.stacked(table.KNOCKER, "8S 8H 2H 3H TH JS QS KS 6D 7D", "TS", "KD 8C AC"),
    )
    seen = []
    for deal in deals:
        match = table.play(table.started().after(deal), "A pass", "B pass", "A draw stock")
        pages = (table_page(shown(match)), panel_page(shown(match, Seat.A)))
        pictures = [picture.render() for page in pages for picture in page.pictures]
        seen.append(([everything(page) for page in pages], pictures))
    assert seen[0] == seen[1]
