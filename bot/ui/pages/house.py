"""A server's named house rules: the list of them, and one set with every option in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.clock import Clock
from bot.ui import escape
from bot.ui.clocks import CLOCK, clock_name, clock_title
from bot.ui.language import _, ngettext
from bot.ui.options import OPTIONS, no_effect, title_in, value_words, words_in
from bot.ui.page import HouseSet, Page
from bot.ui.parts import SUBTLE, Accent, Composer, bullets, lines
from bot.ui.terms import differences, variant_name
from gin.errors import MalformedRules
from gin.rules import Rules, Scoring

SETS_SHOWN: Final = 20
_SHOWN: Final = tuple(field for field in OPTIONS if field != "scoring")
"""How hands add up is chosen with each challenge."""


def house_page(sets: Sequence[HouseSet], server_name: str, note: str | None = None) -> Page:
    """All house sets of a server, each with what differs from the plain game.

    ``note`` says what has just been done.
    """
    page = Composer(Accent.TABLE, reserve=300)
    page.text("## " + _("House rules of {server}").format(server=escape.name(server_name))).note(
        note
    )
    if not sets:
        return page.text(
            _(
                "This server has no house rules of its own, so the plain game is played. Make a "
                "set with `/gin-admin house-set`."
            )
        ).page()
    for one in sets[:SETS_SHOWN]:
        page.text(_summary(one))
    rest = len(sets) - SETS_SHOWN
    if rest > 0:
        more = ngettext("And {count} more set.", "And {count} more sets.", rest)
        page.text(SUBTLE + more.format(count=rest), reserved=True)
    return page.text(
        SUBTLE
        + _("`/gin challenge` takes one as `house`; `/gin-admin house-show` shows its options."),
        reserved=True,
    ).page()


def house_set_page(
    house: HouseSet,
    *,
    changed: Sequence[str] = (),
    is_new: bool = False,
    is_unchanged: bool = False,
    copy_of: str = "",
) -> Page:
    """One set: every option with its value, marked where it differs from the plain game.

    ``changed`` are the fields that were set just now; they are named first. ``is_new``: there was
    no set of this name before. ``is_unchanged``: it was so already. ``copy_of`` names the set that
    it was copied from just now.
    """
    page = Composer(Accent.TABLE, reserve=900)
    page.text("## " + _("House rules “{name}”").format(name=escape.name(house.name)))
    page.text(
        lines(
            SUBTLE
            + _("{variant} · to {target} · both unless the challenge says otherwise").format(
                variant=variant_name(house.rules), target=house.rules.target
            ),
            _("This set is new.") if is_new else "",
            _("Saved as a copy of “{name}”.").format(name=escape.name(copy_of)) if copy_of else "",
            _("Challenges here use them unless they name others.") if house.is_default else "",
            _unfit(house.rules) if house.is_default else "",
            _now(house, changed),
            _("Nothing has changed: it was so already.") if is_unchanged else "",
        )
    )
    options = [_option(house.rules, field) for field in _SHOWN]
    page.text(bullets([*options, _clock(house.clock)]))
    notes = [no_effect(note.field, note.why) for note in house.rules.notes()]
    page.text(bullets(notes), reserved=True)
    return page.text(SUBTLE + _("Bold values differ from the plain game."), reserved=True).page()


def _unfit(rules: Rules) -> str:
    """Who can't play by these rules, and so has to pick others at each challenge."""
    said = {
        Scoring.GAME: _("Two can't play by them: their challenges have to pick other house rules."),
        Scoring.ROTATION: _(
            "Three can't play by them: their challenges have to pick other house rules."
        ),
    }
    return lines(*(words for scoring, words in said.items() if not _allow(rules, scoring)))


def _allow(rules: Rules, scoring: Scoring) -> bool:
    try:
        replace(rules, scoring=scoring)
    except MalformedRules:
        return False
    return True


def _summary(one: HouseSet) -> str:
    mark = " · " + _("the default") if one.is_default else ""
    told = [
        _("{option}: **{value}**").format(
            option=title_in(one.rules, field), value=words_in(one.rules, field)
        )
        for field in differences(one.rules)
        if field in _SHOWN
    ]
    if one.clock is not None:
        told.append(_clock(one.clock))
    return lines(
        f"**{escape.name(one.name)}**{mark}",
        "; ".join(told) + "." if told else _("The plain game."),
    )


def _now(house: HouseSet, changed: Sequence[str]) -> str:
    told = [
        _("{option}: **{value}**").format(
            option=title_in(house.rules, field), value=words_in(house.rules, field)
        )
        for field in changed
        if field in _SHOWN
    ]
    if CLOCK in changed:
        told.append(_clock(house.clock))
    return _("Set now: {options}.").format(options="; ".join(told)) if told else ""


def _clock(clock: Clock | None) -> str:
    """The clock of a challenge that chooses none."""
    if clock is None:
        return f"{clock_title()}: {clock_name(None)}"
    return _("{option}: **{value}**").format(option=clock_title(), value=clock_name(clock))


def _option(rules: Rules, field: str) -> str:
    value, plain = getattr(rules, field), getattr(Rules(), field)
    if value == plain:
        return f"{title_in(rules, field)}: {words_in(rules, field)}"
    return _("{option}: **{value}** (plain game: {plain})").format(
        option=title_in(rules, field),
        value=words_in(rules, field),
        plain=value_words(field, plain),
    )
