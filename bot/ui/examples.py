"""Small drawn examples for the rules: a set and a run, a lay-off, an undercut, gin.

The cards are fixed; every number is worked out by the rules library from the rules in force.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

from bot.ui import cardwords
from bot.ui.language import _
from bot.ui.page import Picture
from bot.ui.pictures.showdown import OpenHand, ShowdownDrawing, draw_showdown
from bot.ui.pictures.spread import Group
from gin.arrange import Arrangement, best_arrangement
from gin.cards import Card, parse_cards
from gin.layoffs import LayOffPlan, best_layoff, lay
from gin.melds import Meld
from gin.rules import Rules, Tie

SET: Final = Meld.parse("7S 7H 7D")
RUN: Final = Meld.parse("4C 5C 6C 7C")
_KNOCKER: Final = best_arrangement(parse_cards("5H 6H 7H 9S 9D 9C JC QC KC 4D"))
_LAYS_OFF: Final = parse_cards("2C 3C 4C QS QH QD 8H 9H AS 5D")
"""Lays off the 8 of hearts, then the 9, and keeps 1 + 5."""
_UNDERCUTS: Final = parse_cards("2C 3C 4C QS QH QD 8H 9H AS 2D")
"""The same, and keeps 1 + 2."""
_GIN: Final = best_arrangement(parse_cards("4H 5H 6H 7H 9S 9D 9C JC QC KC"))


@dataclass(frozen=True, slots=True)
class Example:
    """A picture and what it shows, in a sentence or two."""

    picture: Picture
    text: str


def meld_example() -> Example:
    """A set and a run."""
    groups = [(Group(meld.cards, melded=True),) for meld in (SET, RUN)]
    top = OpenHand(_("A set"), "", groups[0], _("three or four of a rank"))
    bottom = OpenHand(_("A run"), "", groups[1], _("three or more in a row"))
    text = _("In the picture: the set {set} and the run {run}.").format(
        set=cardwords.cards(SET.cards), run=cardwords.cards(RUN.cards)
    )
    alt = _("A set: {set}. A run: {run}.").format(
        set=cardwords.spoken_all(SET.cards), run=cardwords.spoken_all(RUN.cards)
    )
    return Example(_picture("melds.png", alt, top, bottom), text)


def layoff_example(rules: Rules) -> Example:
    """A knock, and two cards laid off on the same run."""
    plan = best_layoff(_KNOCKER.melds, _LAYS_OFF, rules.strict_bridge)
    difference = plan.deadwood - _KNOCKER.deadwood
    text = _(
        "In the picture the knocker has {knocker}. The defender lays off {laid}, and keeps "
        "{kept}. {mine} − {theirs} = **{points}** for the knocker."
    ).format(
        knocker=cardwords.sum_of(_KNOCKER.loose),
        laid=cardwords.laid_words(_KNOCKER.melds, plan.placed),
        kept=cardwords.sum_of(plan.loose),
        mine=plan.deadwood,
        theirs=_KNOCKER.deadwood,
        points=difference,
    )
    return Example(_showdown("layoff.png", plan, f"+{difference}", ""), text)


def undercut_example(rules: Rules) -> Example:
    """A knock that is undercut, with its count."""
    plan = best_layoff(_KNOCKER.melds, _UNDERCUTS, rules.strict_bridge)
    gap = _KNOCKER.deadwood - plan.deadwood
    text = _(
        "**An undercut:** the knocker has {knocker}; the defender lays off {laid}, keeps {kept}. "
        "{theirs} − {mine} + {bonus} = **{points}** for the defender."
    ).format(
        knocker=cardwords.sum_of(_KNOCKER.loose),
        laid=cardwords.in_order(plan.cards),
        kept=cardwords.sum_of(plan.loose),
        mine=plan.deadwood,
        theirs=_KNOCKER.deadwood,
        bonus=rules.undercut_bonus,
        points=gap + rules.undercut_bonus,
    )
    award = f"+{gap + rules.undercut_bonus}"
    return Example(_showdown("undercut.png", plan, "", award), text)


def gin_example(rules: Rules) -> Example:
    """Gin against the same hand: nothing is laid off."""
    defence = best_arrangement(_UNDERCUTS)
    points = defence.deadwood + rules.gin_bonus
    text = _(
        "**Gin:** nothing is laid off, though 8♥ would fit. The other's deadwood {sum}, plus "
        "{bonus}: **{points}**."
    ).format(sum=cardwords.sum_of(defence.loose), bonus=rules.gin_bonus, points=points)
    top = _hand(_("Gin"), _GIN, f"+{points}")
    bottom = _hand(_("The other"), defence)
    alt = _("Gin: {gin}. The other: {other}.").format(
        gin=_spoken(_GIN.melds, _GIN.loose), other=_spoken(defence.melds, defence.loose)
    )
    return Example(_picture("gin.png", alt, top, bottom), text)


def level_words(rules: Rules) -> str:
    """What level deadwood means under these rules."""
    match rules.tie:
        case Tie.UNDERCUT:
            return _("With level deadwood it is an undercut too: {bonus} points.").format(
                bonus=rules.undercut_bonus
            )
        case Tie.DRAW:
            return _("With level deadwood the hand is void.")
        case Tie.NO_BONUS:
            return _("With level deadwood the defender wins the hand, with no points.")


def _showdown(name: str, plan: LayOffPlan, knockers: str, defenders: str) -> Picture:
    """The knocker's melds with what was laid off on them, and what the defender keeps."""
    grown, _placed = lay(_KNOCKER.melds, plan.cards)
    way = Arrangement(grown, _KNOCKER.loose, _KNOCKER.deadwood)
    top = _hand(_("Knocker"), way, knockers, plan.cards)
    kept = Arrangement(plan.melds, plan.loose, plan.deadwood)
    bottom = _hand(_("Defender"), kept, defenders)
    alt = _("Knocker: {knocker}. Laid off: {laid}. Defender: {defender}.").format(
        knocker=_spoken(_KNOCKER.melds, _KNOCKER.loose),
        laid=cardwords.spoken_all(plan.cards),
        defender=_spoken(plan.melds, plan.loose),
    )
    return _picture(name, alt, top, bottom)


def _hand(name: str, way: Arrangement, award: str = "", marked: tuple[Card, ...] = ()) -> OpenHand:
    groups = [Group(meld.cards, melded=True, marked=marked) for meld in way.melds]
    if way.loose:
        groups.append(Group(way.loose, melded=False))
    caption = _("deadwood {points}").format(points=way.deadwood)
    return OpenHand(name, name, tuple(groups), caption, award)


def _picture(name: str, alt: str, top: OpenHand, bottom: OpenHand) -> Picture:
    return Picture(name, alt, partial(draw_showdown, ShowdownDrawing(top, bottom)))


def _spoken(melds: tuple[Meld, ...], loose: tuple[Card, ...]) -> str:
    said = [cardwords.spoken_all(meld.cards) for meld in melds]
    if loose:
        said.append(_("loose {cards}").format(cards=cardwords.spoken_all(loose)))
    return "; ".join(said)
