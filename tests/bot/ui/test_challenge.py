"""Challenges: every term in plain words before anybody accepts (faults.md, row 35)."""

from __future__ import annotations

from dataclasses import fields, replace

import discord
import pytest

from bot.ui.page import AddedWord, ChallengeShown, PersonShown
from bot.ui.pages import (
    WORD_MOST,
    accepted_page,
    challenge_over_page,
    challenge_page,
    word_modal,
)
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
from tests.bot.ui.limits_check import check_form, check_page, official, official_form_errors
from tests.bot.ui.staging import ANN, AWKWARD_NAMES, BOB, CAT, LATER, buttons, items, text

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
    assert f"The offer stands until <t:{int(LATER.timestamp())}:t>." in said
    assert buttons(page) == {
        "Accept": "gin:accept:5:0",
        "Decline": "gin:decline:5:0",
        "Withdraw": "gin:withdraw:5:0",
    }


def test_it_is_said_whose_the_buttons_are() -> None:
    page = challenge_page(replace(PLAIN, opponents=(BOB, CAT), commitment="3f2a91c0" * 8))
    order = [
        one.content if isinstance(one, discord.ui.TextDisplay) else one.label
        for one in items(page)
        if isinstance(one, discord.ui.TextDisplay | discord.ui.Button)
    ]
    assert order[-7:] == [
        "-# For Bob and Cat:",
        "Accept",
        "Accept with a word…",
        "Decline",
        "-# For Ann:",
        "Add my word…",
        "Withdraw",
    ]


def test_only_the_challenged_are_mentioned() -> None:
    said = text(challenge_page(replace(PLAIN, opponents=(BOB, CAT))))
    assert "<@102> and <@103>" in said
    assert "<@101>" not in said


def test_of_two_opponents_the_one_who_accepted_is_named() -> None:
    said = text(challenge_page(replace(PLAIN, opponents=(BOB, CAT), accepted=(102,))))
    assert "Accepted by Bob." in said
    assert "Still to accept: Cat." in said


PROMISED = replace(PLAIN, commitment="3f2a91c0" * 8)


def test_of_three_it_is_said_that_both_have_to_accept() -> None:
    said = text(challenge_page(replace(PLAIN, opponents=(BOB, CAT))))
    assert "Bob and Cat, will you play? Both have to accept." in said
    assert "Accepted by" not in said


def test_the_promise_stands_in_full_with_why_one_would_add_a_word() -> None:
    page = challenge_page(PROMISED)
    said = text(page)
    assert "Nobody can choose the cards: they are shuffled from a secret" in said
    assert f"-# `{'3f2a91c0' * 8}`" in said
    assert "Add any word you like. If you add none, a number from Discord is taken" in said
    assert buttons(page) == {
        "Accept": "gin:accept:5:0",
        "Accept with a word…": "gin:accept-word:5:0",
        "Decline": "gin:decline:5:0",
        "Withdraw": "gin:withdraw:5:0",
        "Add my word…": "gin:word:5:0",
    }
    check_page(page)


def test_who_has_added_a_word_is_named_but_not_the_word() -> None:
    said = text(challenge_page(replace(PROMISED, opponents=(BOB, CAT), words=(101, 103))))
    assert "Words added by Ann and Cat." in said
    said = text(challenge_page(replace(PROMISED, words=(101,))))
    assert "Word added by Ann." in said
    assert "added by" not in text(challenge_page(PROMISED))


def test_the_house_set_is_named() -> None:
    shown = replace(PROMISED, house="Friday *night*", rules=Rules(big_gin=50))
    said = text(challenge_page(shown))
    assert r"By the house rules “Friday \*night\*”." in said
    assert "Big gin (eleven cards melded) is played, for 50." in said
    assert "By the house rules" not in text(challenge_page(PROMISED))
    settled = (accepted_page(shown), challenge_over_page(shown, "It was declined."))
    for page in settled:
        assert r"Standard gin · to 100 · house rules “Friday \*night\*”" in text(page)


def test_what_everybody_added_is_shown_before_the_deal() -> None:
    added = (AddedWord(ANN, "rhubarb", True), AddedWord(BOB, "interaction 9", False))
    said = text(accepted_page(replace(PROMISED, added=added)))
    assert "-# Ann: “rhubarb”\n" in said
    assert "-# Bob: “interaction 9”, Discord's number\n" in said
    assert "3f2a91c0" * 8 in said
    assert "`/gin verify`" in said


@pytest.mark.parametrize(("accepting", "verb"), [(True, "accept-typed"), (False, "word-typed")])
def test_a_word_is_typed_into_a_form_with_one_field(accepting: bool, verb: str) -> None:
    form = word_modal(10**18, accepting=accepting)
    check_form(form)
    data = form.to_dict()
    assert data["custom_id"] == f"gin:{verb}:{10**18}:0"
    (label,) = data["components"]
    assert label["component"]["custom_id"] == "word"
    assert label["component"]["max_length"] == WORD_MOST
    if official() is not None:
        assert official_form_errors(form) == []


def test_a_settled_challenge_has_no_buttons_left() -> None:
    for page in (accepted_page(PLAIN), challenge_over_page(PLAIN, "Bob declined.")):
        assert buttons(page) == {}
        check_page(page)
    assert "Bob declined." in text(challenge_over_page(PLAIN, "Bob declined."))


@pytest.mark.parametrize("name", AWKWARD_NAMES.values(), ids=AWKWARD_NAMES.keys())
def test_challenges_keep_the_limits_with_any_name_and_all_house_rules(name: str) -> None:
    people = tuple(PersonShown(10**18 + place, name) for place in range(3))
    shown = ChallengeShown(
        2**62,
        people[0],
        people[1:],
        EVERYTHING,
        LATER,
        (people[1].id,),
        commitment="f" * 64,
        words=tuple(person.id for person in people),
        house=name,
        added=tuple(AddedWord(person, (name * 9)[:100], True) for person in people),
    )
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


def test_hollywood_says_where_each_win_counts() -> None:
    said = " ".join(terms(Rules(scoring=Scoring.HOLLYWOOD)))
    assert "Your first win counts in game 1, your second in games 1 and 2" in said


def test_where_only_gin_ends_a_hand_no_knock_over_the_limit_is_spoken_of() -> None:
    (said,) = house_terms(Rules(knock_limit=0, illegal_knock=IllegalKnock.EXPOSE))
    assert said.startswith("Gin declared without having it is announced")
    (said,) = house_terms(Rules(knock_limit=0, fiftieth_card=True))
    assert said == "The last discard before the stock runs out may be taken to go gin with."


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
    assert short_terms(Rules(gin_bonus=20)) == "Standard gin · to 100 · house rules"
    assert short_terms(Rules(spades_double=SpadesDouble.OFF)) == "Standard gin · to 100"
    assert short_terms(Rules(knock_limit=0, big_gin=50)) == "Straight gin · to 100 · house rules"


def test_a_shutout_is_told_as_it_is_counted_in_one_game_and_in_hollywoods_three() -> None:
    for shutout, brings in (
        (Shutout.DOUBLE, "the winner's total is doubled."),
        (Shutout.PLUS_100, "the winner adds 100."),
    ):
        assert house_terms(Rules(shutout=shutout)) == (f"If the loser won no hand, {brings}",)
        assert house_terms(Rules(shutout=shutout, scoring=Scoring.HOLLYWOOD)) == (
            f"In a game in which the loser has no win entered, {brings}",
        )
