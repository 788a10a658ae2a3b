"""Cards, melds and lay-offs as people type them.

Understood: ``7h``, ``7♥``, ``h7``, ``10d``, ``td``, ``seven of hearts``, ``QS``, full-width
digits, playing-card characters, ``789h`` and ``7-8-9h`` for three cards of a suit,
``9sdc`` for three nines. Melds are kept apart by ``/``, ``;``, ``|``, a new line or commas.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import product
from typing import Final

from bot.ui import cardwords, escape
from bot.ui.language import _
from gin.cards import RANKS, SUITS, Card
from gin.errors import MalformedMeld
from gin.melds import Meld


class NotUnderstood(ValueError):
    """What was typed names no cards; ``word`` is the part in question, as typed.

    The message is a sentence for the person who typed, safe to show.
    """

    def __init__(self, sentence: str, word: str = "") -> None:
        super().__init__(sentence)
        self.word = word


_RANK_WORDS: Final[Mapping[str, str]] = {
    "ace": "A", "one": "A", "two": "2", "deuce": "2", "three": "3", "trey": "3", "four": "4",
    "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "T",
    "jack": "J", "knave": "J", "queen": "Q", "king": "K",
}  # fmt: skip
_SUIT_WORDS: Final[Mapping[str, str]] = {
    "spade": "s", "heart": "h", "diamond": "d", "club": "c",
}  # fmt: skip
_SYMBOLS: Final = str.maketrans(
    {"♠": "s", "♤": "s", "♥": "h", "♡": "h", "❤": "h", "♦": "d", "♢": "d", "◆": "d", "♣": "c",
     "♧": "c", "🔟": "10", }
)  # fmt: skip
_FILLERS: Final = frozenset(("and", "of", "the", "with", "&", "+"))
_NOTHING: Final = frozenset(("", "none", "nothing", "no", "-", "—", "0"))
_RANK: Final = r"(?:10|[a2-9tjqk]|(?<!\d)1(?!\d))"
_GROUP: Final = re.compile(rf"({_RANK}+)([shdc]+)")
_COMPACT: Final = re.compile(rf"(?:{_RANK}+[shdc]+)+")
_TURNED: Final = re.compile(rf"([shdc])({_RANK})")
_RANKS_ONLY: Final = re.compile(rf"{_RANK}+")
_ONE_RANK: Final = re.compile(_RANK)
_SPACES: Final = re.compile(r"[\s,.·/;|，、]+|(?<=\w)[-–](?=\w)")
_MELD_ENDS: Final = re.compile(r"[/;|\n]")
LONGEST: Final = 400
"""Characters that are read at all: eleven cards in full words take fewer."""


def parse_card(text: str) -> Card:
    """Read exactly one card; raise :class:`NotUnderstood` with a sentence that names the word."""
    cards = parse_cards(text)
    if not cards:
        raise NotUnderstood(_("Name one card, such as `7h`, `10d` or `queen of spades`."))
    if len(cards) > 1:
        raise NotUnderstood(
            _("Name one card only: “{typed}” is {count}.").format(
                typed=escape.text(text), count=cardwords.in_order(cards)
            ),
            text,
        )
    return cards[0]


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read any number of cards in the order typed; ``none`` or nothing is no card.

    Raise :class:`NotUnderstood` for a word that is no card, or for one card twice.
    """
    if _plain(text).strip() in _NOTHING:
        return ()
    cards = _cards(text)
    for place, card in enumerate(cards):
        if card in cards[:place]:
            raise NotUnderstood(
                _("{card} stands there twice.").format(card=cardwords.card(card)), str(card)
            )
    return cards


def parse_melds(text: str) -> tuple[Meld, ...]:
    """Read melds such as ``7h 8h 9h / kc kd ks``; nothing typed is no meld.

    Without marks between them the cards are taken in order, as few melds as possible. Raise
    :class:`NotUnderstood` for words that are no cards and for cards that are no meld.
    """
    if _plain(text).strip() in _NOTHING:
        return ()
    parts = [part for part in _MELD_ENDS.split(escape.legible(text[:LONGEST])) if part.strip()]
    if len(parts) == 1:
        by_comma = [part for part in re.split(r"[,，、]", text) if part.strip()]
        if len(by_comma) > 1 and all(_is_meld(part) for part in by_comma):
            parts = by_comma
    if len(parts) == 1:
        melds = _cut_into_melds(parse_cards(parts[0]))
    else:
        melds = tuple(_meld(part) for part in parts)
    used: set[Card] = set()
    for card in (card for meld in melds for card in meld.cards):
        if card in used:
            raise NotUnderstood(
                _("{card} can be in one meld only.").format(card=cardwords.card(card)), str(card)
            )
        used.add(card)
    return melds


def matches(card: Card, typed: str) -> bool:
    """Whether a card fits what somebody has typed of it so far (autocomplete)."""
    wanted = _plain(typed).strip()
    if not wanted:
        return True
    rank, suit = str(card)[0].lower(), str(card)[1].lower()
    spoken = f"{_word(_RANK_WORDS, str(card)[0])} of {_word(_SUIT_WORDS, suit)}s"
    shown = ("10" if rank == "t" else rank) + suit
    names = (rank + suit, shown, suit + rank, spoken, f"{shown[:-1]} of {spoken.split()[-1]}")
    if any(name.startswith(wanted) for name in names) or wanted in spoken.split():
        return True
    try:
        return card in _cards(typed)
    except NotUnderstood:
        return False


def _word(words: Mapping[str, str], letter: str) -> str:
    return next((word for word, meant in words.items() if meant == letter), letter)


def _plain(text: str) -> str:
    """Lower case, plain digits and letters, suits as letters."""
    letters = "".join(_playing_card(letter) for letter in text[:LONGEST])
    return escape.legible(letters.translate(_SYMBOLS)).casefold()


def _playing_card(letter: str) -> str:
    """``🂱`` (a character of Unicode's playing cards) as ``ah``; anything else as it is."""
    place = ord(letter) - 0x1F0A0
    if not 0 <= place < 64 or not 1 <= place % 16 <= 14 or place % 16 == 12:
        return letter
    rank = place % 16
    return f" {RANKS[rank - 1 if rank < 12 else rank - 2]}{'shdc'[place // 16]} "


def _cards(text: str) -> tuple[Card, ...]:
    """The cards named in a text, in order, with repeats."""
    found: list[Card] = []
    waiting: list[str] = []
    for word in _SPACES.split(_plain(text)):
        if not word or word in _FILLERS:
            continue
        suit = _suit(word)
        if suit and waiting:
            found += [_card(rank, suit) for rank in waiting]
            waiting = []
        elif rank := _rank(word):
            waiting += rank
        else:
            found += [_card(rank, suit) for rank, suit in _read(word, waiting, text)]
            waiting = []
    if waiting:
        raise NotUnderstood(
            _("“{word}” needs a suit: write it like `7h`, `7♥` or `seven of hearts`.").format(
                word=escape.text(" ".join(waiting).replace("T", "10"))
            ),
            waiting[0],
        )
    return tuple(found)


def _read(word: str, waiting: list[str], text: str) -> list[tuple[str, str]]:
    """Ranks and suits of a word such as ``7h``, ``h7``, ``789h`` or ``9sdc``."""
    turned = _TURNED.fullmatch(word)
    if turned and not waiting:
        return [(_letter(turned[2]), turned[1])]
    if not _COMPACT.fullmatch(word):
        raise NotUnderstood(
            _("I don't know the card “{word}”. Write cards like `7h`, `10d` or `QS`.").format(
                word=escape.text(_as_typed(word, text))
            ),
            word,
        )
    read: list[tuple[str, str]] = []
    for ranks, suits in _GROUP.findall(word):
        letters = [_letter(rank) for rank in _ONE_RANK.findall(ranks)]
        if len(letters) > 1 and len(suits) > 1:
            raise NotUnderstood(
                _("“{word}” can be read in two ways; put spaces between the cards.").format(
                    word=escape.text(word)
                ),
                word,
            )
        if not read:
            letters = [*waiting, *letters]
        read += product(letters, suits)
    return read


def _as_typed(word: str, text: str) -> str:
    """The word as it was typed, where it can be found again."""
    return next((typed for typed in text.split() if _plain(typed).strip(",.;") == word), word)


def _suit(word: str) -> str | None:
    singular = word.removesuffix("s")
    return _SUIT_WORDS.get(singular) or (word if word in "shdc" and len(word) == 1 else None)


def _rank(word: str) -> list[str] | None:
    if word in _RANK_WORDS:
        return [_RANK_WORDS[word]]
    if word.removesuffix("s") in _RANK_WORDS:
        return [_RANK_WORDS[word.removesuffix("s")]]
    if word == "sixes":
        return ["6"]
    if _RANKS_ONLY.fullmatch(word):
        return [_letter(rank) for rank in _ONE_RANK.findall(word)]
    return None


def _letter(rank: str) -> str:
    return {"10": "T", "1": "A"}.get(rank, rank.upper())


def _card(rank: str, suit: str) -> Card:
    return Card.of(RANKS.index(rank) + 1, SUITS["shdc".index(suit)])


def _is_meld(text: str) -> bool:
    try:
        _meld(text)
    except NotUnderstood:
        return False
    return True


def _meld(text: str) -> Meld:
    cards = parse_cards(text)
    try:
        return Meld.of(cards)
    except MalformedMeld:
        raise _no_meld(cards, text) from None


def _no_meld(cards: tuple[Card, ...], text: str) -> NotUnderstood:
    return NotUnderstood(
        _(
            "{cards} is no meld. A meld is three or four of a rank, or three or more in a row "
            "of one suit."
        ).format(cards=cardwords.cards(cards) or escape.text(text)),
        text.strip() or cardwords.cards(cards),
    )


def _cut_into_melds(cards: tuple[Card, ...]) -> tuple[Meld, ...]:
    """Cut cards, in the order typed, into as few melds as possible."""
    best: list[tuple[Meld, ...] | None] = [()] + [None] * len(cards)
    for end in range(3, len(cards) + 1):
        for start in range(end - 2):
            before = best[start]
            if before is None:
                continue
            try:
                way = (*before, Meld.of(cards[start:end]))
            except MalformedMeld:
                continue
            known = best[end]
            if known is None or len(way) < len(known):
                best[end] = way
    whole = best[len(cards)]
    if whole is None and len(cards) < 6:  # too few for two melds
        raise _no_meld(cards, "")
    if whole is None:
        raise NotUnderstood(
            _(
                "{cards} can't be laid as melds in this order. Say which cards belong together, "
                "such as `7h 8h 9h / kc kd ks`."
            ).format(cards=cardwords.cards(cards)),
            cardwords.cards(cards),
        )
    return whole


def one_of(text: str, titles: Mapping[str, str]) -> str | None:
    """The key that somebody means who typed it, its title, or what one title alone has in it.

    ``titles`` gives each key's title as people see it. None where none or several are meant.
    """
    wanted = " ".join(escape.legible(text).casefold().split())
    for key, title in titles.items():
        if wanted in (key.casefold(), title.casefold()):
            return key
    fitting = [key for key, title in titles.items() if wanted and wanted in title.casefold()]
    return fitting[0] if len(fitting) == 1 else None
