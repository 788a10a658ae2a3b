"""The routes of the HTTP API, one module for each kind of thing; importing enters them."""

from playground.routes import (
    application,
    callbacks,
    channels,
    guilds,
    messages,
    reactions,
    threads,
    users,
    webhooks,
)

__all__ = [
    "application",
    "callbacks",
    "channels",
    "guilds",
    "messages",
    "reactions",
    "threads",
    "users",
    "webhooks",
]
