"""A page of the playground in a real browser, with a house behind it that a test furnishes."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser import Background, Tab
from tests.playground.mock_house import ADA
from tests.playground.mock_page import MockPage


@pytest.fixture(scope="module")
def server() -> Iterator[MockPage]:
    with Background() as background:
        mock = MockPage()
        background.run(mock.start())
        yield mock
        background.run(mock.stop())


@pytest.fixture
def house(server: MockPage) -> MockPage:
    server.furnish()
    return server


@pytest.fixture(scope="module")
def shared(browser: Browser) -> Iterator[BrowserContext]:
    """One context for all: it keeps the page's files, which makes the tests quick."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    yield context
    context.close()


@pytest.fixture
def page(shared: BrowserContext) -> Iterator[Page]:
    opened = shared.new_page()
    yield opened
    opened.close()


@pytest.fixture
def ada(house: MockPage, page: Page) -> Iterator[Tab]:
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    yield Tab(page, house.url, ADA["id"])
    assert [error for error in errors if "ERR_CONNECTION" not in error] == []
