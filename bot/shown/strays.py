"""Strays: messages of ours that show a part of a match beside the one that is noted.

Such a one can stand where Discord took a message unheard, and the match went elsewhere or the bot
was stopped before that was tried again. Its controls live, and it shows what was. It is noted as
one that has to go when somebody presses it, or when it is found where one is suspected.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import structlog

from bot.mail.post import Post, TryLater, Undelivered
from bot.now import Now
from bot.shown.notes import Notes
from bot.ui.controls import Control, Verb
from db.ids import ChannelId, MatchId, MessageId
from db.rows import TABLE_SEAT, ShownKind, ShownRow

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

ON_A_TABLE: Final = frozenset({Verb.MY_HAND, Verb.SHEET, Verb.RULES_PICK})
ON_A_HAND: Final = frozenset({Verb.HAND, Verb.SHEET})
"""What stands together on such a page of a running match, and on no other."""

Part = tuple[MatchId, int]
"""The table of a match (`TABLE_SEAT`), or what stands for one seat."""

Stray = tuple[ShownKind, ChannelId, MessageId]
"""What a message shows, and where it is."""


def is_part(controls: Collection[str], match: MatchId, part: int) -> bool:
    """Whether a message with these custom ids shows the table, or a hand, of a running match."""
    read = [control for one in controls if (control := Control.parse(one)) is not None]
    verbs = {control.verb for control in read if control.subject == match}
    return verbs >= (ON_A_TABLE if part == TABLE_SEAT else ON_A_HAND)


class Strays:
    """What is known of them, or suspected, until their part is shown the next time."""

    def __init__(self, notes: Notes, post: Post, now: Now) -> None:
        self._notes = notes
        self._post = post
        self._now = now
        self._seen: dict[Part, set[Stray]] = {}
        self._suspected: dict[Part, set[ChannelId]] = {}

    def seen(self, part: Part, kind: ShownKind, channel: ChannelId, message: MessageId) -> None:
        """A message shows a part, or is for its player; it may be one that is noted."""
        self._seen.setdefault(part, set()).add((kind, channel, message))

    def suspect(self, part: Part, *channels: ChannelId) -> None:
        """One may stand where the part is noted, or in one of these channels."""
        self._suspected.setdefault(part, set()).update(channels)

    def are_beside(self, match: MatchId, parts: Collection[int]) -> frozenset[int]:
        """The parts of a match beside whose message another may stand."""
        known = self._seen.keys() | self._suspected.keys()
        return frozenset(part for part in parts if (match, part) in known)

    async def to_go(self, part: Part) -> list[ShownRow]:
        """Note those beside the message of a part as such that have to go; give them.

        The part has just been shown. Where none is noted nothing goes: it may be the only one.
        Raises `TryLater` where nobody could look; what was suspected, or couldn't be noted, stays.
        """
        if part in self._suspected:
            for found in await self._find(part):
                self.seen(part, *found)
            self._suspected.pop(part, None)
        gone: list[ShownRow] = []
        for one in tuple(self._seen.get(part, ())):
            kind, channel, message = one
            row = ShownRow(part[0], kind, part[1], channel, message, 0, self._now())
            old = await self._notes.beside(row)
            self._forget(part, one)
            if old is not None:
                log.info("stray message", match=part[0], part=part[1])
                gone.append(old)
        return gone

    def _forget(self, part: Part, one: Stray) -> None:
        seen = self._seen.get(part, set())
        seen.discard(one)
        if not seen:
            self._seen.pop(part, None)

    async def _find(self, part: Part) -> set[Stray]:
        kind = ShownKind.TABLE if part[1] == TABLE_SEAT else ShownKind.HAND
        noted = await self._notes.noted(part[0], kind, part[1])
        if noted is None:
            return set()
        found = set()
        for channel in {noted.channel_id, *self._suspected[part]}:
            try:
                said = await self._post.newest(channel)
            except TryLater:
                raise
            except Undelivered:  # whoever presses it there tells us of it
                continue
            found |= {(kind, channel, one) for one, ids in said.items() if is_part(ids, *part)}
        return found
