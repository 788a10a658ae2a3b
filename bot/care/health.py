"""``python -m bot health``: ask a bot that runs on this machine whether it is well.

For health checks of containers and the like. Asked over its figures, so METRICS_PORT has to be
set; they come from a thread of their own, which is why they tell when the event loop last came by.
A bot is well whose event loop turns and which Discord can reach, or could a few minutes ago.
"""

from __future__ import annotations

import urllib.request
from datetime import timedelta
from http.client import HTTPException, InvalidURL
from time import time  # noqa: TID251 - of the machine, as in the figures of that other process
from typing import Final
from urllib.error import URLError

from prometheus_client.parser import text_string_to_metric_families

from bot.metrics import CONNECTED, LOOP_SEEN

PATIENCE: Final = timedelta(seconds=4)
AWAY_FOR: Final = timedelta(seconds=30)
"""A loop that was busy for so long answers nobody in time."""
UNHEARD_FOR: Final = timedelta(minutes=10)
"""discord.py reconnects by itself after Discord's outages, most of which are over by then."""


def ask(host: str, port: int | None) -> tuple[bool, str]:
    """Return whether the bot whose figures are at this address is well, and a sentence."""
    if port is None:
        return False, "METRICS_PORT isn't set, so the bot can't be asked how it is."
    asked = "127.0.0.1" if host in ("", "0.0.0.0", "::") else host  # noqa: S104 - compared only
    address = f"http://[{asked}]:{port}" if ":" in asked else f"http://{asked}:{port}"
    try:
        with urllib.request.urlopen(  # noqa: S310 - an address of our own making
            f"{address}/metrics", timeout=PATIENCE.total_seconds()
        ) as page:
            content = page.read()
    except (OSError, HTTPException, UnicodeError) as error:
        return False, f"The bot doesn't answer at {address} ({_why(error)})."
    figures = _figures(content)
    if LOOP_SEEN not in figures:
        return False, f"What answers at {address} is no Ginhouse."
    now = time()
    away = now - figures[LOOP_SEEN]
    if away > AWAY_FOR.total_seconds():
        return False, f"The bot has been busy or stuck for {away:.0f} seconds."
    unheard = now - figures.get(CONNECTED, now)  # a version before this one doesn't say
    if unheard > UNHEARD_FOR.total_seconds():
        minutes = unheard // 60
        return False, f"The bot has had no whole connection to Discord for {minutes:.0f} minutes."
    return True, "The bot is well."


def _why(error: BaseException) -> str:
    """In a few words, what came instead of an answer."""
    reason = error.reason if isinstance(error, URLError) else error
    if isinstance(reason, TimeoutError):
        return f"no word of it for {PATIENCE.total_seconds():.0f} seconds"
    if isinstance(reason, OSError) and reason.strerror:
        return reason.strerror.lower()
    if isinstance(reason, (UnicodeError, InvalidURL)):
        return "METRICS_HOST is no name of a host"
    if isinstance(reason, HTTPException):
        return "what answers there doesn't speak HTTP, or broke off"
    return str(reason).lower()


def _figures(page: bytes) -> dict[str, float]:
    """The moments that a page of figures tells, by name; none where it is another page."""
    try:
        return {
            sample.name: sample.value
            for family in text_string_to_metric_families(page.decode())
            for sample in family.samples
            if sample.name in (LOOP_SEEN, CONNECTED)
        }
    except ValueError:  # no page of figures
        return {}
