"""Positions for the tests: stacked decks, lines played, whole hands won for given points."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations

import pytest

from gin import DECK, Card, Cut, Deal, Hand, Match, Rules, Seat, parse_cards, parse_event
from gin.errors import IllegalAction
from gin.hand import apply, can, deal, legal_actions, verify
from gin.melds import Meld
from gin.notation import dump_action, parse_action
from gin.results import HandResult

A, B, C = Seat.A, Seat.B, Seat.C
PLAIN = Rules()

PASSES = ("pass", "pass")
"""Both refuse the up-card."""
ODD = "KH QD JH 9C 8S TD 5H QS 2S AD"
"""Ten cards that make no meld."""
KNOCKER = "4H 5H 6H 9S 9D 9C JC QC KC 5D"
SPREAD = "4H5H6H/9S9D9C/JCQCKC"
"""KNOCKER's melds; 5D is loose: five points of deadwood."""
DEFENDER = "2C 3C 4C 7S 7D 7H KS 8D 6C AS"
"""Two melds and 25 points; none of it fits KNOCKER's melds but 7H, which is in a set."""


def cards(text: str) -> tuple[Card, ...]:
    return parse_cards(text)


def stacked(other: str = "", dealer: str = "", starter: str = "", stock: str = "") -> Deal:
    """A deck that deals these cards; what isn't named is filled up from the rest of the pack."""
    named = cards(f"{other} {dealer} {starter} {stock}")
    rest = [card for card in DECK if card not in named]

    def filled(text: str, size: int) -> list[Card]:
        some = list(cards(text))
        while len(some) < size:
            some.append(rest.pop())
        return some

    first, second = filled(other, 10), filled(dealer, 10)
    turned = filled(starter, 1)
    dealt = [card for pair in zip(first, second, strict=True) for card in pair]
    return Deal((*dealt, *turned, *filled(stock, 31)))


def dealt(
    other: str = "", dealer: str = "", starter: str = "", stock: str = "", rules: Rules = PLAIN
) -> Hand:
    """A hand just dealt by B; A is the non-dealer and first to act."""
    return deal(rules, 1, B, A, stacked(other, dealer, starter, stock).deck)


def started(rules: Rules = PLAIN, first_dealer: Seat = B) -> Match:
    """A match after the cut; of two players ``first_dealer`` cut higher."""
    if rules.players == 3:
        return Match.start(rules).after(Cut(cards("KS 9H 4D")))
    high_second = first_dealer is B
    return Match.start(rules).after(Cut(cards("7H KD" if high_second else "KD 7H")))


def play(match: Match, *lines: str) -> Match:
    """The match after these lines of notation."""
    for line in lines:
        match = match.after(parse_event(line))
    return match


def short_stock(hand: Hand, left: int) -> Hand:
    """The same hand with only the next ``left`` cards in the stock; the rest lies in the pile."""
    return replace(hand, stock=hand.stock[:left], pile=(*hand.stock[left:], *hand.pile))


# Whole hands that bring a given number of points. The winner's melds are low sets, which take none
# of the loser's cards; the loser holds court sets, and loose cards of which no three go together.

COURTS = ("KS KH KD", "QS QH QD", "JS JH JD")
POOL = "4S 4D 5H 5C 6S 6D 7H 7C 8S 8D 9H 9C"
JUNK = "TS TH"
"""Drawn and discarded on the way."""


@cache
def _loser(deadwood: int, without: str) -> tuple[tuple[str, ...], str]:
    """Court sets and loose cards, ten together, that count ``deadwood``."""
    pool = [card for card in cards(POOL) if str(card) != without]
    for sets in (3, 2, 1, 0):
        for loose in combinations(pool, 10 - 3 * sets):
            if sum(card.points for card in loose) == deadwood:
                return COURTS[:sets], " ".join(map(str, loose))
    raise LookupError(deadwood)


def _ways(points: int, bonus: int) -> Iterator[tuple[str, int]]:
    """A knocker's loose card ('': gin) and the loser's deadwood that bring these points."""
    for loose in ("TC", "9H", "8S", "7H", "6S", "5H", "4S", "AC", ""):
        held = cards(loose)[0].points if loose else 0
        yield loose, points + held - (0 if loose else bonus)


def _hand_for(points: int, bonus: int) -> tuple[str, tuple[str, ...], str]:
    for loose, deadwood in _ways(points, bonus):
        try:
            return loose, *_loser(deadwood, loose)
        except LookupError:
            continue
    raise LookupError(points)


def _spread(sets: tuple[str, ...]) -> str:
    return "/".join("".join(one.split()) for one in sets)


def won(match: Match, winner: Seat, points: int) -> Match:
    """The match after one more hand, knocked by ``winner`` for ``points`` (or gone gin)."""
    loose, sets, rest = _hand_for(points, match.rules.gin_bonus)
    melds = (
        ("AS AH AD", "2S 2H 2D", "3S 3H 3D") if loose else ("AS AH AD AC", "2S 2H 2D", "3S 3H 3D")
    )
    after = _dealt_to(match, winner, " ".join((*melds, loose)), " ".join((*sets, rest)))
    after = play(after, f"{winner} knock {_drawn(after, winner)} {_spread(melds)}")
    if loose:
        loser = _opponent(after, winner)
        after = play(after, f"{loser} layoff {_spread(sets)} -".replace("  ", " "))
    assert after.results[-1].winner is winner
    assert after.results[-1].points == points
    return after


def undercut(match: Match, winner: Seat, points: int) -> Match:
    """The match after one more hand, in which ``winner`` undercuts a knock with ten."""
    sets, rest = _loser(10 - (points - match.rules.undercut_bonus), "TC")
    melds = ("AS AH AD", "2S 2H 2D", "3S 3H 3D")
    players = _pair(match)
    knocker = players[1] if winner is players[0] else players[0]
    after = _dealt_to(match, knocker, " ".join((*melds, "TC")), " ".join((*sets, rest)))
    after = play(after, f"{knocker} knock {_drawn(after, knocker)} {_spread(melds)}")
    after = play(after, f"{winner} layoff {_spread(sets)} -")
    assert after.results[-1].winner is winner
    assert after.results[-1].points == points
    return after


def void(match: Match) -> Match:
    """The match after one more hand, played until two cards are left in the stock."""
    after = play(match.after(stacked()), *(f"{seat} pass" for seat in _pair(match)))
    while len(after.results) == len(match.results):
        seat = after.to_move
        after = play(after, f"{seat} draw stock")
        after = play(after, f"{seat} discard {_drawn(after, seat)}")
    return after


def _pair(match: Match) -> tuple[Seat, Seat]:
    pairing = match.next_pairing
    assert pairing is not None
    return pairing.other, pairing.dealer


def _opponent(match: Match, seat: Seat) -> Seat:
    assert match.hand is not None
    return match.hand.opponent(seat)


def _drawn(match: Match, seat: Seat | None) -> Card:
    assert match.hand is not None
    assert match.hand.drawn is not None
    return match.hand.drawn


def _dealt_to(match: Match, actor: Seat, acts: str, waits: str) -> Match:
    """The match with a new hand in which ``actor`` holds ``acts`` and has just drawn."""
    other, dealer = _pair(match)
    first = actor is other
    deal_of = stacked(acts if first else waits, waits if first else acts, "TD", JUNK)
    after = play(match.after(deal_of), f"{other} pass", f"{dealer} pass", f"{other} draw stock")
    if first:
        return after
    after = play(after, f"{other} discard {_drawn(after, other)}")
    return play(after, f"{dealer} draw stock")


def act(hand: Hand, *texts: str) -> Hand:
    """The hand after these acts, each by the player to move."""
    for text in texts:
        assert hand.to_move is not None
        hand = apply(hand, hand.to_move, parse_action(text))
    return hand


def refuses(
    hand: Hand, text: str, error: type[IllegalAction], seat: Seat | None = None
) -> IllegalAction:
    """Check that the act is refused with just this error and changes nothing; the error raised."""
    before = copy.deepcopy(hand)
    by = seat if seat is not None else hand.to_move
    assert by is not None
    action = parse_action(text)
    assert not can(hand, by, action)
    raised = []
    for call in (verify, apply):
        with pytest.raises(error) as caught:
            call(hand, by, action)
        raised.append(caught.value)
    assert [type(one) for one in raised] == [error, error]
    assert hand == before
    return raised[0]


def melds(*texts: str) -> tuple[Meld, ...]:
    """Melds from texts such as ``4H5H6H``."""
    return tuple(
        Meld.parse(" ".join(text[at : at + 2] for at in range(0, len(text), 2))) for text in texts
    )


def result(hand: Hand) -> HandResult:
    """The result of a hand that is over."""
    assert hand.is_over
    assert hand.result is not None
    return hand.result


def legal(hand: Hand) -> list[str]:
    """The legal acts as text."""
    return [dump_action(action) for action in legal_actions(hand)]
