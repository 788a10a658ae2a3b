"""The courier: first answers are given again as long as they can arrive (faults.md, row 2)."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import AsyncIterator
from datetime import timedelta
from threading import Event
from typing import Any

import aiohttp
import discord
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from discord.http import Route

from bot.front import courier
from bot.front.courier import Courier, Landed, _Letter, never_arrived
from bot.mail import post
from tests.bot.playing import until

CALLBACK = "/interactions/{webhook_id}/{webhook_token}/callback"
MADE = {"interaction": {"id": "1"}, "resource": {"message": {}}}
Answer = tuple[int, dict[str, str], dict[str, Any]]
BROKEN: Answer = (502, {}, {})
HUNG_UP: Answer = (0, {}, {})
"""It takes the request and breaks the connection."""
SILENT: Answer = (-1, {}, {})
"""It takes the request and says nothing."""
ALREADY: Answer = (400, {}, {"code": 40060})


def too_much(seconds: float, *, by_discord: bool = True) -> Answer:
    headers = {"Via": "1.1 edge"} if by_discord else {}
    return 429, headers, {"retry_after": seconds, "message": "slow down", "code": 0}


class Discord:
    """Answers what it was told to, one request after another; keeps what came."""

    def __init__(self) -> None:
        self.answers: list[Answer] = []
        self.came: list[str] = []
        self.paused: list[float] = []
        self.now = 0.0
        self.over = asyncio.Event()
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self._serve)
        self.server = TestServer(app)

    async def _serve(self, request: web.Request) -> web.Response:
        self.came.append((await request.text()) or request.path)
        status, headers, body = self.answers.pop(0)
        if status < 0:
            await self.over.wait()
        if status <= 0:
            assert request.transport is not None
            request.transport.abort()
            raise ConnectionResetError
        headers = {**headers, "Content-Type": "application/json"}  # as Discord, without a charset
        return web.Response(body=json.dumps(body).encode(), status=status, headers=headers)

    async def pause(self, seconds: float) -> None:
        self.paused.append(seconds)
        self.now += seconds

    def courier(self) -> Courier:
        return Courier(self.pause, lambda: self.now)


@pytest.fixture
async def there(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Discord]:
    made = Discord()
    async with made.server:
        monkeypatch.setattr(Route, "BASE", str(made.server.make_url("")).rstrip("/"))
        yield made
        made.over.set()


async def answer(
    there: Discord,
    payload: dict[str, Any] | None = None,
    multipart: list[dict[str, Any]] | None = None,
    files: list[discord.File] | None = None,
) -> object:
    route = Route("POST", CALLBACK, webhook_id=1, webhook_token="t")
    async with aiohttp.ClientSession() as session:
        return await there.courier().request(
            route, session, payload=payload, multipart=multipart, files=files
        )


async def test_an_answer_that_discord_failed_is_given_again_soon(there: Discord) -> None:
    there.answers = [BROKEN, BROKEN, (200, {}, MADE)]
    said = await answer(there, payload={"type": 4})
    assert there.came == ['{"type":4}'] * 3
    assert there.paused == [0.15, 0.3]
    assert said == {"interaction": {"id": "1"}}


async def test_an_answer_whose_connection_breaks_is_given_again_soon(there: Discord) -> None:
    there.answers = [HUNG_UP, HUNG_UP, (200, {}, MADE)]
    said = await answer(there, payload={"type": 4})
    assert there.came == ['{"type":4}'] * 3
    assert there.paused == [0.15, 0.3]
    assert said == {"interaction": {"id": "1"}}


@pytest.mark.parametrize("unheard", [[HUNG_UP], [BROKEN], [HUNG_UP, too_much(0.1)]])
async def test_an_answer_that_stands_after_an_attempt_unheard_is_that_attempts(
    there: Discord, unheard: list[Answer]
) -> None:
    there.answers = [*unheard, ALREADY]
    with pytest.raises(Landed):
        await answer(there, payload={"type": 4})


async def test_an_answer_that_stands_though_no_attempt_arrived_is_somebody_elses(
    there: Discord, monkeypatch: pytest.MonkeyPatch
) -> None:
    there.answers = [too_much(0.1), ALREADY]
    outcomes = [aiohttp.ConnectionTimeoutError(), None, None]
    real = Courier._attempt

    async def attempt(
        courier: Courier, letter: _Letter, session: aiohttp.ClientSession, silence: float
    ) -> object:
        fails = outcomes.pop(0)
        if fails is not None:
            raise fails
        return await real(courier, letter, session, silence)

    monkeypatch.setattr(Courier, "_attempt", attempt)
    with pytest.raises(discord.HTTPException) as caught:
        await answer(there, payload={"type": 4})
    assert not isinstance(caught.value, Landed)
    assert there.paused == [0.15, 0.1]


@pytest.mark.parametrize(
    ("answers", "arrived_nowhere"),
    [
        ([too_much(9)], True),
        ([HUNG_UP, too_much(9)], False),
        ([BROKEN, too_much(9)], False),
        ([too_much(0.1), BROKEN, too_much(9)], False),
    ],
)
async def test_an_answer_is_known_to_have_arrived_nowhere_if_none_of_its_attempts_may_have(
    there: Discord, answers: list[Answer], arrived_nowhere: bool
) -> None:
    there.answers = list(answers)
    with pytest.raises(post.FAILURES) as caught:
        await answer(there, payload={"type": 4})
    assert isinstance(caught.value, Exception)
    assert never_arrived(caught.value) is arrived_nowhere


async def test_an_answer_that_was_too_much_is_given_again_when_discord_says_so(
    there: Discord,
) -> None:
    there.answers = [too_much(0.5), (200, {}, MADE)]
    await answer(there, payload={"type": 6})
    assert there.paused == [0.5]


async def test_files_are_sent_again_from_their_beginning(there: Discord) -> None:
    there.answers = [BROKEN, (200, {}, MADE)]
    file = discord.File(io.BytesIO(b"a picture"), filename="hand.png")
    parts: list[dict[str, Any]] = [
        {"name": "payload_json", "value": "{}"},
        {"name": "files[0]", "value": file.fp, "filename": "hand.png"},
    ]
    await answer(there, multipart=parts, files=[file])
    assert [came.count("a picture") for came in there.came] == [1, 1]


@pytest.mark.parametrize(
    ("answers", "kind", "attempts"),
    [
        # After 0.15, 0.45 and 1.05 s; the next would come after 2.25 s, the one after it too late.
        ([BROKEN] * 5, discord.DiscordServerError, 5),
        ([HUNG_UP] * 5, aiohttp.ServerDisconnectedError, 5),
        ([too_much(2.0), too_much(2.0)], discord.HTTPException, 2),
        ([too_much(0.1, by_discord=False)], discord.HTTPException, 1),
        ([(404, {}, {"code": 10062})], discord.NotFound, 1),
        ([(403, {}, {"code": 50013})], discord.Forbidden, 1),
        ([ALREADY], discord.HTTPException, 1),
    ],
)
async def test_what_is_refused_or_fails_for_three_seconds_is_raised(
    there: Discord, answers: list[Answer], kind: type[Exception], attempts: int
) -> None:
    there.answers = list(answers)
    with pytest.raises(kind) as caught:
        await answer(there, payload={"type": 6})
    assert type(caught.value) is kind
    assert len(there.came) == attempts
    assert there.now < 3


async def test_an_answer_of_which_nothing_is_heard_is_given_again_soon(
    there: Discord, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And as it may have arrived, what stands then is it."""
    monkeypatch.setattr(courier, "SILENCE", timedelta(seconds=0.02))
    there.answers = [SILENT, *[ALREADY] * 4]
    with pytest.raises(Landed):
        async with asyncio.timeout(10):
            await answer(there, payload={"type": 6})


async def test_silence_is_borne_for_a_while_only_each_time_longer(
    there: Discord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(courier, "SILENCE", timedelta(seconds=0.001))
    borne: list[float] = []
    real = Courier._attempt

    async def attempt(
        courier: Courier, letter: _Letter, session: aiohttp.ClientSession, silence: float
    ) -> object:
        borne.append(silence)
        return await real(courier, letter, session, silence)

    monkeypatch.setattr(Courier, "_attempt", attempt)
    there.answers = [SILENT] * 5
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(10):
            await answer(there, payload={"type": 6})
    assert there.paused == [0.15, 0.3, 0.6, 1.2]
    assert borne == [0.001, 0.002, 0.004, 0.008, 0.016]


class SlowLine(io.BufferedReader):
    """A picture that goes out only when it is let go."""

    def __init__(self, picture: bytes) -> None:
        super().__init__(io.BytesIO(picture))
        self.begun = Event()
        self.goes_on = Event()

    def read(self, size: int | None = -1, /) -> bytes:
        self.begun.set()
        self.goes_on.wait(10)
        return super().read(size)


def sending(there: Discord, line: SlowLine) -> asyncio.Task[object]:
    file = discord.File(line, filename="hand.png")
    parts: list[dict[str, Any]] = [
        {"name": "payload_json", "value": "{}"},
        {"name": "files[0]", "value": file.fp, "filename": "hand.png"},
    ]
    return asyncio.create_task(answer(there, multipart=parts, files=[file]))


async def test_a_picture_that_takes_its_time_on_a_slow_line_is_not_cut_off(
    there: Discord, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Silence is counted from when everything is sent: two and a half seconds are not too long."""
    there.answers = [(200, {}, MADE)]
    line = SlowLine(b"a picture")
    sent = sending(there, line)
    await until(line.begun.is_set)
    loop = asyncio.get_running_loop()
    time = loop.time
    with monkeypatch.context() as later:
        later.setattr(loop, "time", lambda: time() + 2.5)
        for _ in range(20):  # whatever is due by then happens
            await asyncio.sleep(0)
    assert there.paused == []
    line.goes_on.set()
    assert await sent is not None
    assert "a picture" in there.came[0]


async def test_a_picture_that_gets_stuck_on_its_way_is_cut_off(
    there: Discord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(courier, "ATTEMPT_TAKES_AT_MOST", timedelta(seconds=0.01))
    line = SlowLine(b"a picture")
    sent = sending(there, line)
    await asyncio.wait({sent}, timeout=10)
    line.goes_on.set()
    with pytest.raises(TimeoutError):
        await sent
    assert len(there.paused) == 4


async def test_one_who_has_to_wait_holds_up_nobody_else(there: Discord) -> None:
    """One waits half a second for Discord; the next is answered meanwhile, by the same courier."""
    waits, goes_on = asyncio.Event(), asyncio.Event()

    async def pause(_seconds: float) -> None:
        waits.set()
        await goes_on.wait()

    patient = Courier(pause, lambda: 0.0)
    there.answers = [too_much(0.5), (200, {}, MADE), (200, {}, MADE)]
    async with aiohttp.ClientSession() as session:
        first, second = (
            Route("POST", CALLBACK, webhook_id=number, webhook_token="t") for number in (1, 2)
        )
        held = asyncio.create_task(patient.request(first, session, payload={"type": 6}))
        await waits.wait()
        assert await patient.request(second, session, payload={"type": 6}) is not None
        assert not held.done()
        goes_on.set()
        await held


async def test_what_is_no_first_answer_goes_as_discord_py_sends_it(there: Discord) -> None:
    there.answers = [(200, {}, MADE)]
    path = "/webhooks/{webhook_id}/{webhook_token}/messages/@original"
    route = Route("PATCH", path, webhook_id=1, webhook_token="t")
    async with aiohttp.ClientSession() as session:
        assert await there.courier().request(route, session, payload={}) == MADE
