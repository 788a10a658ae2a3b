"""Challenges: the invitation with its terms, and what became of it."""

from __future__ import annotations

from typing import Final

from bot.ui import escape
from bot.ui.clocks import clock_terms, turn_terms
from bot.ui.controls import Control, Verb
from bot.ui.language import _, ngettext
from bot.ui.page import AddedWord, ChallengeShown, Form, Page, PersonShown
from bot.ui.pages.forms import field
from bot.ui.parts import SUBTLE, Accent, Composer, Press, Style, bullets, lines, listed
from bot.ui.terms import short_terms, terms
from bot.ui.times import clock_time

WORD_MOST: Final = 100
"""Characters of a word that somebody adds to the shuffles."""
_SHORT: Final = 12
_BELOW: Final = 950
"""Characters kept for what is said of the shuffles, and of whose the buttons are."""


def challenge_page(shown: ChallengeShown) -> Page:
    """An open challenge: who, the terms in plain words, the buttons of each side, the words.

    The challenged are named by mentions; the sender allows these to notify.
    """
    page = Composer(Accent.TURN, reserve=_BELOW)
    challenged = listed(
        [
            escape.name(person.name) if person.has_gone else f"<@{person.id}>"
            for person in shown.opponents
        ]
    )
    page.text(
        "## "
        + _("{name} challenges {challenged} to gin").format(
            name=escape.name(shown.challenger.name), challenged=challenged
        )
    )
    page.text(shown.note or "")
    page.text(lines(_house(shown), bullets([*terms(shown.rules), clock_terms(shown.clock)])))
    page.text(_answers(shown))
    page.text(_promise(shown), reserved=True)
    page.text(_for(shown.opponents), reserved=True)
    page.buttons(
        Press(_control(shown, Verb.ACCEPT), _("Accept"), Style.success),
        _if_promised(shown, Verb.ACCEPT_WORD, _("Accept with a word…")),
        Press(_control(shown, Verb.DECLINE), _("Decline"), Style.danger),
    )
    page.text(_for((shown.challenger,)), reserved=True)
    return page.buttons(
        _if_promised(shown, Verb.WORD, _("Add my word…")),
        Press(_control(shown, Verb.WITHDRAW), _("Withdraw")),
    ).page()


def accepted_page(shown: ChallengeShown) -> Page:
    """A challenge that became a match, with what everybody mixed into the shuffles."""
    page = Composer(Accent.TABLE)
    page.text(
        "## "
        + _("{names} sit down to gin").format(names=_names([shown.challenger, *shown.opponents]))
    )
    page.text(SUBTLE + _short_terms(shown))
    page.text(
        _(
            "The cards are dealt. Your hand comes by direct message, and **My hand** on the table "
            "shows it as well."
        )
    )
    if shown.commitment:
        page.text(
            lines(
                *(SUBTLE + added_words(added) for added in shown.added),
                SUBTLE + _("Shuffled from these and from the secret behind this seal:"),
                SUBTLE + f"`{shown.commitment}`",
                SUBTLE + _("`/gin verify` shows how anybody can check it."),
            )
        )
    return page.page()


def challenge_over_page(shown: ChallengeShown, sentence: str) -> Page:
    """A challenge that came to nothing; ``sentence`` says how (markdown of ours)."""
    page = Composer(Accent.LOST)
    page.text(
        "### "
        + _("{name} challenged {names} to gin").format(
            name=escape.name(shown.challenger.name), names=_names(shown.opponents)
        )
    )
    return page.text(sentence).text(SUBTLE + _short_terms(shown)).page()


def word_modal(challenge_id: int, *, accepting: bool) -> Form:
    """A form for a word of one's own, mixed into the shuffles: field ``word``.

    ``accepting``: its submit accepts the challenge as well (``accept-typed``, else
    ``word-typed``).
    """
    verb = Verb.ACCEPT_TYPED if accepting else Verb.WORD_TYPED
    form = Form(
        title=_("Accept with a word of your own") if accepting else _("A word of your own"),
        custom_id=Control(verb, challenge_id).encode(),
    )
    return form.add_item(
        field(
            "word",
            _("Your word"),
            _("Anything at all. My secret is settled already, so I can't choose the cards by it."),
            "",
            WORD_MOST,
        )
    )


def short_commitment(commitment: str) -> str:
    """The beginning of a commitment, as it is spoken of: `` `3f2a91c0…` ``."""
    return f"`{commitment[:_SHORT]}…`"


def added_words(added: AddedWord) -> str:
    """What one player mixed in, in a line: the word he typed, or what was taken instead."""
    name = escape.name(added.person.name)
    word = escape.text(added.word, WORD_MOST)
    if added.is_own:
        return _("{name}: “{word}”").format(name=name, word=word)
    return _("{name}: “{word}”, Discord's number").format(name=name, word=word)


def _house(shown: ChallengeShown) -> str:
    if shown.house is None:
        return ""
    return _("By the house rules “{name}”.").format(name=escape.name(shown.house))


def _short_terms(shown: ChallengeShown) -> str:
    said = short_terms(shown.rules, None if shown.house is None else escape.name(shown.house))
    return said if shown.clock is None else f"{said} · {turn_terms(shown.clock)}"


def _answers(shown: ChallengeShown) -> str:
    """Who has accepted, and who is still asked; until when."""
    waiting = [person for person in shown.opponents if person.id not in shown.accepted]
    accepted = [person for person in shown.opponents if person.id in shown.accepted]
    asked = _("{names}, will you play? The offer stands until {until}.")
    if len(shown.opponents) > 1 and len(waiting) == 1:
        asked = _("Still to accept: {names}. The offer stands until {until}.")
    elif len(shown.opponents) > 1:
        asked = _("{names}, will you play? Both have to accept. The offer stands until {until}.")
    return lines(
        _("Accepted by {names}.").format(names=_names(accepted)) if accepted else "",
        asked.format(names=_names(waiting), until=clock_time(shown.expires_at)) if waiting else "",
    )


def _promise(shown: ChallengeShown) -> str:
    """What is promised of the shuffles, and why one would add a word."""
    if not shown.commitment:
        return ""
    people = [shown.challenger, *shown.opponents]
    spoken = [person for person in people if person.id in shown.words]
    return lines(
        ngettext("Word added by {names}.", "Words added by {names}.", len(spoken)).format(
            names=_names(spoken)
        )
        if spoken
        else "",
        SUBTLE
        + _(
            "Nobody can choose the cards: they are shuffled from a secret that I have settled on "
            "(its seal stands below) and a word from each player. Add any word you like. If you "
            "add none, a number from Discord is taken for it, which proves a little less."
        ),
        SUBTLE + f"`{shown.commitment}`",
    )


def _for(people: tuple[PersonShown, ...]) -> str:
    """Whose buttons stand below."""
    return SUBTLE + _("For {names}:").format(names=_names(people))


def _if_promised(shown: ChallengeShown, verb: Verb, label: str) -> Press | None:
    return Press(_control(shown, verb), label) if shown.commitment else None


def _names(people: list[PersonShown] | tuple[PersonShown, ...]) -> str:
    return listed([escape.name(person.name) for person in people])


def _control(shown: ChallengeShown, verb: Verb) -> Control:
    return Control(verb, shown.challenge_id)
