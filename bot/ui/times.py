"""Moments as Discord shows them: in the reader's own language and time zone."""

from __future__ import annotations

from datetime import datetime


def clock_time(moment: datetime) -> str:
    """The time of day of a moment: ``<t:…:t>``. It must be aware."""
    if moment.tzinfo is None:
        raise ValueError("a moment without a time zone")
    return f"<t:{int(moment.timestamp())}:t>"


def date_and_time(moment: datetime) -> str:
    """A moment with its date: ``<t:…:f>``. It must be aware."""
    if moment.tzinfo is None:
        raise ValueError("a moment without a time zone")
    return f"<t:{int(moment.timestamp())}:f>"


def until(moment: datetime) -> str:
    """A moment relative to now, kept current by Discord: ``<t:…:R>``. It must be aware."""
    if moment.tzinfo is None:
        raise ValueError("a moment without a time zone")
    return f"<t:{int(moment.timestamp())}:R>"
