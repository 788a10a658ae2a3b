"""The web page: what people see, press, choose, type and read, in a real browser."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import Tab
from tests.playground.mock_house import ADA, BEA, DM, EPHEMERAL, GUILD, TABLES, TALK
from tests.playground.mock_page import MockPage

pytestmark = pytest.mark.browser
DM_OF_ADA = f"{DM}{ADA['id']}"


# ---------------------------------------------------------------------- seats and places


def test_nobody_named_asks_who_sits_down(house: MockPage, page: Page) -> None:
    page.goto(house.url)
    expect(page.get_by_role("heading", name="Who sits down?")).to_be_visible()
    expect(page.locator(".seat")).to_have_count(3)  # the bot has no seat
    here = page.get_by_role("link", name="Ada Byron @ada")
    expect(here).to_have_attribute("href", "/?user=101")
    expect(page.get_by_role("link", name="Sit down as Cem in a new tab")).to_have_attribute(
        "target", "_blank"
    )


def test_a_newcomer_gets_a_seat(house: MockPage, page: Page) -> None:
    page.goto(house.url)
    page.get_by_label("Name of a new person").fill("Zoë")
    page.get_by_role("button", name="Add a person").click()
    expect(page.get_by_role("link", name="Zoë @zoë")).to_be_visible()


def test_places_are_listed_with_threads_and_what_is_unread(ada: Tab) -> None:
    expect(ada.page.locator("#side-title")).to_have_text("Rummy Society")
    expect(ada.place("gin-tables")).to_have_attribute("aria-current", "page")
    expect(ada.page.locator(".threads .place-name")).to_have_text(["Ada and Bea"])
    expect(ada.place("table-talk")).to_have_attribute("aria-label", "table-talk, unread")
    expect(ada.place("Ginhouse")).to_have_attribute("aria-label", "Ginhouse, 1 new for you")
    expect(ada.page).to_have_title("(1) #gin-tables · Ada Byron")


def test_reading_a_channel_takes_its_mark_away_and_tells_the_server(
    ada: Tab, house: MockPage
) -> None:
    ada.open("Ginhouse")
    expect(ada.place("Ginhouse")).to_have_attribute("aria-label", "Ginhouse")
    expect(ada.page).to_have_title("@Ginhouse · Ada Byron")
    assert {"channel_id": DM_OF_ADA, "message_id": "7000030"} in house.sent("read")


def test_a_mention_elsewhere_counts_until_the_message_is_gone(ada: Tab, house: MockPage) -> None:
    said = house.say(TALK, BEA, "<@101> come and see", mention_me=True)
    expect(ada.place("table-talk")).to_have_attribute("aria-label", "table-talk, 1 new for you")
    expect(ada.page).to_have_title(re.compile(r"^\(2\)"))
    house.push("MESSAGE_DELETE", {"id": said["id"], "channel_id": TALK})
    expect(ada.place("table-talk")).not_to_have_attribute("aria-label", re.compile("new for you"))


def test_new_messages_are_set_off_when_a_channel_is_opened(ada: Tab) -> None:
    ada.open("table-talk")
    expect(ada.page.locator(".new-from-here + .message")).to_contain_text("that undercut?")


def test_channels_come_change_and_go(ada: Tab, house: MockPage) -> None:
    new = {"id": "599", "name": "attic", "type": 0, "guild_id": GUILD, "position": 9}
    house.push("CHANNEL_CREATE", new)
    ada.open("attic")
    house.push("CHANNEL_UPDATE", new | {"name": "cellar"})
    expect(ada.page.locator("#top h1")).to_have_text("cellar")
    house.push("CHANNEL_DELETE", {"id": "599"})
    expect(ada.page.locator("#top h1")).to_have_text("gin-tables")


def test_people_come_and_go_and_the_bot_drops_out(ada: Tab, house: MockPage) -> None:
    user = {"id": "299", "username": "dora", "global_name": "Dora"}
    members = ada.page.locator("#members")
    house.push("MEMBER_ADD", {"guild_id": GUILD, "user": user})
    expect(members).to_contain_text("Dora")
    house.push("MEMBER_REMOVE", {"guild_id": GUILD, "user": user})
    expect(members).not_to_contain_text("Dora")
    house.push("BOT", {"online": False})
    expect(members.get_by_role("button", name="Ginhouse, offline")).to_be_visible()


# ---------------------------------------------------------------------- messages


def test_a_message_is_sent_with_its_mention(ada: Tab, house: MockPage) -> None:
    ada.composer.click()
    ada.page.keyboard.type("Well played @be")
    ada.page.keyboard.press("Tab")
    ada.page.keyboard.type("!")
    ada.page.keyboard.press("Enter")
    expect(ada.last).to_contain_text("Well played @Bea Fields !")
    assert house.sent("message") == [{"channel_id": TABLES, "content": "Well played <@102> !"}]


def test_what_people_write_is_never_markup(ada: Tab, house: MockPage) -> None:
    evil = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
    house.say(TABLES, BEA, f"{evil} [click](javascript:alert(1))")
    ada.sees("document.title=2")
    expect(ada.last.locator(".marked")).to_have_text(f"{evil} [click](javascript:alert(1))")
    assert ada.last.locator("img, script, a").count() == 0


def test_an_edit_shows_and_a_deletion_vanishes(ada: Tab, house: MockPage) -> None:
    said = house.say(TABLES, BEA, "I knock")
    edited = said | {"content": "I don't knock", "edited_timestamp": said["timestamp"]}
    house.push("MESSAGE_UPDATE", edited)
    expect(ada.last).to_contain_text("I don't knock (edited)")
    house.push("MESSAGE_DELETE", {"id": said["id"], "channel_id": TABLES})
    expect(ada.messages.filter(has_text="knock (edited)")).to_have_count(0)


def test_components_embeds_pictures_and_replies_are_drawn(ada: Tab) -> None:
    table = ada.last
    expect(table.locator(".answering")).to_have_text("ABAda Byron used /gin challenge")
    expect(table.locator(".container")).to_have_css("border-radius", "10px")
    expect(table.get_by_alt_text("Up-card: seven of diamonds")).to_be_visible()
    expect(table.get_by_role("separator")).to_have_count(1)
    expect(table.get_by_role("button", name="Draw")).to_be_disabled()
    expect(table.get_by_role("link", name="Rules")).to_have_attribute("rel", "noopener noreferrer")
    embed = ada.page.locator(".embed")
    expect(embed.locator(".embed-field.inline")).to_have_count(3)
    reply = ada.messages.filter(has_text="Deal!")
    expect(reply.locator(".answering")).to_contain_text("Cem Anybody up for a game?")
    expect(reply.locator(".mention")).to_have_text("@Bea Fields")


def test_the_answer_to_a_button_names_the_message_that_it_stands_under(
    ada: Tab, house: MockPage
) -> None:
    table = house.say(TABLES, BEA, "## Ada and Bea\n-# to 100\n**Your** turn")
    named = {"channel_id": TABLES, "message_id": table["id"]}
    house.say(TABLES, BEA, "Seven of hearts", type=19, message_reference=named)
    expect(ada.last.locator(".answering")).to_have_text("Bea Fields Ada and Bea to 100 Your turn")
    gone = named | {"message_id": "1"}
    house.say(TABLES, BEA, "Once more", type=19, message_reference=gone)
    expect(ada.last.locator(".answering")).to_have_text("a message that was deleted")


def test_relative_times_follow_the_playgrounds_clock(ada: Tab, house: MockPage) -> None:
    now = 1_900_000_000_000
    house.push("FAULTS", {"now": now})
    house.say(TABLES, BEA, f"until <t:{now // 1000 + 7200}:R>")
    expect(ada.last.locator("time.time-mark")).to_have_text(re.compile("in (2 hours|1 hour)"))
    house.push("FAULTS", {"now": now + 3 * 3_600_000})
    expect(ada.last.locator("time.time-mark")).to_have_text("1 hour ago")


def test_an_ephemeral_message_is_for_one_person_and_can_be_dismissed(
    ada: Tab, house: MockPage
) -> None:
    ada.command("/gin hand")
    expect(ada.last).to_contain_text("Only you can see this")
    assert house.messages[-1]["flags"] == EPHEMERAL
    ada.press("Dismiss message")
    expect(ada.messages.filter(has_text="Only you can see this")).to_have_count(0)
    assert len(house.sent("dismiss")) == 1


def test_somebody_elses_message_is_deleted_as_a_fault(ada: Tab, house: MockPage) -> None:
    ada.last.hover()
    ada.last.get_by_role("button", name="Delete message").click()
    ada.modal.get_by_role("button", name="Delete").click()
    expect(ada.page.locator("#toasts")).to_have_text("")
    assert house.sent("fault")[0]["name"] == "delete_message"


# ---------------------------------------------------------------------- buttons, selects, modals


def test_a_press_is_busy_until_it_is_answered(ada: Tab, house: MockPage) -> None:
    parts = [
        {"type": 1, "components": [{"type": 2, "style": 1, "label": "Go", "custom_id": "slow"}]}
    ]
    said = house.say(TABLES, BEA, "Press it", components=parts)
    ada.press("Go")
    expect(ada.last.get_by_role("button", name="Go")).to_have_attribute("aria-busy", "true")
    house.push("INTERACTION", {"nonce": house.received[-1]["nonce"], "state": "answered"})
    expect(ada.last.locator("[aria-busy]")).to_have_count(0)
    want = {"channel_id": TABLES, "message_id": said["id"], "custom_id": "slow"}
    assert house.sent("press") == [want]


def test_a_press_without_an_answer_says_that_it_failed(ada: Tab) -> None:
    ada.open("Ginhouse")
    ada.press("Resign")
    expect(ada.last.locator(".failure")).to_have_text("This interaction failed")
    ada.press("Sort")
    expect(ada.last.locator(".failure")).to_have_count(0)


def test_a_select_is_chosen_by_mouse_or_by_keys(ada: Tab, house: MockPage) -> None:
    ada.open("Ginhouse")
    ada.choose("Discard a card", "Discard the 2♦")
    expect(ada.last).to_contain_text("(edited)")
    select = ada.last.get_by_role("button", name="Discard a card")
    select.focus()
    ada.page.keyboard.press("Enter")
    ada.page.keyboard.press("End")
    ada.page.keyboard.press("Enter")
    expect(ada.page.locator(".picker-popover:popover-open")).to_have_count(0)
    assert [frame["values"] for frame in house.sent("select", 2)] == [["2D"], ["KC"]]


def test_a_select_of_several_is_sent_when_it_closes(ada: Tab, house: MockPage) -> None:
    people = {"type": 5, "custom_id": "who", "placeholder": "Who plays?", "max_values": 2}
    house.say(TABLES, BEA, "Choose", components=[{"type": 1, "components": [people]}])
    ada.choose("Who plays?", "Bea Fields", "Cem")
    expect(ada.page.locator(".picker-popover:popover-open")).to_have_count(0)
    assert [frame["values"] for frame in house.sent("select")] == [["102", "103"]]


def test_a_modal_is_checked_before_it_is_sent(ada: Tab, house: MockPage) -> None:
    ada.open("Ginhouse")
    ada.press("Knock with 2")
    submit = ada.modal.get_by_role("button", name="Submit")
    submit.click()
    expect(ada.modal.locator(".field.wrong")).to_have_count(4)
    ada.modal.get_by_label("Melds").fill("7h")
    submit.click()
    expect(ada.modal.get_by_text("At least 4 characters; there are 2")).to_be_visible()
    ada.modal.get_by_label("Melds").fill("7h 8h 9h")
    ada.modal.get_by_role("radio", name="Mine").check()
    ada.modal.get_by_role("group", name="Show").get_by_label("Best").check()
    ada.modal.get_by_role("group", name="Show").get_by_label("None").check()
    ada.modal.get_by_label("Sure").check()
    ada.modal.locator(".picker-button").click()
    ada.page.get_by_role("option", name="Best").click()
    submit.click()
    expect(ada.modal).to_have_count(0)
    (sent,) = house.sent("submit")
    assert (sent["interaction_id"], sent["custom_id"]) == ("i1", "knock-typed")
    assert [part.get("component") for part in sent["components"]] == [
        None,
        {"type": 4, "custom_id": "melds", "value": "7h 8h 9h"},
        {"type": 4, "custom_id": "note", "value": ""},
        {"type": 21, "custom_id": "spread", "value": "mine"},
        {"type": 22, "custom_id": "show", "values": ["best", "none"]},
        {"type": 23, "custom_id": "sure", "value": True},
        {"type": 3, "custom_id": "card", "values": ["best"]},
    ]


def test_a_modal_is_left_with_escape_and_stays_after_a_failure(ada: Tab, house: MockPage) -> None:
    ada.open("Ginhouse")
    ada.press("Knock with 2")
    expect(ada.modal).to_be_visible()
    ada.page.keyboard.press("Escape")
    expect(ada.modal).to_have_count(0)
    asked = {
        "custom_id": "m",
        "title": "Say it",
        "components": [
            {"type": 1, "components": [{"type": 4, "custom_id": "note", "style": 1, "label": "It"}]}
        ],
    }
    house.push("MODAL", {"nonce": "none", "interaction_id": "i9", "modal": asked})
    ada.modal.get_by_label("It").fill("kept")
    house.hang_up()
    ada.modal.get_by_role("button", name="Submit").click()
    expect(ada.page.locator("#lost")).to_be_hidden()
    expect(ada.modal.get_by_label("It")).to_have_value("kept")


def test_a_form_that_failed_can_be_sent_again_and_one_that_is_refused_says_only_why(
    ada: Tab, house: MockPage
) -> None:
    ada.open("Ginhouse")
    field = {"type": 4, "custom_id": "note", "style": 1}
    asked = {
        "custom_id": "m",
        "title": "Say it",
        "components": [{"type": 18, "label": "It", "component": field}],
    }
    house.push("MODAL", {"nonce": "none", "interaction_id": "i9", "modal": asked})
    for typed, said in (
        ("fail", "Something went wrong: The application did not respond. Try again."),
        ("old", "This form is too old. Open it again."),
    ):
        ada.modal.get_by_label("It").fill(typed)
        ada.modal.get_by_role("button", name="Submit").click()
        expect(ada.modal.get_by_role("alert")).to_have_text(said)


# ---------------------------------------------------------------------- connection, faults, keys


def test_a_lost_connection_comes_back_by_itself(ada: Tab, house: MockPage) -> None:
    house.hang_up()
    expect(ada.page.locator("#lost")).to_be_visible()
    expect(ada.page.locator("#lost")).to_be_hidden()
    house.say(TABLES, BEA, "Still there?")
    ada.sees("Still there?")


def test_faults_are_caused_from_their_panel(ada: Tab, house: MockPage) -> None:
    ada.page.get_by_role("button", name="Faults", exact=True).click()
    panel = ada.page.locator("#faults")
    panel.get_by_role("switch", name="Close my direct messages").click()
    panel.get_by_role("button", name="Take away").click()
    panel.get_by_role("button", name="Cut the connection").click()
    panel.get_by_role("button", name="+15 min").click()
    panel.get_by_role("button", name="Turn on: Slow answers").click()
    expect(panel.get_by_role("button", name="Turn off: Slow answers")).to_be_visible()
    panel.get_by_role("button", name="Restart the bot").click()
    expect(ada.page.locator("#toasts")).to_contain_text("The bot is being restarted.")
    assert house.sent("dm_closed") == [{"closed": True}]
    assert {frame["name"]: frame["value"] for frame in house.sent("fault", 5)} == {
        "permission": {"channel_id": TABLES, "name": "SEND_MESSAGES", "allowed": False},
        "cut_gateway": {"seconds": 0},
        "move_clock": {"seconds": 900},
        "slow": {"seconds": 4, "pattern": "*"},
        "restart_bot": {},
    }


def test_everything_is_reached_by_keys_alone(ada: Tab) -> None:
    keys = ada.page.keyboard
    expect(ada.composer).to_be_focused()
    keys.press("ArrowUp")
    expect(ada.last).to_be_focused()
    keys.press("Enter")
    expect(ada.last.locator(":focus")).to_have_count(1)
    keys.press("Escape")
    expect(ada.composer).to_be_focused()
    keys.press("Alt+ArrowDown")
    expect(ada.page.locator("#top h1")).to_contain_text("Ada and Bea")
    keys.press("Shift+F6")
    keys.press("Shift+F6")
    expect(ada.page.locator("#places :focus")).to_have_count(1)
    keys.press("Home")
    keys.press("Enter")
    expect(ada.page.locator("#top h1")).to_contain_text("gin-tables")
    keys.press("Control+/")
    expect(ada.modal).to_contain_text("Keys")


def test_a_narrow_window_has_drawers_and_no_sideways_scrolling(
    house: MockPage, browser: Browser
) -> None:
    page = browser.new_context(viewport={"width": 400, "height": 800}).new_page()
    ada = Tab(page, house.url, ADA["id"])
    expect(page.locator("#places")).not_to_be_in_viewport()
    ada.open("Ginhouse")
    expect(page.locator("#places")).not_to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") == 400
    picture = page.get_by_alt_text(re.compile("^4♥ 5♥ 6♥")).bounding_box()
    assert picture is not None
    assert picture["width"] > 280
    ada.open("gin-tables")
    page.get_by_role("button", name="Members").click()
    expect(page.locator("#members")).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(page.locator("#members")).not_to_be_in_viewport()
    page.context.close()


def test_the_page_needs_nothing_from_elsewhere(house: MockPage, page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    Tab(page, house.url, ADA["id"]).open("Ginhouse")
    outside = [
        url for url in asked if not url.startswith((house.url, house.url.replace("http", "ws")))
    ]
    assert outside == []
