"""Pictures: drawn beside the event loop, the urgent ones first; a bad one stops no message."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta

import discord
import pytest
from structlog.testing import capture_logs

from bot.mail import easel
from bot.mail.easel import Easel, draw
from bot.ui.page import Layout, Page, Picture


def page(*renders: Callable[[], bytes], boxed: bool = False) -> Page:
    """A sentence, and below it so many pictures, each in a gallery of its own."""
    layout = Layout()
    box: discord.ui.Container[Layout] = discord.ui.Container()
    pictures = []
    layout.add_item(discord.ui.TextDisplay("4♥ 5♥ 6♥"))
    for number, render in enumerate(renders):
        pictures.append(Picture(f"hand{number}.png", "4♥ 5♥ 6♥", render))
        gallery: discord.ui.MediaGallery[Layout] = discord.ui.MediaGallery()
        gallery.add_item(media=f"attachment://hand{number}.png")
        if boxed:
            box.add_item(gallery)
        else:
            layout.add_item(gallery)
    if boxed:
        box.add_item(discord.ui.TextDisplay("below"))
        layout.add_item(box)
    return Page(layout, tuple(pictures))


def galleries(shown: Page) -> str:
    return str(shown.layout.to_components()).count("attachment://") * "#"


async def test_pictures_are_drawn_beside_the_event_loop_and_carry_their_descriptions() -> None:
    drawn_in: list[int] = []

    def render() -> bytes:
        drawn_in.append(threading.get_ident())
        return b"\x89PNG"

    (file,) = await draw(page(render))
    assert drawn_in != [threading.get_ident()]
    assert (file.filename, file.description) == ("hand0.png", "4♥ 5♥ 6♥")
    assert file.fp.read() == b"\x89PNG"


def test_urgent_pictures_come_before_all_that_wait_in_the_order_of_asking() -> None:
    board, order = Easel(), list[str]()
    begun, go_on = threading.Event(), threading.Event()

    def slow() -> bytes:
        begun.set()
        go_on.wait(10)
        return b"first"

    def named(name: str) -> Callable[[], bytes]:
        return lambda: order.append(name) or b""  # type: ignore[func-returns-value]

    first = board.draw(slow)
    begun.wait(10)
    rest = [
        board.draw(named("table 1")),
        board.draw(named("table 2")),
        board.draw(named("answer 1"), urgent=True),
        board.draw(named("answer 2"), urgent=True),
    ]
    dropped = board.draw(named("nobody waits any more"))
    dropped.cancel()
    go_on.set()
    assert first.result(10) == b"first"
    for each in rest:
        each.result(10)
    assert order == ["answer 1", "answer 2", "table 1", "table 2"]


@pytest.mark.parametrize("boxed", [False, True])
async def test_a_page_goes_without_a_picture_that_cannot_be_drawn(boxed: bool) -> None:
    def broken() -> bytes:
        raise OSError("no font")

    shown = page(broken, boxed=boxed)
    assert galleries(shown) == "#"
    with capture_logs() as logs:
        assert await draw(shown) == []
    assert galleries(shown) == ""
    assert "4♥ 5♥ 6♥" in str(shown.layout.to_components())
    assert [(line["event"], line["error"]) for line in logs] == [("not drawn", "OSError")]


async def test_a_page_goes_without_a_picture_that_takes_too_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(easel, "DRAWING_TAKES_AT_MOST", timedelta(milliseconds=20))
    monkeypatch.setattr(easel, "EASEL", Easel())
    enough = threading.Event()

    def slow() -> bytes:
        enough.wait(10)
        return b""

    shown = page(slow, boxed=True)
    try:
        with capture_logs() as logs:
            assert await draw(shown) == []
    finally:
        enough.set()
    assert galleries(shown) == ""
    assert [(line["event"], line["log_level"]) for line in logs] == [
        ("not drawn in time", "warning")
    ]


async def test_a_picture_that_hangs_holds_up_no_page_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(easel, "DRAWING_TAKES_AT_MOST", timedelta(milliseconds=20))
    monkeypatch.setattr(easel, "EASEL", Easel())
    enough, hung = threading.Event(), list[threading.Thread]()

    def hangs() -> bytes:
        hung.append(threading.current_thread())
        enough.wait(10)
        return b""

    try:
        await draw(page(hangs))
        while easel.EASEL._thread in hung:  # the picture was begun a little after its page
            easel.EASEL.leave_what_hangs()
        monkeypatch.setattr(easel, "DRAWING_TAKES_AT_MOST", timedelta(seconds=10))
        assert len(await draw(page(lambda: b"\x89PNG"))) == 1
    finally:
        enough.set()


async def test_a_file_that_fails_is_a_fault_for_it_is_what_was_asked_for() -> None:
    def broken() -> bytes:
        raise OSError("no file")

    export = Page(Layout(), (Picture("ginhouse.json", "all that is kept of you", broken),))
    with pytest.raises(OSError, match="no file"):
        await draw(export)
