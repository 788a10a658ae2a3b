"""How a match was shuffled, and how anybody can check it, in plain words."""

from __future__ import annotations

from functools import partial
from typing import Final

from bot.ui import escape
from bot.ui.findings import findings_words
from bot.ui.language import _, ngettext
from bot.ui.page import Page, Picture, VerifyShown
from bot.ui.pages.challenge import added_words, short_commitment
from bot.ui.parts import SUBTLE, Accent, Composer, against, bullets, lines
from bot.ui.times import until

_FINDINGS: Final = 700
"""Characters of findings shown; what is wrong comes first, and the file holds all."""
_ABANDONED: Final = 5


def verify_page(shown: VerifyShown) -> Page:
    """What was promised, what each player added, what followed, and how to repeat the check."""
    page = Composer(_accent(shown), reserve=900)
    page.text(f"## {_headline(shown)}")
    if not shown.commitment:
        return page.text(
            _("This match was dealt without a promise, so there is nothing to check.")
        ).page()
    page.text(_promised(shown))
    page.text(_added(shown))
    page.text(_followed(shown))
    page.text(_repeat(shown), reserved=True)
    page.text(_unused(shown), reserved=True)
    if shown.file is not None and shown.file_name is not None:
        about = _("The record of this match's shuffles")
        page.file(Picture(shown.file_name, about, partial(bytes, shown.file)))
    return page.page()


def _accent(shown: VerifyShown) -> Accent:
    if not shown.holds:
        return Accent.WARNING
    return Accent.WON if shown.is_over else Accent.TABLE


def _headline(shown: VerifyShown) -> str:
    names = against(escape.name(person.name) for person in shown.people)
    if not shown.commitment:
        said = _("The shuffles of match {number}, {names}")
    elif not shown.holds:
        said = _("The shuffles of match {number}, {names}, do not hold!")
    elif shown.is_over:
        said = _("The shuffles of match {number}, {names}: everything follows")
    else:
        said = _("The shuffles of match {number}, {names}, so far")
    return said.format(number=shown.match_id, names=names)


def _promised(shown: VerifyShown) -> str:
    secret = _(
        "Before anybody answered the challenge, the house drew a secret and published its "
        "fingerprint (SHA-256) with it, so that it could not change it any more:"
    )
    return lines("**1. " + _("Promised before") + "**", secret, f"`{shown.commitment}`")


def _added(shown: VerifyShown) -> str:
    own = sum(added.is_own for added in shown.contributions)
    if own:
        worth = _(
            "Words were typed after the promise, so the house alone could not have chosen the "
            "deck. Only together with the player who added the last word could it: they could "
            "have tried many words. If you trust nobody, add yours last."
        )
    else:
        worth = _(
            "Nobody typed a word. Discord's numbers prove less: the house doesn't choose them, "
            "but whoever runs it could wait for ones that suit. Type a word next time."
        )
    return lines(
        "**2. " + _("What each player mixed in") + "**",
        bullets([added_words(added) for added in shown.contributions]),
        worth,
    )


def _followed(shown: VerifyShown) -> str:
    title = "**3. " + _("What followed") + "**"
    dealt = ngettext("{count} hand dealt.", "{count} hands dealt.", shown.hands)
    if shown.is_over:
        how = _(
            "The cut and every deck were worked out anew from the secret and these words, and "
            "compared card by card:"
        )
    elif shown.hands_checked:
        how = _(
            "The secret is revealed when the match is over; then every card can be checked. Hands "
            "that have ended can be checked by their own keys now:"
        )
    else:
        how = _(
            "The first hand is being played, so there is nothing to check yet: its deck can be "
            "when it has ended, and everything when the match is over."
        )
    told = dealt.format(count=shown.hands) if shown.is_over or shown.hands_checked else ""
    return lines(title, told, how, _findings(shown))


def _findings(shown: VerifyShown) -> str:
    """The findings, what is wrong first, as many as there is room for."""
    if shown.findings is None:
        return _("**The record can't be checked.** Please show it to those who run this bot.")
    found = findings_words(shown.findings)
    kept: list[str] = []
    room = _FINDINGS
    for line in found:
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    rest = len(found) - len(kept)
    more = ngettext(
        "And {count} more line, in the file.", "And {count} more lines, in the file.", rest
    )
    return lines(*kept, more.format(count=rest) if rest else "")


def _repeat(shown: VerifyShown) -> str:
    if shown.file_name is None:
        return ""
    said = _(
        "Save the file below. With Python and a copy of Ginhouse's `gin` folder, which needs "
        "nothing else, type `python -m gin verify {file}`: it works everything out again on your "
        "own machine, and names the hand and the card if one differs."
    )
    return lines(
        "**4. " + _("Check it yourself") + "**", said.format(file=shown.file_name.replace("`", ""))
    )


def _unused(shown: VerifyShown) -> str:
    """Promises that led to no match: nobody can try many and keep the one he likes unseen."""
    if not shown.abandoned:
        return ""
    newest = shown.abandoned[:_ABANDONED]
    told = ", ".join(
        f"{short_commitment(one.commitment)} ({_became(one.became)} {until(one.when)})"
        for one in newest
    )
    rest = len(shown.abandoned) - len(newest)
    more = " " + _("and {count} more").format(count=rest) if rest else ""
    said = _(
        "Promises made here that led to no match, told so that nobody can make many until one "
        "suits: {list}."
    )
    return SUBTLE + said.format(list=told + more)


def _became(status: str) -> str:
    words = {
        "declined": _("declined"),
        "withdrawn": _("withdrawn"),
        "expired": _("expired"),
    }
    return words.get(status, status)
