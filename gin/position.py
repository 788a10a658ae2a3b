"""One hand in play, as an immutable value: every card, open or hidden, and whose act is awaited.

Only the rules (:mod:`gin.hand`, :mod:`gin.match`) work with this; people see :mod:`gin.view`.
"""

from __future__ import annotations

from dataclasses import dataclass

from gin.actions import Phase, Seat
from gin.cards import Card, cards_of, points_of
from gin.melds import Meld
from gin.results import HandResult
from gin.rules import Rules
from gin.views import PublicMove


@dataclass(frozen=True, slots=True)
class Declared:
    """A legal knock as it was made. ``discard`` lies face down; it is None for big gin."""

    seat: Seat
    melds: tuple[Meld, ...]
    loose: tuple[Card, ...]
    discard: Card | None

    @property
    def deadwood(self) -> int:
        """The declared deadwood, in points."""
        return points_of(self.loose)


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand between two acts. Deal one with :func:`gin.hand.deal`.

    ``held`` are the cards of ``players`` (the non-dealer, then the dealer) as bits; of ``stock``
    the first card is drawn next, of ``pile`` the last card lies on top.
    """

    rules: Rules
    number: int
    """1 for the first deal of the match; void hands count."""
    players: tuple[Seat, Seat]
    """The non-dealer, then the dealer."""
    starter: Card
    knock_limit: int
    """In points, for this whole hand."""
    held: tuple[int, int]
    stock: tuple[Card, ...]
    pile: tuple[Card, ...]
    phase: Phase
    to_move: Seat | None
    """Whose act is awaited; None when the hand is over."""
    drawn: Card | None = None
    """The card that the player at the turn drew, while he holds eleven."""
    taken: Card | None = None
    """The same card if it came from the discard pile: it may not go back this turn."""
    draws: int = 0
    """Draws by both together, from both piles, the first up-card included."""
    refused: bool = False
    """Both refused the up-card, and the non-dealer has not drawn yet."""
    must_knock: bool = False
    """The fiftieth card was taken."""
    exposed_by: Seat | None = None
    """Who announced an illegal knock in the turn that still runs."""
    looked: tuple[Seat, tuple[Card, ...]] | None = None
    """Who chose to look, and the eleven cards that he sees until his next draw."""
    knock: Declared | None = None
    moves: tuple[PublicMove, ...] = ()
    result: HandResult | None = None

    @property
    def dealer(self) -> Seat:
        """Who dealt this hand."""
        return self.players[1]

    @property
    def is_over(self) -> bool:
        """Whether the hand has ended."""
        return self.phase is Phase.OVER

    @property
    def upcard(self) -> Card | None:
        """The top of the discard pile."""
        return self.pile[-1] if self.pile else None

    @property
    def last_chance(self) -> bool:
        """Whether the hand is void unless this turn ends in a knock (docs/rules.md, void hands)."""
        if self.phase is Phase.FIFTIETH:
            return True
        if self.phase not in (Phase.DISCARD, Phase.EXPOSED):
            return False
        stock_out = len(self.stock) == 2 and not self.rules.fiftieth_card
        return stock_out or self.draws >= self.rules.draw_cap

    def mask(self, seat: Seat) -> int:
        """The cards of a player as bits; none for a seat that sits this hand out."""
        if seat is self.players[0]:
            return self.held[0]
        return self.held[1] if seat is self.players[1] else 0

    def cards(self, seat: Seat) -> tuple[Card, ...]:
        """The cards of a player, sorted."""
        return cards_of(self.mask(seat))

    def opponent(self, seat: Seat) -> Seat:
        """The other of the two who play this hand."""
        return self.players[1] if seat is self.players[0] else self.players[0]
