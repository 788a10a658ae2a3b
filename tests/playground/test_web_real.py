"""The web page against the playground's own server: what one tab does, another one sees."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from playground.server import Playground
from playground.tabs.page import Page as WebPage
from tests.browser import Background, Tab

pytestmark = pytest.mark.browser


@pytest.fixture
def playground() -> Iterator[Playground]:
    opened = Playground(extensions=[WebPage()])
    with Background() as background:
        background.run(opened.start())
        yield opened
        background.run(opened.stop())


def seat(playground: Playground, page: Page, name: str) -> Tab:
    people = {user.username: user.id for user in playground.world.users.values()}
    return Tab(page, playground.url, people[name])


def test_two_people_in_two_tabs_talk_in_a_thread(playground: Playground, browser: Browser) -> None:
    ada = seat(playground, browser.new_page(), "ada")
    ben = seat(playground, browser.new_page(), "ben")
    ada.page.get_by_role("button", name="New thread").click()
    ada.modal.get_by_label("What is the thread called?").fill("Rematch?")
    ada.page.keyboard.press("Enter")
    expect(ada.page.locator("#top h1")).to_contain_text("Rematch?")
    ada.say("Now or **never**, Ben")
    ben.open("Rematch?")
    ben.sees("Now or never")
    ben.say("Now!")
    ada.sees("Now!")
    ben.last.hover()
    ben.last.get_by_role("button", name="Delete message").click()
    ben.modal.get_by_role("button", name="Delete").click()
    expect(ada.messages.filter(has_text="Now!")).to_have_count(0)


def test_the_server_knows_every_fault_of_the_panel(playground: Playground, page: Page) -> None:
    ada = seat(playground, page, "ada")
    page.get_by_role("button", name="Faults", exact=True).click()
    panel = page.locator("#faults")
    for label in (
        "Take away",
        "Give back",
        "Cut the connection",
        "Invalid session",
        "Turn on: Slow answers",
        "Turn on: Server errors",
        "Turn on: Too many requests (429)",
        "Turn on: Late at the bot",
        "Expire all tokens",
        "+1 day",
    ):
        panel.get_by_role("button", name=label).click()
        toast = page.locator(".toast").last
        expect(toast).to_have_class("toast good")
        page.evaluate("document.getElementById('toasts').replaceChildren()")
    expect(panel.locator(".fault-group.on")).to_have_count(4)
    panel.get_by_role("button", name="Make everything work again").click()
    expect(panel.locator(".fault-group.on")).to_have_count(0)
    panel.get_by_role("switch", name="Close my direct messages").click()
    expect(page.locator("#me")).to_contain_text("Direct messages closed")
    panel.get_by_role("button", name="Kick it from the server").click()
    expect(page.locator("#members .member-name").get_by_text("Ginhouse")).to_have_count(0)
    panel.get_by_role("button", name="Leave the server").click()
    ada.modal.get_by_role("button", name="Leave").click()
    panel.get_by_role("button", name="Join the server again").click()
    expect(panel.get_by_role("button", name="Leave the server")).to_be_visible()


def test_nobody_of_that_number_leads_back_to_the_seats(playground: Playground, page: Page) -> None:
    page.goto(f"{playground.url}/?user=12345")
    expect(page.get_by_role("heading", name="Who sits down?")).to_be_visible()
