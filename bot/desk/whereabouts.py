"""Whereabouts: where the table of a match stands, told to one person, as far as he may know.

Two matches of the same people are told apart by that. A channel's mention shows its name only to
who sees the channel; plain words leave it out for everybody else.
"""

from __future__ import annotations

from bot.front.visit import Visit
from bot.house import House
from bot.play.table import Table
from bot.ui import escape
from bot.ui.language import _
from bot.ui.page import MatchShown
from db.rows import MatchRow


def in_text(house: House, visit: Visit, table: Table, shown: MatchShown) -> str:
    """The channel's mention, from elsewhere the server's name with a link; empty without a table.

    The text is Discord's markdown, for one who plays in the match or is in its channel.
    """
    if not shown.has_table:
        return ""
    if table.row.server_id == visit.server:
        return f"<#{table.channel}>"
    name = house.post.server_name(table.row.server_id)
    said = escape.name(name) if name and escape.clean(name) else _("another server")
    return said if shown.table_url is None else f"[{said}]({shown.table_url})"


def in_plain_words(house: House, visit: Visit, row: MatchRow) -> str:
    """The same without markdown, as a choice must be; empty where he doesn't see the channel."""
    if row.server_id == visit.server:
        name = visit.channel_name(row.thread_id or row.channel_id)
        return "" if name is None else "#" + escape.plain(name)
    name = house.post.server_name(row.server_id)
    return escape.plain(name) if name and escape.clean(name) else _("another server")
