"""The rules for people: every option in the words of the rules in force, with drawn examples."""

from __future__ import annotations

import discord
import pytest

from bot.ui import pages
from bot.ui.page import Page, RulesShown
from bot.ui.pages import RulesTopic, rules_choices
from bot.ui.pages.rules import rules_title
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
from tests.bot.ui.limits_check import check_page, official, official_errors
from tests.bot.ui.staging import items, selects, text
from tests.bot.ui.test_challenge import CHANGES, EVERYTHING, changed

OKLAHOMA = Rules(knock_limit=Limit.UPCARD)
HOLLYWOOD = Rules(scoring=Scoring.HOLLYWOOD)
ROTATION = Rules(scoring=Scoring.ROTATION)
SUMMARIES = (RulesTopic.TERMS, RulesTopic.OPTIONS)


def rules_page(rules: Rules, topic: str = RulesTopic.TERMS, *, subject: int = 0) -> Page:
    return pages.rules_page(RulesShown(rules, match_id=subject), topic)


def told(rules: Rules) -> dict[RulesTopic, str]:
    """Every topic but the summaries."""
    return {topic: text(rules_page(rules, topic)) for topic in RulesTopic if topic not in SUMMARIES}


def said(rules: Rules, topic: RulesTopic) -> str:
    return text(rules_page(rules, topic))


@pytest.mark.parametrize("field", CHANGES)
def test_every_house_option_changes_what_some_topic_says(field: str) -> None:
    assert told(changed(OKLAHOMA, field, CHANGES[field])) != told(OKLAHOMA)


def test_the_other_options_change_a_topic_too() -> None:
    ways = [told(rules) for rules in (*PRESETS.values(), HOLLYWOOD, ROTATION)]
    ways.append(told(Rules(scoring=Scoring.ROTATION, finish_rotation=True)))
    assert all(ways.count(way) == 1 for way in ways)


@pytest.mark.parametrize("topic", RulesTopic)
@pytest.mark.parametrize("rules", [*PRESETS.values(), HOLLYWOOD, ROTATION, EVERYTHING], ids=str)
def test_every_topic_under_every_kind_of_rules_keeps_the_limits(
    rules: Rules, topic: RulesTopic
) -> None:
    page = rules_page(rules, topic, subject=10**18)
    check_page(page)
    ((custom_id, options),) = selects(page).items()
    assert custom_id == f"gin:rules-pick:{10**18}:0"
    assert [option.value for option in options] == [one for one in RulesTopic if one != topic]
    assert "{" not in text(page)


def test_every_topic_passes_discords_own_description() -> None:
    if official() is not None:
        for topic in RulesTopic:
            assert official_errors(rules_page(EVERYTHING, topic)) == []


def test_a_beginner_is_shown_where_the_words_are_explained() -> None:
    page = rules_page(Rules())
    assert "New to gin? **Melds and deadwood**" in text(page)
    (named,) = (one for one in items(page) if isinstance(one, discord.ui.Select))
    assert named.placeholder == "More rules: melds, the knock, scoring…"
    assert not any(option.default for option in named.options)
    assert "New to gin?" not in text(rules_page(Rules(), RulesTopic.MELDS))


def test_the_house_rules_are_named_on_every_topic() -> None:
    shown = RulesShown(Rules(gin_bonus=30), "odd_ones")
    for topic in RulesTopic:
        assert "house rules “odd\\_ones”" in text(pages.rules_page(shown, topic))


def test_hollywood_and_three_players_are_told_whatever_is_played_here() -> None:
    odd = Rules(target=80, box_bonus=30, shutout=Shutout.DOUBLE, next_dealer=NextDealer.LOSER)
    for rules in (odd, changed(ROTATION, "target", 80), changed(HOLLYWOOD, "target", 80)):
        told = said(rules, RulesTopic.HOLLYWOOD)
        assert "Three games are scored at once, each to **80** points." in told
        assert "your wins go on to the next one that is running" in told
        assert "The higher sum of the three totals wins." in told
        told = said(rules, RulesTopic.THREE)
        assert "the third sits out" in told
        assert "ends at once when one of you reaches **80** points" in told
        assert "Shutout" not in told
    assert "winner's total in it is doubled" in said(odd, RulesTopic.HOLLYWOOD)
    assert "is a **box** of 30" in said(odd, RulesTopic.THREE)


def test_an_unknown_topic_gets_the_first() -> None:
    assert text(rules_page(Rules(), "bananas")) == text(rules_page(Rules()))
    assert rules_title(RulesTopic.TERMS) in text(rules_page(Rules(), ""))


def test_topics_are_found_by_their_title() -> None:
    assert rules_choices("void") == [("Void hands", "void")]
    assert len(rules_choices("")) == len(RulesTopic) <= 25
    assert rules_choices("zzz") == []


# --------------------------------------------------------------------------- the examples


def test_a_set_and_a_run_are_drawn_and_named() -> None:
    page = rules_page(Rules(), RulesTopic.MELDS)
    (picture,) = page.pictures
    assert "A set: 7 of spades, 7 of hearts, 7 of diamonds." in picture.alt
    assert "A run: 4 of clubs, 5 of clubs, 6 of clubs, 7 of clubs." in picture.alt
    assert picture.render().startswith(b"\x89PNG")


def test_the_lay_off_is_drawn_on_a_run_that_grows() -> None:
    #   knocker:  5♥ 6♥ 7♥ · J♣ Q♣ K♣ · 9♠ 9♦ 9♣ · loose 4♦                           4
    #   defender: 2♣ 3♣ 4♣ · Q♠ Q♥ Q♦ · 8♥ 9♥ laid off · A♠ 5♦ stay                   6
    page = rules_page(Rules(), RulesTopic.LAYOFF)
    assert "8♥ on 5♥ 6♥ 7♥; 9♥ on 5♥ 6♥ 7♥ 8♥, and keeps A♠ + 5♦ = 6" in text(page)
    assert "6 − 4 = **2** for the knocker." in text(page)
    assert "Laid off: 8 of hearts, 9 of hearts." in page.pictures[0].alt


def test_the_undercut_is_counted_with_the_bonus_in_force() -> None:
    # The same knock against A♠ 2♦ left: 4 − 3 = 1, and the bonus.
    assert "4 − 3 + 25 = **26** for the defender." in said(Rules(), RulesTopic.SCORING)
    ten = said(Rules(undercut_bonus=10), RulesTopic.SCORING)
    assert "4 − 3 + 10 = **11** for the defender." in ten


def test_gin_is_counted_with_the_bonus_in_force() -> None:
    # Nothing goes on gin: A♠ 1 + 8♥ 8 + 9♥ 9 + 2♦ 2 = 20.
    assert "A♠ + 8♥ + 9♥ + 2♦ = 20, plus 25: **45**." in said(Rules(), RulesTopic.SCORING)
    assert "20, plus 40: **60**." in said(Rules(gin_bonus=40), RulesTopic.SCORING)


def test_where_only_gin_counts_no_knock_with_deadwood_is_drawn() -> None:
    straight = Rules(knock_limit=0)
    names = {
        picture.name for topic in RulesTopic for picture in rules_page(straight, topic).pictures
    }
    assert names == {"melds.png", "gin.png"}
    assert "nobody lays off" in said(straight, RulesTopic.LAYOFF)
    assert "ndercut" not in said(straight, RulesTopic.SCORING).replace("can't be undercut", "")


# ------------------------------------------------------------------- words of these rules


def test_the_knock_limit_is_told_as_it_is_played() -> None:
    topic = RulesTopic.KNOCK
    assert "at most 10 deadwood" in said(Rules(), topic)
    assert "a 7 allows 7; 10, J, Q and K allow 10; an ace allows 1." in said(OKLAHOMA, topic)
    ace = Rules(knock_limit=Limit.UPCARD, oklahoma_ace=OklahomaAce.GIN)
    assert "an ace allows only gin." in said(ace, topic)
    assert "**Only gin ends a hand** here" in said(Rules(knock_limit=0), topic)


def test_spades_are_spoken_of_only_in_oklahoma() -> None:
    assert "spade" not in said(Rules(), RulesTopic.SCORING)
    for doubling, words in (
        (SpadesDouble.ALL, "everything scored counts double"),
        (SpadesDouble.DIFFERENCE, "the deadwood scored counts double, bonuses don't"),
        (SpadesDouble.OFF, "A spade as first up-card doubles nothing here."),
    ):
        rules = Rules(knock_limit=Limit.UPCARD, spades_double=doubling)
        assert words in said(rules, RulesTopic.SCORING)


def test_options_of_a_hand_are_told_in_their_topic() -> None:
    rules = Rules(
        big_gin=31,
        strict_bridge=True,
        tie=Tie.DRAW,
        fiftieth_card=True,
        draw_cap=60,
        illegal_knock=IllegalKnock.EXPOSE,
    )
    assert "It brings 31 in place of the gin bonus." in said(rules, RulesTopic.KNOCK)
    assert "is announced to all" in said(rules, RulesTopic.KNOCK)
    assert "the 6 or the 7 may go, not both" in said(rules, RulesTopic.LAYOFF)
    assert "With level deadwood the hand is void." in said(rules, RulesTopic.SCORING)
    assert "only to knock with it at once" in said(rules, RulesTopic.VOID)
    straight = Rules(knock_limit=0, fiftieth_card=True)
    assert "only to go gin with it at once" in said(straight, RulesTopic.VOID)
    big = "Big gin with that card, all eleven melded, ends the hand too."
    assert big in said(rules, RulesTopic.VOID)
    assert big not in said(straight, RulesTopic.VOID)
    assert big not in said(Rules(big_gin=31), RulesTopic.VOID)
    assert "after 60 draws by both together" in said(rules, RulesTopic.VOID)


def test_options_of_the_match_are_told_in_its_topic() -> None:
    rules = Rules(
        target=150,
        game_bonus=50,
        box_bonus=20,
        box_timing=BoxTiming.AT_ONCE,
        winner=Winner.FIRST_TO_TARGET,
        shutout=Shutout.DOUBLE,
        next_dealer=NextDealer.LOSER,
    )
    told_of_it = said(rules, RulesTopic.MATCH)
    for words in (
        "ends when a player reaches **150** points",
        "**game bonus** of 50",
        "**box** of 20",
        "Boxes are added as they are won, and count towards the target.",
        "**Who reaches the target wins**",
        "the winner's total in it is doubled",
        "its loser deals",
    ):
        assert words in told_of_it


def test_a_rotation_and_hollywood_are_explained_only_where_they_are_played() -> None:
    topic = RulesTopic.MATCH
    assert "Your first win counts in game 1" in said(HOLLYWOOD, topic)
    assert "the third sits out" in said(ROTATION, topic)
    for rules in (Rules(), OKLAHOMA):
        assert "sits out" not in said(rules, topic)
        assert "game 1" not in said(rules, topic)
    assert "hutout" not in said(ROTATION, topic)


def test_the_list_of_all_options_marks_what_differs_and_says_what_has_no_effect() -> None:
    options = said(EVERYTHING, RulesTopic.OPTIONS)
    assert "- Big gin: **500 points**" in options
    assert "- Gin bonus: 25 points" in options
    idle = Rules(knock_limit=0, strict_bridge=True)
    assert "**Card between two runs** has no effect" in said(idle, RulesTopic.TERMS)
