"""The bot's wording in one place: language, cards, moves, terms and what people type.

A front for :mod:`~bot.ui.language`, :mod:`~bot.ui.cardwords`, :mod:`~bot.ui.typed`,
:mod:`~bot.ui.moves` and :mod:`~bot.ui.terms`, so that one import serves most callers.
"""

from __future__ import annotations

from bot.ui.cardwords import (
    card,
    cards,
    grouped,
    hand,
    in_order,
    melds,
    spoken,
    spoken_all,
    spread,
    spread_of,
    sum_of,
    typed_cards,
    typed_melds,
)
from bot.ui.language import _, ngettext, pgettext, speaking
from bot.ui.moves import last_turn, move_words, turn_words
from bot.ui.terms import limit_words, short_terms, terms
from bot.ui.times import until
from bot.ui.typed import NotUnderstood, parse_card, parse_cards, parse_melds

__all__ = [
    "NotUnderstood",
    "_",
    "card",
    "cards",
    "grouped",
    "hand",
    "in_order",
    "last_turn",
    "limit_words",
    "melds",
    "move_words",
    "ngettext",
    "parse_card",
    "parse_cards",
    "parse_melds",
    "pgettext",
    "short_terms",
    "speaking",
    "spoken",
    "spoken_all",
    "spread",
    "spread_of",
    "sum_of",
    "terms",
    "turn_words",
    "typed_cards",
    "typed_melds",
    "until",
]
