"""A whole match as an immutable value: its rules and the events so far, and what follows from them.

``Match.start(rules)`` sits the players down; ``match.after(event)`` is the match after one more
event, or an error that names the rule, with the old match as it was. The events are the match: the
same events give the same match again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from gin import hand as hands
from gin.actions import Action, Seat
from gin.cards import Card
from gin.cut import CutRound, cut_from, cut_order, cut_rounds
from gin.deciding import decide, is_played_out
from gin.errors import IllegalAction, MatchOver, NotSeated, WrongPhase
from gin.events import Cancel, Cut, Deal, Event, Forfeit, ForfeitHand, Needs, Play, Resign
from gin.position import Hand
from gin.results import HandResult, MatchOutcome, Reason
from gin.rules import Rules, Scoring
from gin.schedule import Pairing, next_pairing, seats
from gin.settling import blank, close, enter
from gin.sheet import Sheet

__all__ = [
    "Cancel",
    "Cut",
    "Deal",
    "Event",
    "Forfeit",
    "ForfeitHand",
    "Match",
    "Needs",
    "Play",
    "Resign",
    "cut_from",
    "cut_order",
    "cut_rounds",
]


@dataclass(frozen=True, slots=True)
class Match:
    """A match between two events. Begin with :meth:`start`, go on with :meth:`after`."""

    rules: Rules
    events: tuple[Event, ...]
    sheet: Sheet
    cut: tuple[CutRound, ...] = ()
    """The cut by seat, round by round; empty before it."""
    order: tuple[int, ...] = ()
    """By seat: who sits there, as the place (0, 1, 2) in which he cut. Empty before the cut.

    Two players keep their seats (0, 1); in a rotation the highest cut sits at A."""
    first_dealer: Seat | None = None
    hand: Hand | None = None
    """The hand in play, or the last one until the next is dealt."""
    results: tuple[HandResult, ...] = ()
    """Every hand that has ended, void ones too, oldest first."""
    outcome: MatchOutcome | None = None

    @classmethod
    def start(cls, rules: Rules) -> Match:
        """A match under ``rules`` before its cut."""
        return cls(rules=rules, events=(), sheet=blank(rules))

    @property
    def seats(self) -> tuple[Seat, ...]:
        """A and B; in a rotation also C."""
        return seats(self.rules)

    @property
    def needs(self) -> Needs | None:
        """What kind of event the match waits for; None when it is over."""
        if self.outcome is not None:
            return None
        if self.first_dealer is None:
            return Needs.CUT
        if self.hand is None or self.hand.is_over:
            return Needs.DEAL
        return Needs.PLAY

    @property
    def to_move(self) -> Seat | None:
        """Whose act is awaited; None between hands, before the cut and when the match is over."""
        return self.hand.to_move if self.hand is not None and self.outcome is None else None

    @property
    def next_pairing(self) -> Pairing | None:
        """Who deals, plays and sits out in the next hand; None unless a deal is awaited."""
        if self.needs is not Needs.DEAL or self.first_dealer is None:
            return None
        return next_pairing(self.rules, self.first_dealer, self.results)

    @property
    def voids_in_a_row(self) -> int:
        """How many void hands came last, one after another."""
        count = 0
        for result in reversed(self.results):
            if not result.ending.is_void:
                break
            count += 1
        return count

    def legal_actions(self) -> tuple[Action, ...]:
        """The acts of the player to move (:func:`gin.hand.legal_actions`); else empty."""
        return hands.legal_actions(self.hand) if self.hand is not None else ()

    def verify(self, event: Event) -> None:
        """Raise what :meth:`after` would raise for ``event``; else return."""
        self._check_seat(event)
        if self.outcome is not None:
            raise MatchOver("the match is over")
        match event:
            case Cut(cards):
                self._need(Needs.CUT)
                cut_order(cards, len(self.seats))
            case Deal(deck):
                self._need(Needs.DEAL)
                hands.check_deck(deck)
            case Play(seat, action):
                hands.verify(self._hand_in_play(), seat, action)
            case ForfeitHand(seat):
                hands.verify_forfeit(self._hand_in_play(), seat)
            case Resign() | Forfeit() | Cancel():
                pass

    def can(self, event: Event) -> bool:
        """Whether :meth:`verify` finds nothing illegal; malformed cards still raise."""
        try:
            self.verify(event)
        except IllegalAction:
            return False
        return True

    def after(self, event: Event) -> Match:
        """The match after ``event``; this one stays as it is.

        Raise :class:`~gin.errors.IllegalAction` (which rule is broken) for what the rules don't
        allow now, :class:`~gin.errors.Malformed` for cards that are no cut or no deck.
        """
        self._check_seat(event)
        if self.outcome is not None:
            raise MatchOver("the match is over")
        match event:
            case Cut(cards):
                return self._cut(event, cards)
            case Deal():
                return self._dealt(event)
            case Play(seat, action):
                return self._played(event, hands.apply(self._hand_in_play(), seat, action))
            case ForfeitHand(seat):
                return self._played(event, hands.forfeit(self._hand_in_play(), seat))
            case Resign(seat):
                return self._given_up(event, seat, Reason.RESIGNED)
            case Forfeit(seat):
                return self._given_up(event, seat, Reason.FORFEITED)
            case Cancel():
                return _over(_abandoned(self, event, scored=False), Reason.CANCELLED)

    def _need(self, needs: Needs) -> None:
        if self.needs is not needs:
            raise WrongPhase(f"the match waits for {self.needs}, not for {needs}")

    def _check_seat(self, event: Event) -> None:
        with_seat = Play | Resign | Forfeit | ForfeitHand
        if isinstance(event, with_seat) and event.seat >= self.rules.players:
            raise NotSeated(f"nobody sits at {event.seat}")

    def _hand_in_play(self) -> Hand:
        self._need(Needs.PLAY)
        assert self.hand is not None  # noqa: S101 - a play is awaited
        return self.hand

    def _cut(self, event: Event, cards: tuple[Card, ...]) -> Match:
        self._need(Needs.CUT)
        players = len(self.seats)
        highest_first = cut_order(cards, players)
        is_rotation = self.rules.scoring is Scoring.ROTATION
        order = highest_first if is_rotation else tuple(range(players))
        rounds = tuple(
            CutRound(tuple((Seat(order.index(who)), card) for who, card in cut))
            for cut in cut_rounds(cards, players)
        )
        first_dealer = Seat(order.index(highest_first[0]))
        return replace(
            self,
            events=(*self.events, event),
            cut=rounds,
            order=order,
            first_dealer=first_dealer,
        )

    def _dealt(self, event: Deal) -> Match:
        self._need(Needs.DEAL)
        pairing = self.next_pairing
        assert pairing is not None  # noqa: S101 - a deal is awaited
        number = len(self.results) + 1
        hand = hands.deal(self.rules, number, pairing.dealer, pairing.other, event.deck)
        return replace(self, events=(*self.events, event), hand=hand)

    def _played(self, event: Event, hand: Hand) -> Match:
        after = replace(self, events=(*self.events, event), hand=hand)
        if hand.result is None:
            return after
        after = _scored(after, hand.result)
        if is_played_out(after.rules, after.sheet, after.results):
            return _over(after, Reason.PLAYED_OUT)
        return after

    def _given_up(self, event: Event, seat: Seat, reason: Reason) -> Match:
        return _over(_abandoned(self, event, scored=True), reason, seat)


def _scored(match: Match, result: HandResult) -> Match:
    """The match after a hand that has ended."""
    return replace(
        match,
        results=(*match.results, result),
        sheet=enter(match.rules, match.sheet, result),
    )


def _over(match: Match, reason: Reason, gave_up: Seat | None = None) -> Match:
    sheet = match.sheet if reason is Reason.CANCELLED else close(match.rules, match.sheet)
    outcome = decide(match.rules, sheet, match.results, reason, gave_up)
    return replace(match, sheet=sheet, outcome=outcome)


def _abandoned(match: Match, event: Event, *, scored: bool) -> Match:
    """The match with the hand in play, if any, ended by the end of the match."""
    after = replace(match, events=(*match.events, event))
    if match.hand is None or match.hand.is_over:
        return after
    hand = hands.abandon(match.hand, scored=scored)
    assert hand.result is not None  # noqa: S101 - an abandoned hand has ended
    return _scored(replace(after, hand=hand), hand.result)
