"""What the desk answers: a page or a modal, for whom, and what is to be shown elsewhere after."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import discord

from bot.ui.page import Page
from db.ids import ChannelId, MatchId, MessageId, PersonId
from gin import Seat

Delivered = Callable[[ChannelId, MessageId], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Panel:
    """The private hand that a page shows: whose, of which match, at which version."""

    match: MatchId
    seat: Seat
    version: int


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer to one interaction."""

    page: Page | None = None
    modal: discord.ui.Modal | None = None
    """Must be the first answer: a reply with a modal is worked out from a read, never later."""
    public: bool = False
    ping: tuple[PersonId, ...] = ()
    """Whom a public answer may notify."""
    in_place: bool = True
    """Whether a press on the person's own panel changes that panel (else a new message)."""
    replaces_public: bool = False
    """Whether a press on a public message changes that message (a challenge that was answered)."""
    panel: Panel | None = None
    changed: MatchId | None = None
    """A match whose table and hands must be brought up to date after the answer."""
    delivered: Delivered | None = None
    """Told where the answer stands, once it stands there."""
    undelivered: Callable[[], Awaitable[None]] | None = None
    """Called instead where the answer could not be given."""
