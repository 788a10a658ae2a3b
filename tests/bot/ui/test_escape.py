"""Names can neither ping, nor format, nor turn the line around, nor vanish (faults.md, row 18)."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.ui import escape
from bot.ui.limits import clip
from tests.bot.ui.staging import AWKWARD_NAMES

CONTROLS = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\x00-\x1f]")


def bare(shown: str) -> str:
    """What Discord shows of an escaped text: backslashes before marks gone."""
    return re.sub(r"\\([^0-9A-Za-z\s])", r"\1", shown)


def test_markdown_in_a_name_is_shown_as_typed() -> None:
    assert escape.name("**Ann** _x_") == r"\*\*Ann\*\* \_x\_"
    assert bare(escape.name("**Ann** _x_")) == "**Ann** _x_"


def test_a_name_at_the_start_of_a_line_makes_no_heading_quote_or_list() -> None:
    for name in ("# Ann", "> Ann", "- Ann", "-# Ann", "1. Ann"):
        assert not re.match(r"#|>|-|\d+\. ", escape.name(name))


def test_dots_and_dashes_within_a_name_are_left_alone() -> None:
    assert escape.name("anna.b-c (2)") == "anna.b-c (2)"


def test_everyone_is_not_mentioned_by_a_name() -> None:
    assert "@everyone" not in escape.name("@everyone")
    assert "@here" not in escape.name("x@here")


def test_a_name_like_a_mention_or_a_time_stays_text() -> None:
    assert escape.name("<@12>") == "\\<@\u200b12>"
    assert escape.name("<t:1:R>") == r"\<t:1:R>"


def test_a_web_address_in_a_name_is_no_link() -> None:
    assert "https://" not in escape.name("https://e.vil")


def test_direction_overrides_and_invisible_letters_are_dropped() -> None:
    assert escape.plain("\u202egnp.exe") == "gnp.exe"
    assert escape.plain("A\u200b\u2060\ufeffnn") == "Ann"


def test_stacked_marks_are_thinned_but_accents_stay() -> None:
    assert escape.plain("e\u0301") == "é"
    zalgo = escape.plain(AWKWARD_NAMES["zalgo"])
    assert sum(unicodedata.combining(letter) > 0 for letter in zalgo) <= 2


def test_a_name_of_nothing_visible_gets_a_word() -> None:
    for name in ("", "   ", "\u3164", "\u2800\u200b", "\u202e", "\u115f"):
        assert escape.plain(name) == "a player"


def test_emoji_sequences_stay_whole() -> None:
    family = "👨‍👩‍👧‍👦"
    assert escape.plain(family) == family
    assert escape.plain("🏳️‍🌈") == "🏳️‍🌈"


def test_a_right_to_left_name_is_isolated_from_the_numbers_beside_it() -> None:
    assert escape.name("محمد") == "\u2068محمد\u2069"
    assert escape.name("Ann") == "Ann"


@pytest.mark.parametrize("name", AWKWARD_NAMES.values(), ids=AWKWARD_NAMES.keys())
def test_awkward_names_are_visible_and_harmless(name: str) -> None:
    plain = escape.plain(name).strip("\u2068\u2069")
    assert plain.strip()
    assert not CONTROLS.search(plain)
    assert len(plain) <= 32
    shown = escape.name(name)
    assert not re.search(r"(?<!\\)[*_`|<\[\]]", shown)
    assert "@e" not in shown


@settings(deadline=None)
@given(st.text(max_size=60))
def test_no_name_breaks_escaping(name: str) -> None:
    shown = escape.name(name)
    assert shown.strip()
    assert not re.search(r"(?<!\\)(?:\\\\)*[*_`|<]", shown)
    assert not CONTROLS.search(escape.plain(name).strip("\u2068\u2069"))


@settings(deadline=None)
@given(st.text(max_size=40), st.integers(4, 20))
def test_a_cell_is_as_wide_as_it_was_asked_for(name: str, width: int) -> None:
    cell = escape.cells(name, width)
    assert escape.cell_width(cell) == width
    assert "`" not in cell
    assert "\n" not in cell


def test_wide_letters_fill_two_cells() -> None:
    assert escape.cells("漢字漢字", 6) == "漢字… "
    assert escape.cells("Ann", 6) == "Ann   "
    assert escape.cells("Annabella", 6) == "Annab…"


def test_a_number_at_the_end_of_a_name_is_never_cut_off_in_a_table() -> None:
    """It may be all by which two people are told apart."""
    assert escape.cells("Former player 1", 15) == "Former player 1"
    assert escape.cells("Former player 2", 13) == "Former play…2"
    assert escape.cells("Former player 12", 6) == "For…12"
    assert escape.cells("漢字漢字 7", 6) == "漢字…7"
    assert escape.cells("Former player 12", 4) == "For…"


def test_a_clipped_text_ends_in_an_ellipsis() -> None:
    assert clip("Annabella", 5) == "Anna…"
    assert clip("Anna", 4) == "Anna"
    assert clip("Anna", 0) == ""


def test_clipping_leaves_no_half_escape_and_no_half_emoji() -> None:
    assert clip(r"Ann\*\*", 5) == "Ann…"
    assert clip("ab👨‍👩‍👧‍👦", 5) == "ab👨…"
    assert clip("abe\u0301xyz", 4) == "ab…"


@settings(deadline=None)
@given(st.text(max_size=50), st.integers(0, 60))
def test_clipping_never_exceeds_its_limit(text: str, most: int) -> None:
    assert len(clip(text, most)) <= most


def test_marks_take_no_cell_of_a_column_whatever_their_kind() -> None:
    assert (
        escape.cells("Z\u0338\u0321\u031ba\u0488l\u20ddgo", 6) == "Z\u0338\u0321a\u0488l\u20ddgo "
    )
    assert escape.cells("e\u0338\u0321" * 32, 32) == "e\u0338\u0321" * 32, "marks cut no letters"


def test_what_is_read_has_plain_digits_and_nothing_that_cant_be_seen() -> None:
    assert escape.legible("＃１\u200b７\u202e") == "#17"
    assert escape.legible("१७") == "17"
    assert escape.legible("a\nb") == "a\nb"
