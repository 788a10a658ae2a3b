"""Every page at every moment of random matches, under every kind of rules, keeps the limits."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from bot.ui import choices
from bot.ui.page import MatchShown, Page
from bot.ui.pages import (
    cancel_page,
    knock_modal,
    knock_page,
    layoff_modal,
    layoff_page,
    panel_page,
    ping_page,
    resign_page,
    sheet_page,
    status_page,
    table_page,
    which_page,
)
from gin import Match, Rules, Seat
from gin.rules import BoxTiming, IllegalKnock, Limit, Scoring, Shutout, SpadesDouble, Tie
from tests.bot.ui.limits_check import (
    check_form,
    check_page,
    official,
    official_errors,
    official_form_errors,
)
from tests.bot.ui.staging import AWKWARD_NAMES, LATER, named, random_match, shown

HOUSES = {
    "standard": Rules(),
    "oklahoma": Rules(knock_limit=Limit.UPCARD, spades_double=SpadesDouble.DIFFERENCE),
    "straight": Rules(knock_limit=0, draw_cap=30),
    "hollywood": Rules(scoring=Scoring.HOLLYWOOD, shutout=Shutout.DOUBLE),
    "rotation": Rules(scoring=Scoring.ROTATION, finish_rotation=True, target=50),
    "everything": Rules(
        illegal_knock=IllegalKnock.EXPOSE,
        fiftieth_card=True,
        big_gin=50,
        box_timing=BoxTiming.AT_ONCE,
        tie=Tie.DRAW,
        strict_bridge=True,
    ),
}


def pages(match: Match, version: int, name: str, seat: Seat | None) -> list[tuple[str, Page]]:
    """Every page of a match that this viewer may meet now."""
    deadline = LATER if version % 2 else None
    one = shown(match, seat, version=version, people=named(name), deadline=deadline)
    if seat is None:
        several = [replace(one, match_id=number) for number in range(25)]
        return [
            ("table", table_page(one)),
            ("ping", ping_page(one, Seat.A)),
            ("sheet", sheet_page(one)),
            ("sheet", sheet_page(one, 0)),
            ("status", status_page(several, 101)),
            ("which", which_page(several, "Which one?", ("discard", "7H"))),
        ]
    made = [("panel", panel_page(one)), ("resign", resign_page(one)), ("cancel", cancel_page(one))]
    return [*made, *_choosing(one)]


def _choosing(one: MatchShown) -> list[tuple[str, Page]]:
    made = []
    for count, page in (
        (len(choices.knocks(one.view)), knock_page),
        (len(choices.layoffs(one.view)), layoff_page),
    ):
        made += [(page.__name__, page(one, index)) for index in {0, count - 1} if count]
    return made


@pytest.mark.parametrize("house", HOUSES)
def test_every_page_of_a_match_keeps_discords_limits(house: str) -> None:
    names = list(AWKWARD_NAMES.values())
    seen: Counter[tuple[str, object]] = Counter()
    for step in random_match(11, HOUSES[house], most_hands=3):
        phase = step.match.hand.phase if step.match.hand else None
        if step.version % 11 and seen["panel", phase] > 6:
            continue
        for seat in (None, *step.match.seats):
            name = names[step.version % len(names)]
            for kind, page in pages(step.match, step.version, name, seat):
                seen[kind, phase] += 1
                check_page(page)
    assert {"table", "panel", "sheet"} <= {kind for kind, _phase in seen}


def test_every_kind_of_page_passes_discords_own_description() -> None:
    if official() is None:
        pytest.skip("Discord's API description is not beside this project")
    seen: Counter[tuple[str, object]] = Counter()
    for place, rules in enumerate(HOUSES.values()):
        for step in random_match(place, rules, most_hands=3):
            phase = step.match.hand.phase if step.match.hand else None
            if seen["panel", phase] > 2:
                continue
            name = list(AWKWARD_NAMES.values())[step.version % len(AWKWARD_NAMES)]
            for seat in (None, *step.match.seats):
                for kind, page in pages(step.match, step.version, name, seat):
                    seen[kind, phase] += 1
                    if seen[kind, phase] <= 1:
                        assert official_errors(page) == [], kind


def test_the_modals_keep_discords_limits() -> None:
    checked = 0
    for step in random_match(3, most_hands=6):
        for seat in step.match.seats:
            one = shown(step.match, seat, version=10**9, match_id=10**18)
            if choices.knocks(one.view):
                forms = [knock_modal(one)]
            elif choices.layoffs(one.view):
                forms = [layoff_modal(one)]
            else:
                continue
            for form in forms:
                checked += 1
                check_form(form)
                if official() is not None and checked < 8:
                    assert official_form_errors(form) == []
    assert checked > 5
