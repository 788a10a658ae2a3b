"""What the clock has people told: time running out, time that is up, a match that nobody plays."""

from __future__ import annotations

from bot.ui.clocks import threat
from bot.ui.controls import Verb
from bot.ui.language import _
from bot.ui.page import MatchShown, Page
from bot.ui.pages import facts
from bot.ui.parts import Accent, Composer, Press, Style, lines, listed
from bot.ui.times import until
from gin.actions import Seat


def reminder_page(shown: MatchShown, seat: Seat, called: int | None = None) -> Page:
    """Tell a player that his time is running out; ``called``: his id, to be mentioned."""
    page = Composer(Accent.TURN)
    page.text("## " + _("Your time is running out"))
    ends = "" if shown.deadline is None else until(shown.deadline)
    page.text(
        lines(
            _mention(called),
            _("Your turn in the match against {names} ends {until}.").format(
                names=_others(shown, seat), until=ends
            ),
            "" if shown.clock is None else threat(shown.clock.then),
        )
    )
    return page.buttons(_my_hand(shown), facts.table_link(shown)).page()


def time_up_page(
    shown: MatchShown, seat: Seat, reader: Seat | None, called: int | None = None
) -> Page:
    """Tell ``reader`` that the time of ``seat`` is up, in a match in which everybody waits."""
    page = Composer(Accent.WARNING)
    if reader is seat:
        page.text("## " + _("Your time is up"))
        said = _(
            "By the clock of this match the others wait for you. Play on when you can; "
            "`/gin resign` gives it up."
        )
    else:
        name = facts.names(shown)[seat]
        page.text("## " + _("{name}'s time is up").format(name=name))
        said = _(
            "By the clock of this match everybody waits. After 14 days without a move "
            "`/gin cancel` closes it, unscored."
        )
    page.text(lines(_mention(called), said))
    return page.buttons(_my_hand(shown), facts.table_link(shown)).page()


def idle_page(shown: MatchShown, reader: Seat, called: int | None = None) -> Page:
    """Tell a player that nobody has played for long, and that he may close the match."""
    page = Composer(Accent.WARNING)
    page.text("## " + _("Nobody has played for two weeks"))
    page.text(
        lines(
            _mention(called),
            _("Your match against {names} stands still.").format(names=_others(shown, reader)),
            _("Each of you may close it now; it counts for nobody. Or play on, whenever you like."),
            facts.score(shown),
        )
    )
    return page.buttons(facts.close_press(shown), _my_hand(shown), facts.table_link(shown)).page()


def _mention(person: int | None) -> str:
    return "" if person is None else f"<@{person}>"


def _others(shown: MatchShown, seat: Seat) -> str:
    names = [name for other, name in enumerate(facts.names(shown)) if other != seat]
    return listed(names)


def _my_hand(shown: MatchShown) -> Press:
    return Press(facts.control(shown, Verb.MY_HAND), _("My hand"), Style.success)
