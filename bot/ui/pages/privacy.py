"""``/gin privacy``: what is kept of a person, taking it along, and deleting it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from bot.ui.controls import Control, Verb
from bot.ui.language import _, ngettext
from bot.ui.page import Page, Picture
from bot.ui.parts import SUBTLE, Accent, Composer, Press, Style, bullets, lines


@dataclass(frozen=True, slots=True)
class KeptShown:
    """How long things are kept, in days; 0 is for ever."""

    unplayed: int
    """Challenges that led to no match."""
    acts: int
    """What administrators did."""
    absent: int
    """People who play no more."""


def privacy_page(person: int, kept: KeptShown) -> Page:
    """What is kept, for how long, and the two things that can be done about it."""
    page = Composer(Accent.TABLE).text("## " + _("Your data"))
    page.text(
        lines(
            _("I keep, of everybody who plays:"),
            bullets(
                [
                    _(
                        "your Discord id, the name you were last seen with, and whether direct "
                        "messages reach you"
                    ),
                    _("your matches: their rules, cards, acts and results, each with its time"),
                    _("your challenges, and the words you typed into shuffles"),
                    _("your settings, and the list of people you don't play with"),
                    _("your vacations of the last year, as clocks stood still on them"),
                    _("what you did as an administrator, and whether a server has blocked you"),
                ]
            ),
            _("I read no other messages, and nothing is given to anybody else."),
        )
    )
    page.text(
        bullets(
            [
                _unplayed(kept.unplayed),
                _acts(kept.acts),
                _absent(kept.absent),
            ]
        )
    )
    page.buttons(
        Press(Control(Verb.EXPORT, person), _("Send me my data"), Style.primary),
        Press(Control(Verb.DELETE_MENU, person), _("Delete my data…"), Style.danger),
    )
    return page.text(SUBTLE + _("The whole of it stands in the project's PRIVACY.md.")).page()


def delete_page(person: int, running: int) -> Page:
    """Ask whether everything shall really go."""
    page = Composer(Accent.WARNING).text("## " + _("Delete your data?"))
    resigned = ngettext(
        "You are in {count} running match: it is **resigned**, so that the others have their "
        "result.",
        "You are in {count} running matches: they are **resigned**, so that the others have their "
        "results.",
        running,
    ).format(count=running)
    page.text(
        bullets(
            [
                *([resigned] if running else []),
                _("Your open challenges are withdrawn or declined."),
                _(
                    "Your name, id, settings, lists, vacations and words go. In shared matches and "
                    "tables you become a *former player*; the results of others stay as they are."
                ),
                _(
                    "Your past matches can't be verified any more, as your id was part of their "
                    "shuffles."
                ),
                _("Messages that stand in channels stay there; moderators can delete them."),
                _("A server's block stays, with your id, until its moderators lift it."),
            ]
        )
    )
    page.text(_("This can't be undone."))
    return page.buttons(
        Press(Control(Verb.DELETE, person), _("Delete everything"), Style.danger),
        Press(Control(Verb.PRIVACY, person), _("Keep it"), Style.primary),
    ).page()


def export_page(name: str, content: bytes) -> Page:
    """The file with everything that is kept of the reader."""
    page = Composer(Accent.TABLE)
    page.text(_("Here is everything that I keep of you, as JSON. Other people are ids in it."))
    return page.file(Picture(name, _("Your data"), partial(bytes, content))).page()


def _unplayed(days: int) -> str:
    return ngettext(
        "Challenges that led to no match go after {count} day.",
        "Challenges that led to no match go after {count} days.",
        days,
    ).format(count=days)


def _acts(days: int) -> str:
    return ngettext(
        "The list of what administrators did goes after {count} day.",
        "The list of what administrators did goes after {count} days.",
        days,
    ).format(count=days)


def _absent(days: int) -> str:
    if not days:
        return _("Matches and results stay until you delete your data.")
    return ngettext(
        "Who hasn't played for {count} day is made a *former player*.",
        "Who hasn't played for {count} days is made a *former player*.",
        days,
    ).format(count=days)
