"""Challenges: the invitation with its terms, and what became of it."""

from __future__ import annotations

from bot.ui import escape
from bot.ui.controls import Control, Verb
from bot.ui.language import _
from bot.ui.page import ChallengeShown, Page, PersonShown
from bot.ui.parts import SUBTLE, Accent, Composer, Press, Style, bullets, lines
from bot.ui.terms import short_terms, terms
from bot.ui.times import until


def challenge_page(shown: ChallengeShown) -> Page:
    """An open challenge: who, the terms in plain words, Accept, Decline, Withdraw.

    The challenged are named by mentions; the sender allows these to notify.
    """
    page = Composer(Accent.TURN)
    challenged = _(" and ").join(f"<@{person.id}>" for person in shown.opponents)
    page.text(
        "## "
        + _("{name} challenges {challenged} to gin").format(
            name=escape.name(shown.challenger.name), challenged=challenged
        )
    )
    page.text(shown.note or "")
    page.text(bullets(terms(shown.rules)))
    waiting = [person for person in shown.opponents if person.id not in shown.accepted]
    accepted = [person for person in shown.opponents if person.id in shown.accepted]
    page.text(
        lines(
            _("Accepted by {names}.").format(names=_names(accepted)) if accepted else "",
            _("{names}, will you play? The offer ends {until}.").format(
                names=_names(waiting), until=until(shown.expires_at)
            ),
        )
    )
    return page.buttons(
        Press(_control(shown, Verb.ACCEPT), _("Accept"), Style.success),
        Press(_control(shown, Verb.DECLINE), _("Decline"), Style.danger),
        Press(_control(shown, Verb.WITHDRAW), _("Withdraw")),
    ).page()


def accepted_page(shown: ChallengeShown) -> Page:
    """A challenge that became a match."""
    page = Composer(Accent.TABLE)
    page.text(
        "## "
        + _("{names} sit down to gin").format(names=_names([shown.challenger, *shown.opponents]))
    )
    page.text(SUBTLE + short_terms(shown.rules))
    return page.text(
        _(
            "The cards are dealt. Your hand comes by direct message, and **My hand** on the table "
            "shows it as well."
        )
    ).page()


def challenge_over_page(shown: ChallengeShown, sentence: str) -> Page:
    """A challenge that came to nothing; ``sentence`` says how (markdown of ours)."""
    page = Composer(Accent.LOST)
    page.text(
        "### "
        + _("{name} challenged {names} to gin").format(
            name=escape.name(shown.challenger.name), names=_names(shown.opponents)
        )
    )
    return page.text(sentence).text(SUBTLE + short_terms(shown.rules)).page()


def _names(people: list[PersonShown] | tuple[PersonShown, ...]) -> str:
    names = [escape.name(person.name) for person in people]
    if len(names) < 2:
        return "".join(names)
    return _("{names} and {last}").format(names=", ".join(names[:-1]), last=names[-1])


def _control(shown: ChallengeShown, verb: Verb) -> Control:
    return Control(verb, shown.challenge_id)
