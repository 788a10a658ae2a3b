"""Former players, of whom nothing but the name "Former player" is left, told apart on one page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from bot.ui.language import _
from bot.ui.page import PersonShown


def told_apart(people: Iterable[PersonShown]) -> tuple[PersonShown, ...]:
    """These people, with a number for each former player where they are more than one.

    The numbers go by the order given, so they hold within one page or match only: whose they are
    nobody can know any more.
    """
    every = tuple(people)
    gone = list(dict.fromkeys(person.id for person in every if person.has_gone))
    if len(gone) < 2:
        return every
    return tuple(
        replace(person, name=_("Former player {number}").format(number=gone.index(person.id) + 1))
        if person.has_gone
        else person
        for person in every
    )
