"""On which servers the bot can't serve at present: removed from them, or they are out of order.

What is played there is suspended, never purged. A removal is written down, since it may last for
weeks; an outage of Discord's is not, since every start learns of it anew.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from enum import Enum, auto

import structlog

from bot.now import Now
from db.ids import ServerId
from db.store import Store, Transaction

WhenBack = Callable[[Transaction, ServerId, datetime], Awaitable[Callable[[], None]]]
"""What is written down when a server can be served again, told since when it couldn't.

It stands or falls with the end of the absence; gives what is to be done once both stand.
"""


class State(Enum):
    """How the connection to Discord has a server."""

    SERVED = auto()
    OUT_OF_ORDER = auto()
    GONE = auto()
    """The bot isn't on it (any more)."""


StateOf = Callable[[ServerId], State]

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Presence:
    """The servers that are suspended, and since when."""

    def __init__(self, store: Store, now: Now) -> None:
        self._store = store
        self._now = now
        self._absent: dict[ServerId, datetime] = {}
        self._out: dict[ServerId, datetime] = {}
        self._returning: dict[ServerId, datetime] = {}
        """Servers that can be served, while that is being written down."""
        self._found_back: set[ServerId] = set()
        """Servers on which a comparison found the bot again that then failed over another."""
        self._when_back: list[WhenBack] = []
        self._reading = asyncio.Lock()
        self._is_read = False
        """Whether all absences that were written down are known here."""
        self._ended: set[ServerId] = set()
        """Absences that ended here before that: what is being read may still have them."""

    def when_back(self, do: WhenBack) -> None:
        """Have this written for each server that can be served again, with the absence's end."""
        self._when_back.append(do)

    def is_suspended(self, server: ServerId) -> bool:
        """Whether nobody can be asked to act on this server now: clocks stand still there."""
        return self.since(server) is not None

    def since(self, server: ServerId) -> datetime | None:
        """Since when it is suspended; None where it isn't."""
        for those in (self._absent, self._out, self._returning):
            if server in those:
                return those[server]
        return None

    def suspended(self) -> dict[ServerId, datetime]:
        """Every server that is suspended, and since when."""
        return {**self._returning, **self._out, **self._absent}

    def put_back(self) -> None:
        """The clock was put back: let no server be suspended since a time that is yet to come."""
        now = self._now()
        for those in (self._absent, self._out, self._returning):
            those.update({server: now for server, since in those.items() if since > now})

    def is_absent(self, server: ServerId) -> bool:
        """Whether the bot was removed from this server, so that no request there can succeed."""
        return server in self._absent

    async def compare(
        self, state_of: StateOf, is_ours: Callable[[ServerId], bool]
    ) -> tuple[ServerId, ...]:
        """After a start, or in a new session: what changed while nobody listened.

        Gives the servers that the bot is back on, each once, also where the comparison before
        failed. ``state_of`` is asked of each server only when that is noted, since servers arrive
        while the database is asked; ``is_ours`` says of which this process hears at all. A server
        may come or go at any moment meanwhile, and another session may compare too: each absence
        ends once.
        """
        await self._read()
        async with self._store.reading() as tx:
            in_play = await tx.matches.servers_in_play()
        for server in filter(is_ours, in_play):
            state = state_of(server)
            if state is State.GONE:
                await self.removed(server)
            elif state is State.OUT_OF_ORDER:
                self.out_of_order(server)
        for server in tuple(self._absent):
            if state_of(server) is not State.GONE and await self.back(server) is not None:
                self._found_back.add(server)
        back = tuple(sorted(self._found_back))
        self._found_back.clear()
        return back

    async def _read(self) -> None:
        """Learn, once a process, of the absences that were written down."""
        async with self._reading:
            if self._is_read:
                return
            async with self._store.reading() as tx:
                absent = await tx.absences.all()
            for server in absent.keys() - self._ended:
                self._absent[server] = min(absent[server], self._now())
            self._is_read = True

    async def removed(self, server: ServerId) -> None:
        """Note that the bot was removed from a server."""
        self._found_back.discard(server)
        if server in self._absent:
            return
        now = self._now()
        self._absent[server] = now
        self._ended.discard(server)
        self._out.pop(server, None)
        async with self._store.transaction() as tx:
            await tx.absences.begin(server, now)
        log.info("removed from a server", server=server)

    def out_of_order(self, server: ServerId) -> None:
        """Note that Discord can't serve a server, which is no removal."""
        if server not in self._out:
            self._out[server] = self._now()
            log.info("server out of order", server=server)

    async def back(self, server: ServerId) -> datetime | None:
        """Note that a server can be served; gives since when it couldn't, or None.

        The end of the absence and what comes with it stand together or not at all; where the
        database fails, the server stays suspended, and the next word of it tries again.
        """
        # At once, since another session may compare, too.
        out, absent = self._out.pop(server, None), self._absent.pop(server, None)
        since = absent or out
        if since is None:
            return None
        self._returning[server] = since
        if absent is not None and not self._is_read:
            self._ended.add(server)
        try:
            async with self._store.transaction() as tx:
                if absent is not None:
                    await tx.absences.end(server)
                afterwards = [await do(tx, server, since) for do in self._when_back]
        except BaseException:  # nothing has ended
            since = self._returning[server]  # where the clock was put back meanwhile
            if absent is not None:
                self._ended.discard(server)
                self._absent.setdefault(server, since)
            elif server not in self._absent:
                self._out.setdefault(server, since)
            raise
        finally:
            self._returning.pop(server, None)
        log.info("server is back", server=server, since=since.isoformat())
        for do_now in afterwards:
            do_now()
        return since
