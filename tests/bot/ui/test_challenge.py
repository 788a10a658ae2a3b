"""Challenges: every term in plain words before anybody accepts (faults.md, row 35)."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from bot.ui.page import ChallengeShown, PersonShown
from bot.ui.pages import accepted_page, challenge_over_page, challenge_page
from bot.ui.terms import house_terms, short_terms, terms
from gin import PRESETS, Rules
from gin.rules import (
    BoxTiming,
    IllegalKnock,
    Limit,
    NextDealer,
    OklahomaAce,
    Scoring,
    Shutout,
    SpadesDouble,
    Tie,
    Winner,
)
from tests.bot.ui.limits_check import check_page
from tests.bot.ui.staging import ANN, AWKWARD_NAMES, BOB, CAT, LATER, buttons, text

PLAIN = ChallengeShown(5, ANN, (BOB,), Rules(), LATER)
EVERYTHING = Rules(
    knock_limit=Limit.UPCARD,
    oklahoma_ace=OklahomaAce.GIN,
    big_gin=500,
    strict_bridge=True,
    tie=Tie.NO_BONUS,
    fiftieth_card=True,
    draw_cap=500,
    illegal_knock=IllegalKnock.EXPOSE,
    target=1000,
    box_timing=BoxTiming.AT_ONCE,
    winner=Winner.FIRST_TO_TARGET,
    scoring=Scoring.ROTATION,
    finish_rotation=True,
)


def test_an_open_challenge_says_who_what_and_until_when() -> None:
    page = challenge_page(PLAIN)
    said = text(page)
    assert "Ann challenges <@102> to gin" in said
    assert "**Standard gin**: knock when your deadwood is 10 or less." in said
    assert "**One game to 100 points.**" in said
    assert "Bonuses: gin 25, undercut 25." in said
    assert f"<t:{int(LATER.timestamp())}:R>" in said
    assert buttons(page) == {
        "Accept": "gin:accept:5:0",
        "Decline": "gin:decline:5:0",
        "Withdraw": "gin:withdraw:5:0",
    }


def test_only_the_challenged_are_mentioned() -> None:
    said = text(challenge_page(replace(PLAIN, opponents=(BOB, CAT))))
    assert "<@102> and <@103>" in said
    assert "<@101>" not in said


def test_of_two_opponents_the_one_who_accepted_is_named() -> None:
    said = text(challenge_page(replace(PLAIN, opponents=(BOB, CAT), accepted=(102,))))
    assert "Accepted by Bob." in said
    assert "Still to accept: Cat." in said


def test_a_settled_challenge_has_no_buttons_left() -> None:
    for page in (accepted_page(PLAIN), challenge_over_page(PLAIN, "Bob declined.")):
        assert buttons(page) == {}
        check_page(page)
    assert "Bob declined." in text(challenge_over_page(PLAIN, "Bob declined."))


@pytest.mark.parametrize("name", AWKWARD_NAMES.values(), ids=AWKWARD_NAMES.keys())
def test_challenges_keep_the_limits_with_any_name_and_all_house_rules(name: str) -> None:
    people = tuple(PersonShown(10**18 + place, name) for place in range(3))
    shown = ChallengeShown(2**62, people[0], people[1:], EVERYTHING, LATER, (people[1].id,))
    for page in (challenge_page(shown), accepted_page(shown), challenge_over_page(shown, "x")):
        check_page(page)
        assert "@everyone" not in text(page)


CHANGES: dict[str, object] = {
    "oklahoma_ace": OklahomaAce.GIN,
    "spades_double": SpadesDouble.OFF,
    "big_gin": 50,
    "strict_bridge": True,
    "gin_bonus": 20,
    "undercut_bonus": 10,
    "tie": Tie.DRAW,
    "fiftieth_card": True,
    "draw_cap": 60,
    "illegal_knock": IllegalKnock.EXPOSE,
    "target": 150,
    "game_bonus": 50,
    "box_bonus": 20,
    "box_timing": BoxTiming.AT_ONCE,
    "winner": Winner.FIRST_TO_TARGET,
    "shutout": Shutout.DOUBLE,
    "next_dealer": NextDealer.LOSER,
}


def changed(rules: Rules, field: str, value: object) -> Rules:
    return replace(rules, **{field: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("field", CHANGES)
def test_every_house_option_changes_what_the_challenged_reads(field: str) -> None:
    base = Rules(knock_limit=Limit.UPCARD)
    assert terms(changed(base, field, CHANGES[field])) != terms(base)


def test_no_house_option_was_forgotten() -> None:
    elsewhere = {"knock_limit", "scoring", "finish_rotation"}
    assert {field.name for field in fields(Rules)} == set(CHANGES) | elsewhere
    rotation = Rules(scoring=Scoring.ROTATION)
    assert terms(replace(rotation, finish_rotation=True)) != terms(rotation)


def test_each_variant_and_scoring_reads_differently() -> None:
    read = {terms(rules) for rules in PRESETS.values()}
    read |= {terms(Rules(scoring=scoring)) for scoring in Scoring}
    assert len(read) == 5


def test_an_option_without_effect_is_no_term() -> None:
    assert house_terms(Rules(knock_limit=0, tie=Tie.DRAW, strict_bridge=True)) == ()


def test_the_plain_game_has_no_house_rules() -> None:
    assert house_terms(Rules()) == ()
    assert short_terms(Rules()) == "Standard gin · to 100"
    assert short_terms(Rules(knock_limit=0, big_gin=50)) == "Straight gin · to 100 · house rules"
