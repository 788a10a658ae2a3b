"""The easel: one thread on which pictures are drawn, those first for which somebody waits.

Drawing is a few milliseconds of pure computing. Several threads of it would not be done sooner,
for only one of them computes at a time, but all of them would keep the event loop waiting.
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextvars import Context, copy_context
from datetime import timedelta
from itertools import count
from queue import PriorityQueue
from threading import Lock, Thread, current_thread
from time import monotonic
from typing import Final

import discord
import structlog

from bot.ui.page import Layout, Page, Picture

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

DRAWING_TAKES_AT_MOST: Final = timedelta(seconds=2)
"""After so long a page goes without its pictures; the text beside them says the same."""

_Holder = Layout | discord.ui.Container[Layout]
_Gallery = discord.ui.MediaGallery[Layout]
_Work = tuple[bool, int, Future[bytes], Context, Callable[[], bytes]]


class Easel:
    """Draws one picture after another, in a thread that begins with the first."""

    def __init__(self) -> None:
        self._waiting: PriorityQueue[_Work] = PriorityQueue()
        self._order = count()
        self._lock = Lock()
        self._thread: Thread | None = None
        self._since: float | None = None
        """Since when the present picture is being drawn, in seconds of the monotonic clock."""

    def draw(self, render: Callable[[], bytes], *, urgent: bool = False) -> Future[bytes]:
        """Have a picture drawn; ``urgent`` ones come before all that aren't."""
        drawn: Future[bytes] = Future()
        self._waiting.put((not urgent, next(self._order), drawn, copy_context(), render))
        with self._lock:
            if self._thread is None:
                self._begin()
        return drawn

    def leave_what_hangs(self) -> None:
        """Go on with those that wait, where one picture has taken too long for any picture."""
        with self._lock:
            since = self._since
            if since is not None and monotonic() - since >= DRAWING_TAKES_AT_MOST.total_seconds():
                self._begin()

    def _begin(self) -> None:
        self._since = None
        self._thread = Thread(target=self._work, name="easel", daemon=True)
        self._thread.start()

    def _work(self) -> None:
        while self._thread is current_thread():
            _later, _order, drawn, context, render = self._waiting.get()
            if not drawn.set_running_or_notify_cancel():
                continue
            self._since = monotonic()
            try:
                drawn.set_result(context.run(render))
            except BaseException as error:  # noqa: BLE001 - it is raised where the picture is awaited
                drawn.set_exception(error)
            if self._thread is current_thread():
                self._since = None


EASEL: Final = Easel()


async def draw(page: Page, *, urgent: bool = False) -> list[discord.File]:
    """Render a page's pictures off the event loop into files; descriptions become alt texts.

    ``urgent`` is a page for which somebody waits who has pressed something. Pictures that fail or
    take too long are logged and left out of the page's layout; files that are no pictures (an
    export, say) raise.
    """
    try:
        async with asyncio.timeout(DRAWING_TAKES_AT_MOST.total_seconds()):
            return await _drawn(page.pictures, urgent=urgent)
    except Exception as error:
        shown = tuple(_galleries(page.layout))
        if not shown:
            raise
        if isinstance(error, TimeoutError):  # the machine is busy; the text says everything
            log.warning("not drawn in time", pictures=len(page.pictures))
        else:
            log.exception("not drawn", pictures=len(page.pictures), error=type(error).__name__)
        EASEL.leave_what_hangs()
        for holder, gallery in shown:
            holder.remove_item(gallery)
        named = {item.media.url for _, gallery in shown for item in gallery.items}
        rest = [one for one in page.pictures if f"attachment://{one.name}" not in named]
        return await _drawn(rest, urgent=urgent)


async def _drawn(pictures: Iterable[Picture], *, urgent: bool) -> list[discord.File]:
    files: list[discord.File] = []
    for picture in pictures:
        content = await asyncio.wrap_future(EASEL.draw(picture.render, urgent=urgent))
        files.append(
            discord.File(io.BytesIO(content), filename=picture.name, description=picture.alt)
        )
    return files


def _galleries(layout: Layout) -> Iterator[tuple[_Holder, _Gallery]]:
    """Each gallery of pictures in a layout, with what holds it."""
    for item in layout.children:
        if isinstance(item, discord.ui.MediaGallery):
            yield layout, item
        elif isinstance(item, discord.ui.Container):
            for inner in item.children:
                if isinstance(inner, discord.ui.MediaGallery):
                    yield item, inner
