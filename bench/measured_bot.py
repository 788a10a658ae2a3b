"""The bot as it is, with samples taken; they are left in the file that BENCH_SAMPLES names.

    BENCH_SAMPLES=samples.json python -m bench.measured_bot

The rest of the environment is that of ``python -m bot``.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import discord
from discord import Client
from discord.state import ConnectionState

import bot.__main__ as program
from bench.profiling import Profile
from bench.sampling import UNWATCHED, Samples
from bot.mail import easel, post
from bot.mail.easel import Easel
from bot.mail.governor import Governor, Urgency
from bot.settings import Settings
from bot.ui.page import Page

if TYPE_CHECKING:
    from discord.types import gateway


def timed(samples: Samples, render: Callable[[], bytes]) -> bytes:
    """Draw a picture, and note what that took of the processor."""
    before = time.thread_time()
    drawn = render()
    samples.pictures.append((time.monotonic(), time.thread_time() - before))
    return drawn


async def at_once(_governor: Governor, _urgency: Urgency) -> None:
    """Start a request without waiting for anybody (BENCH_UNGOVERNED)."""


async def undrawn(page: Page, *, urgent: bool = False) -> list[discord.File]:  # noqa: ARG001
    """Let a page go without its pictures (BENCH_UNDRAWN)."""
    for holder, gallery in tuple(easel._galleries(page.layout)):  # noqa: SLF001 - as it does itself
        holder.remove_item(gallery)
    return []


def watch_closely(samples: Samples) -> None:
    """Note each interaction as it comes, and how long the collector holds everything up."""
    hear = ConnectionState.parse_interaction_create

    def heard(state: ConnectionState[Client], data: gateway.InteractionCreateEvent) -> None:
        samples.arrives(int(data["id"]))
        hear(state, data)

    ConnectionState.parse_interaction_create = heard  # type: ignore[method-assign, assignment]
    samples.watch_collections()


def main() -> int:
    """Run the bot; its exit status."""
    samples = Samples()
    serve, draw = program.serve, Easel.draw

    async def watched(settings: Settings, token: str) -> int:
        watching = asyncio.create_task(samples.watch())
        try:
            return await serve(settings, token)
        finally:
            watching.cancel()

    def drawn(upon: Easel, render: Callable[[], bytes], *, urgent: bool = False) -> Future[bytes]:
        return draw(upon, partial(timed, samples, render), urgent=urgent)

    program.serve, Easel.draw = watched, drawn  # type: ignore[method-assign, assignment]
    if UNWATCHED not in os.environ:
        watch_closely(samples)
    if "BENCH_UNGOVERNED" in os.environ:
        Governor.slot = at_once  # type: ignore[method-assign, assignment]
    if "BENCH_UNDRAWN" in os.environ:
        easel.draw = undrawn
        post.draw = undrawn  # type: ignore[attr-defined]
    profile = Profile()
    if "BENCH_PROFILE" in os.environ:
        program.quick_loop = lambda: None  # nobody can look into uvloop's
        profile.start()
    try:
        return program.main()
    finally:
        profile.stop()
        samples.looks = dict(profile.looks)
        samples.write(Path(os.environ["BENCH_SAMPLES"]))


if __name__ == "__main__":
    sys.exit(main())
