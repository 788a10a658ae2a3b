"""The lay-off page: the knocker's melds, one's own hand, the best offer and the others."""

from __future__ import annotations

from collections.abc import Sequence

from bot.ui import cardwords, choices, drawn
from bot.ui.controls import Verb, pack_cards, pack_melds
from bot.ui.language import _
from bot.ui.page import Form, MatchShown, Page
from bot.ui.pages import facts, turns
from bot.ui.pages.forms import field
from bot.ui.parts import SUBTLE, Accent, Composer, Option, Press, Style, lines
from bot.ui.terms import doubling_words
from gin.actions import LayOff
from gin.cards import Card, points_of
from gin.layoffs import LayOffPlan, lay
from gin.rules import Rules, Tie
from gin.views import HandView, OpenKnock


def layoff_page(shown: MatchShown, index: int = 0, note: str | None = None) -> Page:
    """Offer the defender his plans; ``index`` points into ``choices.layoffs(shown.view)``.

    An index out of range is taken as 0, the best. Raise ValueError when the viewer has nothing to
    lay off now.
    """
    plans = choices.layoffs(shown.view)
    hand = shown.view.hand
    if not plans or hand is None or hand.knock is None or hand.cards is None:
        raise ValueError("the viewer is not to lay off in this view")
    index = index if index < len(plans) else 0
    plan = plans[index]
    knocker = facts.names(shown)[hand.knock.seat]
    page = Composer(Accent.TURN)
    asked = _("{name} knocked with {points}: lay off")
    title = asked.format(name=knocker, points=hand.knock.points)
    page.text(facts.headed(shown, title)).note(note).text(turns.time_left(shown))
    page.picture(drawn.layoff_picture(shown, plan))
    page.text(_hands(knocker, hand, hand.knock))
    page.text(_plan(shown, plan, hand.knock, best=index == 0))
    nothing = choices.nothing_laid(plans)
    page.select(
        facts.control(shown, Verb.LAYOFF_PICK),
        _("Another way…"),
        [_option(place, way) for place, way in enumerate(plans) if place not in (index, nothing)],
    )
    page.buttons(
        Press(facts.control(shown, Verb.LAYOFF, index), choices.plan_label(plan), Style.success),
        Press(facts.control(shown, Verb.LAYOFF, nothing), choices.plan_label(plans[nothing]))
        if nothing != index
        else None,
        Press(facts.control(shown, Verb.LAYOFF_TEXT), _("My own way")),
    )
    return page.buttons(*facts.footer(shown)).page()


def arranged_layoff_page(shown: MatchShown, meant: LayOff) -> Page:
    """Ask before laying off as arranged in the form; tell of a better way, where there is one.

    ``meant`` is legal in this view.
    """
    plans = choices.layoffs(shown.view)
    hand = shown.view.hand
    if not plans or hand is None or hand.knock is None or hand.cards is None:
        raise ValueError("the viewer is not to lay off in this view")
    plan = _as_plan(shown, meant, hand.cards, hand.knock)
    best = plans[0]
    page = Composer(Accent.TURN)
    page.text(facts.headed(shown, _("Lay off like this?"))).text(turns.time_left(shown))
    page.picture(drawn.layoff_picture(shown, plan))
    page.text(_hands(facts.names(shown)[hand.knock.seat], hand, hand.knock))
    if best.deadwood < plan.deadwood:
        page.text(_("There is a better way: {plan}.").format(plan=choices.plan_label(best)))
    page.text(_plan(shown, plan, hand.knock, best=False))
    arranged = facts.control(
        shown, Verb.LAYOFF_ARRANGED, pack_melds(plan.melds), pack_cards(plan.cards)
    )
    return page.buttons(
        Press(arranged, choices.plan_label(plan), Style.success),
        Press(facts.control(shown, Verb.LAYOFF_TEXT), _("Arrange it anew")),
        Press(facts.control(shown, Verb.HAND), _("Back")),
    ).page()


def _as_plan(
    shown: MatchShown, meant: LayOff, held: Sequence[Card], knock: OpenKnock
) -> LayOffPlan:
    used = {card for meld in meant.melds for card in meld.cards} | set(meant.cards)
    loose = tuple(card for card in held if card not in used)
    _grown, placed = lay(knock.melds, meant.cards, shown.view.rules.strict_bridge)
    return LayOffPlan(meant.melds, meant.cards, placed, loose, points_of(loose))


def layoff_modal(shown: MatchShown) -> Form:
    """A form for a lay-off of one's own: fields ``cards`` and ``melds``, the best filled in.

    ``none`` stands for nothing; a field left empty is filled with the best when it is submitted.
    """
    plans = choices.layoffs(shown.view)
    form = Form(
        title=_("Lay off your own way"),
        custom_id=facts.control(shown, Verb.LAYOFF_TYPED).encode(),
    )
    form.add_item(
        field(
            "cards",
            _("Cards to lay off, in order"),
            _("Such as 8h 9h; none for nothing; empty for the best"),
            (cardwords.typed_cards(plans[0].cards) or choices.NOTHING) if plans else "",
            400,
            required=False,
        )
    )
    form.add_item(
        field(
            "melds",
            _("Your own melds"),
            _("Such as 7h 8h 9h / kc kd ks; none for no melds; empty for the best"),
            (cardwords.typed_melds(plans[0].melds) or choices.NOTHING) if plans else "",
            400,
            required=False,
        )
    )
    return form


def _hands(knocker: str, hand: HandView, knock: OpenKnock) -> str:
    return lines(
        _("{name}: {spread}").format(
            name=knocker, spread=cardwords.spread_of(knock.melds, knock.deadwood, knock.points)
        ),
        _("You hold: {cards}").format(cards=cardwords.cards(hand.cards or ())),
    )


def _plan(shown: MatchShown, plan: LayOffPlan, knock: OpenKnock, *, best: bool) -> str:
    """What this plan does, and how the hand would then be scored."""
    if plan.cards:
        laid = cardwords.laid_words(knock.melds, plan.placed)
        what = _("Best: lay off {laid}.") if best else _("Lay off {laid}.")
    else:
        laid = ""
        what = _("Best: lay off nothing.") if best else _("Lay off nothing.")
    return lines(
        what.format(laid=laid),
        _("You keep {spread}").format(
            spread=cardwords.spread_of(plan.melds, plan.loose, plan.deadwood)
        ),
        _forecast(shown, plan, knock),
        _strict(shown, knock),
        SUBTLE + facts.score(shown),
    )


def _strict(shown: MatchShown, knock: OpenKnock) -> str:
    """Where the house is strict about cards between two runs, and there are two."""
    runs = sum(not meld.is_set for meld in knock.melds)
    if not shown.view.rules.strict_bridge or runs < 2:
        return ""
    return SUBTLE + _("House rule: a card next to the ends of two runs may not be laid off.")


def _forecast(shown: MatchShown, plan: LayOffPlan, knock: OpenKnock) -> str:
    rules: Rules = shown.view.rules
    name = facts.names(shown)[knock.seat]
    gap = plan.deadwood - knock.points
    numbers = {"mine": plan.deadwood, "theirs": knock.points, "name": name, "gap": abs(gap)}
    if gap > 0:
        said = _("{mine} against {theirs}: {name} scores the difference, {gap}.")
    elif gap == 0 and rules.tie is Tie.DRAW:
        return _("{mine} against {theirs}: level, so the hand is void.").format(**numbers)
    elif gap == 0 and rules.tie is Tie.NO_BONUS:
        said = _("{mine} against {theirs}: level. You win the hand, with no points.")
        return said.format(**numbers)
    else:
        said = _("{mine} against {theirs}: an undercut! You score {gap} + {bonus}.")
    doubled = ""
    if shown.view.hand is not None and shown.view.hand.doubled:
        doubled = " " + _("The first up-card is a spade: {doubling}.").format(
            doubling=doubling_words(rules)
        )
    return said.format(**numbers, bonus=rules.undercut_bonus) + doubled


def _option(place: int, plan: LayOffPlan) -> Option:
    about = cardwords.spread_of(plan.melds, plan.loose, plan.deadwood)
    return Option(str(place), choices.plan_label(plan), about)
