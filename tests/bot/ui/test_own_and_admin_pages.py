"""Pages of administrators, of settings and of privacy: within Discord's limits at their fullest."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bot.ui.former import told_apart
from bot.ui.page import Page, PersonShown
from bot.ui.pages.admin import (
    ActShown,
    Diagnosis,
    LimitsShown,
    acts_page,
    diagnosis_page,
    ended_by_house,
    limits_page,
    match_list_page,
)
from bot.ui.pages.privacy import KeptShown, delete_page, export_page, privacy_page
from bot.ui.pages.settings import SettingsShown, settings_page
from tests.bot.ui.limits_check import check_page

NOW = datetime(2026, 3, 1, tzinfo=UTC)
ID = 1_234_567_890_123_456_789
WIDE = PersonShown(ID, "*_`~|" * 6 + "**")


def text_of(page: Page) -> str:
    found: list[str] = []

    def look(node: object) -> None:
        if isinstance(node, dict):
            if isinstance(node.get("content"), str):
                found.append(node["content"])
            for part in node.values():
                look(part)
        elif isinstance(node, list):
            for part in node:
                look(part)

    look(page.layout.to_components())
    return "\n".join(found)


def diagnosis(*, there: bool = True, sound: bool | None = True) -> Diagnosis:
    rights = (("View Channel", True), ("Attach Files", there))
    return Diagnosis(rights, None, None, 12_340_000, "0004", sound, "1.2.3", 7)


def test_acts_with_the_longest_reasons_all_stand_on_one_page() -> None:
    acts = [ActShown(WIDE, "match-void", NOW, 17, WIDE, "@everyone `*" * 20) for _ in range(10)]
    page = acts_page(acts, 0, 3)
    check_page(page)
    assert text_of(page).count("match-void") == 10
    assert "Page 1 of 3" in text_of(page)
    assert "@everyone" not in text_of(page)


def test_a_former_player_alone_needs_no_number_and_one_has_the_same_wherever_he_stands() -> None:
    gone, other = PersonShown(-3, "Former player"), PersonShown(-9, "Former player")
    ann = PersonShown(ID, "Ann")
    assert told_apart([ann, gone, gone]) == (ann, gone, gone)
    names = [person.name for person in told_apart([other, ann, gone, other])]
    assert names == ["Former player 1", "Ann", "Former player 2", "Former player 1"]


def test_former_players_in_the_list_of_acts_stay_told_apart() -> None:
    moderator, ben = PersonShown(-3, "Former player"), PersonShown(-9, "Former player")
    first, ann, second = told_apart([moderator, PersonShown(ID, "Ann"), ben])
    page = acts_page(
        [ActShown(first, "block", NOW, person=second), ActShown(ann, "acts", NOW)], 0, 1
    )
    assert "Former player 1: `block` Former player 2" in text_of(page)
    assert "Ann: `acts`" in text_of(page)


def test_a_list_of_no_matches_says_so() -> None:
    page = match_list_page([], "Matches in play", 0, 1)
    check_page(page)
    assert "There are none" in text_of(page)


def test_limits_with_very_many_blocked_people_keep_to_the_limits() -> None:
    channels = tuple(ID + number for number in range(50))
    page = limits_page(LimitsShown(5, 25, channels, (WIDE,) * 200))
    check_page(page)
    assert f"<#{ID}>" in text_of(page)


def test_a_missing_permission_is_named_with_what_to_do() -> None:
    page = diagnosis_page(diagnosis(there=False))
    check_page(page)
    assert "❌ **Attach Files** is missing" in text_of(page)
    assert "*Permissions*" in text_of(page)
    assert "*Permissions*" not in text_of(diagnosis_page(diagnosis()))


@pytest.mark.parametrize(
    ("sound", "said"), [(True, "sound"), (False, "restore"), (None, "not looked through")]
)
def test_a_diagnosis_says_how_the_database_is(sound: bool | None, said: str) -> None:
    text = text_of(diagnosis_page(diagnosis(sound=sound)))
    assert "12.3 MB, schema 0004" in text
    assert said in text
    assert "no heartbeat yet" in text


def test_a_reason_is_quoted_harmlessly() -> None:
    said = ended_by_house(7, ("Ann", "Bob"), "**@everyone** \u202e", void=False)
    assert "\\*\\*@\u200beveryone" in said
    assert "\u202e" not in said
    assert "Reason" not in ended_by_house(7, ("Ann", "Bob"), "", void=True)


def test_settings_with_a_full_list_keep_to_the_limits() -> None:
    people = tuple(PersonShown(ID + number, WIDE.name) for number in range(25))
    check_page(settings_page(SettingsShown(ID, True, True, people), "A note."))
    check_page(settings_page(SettingsShown(ID, False, False)))


def test_pages_of_privacy_keep_to_the_limits_and_say_the_times_in_force() -> None:
    page = privacy_page(ID, KeptShown(1, 45, 0))
    for one in (page, delete_page(ID, 0), delete_page(ID, 3), export_page("a.json", b"{}")):
        check_page(one)
    assert "after 1 day." in text_of(page)
    assert "after 45 days" in text_of(page)
    assert "stay until you delete" in text_of(page)
    assert "resigned" not in text_of(delete_page(ID, 0))
    assert "3 running matches" in text_of(delete_page(ID, 3))
