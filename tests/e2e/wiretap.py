"""Listens to everything that the bot sends, and knows who can read each piece of it.

A piece's audience is everybody in a channel, one person's direct messages, or the one person who
sees an ephemeral answer, a modal or suggestions. What each may know of the cards is counted from
the match itself, without the views that the bot's pages are made of.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from gin import Card, Match, Seat
from gin.actions import Discard, Draw, Knock, Pile
from gin.events import Deal, Play
from playground.doors.recording import SentRequest
from playground.state.files import Upload
from tests.e2e.room import Room

EVERYBODY = 0
"""The audience of what stands in a channel."""

_SIGNS = re.compile(r"(?<![\w])(10|[2-9AJQK])([♠♥♦♣])")
_CODES = re.compile(r"(?<![\w])([2-9ATJQK])([SHDC])(?![\w])")
_TYPED = re.compile(r"(?<![\w])(10|[2-9atjqk])([shdc])(?![\w])", re.IGNORECASE)
_WORDS = re.compile(r"\b(ace|jack|queen|king|10|[2-9]) of (spades|hearts|diamonds|clubs)\b")
_WOULD_FIT = re.compile(r"These would fit: [^.\n]*")
"""What could be laid off on melds of one's own follows from one's own cards."""
_TYPED_KEYS = frozenset({"value", "values", "default"})


@dataclass(frozen=True, slots=True)
class Piece:
    """One request of the bot with cards in mind."""

    audience: int
    """A person's id, or EVERYBODY."""
    request: SentRequest
    allowed: frozenset[Card]
    """What this audience may know at this moment."""

    @property
    def cards(self) -> frozenset[Card]:
        """Every card that is named anywhere in it, in any form."""
        return frozenset(named(self.request.body))

    @property
    def pictures(self) -> tuple[Upload, ...]:
        """The files that came with it."""
        return self.request.files


class Wiretap:
    """From its making on, hears everything that a room's bot sends."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.pieces: list[Piece] = []
        self._add = room.playground.sent.add
        room.playground.sent.add = self._hear  # type: ignore[method-assign]

    def _hear(self, request: SentRequest) -> None:
        self._add(request)
        audience = self.audience_of(request)
        if audience is not None:
            said = self._typed(request) if audience != EVERYBODY else frozenset[Card]()
            allowed = said.union(*self._allowed(audience))
            self.pieces.append(Piece(audience, request, allowed))

    def _typed(self, request: SentRequest) -> frozenset[Card]:
        """The cards that a person named himself: an answer may say them back to him alone."""
        parts = request.path.strip("/").split("/")
        made = self.room.world.interactions
        match parts:
            case ["interactions", number, *_rest]:
                return frozenset(named(made.by_id[int(number)].data))
            case ["webhooks", _app, token, *_rest] if token in made.by_token:
                return frozenset(named(made.by_token[token].data))
        return frozenset()

    def _allowed(self, audience: int) -> Iterator[frozenset[Card]]:
        assert self.room.bot is not None
        for table in self.room.bot.house.tables._cache.values():
            seat = next((Seat(n) for n, who in enumerate(table.people) if who == audience), None)
            yield may_know(table.match, seat)

    def audience_of(self, request: SentRequest) -> int | None:
        """Who reads this; None for what nobody does (registering commands, opening messages)."""
        world = self.room.world
        parts = request.path.strip("/").split("/")
        match parts:
            case ["channels", channel, "messages", *_rest]:
                found = world.channels[int(channel)]
                if not found.is_dm:
                    return EVERYBODY
                return next(user.id for user in found.recipients if user is not world.bot)
            case ["interactions", number, _token, "callback"]:
                interaction = world.interactions.by_id[int(number)]
            case ["webhooks", _app, token, *_rest]:
                interaction = world.interactions.by_token[token]
            case _:
                return None
        flags = request.data.get("flags", 0)
        kind = request.body.get("type") if isinstance(request.body, dict) else None
        on = interaction.message if kind in (6, 7) else interaction.original
        private = bool(flags & 64) or kind in (8, 9) or interaction.channel.is_dm
        if private or (on is not None and on.ephemeral):
            return interaction.user.id
        return EVERYBODY

    def leaks(self) -> list[str]:
        """Every card that somebody was told who may not know it."""
        return [
            f"{sorted(map(str, piece.cards - piece.allowed))} to {piece.audience}: "
            f"{piece.request.method} {piece.request.path} {piece.request.body}"
            for piece in self.pieces
            if piece.cards - piece.allowed
        ]


def may_know(match: Match, seat: Seat | None) -> frozenset[Card]:
    """The cards that this seat, or the public, may have been told of by now.

    Open are: the cut, the up-card and every discard, what was taken from the pile, both hands
    from the knock on, and all of hands that have ended, the face-down discard too. A player
    knows also the cards that he was dealt and drew.
    """
    known = {card for one in match.cut for _seat, card in one.cards}
    for result in match.results:
        known.update(card for _seat, cards in result.hands for card in cards)
        known.update(card for card in (result.starter, result.knock_discard) if card is not None)
    deals = [place for place, event in enumerate(match.events) if isinstance(event, Deal)]
    for first, end in zip(deals, [*deals[1:], len(match.events)], strict=True):
        known |= _told_in_hand(match, first, end, seat)
    return frozenset(known)


def _told_in_hand(match: Match, first: int, end: int, seat: Seat | None) -> set[Card]:
    deal = match.events[first]
    assert isinstance(deal, Deal)
    before = Match.start(match.rules)
    for event in match.events[: first + 1]:
        before = before.after(event)
    assert before.hand is not None
    hands = {player: set(before.hand.cards(player)) for player in before.hand.players}
    stock = list(deal.deck[21:])
    pile = [deal.deck[20]]
    known = {deal.deck[20], *hands.get(seat, set())} if seat is not None else {deal.deck[20]}
    for event in match.events[first + 1 : end]:
        if not isinstance(event, Play):
            continue
        mine = event.seat is seat
        match event.action:
            case Draw(Pile.STOCK):
                card = stock.pop(0)
                hands[event.seat].add(card)
                known |= {card} if mine else set()
            case Draw():
                hands[event.seat].add(pile.pop())
            case Discard(card):
                hands[event.seat].discard(card)
                pile.append(card)
                known.add(card)
            case Knock(card, _melds):
                hands[event.seat].discard(card)
                known |= {card for held in hands.values() for card in held}
                known |= {card} if mine else set()
    return known


def named(told: object, key: str = "") -> Iterator[Card]:
    """Every card named in JSON: in signs, words and codes; in what is filled in, as typed."""
    if isinstance(told, dict):
        for name, value in told.items():
            yield from named(value, str(name))
    elif isinstance(told, list):
        for value in told:
            yield from named(value, key)
    elif isinstance(told, str):
        told = _WOULD_FIT.sub("", told)
        for rank, suit in _SIGNS.findall(told):
            yield _card(rank, "SHDC"["♠♥♦♣".index(suit)])
        for rank, suit in _WORDS.findall(told):
            yield _card(rank if rank.isdigit() else rank[0].upper(), suit[0].upper())
        for rank, suit in (_TYPED if key in _TYPED_KEYS else _CODES).findall(told):
            yield _card(rank.upper(), suit.upper())


def _card(rank: str, suit: str) -> Card:
    return Card.parse(("T" if rank == "10" else rank) + suit)


def same_but_for_names(request: SentRequest) -> str:
    """A request as text, without what differs from one run to the next: ids, times, secrets."""
    body = dict(request.body) if isinstance(request.body, dict) else {}
    body.pop("nonce", None)
    said = json.dumps(body, sort_keys=True, ensure_ascii=False)
    text = f"{request.method} {request.template} {said}"
    text = re.sub(r"[0-9a-f]{64}", "#hex", text)
    text = re.sub(r"[0-9a-f]{6,}…", "#hex", text)
    text = re.sub(r"\d{12,}", "#id", text)
    return re.sub(r"<t:\d+", "<t:#", text)
