"""Short pages: notes, questions, help."""

from __future__ import annotations

import pytest

from bot.ui.controls import Control, Verb
from bot.ui.pages import (
    Topic,
    cancel_page,
    confirm_page,
    help_choices,
    help_page,
    note_page,
    panel_page,
    resign_page,
    table_page,
    which_page,
)
from bot.ui.pages.places import rights_words
from bot.ui.parts import Press
from gin import Rules, Seat
from gin.rules import Scoring
from tests.bot.ui.limits_check import check_page
from tests.bot.ui.staging import (
    ANN,
    AWKWARD_NAMES,
    buttons,
    has_eleven,
    knocked,
    may_knock,
    named,
    selects,
    shown,
    text,
)
from tests.gin import table

A = Seat.A


def test_a_note_says_its_sentence_and_offers_what_to_do() -> None:
    page = note_page("Hello", [Press(Control(Verb.HAND, 1, 2), "My hand")])
    assert text(page) == "Hello"
    assert buttons(page) == {"My hand": "gin:hand:1:2"}


def test_a_note_of_any_length_is_sent() -> None:
    for sentence in ("", " ", "x" * 9000):
        check_page(note_page(sentence))


def test_a_question_has_its_answers() -> None:
    yes, no = Press(Control(Verb.RESIGN, 1), "Yes"), Press(Control(Verb.HAND, 1), "No")
    assert list(buttons(confirm_page("Sure?", yes, no))) == ["Yes", "No"]
    assert list(buttons(confirm_page("Sure?", yes))) == ["Yes"]


def test_resigning_is_asked_with_what_it_means() -> None:
    page = resign_page(shown(has_eleven(), A))
    assert "Bob would win it." in text(page)
    assert buttons(page) == {
        "Resign": "gin:resign:17:7",
        "Ask to call it off": "gin:cancel-menu:17:7",
        "Play on": "gin:hand:17:7",
    }


def test_resigning_from_a_rotation_says_that_one_is_last() -> None:
    match = table.started(Rules(scoring=Scoring.ROTATION)).after(table.stacked())
    assert "with you in the last place" in text(resign_page(shown(match, A)))


def test_the_others_are_asked_by_name_to_call_it_off() -> None:
    page = cancel_page(shown(has_eleven(), A))
    assert "Ann asks to call the match off" in text(page)
    assert buttons(page)["Agree"] == "gin:cancel:17:7"


@pytest.mark.parametrize("name", AWKWARD_NAMES.values(), ids=AWKWARD_NAMES.keys())
def test_which_match_is_asked_with_at_most_twenty_five(name: str) -> None:
    several = [shown(has_eleven(), match_id=n, people=named(name)) for n in range(40)]
    page = which_page(several, "Which one?", ("discard", "7H"))
    check_page(page)
    ((custom_id, options),) = selects(page).items()
    assert Control.parse(custom_id) == Control(Verb.WHICH, 0, 0, ("discard", "7H"))
    assert [option.value for option in options] == [str(n) for n in range(25)]


@pytest.mark.parametrize(
    ("topic", "phrase"),
    [
        (Topic.START, "Challenge somebody with `/gin challenge`"),
        (Topic.PLAY, "You hold ten cards"),
        (Topic.KNOCK, "**undercuts** you"),
        (Topic.LAYOFF, "to either end of a run"),
        (Topic.SCORING, "a **box** of 25"),
        (Topic.CLOCK, "A draw and the discard are one turn"),
        (Topic.COMMANDS, "Cards are typed as you like"),
    ],
)
def test_each_topic_tells_of_what_it_is_called_after(topic: Topic, phrase: str) -> None:
    assert [one for one in Topic if phrase in text(help_page(one))] == [topic]


@pytest.mark.parametrize("topic", Topic)
def test_every_topic_has_its_help_page(topic: Topic) -> None:
    page = help_page(topic)
    check_page(page)
    ((custom_id, options),) = selects(page).items()
    assert custom_id == "gin:help-pick:0:0"
    assert [option.value for option in options] == [one for one in Topic if one != topic]


def test_a_beginner_is_sent_to_the_play_of_a_hand() -> None:
    assert "New to gin? Choose **Playing a hand** below" in text(help_page())


def test_help_in_a_match_is_about_the_moment() -> None:
    topics = {
        Topic.PLAY: shown(has_eleven(), A),
        Topic.KNOCK: shown(may_knock(), A),
        Topic.LAYOFF: shown(knocked(), Seat.B),
    }
    for topic, one in topics.items():
        assert buttons(panel_page(one))["Help"] == f"gin:help:17:7:{topic}"
    over = shown(table.play(has_eleven(), "B resign"), A)
    assert buttons(panel_page(over))["Help"] == "gin:help:17:7:scoring"
    # Who only watches isn't told by it that somebody may knock.
    assert buttons(table_page(shown(may_knock())))["Help"] == "gin:help:17:7:play"


def test_an_unknown_topic_gets_the_first() -> None:
    assert text(help_page("bananas")) == text(help_page(Topic.START))


def test_topics_are_found_by_their_title() -> None:
    assert help_choices("scor") == [("Scoring", "scoring")]
    assert len(help_choices("")) == len(Topic)
    assert help_choices("zzz") == []


def test_permissions_that_are_missing_are_named_in_a_sentence_however_many_they_are() -> None:
    def lacks(*names: str) -> str:
        return rights_words(7, [ANN], 5, names).splitlines()[0].split(" any more. ")[1]

    assert lacks("Send Messages") == "I lack the permission **Send Messages** there."
    assert lacks("Send Messages", "Attach Files") == (
        "I lack the permissions **Send Messages** and **Attach Files** there."
    )
    assert lacks() == "I may not write there."
