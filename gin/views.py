"""What one seat, or the public, may know of a match. Nothing else ever reaches a screen.

These types hold no hidden card: neither the stock's order, nor another player's cards before
they lie open, nor the face-down discard of a knock before the hand has ended.
"""

from __future__ import annotations

from dataclasses import dataclass

from gin.actions import Move, Phase, Pile, Seat
from gin.cards import Card
from gin.cut import CutRound
from gin.events import Needs
from gin.melds import Meld
from gin.results import HandResult, MatchOutcome
from gin.rules import Rules
from gin.sheet import Sheet


@dataclass(frozen=True, slots=True)
class PublicMove:
    """One move as everybody at the table sees it.

    ``card`` is the card discarded, or taken from the discard pile; None for a stock draw and for
    the face-down discard of a knock. ``illegal`` marks a knock that was over the limit and
    announced as such (``illegal_knock = expose``); the hand went on.
    """

    seat: Seat
    move: Move
    pile: Pile | None = None
    card: Card | None = None
    illegal: bool = False


@dataclass(frozen=True, slots=True)
class OpenKnock:
    """The knocker's spread as declared, lying open; ``deadwood`` are his loose cards."""

    seat: Seat
    melds: tuple[Meld, ...]
    deadwood: tuple[Card, ...]
    points: int
    is_gin: bool


@dataclass(frozen=True, slots=True)
class HandView:
    """A hand as ``viewer`` (None: the public, also a player sitting out) may see it."""

    number: int
    """1 for the first deal of the match; void hands count."""
    viewer: Seat | None
    dealer: Seat
    players: tuple[Seat, Seat]
    """Who plays this hand: non-dealer, dealer."""
    sitting_out: Seat | None
    phase: Phase
    to_move: Seat | None
    """Whose act is awaited; None when the hand is over."""
    starter: Card
    knock_limit: int
    """In points, for this whole hand; 0 = only gin."""
    doubled: bool
    """Whether the starter doubles this hand's score (Oklahoma's spade)."""
    upcard: Card | None
    """The top of the discard pile."""
    pile_count: int
    stock_count: int
    draws: int
    """Draws made by both together (the draw cap counts these)."""
    cards: tuple[Card, ...] | None
    """The viewer's own cards, sorted; None for the public."""
    drawn: Card | None
    """The card that the viewer has just drawn, while he holds eleven."""
    taken: Card | None
    """The card that the player to move took from the discard pile this turn (everybody saw it)."""
    held: tuple[tuple[Seat, int], ...]
    """How many cards each player holds."""
    legal: tuple[Move, ...]
    """The kinds of move that the viewer has now; empty for the public and off turn."""
    piles: tuple[Pile, ...]
    """The piles that the viewer may draw from now."""
    discards: tuple[Card, ...]
    """The cards that the viewer may discard now (not by knocking)."""
    may_knock: bool
    """Whether the viewer has a legal knock now; always False for others' hands."""
    moves: tuple[PublicMove, ...]
    """All public moves of the hand so far, oldest first."""
    knock: OpenKnock | None
    """The knock lying open, from the moment it was made."""
    open_hand: tuple[Card, ...] | None
    """The defender's ten cards, open to all once somebody has knocked."""
    looked_at: tuple[Card, ...] | None
    """After an exposed illegal knock: the eleven cards, for the one who chose to look, until his
    next draw."""
    exposed_by: Seat | None
    """Who made the exposed illegal knock of the turn in progress, if anyone."""
    result: HandResult | None
    """Set when the hand is over; then all lies open."""
    face_down: Card | None = None
    """The viewer's own discard of his knock; nobody else sees it before the hand has ended."""
    may_big_gin: bool = False
    """Whether the viewer may declare big gin now."""
    must_knock: bool = False
    """Whether the player to move took the fiftieth card and so has to knock."""
    last_chance: bool = False
    """Whether the hand is void if the player to move discards (or passes the fiftieth card)."""

    def opponent(self, seat: Seat | None) -> Seat:
        """The other of the two who play this hand."""
        first, second = self.players
        return second if seat is first else first

    @property
    def discarded(self) -> tuple[Card, ...]:
        """The discard pile, lowest first, as everybody saw it grow."""
        pile = [self.starter]
        for move in self.moves:
            if move.move is Move.DISCARD and move.card is not None:
                pile.append(move.card)
            elif move.pile is Pile.DISCARD:
                pile = [card for card in pile if card != move.card]
        return tuple(pile)


@dataclass(frozen=True, slots=True)
class MatchView:
    """A match as ``viewer`` (None: the public) may see it."""

    viewer: Seat | None
    rules: Rules
    seats: tuple[Seat, ...]
    hand: HandView | None
    """The hand in play; when the match is over, the last one. None before the first deal."""
    last_result: HandResult | None
    """The newest hand that has ended, all of it open."""
    voids_in_a_row: int
    sheet: Sheet
    outcome: MatchOutcome | None
    """Set when the match is over."""
    needs: Needs | None = None
    """What the match waits for; None when it is over."""
    cut: tuple[CutRound, ...] = ()
    """The cut by seat, round by round; empty before it."""
    first_dealer: Seat | None = None
    """Who dealt, or will deal, hand 1; None before the cut."""
    results: tuple[HandResult, ...] = ()
    """Every hand that has ended, void ones too, oldest first."""
    next_dealer: Seat | None = None
    """Who deals the next hand, when that is known: between two hands, and always in a rotation
    (there: if the hand in play is not void). None when the match is over."""
    next_out: Seat | None = None
    """Rotation: who sits the next hand out, if the hand in play is not void."""
