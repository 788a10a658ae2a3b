"""Suit pips and court emblems as outlines in a unit square, flattened from Bézier curves."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from PIL import ImageDraw

from gin.cards import Suit

Point = tuple[float, float]
Curve = tuple[Point, Point, Point]
"""Two control points and the end of a cubic Bézier curve."""
Box = tuple[float, float, float, float]
"""Left, top, width, height in pixels."""
Colour = tuple[int, int, int]

_STEPS: Final = 18

_HEART: Final[tuple[Point, tuple[Curve, ...]]] = (
    (0.5, 0.98),
    (
        ((0.43, 0.85), (0.02, 0.62), (0.02, 0.31)),
        ((0.02, 0.13), (0.14, 0.03), (0.27, 0.03)),
        ((0.38, 0.03), (0.47, 0.1), (0.5, 0.23)),
        ((0.53, 0.1), (0.62, 0.03), (0.73, 0.03)),
        ((0.86, 0.03), (0.98, 0.13), (0.98, 0.31)),
        ((0.98, 0.62), (0.57, 0.85), (0.5, 0.98)),
    ),
)
_SPADE: Final[tuple[Point, tuple[Curve, ...]]] = (
    (0.5, 0.01),
    (
        ((0.57, 0.16), (0.98, 0.36), (0.98, 0.6)),
        ((0.98, 0.76), (0.87, 0.84), (0.75, 0.84)),
        ((0.65, 0.84), (0.57, 0.79), (0.53, 0.71)),
        ((0.54, 0.84), (0.6, 0.94), (0.7, 0.99)),
        ((0.6, 0.99), (0.4, 0.99), (0.3, 0.99)),
        ((0.4, 0.94), (0.46, 0.84), (0.47, 0.71)),
        ((0.43, 0.79), (0.35, 0.84), (0.25, 0.84)),
        ((0.13, 0.84), (0.02, 0.76), (0.02, 0.6)),
        ((0.02, 0.36), (0.43, 0.16), (0.5, 0.01)),
    ),
)
_DIAMOND: Final[tuple[Point, tuple[Curve, ...]]] = (
    (0.5, 0.0),
    (
        ((0.61, 0.2), (0.74, 0.37), (0.91, 0.5)),
        ((0.74, 0.63), (0.61, 0.8), (0.5, 1.0)),
        ((0.39, 0.8), (0.26, 0.63), (0.09, 0.5)),
        ((0.26, 0.37), (0.39, 0.2), (0.5, 0.0)),
    ),
)
_CLUB_STEM: Final[tuple[Point, tuple[Curve, ...]]] = (
    (0.46, 0.45),
    (
        ((0.48, 0.44), (0.52, 0.44), (0.54, 0.45)),
        ((0.53, 0.8), (0.6, 0.94), (0.7, 0.99)),
        ((0.6, 0.99), (0.4, 0.99), (0.3, 0.99)),
        ((0.4, 0.94), (0.47, 0.8), (0.46, 0.45)),
    ),
)
_CLUB_LEAVES: Final = ((0.5, 0.25), (0.245, 0.61), (0.755, 0.61))
_LEAF_RADIUS: Final = 0.238

_OUTLINES: Final[Mapping[Suit, tuple[Point, tuple[Curve, ...]]]] = {
    Suit.HEARTS: _HEART,
    Suit.SPADES: _SPADE,
    Suit.DIAMONDS: _DIAMOND,
    Suit.CLUBS: _CLUB_STEM,
}

_CROWNS: Final[Mapping[int, tuple[Point, ...]]] = {
    11: ((0.06, 0.62), (0.32, 0.66), (0.5, 0.2), (0.68, 0.66), (0.94, 0.62)),
    12: ((0.06, 0.4), (0.27, 0.68), (0.5, 0.24), (0.73, 0.68), (0.94, 0.4)),
    13: (
        (0.02, 0.36), (0.17, 0.66), (0.26, 0.24), (0.38, 0.62), (0.5, 0.12),
        (0.62, 0.62), (0.74, 0.24), (0.83, 0.66), (0.98, 0.36),
    ),
}  # fmt: skip
"""The upper edges of the coronets of jack, queen and king."""
_PEARLS: Final[Mapping[int, tuple[Point, ...]]] = {
    11: ((0.5, 0.2),),
    12: ((0.06, 0.4), (0.5, 0.24), (0.94, 0.4)),
    13: ((0.02, 0.36), (0.26, 0.24), (0.5, 0.12), (0.74, 0.24), (0.98, 0.36)),
}


def pip(draw: ImageDraw.ImageDraw, suit: Suit, box: Box, colour: Colour) -> None:
    """Draw a suit's pip into a box."""
    draw.polygon([_at(point, box) for point in _outline(suit)], fill=colour)
    if suit is Suit.CLUBS:
        for leaf in _CLUB_LEAVES:
            _dot(draw, leaf, _LEAF_RADIUS, box, colour)


def crown(draw: ImageDraw.ImageDraw, rank: int, box: Box, colour: Colour) -> None:
    """Draw the coronet of a jack (one pearl), queen (three) or king (five)."""
    edge = _CROWNS[rank]
    draw.polygon([_at(p, box) for p in ((0.1, 0.8), *edge, (0.9, 0.8))], fill=colour)
    left, top = _at((0.1, 0.86), box)
    right, bottom = _at((0.9, 1.0), box)
    draw.rounded_rectangle((left, top, right, bottom), radius=(bottom - top) / 3, fill=colour)
    for pearl in _PEARLS[rank]:
        _dot(draw, pearl, 0.065, box, colour)


@cache
def _outline(suit: Suit) -> tuple[Point, ...]:
    start, curves = _OUTLINES[suit]
    points = [start]
    for first, second, end in curves:
        origin = points[-1]
        points += [_on(origin, first, second, end, step / _STEPS) for step in range(1, _STEPS + 1)]
    return tuple(points)


def _on(a: Point, b: Point, c: Point, d: Point, t: float) -> Point:
    """The point at ``t`` of the cubic curve from ``a`` to ``d``."""
    s = 1 - t
    weights = (s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t)
    x = sum(w * p[0] for w, p in zip(weights, (a, b, c, d), strict=True))
    y = sum(w * p[1] for w, p in zip(weights, (a, b, c, d), strict=True))
    return x, y


def _at(point: Point, box: Box) -> Point:
    left, top, width, height = box
    return left + point[0] * width, top + point[1] * height


def _dot(draw: ImageDraw.ImageDraw, centre: Point, radius: float, box: Box, colour: Colour) -> None:
    x, y = _at(centre, box)
    across, down = radius * box[2], radius * box[3]
    draw.ellipse((x - across, y - down, x + across, y + down), fill=colour)
