"""What players are told when their table had to leave its place."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from bot.ui import escape
from bot.ui.language import _, ngettext
from bot.ui.page import PersonShown
from bot.ui.parts import lines, listed
from bot.ui.times import date_and_time

MINUTES_COUNTED: Final = 120
"""From here on the time is told in hours."""


def moved_words(match: int, people: Sequence[PersonShown], channel: int) -> str:
    """The table's place is gone or closed, and it was given another."""
    return _(
        "The table of your match {match} couldn't stay where it was. It stands in <#{channel}> "
        "now; nothing is lost."
    ).format(match=_named(match, people), channel=channel)


def gone_words(match: int, people: Sequence[PersonShown]) -> str:
    """The channel is gone, and the match has no table."""
    return lines(
        _(
            "The channel of your match {match} is gone, and the table with it. Nothing is lost: "
            "play on here, or with `/gin hand` anywhere."
        ).format(match=_named(match, people)),
        _(
            "A moderator can set the table up in another channel: `/gin-admin match-move` there. "
            "`/gin resign` and `/gin cancel` end the match, and you are free to begin another."
        ),
    )


def rights_words(
    match: int, people: Sequence[PersonShown], channel: int, missing: Sequence[str]
) -> str:
    """A permission is missing where the table stands; ``missing`` are names, or none if unknown."""
    said = _("I can't show the table of your match {match} in <#{channel}> any more.")
    lack = (
        ngettext(
            "I lack the permission {missing} there.",
            "I lack the permissions {missing} there.",
            len(missing),
        ).format(missing=listed([f"**{name}**" for name in missing]))
        if missing
        else _("I may not write there.")
    )
    return lines(
        said.format(match=_named(match, people), channel=channel) + " " + lack,
        _(
            "The match goes on in direct messages and with `/gin hand`. Ask a moderator to allow "
            "it again, and the table is back."
        ),
    )


def no_table_words() -> str:
    """On a player's hand, while the match has no table that people can see."""
    return _("The table can't be shown on the server at present. Play on from here.")


def no_place_words(*, is_gone: bool, plays: bool) -> str:
    """In a list of matches, of one without a table; ``is_gone``: since its channel was deleted.

    ``plays``: whether who reads it sits at that table.
    """
    said = _("Its table can't be shown at present.")
    if is_gone:
        said = _(
            "The channel of its table is gone, so it has no table at present; a moderator gives it "
            "one with `/gin-admin match-move`."
        )
    return said + (" " + _("Play on with `/gin hand`.") if plays else "")


def away_words(minutes: int) -> str:
    """For a channel in which something had to be redrawn after the bot was away."""
    hours = round(minutes / 60)
    long = (
        ngettext("{count} minute", "{count} minutes", minutes).format(count=minutes)
        if minutes < MINUTES_COUNTED
        else ngettext("{count} hour", "{count} hours", hours).format(count=hours)
    )
    return _("I was away for {time}; nothing was lost. Play on.").format(time=long)


def set_back_words(moment: datetime) -> str:
    """For a channel in which people play, after a backup of that ``moment`` was restored."""
    return lines(
        _(
            "The card room had to be set back to {time}. What was played after that is gone and "
            "doesn't count; I'm sorry."
        ).format(time=date_and_time(moment)),
        _(
            "Every match stands as it stood then. Its table and the hands are being shown anew: "
            "wait for yours, or type `/gin hand`, and play on from there. Cards may come that you "
            "have seen; if you'd rather not go on, `/gin cancel` asks the others to call it off."
        ),
        _(
            "A match or challenge that came after that is gone as a whole: begin it anew with "
            "`/gin challenge`. Older buttons do nothing any more."
        ),
    )


def gone_since_words(moment: datetime) -> str:
    """In place of a table, hand or challenge that a restored backup doesn't know."""
    return _(
        "The card room had to be set back to {time}. What stood here came after that, so it is "
        "gone and doesn't count; I'm sorry. `/gin status` shows what you play now, and "
        "`/gin challenge` begins anew."
    ).format(time=date_and_time(moment))


def _named(match: int, people: Sequence[PersonShown]) -> str:
    """``#12 (Ada – Ben)``."""
    return f"**#{match}** ({' – '.join(escape.name(person.name) for person in people)})"
