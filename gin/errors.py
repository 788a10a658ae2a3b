"""What can be wrong with a text or an action; each class names the rule that was broken."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gin.cards import Card


class GinError(Exception):
    """Anything that the rules library refuses."""


class Malformed(GinError, ValueError):
    """A text or value that means nothing, whatever the position."""


class MalformedCard(Malformed):
    """Not a card, or one card twice."""


class MalformedMeld(Malformed):
    """The cards are neither a set nor a run."""


class MalformedRules(Malformed):
    """House options outside their range, in an impossible combination, or of a newer version."""


class MalformedNotation(Malformed):
    """A line of a match's text that cannot be read."""


class MalformedDeck(Malformed):
    """Not a shuffle of the fifty-two cards."""


class MalformedCut(Malformed):
    """Cut cards that leave players level, or too many of them."""


class IllegalAction(GinError):
    """An action that the rules do not allow now; the state is unchanged."""


class MatchOver(IllegalAction):
    """The match, or the hand, has ended."""


class NotSeated(IllegalAction):
    """A seat that this match doesn't have."""


class NotYourTurn(IllegalAction):
    """Another seat is to act (or this seat sits the hand out)."""


class WrongPhase(IllegalAction):
    """The action belongs to another moment of the turn (say, a discard before a draw)."""


class UpcardNotSettled(WrongPhase):
    """A stock draw before both players have refused the up-card."""


class UpcardRefused(WrongPhase):
    """Both players have refused the up-card: the non-dealer draws from the stock."""


class NotInHand(IllegalAction):
    """Cards that the player doesn't hold; ``cards`` are those he named."""

    def __init__(self, message: str, cards: tuple[Card, ...] = ()) -> None:
        super().__init__(message)
        self.cards = cards


class UsedTwice(NotInHand):
    """Cards that the player holds but uses in two places of one act.

    In two melds, or in a meld and as the discard or a lay-off.
    """


class JustTaken(IllegalAction):
    """The card just taken from the discard pile may not go back in the same turn."""


class NotAMeld(IllegalAction):
    """Declared cards that are no meld, or one card in two melds."""


class OverLimit(IllegalAction):
    """A knock whose declared deadwood is over the limit.

    ``deadwood`` and ``limit`` are in points.
    """

    def __init__(self, deadwood: int, limit: int) -> None:
        super().__init__(f"deadwood {deadwood} is over the knock limit of {limit}")
        self.deadwood = deadwood
        self.limit = limit


class KnockForbidden(IllegalAction):
    """No knock this turn (after an exposed illegal knock), or big gin where it is not played."""


class DoesNotFit(IllegalAction):
    """A laid-off ``card`` that extends none of the knocker's melds as they have grown."""

    def __init__(self, message: str, card: Card) -> None:
        super().__init__(message)
        self.card = card


class BetweenRuns(DoesNotFit):
    """With ``strict_bridge``: a card next to the ends of two of the knocker's runs."""


class MustKnock(IllegalAction):
    """The fiftieth card was taken: only a knock with another discard may follow."""
