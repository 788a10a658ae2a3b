"""Discord's limits on what we send, and cutting texts to them."""

from __future__ import annotations

import unicodedata
from typing import Final

TEXT: Final = 4000
"""Characters of all text displays of a message together."""
BUTTONS: Final = 5
"""Buttons in one row."""
OPTIONS: Final = 25
"""Options of a select."""
CHOICES: Final = 25
"""Autocomplete's suggestions."""
BUTTON_LABEL: Final = 80
OPTION_LABEL: Final = 100
OPTION_DESCRIPTION: Final = 100
CHOICE_NAME: Final = 100
PLACEHOLDER: Final = 150
CUSTOM_ID: Final = 100
ALT_TEXT: Final = 1024
INPUT_LABEL: Final = 45
INPUT_DESCRIPTION: Final = 100
NAME: Final = 32
"""Characters of a person's name, as Discord allows them and as we show them."""

_JOINERS: Final = "\u200d\ufe0e\ufe0f\\"


def page_within(asked: int | None, count: int, size: int) -> tuple[int, int]:
    """The page asked for (from 0; None is the last) within those there are, and how many those are.

    ``count`` lines, ``size`` of them a page; there is always a first page.
    """
    pages = max(1, -(-count // size))
    return pages - 1 if asked is None else max(0, min(asked, pages - 1)), pages


def clip(text: str, most: int) -> str:
    """Cut ``text`` to ``most`` characters, an ellipsis for what is missing.

    The cut never leaves half an escape (a lone backslash) or half an emoji sequence behind.
    """
    if len(text) <= most:
        return text
    if most < 1:
        return ""
    kept = text[: most - 1]
    if unicodedata.combining(text[most - 1]) or text[most - 1] in "\u200d\ufe0e\ufe0f":
        while kept and (unicodedata.combining(kept[-1]) or kept[-1] in _JOINERS):
            kept = kept[:-1]
        kept = kept[:-1]
    while kept and kept[-1] in _JOINERS:
        kept = kept[:-1]
    return kept.rstrip() + "…"
