"""The rules for people, by topic, in the words of the rules in force, with drawn examples."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Final

from bot.ui import escape, matchbook, rulebook
from bot.ui.controls import Control, Verb
from bot.ui.examples import (
    Example,
    gin_example,
    layoff_example,
    meld_example,
    undercut_example,
)
from bot.ui.language import _
from bot.ui.options import OPTIONS, no_effect, title_in, words_in
from bot.ui.page import Page, RulesShown
from bot.ui.parts import SUBTLE, Accent, Composer, Option, Press, bullets, lines
from bot.ui.terms import short_terms, terms
from gin.rules import Rules


class RulesTopic(StrEnum):
    """A part of the rules."""

    TERMS = "terms"
    DEAL = "deal"
    MELDS = "melds"
    KNOCK = "knock"
    LAYOFF = "layoff"
    SCORING = "scoring"
    VOID = "void"
    MATCH = "match"
    HOLLYWOOD = "hollywood"
    THREE = "three"
    LEAVING = "leaving"
    SHUFFLE = "shuffle"
    OPTIONS = "options"


def rules_page(shown: RulesShown, topic: str = RulesTopic.TERMS) -> Page:
    """One topic of the rules, with a select of the others; an unknown topic gets the first.

    From the rules of a match a button leads to those that are usual on its server.
    """
    rules = shown.rules
    chosen = RulesTopic(topic) if topic in set(RulesTopic) else RulesTopic.TERMS
    page = Composer(Accent.TABLE)
    house = None if shown.house is None else escape.name(shown.house)
    page.text(
        lines(
            f"## {rules_title(chosen)}",
            shown.note and SUBTLE + shown.note,
            SUBTLE + short_terms(rules, house),
        )
    )
    said = list(_LINES[chosen](rules))
    if chosen is RulesTopic.TERMS and shown.clock:
        said.append(shown.clock)
    page.text(bullets(said))
    for example in _examples(rules, chosen):
        page.picture(example.picture).text(example.text)
    if chosen is RulesTopic.TERMS:
        page.text(_beginner())
    page.select(
        Control(Verb.RULES_PICK, shown.match_id),
        _("More rules: melds, the knock, scoring…"),
        [Option(one, rules_title(one)) for one in RulesTopic if one is not chosen],
    )
    if shown.match_id:
        page.buttons(Press(Control(Verb.RULES_PICK, 0), _("This server's usual rules")))
    return page.page()


def _beginner() -> str:
    """Where the words are explained that the terms take for known."""
    said = _("New to gin? **{melds}**, **{deal}** and **{knock}** below tell how it is played.")
    return said.format(
        melds=rules_title(RulesTopic.MELDS),
        deal=rules_title(RulesTopic.DEAL),
        knock=rules_title(RulesTopic.KNOCK),
    )


def rules_choices(typed: str) -> list[tuple[str, str]]:
    """Autocomplete for ``/gin rules topic``: (title, topic)."""
    wanted = escape.legible(typed).strip().casefold()
    return [
        (rules_title(topic), str(topic))
        for topic in RulesTopic
        if wanted in rules_title(topic).casefold() or topic.startswith(wanted)
    ]


def rules_titles() -> dict[str, str]:
    """Every topic of the rules with its title."""
    return {str(topic): rules_title(topic) for topic in RulesTopic}


def rules_title(topic: RulesTopic) -> str:
    """A topic's title."""
    titles = {
        RulesTopic.TERMS: _("What is played here"),
        RulesTopic.DEAL: _("The deal and a turn"),
        RulesTopic.MELDS: _("Melds and deadwood"),
        RulesTopic.KNOCK: _("Knocking and gin"),
        RulesTopic.LAYOFF: _("Laying off"),
        RulesTopic.SCORING: _("Scoring a hand"),
        RulesTopic.VOID: _("Void hands"),
        RulesTopic.MATCH: _("The match"),
        RulesTopic.HOLLYWOOD: _("Hollywood scoring"),
        RulesTopic.THREE: _("Three players"),
        RulesTopic.LEAVING: _("Giving up"),
        RulesTopic.SHUFFLE: _("The shuffle"),
        RulesTopic.OPTIONS: _("All house options"),
    }
    return titles[topic]


def _terms(rules: Rules) -> tuple[str, ...]:
    """The terms, and what is set without effect."""
    return (*terms(rules), *(no_effect(note.field, note.why) for note in rules.notes()))


def _options(rules: Rules) -> tuple[str, ...]:
    """Every option with its value; bold where it differs from the plain game."""
    plain = Rules()
    said = []
    for field in OPTIONS:
        words = words_in(rules, field)
        if getattr(rules, field) != getattr(plain, field):
            words = f"**{words}**"
        said.append(_("{option}: {value}").format(option=title_in(rules, field), value=words))
    return tuple(said)


def _examples(rules: Rules, topic: RulesTopic) -> list[Example]:
    """The pictures of a topic; where only gin ends a hand, none of a knock with deadwood."""
    knocks = rules.knock_limit != 0
    match topic:
        case RulesTopic.MELDS:
            return [meld_example()]
        case RulesTopic.LAYOFF if knocks:
            return [layoff_example(rules)]
        case RulesTopic.SCORING if knocks:
            return [undercut_example(rules), gin_example(rules)]
        case RulesTopic.SCORING | RulesTopic.KNOCK:
            return [gin_example(rules)]
        case _without:
            return []


_LINES: Final[Mapping[RulesTopic, Callable[[Rules], tuple[str, ...]]]] = {
    RulesTopic.TERMS: _terms,
    RulesTopic.DEAL: rulebook.deal,
    RulesTopic.MELDS: rulebook.melds,
    RulesTopic.KNOCK: rulebook.knock,
    RulesTopic.LAYOFF: rulebook.lay_off,
    RulesTopic.SCORING: rulebook.scoring,
    RulesTopic.VOID: rulebook.void,
    RulesTopic.MATCH: matchbook.match,
    RulesTopic.HOLLYWOOD: matchbook.hollywood,
    RulesTopic.THREE: matchbook.three,
    RulesTopic.LEAVING: matchbook.leaving,
    RulesTopic.SHUFFLE: matchbook.shuffle,
    RulesTopic.OPTIONS: _options,
}
