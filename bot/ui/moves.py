"""What happened last and what is awaited, as sentences for one reader."""

from __future__ import annotations

from collections.abc import Sequence

from bot.ui import cardwords
from bot.ui.language import _
from gin.actions import Move, Phase, Pile, Seat
from gin.views import HandView, PublicMove


def last_turn(hand: HandView, names: Sequence[str], viewer: Seat | None = None) -> str:
    """What the last player to act did in his turn so far; empty before the first move.

    ``names`` are by seat and already escaped; ``viewer`` is addressed as "you".
    """
    if not hand.moves:
        return ""
    *earlier, last = hand.moves
    before = earlier[-1] if earlier else None
    if last.move is Move.DISCARD and before and _is_draw_of(before, last.seat):
        return _turn(before, last, names, viewer)
    if last.move is Move.PASS and before and before.move is Move.PASS:
        return _("Both passed the up-card.")
    if last.move is Move.LAY_OFF:
        return _lay_off(hand, last.seat, names, viewer)
    if last.move is Move.KNOCK and hand.knock and not last.illegal:
        return _knock(hand, last.seat, names, viewer)
    return move_words(last, names, viewer)


def move_words(move: PublicMove, names: Sequence[str], viewer: Seat | None = None) -> str:
    """One move as a sentence, without what the rest of the hand would tell."""
    you = move.seat == viewer
    card = cardwords.card(move.card) if move.card is not None else ""
    match move.move:
        case Move.PASS:
            said = _("You passed.") if you else _("{name} passed.")
        case Move.DRAW if move.pile is Pile.DISCARD:
            said = _("You took {card}.") if you else _("{name} took {card}.")
        case Move.DRAW:
            said = _("You drew from the stock.") if you else _("{name} drew from the stock.")
        case Move.DISCARD:
            said = _("You discarded {card}.") if you else _("{name} discarded {card}.")
        case Move.KNOCK if move.illegal:
            said = (
                _("You knocked, but it doesn't count.")
                if you
                else _("{name} knocked, but it doesn't count.")
            )
        case Move.KNOCK:
            said = _("You knocked.") if you else _("{name} knocked.")
        case Move.BIG_GIN:
            said = _("You declared big gin!") if you else _("{name} declared big gin!")
        case Move.LAY_OFF:
            said = _("You laid off.") if you else _("{name} laid off.")
        case Move.LOOK:
            said = (
                _("You looked at the exposed cards.")
                if you
                else _("{name} looked at the exposed cards.")
            )
        case Move.TAKE_BACK:
            said = (
                _("You had the cards taken back unseen.")
                if you
                else _("{name} had the cards taken back unseen.")
            )
    return said.format(name=names[move.seat], card=card)


def turn_words(hand: HandView, names: Sequence[str]) -> str:
    """Whose act is awaited and which, for everybody at the table."""
    if hand.to_move is None:
        return _("The hand is over.")
    upcard = cardwords.card(hand.upcard) if hand.upcard is not None else _("up-card")
    only_gin = hand.knock_limit == 0
    match hand.phase:
        case Phase.UPCARD:
            said = _("{name} may take the {upcard} or pass")
        case Phase.DRAW:
            said = _("{name} to draw")
        case Phase.DISCARD if hand.must_knock and only_gin:
            said = _("{name} has to go gin")
        case Phase.DISCARD if hand.must_knock:
            said = _("{name} has to knock")
        case Phase.DISCARD:
            said = _("{name} to discard")
        case Phase.EXPOSED:
            said = _("{name} may look at the exposed cards or have them taken back")
        case Phase.LAYOFF:
            said = _("{name} to lay off")
        case Phase.FIFTIETH if only_gin:
            said = _("{name} may take the {upcard} to go gin, or pass")
        case Phase.FIFTIETH:
            said = _("{name} may take the {upcard} to knock, or pass")
        case _over:
            said = _("The hand is over.")
    return said.format(name=names[hand.to_move], upcard=upcard)


def _is_draw_of(move: PublicMove, seat: Seat) -> bool:
    return move.move is Move.DRAW and move.seat == seat


def _turn(draw: PublicMove, drop: PublicMove, names: Sequence[str], viewer: Seat | None) -> str:
    you = drop.seat == viewer
    if draw.pile is Pile.DISCARD and draw.card is not None:
        said = (
            _("You took {taken} and discarded {card}.")
            if you
            else _("{name} took {taken} and discarded {card}.")
        )
    else:
        said = (
            _("You drew from the stock and discarded {card}.")
            if you
            else _("{name} drew from the stock and discarded {card}.")
        )
    return said.format(
        name=names[drop.seat],
        taken=cardwords.card(draw.card) if draw.card is not None else "",
        card=cardwords.card(drop.card) if drop.card is not None else "",
    )


def _knock(hand: HandView, seat: Seat, names: Sequence[str], viewer: Seat | None) -> str:
    you = seat == viewer
    if hand.knock is not None and hand.knock.is_gin:
        said = _("You went gin!") if you else _("{name} went gin!")
        return said.format(name=names[seat])
    said = _("You knocked with {points}.") if you else _("{name} knocked with {points}.")
    return said.format(name=names[seat], points=hand.knock.points if hand.knock else "")


def _lay_off(hand: HandView, seat: Seat, names: Sequence[str], viewer: Seat | None) -> str:
    you = seat == viewer
    laid = sorted(card for card, _meld in hand.result.laid_off) if hand.result else []
    if laid:
        said = _("You laid off {cards}.") if you else _("{name} laid off {cards}.")
    else:
        said = _("You laid off nothing.") if you else _("{name} laid off nothing.")
    return said.format(name=names[seat], cards=cardwords.in_order(laid))
