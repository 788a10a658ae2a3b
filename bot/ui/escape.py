"""Texts that people chose (names, typed words) made harmless and readable (faults.md, row 18).

Cleaning takes away what can't be seen or turns the line around; escaping takes the meaning from
markdown and mentions. Mentions are closed by the sender as well: this is for what the eye sees.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from bot.ui.language import REMEMBERED, _, remembered
from bot.ui.limits import NAME, clip

_BLANKS: Final = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters by their category that show nothing."""
_EMOJI_JOINERS: Final = frozenset("\u200d\ufe0e\ufe0f")
_MARKUP: Final = re.compile(r"([\\*_~|`<\[\]]|^[-+#>]|(?<=^\d)\.|(?<=^\d\d)\.|:(?=//))")
"""What Discord would read as markup: anywhere, at the start of a line, and in web addresses."""
_MARKS_IN_A_ROW: Final = 2
"""Combining marks kept on one letter: enough for any script in use, too few for zalgo."""
_CELLS_OF: Final = NAME * (1 + _MARKS_IN_A_ROW)
"""Characters of a name of 32 letters with all the marks that are kept of it."""
_NUMBER: Final = re.compile(r" ([0-9]{1,3})$")
_LEAST_CUT: Final = 3
"""Cells of a name that are worth showing before its number."""
_ISOLATE: Final = "\u2068"
_END_ISOLATE: Final = "\u2069"
_WITHOUT_WIDTH: Final = frozenset(("Mn", "Me", "Cf"))
"""Marks that stand over, under or around a letter, and what can't be seen."""
_JAMO_WITHIN: Final = frozenset(map(chr, range(0x1160, 0x1200)))
"""Vowels and finals of Hangul, drawn within the syllable that their first letter began."""


@lru_cache(REMEMBERED)
def clean(text: str, most: int = NAME) -> str:
    """Drop controls, direction overrides, zero-width and stacked marks; one space between words.

    May return an empty text. ``most`` counts characters.
    """
    kept: list[str] = []
    marks = 0
    for letter in unicodedata.normalize("NFC", text):
        category = unicodedata.category(letter)
        if category.startswith("Z") or letter in "\t\r\n" or letter in _BLANKS:
            kept.append(" ")
        elif letter in _EMOJI_JOINERS:
            if kept and unicodedata.category(kept[-1]) in ("So", "Sk", "Mn"):
                kept.append(letter)
        elif category.startswith("C") and category != "Co":
            continue
        elif category.startswith("M"):
            marks += 1
            if marks <= _MARKS_IN_A_ROW and kept:
                kept.append(letter)
            continue
        else:
            kept.append(letter)
        if letter not in _EMOJI_JOINERS:
            marks = 0
    return clip(" ".join("".join(kept).split()), most).strip("\u200d\ufe0e\ufe0f")


@remembered
def plain(name: str) -> str:
    """A name for a label, a picture or an alt text, where no markdown is read."""
    return _isolated(clean(name) or _("a player"))


def text(typed: str, most: int = 60) -> str:
    """Words that somebody typed, quoted in a sentence of ours."""
    return _isolated(_marked(clean(typed, most)))


@remembered
def name(name: str) -> str:
    """A person's name for a text display: markdown and mentions without effect."""
    return _isolated(_marked(clean(name) or _("a player")))


def cells(name: str, width: int) -> str:
    """A name for a code block, cut and padded to ``width`` cells (wide letters take two).

    What stands beside it keeps its place, whichever way the name is read. A number at its end
    stays: it may be all by which two are told apart.
    """
    shown = clean(name, _CELLS_OF).replace("`", "ʼ") or _("a player")
    number = _NUMBER.search(shown)
    if number is not None and cell_width(shown) > width >= _LEAST_CUT + len(number[1]):
        head = _cut(shown[: number.start()] + " ", width - len(number[1]))
        return _isolated(head + number[1]) + " " * (width - cell_width(head + number[1]))
    kept = _cut(shown, width)
    return _isolated(kept) + " " * (width - cell_width(kept))


def _cut(shown: str, width: int) -> str:
    """What fits into so many cells, with an ellipsis where that isn't all."""
    kept, used = "", 0
    for letter in shown:
        size = cell_width(letter)
        if used + size > width:
            while kept and used + 1 > width:
                used -= cell_width(kept[-1])
                kept = kept[:-1]
            kept, used = kept + "…", used + 1
            break
        kept, used = kept + letter, used + size
    return kept


def cell_width(text: str) -> int:
    """How many cells of a monospaced line the text fills."""
    return sum(map(_letter_width, text))


def _letter_width(letter: str) -> int:
    if unicodedata.category(letter) in _WITHOUT_WIDTH or letter in _JAMO_WITHIN:
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def legible(typed: str) -> str:
    """What was typed, in the plain letters and digits that it is read by.

    Full-width and other forms become the usual ones, and what can't be seen goes; lines stay.
    """
    kept = []
    for letter in unicodedata.normalize("NFKC", typed):
        category = unicodedata.category(letter)
        if category == "Nd":
            kept.append(str(unicodedata.decimal(letter)))
        elif category.startswith("Z") or letter in _BLANKS:
            kept.append(" ")
        elif letter in "\t\r\n" or (not category.startswith("C") and letter not in _EMOJI_JOINERS):
            kept.append(letter)
    return "".join(kept)


def _marked(text: str) -> str:
    return _MARKUP.sub(r"\\\1", text).replace("@", "@\u200b")


def _isolated(text: str) -> str:
    """Keep a right-to-left name from reordering the numbers beside it."""
    if any(unicodedata.bidirectional(letter) in ("R", "AL", "AN") for letter in text):
        return f"{_ISOLATE}{text}{_END_ISOLATE}"
    return text


def whole(typed: str) -> str:
    """What was typed, as text that can be written down.

    Half a character (a lone surrogate) has no bytes, and databases keep no zero.
    """
    return typed.encode("utf-8", "replace").decode("utf-8").replace("\0", "")
