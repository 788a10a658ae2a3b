"""Matches as text: one line for the rules, one for each event (docs/rules.md, the written match).

    gin-match 1
    rules v1 knock_limit=10 oklahoma_ace=one …
    cut 7H KD
    deal 2S9H… (the 52 cards without spaces, the top card first)
    A pass
    B draw discard
    B discard KH
    A draw stock
    A knock KD 7H8H9H/KCKDKS
    B layoff ASADAC - TH7C
    A resign
    B forfeit-hand

What :func:`dump_match` writes, :func:`parse_match` reads back as the same match, also one in play.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn

from gin.actions import (
    Action,
    BigGin,
    Discard,
    Draw,
    Knock,
    LayOff,
    Look,
    Move,
    Pass,
    Pile,
    Seat,
    TakeBack,
)
from gin.cards import Card
from gin.errors import GinError, Malformed, MalformedNotation
from gin.events import Cancel, Cut, Deal, Event, Forfeit, ForfeitHand, Play, Resign
from gin.match import Match
from gin.melds import Meld
from gin.rules import Rules

HEADER = "gin-match 1"
"""The first line of a match's text; the number is the version of the notation."""


def dump_match(match: Match) -> str:
    """Write a match, finished or in play, as text that ends with a line break."""
    lines = (HEADER, f"rules {match.rules.dump()}", *map(dump_event, match.events))
    return "".join(f"{line}\n" for line in lines)


def parse_match(text: str) -> Match:
    """Read the text of :func:`dump_match` by playing it again.

    Raise :class:`MalformedRules` for rules of another version or out of range, and
    :class:`MalformedNotation` (it names the line) for any other text: one that can't be read, or
    an event that the rules don't allow there.
    """
    header, _, rest = text.partition("\n")
    if header != HEADER:
        raise MalformedNotation(f"line 1: {header!r} is not {HEADER!r}")
    settings, _, rest = rest.partition("\n")
    word, _, rules = settings.partition(" ")
    if word != "rules":
        raise MalformedNotation(f"line 2: {settings!r} is not the rules of the match")
    match = Match.start(Rules.parse(rules))
    *lines, cut_off = rest.split("\n")
    if cut_off:
        raise MalformedNotation(f"the text ends within a line: {cut_off!r}")
    for number, line in enumerate(lines, 3):
        try:
            match = match.after(parse_event(line))
        except GinError as error:
            raise MalformedNotation(f"line {number}: {error}") from error
    return match


def dump_event(event: Event) -> str:
    """Write one event as one line, without a line break."""
    match event:
        case Cut(cards):
            return " ".join(("cut", *map(str, cards)))
        case Deal(deck):
            return f"deal {_joined(deck)}"
        case Play(seat, action):
            return f"{seat} {dump_action(action)}"
        case Resign(seat):
            return f"{seat} resign"
        case Forfeit(seat):
            return f"{seat} forfeit"
        case ForfeitHand(seat):
            return f"{seat} forfeit-hand"
        case Cancel():
            return "cancel"


def parse_event(line: str) -> Event:
    """Read one line of :func:`dump_event`; raise :class:`MalformedNotation` for anything else."""
    word, _, rest = line.partition(" ")
    match word:
        case "cut":
            return Cut(tuple(_card(text) for text in rest.split(" ")))
        case "deal":
            return Deal(_cards(rest))
        case "cancel" if not rest:
            return Cancel()
    if word not in Seat.__members__:
        raise MalformedNotation(f"{line!r} is not an event")
    seat = Seat[word]
    match rest:
        case "resign":
            return Resign(seat)
        case "forfeit":
            return Forfeit(seat)
        case "forfeit-hand":
            return ForfeitHand(seat)
    return Play(seat, parse_action(rest))


def dump_action(action: Action) -> str:
    """Write one act without its seat (``knock KD 7H8H9H/KCKDKS``)."""
    match action:
        case Pass():
            return Move.PASS
        case Draw(pile):
            return f"{Move.DRAW} {pile}"
        case Discard(card):
            return f"{Move.DISCARD} {card}"
        case Knock(discard, melds):
            return f"{Move.KNOCK} {discard} {_spread(melds)}".rstrip()
        case BigGin(melds):
            return f"{Move.BIG_GIN} {_spread(melds)}"
        case LayOff(melds, cards):
            return " ".join(filter(None, (Move.LAY_OFF, _spread(melds), "-", _joined(cards))))
        case Look():
            return Move.LOOK
        case TakeBack():
            return Move.TAKE_BACK


def parse_action(text: str) -> Action:
    """Read one act as :func:`dump_action` writes it.

    Raise :class:`MalformedNotation` for anything else; whether the act is legal is another matter.
    """
    match text.split(" "):
        case [Move.PASS]:
            return Pass()
        case [Move.LOOK]:
            return Look()
        case [Move.TAKE_BACK]:
            return TakeBack()
        case [Move.DRAW, (Pile.STOCK | Pile.DISCARD) as pile]:
            return Draw(Pile(pile))
        case [Move.DISCARD, card]:
            return Discard(_card(card))
        case [Move.KNOCK, card]:
            return Knock(_card(card), ())
        case [Move.KNOCK, card, melds]:
            return Knock(_card(card), _melds(melds))
        case [Move.BIG_GIN, melds]:
            return BigGin(_melds(melds))
        case [Move.LAY_OFF, "-"]:
            return LayOff((), ())
        case [Move.LAY_OFF, "-", cards]:
            return LayOff((), _cards(cards))
        case [Move.LAY_OFF, melds, "-"]:
            return LayOff(_melds(melds), ())
        case [Move.LAY_OFF, melds, "-", cards]:
            return LayOff(_melds(melds), _cards(cards))
    raise MalformedNotation(f"{text!r} is not an act")


def _joined(cards: Iterable[Card]) -> str:
    return "".join(map(str, cards))


def _spread(melds: Iterable[Meld]) -> str:
    return "/".join(_joined(meld.cards) for meld in melds)


def _card(text: str) -> Card:
    return _cards(text)[0] if len(text) == 2 else _unreadable(text)


def _cards(text: str) -> tuple[Card, ...]:
    """Cards written without spaces, at least one."""
    if not text or text != text.upper():
        return _unreadable(text)
    try:
        return tuple(Card.parse(text[start : start + 2]) for start in range(0, len(text), 2))
    except Malformed as error:
        raise MalformedNotation(str(error)) from error


def _melds(text: str) -> tuple[Meld, ...]:
    try:
        return tuple(Meld.of(_cards(cards)) for cards in text.split("/"))
    except Malformed as error:
        raise MalformedNotation(str(error)) from error


def _unreadable(text: str) -> NoReturn:
    raise MalformedNotation(f"{text!r} is not written as cards are")
