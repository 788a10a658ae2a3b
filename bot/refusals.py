"""What the house refuses, each with a sentence for the person who asked: what is wrong, what to do.

Refusals are answers, not faults: they change nothing and are not logged as errors.
"""

from __future__ import annotations

from bot.ui import cardwords
from bot.ui.language import _
from gin import Hand, Phase, errors


class Refusal(Exception):
    """Refused, with a sentence for the person."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class NotAtThisTable(Refusal):
    """A spectator pressed a player's control."""


class OldControl(Refusal):
    """A control, or a redelivered press, of a version that has passed."""


class NoSuchMatch(Refusal):
    """No match here, or none that this person may name."""


class UnreadableMatch(NoSuchMatch):
    """A match whose record this version of the program can't read; it is never guessed at."""

    def __init__(self, match: int) -> None:
        super().__init__(
            _(
                "Match #{number} was written by another version of this program, so it can't be "
                "shown or played now. Nothing is lost; those who run me can tell you more."
            ).format(number=match)
        )
        self.match = match


class NotPossibleNow(Refusal):
    """Right person, wrong moment; or a rule of the game."""


class BadText(Refusal):
    """Typed words that could not be read."""


class ChallengeRefused(Refusal):
    """A challenge that may not be made or answered."""


class MissingRight(Refusal):
    """A permission that the bot needs in this channel."""


def broken_rule(error: errors.GinError, hand: Hand | None = None) -> Refusal:
    """The sentence for a rule that was broken in ``hand``, as it stood and stands."""
    return NotPossibleNow(_sentence(error, hand))


def _sentence(error: errors.GinError, hand: Hand | None) -> str:
    phase = None if hand is None else hand.phase
    must_knock = hand is not None and hand.must_knock
    only_gin = hand is not None and hand.knock_limit == 0
    match error:
        case errors.OverLimit(deadwood=deadwood) if must_knock and only_gin:
            return _(
                "That leaves {deadwood} in deadwood, which isn't gin, and you took the last "
                "discard to go gin. Choose another discard or other melds."
            ).format(deadwood=deadwood)
        case errors.OverLimit(deadwood=deadwood) if must_knock:
            return _(
                "That leaves {deadwood} in deadwood, which is no knock, and you took the last "
                "discard to knock. Choose another discard or other melds."
            ).format(deadwood=deadwood)
        case errors.OverLimit(deadwood=deadwood, limit=0):
            return _(
                "That leaves {deadwood} in deadwood, and in this hand only gin counts. "
                "Discard a card instead."
            ).format(deadwood=deadwood)
        case errors.OverLimit(deadwood=deadwood, limit=limit):
            return _(
                "That would be a knock with {deadwood}, and the limit is {limit}. "
                "Choose another discard or other melds, or just discard."
            ).format(deadwood=deadwood, limit=limit)
        case errors.MatchOver():
            return _("This match is over. Use `/gin rematch` to play again.")
        case errors.NotYourTurn() if phase is Phase.EXPOSED:
            return _(
                "First the other player chooses: to look at the cards that were announced, or to "
                "have them taken back. Then the hand goes on with a discard."
            )
        case errors.NotYourTurn():
            return _("It isn't your turn yet. Your hand will call you when it is.")
        case errors.UpcardNotSettled():
            return _("First the up-card: take it or pass. The stock opens after that.")
        case errors.MustKnock() if phase is Phase.FIFTIETH and only_gin:
            return _("That card wouldn't make you gin, so you can only pass: `/gin pass`.")
        case errors.MustKnock() if phase is Phase.FIFTIETH:
            return _("That card would give you no knock, so you can only pass: `/gin pass`.")
        case errors.MustKnock():
            return _must_knock(only_gin=only_gin)
        case errors.WrongPhase() if must_knock:
            return _must_knock(only_gin=only_gin)
        case errors.UpcardRefused():
            return _("Both of you have passed that card. Draw from the stock.")
        case errors.WrongPhase():
            return _due(phase, only_gin=only_gin)
        case errors.UsedTwice(cards=cards) if cards:
            return _(
                "You have used {cards} twice: a card is in one meld, or discarded, or laid off."
            ).format(cards=cardwords.in_order(cards))
        case errors.NotInHand(cards=cards) if cards:
            return _("You don't hold {cards}. Use `/gin hand` to see your cards.").format(
                cards=cardwords.in_order(cards)
            )
        case errors.NotInHand():
            return _("You don't hold that card. Use `/gin hand` to see your cards.")
        case errors.JustTaken():
            return _("You took that card from the discard pile just now. Discard another one.")
        case errors.KnockForbidden() if only_gin:
            return _("You can't go gin this turn. Discard a card instead.")
        case errors.KnockForbidden():
            return _("You can't knock this turn. Discard a card instead.")
        case errors.BetweenRuns(card=card):
            return _(
                "{card} lies next to the ends of two of the knocker's runs, and by the house rules "
                "of this match such a card may not be laid off. Leave it out."
            ).format(card=cardwords.card(card))
        case errors.DoesNotFit(card=card):
            return _(
                "{card} fits none of the knocker's melds. Choose another, or lay off less."
            ).format(card=cardwords.card(card))
        case errors.NotAMeld() | errors.MalformedMeld():
            return _(
                "Those cards are no meld: a meld is 3 or 4 of a rank, or 3 or more in a row "
                "of one suit, and each card counts once."
            )
        case _:
            return _("That isn't possible now. Use `/gin hand` to see what you can do.")


def _must_knock(*, only_gin: bool) -> str:
    if only_gin:
        return _("You took the last discard to go gin, so you must go gin now.")
    return _("You took the last discard to knock, so you must knock now.")


def _due(phase: Phase | None, *, only_gin: bool) -> str:
    """Which move is due instead of the one that was made."""
    match phase:
        case Phase.UPCARD:
            return _("First the up-card: take it with `/gin draw discard`, or `/gin pass`.")
        case Phase.DRAW:
            return _("Draw a card first, from the stock or the discard pile.")
        case Phase.DISCARD if only_gin:
            return _("You have drawn already. Now discard a card, or go gin if you can.")
        case Phase.DISCARD:
            return _("You have drawn already. Now discard a card, or knock if you can.")
        case Phase.EXPOSED:
            return _("First the cards that were announced: they are looked at or taken back.")
        case Phase.FIFTIETH if only_gin:
            return _(
                "Nothing is drawn from the last two cards: take the last discard to go gin with "
                "it, or pass."
            )
        case Phase.FIFTIETH:
            return _(
                "Nothing is drawn from the last two cards: take the last discard to knock with "
                "it, or pass."
            )
        case Phase.LAYOFF:
            return _("The knock comes first: lay off what fits, or nothing, with `/gin layoff`.")
        case _:
            return _("That isn't the move that's due now. Use `/gin hand` to see what you can do.")


def already_done() -> OldControl:
    """The same interaction came twice: what it asked for stands."""
    return OldControl(_("That's already done. Here is how things stand."))


def earlier_moment() -> OldControl:
    """The second click, or a press on a page that the match has gone past; nothing was done."""
    return OldControl(_("That was from an earlier moment. Here is how things stand now."))
