"""A person at the playground's web page, driven through Chromium the way a hand would do it."""

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, Self, TypeVar

from playwright.sync_api import Locator, Page, expect

T = TypeVar("T")
PATIENCE = 30_000
"""Milliseconds that anything on the page may take to appear."""


class Background:
    """An event loop in a thread of its own.

    Playwright's synchronous interface keeps a loop of its own in the test's thread, so a server
    that a browser test talks to has to live elsewhere.
    """

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(5)
        self.loop.close()

    # Coroutine's first two parameters say what it yields and is sent: nobody's business here.
    def run(self, task: Coroutine[Any, Any, T], timeout: float = 30) -> T:
        """Run a coroutine there and wait for its result."""
        return asyncio.run_coroutine_threadsafe(task, self.loop).result(timeout)


class Tab:
    """One tab of the page, with one person in it."""

    def __init__(self, page: Page, url: str, user: str | int) -> None:
        self.page = page
        page.set_default_timeout(PATIENCE)
        page.goto(f"{url}/?user={user}")
        expect(page.locator("#top h1")).to_be_visible(timeout=PATIENCE)

    @property
    def composer(self) -> Locator:
        """Where text is written."""
        return self.page.locator("#message-input")

    @property
    def messages(self) -> Locator:
        """All messages on screen, oldest first."""
        return self.page.locator("#rows .message")

    @property
    def last(self) -> Locator:
        """The newest message on screen."""
        return self.messages.last

    @property
    def modal(self) -> Locator:
        """The open dialog."""
        return self.page.locator("dialog[open]")

    def place(self, name: str) -> Locator:
        """A channel, thread or direct message in the list at the side."""
        named = self.page.get_by_text(name, exact=True)
        return self.page.locator("#places .place").filter(has=named)

    def open(self, name: str) -> None:
        """Go to a channel, thread or direct message."""
        menu = self.page.get_by_role("button", name="Channels")
        if menu.is_visible():
            menu.click()
        self.place(name).click()
        expect(self.page.locator("#top h1")).to_contain_text(name)

    def say(self, text: str) -> None:
        """Write a message."""
        self.composer.fill(text)
        self.composer.press("Enter")

    def command(self, line: str) -> None:
        """Type a whole slash command key by key, and send it."""
        self.composer.click()
        self.page.keyboard.type(line)
        slash = self.page.locator("#slash")
        hint = self.page.locator("#composer-hint.wrong")
        for _ in range(3):  # a value that several choices fit is taken first, then sent
            self.page.keyboard.press("Enter")
            if hint.is_visible():
                raise AssertionError(f"{line!r} was not sent: {hint.inner_text()}")
            if slash.is_hidden() and self.composer.input_value() == "":
                return
        raise AssertionError(f"{line!r} was not sent")

    def press(self, label: str) -> None:
        """Press the newest button of this label."""
        button = self.page.locator("#rows").get_by_role("button", name=label, exact=True).last
        button.click()

    def choose(self, placeholder: str, *options: str) -> None:
        """Choose from the newest select with this placeholder."""
        self.page.locator(f'#rows .picker-button[aria-label^="{placeholder}"]').last.click()
        opened = self.page.locator(".picker-popover:popover-open")
        for option in options:
            opened.get_by_role("option", name=option).first.click()
        if opened.count():
            self.page.keyboard.press("Escape")

    def sees(self, text: str) -> None:
        """Wait until some message on screen says this."""
        expect(self.messages.filter(has_text=text).last).to_be_visible(timeout=PATIENCE)
