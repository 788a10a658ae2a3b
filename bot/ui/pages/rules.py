"""The rules for people, by topic, in the words of the rules in force."""

from __future__ import annotations

from enum import StrEnum

from bot.ui.controls import Control, Verb
from bot.ui.language import _
from bot.ui.page import Page
from bot.ui.parts import Accent, Composer, Option, bullets
from bot.ui.terms import terms
from gin.rules import Rules


class RulesTopic(StrEnum):
    """A part of the rules."""

    TERMS = "terms"
    """What is played here, in short."""


def rules_page(rules: Rules, topic: str = RulesTopic.TERMS, *, subject: int = 0) -> Page:
    """One topic of the rules in force, with a select of the others.

    ``subject`` is the match whose rules these are, or 0; an unknown topic gets the first.
    """
    chosen = RulesTopic(topic) if topic in set(RulesTopic) else RulesTopic.TERMS
    return (
        Composer(Accent.TABLE)
        .text(f"## {rules_title(chosen)}")
        .text(bullets(terms(rules)))
        .select(
            Control(Verb.RULES_PICK, subject),
            _("More rules…"),
            [Option(one, rules_title(one), chosen=one is chosen) for one in RulesTopic],
        )
        .page()
    )


def rules_choices(typed: str) -> list[tuple[str, str]]:
    """Autocomplete for ``/gin rules topic``: (title, topic)."""
    wanted = typed.strip().casefold()
    return [
        (rules_title(topic), str(topic))
        for topic in RulesTopic
        if wanted in rules_title(topic).casefold() or topic.startswith(wanted)
    ]


def rules_title(topic: RulesTopic) -> str:
    """A topic's title."""
    titles = {RulesTopic.TERMS: _("What is played here")}
    return titles[topic]
