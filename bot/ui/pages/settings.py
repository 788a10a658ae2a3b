"""``/gin settings``: how a person wants things, and whom he doesn't want to play with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.ui import escape
from bot.ui.controls import Control, Verb
from bot.ui.language import _, ngettext
from bot.ui.page import Page, PersonShown
from bot.ui.parts import SUBTLE, Accent, Composer, Option, Press, Style, bullets
from bot.ui.times import until

CALLS: Final = "calls"
COLOURS: Final = "colours"
VACATION: Final = "vacation"
"""What a switch is called in its control."""


@dataclass(frozen=True, slots=True)
class SettingsShown:
    """One person's settings."""

    person: int
    calls: bool
    """Whether a message notifies him when his turn comes."""
    four_colours: bool
    blocked: tuple[PersonShown, ...] = ()
    vacation: datetime | None = None
    """Until when he is on vacation at most; None while he is there."""
    vacation_days: int = 0
    """Whole days of vacation that he may still take."""


def settings_page(shown: SettingsShown, note: str | None = None) -> Page:
    """The private panel: what is set, and controls that change it."""
    page = Composer(Accent.TABLE, reserve=300).text("## " + _("Your settings")).note(note)
    page.text(
        bullets(
            [
                _("Calls when it is your turn: **on**")
                if shown.calls
                else _("Calls when it is your turn: **off**. Your hand still comes, silently."),
                _("A colour for each suit: **on**")
                if shown.four_colours
                else _("A colour for each suit: **off**. Hearts and diamonds are red."),
                _vacation(shown),
            ]
        )
    )
    page.buttons(
        _switch(
            shown, CALLS, _("Turn calls off") if shown.calls else _("Turn calls on"), shown.calls
        ),
        _switch(
            shown,
            COLOURS,
            _("Two colours") if shown.four_colours else _("Four colours"),
            shown.four_colours,
        ),
        _vacation_switch(shown),
    )
    page.rule()
    page.text(_blocked(shown.blocked))
    page.people_select(
        Control(Verb.BLOCK_PICK, shown.person), _("Somebody you don't want to play with…")
    )
    page.select(
        Control(Verb.UNBLOCK_PICK, shown.person),
        _("Take somebody off the list…"),
        [Option(str(one.id), escape.plain(one.name)) for one in shown.blocked],
    )
    return page.text(
        SUBTLE + _("Nobody is told who is on your list. `/gin privacy` has your data."),
        reserved=True,
    ).page()


def _vacation(shown: SettingsShown) -> str:
    if shown.vacation is not None:
        return _(
            "Vacation: **on**. Your correspondence clocks stand still until you are back, {until} "
            "at the latest."
        ).format(until=until(shown.vacation))
    return ngettext(
        "Vacation: **off**. Correspondence clocks can stand still for you, 14 days at a time and "
        "30 in any twelve months; {count} day is left.",
        "Vacation: **off**. Correspondence clocks can stand still for you, 14 days at a time and "
        "30 in any twelve months; {count} days are left.",
        shown.vacation_days,
    ).format(count=shown.vacation_days)


def _vacation_switch(shown: SettingsShown) -> Press:
    away = shown.vacation is not None
    return _switch(shown, VACATION, _("I'm back") if away else _("Go on vacation"), away)


def _switch(shown: SettingsShown, which: str, label: str, is_on: bool) -> Press:
    # What it turns to stands in the control, so that a second press changes nothing.
    control = Control(Verb.WISH, shown.person, 0, (which, "off" if is_on else "on"))
    return Press(control, label, Style.secondary)


def _blocked(people: Sequence[PersonShown]) -> str:
    if not people:
        return _("You play with everybody. Whoever is on your list can't challenge you.")
    names = ", ".join(escape.name(person.name) for person in people)
    return _("They can't challenge you: {names}").format(names=names)
