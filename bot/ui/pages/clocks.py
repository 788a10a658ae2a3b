"""What the clock has people told: time running out or up, a vacation over, a match at rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.ui.clocks import threat
from bot.ui.controls import Verb
from bot.ui.language import _, ngettext
from bot.ui.page import MatchShown, Page
from bot.ui.pages import facts
from bot.ui.parts import SUBTLE, Accent, Composer, Press, Style, bullets, dotted, lines
from bot.ui.times import until
from gin.actions import Seat

LISTED: Final = 10
"""So many matches are named one by one."""


def reminder_page(shown: MatchShown, seat: Seat, called: int | None = None) -> Page:
    """Tell a player that his time is running out; ``called``: his id, to be mentioned."""
    page = Composer(Accent.TURN)
    page.text(_headed(shown, seat, _("Your time is running out")))
    ends = "" if shown.deadline is None else until(shown.deadline)
    page.text(
        lines(
            _mention(called),
            _("Your turn ends {until}.").format(until=ends),
            "" if shown.clock is None else threat(shown.clock.then),
        )
    )
    return page.buttons(_my_hand(shown), facts.table_link(shown)).page()


def time_up_page(shown: MatchShown, seat: Seat, reader: Seat, called: int | None = None) -> Page:
    """Tell ``reader`` that the time of ``seat`` is up, in a match in which everybody waits."""
    page = Composer(Accent.WARNING)
    if reader is seat:
        title = _("Your time is up")
        said = _(
            "By the clock of this match the others wait for you. Play on when you can; "
            "`/gin resign` gives it up."
        )
    else:
        name = facts.names(shown)[seat]
        title = _("{name}'s time is up").format(name=name)
        said = _(
            "By the clock of this match everybody waits. After 14 days without a move "
            "`/gin cancel` closes it, unscored."
        )
    page.text(_headed(shown, reader, title))
    page.text(lines(_mention(called), said))
    return page.buttons(_my_hand(shown), facts.table_link(shown)).page()


def vacation_over_page(
    matches: Sequence[MatchShown], seats: Sequence[Seat], called: int | None = None
) -> Page:
    """Tell a player that his vacation is over, and in which matches he is awaited.

    ``seats``: his own, by match.
    """
    page = Composer(Accent.TURN)
    page.text("## " + _("Your vacation is over"))
    turns = [_awaited(shown, seat) for shown, seat in zip(matches, seats, strict=True)]
    page.text(lines(_mention(called), _("Your clocks run again, and it's your turn:")))
    left = len(turns) - LISTED
    if left > 0:
        said = ngettext("{count} more match", "{count} more matches", left)
        turns = [*turns[:LISTED], said.format(count=left)]
    page.text(bullets(turns))
    if len(matches) > 1:
        return page.text(_("`/gin hand` shows you each of them.")).page()
    return page.buttons(_my_hand(matches[0]), facts.table_link(matches[0])).page()


def _awaited(shown: MatchShown, seat: Seat) -> str:
    """A match in which a turn's time runs again: against whom, until when, what happens then."""
    ends = "" if shown.deadline is None else _("until {until}").format(until=until(shown.deadline))
    said = dotted(facts.others(shown, seat), ends)
    return said if shown.clock is None else f"{said}. {threat(shown.clock.then)}"


def idle_page(shown: MatchShown, reader: Seat, called: int | None = None) -> Page:
    """Tell a player that nobody has played for long, and that he may close the match."""
    page = Composer(Accent.WARNING)
    page.text(_headed(shown, reader, _("Nobody has played for two weeks")))
    page.text(
        lines(
            _mention(called),
            _("Each of you may close it now; it counts for nobody. Or play on, whenever you like."),
            facts.score(shown),
        )
    )
    return page.buttons(facts.close_press(shown), _my_hand(shown), facts.table_link(shown)).page()


def _mention(person: int | None) -> str:
    return "" if person is None else f"<@{person}>"


def _headed(shown: MatchShown, reader: Seat, title: str) -> str:
    """A title, and of which match it is said: one may sit at several tables."""
    return f"## {title}\n{SUBTLE}{facts.others(shown, reader)}"


def _my_hand(shown: MatchShown) -> Press:
    return Press(facts.control(shown, Verb.MY_HAND), _("My hand"), Style.success)
