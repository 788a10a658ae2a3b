"""House options for people: names and values in words, both ways, and what is wrong with one.

The fields are those of :class:`gin.rules.Rules`; a test goes through all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from enum import StrEnum
from typing import Final

from bot.ui import escape, limits
from bot.ui.language import _, ngettext
from bot.ui.limits import clip
from bot.ui.typed import NotUnderstood
from gin.errors import MalformedRules
from gin.rules import (
    RANGES,
    BoxTiming,
    IllegalKnock,
    Limit,
    NextDealer,
    OklahomaAce,
    Rules,
    Scoring,
    Shutout,
    SpadesDouble,
    Tie,
    Winner,
)

Value = int | StrEnum | None
"""What an option can be set to; switches are bools."""

OPTIONS: Final = tuple(field.name for field in fields(Rules))
"""Every house option, in the order in which they are shown."""
_PLAIN: Final = Rules()
_STRAIGHT: Final = Rules(knock_limit=0)
_YES: Final = ("on", "yes", "true", "1")
_NO: Final = ("off", "no", "false", "0", "none", "nothing", "never")
_NOTHING: Final[Mapping[str, Value]] = {
    "shutout": Shutout.NONE,
    "spades_double": SpadesDouble.OFF,
    "big_gin": None,
}
"""What such a word means where it is no switch; a bonus of nothing is 0 points."""
_USUAL: Final[Mapping[str, tuple[int, ...]]] = {
    "target": (50, 100, 150, 200, 250, 500),
    "draw_cap": (30, 60, 80, 100, 150, 200),
}
"""Numbers to suggest; bonuses have one list for all."""
_USUAL_BONUS: Final = (0, 10, 20, 25, 30, 50, 100)
_FIELD: Final = re.compile(r"\b(" + "|".join(OPTIONS) + r")\b")
_MINUS: Final = re.compile(r"[-\u2010-\u2015\u2212]")
"""A hyphen, a dash or a minus: no number of an option is below nothing, or a range."""
_RANGE: Final = re.compile(r"(\w+) must be from (\d+) to (\d+)")


def option_title(field: str) -> str:
    """An option's name for people: ``Gin bonus``; raise KeyError for a field that isn't one."""
    return {
        "knock_limit": _("Knock limit"),
        "oklahoma_ace": _("Ace as first up-card"),
        "spades_double": _("Spade as first up-card"),
        "big_gin": _("Big gin"),
        "strict_bridge": _("Card between two runs"),
        "gin_bonus": _("Gin bonus"),
        "undercut_bonus": _("Undercut bonus"),
        "tie": _("Level deadwood"),
        "fiftieth_card": _("Fiftieth card"),
        "draw_cap": _("Most draws in a hand"),
        "illegal_knock": _("Knock over the limit"),
        "target": _("Target"),
        "game_bonus": _("Game bonus"),
        "box_bonus": _("Box for each hand won"),
        "box_timing": _("When boxes are added"),
        "winner": _("Who wins"),
        "shutout": _("Shutout"),
        "next_dealer": _("Next dealer"),
        "scoring": _("Scoring"),
        "finish_rotation": _("Round of three completed"),
    }[field]


def title_in(rules: Rules, field: str) -> str:
    """The same for a set of rules: where only gin ends a hand, nobody knocks."""
    if field == "illegal_knock" and rules.knock_limit == 0:
        return _("Gin announced without having it")
    return option_title(field)


def words_in(rules: Rules, field: str) -> str:
    """The value that an option has in a set of rules, in its words, likewise."""
    if field == "fiftieth_card" and rules.fiftieth_card and rules.knock_limit == 0:
        return _("may be taken to go gin with")
    return value_words(field, getattr(rules, field))


def value_words(field: str, value: Value) -> str:
    """A value of an option in words: ``only gin``, ``25 points``."""
    if field == "draw_cap":
        return ngettext("{count} draw", "{count} draws", int(value or 0)).format(count=value)
    if field in RANGES and value is not None:
        return ngettext("{count} point", "{count} points", int(value)).format(count=value)
    return dict(_worded(field))[value]


def _worded(field: str) -> tuple[tuple[Value, str], ...]:
    """The values of an option that are no plain numbers, each in words."""
    words: Mapping[str, tuple[tuple[Value, str], ...]] = {
        "knock_limit": (
            (10, _("10 or less")),
            (0, _("only gin")),
            (Limit.UPCARD, _("the value of the first up-card")),
        ),
        "oklahoma_ace": ((OklahomaAce.ONE, _("allows 1")), (OklahomaAce.GIN, _("only gin"))),
        "spades_double": (
            (SpadesDouble.ALL, _("doubles all that is scored")),
            (SpadesDouble.DIFFERENCE, _("doubles the deadwood scored, not the bonus")),
            (SpadesDouble.OFF, _("doubles nothing")),
        ),
        "big_gin": ((None, _("not played")),),
        "strict_bridge": (
            (False, _("may extend one of them")),
            (True, _("may not be laid off")),
        ),
        "tie": (
            (Tie.UNDERCUT, _("is an undercut")),
            (Tie.DRAW, _("makes the hand void")),
            (Tie.NO_BONUS, _("wins the defender the hand, with no points")),
        ),
        "fiftieth_card": (
            (False, _("not played, the hand is void")),
            (True, _("may be taken to knock with")),
        ),
        "illegal_knock": (
            (IllegalKnock.REFUSE, _("refused, nothing is shown")),
            (IllegalKnock.EXPOSE, _("announced, and the opponent may look")),
        ),
        "box_timing": (
            (BoxTiming.AT_END, _("at the end")),
            (BoxTiming.AT_ONCE, _("at once, counting towards the target")),
        ),
        "winner": (
            (Winner.TOTAL, _("the higher total")),
            (Winner.FIRST_TO_TARGET, _("the first to reach the target")),
        ),
        "shutout": (
            (Shutout.NONE, _("brings nothing")),
            (Shutout.DOUBLE, _("doubles the winner's total")),
            (Shutout.PLUS_100, _("brings 100 points")),
        ),
        "next_dealer": (
            (NextDealer.ALTERNATE, _("in turn")),
            (NextDealer.LOSER, _("who lost the hand")),
            (NextDealer.WINNER, _("who won the hand")),
        ),
        "scoring": (
            (Scoring.GAME, _("one game")),
            (Scoring.HOLLYWOOD, _("Hollywood, three games at once")),
            (Scoring.ROTATION, _("three players in rotation")),
        ),
    }
    switch: tuple[tuple[Value, str], ...] = ((False, _("no")), (True, _("yes")))
    return words.get(field, switch if field not in RANGES else ())


def option_choices(typed: str) -> list[tuple[str, str]]:
    """Autocomplete for the name of an option: (title, field)."""
    wanted = _plain(typed)
    return [
        (option_title(field), field)
        for field in OPTIONS
        if wanted in _plain(option_title(field)) or wanted in _plain(field)
    ][: limits.CHOICES]


def value_choices(field: str, typed: str) -> list[tuple[str, str]]:
    """Autocomplete for a value of the option ``field``: (words, what :func:`parse_value` reads).

    Numbers in the allowed range can be typed freely. Empty for a field that is no option.
    """
    if field not in OPTIONS:
        return []
    if field in RANGES and _MINUS.search(escape.legible(typed)):
        return []
    wanted = _plain(typed)
    values: list[Value] = [value for value, _words in _worded(field)]
    if field in RANGES:
        low, high = RANGES[field]
        if re.fullmatch(r"\d{1,9}", typed.strip(), re.ASCII) and low <= int(typed) <= high:
            values.insert(0, int(typed))
        values += [number for number in _USUAL.get(field, _USUAL_BONUS) if low <= number <= high]
    found: dict[str, str] = {}
    for value in values:
        name = value_words(field, value)
        if value == getattr(_PLAIN, field):
            name = _("{value} (the plain game)").format(value=name)
        if wanted in _plain(name) or wanted in _plain(token(value)):
            found.setdefault(token(value), clip(name, limits.CHOICE_NAME))
    return [(name, value) for value, name in found.items()][: limits.CHOICES]


def parse_option(text: str) -> str:
    """The field that a typed name means; raise :class:`NotUnderstood` with a sentence."""
    wanted = _plain(text)
    for field in OPTIONS:
        titles = (option_title(field), title_in(_STRAIGHT, field))
        if wanted in (_plain(field), *map(_plain, titles)):
            return field
    raise NotUnderstood(
        _("There is no house option “{typed}”. Pick one from the list.").format(
            typed=escape.text(text)
        ),
        text,
    )


def parse_value(field: str, text: str) -> Value:
    """Read a value of an option: its words or some of them, a number, ``on``, ``off``, ``none``.

    Raise :class:`NotUnderstood` with a sentence that says what can be chosen.
    """
    wanted = _plain(text)
    worded = _worded(field)
    if isinstance(getattr(_PLAIN, field), bool) and wanted in _YES + _NO:
        return wanted in _YES
    for value, words in worded:
        if wanted in (_plain(words), _plain(token(value))):
            return value
    if wanted in _NO and (wanted != "0" or field not in RANGES):
        if field in _NOTHING:
            return _NOTHING[field]
        if field in RANGES and RANGES[field][0] == 0:
            return 0
    if field in RANGES:
        return _number(field, text)
    starts = [value for value, words in worded if wanted and _plain(words).startswith(wanted)]
    within = [value for value, words in worded if wanted and f" {wanted} " in f" {_plain(words)} "]
    for near in (starts, within):
        if len(near) == 1:
            return near[0]
    raise NotUnderstood(
        _("{option}: “{typed}” can't be chosen. Possible: {values}.").format(
            option=option_title(field),
            typed=escape.text(text),
            values="; ".join(words for _value, words in worded),
        ),
        text,
    )


def refusal_words(error: MalformedRules) -> str:
    """A sentence for the person whose rules were refused: what is wrong, what to do."""
    said = str(error)
    known = _refusals().get(said)
    if known is not None:
        return known
    outside = _RANGE.match(said)
    if outside and outside[1] in OPTIONS:
        return _range_sentence(outside[1])
    named = _FIELD.sub(lambda field: f"“{option_title(field[0])}”", said)
    return _("These rules can't be played: {reason}.").format(reason=named.rstrip("."))


def clash_words(error: MalformedRules, field: str, rules: Rules) -> str | None:
    """The same for a set, ``rules``, in which another option stands in the way of ``field``.

    None where it is another fault.
    """
    dealt = "next_dealer is not played in a rotation: the deal goes round"
    reasons = {
        "shutout is not played in a rotation: it has no single loser": _(
            "three can't play a shutout, as there is no single loser"
        ),
        dealt: _("with three players the deal goes round, whoever wins"),
    }
    if str(error) not in reasons:
        return None
    other = "finish_rotation"
    if field == other:
        other = "next_dealer" if str(error) == dealt else "shutout"
    return _(
        "This set has **{other}** at “{value}”, and {reason}. Set that to “{plain}” first, or "
        "leave **{option}** as it is."
    ).format(
        other=option_title(other),
        value=value_words(other, getattr(rules, other)),
        reason=reasons[str(error)],
        plain=value_words(other, getattr(_PLAIN, other)),
        option=option_title(field),
    )


def no_effect(field: str, why: str) -> str:
    """Why an option that is set has no effect (:meth:`gin.rules.Rules.notes`), as a sentence."""
    reasons: Mapping[str, Callable[[], str]] = {
        "only where the starter sets the knock limit": lambda: _(
            "it counts only where the first up-card sets the knock limit"
        ),
        "only gin ends a hand, so nobody lays off and nobody is undercut": lambda: _(
            "only gin ends a hand, so nobody lays off and nobody is undercut"
        ),
        "a box is worth nothing": lambda: _("a box is worth nothing here"),
    }
    reason = reasons[why]() if why in reasons else why
    return _("**{option}** has no effect: {reason}.").format(
        option=option_title(field), reason=reason
    )


def token(value: Value) -> str:
    """A value as it is written in custom ids and commands: ``at_once``, ``on``, ``25``."""
    if value is None:
        return "off"
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def _refusals() -> Mapping[str, str]:
    """What :class:`Rules` says of combinations, in sentences for people."""
    return {
        "shutout is not played in a rotation: it has no single loser": _(
            "A shutout can't be played by three: there is no single loser."
        ),
        "next_dealer is not played in a rotation: the deal goes round": _(
            "With three players the deal goes round, whoever wins: no next dealer is chosen."
        ),
        "finish_rotation is played only in a rotation of three players": _(
            "Only three players in rotation can complete a round of three: name a `third`."
        ),
        "Hollywood is scored by two players; three play a rotation": _(
            "Hollywood is for two players. Three play in rotation: leave `scoring` out."
        ),
        "three players play a rotation: scoring must be rotation": _(
            "Three players play in rotation; these rules are for two."
        ),
        "a rotation takes three players": _(
            "These rules are for three players in rotation: name a third player."
        ),
    }


def _number(field: str, text: str) -> int:
    digits = re.fullmatch(r"\D*(\d{1,9})\D*", _plain(text))
    low, high = RANGES[field]
    if digits is None or _MINUS.search(escape.legible(text)) or not low <= int(digits[1]) <= high:
        raise NotUnderstood(_range_sentence(field), text)
    return int(digits[1])


def _range_sentence(field: str) -> str:
    low, high = RANGES[field]
    said = _("{option}: type a number from {low} to {high}.")
    if field == "big_gin":
        said = _("{option}: type a number from {low} to {high}, or “off”.")
    return said.format(option=option_title(field), low=low, high=high)


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[_\-\s“”\"']+", " ", escape.legible(text[:200]).casefold()).split())
