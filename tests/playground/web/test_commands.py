"""Slash commands at the page: lists, prompts for options, choices, and what becomes of them."""

import pytest
from playwright.sync_api import expect

from tests.browser import Tab
from tests.playground.mock_house import TABLES
from tests.playground.mock_page import MockPage

pytestmark = pytest.mark.browser


def test_enter_takes_what_a_list_marks_and_only_the_next_enter_sends(
    ada: Tab, house: MockPage
) -> None:
    keys = ada.page.keyboard
    ada.composer.click()
    keys.type("/gin help")
    keys.press("Enter")
    expect(ada.page.locator(".slash-more")).to_be_focused()  # a topic could be added
    keys.press("Enter")
    expect(ada.page.locator("#slash")).to_be_hidden()
    keys.type("/gin discard 7h")
    options = ada.page.locator("#suggest-list [role=option]")
    expect(options).to_have_text(["7♥ from your hand"])
    keys.press("Enter")
    expect(ada.page.locator(".slash-input")).to_have_value("7♥ from your hand")
    expect(ada.page.locator(".slash-more")).to_be_focused()
    keys.type("match:the first one")
    keys.press("Enter")
    expect(ada.page.locator("#slash")).to_be_hidden()
    keys.type("/gin challenge be")
    expect(options).to_have_count(1)
    keys.press("Enter")
    expect(ada.page.locator(".slash-input").first).to_have_value("@Bea Fields")
    keys.type("variant:oklahoma")
    keys.press("Enter")
    expect(ada.page.locator(".slash-more")).to_be_focused()
    keys.press("Enter")
    expect(ada.page.locator("#slash")).to_be_hidden()
    sent = [frame["options"][0] for frame in house.sent("command", 3)]
    assert [one["name"] for one in sent] == ["help", "discard", "challenge"]
    assert sent[1]["options"] == [
        {"type": 3, "name": "card", "value": "7h"},
        {"type": 3, "name": "match", "value": "the first one"},
    ]
    assert [one["name"] for one in sent[2]["options"]] == ["opponent", "variant"]


def test_a_slash_lists_commands_and_narrows_as_one_types(ada: Tab) -> None:
    ada.composer.click()
    ada.page.keyboard.type("/")
    options = ada.page.locator("#suggest-list [role=option]")
    expect(options).to_have_count(7)
    expect(options.nth(1)).to_contain_text("/gin challengeAsk somebody for a game")
    ada.page.keyboard.type("gin di")
    expect(options).to_have_count(1)
    ada.page.keyboard.press("Tab")
    expect(ada.page.locator(".slash-name")).to_have_text("/gin discard")
    expect(ada.page.get_by_label("card: The card that you lay down")).to_be_focused()
    ada.page.keyboard.press("Escape")
    expect(ada.composer).to_be_focused()


def test_options_are_prompted_in_order_and_optional_ones_added(ada: Tab, house: MockPage) -> None:
    keys = ada.page.keyboard
    ada.composer.click()
    keys.type("/gin challenge ")
    keys.press("Enter")
    expect(ada.page.locator("#composer-hint")).to_have_text("opponent: This option is required")
    keys.type("be")
    keys.press("Tab")
    expect(ada.page.locator(".slash-input").first).to_have_value("@Bea Fields")
    expect(ada.page.locator(".slash-more")).to_be_focused()
    keys.type("var")
    keys.press("Tab")
    keys.press("ArrowDown")
    keys.press("Enter")
    keys.type("target:20")
    keys.press("Enter")
    expect(ada.page.locator("#composer-hint")).to_have_text("target: At least 50")
    keys.type("0")
    keys.press("Tab")
    keys.type("rated:no")
    keys.press("Enter")
    expect(ada.page.locator("#slash")).to_be_hidden()
    (sent,) = house.sent("command")
    assert (sent["name"], sent["channel_id"]) == ("gin", TABLES)
    assert sent["options"][0]["name"] == "challenge"
    assert sent["options"][0]["options"] == [
        {"type": 6, "name": "opponent", "value": "102"},
        {"type": 3, "name": "variant", "value": sent["options"][0]["options"][1]["value"]},
        {"type": 4, "name": "target", "value": 200},
        {"type": 5, "name": "rated", "value": False},
    ]


def test_a_whole_command_can_be_typed(ada: Tab, house: MockPage) -> None:
    ada.command("/gin discard card:7h match:the first one")
    ada.say("/gin discard 7H")
    ada.command("/gin challenge opponent:@Bea Fields target:150 variant:oklahoma")
    options = [frame["options"][0] for frame in house.sent("command", 3)]
    assert options[0]["options"] == [
        {"type": 3, "name": "card", "value": "7h"},
        {"type": 3, "name": "match", "value": "the first one"},
    ]
    assert options[1]["options"] == [{"type": 3, "name": "card", "value": "7H"}]
    assert {one["name"]: one["value"] for one in options[-1]["options"]} == {
        "opponent": "102",
        "target": 150,
        "variant": "oklahoma",
    }


def test_choices_are_asked_for_while_one_types(ada: Tab, house: MockPage) -> None:
    ada.composer.click()
    ada.page.keyboard.type("/gin discard 7")
    options = ada.page.locator("#suggest-list [role=option]")
    expect(options).to_have_text(["7♥ from your hand", "7♣ from your hand"])
    ada.page.keyboard.press("ArrowDown")
    ada.page.keyboard.press("Enter")
    expect(ada.page.locator(".slash-input")).to_have_value("7♣ from your hand")
    ada.page.keyboard.press("Enter")
    expect(ada.page.locator("#slash")).to_be_hidden()
    assert house.sent("command")[0]["options"][0]["options"][0]["value"] == "7c"
    asked = house.sent("autocomplete")[-1]["options"][0]["options"]
    assert asked == [{"type": 3, "name": "card", "value": "7", "focused": True}]


def test_choices_that_never_come_do_not_block_the_command(ada: Tab, house: MockPage) -> None:
    house.answers_autocomplete = False
    ada.composer.click()
    ada.page.keyboard.type("/gin discard 7h")
    expect(ada.page.locator("#suggestions")).to_contain_text("The choices didn't load")
    ada.page.keyboard.press("Enter")
    expect(ada.page.locator("#slash")).to_be_hidden()


def test_a_command_thinks_fails_or_is_unknown(ada: Tab) -> None:
    ada.command("/gin help")
    expect(ada.last).to_contain_text("Ginhouse is thinking…")
    ada.command("/gin cancel")
    expect(ada.last).to_contain_text("The application did not respond")
    ada.press("Dismiss message")
    expect(ada.messages.filter(has_text="did not respond")).to_have_count(0)
    ada.command("/gin cancel")
    expect(ada.last).to_contain_text("The application did not respond")
    ada.say("Well then")
    expect(ada.messages.filter(has_text="did not respond")).to_have_count(0)
    ada.say("/nothing like it")
    expect(ada.page.get_by_role("alert")).to_contain_text("There is no such command here")
