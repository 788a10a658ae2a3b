"""What a rush took is given back, where the C library can be asked."""

from __future__ import annotations

import asyncio
import platform

import pytest

from bot.care import memory


async def test_memory_is_given_back_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    paused: list[float] = []
    given: list[str] = []

    async def pause(seconds: float) -> None:
        paused.append(seconds)
        if len(paused) == 3:
            raise asyncio.CancelledError

    monkeypatch.setattr(memory, "_pause", pause)
    with pytest.raises(asyncio.CancelledError):
        await memory.watch(lambda: given.append("back"))
    assert given == ["back", "back"]
    assert paused == [30, 30, 30]


async def test_where_the_library_cannot_be_asked_nothing_is_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ctypes.CDLL", lambda _name: object())
    assert memory.asked_for() is None
    await memory.watch(None)


def test_here_it_is_asked_without_harm() -> None:
    give_back = memory.asked_for()
    assert (give_back is not None) == (platform.libc_ver()[0] == "glibc")
    if give_back is not None:
        give_back()
