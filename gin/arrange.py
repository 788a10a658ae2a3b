"""The arrangement of a hand: which cards lie in melds, which are loose, and what those count.

Runs never compete among themselves: all cards of a suit in rows of three or more are melded. So
the search is over the sets alone; the rest of each suit is one look-up in :mod:`gin.holdings`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gin.cards import Card, cards_of, mask_of, points_of
from gin.holdings import LOOSE, RUN_DEADWOOD, RUNS
from gin.melds import EXTENSIONS, MELDS, Meld, melds_in


@dataclass(frozen=True, slots=True)
class Arrangement:
    """One way to lay a hand: disjoint melds, the loose cards in order, and their points."""

    melds: tuple[Meld, ...]
    loose: tuple[Card, ...]
    deadwood: int
    """In points."""


@dataclass(frozen=True, slots=True)
class Shed:
    """One way to go down from eleven cards to ten: the discard, and how the ten are laid."""

    discard: Card
    arrangement: Arrangement


def deadwood(mask: int) -> int:
    """The least deadwood, in points, of any set of cards given as bits (``mask_of``)."""
    spades = mask & 8191
    hearts = mask >> 13 & 8191
    diamonds = mask >> 26 & 8191
    clubs = mask >> 39
    many = spades & hearts & (diamonds | clubs) | diamonds & clubs & (spades | hearts)
    if many:
        return _with_sets(spades, hearts, diamonds, clubs, many)
    return (
        RUN_DEADWOOD[spades] + RUN_DEADWOOD[hearts] + RUN_DEADWOOD[diamonds] + RUN_DEADWOOD[clubs]
    )


def _with_sets(spades: int, hearts: int, diamonds: int, clubs: int, many: int) -> int:
    """The least deadwood when the ranks ``many`` may be laid as sets."""
    if not many:
        return (
            RUN_DEADWOOD[spades]
            + RUN_DEADWOOD[hearts]
            + RUN_DEADWOOD[diamonds]
            + RUN_DEADWOOD[clubs]
        )
    rank = many & -many
    many ^= rank
    keep = ~rank
    best = min(
        _with_sets(spades, hearts, diamonds, clubs, many),
        _with_sets(spades & keep, hearts & keep, diamonds & keep, clubs & keep, many),
    )
    if spades & hearts & diamonds & clubs & rank:
        best = min(
            best,
            _with_sets(spades, hearts & keep, diamonds & keep, clubs & keep, many),
            _with_sets(spades & keep, hearts, diamonds & keep, clubs & keep, many),
            _with_sets(spades & keep, hearts & keep, diamonds, clubs & keep, many),
            _with_sets(spades & keep, hearts & keep, diamonds & keep, clubs, many),
        )
    return best


def best_arrangement(cards: Iterable[Card]) -> Arrangement:
    """Lay these cards with the least deadwood; of several such ways always the same one."""
    return arrangement_of(mask_of(cards))


def arrangement_of(mask: int) -> Arrangement:
    """Lay the cards given as bits with the least deadwood (:func:`best_arrangement`)."""
    spades = mask & 8191
    hearts = mask >> 13 & 8191
    diamonds = mask >> 26 & 8191
    clubs = mask >> 39
    many = spades & hearts & (diamonds | clubs) | diamonds & clubs & (spades | hearts)
    sets: tuple[Meld, ...] = ()
    if many:
        chosen = _best_sets(mask, many)[1]
        for cards in chosen:
            mask ^= cards
            sets += (MELDS[cards],)
        spades = mask & 8191
        hearts = mask >> 13 & 8191
        diamonds = mask >> 26 & 8191
        clubs = mask >> 39
    return Arrangement(
        RUNS[0][spades] + RUNS[1][hearts] + RUNS[2][diamonds] + RUNS[3][clubs] + sets,
        LOOSE[0][spades] + LOOSE[1][hearts] + LOOSE[2][diamonds] + LOOSE[3][clubs],
        RUN_DEADWOOD[spades] + RUN_DEADWOOD[hearts] + RUN_DEADWOOD[diamonds] + RUN_DEADWOOD[clubs],
    )


_FOUR = 1 | 1 << 13 | 1 << 26 | 1 << 39


def _best_sets(mask: int, many: int) -> tuple[int, tuple[int, ...]]:
    """The least deadwood with sets of the ranks ``many``, and those sets as bits."""
    if not many:
        return (
            RUN_DEADWOOD[mask & 8191]
            + RUN_DEADWOOD[mask >> 13 & 8191]
            + RUN_DEADWOOD[mask >> 26 & 8191]
            + RUN_DEADWOOD[mask >> 39],
            (),
        )
    rank = many & -many
    many ^= rank
    best = _best_sets(mask, many)
    for cards in _sets_of(mask & rank * _FOUR):
        points, sets = _best_sets(mask ^ cards, many)
        if points < best[0]:
            best = points, (cards, *sets)
    return best


def _sets_of(held: int) -> tuple[int, ...]:
    """The sets that can be laid from three or four cards of a rank, as bits."""
    if held.bit_count() == 3:
        return (held,)
    return (held, *(held ^ 1 << card for card in cards_of(held)))


def arrangements(cards: Iterable[Card], limit: int | None = None) -> tuple[Arrangement, ...]:
    """Every sensible way to lay these cards, least deadwood first, in a fixed order.

    Sensible means that nothing more could be melded: no loose card would extend one of the melds,
    no three loose cards make another. Two runs of a suit that touch are given as one. With
    ``limit`` only the ways with that many points of deadwood or fewer.
    """
    mask = mask_of(cards)
    held = [meld.mask for meld in melds_in(mask)]
    ways: list[Arrangement] = []
    order: list[tuple[int, int, int, tuple[int, ...]]] = []

    def choose(start: int, rest: int, chosen: tuple[int, ...]) -> None:
        for index in range(start, len(held)):
            if held[index] & rest == held[index]:
                choose(index + 1, rest ^ held[index], (*chosen, held[index]))
        if any(meld & rest == meld for meld in held) or not _is_full(chosen, rest):
            return
        loose = cards_of(rest)
        points = points_of(loose)
        if limit is None or points <= limit:
            order.append((points, len(chosen), rest, chosen))
            ways.append(Arrangement(tuple(MELDS[meld] for meld in chosen), loose, points))

    choose(0, mask, ())
    return tuple(way for _, way in sorted(zip(order, ways, strict=True), key=lambda pair: pair[0]))


def _is_full(chosen: tuple[int, ...], rest: int) -> bool:
    """Whether no meld could take a loose card, nor be joined with another run."""
    runs = 0
    for meld in chosen:
        if meld >> 1 & meld:
            runs |= meld
    for meld in chosen:
        takes = EXTENSIONS[meld]
        if takes & rest or (meld >> 1 & meld and takes & runs):
            return False
    return True


def best_sheds(cards: Iterable[Card], banned: Card | None = None) -> tuple[Shed, ...]:
    """For each card that may be discarded, the best arrangement of the others.

    Least deadwood first; level ones by the discard's points, high first, then by card. ``banned``
    is the card just taken from the discard pile (rules.md, discard). The minimum is over the
    discards: melding all eleven and then dropping a card can miss it.
    """
    mask = mask_of(cards)
    sheds = [
        Shed(card, arrangement_of(mask ^ 1 << card)) for card in cards_of(mask) if card != banned
    ]
    return tuple(sorted(sheds, key=_by_deadwood))


def knock_options(
    cards: Iterable[Card], limit: int, banned: Card | None = None
) -> tuple[Shed, ...]:
    """Every discard with every arrangement of the others that is within the knock limit.

    ``limit`` is in points, 0 means only gin. Least deadwood first; level ones by the discard's
    points, high first, then by card. Empty when no knock is possible.
    """
    mask = mask_of(cards)
    options = [
        Shed(card, way)
        for card in cards_of(mask)
        if card != banned and deadwood(mask ^ 1 << card) <= limit
        for way in arrangements(cards_of(mask ^ 1 << card), limit)
    ]
    return tuple(sorted(options, key=_by_deadwood))


def _by_deadwood(shed: Shed) -> tuple[int, int, Card]:
    """Least deadwood first, then the higher discard, then the discard in order."""
    return shed.arrangement.deadwood, -shed.discard.points, shed.discard


def big_gin(cards: Iterable[Card]) -> Arrangement | None:
    """All eleven cards in melds, or None where that is impossible."""
    mask = mask_of(cards)
    if mask.bit_count() != 11 or deadwood(mask):
        return None
    return arrangement_of(mask)
