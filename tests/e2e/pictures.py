"""Retakes the pictures of the README: people play at the page, and are looked at.

    python -m tests.e2e.pictures

leaves docs/pictures/table.png (a table in its channel, and a private hand beside it), phone.png
(a hand in a narrow window) and showdown.png (the end of a match, with every number explained).
"""

from __future__ import annotations

import base64
import io
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Final, Literal, TypeAlias

from PIL import Image
from playwright.sync_api import Browser, expect, sync_playwright

from tests.conftest import CHROMIUM_ARGS
from tests.e2e.room import Decks
from tests.e2e.seats import BOT, PATIENCE, TABLE, CardRoom, Seat, no_decks

PICTURES: Final = Path(__file__).resolve().parents[2] / "docs" / "pictures"
SHARP: Final = 1.5
"""Pixels of the picture for one of the page."""
Scheme: TypeAlias = Literal["dark", "light"]

_WINDOWS: Final = """
<!doctype html>
<style>
  body { display: inline-flex; gap: 24px; margin: 0; }
  img { border-radius: 12px; }
</style>
"""


def lay_the_decks() -> Decks:
    """Three hands to 100.

    1. Ben knocks with 1, Ada lays off three cards and keeps 23: Ben scores 22.
    2. Ada is gin, Ben has 5♠ 6♠ 3♥ 3♦ 8♣ 9♠ 4♦ = 38: Ada scores 38 + 25 = 63.
    3. Ada knocks with 2, Ben lays off three cards and keeps K♠ Q♦ 10♦ 9♠ = 39: Ada scores 37,
       and reaches 63 + 37 = 100.
    """
    decks = no_decks()
    decks.cut("7H", "KD")
    decks.deal(
        non_dealer="3S 7S QS TS TH TD 5D 6D 2H KC",
        dealer="4S 5S 6S QH QD QC 9H 9D AD 8C",
        starter="9C",
    )
    decks.deal(
        non_dealer="TS TD TC 5S 6S 3H 3D KS JD 8C",
        dealer="7H 8H 9H QS QH QD 3C 4C 2D JS",
        starter="JH",
        stock="9S 5C 4D 6C",
    )
    decks.deal(
        non_dealer="4H 5H 6H 8S 8D 8C JC QC 2D 9D",
        dealer="7H 8H TC AS AH AC KS QD TD 9S",
        starter="KC",
    )
    return decks


def main() -> int:
    """Take them all; the exit status."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        sys.stderr.write("Chromium isn't installed, so there are no pictures.\n")
        return 1
    expect.set_options(timeout=PATIENCE)
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        room = CardRoom(Path(folder), lay_the_decks())
        browser = playwright.chromium.launch(executable_path=chromium, args=list(CHROMIUM_ARGS))
        with room:
            play(room, browser, Path(folder))
            browser.close()
    return 0


def play(room: CardRoom, browser: Browser, folder: Path) -> None:
    """Play a match to its end, and take the pictures on the way."""

    def seat(name: str, width: int, scheme: Scheme = "dark", scale: float = 1) -> Seat:
        return Seat(room, browser, name, width=width, scheme=scheme, pictures=folder, scale=scale)

    ada, ben, cleo = seat("ada", 400), seat("ben", 400, "light", SHARP), seat("cleo", 1000)
    for person in (cleo, ada, ben):
        person.open(TABLE)
    ada.command("/gin challenge Ben")
    ben.button("Accept").click()
    for person in (ada, ben):
        expect(person.button("My hand")).to_be_visible()
        person.open(BOT)
    ada.button("Pass").click()
    ben.button("Take 9♣").click()
    expect(ben.button("Knock with 1…")).to_be_visible()
    save(screen(ben), "phone")
    ben.button("Knock with 1…").click()
    ben.button("Knock with 1").click()
    lays_off(ada, leaves=23)

    for person in (ben, ada):
        person.button("Pass").click()
    for person, card in ((ben, "K♠"), (ada, "J♠"), (ben, "J♦")):
        person.button("Draw from stock").click()
        person.choose("Discard", card)
    ada.button("Draw from stock").click()
    expect(ada.button("Go gin…")).to_be_visible()
    cleo.reads("Ada to discard", "stock 27")
    cleo.say("27 left in the stock, and nobody has knocked. I can't look!")
    save(windows(browser, screen(cleo), screen(ada)), "table")
    ada.button("Go gin…").click()
    ada.button("Go gin").click()

    ada.button("Take K♣").click()
    ada.button("Knock with 2…").click()
    ada.button("Knock with 2").click()
    lays_off(ben, leaves=39)
    watcher = seat("dev", 1000, scale=SHARP)
    watcher.open(TABLE)
    watcher.sees("Ada wins the match!")
    watcher.page.set_viewport_size({"width": 1000, "height": 1400})
    screen(watcher)
    end = watcher.page.locator(".container").filter(has_text="Ada wins the match!")
    save(end.screenshot(animations="disabled"), "showdown")


def lays_off(person: Seat, leaves: int) -> None:
    """Lay off as it is offered."""
    person.page.locator("#rows .button").filter(has_text=f"leaves {leaves}").click()


def screen(person: Seat) -> bytes:
    """What somebody has on the screen."""
    return person.keeps("seen").read_bytes()


def windows(browser: Browser, *screens: bytes) -> bytes:
    """Windows side by side, with nothing behind them."""
    page = browser.new_page()
    urls = [f"data:image/png;base64,{base64.b64encode(one).decode()}" for one in screens]
    page.set_content(_WINDOWS + "".join(f'<img src="{url}">' for url in urls))
    return page.locator("body").screenshot(omit_background=True)


def save(picture: bytes, name: str) -> None:
    """Keep a picture, packed as tightly as it goes without a loss."""
    path = PICTURES / f"{name}.png"
    Image.open(io.BytesIO(picture)).save(path, optimize=True)
    sys.stdout.write(f"{path.name}: {path.stat().st_size // 1024} KiB\n")


if __name__ == "__main__":
    sys.exit(main())
