"""The bot as it is, but with decks that a test laid ready: they lie in the file RIGGED_DECKS.

    RIGGED_DECKS=decks.json python -m tests.e2e.rigged_bot

The file holds the cards of each deck as text: first the deck that is cut, then one for each hand
of a match by its number, so that a bot that was killed deals on as the one before it. Hands
beyond the last deck are shuffled by the house.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from unittest.mock import patch

import bot.__main__ as program
from bot.play.dealing import hand_deck
from gin import Card, cut_from, parse_cards


def main() -> int:
    """Run the bot; its exit status."""
    laid = json.loads(Path(os.environ["RIGGED_DECKS"]).read_text(encoding="utf-8"))
    cut, *hands = [parse_cards(deck) for deck in laid]

    def deck_of(seed: bytes, number: int) -> tuple[Card, ...]:
        return hands[number - 1] if number <= len(hands) else hand_deck(seed, number)

    def cut_of(_seed: bytes, players: int) -> tuple[Card, ...]:
        return cut_from(cut, players)

    with patch.multiple("bot.play.tables", cut_cards=cut_of, hand_deck=deck_of):
        return program.main()


if __name__ == "__main__":
    sys.exit(main())
