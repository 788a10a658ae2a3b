"""The arrangement of a hand: which cards lie in melds, which are loose, and what those count.

Runs never compete among themselves: all cards of a suit in rows of three or more are melded. So
the search is over the sets alone; the rest of each suit is one look-up in :mod:`gin.holdings`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gin.cards import Card, cards_of, mask_of, points_of
from gin.holdings import IN_RUNS, LOOSE, RUN_DEADWOOD, RUNS
from gin.melds import ACES, EXTENSIONS, MELDS, Meld, melds_in

_SPADE_RUNS, _HEART_RUNS, _DIAMOND_RUNS, _CLUB_RUNS = RUNS
_LOOSE_SPADES, _LOOSE_HEARTS, _LOOSE_DIAMONDS, _LOOSE_CLUBS = LOOSE


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
    if not many:
        return (
            RUN_DEADWOOD[spades]
            + RUN_DEADWOOD[hearts]
            + RUN_DEADWOOD[diamonds]
            + RUN_DEADWOOD[clubs]
        )
    if many & (many - 1):
        return _with_sets(spades, hearts, diamonds, clubs, many)
    return _with_one_set(spades, hearts, diamonds, clubs, many)


def _with_sets(spades: int, hearts: int, diamonds: int, clubs: int, many: int) -> int:
    """The least deadwood of four holdings when each rank of ``many`` (two or more) may be a set.

    Written out suit by suit, with no call that can be spared: all the time goes here.
    """
    rank = many & -many
    many ^= rank
    search = _with_sets if many & (many - 1) else _with_one_set
    keep = ~rank
    s = spades & keep
    h = hearts & keep
    d = diamonds & keep
    c = clubs & keep
    best = search(s, h, d, c, many)
    in_runs = IN_RUNS[spades] | IN_RUNS[hearts] | IN_RUNS[diamonds] | IN_RUNS[clubs]
    if not best or not rank & in_runs:
        # A rank that no run wants is always best laid as a set, with all its cards.
        return best
    points = search(spades, hearts, diamonds, clubs, many)
    if points < best:
        best = points
    if rank & spades & hearts & diamonds & clubs:
        # A set of three, and the fourth card in a run of its suit.
        if rank & IN_RUNS[spades]:
            best = min(best, search(spades, h, d, c, many))
        if rank & IN_RUNS[hearts]:
            best = min(best, search(s, hearts, d, c, many))
        if rank & IN_RUNS[diamonds]:
            best = min(best, search(s, h, diamonds, c, many))
        if rank & IN_RUNS[clubs]:
            best = min(best, search(s, h, d, clubs, many))
    return best


def _with_one_set(spades: int, hearts: int, diamonds: int, clubs: int, rank: int) -> int:
    """The least deadwood of four holdings when only this rank may be laid as a set."""
    keep = ~rank
    s = RUN_DEADWOOD[spades & keep]
    h = RUN_DEADWOOD[hearts & keep]
    d = RUN_DEADWOOD[diamonds & keep]
    c = RUN_DEADWOOD[clubs & keep]
    laid = s + h + d + c
    if not laid:
        return 0
    kept_s = RUN_DEADWOOD[spades]
    kept_h = RUN_DEADWOOD[hearts]
    kept_d = RUN_DEADWOOD[diamonds]
    kept_c = RUN_DEADWOOD[clubs]
    if rank & spades & hearts & diamonds & clubs:
        # Of four cards one may stay in its suit, where that saves points.
        laid -= max(0, s - kept_s, h - kept_h, d - kept_d, c - kept_c)
    kept = kept_s + kept_h + kept_d + kept_c
    if kept < laid:
        return kept
    return laid


def best_arrangement(cards: Iterable[Card]) -> Arrangement:
    """Lay these cards with the least deadwood.

    Of level ways always the same is taken, sets rather than runs. Runs are listed first, by suit
    and lowest card, then sets by rank.
    """
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
        points = deadwood(mask)
        for held in _sets_leaving(points, mask, many) or ():
            sets += (MELDS[held],)
            mask ^= held
        spades = mask & 8191
        hearts = mask >> 13 & 8191
        diamonds = mask >> 26 & 8191
        clubs = mask >> 39
    return Arrangement(
        _SPADE_RUNS[spades]
        + _HEART_RUNS[hearts]
        + _DIAMOND_RUNS[diamonds]
        + _CLUB_RUNS[clubs]
        + sets,
        _LOOSE_SPADES[spades]
        + _LOOSE_HEARTS[hearts]
        + _LOOSE_DIAMONDS[diamonds]
        + _LOOSE_CLUBS[clubs],
        RUN_DEADWOOD[spades] + RUN_DEADWOOD[hearts] + RUN_DEADWOOD[diamonds] + RUN_DEADWOOD[clubs],
    )


def _sets_leaving(points: int, mask: int, many: int) -> tuple[int, ...] | None:
    """Sets of the ranks ``many``, as bits, that leave this much deadwood; None if none do."""
    if not many:
        left = (
            RUN_DEADWOOD[mask & 8191]
            + RUN_DEADWOOD[mask >> 13 & 8191]
            + RUN_DEADWOOD[mask >> 26 & 8191]
            + RUN_DEADWOOD[mask >> 39]
        )
        return () if left == points else None
    rank = many & -many
    many ^= rank
    held = mask & rank * ACES
    sets = _sets_leaving(points, mask ^ held, many)
    if sets is not None:
        return (held, *sets)
    sets = _sets_leaving(points, mask, many)
    if sets is not None or held.bit_count() == 3:
        return sets
    for card in cards_of(held):
        three = held ^ 1 << card
        sets = _sets_leaving(points, mask ^ three, many)
        if sets is not None:
            return (three, *sets)
    return None


def arrangements(cards: Iterable[Card], limit: int | None = None) -> tuple[Arrangement, ...]:
    """Every sensible way to lay these cards, least deadwood first; the best arrangement leads.

    Sensible means that nothing more could be melded: no loose card would extend one of the melds,
    no three loose cards make another. Two runs of a suit that touch are given as one. With
    ``limit`` only the ways with that many points of deadwood or fewer.
    """
    mask = mask_of(cards)
    held = [meld.mask for meld in melds_in(mask)]
    ways: list[Arrangement] = []

    def choose(start: int, rest: int, chosen: tuple[int, ...]) -> None:
        for index in range(start, len(held)):
            if held[index] & rest == held[index]:
                choose(index + 1, rest ^ held[index], (*chosen, held[index]))
        if any(meld & rest == meld for meld in held) or not _is_full(chosen, rest):
            return
        loose = cards_of(rest)
        points = points_of(loose)
        if limit is None or points <= limit:
            ways.append(Arrangement(tuple(MELDS[meld] for meld in chosen), loose, points))

    choose(0, mask, ())
    best = arrangement_of(mask)
    # The choices are made in a fixed order, and sorting keeps it among level ways.
    return tuple(sorted(ways, key=lambda way: (way.deadwood, way != best, len(way.melds))))


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
