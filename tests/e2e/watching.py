"""What reached one person: every byte of it, and whether it names a card that he may not know."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gin import parse_cards
from playground.model import Channel, Message
from playground.people import Person
from playground.recording import SentRequest
from playground.wire import as_object
from tests.e2e.room import Room

_EPHEMERAL = 64
_RANKS = {"A": "ace", "J": "jack", "Q": "queen", "K": "king", "T": "10"}
_SUITS = {"S": ("♠", "spades"), "H": ("♥", "hearts"), "D": ("♦", "diamonds"), "C": ("♣", "clubs")}


def sent_to(room: Room, person: Person) -> Iterator[SentRequest]:
    """Every request of the bot's whose content this person could see, in order."""
    return (request for request in room.playground.sent if _reaches(room, request, person))


def texts_to(room: Room, person: Person) -> str:
    """All that was written to this person: texts, labels, custom ids, names of files."""
    return "\n".join(
        repr(request.body) + " ".join(file.filename for file in request.files)
        for request in sent_to(room, person)
    )


def pictures_to(room: Room, person: Person) -> set[bytes]:
    """All pictures that this person could see."""
    return {file.content for request in sent_to(room, person) for file in request.files}


def named_in(text: str, cards: str) -> set[str]:
    """Those of the cards that a text names in any way: K♠, king of spades, or KS."""
    return {str(card) for card in parse_cards(cards) if _names(text, str(card))}


def _names(text: str, card: str) -> bool:
    rank, (sign, suit) = card[0], _SUITS[card[1]]
    shown = _RANKS.get(rank, rank)
    ways = (
        rf"(?<!\w){'10' if rank == 'T' else rank}{sign}",
        rf"(?<!\w){shown} of {suit}",
        rf"(?<!\w){card}(?!\w)",
    )
    return any(re.search(way, text) for way in ways)


def _reaches(room: Room, request: SentRequest, person: Person) -> bool:
    parts = request.path.strip("/").split("/")
    if parts[0] == "channels":
        return _sees(person, room.world.channels.get(int(parts[1])))
    if parts[0] not in ("interactions", "webhooks"):
        return False
    interaction = room.world.interactions.by_token.get(parts[2])
    if interaction is None or interaction.user is person.user:
        return interaction is not None
    if not _sees(person, interaction.channel) or request.data.get("flags", 0) & _EPHEMERAL:
        return False
    if request.template.endswith("/callback"):
        kind = as_object(request.body).get("type")
        return kind == 4 or (kind == 7 and _is_public(interaction.message))
    return not parts[-1].startswith("@") or _is_public(interaction.original)


def _sees(person: Person, channel: Channel | None) -> bool:
    if channel is None:
        return False
    return person.user in channel.recipients if channel.is_dm else True


def _is_public(message: Message | None) -> bool:
    return message is not None and message.ephemeral_for is None
