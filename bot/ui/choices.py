"""What a player can choose from: the lists behind selects, buttons and autocomplete.

The order of each list is fixed for a view, so an index in a custom id means the same thing for as
long as the match stands at that version.
"""

from __future__ import annotations

from bot.ui import cardwords, limits, typed
from bot.ui.language import _
from bot.ui.limits import clip
from gin.actions import Phase
from gin.arrange import Shed, best_sheds, knock_options
from gin.cards import Card, mask_of
from gin.layoffs import LayOffPlan, layoff_plans
from gin.views import HandView, MatchView

NOTHING = "none"
"""What is typed to lay off nothing."""


def knocks(view: MatchView) -> tuple[Shed, ...]:
    """The viewer's knocks, least deadwood first: discards with arrangements, at most 25.

    Empty when he can't knock now.
    """
    hand = view.hand
    if hand is None or not hand.may_knock or hand.cards is None:
        return ()
    options = knock_options(hand.cards, hand.knock_limit, hand.taken)
    return options[: limits.OPTIONS]


def layoffs(view: MatchView) -> tuple[LayOffPlan, ...]:
    """The defender's plans, best first, "nothing laid off" always among them; at most 25.

    Empty for everybody else and at any other time.
    """
    hand = view.hand
    if hand is None or hand.phase is not Phase.LAYOFF or hand.knock is None:
        return ()
    if hand.cards is None or hand.viewer is None or hand.to_move is not hand.viewer:
        return ()
    return layoff_plans(hand.knock.melds, hand.cards, view.rules.strict_bridge, most=limits.OPTIONS)


def nothing_laid(plans: tuple[LayOffPlan, ...]) -> int:
    """The index of the plan that lays off nothing."""
    return next(place for place, plan in enumerate(plans) if not plan.cards)


def discards(hand: HandView) -> tuple[tuple[Card, int], ...]:
    """The cards that the viewer may discard, each with the deadwood that is left after it.

    Least deadwood first; level ones by the card's points, high first.
    """
    if hand.cards is None:
        return ()
    left = {shed.discard: shed.arrangement.deadwood for shed in best_sheds(hand.cards, hand.taken)}
    return tuple((card, points) for card, points in left.items() if card in hand.discards)


def card_choices(
    view: MatchView, typed_text: str, *, knocking: bool = False
) -> list[tuple[str, str]]:
    """Autocomplete for ``/gin discard card`` and ``/gin knock discard``: (name, value) pairs.

    Only the viewer's own cards that he may discard (``knocking``: that leave a legal knock),
    filtered by what he has typed; the value reads back with :func:`bot.ui.typed.parse_card`.
    """
    hand = view.hand
    if hand is None or hand.cards is None or hand.phase is not Phase.DISCARD:
        return []
    if hand.to_move is not hand.viewer:
        return []
    if knocking:
        allowed = {shed.discard for shed in knocks(view)}
        sheds = best_sheds(hand.cards, hand.taken)
        left = [(s.discard, s.arrangement.deadwood) for s in sheds if s.discard in allowed]
    else:
        left = list(discards(hand))
    return [
        (discard_label(card, points), str(card))
        for card, points in left
        if typed.matches(card, typed_text)
    ][: limits.CHOICES]


def meld_choices(
    view: MatchView, typed_text: str, discard: Card | None = None
) -> list[tuple[str, str]]:
    """Autocomplete for ``/gin knock melds``: arrangements within the limit, as one would type them.

    ``discard`` is the card chosen so far. What has been typed comes first where it is none of ours.
    """
    wanted = _mask(typed_text)
    found: list[tuple[str, str]] = []
    for shed in knocks(view):
        if discard is not None and shed.discard != discard:
            continue
        value = cardwords.typed_melds(shed.arrangement.melds)
        if wanted & ~mask_of(card for meld in shed.arrangement.melds for card in meld.cards):
            continue
        name = _("{points}: {melds}").format(
            points=deadwood_words(shed.arrangement.deadwood),
            melds=cardwords.melds(shed.arrangement.melds),
        )
        if len(value) <= limits.CHOICE_NAME and value not in (known for _name, known in found):
            found.append((clip(name, limits.CHOICE_NAME), value))
    return found[: limits.CHOICES]


def layoff_choices(view: MatchView, typed_text: str) -> list[tuple[str, str]]:
    """Autocomplete for ``/gin layoff cards``: the plans, best first, ``none`` for nothing."""
    wanted = _mask(typed_text)
    return [
        (clip(plan_label(plan), limits.CHOICE_NAME), cardwords.typed_cards(plan.cards) or NOTHING)
        for plan in layoffs(view)
        if not wanted & ~mask_of(plan.cards)
    ][: limits.CHOICES]


def _mask(typed_text: str) -> int:
    """The whole cards in a text that is still being typed; what can't be read yet is left out."""
    try:
        return mask_of(typed.parse_cards(typed_text))
    except typed.NotUnderstood:
        head = typed_text.rstrip().rpartition(" ")[0]
        return _mask(head) if head else 0


def deadwood_words(points: int) -> str:
    """``gin`` or ``deadwood 5``."""
    return _("gin") if points == 0 else _("deadwood {points}").format(points=points)


def discard_label(card: Card, points: int) -> str:
    """``K♦ — leaves 5``."""
    return _("{card} — leaves {points}").format(card=cardwords.card(card), points=points)


def plan_label(plan: LayOffPlan) -> str:
    """``Lay off 8♥ 9♥ — leaves 10``."""
    if not plan.cards:
        return _("Lay off nothing — leaves {points}").format(points=plan.deadwood)
    return _("Lay off {cards} — leaves {points}").format(
        cards=cardwords.cards(sorted(plan.cards)), points=plan.deadwood
    )
