"""Laying groups of cards in rows: melds fanned on a lighter ground, loose cards apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from PIL import Image

from bot.ui.pictures import colours
from bot.ui.pictures.cards import Size, face, lay, rim
from bot.ui.pictures.panels import panel
from gin.cards import Card


@dataclass(frozen=True, slots=True)
class Group:
    """Cards that lie together: a meld (``melded``), or loose ones."""

    cards: tuple[Card, ...]
    melded: bool
    marked: tuple[Card, ...] = ()
    """Cards with a golden rim: just drawn, or laid off."""
    faded: tuple[Card, ...] = ()
    """Cards that are put away."""


@dataclass(frozen=True, slots=True)
class _Unit:
    """What isn't broken between rows: a meld, or one loose card."""

    group: Group
    cards: tuple[Card, ...]


PAD: Final = 9
"""Ground shown around a meld, in pixels."""
_GAP: Final = 14
"""Between a group and the next."""
_LOOSE_GAP: Final = 8


def rows_of(groups: Sequence[Group], size: Size, width: int, most: int) -> list[list[Group]]:
    """Break groups into at most ``most`` rows (1 or 2) of about equal length."""
    units = _units(groups)
    if most == 1 or _least(units, size) <= width * 0.55:
        return [_joined(units)]
    cuts = range(1, len(units))
    best = min(
        cuts, key=lambda cut: max(_least(units[:cut], size), _least(units[cut:], size)), default=0
    )
    if best == 0:
        return [_joined(units)]
    return [_joined(units[:best]), _joined(units[best:])]


def fits(groups: Sequence[Group], size: Size, width: int) -> bool:
    """Whether one row holds the groups at this size with every rank and suit in sight."""
    return _width(groups, size, size.strip, size.strip) <= width


def lay_row(
    canvas: Image.Image,
    groups: Sequence[Group],
    size: Size,
    box: tuple[int, int, int],
    *,
    four: bool,
    centred: bool = True,
) -> int:
    """Lay one row of groups; ``box`` is left, top and width. Returns the row's width in pixels.

    Cards are fanned as widely as there is room for: melds a little, loose cards until they lie
    side by side.
    """
    left, top, width = box
    meld_step, loose_step = _steps(groups, size, width)
    total = _width(groups, size, meld_step, loose_step)
    x = left + (width - total) // 2 if centred else left
    for group in groups:
        step = meld_step if group.melded else loose_step
        span = size.width + step * (len(group.cards) - 1)
        if group.melded:
            ground = panel(span + 2 * PAD, size.height + 2 * PAD, PAD + 4, colours.FELT_LIGHT)
            canvas.paste(ground, (x, top - PAD), ground)
            x += PAD
        for place, card in enumerate(group.cards):
            sprite = face(
                card,
                size,
                four=four,
                faded=card in group.faded,
                bare=step < size.width - size.lift and card is not group.cards[-1],
            )
            lay(canvas, sprite, (x + step * place, top), size)
            if card in group.marked:
                lay(canvas, rim(size), (x + step * place, top), size)
        x += span + (PAD if group.melded else 0) + _GAP
    return total


def _units(groups: Sequence[Group]) -> list[_Unit]:
    units: list[_Unit] = []
    for group in groups:
        if group.melded:
            units.append(_Unit(group, group.cards))
        else:
            units += [_Unit(group, (card,)) for card in group.cards]
    return units


def _joined(units: Sequence[_Unit]) -> list[Group]:
    """Units back as groups: neighbouring loose cards of one group lie together again."""
    joined: list[Group] = []
    before: _Unit | None = None
    for unit in units:
        if before is not None and unit.group is before.group and not unit.group.melded:
            last = joined.pop()
            joined.append(Group((*last.cards, *unit.cards), False, last.marked, last.faded))
        else:
            joined.append(Group(unit.cards, unit.group.melded, unit.group.marked, unit.group.faded))
        before = unit
    return joined


def _least(units: Sequence[_Unit], size: Size) -> int:
    return _width(_joined(units), size, size.strip, size.strip + size.width // 4)


def _steps(groups: Sequence[Group], size: Size, width: int) -> tuple[int, int]:
    """How far apart melded and loose cards lie, so that the row fits."""
    meld = size.strip
    loose = size.width + _LOOSE_GAP
    for step in range(loose, size.strip - 1, -2):
        if _width(groups, size, meld, step) <= width:
            return meld, step
    while meld > size.strip // 2 and _width(groups, size, meld, meld) > width:
        meld -= 1
    return meld, meld


def _width(groups: Sequence[Group], size: Size, meld_step: int, loose_step: int) -> int:
    total = 0
    for group in groups:
        step = meld_step if group.melded else loose_step
        total += size.width + step * (len(group.cards) - 1) + (2 * PAD if group.melded else 0)
    return total + _GAP * sum(1 for _ in pairwise(groups))
