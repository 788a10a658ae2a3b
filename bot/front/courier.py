"""The courier: carries first answers to Discord, again and again as long as they can arrive.

An answer has three seconds. discord.py's own second attempt after a failure of Discord's comes a
second later, the third three seconds after that; after most connections that break there is none,
and silence is borne for five minutes. That suits everything but a first answer. What isn't one goes
as discord.py sends it: whoever sends it has to say how long he waits.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

import aiohttp
import discord
import structlog
from discord.http import Route, json_or_text
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

from bot.mail import post

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

TRIED_FOR: Final = timedelta(seconds=2.9)
"""From the first attempt on; whether an answer comes too late by then is for Discord to say."""
FIRST_PAUSE: Final = timedelta(seconds=0.15)
"""After the first failure of Discord's or the network; twice as long after the next, and so on."""
SILENCE: Final = timedelta(seconds=2)
"""An attempt that hears nothing for so long is given up for the next, still in time where the
answer was given at once. That one bears twice as much: perhaps it's Discord that is slow. The
sending itself doesn't count: a picture may take its time. After one second, one of fifteen answers
of a rush on a crowded machine was given up, though most of them had arrived."""
ATTEMPT_TAKES_AT_MOST: Final = timedelta(seconds=3)
"""With all that it sends: after that Discord waits no more."""
EDGE: Final = "Via"
"""A header that Discord's 429 has; without it somebody before Discord has turned us away."""
NEVER_SENT: Final = (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError)
"""No connection came about, so nothing of such an attempt arrived."""
_FIRST_ANSWER: Final = "/callback"
_MESSAGE: Final = discord.InteractionResponseType.channel_message.value

Pause = Callable[[float], Awaitable[None]]
Clock = Callable[[], float]


class Landed(discord.HTTPException):
    """An answer stands already (40060), and it is this one: an earlier attempt of ours arrived.

    Nobody told us so then, and what Discord says now doesn't tell which message it made.
    """


def never_arrived(error: Exception) -> bool:
    """Whether a first answer that failed so arrived at none of its attempts."""
    is_turned_away = isinstance(error, discord.HTTPException) and error.status == 429
    return is_turned_away or isinstance(error, NEVER_SENT)


def employ() -> None:
    """Have every interaction from here on answered through a courier."""
    async_context.set(Courier())


async def tell(interaction: discord.Interaction[discord.Client], answer: dict[str, Any]) -> None:
    """Give a first answer that is made already; raise what discord.py raises.

    ``answer`` is Discord's own JSON (so Any) of a new message. It costs half of what an answer
    costs through discord.py, which makes it anew and reads what became of it.
    """
    route = Route(
        "POST",
        "/interactions/{webhook_id}/{webhook_token}" + _FIRST_ANSWER,
        webhook_id=interaction.id,
        webhook_token=interaction.token,
    )
    session = interaction.followup.session
    await async_context.get().request(route, session, payload={"type": _MESSAGE, "data": answer})


@dataclass(frozen=True, slots=True)
class _Letter:
    """One request, which can be sent more than once."""

    route: Route
    payload: dict[str, Any] | None  # Any: discord.py's own JSON
    multipart: Sequence[dict[str, Any]]
    files: Sequence[discord.File]
    params: Mapping[str, Any] | None
    proxy: str | None
    proxy_auth: aiohttp.BasicAuth | None

    def body(self) -> bytes | aiohttp.FormData:
        """What is sent, from its beginning."""
        if self.payload is not None:
            return json.dumps(self.payload, separators=(",", ":")).encode()
        for file in self.files:
            file.reset()
        form = aiohttp.FormData(quote_fields=False)
        for part in self.multipart:
            form.add_field(**part)
        return form

    @property
    def headers(self) -> dict[str, str]:
        """What stands on it; a form says by itself what it is."""
        return {} if self.payload is None else {"Content-Type": "application/json"}


class Courier(AsyncWebhookAdapter):
    """Sends the answers to interactions for discord.py."""

    def __init__(self, pause: Pause = asyncio.sleep, clock: Clock | None = None) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._pause = pause
        self._clock = clock or (lambda: asyncio.get_running_loop().time())

    async def request(
        self,
        route: Route,
        session: aiohttp.ClientSession,
        *,
        payload: dict[str, Any] | None = None,
        multipart: list[dict[str, Any]] | None = None,
        files: Sequence[discord.File] | None = None,
        params: dict[str, Any] | None = None,
        proxy: str | None = None,
        proxy_auth: aiohttp.BasicAuth | None = None,
        reason: str | None = None,
        auth_token: str | None = None,
    ) -> Any:  # noqa: ANN401 - as discord.py declares it: JSON
        """Send a request until it is taken or there is no time; raise what discord.py raises.

        Of a first answer that was taken unheard it raises `Landed`; of one that may have been,
        how the attempt failed that may have arrived: see `never_arrived`.
        The message that a first answer made is left out of what Discord says: nobody reads it.
        """
        if not route.path.endswith(_FIRST_ANSWER):
            return await super().request(
                route,
                session,
                payload=payload,
                multipart=multipart,
                files=files,
                params=params,
                proxy=proxy,
                proxy_auth=proxy_auth,
                reason=reason,
                auth_token=auth_token,
            )
        letter = _Letter(route, payload, multipart or (), files or (), params, proxy, proxy_auth)
        said = await self._deliver(letter, session)
        if isinstance(said, dict):
            said.pop("resource", None)
        return said

    async def _deliver(
        self, letter: _Letter, session: aiohttp.ClientSession
    ) -> dict[str, Any] | str:
        end = self._clock() + TRIED_FOR.total_seconds()
        pause = FIRST_PAUSE.total_seconds()
        silence = SILENCE.total_seconds()
        unheard: Exception | None = None
        """How an attempt failed that may have arrived."""
        while True:
            try:
                response, said = await self._attempt(letter, session, silence)
            except post.NETWORK as error:
                if not never_arrived(error):
                    unheard = error
                if isinstance(error, TimeoutError):
                    silence *= 2
                if self._clock() + pause > end:
                    raise unheard or error from None
                wait = pause
                log.info("answered once more", error=type(error).__name__, wait=wait)
            else:
                if response.status < 300:
                    return said
                failure = _failure(response, said)
                if failure.code == post.ALREADY_ACKNOWLEDGED and unheard is not None:
                    raise Landed(response, said)
                if response.status >= 500:
                    unheard = failure
                after = _wait(response, said, pause)
                if after is None or self._clock() + after > end:
                    raise (unheard or failure) if never_arrived(failure) else failure
                wait = after
                log.info("answered once more", status=response.status, wait=wait)
            await self._pause(wait)
            pause *= 2

    async def _attempt(
        self, letter: _Letter, session: aiohttp.ClientSession, silence: float
    ) -> tuple[aiohttp.ClientResponse, dict[str, Any] | str]:
        async with session.request(
            letter.route.method,
            letter.route.url,
            data=letter.body(),
            headers=letter.headers,
            params=letter.params,
            proxy=letter.proxy,
            proxy_auth=letter.proxy_auth,
            timeout=aiohttp.ClientTimeout(
                total=ATTEMPT_TAKES_AT_MOST.total_seconds(), connect=silence, sock_read=silence
            ),
        ) as response:
            return response, await json_or_text(response)


def _wait(response: aiohttp.ClientResponse, said: object, pause: float) -> float | None:
    """Seconds before the next attempt; None where there should be none."""
    if response.status >= 500:
        return pause
    if response.status == 429 and EDGE in response.headers and isinstance(said, dict):
        return float(said["retry_after"])
    return None


def _failure(
    response: aiohttp.ClientResponse,
    said: dict[str, Any] | str,
) -> discord.HTTPException:
    if response.status >= 500:
        return discord.DiscordServerError(response, said)
    if response.status == 403:
        return discord.Forbidden(response, said)
    if response.status == 404:
        return discord.NotFound(response, said)
    return discord.HTTPException(response, said)
