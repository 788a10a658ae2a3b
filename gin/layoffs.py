"""Laying off on a knocker's melds, and the defender's best play: own melds and lay-offs together.

One card after another goes onto the melds *as they have grown*: sets to four, runs at both ends,
no wrap (rules.md, lay-off). Two runs never become one meld; with ``strict_bridge`` a card next to
the ends of two runs, as they then stand, may not be laid at all (rules.md, a card lying between
two of the knocker's runs).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from gin.arrange import arrangement_of, deadwood
from gin.cards import DECK, Card, mask_of
from gin.errors import BetweenRuns, DoesNotFit
from gin.melds import EXTENSIONS, MELDS, Meld

Placed = tuple[tuple[Card, int], ...]
"""Cards laid off, in order, each with the index of the knocker's meld that it joined."""


@dataclass(frozen=True, slots=True)
class LayOffPlan:
    """One way for the defender to play: his own melds, and the cards laid off in a legal order."""

    melds: tuple[Meld, ...]
    """His own."""
    cards: tuple[Card, ...]
    """Laid off, in this order."""
    placed: Placed
    """The same cards, each with the index of the knocker's meld that it joined."""
    loose: tuple[Card, ...]
    deadwood: int
    """In points."""


def is_gin(melds: Sequence[Meld]) -> bool:
    """Whether melds as declared hold a whole hand, so that nothing may be laid off on them."""
    return sum(len(meld.cards) for meld in melds) >= 10


def best_layoff(
    melds: Sequence[Meld], hand: Iterable[Card], strict_bridge: bool = False
) -> LayOffPlan:
    """The defender's best play against melds as declared: the joint optimum.

    His own melds and the cards laid off are chosen together. Of level plays the one that lays off
    the fewest cards is taken, always the same. After gin nothing is laid off.
    """
    return _plans(melds, hand, strict_bridge)[0]


def layoff_plans(
    melds: Sequence[Meld], hand: Iterable[Card], strict_bridge: bool = False, most: int = 25
) -> tuple[LayOffPlan, ...]:
    """The defender's choices, least deadwood first: each set of cards that could be laid off.

    Each with the best arrangement of what is left. At most ``most`` (1 or more) are returned, the
    best and the one that lays off nothing always among them when there is room for both.
    """
    plans = _plans(melds, hand, strict_bridge)
    if len(plans) <= most:
        return plans
    kept = plans[:most]
    if most > 1 and all(plan.cards for plan in kept):
        nothing = next(plan for plan in plans if not plan.cards)
        kept = (*kept[:-1], nothing)
    return kept


def lay(
    melds: Sequence[Meld], cards: Sequence[Card], strict_bridge: bool = False
) -> tuple[tuple[Meld, ...], Placed]:
    """Lay these cards, in this order; return the melds as grown, and which card joined which.

    A card that fits several melds goes where all that follow can be laid too; of several ways the
    one with the lowest indices is taken. Raise :class:`DoesNotFit` for the first card that fits
    nowhere (:class:`BetweenRuns` where only ``strict_bridge`` keeps it away). Whether lay-offs are
    allowed at all (never after gin) is the hand's business.
    """
    grown, placed = _lay(tuple(meld.mask for meld in melds), cards, strict_bridge)
    if len(placed) < len(cards):
        refused = cards[len(placed)]
        if strict_bridge and _fits(grown, refused, strict_bridge=False):
            said = f"{refused} lies next to the ends of two of the knocker's runs"
            raise BetweenRuns(said, refused)
        said = f"{refused} extends none of the knocker's melds as they have grown"
        raise DoesNotFit(said, refused)
    return tuple(MELDS[mask] for mask in grown), placed


def _lay(
    masks: tuple[int, ...], cards: Sequence[Card], strict_bridge: bool
) -> tuple[tuple[int, ...], Placed]:
    """The melds as grown and the cards placed, as many of these in this order as can be."""
    if not cards:
        return masks, ()
    furthest: tuple[tuple[int, ...], Placed] = masks, ()
    card, *others = cards
    for index in _fits(masks, card, strict_bridge):
        grown, placed = _lay(_grown(masks, index, card), others, strict_bridge)
        if len(placed) + 1 > len(furthest[1]):
            furthest = grown, ((card, index), *placed)
        if len(placed) == len(others):
            break
    return furthest


def _fits(masks: tuple[int, ...], card: Card, strict_bridge: bool) -> list[int]:
    """The indices of the melds, as they stand, that the card may join."""
    bit = 1 << card
    if any(mask & bit for mask in masks):
        return []
    fits = [index for index, mask in enumerate(masks) if EXTENSIONS[mask] & bit]
    if strict_bridge and sum(masks[index] & masks[index] >> 1 != 0 for index in fits) > 1:
        return []
    return fits


def _grown(masks: tuple[int, ...], index: int, card: Card) -> tuple[int, ...]:
    """The melds with the card laid onto one of them."""
    return (*masks[:index], masks[index] | 1 << card, *masks[index + 1 :])


def _plans(
    melds: Sequence[Meld], hand: Iterable[Card], strict_bridge: bool
) -> tuple[LayOffPlan, ...]:
    """One plan for each set of cards that can be laid off, best first."""
    own = mask_of(hand)
    start = tuple(meld.mask for meld in melds)
    if is_gin(melds):
        ways: dict[int, Placed] = {0: ()}
    else:
        ways = _ways(start, own, strict_bridge)
    order = sorted(ways, key=lambda laid: (deadwood(own ^ laid), laid.bit_count(), laid))
    return tuple(
        _plan(own ^ laid, _tidy(start, ways[laid], strict_bridge) if laid else ()) for laid in order
    )


def _plan(left: int, placed: Placed) -> LayOffPlan:
    """The plan that lays these cards off and arranges the rest best."""
    way = arrangement_of(left)
    cards = tuple(card for card, _ in placed)
    return LayOffPlan(way.melds, cards, placed, way.loose, way.deadwood)


def _tidy(start: tuple[int, ...], placed: Placed, strict_bridge: bool) -> Placed:
    """The same cards meld by meld where that is legal too, placed as :func:`lay` places them."""
    by_meld = [card for card, _ in sorted(placed, key=lambda joined: joined[1])]
    tidy = _lay(start, by_meld, strict_bridge)[1]
    if len(tidy) == len(placed):
        return tidy
    return _lay(start, [card for card, _ in placed], strict_bridge)[1]


def _ways(start: tuple[int, ...], own: int, strict_bridge: bool) -> dict[int, Placed]:
    """Each set of own cards that can be laid off, as bits, with one legal order."""
    ways: dict[int, Placed] = {0: ()}
    seen = {start}
    front: list[tuple[tuple[int, ...], int, Placed]] = [(start, own, ())]
    while front:
        masks, left, placed = front.pop()
        for card, index in _moves(masks, left, strict_bridge):
            grown = _grown(masks, index, card)
            if grown not in seen:
                seen.add(grown)
                longer = (*placed, (card, index))
                ways.setdefault(own ^ left ^ 1 << card, longer)
                front.append((grown, left ^ 1 << card, longer))
    return ways


def _moves(masks: tuple[int, ...], left: int, strict_bridge: bool) -> Iterator[tuple[Card, int]]:
    """Each card in hand that may be laid now, with each meld that it may join."""
    taken = 0
    for mask in masks:
        taken |= EXTENSIONS[mask]
    taken &= left
    while taken:
        card = DECK[(taken & -taken).bit_length() - 1]
        taken &= taken - 1
        for index in _fits(masks, card, strict_bridge):
            yield card, index
