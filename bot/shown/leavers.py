"""Leavers: whether a player who has been awaited for a while is still on the server at all.

Discord refuses to send to somebody who has left, but not to edit what stands there; and it tells
a bot of those who leave only by an intent that has to be asked for. So he is looked for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Final

from bot.mail.post import Post, Undelivered
from bot.play.table import Table
from db.ids import MatchId
from gin import Seat

LOOKED_FOR_AFTER: Final = timedelta(minutes=2)
"""So long after his turn was shown to him, once a turn."""

_Key = tuple[MatchId, Seat]


class Leavers:
    """Looks for those who are awaited; ``gone`` is called for one who isn't there.

    ``remembered`` gives a match as this process last saw it. In memory alone: after a restart the
    next turn is watched again.
    """

    def __init__(
        self,
        post: Post,
        remembered: Callable[[MatchId], Table | None],
        gone: Callable[[MatchId, Seat], None],
    ) -> None:
        self._post = post
        self._remembered = remembered
        self._gone = gone
        self._timers: dict[_Key, asyncio.TimerHandle] = {}
        self._looks: set[asyncio.Task[None]] = set()
        self._left: set[_Key] = set()

    def watch(self, table: Table, seat: Seat) -> None:
        """His turn has been shown to a player: look for him if he lets it stand."""
        key = (table.id, seat)
        before = self._timers.pop(key, None)
        if before is not None:
            before.cancel()
        self._timers[key] = asyncio.get_running_loop().call_later(
            LOOKED_FOR_AFTER.total_seconds(), self._begin, table, seat
        )

    def found_gone(self, table: Table, seat: Seat) -> bool:
        """Whether a look has just found that this player has left; says so once."""
        key = (table.id, seat)
        is_gone = key in self._left
        self._left.discard(key)
        return is_gone

    def close(self) -> None:
        """Look for nobody any more."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        for look in self._looks:
            look.cancel()

    def _begin(self, table: Table, seat: Seat) -> None:
        del self._timers[table.id, seat]
        look = asyncio.create_task(self._look(table, seat), name=f"leaver-{table.id}-{seat}")
        self._looks.add(look)
        look.add_done_callback(self._looks.discard)

    async def _look(self, before: Table, seat: Seat) -> None:
        now = self._remembered(before.id)
        if now is None or not now.awaits(seat) or now.own_act.get(seat) != before.own_act.get(seat):
            return
        if await has_left(self._post, now, seat):
            self._left.add((now.id, seat))
            self._gone(now.id, seat)


async def has_left(post: Post, table: Table, seat: Seat) -> bool:
    """Whether a player isn't on the match's server any more; False where Discord doesn't say it."""
    try:
        return not await post.is_member(table.row.server_id, table.people[seat])
    except Undelivered:
        return False
