"""What a challenge is played by: the house's rules with its maker's choices, or why not."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import fields, replace
from pathlib import Path
from unittest.mock import NonCallableMagicMock

import pytest

from bot.desk import house_rules
from bot.desk.house_rules import Proposed, Wanted, composed, proposed
from bot.desk.invite import typed_word
from bot.desk.setting_rules import with_option
from bot.front.visit import Visit
from bot.house import House
from bot.mail.post import Post
from bot.refusals import BadText, Refusal
from bot.ui import options
from bot.ui.terms import terms
from db.ids import ServerId
from db.rows import HouseSetRow, WordRow
from db.store import Store
from gin.errors import MalformedRules
from gin.rules import (
    OKLAHOMA,
    STANDARD,
    STRAIGHT,
    Limit,
    NextDealer,
    OklahomaAce,
    Rules,
    Scoring,
    Shutout,
    SpadesDouble,
    Tie,
)
from tests.db.house import ANN, CLUB, NOW, PUB


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'house.db'}")
    yield House.build(store, NonCallableMagicMock(spec=Post))
    await store.close()


async def keep(
    house: House, name: str, rules: Rules | str, *, default: bool = False, server: ServerId = CLUB
) -> None:
    text = rules if isinstance(rules, str) else rules.dump()
    async with house.store.transaction() as tx:
        await tx.house_sets.save(HouseSetRow(server, name, text, default, ANN, NOW))


async def refused(house: House, wanted: Wanted, players: int = 2) -> str:
    with pytest.raises(Refusal) as caught:
        await proposed(house, CLUB, wanted, players=players)
    return caught.value.sentence


# ------------------------------------------------------------------------ on top of a house set


def test_nothing_chosen_is_the_house_set_as_it_is() -> None:
    ours = Rules(gin_bonus=20, tie=Tie.DRAW, target=150)
    assert composed(STANDARD, Wanted(), players=2) == STANDARD
    assert composed(ours, Wanted(), players=2) == ours


@pytest.mark.parametrize(
    ("variant", "rules"), [("standard", STANDARD), ("oklahoma", OKLAHOMA), ("straight", STRAIGHT)]
)
def test_a_variant_of_the_plain_game_is_the_preset(variant: str, rules: Rules) -> None:
    assert composed(STANDARD, Wanted(variant=variant), players=2) == rules


def test_a_variant_changes_the_knock_limit_and_leaves_the_houses_options() -> None:
    # How this house plays Oklahoma stands in its set, also where its own game is another.
    ours = Rules(oklahoma_ace=OklahomaAce.GIN, spades_double=SpadesDouble.OFF, undercut_bonus=10)
    assert composed(ours, Wanted(variant="oklahoma"), players=2) == replace(
        ours, knock_limit=Limit.UPCARD
    )
    assert composed(ours, Wanted(variant="straight"), players=2) == replace(ours, knock_limit=0)
    assert composed(replace(ours, knock_limit=0), Wanted(variant="standard"), players=2) == replace(
        ours, knock_limit=10
    )


def test_scoring_and_target_are_the_challengers() -> None:
    ours = Rules(target=150, box_bonus=20)
    assert composed(ours, Wanted(scoring="hollywood"), players=2) == replace(
        ours, scoring=Scoring.HOLLYWOOD
    )
    assert composed(ours, Wanted(scoring="game", target=60), players=2) == replace(ours, target=60)


def test_a_third_player_makes_it_a_rotation() -> None:
    for scoring in (None, "game"):
        assert composed(STANDARD, Wanted(scoring=scoring), players=3) == Rules(
            scoring=Scoring.ROTATION
        )
    with pytest.raises(MalformedRules):
        composed(STANDARD, Wanted(scoring="hollywood"), players=3)


def test_a_set_that_completes_the_round_is_refused_to_two() -> None:
    ours = with_option(STANDARD, "finish_rotation", True)
    assert ours == Rules(scoring=Scoring.ROTATION, finish_rotation=True)
    assert composed(ours, Wanted(), players=3).finish_rotation
    for scoring in (None, "hollywood"):
        with pytest.raises(MalformedRules, match="finish_rotation is played only in a rotation"):
            composed(ours, Wanted(scoring=scoring), players=2)
    with pytest.raises(MalformedRules, match="Hollywood is scored by two"):
        composed(ours, Wanted(scoring="hollywood"), players=3)
    assert with_option(ours, "finish_rotation", False) == STANDARD


@pytest.mark.parametrize(
    "ours", [Rules(shutout=Shutout.DOUBLE), Rules(next_dealer=NextDealer.LOSER)]
)
def test_a_set_for_two_players_only_is_refused_to_three(ours: Rules) -> None:
    assert composed(ours, Wanted(), players=2) == ours
    with pytest.raises(MalformedRules):
        composed(ours, Wanted(), players=3)


def test_every_value_of_every_option_can_be_set_by_its_words_and_put_back() -> None:
    """Each option from the words that autocomplete offers, and each changes just itself."""
    for field in options.OPTIONS:
        if field in house_rules.CHOSEN_ELSEWHERE:
            continue
        offered = options.value_choices(field, "")
        assert len(offered) >= 2, field
        for words, token in offered:
            typed = words.removesuffix(" (the plain game)")
            for text in (typed, token):
                value = options.parse_value(field, text)
                rules = with_option(STANDARD, field, value)
                changed = {
                    one.name
                    for one in fields(Rules)
                    if getattr(rules, one.name) != getattr(STANDARD, one.name)
                }
                assert changed <= {field, "scoring"}, (field, text)
                assert with_option(rules, field, getattr(STANDARD, field)) == STANDARD


def test_every_value_that_differs_from_the_plain_game_is_told_before_accepting() -> None:
    """Fault 35: each option, where it has an effect, changes the terms on the challenge."""
    for field in options.OPTIONS:
        if field in house_rules.CHOSEN_ELSEWHERE:
            continue
        base = OKLAHOMA if field in ("oklahoma_ace", "spades_double") else STANDARD
        told = {terms(base)}
        for _words, token in options.value_choices(field, ""):
            rules = with_option(base, field, options.parse_value(field, token))
            if getattr(rules, field) != getattr(base, field):
                assert terms(rules) not in told, (field, token)
                told.add(terms(rules))


# --------------------------------------------------------------------------- of a server's sets


async def test_without_a_set_the_plain_game_is_played(house: House) -> None:
    assert (await proposed(house, CLUB, Wanted(), players=2)).rules == STANDARD
    assert (await proposed(house, CLUB, Wanted(house="plain"), players=2)).rules == STANDARD
    assert await house_rules.in_force(house, CLUB) == Proposed(STANDARD, None)


async def test_the_set_is_named_as_it_is_kept_also_where_it_is_the_default(house: House) -> None:
    await keep(house, "Club Night", Rules(gin_bonus=20), default=True)
    named = Proposed(Rules(gin_bonus=20), "Club Night")
    assert await proposed(house, CLUB, Wanted(house=" club NIGHT"), players=2) == named
    assert await proposed(house, CLUB, Wanted(), players=2) == named
    assert await proposed(house, CLUB, Wanted(house="plain"), players=2) == Proposed(STANDARD, None)


async def test_the_default_set_applies_where_none_is_picked(house: House) -> None:
    await keep(house, "house", Rules(gin_bonus=20))
    assert (await proposed(house, CLUB, Wanted(), players=2)).rules == STANDARD
    await keep(house, "club night", Rules(gin_bonus=30), default=True)
    assert (await proposed(house, CLUB, Wanted(), players=2)).rules == Rules(gin_bonus=30)
    assert await house_rules.in_force(house, CLUB) == Proposed(Rules(gin_bonus=30), "club night")
    assert (await proposed(house, CLUB, Wanted(house="house"), players=2)).rules == Rules(
        gin_bonus=20
    )
    assert (await proposed(house, CLUB, Wanted(house=" Plain "), players=2)).rules == STANDARD


@pytest.mark.parametrize(
    "typed", ["Club Night", "club night", "  CLUB   night ", "club\u200b night"]
)
async def test_a_set_is_found_however_its_name_is_typed(house: House, typed: str) -> None:
    await keep(house, "Club Night", Rules(gin_bonus=30))
    assert (await proposed(house, CLUB, Wanted(house=typed), players=2)).rules == Rules(
        gin_bonus=30
    )


async def test_another_servers_sets_are_neither_found_nor_offered(house: House) -> None:
    await keep(house, "pub night", Rules(gin_bonus=30), default=True, server=PUB)
    await keep(house, "club night", Rules(gin_bonus=20))
    sentence = await refused(house, Wanted(house="pub night"))
    assert "no house rules called “pub night”" in sentence
    assert (await proposed(house, CLUB, Wanted(), players=2)).rules == STANDARD
    offered = await house_rules.names(house, CLUB, "")
    assert [value for _name, value in offered] == ["club night", "plain"]
    assert await house_rules.names(house, CLUB, "NIGHT") == [("club night", "club night")]
    assert [value for _name, value in await house_rules.names(house, None, "")] == ["plain"]


async def test_a_name_that_is_not_there_is_answered_without_effect(house: House) -> None:
    sentence = await refused(house, Wanted(house="@everyone **bold**"))
    assert "@everyone" not in sentence
    assert "**" not in sentence


async def test_what_cannot_be_played_is_refused_with_the_reason(house: House) -> None:
    await keep(house, "house", Rules(shutout=Shutout.DOUBLE))
    three = await refused(house, Wanted(house="house"), players=3)
    assert "shutout can't be played by three" in three
    hollywood = await refused(house, Wanted(scoring="hollywood"), players=3)
    assert "Hollywood is for two players" in hollywood
    named = await refused(house, Wanted(house="house"), players=3)
    assert named == three
    assert "That is because of the house rules “house”: pick others as `house`" in named
    assert "because of the house rules" not in hollywood


@pytest.mark.parametrize("record", ["v2 knock_limit=10", "", STANDARD.dump() + " new_option=on"])
async def test_house_rules_of_another_version_are_never_guessed_at(
    house: House, record: str
) -> None:
    await keep(house, "house", record, default=True)
    for wanted in (Wanted(), Wanted(house="house")):
        sentence = await refused(house, wanted)
        assert "The house rules “house” were written by" in sentence
        assert "another version of this program" in sentence
        assert "house-reset" in sentence
    assert (await proposed(house, CLUB, Wanted(house="plain"), players=2)).rules == STANDARD
    assert (await proposed(house, PUB, Wanted(), players=2)).rules == STANDARD
    assert ("house", "house") in await house_rules.names(house, CLUB, "")


# ------------------------------------------------------------------------- a word for the shuffles


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  pelican 🃏 ", "pelican 🃏"),
        ("@everyone `x`", "@everyone `x`"),
        ("\ud83c\0 half a card", "? half a card"),
        ("x" * 300, "x" * 99 + "…"),
        ("\u202eabc\u200b  \tdef", "abc def"),
    ],
)
def test_a_word_is_kept_as_it_is_shown(typed: str, kept: str) -> None:
    visit = NonCallableMagicMock(spec=Visit, person=ANN)
    word = typed_word(visit, typed)
    assert word == WordRow(ANN, kept, is_own=True)
    assert word.word.encode()


@pytest.mark.parametrize("typed", ["", "   ", "\t\n", "\0", "\u202e\u200b"])
def test_an_empty_word_is_refused(typed: str) -> None:
    with pytest.raises(BadText):
        typed_word(NonCallableMagicMock(spec=Visit, person=ANN), typed)
