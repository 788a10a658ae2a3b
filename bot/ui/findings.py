"""What a check of the shuffles found, in words; hands that hold are told together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from bot.ui import cardwords
from bot.ui.language import _, ngettext
from gin.proof import Checked, Finding


def findings_words(findings: Sequence[Finding]) -> list[str]:
    """Each finding as a line with its mark, what is wrong first; hands in a row as one line."""
    wrong = [found for found in findings if not found.holds]
    right = [found for found in findings if found.holds and found.checked is not Checked.LATER]
    return [
        *("✗ **" + _wrong(found) + "**" for found in wrong),
        *("✓ " + _right(found) for found in right if found.checked is not Checked.DECK),
        *("✓ " + _decks(first, last) for first, last in _in_a_row(right)),
    ]


def _right(found: Finding) -> str:
    if found.checked is Checked.CUT:
        return _("The cut {cards} follows from the secret and the words.").format(
            cards=cardwords.cards(found.follows)
        )
    return _("The secret is the one that was promised before the match.")


def _wrong(found: Finding) -> str:
    match found.checked:
        case Checked.COMMITMENT:
            said = _("The secret isn't the one that was promised.")
        case Checked.CUT:
            said = _("The cut was {given}; what follows is {follows}.")
        case Checked.KEY:
            said = _("Hand {hand}: its key isn't the one that follows.")
        case _deck:
            said = _(
                "Hand {hand}: card {place} of the deck was {given}; what follows is {follows}."
            )
    return said.format(
        hand=found.hand,
        place=found.place,
        given=cardwords.cards(found.given),
        follows=cardwords.cards(found.follows),
    )


def _decks(first: int, last: int) -> str:
    said = ngettext(
        "Hand {first}: all 52 cards are where they belong.",
        "Hands {first} to {last}: all 52 cards are where they belong.",
        last - first + 1,
    )
    return said.format(first=first, last=last)


def _in_a_row(right: Iterable[Finding]) -> list[tuple[int, int]]:
    """The first and the last number of each row of hands whose decks hold."""
    numbers = sorted(found.hand for found in right if found.hand is not None)
    rows = groupby(enumerate(numbers), key=lambda placed: placed[1] - placed[0])
    together = [[number for _place, number in row] for _start, row in rows]
    return [(row[0], row[-1]) for row in together]
