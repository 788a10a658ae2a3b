"""The permissions that the bot needs for a table, under the names that Discord shows."""

from __future__ import annotations

import discord

from bot.ui.language import _


def needed(*, in_thread: bool) -> tuple[tuple[str, str], ...]:
    """Discord.py's name and Discord's own for each permission that a table needs."""
    speaking = (
        ("send_messages_in_threads", _("Send Messages in Threads"))
        if in_thread
        else ("send_messages", _("Send Messages"))
    )
    return (("view_channel", _("View Channel")), speaking, ("attach_files", _("Attach Files")))


def missing(rights: discord.Permissions, *, in_thread: bool) -> tuple[str, ...]:
    """The names of those that are missing; who doesn't see a channel has no others there."""
    (seeing, sight), *rest = needed(in_thread=in_thread)
    if not getattr(rights, seeing):
        return (sight,)
    return tuple(name for right, name in rest if not getattr(rights, right))
