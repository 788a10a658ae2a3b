"""House sets: what a server plays, every option in words, what differs, what has no effect."""

from __future__ import annotations

from dataclasses import replace

from bot.ui.options import OPTIONS, option_title, parse_option
from bot.ui.page import HouseSet
from bot.ui.pages import house_page, house_set_page
from gin import Rules
from gin.rules import IllegalKnock, Limit, Scoring, Shutout, Tie
from tests.bot.ui.limits_check import check_page, official, official_errors
from tests.bot.ui.staging import AWKWARD_NAMES, buttons, text
from tests.bot.ui.test_challenge import EVERYTHING

FRIDAY = HouseSet("Friday night", Rules(big_gin=50, tie=Tie.DRAW, gin_bonus=20), True)


def test_whom_the_default_shuts_out_is_said_and_of_another_set_nothing() -> None:
    by_two, by_three = "Two can't play by them", "Three can't play by them"
    rounds = HouseSet("round", Rules(scoring=Scoring.ROTATION, finish_rotation=True), True)
    shut = HouseSet("shut", Rules(shutout=Shutout.DOUBLE), True)
    for default, said, unsaid in ((rounds, by_two, by_three), (shut, by_three, by_two)):
        assert said in text(house_set_page(default))
        assert unsaid not in text(house_set_page(default))
        assert said not in text(house_set_page(replace(default, is_default=False)))
    assert "can't play by them" not in text(house_set_page(FRIDAY))


def test_a_server_without_sets_says_how_to_make_one() -> None:
    page = house_page([], "The Card Room")
    assert "House rules of The Card Room" in text(page)
    assert "`/gin-admin house-set`" in text(page)
    check_page(page)


def test_each_set_is_listed_with_what_differs_and_the_default_is_marked() -> None:
    said = text(house_page([FRIDAY, HouseSet("plain-ish", Rules())], "The Card Room"))
    assert "**Friday night** · the default" in said
    assert (
        "Big gin: **50 points**; Gin bonus: **20 points**; "
        "Level deadwood: **makes the hand void**." in said
    )
    assert "**plain-ish**\nThe plain game." in said


def test_a_set_shows_every_option_that_it_can_set_and_marks_what_differs() -> None:
    said = text(house_set_page(FRIDAY))
    for field in OPTIONS:
        assert (f"- {option_title(field)}: " in said) is (field != "scoring")
    assert "- Big gin: **50 points** (plain game: not played)" in said
    assert "- Undercut bonus: 25 points\n" in said
    assert said.count("(plain game: ") == 3


def test_where_only_gin_ends_a_hand_no_option_speaks_of_knocking() -> None:
    rules = Rules(knock_limit=0, fiftieth_card=True, illegal_knock=IllegalKnock.EXPOSE)
    one = HouseSet("straight", rules)
    for page in (
        house_set_page(one, changed=("fiftieth_card", "illegal_knock")),
        house_page((one,), "The Card Room"),
    ):
        said = text(page)
        assert "Fiftieth card: **may be taken to go gin with**" in said
        assert "Gin announced without having it: **announced, and the opponent may look**" in said
        assert "knock" not in said.lower().replace("knock limit", "")
    assert parse_option("gin announced without having it") == "illegal_knock"


def test_what_was_set_just_now_is_said_first() -> None:
    said = text(house_set_page(FRIDAY, changed=("big_gin", "tie")))
    assert "Set now: Big gin: **50 points**; Level deadwood: **makes the hand void**." in said
    assert "Set now" not in text(house_set_page(FRIDAY))


def test_what_stood_there_already_is_said_to_be_no_change() -> None:
    assert "Nothing has changed: it was so already." in text(
        house_set_page(FRIDAY, is_unchanged=True)
    )
    assert "Nothing has changed" not in text(house_set_page(FRIDAY, changed=("big_gin",)))


def test_options_without_effect_are_told_with_the_reason() -> None:
    straight = HouseSet("straight", Rules(knock_limit=0, tie=Tie.DRAW, strict_bridge=True))
    said = text(house_set_page(straight))
    assert "**Level deadwood** has no effect: only gin ends a hand" in said
    assert "**Card between two runs** has no effect" in said
    plain = text(house_set_page(FRIDAY))
    assert "no effect" not in plain


def test_a_set_for_three_says_that_the_round_is_completed() -> None:
    rules = Rules(scoring=Scoring.ROTATION, finish_rotation=True)
    assert "Round of three completed: **yes** (plain game: no)" in text(
        house_set_page(HouseSet("trio", rules))
    )


def test_house_pages_keep_the_limits_with_any_name_and_all_options_set() -> None:
    for name in AWKWARD_NAMES.values():
        sets = [HouseSet(name, EVERYTHING, number == 0) for number in range(30)]
        pages = [house_page(sets, name * 3), house_set_page(sets[0], changed=OPTIONS)]
        for page in pages:
            check_page(page)
            assert buttons(page) == {}
            assert "@everyone" not in text(page)
    assert "And 10 more sets." in text(pages[0])


def test_house_pages_pass_discords_own_description() -> None:
    if official() is not None:
        for page in (house_page([FRIDAY], "x"), house_set_page(FRIDAY, changed=("tie",))):
            assert official_errors(page) == []


def test_every_set_shows_its_notes_even_beside_the_longest_options() -> None:
    rules = Rules(
        knock_limit=0,
        oklahoma_ace="gin",  # type: ignore[arg-type]
        tie=Tie.NO_BONUS,
        strict_bridge=True,
        undercut_bonus=0,
        illegal_knock=IllegalKnock.EXPOSE,
    )
    said = text(house_set_page(HouseSet("W" * 32, rules), changed=OPTIONS))
    assert said.count("has no effect") == len(rules.notes()) == 4
    assert Limit.UPCARD not in said
