"""Cards, melds and hands in words, as they stand beside every picture."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from bot.ui.language import _, pgettext, remembered
from gin.arrange import Arrangement, Shed, best_arrangement, best_sheds
from gin.cards import Card, Suit
from gin.melds import Meld

SYMBOLS: Final[Mapping[Suit, str]] = {
    Suit.SPADES: "♠",
    Suit.HEARTS: "♥",
    Suit.DIAMONDS: "♦",
    Suit.CLUBS: "♣",
}
RANK_LETTERS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_DOT: Final = " · "


def card(card: Card) -> str:
    """A card as people read it: ``10♦``."""
    return RANK_LETTERS[card.rank - 1] + SYMBOLS[card.suit]


def cards(held: Iterable[Card]) -> str:
    """Cards in a row: ``4♥ 5♥ 6♥``."""
    return " ".join(map(card, held))


def in_order(meld: Iterable[Card]) -> str:
    """Some cards, each with a comma between, for a sentence: ``8♥, 9♥``."""
    return ", ".join(map(card, meld))


def melds(laid: Iterable[Meld]) -> str:
    """Melds beside each other: ``4♥ 5♥ 6♥ · 9♠ 9♦ 9♣``."""
    return _DOT.join(cards(meld.cards) for meld in laid)


def typed_melds(laid: Iterable[Meld]) -> str:
    """Melds as a person would type them: ``4h 5h 6h / 9s 9d 9c``."""
    return " / ".join(" ".join(str(held).lower() for held in meld.cards) for meld in laid)


def typed_cards(held: Iterable[Card]) -> str:
    """Cards as a person would type them: ``8h 9h``."""
    return " ".join(str(one).lower() for one in held)


@remembered
def spoken(card: Card) -> str:
    """A card for the ear: ``10 of diamonds``."""
    ranks = {1: pgettext("card rank", "ace"), 11: pgettext("card rank", "jack")}
    ranks |= {12: pgettext("card rank", "queen"), 13: pgettext("card rank", "king")}
    suits = {
        Suit.SPADES: pgettext("card suit", "spades"),
        Suit.HEARTS: pgettext("card suit", "hearts"),
        Suit.DIAMONDS: pgettext("card suit", "diamonds"),
        Suit.CLUBS: pgettext("card suit", "clubs"),
    }
    return _("{rank} of {suit}").format(
        rank=ranks.get(card.rank, str(card.rank)), suit=suits[card.suit]
    )


def spoken_all(held: Iterable[Card]) -> str:
    """Cards for the ear, with commas."""
    return ", ".join(map(spoken, held))


def spread(way: Arrangement) -> str:
    """An arrangement: ``4♥ 5♥ 6♥ · loose 5♦ · deadwood 5``."""
    return spread_of(way.melds, way.loose, way.deadwood)


def spread_of(laid: Iterable[Meld], loose: Iterable[Card], deadwood: int) -> str:
    """Melds, loose cards and what these count, in one line."""
    parts = [cards(meld.cards) for meld in laid]
    loose = tuple(loose)
    if loose:
        parts.append(_("loose {cards}").format(cards=cards(loose)))
    parts.append(_("deadwood {points}").format(points=deadwood))
    return _DOT.join(parts)


def grouped(held: Iterable[Card], banned: Card | None = None) -> tuple[Arrangement, Shed | None]:
    """How a hand is shown: its best melds and what is loose.

    With eleven cards the best discard is looked for first (``banned`` may not be it) and lies
    among the loose cards; then the second value says which discard leaves what.
    """
    held = tuple(held)
    if len(held) != 11:
        return best_arrangement(held), None
    shed = best_sheds(held, banned)[0]
    way = shed.arrangement
    loose = tuple(sorted((*way.loose, shed.discard)))
    return Arrangement(way.melds, loose, way.deadwood), shed


def hand(held: Iterable[Card], banned: Card | None = None) -> str:
    """A whole hand in one line; for eleven cards the deadwood is what the best discard leaves."""
    way, shed = grouped(held, banned)
    if shed is None:
        return spread(way)
    parts = [cards(meld.cards) for meld in way.melds]
    parts.append(_("loose {cards}").format(cards=cards(way.loose)))
    parts.append(
        _("deadwood {points} without {card}").format(points=way.deadwood, card=card(shed.discard))
    )
    return _DOT.join(parts)


def laid_words(melds: Iterable[Meld], placed: Iterable[tuple[Card, int]]) -> str:
    """What is laid where, melds as they grow: ``8♥ on 5♥ 6♥ 7♥; 9♥ on 5♥ 6♥ 7♥ 8♥``."""
    grown = [meld.cards for meld in melds]
    said: list[str] = []
    for one, place in placed:
        said.append(_("{card} on {meld}").format(card=card(one), meld=cards(grown[place])))
        grown[place] = Meld.of((*grown[place], one)).cards
    return "; ".join(said)


def sum_of(loose: Iterable[Card]) -> str:
    """How loose cards add up: ``5♦ + K♠ = 15``, ``5♦ = 5``, or ``none``."""
    loose = tuple(loose)
    if not loose:
        return _("none")
    return f"{' + '.join(map(card, loose))} = {sum(one.points for one in loose)}"
