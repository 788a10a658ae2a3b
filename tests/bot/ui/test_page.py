"""Layouts and modals are sent and forgotten: discord.py keeps nothing of them."""

from __future__ import annotations

import threading
from unittest.mock import MagicMock

import discord
import pytest
from discord.ui.view import ViewStore

from bot.ui.limits import page_within
from bot.ui.page import Layout
from bot.ui.pages import knock_modal, note_page, panel_page
from bot.ui.parts import listed
from gin import Seat
from tests.bot.ui.staging import may_knock, shown


def kept_by_discord(store: ViewStore, layout: Layout) -> bool:
    """What discord.py does after it has sent a view, as in ``Messageable.send``."""
    if not layout.is_finished() and layout.is_dispatchable():
        store.add_view(layout, 1)
    return bool(store._views or store._synced_message_views)


async def test_discord_py_stores_no_layout_that_was_sent() -> None:
    store = ViewStore(MagicMock())
    page = panel_page(shown(may_knock(), Seat.A))
    assert page.layout.is_dispatchable()
    assert not kept_by_discord(store, page.layout)


def test_a_layout_built_in_a_thread_counts_as_finished_too() -> None:
    built = []
    thread = threading.Thread(target=lambda: built.append(note_page("Hello").layout))
    thread.start()
    thread.join()
    assert built[0].is_finished()


async def test_discord_py_stores_no_modal() -> None:
    assert knock_modal(shown(may_knock(), Seat.A)).is_finished()


def test_no_line_of_a_text_begins_with_the_dot_between_two_parts() -> None:
    (shown_text,) = [
        item.content
        for item in note_page("stock 30 · knock with 10").layout.walk_children()
        if isinstance(item, discord.ui.TextDisplay)
    ]
    assert shown_text == "stock 30\u00a0· knock with 10"


@pytest.mark.parametrize(
    ("asked", "count", "page"),
    [(0, 0, (0, 1)), (None, 41, (2, 3)), (7, 40, (1, 2)), (-1, 40, (0, 2)), (1, 41, (1, 3))],
)
def test_a_page_that_is_not_there_is_the_nearest(
    asked: int | None, count: int, page: tuple[int, int]
) -> None:
    assert page_within(asked, count, 20) == page


def test_names_are_listed_as_they_are_spoken() -> None:
    assert [listed(["Ann", "Bob", "Cat"][:count]) for count in range(4)] == [
        "",
        "Ann",
        "Ann and Bob",
        "Ann, Bob and Cat",
    ]
