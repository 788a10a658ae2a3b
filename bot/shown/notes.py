"""Notes of what stands on Discord: which message shows which part of a match, at which version.

Where a message stands is written at once. That one shows a newer version by now is written a
little later, together with others: most notes are of that kind, and if they get lost, the repair
after a start makes an edit too many.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

import structlog

from bot.now import Now
from db.ids import MatchId
from db.rows import TABLE_SEAT, ShownKind, ShownRow
from db.store import Store, Transaction

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

WRITTEN_AFTER: Final = timedelta(milliseconds=200)

OFFERS: Final = frozenset(
    {
        ShownKind.REMINDER,
        ShownKind.WAITING,
        ShownKind.BACK,
        ShownKind.IDLE,
        ShownKind.GONE,
        ShownKind.QUESTION,
    }
)
"""Words that become their reader's hand when he presses what they offer."""

Part = tuple[ShownKind, int]
"""What one message shows of a match: its kind, and the seat."""


@dataclass(slots=True)
class _Known:
    """What this process knows of one match."""

    rows: dict[Part, ShownRow] = field(default_factory=dict)
    is_whole: bool = False
    """Whether these are all there are: they were read, and none has come or gone since."""
    moved: int = 0
    """At which moment one came or went here last."""
    noted: dict[Part, int] = field(default_factory=dict)
    """By part: at which moment it was noted here, not read."""


class Notes:
    """Writes the rows of shown messages, and keeps those of running matches at hand."""

    def __init__(self, store: Store, now: Now) -> None:
        self._store = store
        self._now = now
        self._known: dict[MatchId, _Known] = {}
        self._unwritten: dict[tuple[MatchId, Part], ShownRow] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._writing: asyncio.Task[None] | None = None
        self._moment = 0
        """Rises with every note."""

    def table(self, match: MatchId) -> ShownRow | None:
        """The message of a match's table, as far as this process knows."""
        return self.row(match, ShownKind.TABLE, TABLE_SEAT)

    def row(self, match: MatchId, kind: ShownKind, seat: int) -> ShownRow | None:
        """The message of a part of a match, as far as this process knows."""
        known = self._known.get(match)
        return None if known is None else known.rows.get((kind, seat))

    async def noted(self, match: MatchId, kind: ShownKind, seat: int) -> ShownRow | None:
        """The message of a part of a match; read where this process doesn't know it."""
        row = self.row(match, kind, seat)
        if row is not None:
            return row
        async with self._store.reading() as tx:
            return await tx.shown.get(match, seat, kind)

    def whole(self, match: MatchId) -> tuple[ShownRow, ...] | None:
        """The messages of a match, where they needn't be read; None where they have to be.

        Only where no other process writes.
        """
        known = self._known.get(match)
        if self._store.is_shared or known is None or not known.is_whole:
            return None
        return tuple(known.rows.values())

    def begins(self, match: MatchId) -> int:
        """The messages of this match are about to be read; gives the moment, for `newest`."""
        self._known.setdefault(match, _Known())
        return self._moment

    def newest(self, match: MatchId, read: Iterable[ShownRow], since: int) -> tuple[ShownRow, ...]:
        """The messages of a match: as ``read`` after the moment ``since``, or as noted here."""
        rows = {(row.kind, row.seat): row for row in read}
        is_whole = match in self._known  # else it was forgotten meanwhile
        known = self._known.setdefault(match, _Known())
        known.is_whole = is_whole and known.moved <= since
        for part, moment in known.noted.items():
            if moment > since:
                rows.pop(part, None)
                if part in known.rows:
                    rows[part] = known.rows[part]
        for part, row in rows.items():
            unwritten = self._unwritten.get((match, part))
            if unwritten is not None and unwritten.message_id == row.message_id:
                rows[part] = unwritten
        known.rows = rows
        return tuple(rows.values())

    @asynccontextmanager
    async def _moving(self, match: MatchId, part: Part) -> AsyncIterator[Transaction]:
        """Write which messages of a match come or go: they are read anew, however that ends."""
        self._moved(match)
        try:
            async with self._store.transaction(aside=True) as tx:
                yield tx
        except BaseException:  # what was noted of it beforehand need not be so
            self._unnote(match, part)
            raise
        finally:
            self._moved(match)

    def _moved(self, match: MatchId) -> None:
        self._moment += 1
        known = self._known.get(match)
        if known is not None:
            known.is_whole = False
            known.moved = self._moment

    def forget(self, match: MatchId) -> None:
        """Keep nothing at hand of a match that is over."""
        self._known.pop(match, None)

    def _note(self, match: MatchId, part: Part, row: ShownRow | None) -> ShownRow | None:
        """Keep what is noted at hand; gives what was known before."""
        self._moment += 1
        self._unwritten.pop((match, part), None)
        known = self._known.get(match)
        if known is None:
            return None
        known.noted[part] = self._moment
        before = known.rows.pop(part, None)
        if row is not None:
            known.rows[part] = row
        return before

    def _unnote(self, match: MatchId, part: Part) -> None:
        known = self._known.get(match)
        if known is not None:
            known.rows.pop(part, None)
            known.noted.pop(part, None)

    def _unnote_others(self, row: ShownRow) -> None:
        """Know of nothing else that the message of this part was before."""
        known = self._known.get(row.match_id)
        rows = {} if known is None else known.rows
        for part in [part for part, one in rows.items() if one.message_id == row.message_id]:
            if part != (row.kind, row.seat):
                self._unwritten.pop((row.match_id, part), None)
                self._unnote(row.match_id, part)

    async def stands(self, row: ShownRow) -> ShownRow | None:
        """Note where a part of a match stands; gives the message in whose place it came.

        That one is noted as an old one then, until it is `deleted`. Whatever else the message was
        before (an old hand that is pressed comes back to life, a word becomes the hand), it is no
        more. A word that is somebody's hand already is not noted.
        """
        part = row.kind, row.seat
        before = self._note(row.match_id, part, row)
        if before is not None and before.message_id == row.message_id:
            self._unwritten[row.match_id, part] = row
            self._write_soon()
            return None
        async with self._moving(row.match_id, part) as tx:
            if await self._is_used(tx, row):
                self._unnote(row.match_id, part)
                return None
            before = await tx.shown.get(row.match_id, row.seat, row.kind)
            await tx.shown.put(row)
            await tx.shown.drop_others(row)
            self._unnote_others(row)
            if before is None or before.message_id == row.message_id:
                return None
            return await self._to_go(tx, before)

    async def gone(self, row: ShownRow) -> ShownRow | None:
        """Note that a message shows no part of a match any more; gives it, to be deleted.

        It is noted as an old one then, until it is `deleted`. None for a word that its reader has
        pressed, so that it is his hand by now.
        """
        part = row.kind, row.seat
        self._note(row.match_id, part, None)
        async with self._moving(row.match_id, part) as tx:
            await tx.shown.drop(row.match_id, row.seat, row.kind)
            return await self._to_go(tx, row)

    async def _to_go(self, tx: Transaction, row: ShownRow) -> ShownRow | None:
        if await self._is_used(tx, row):
            return None
        old = row.as_old(self._now())
        await tx.shown.put(old)
        return old

    async def _is_used(self, tx: Transaction, row: ShownRow) -> bool:
        """Whether a word is somebody's hand by now."""
        return row.kind in OFFERS and await self._used(tx, row) is not None

    async def _used(self, tx: Transaction, row: ShownRow) -> ShownRow | None:
        """The table, or hand, that this message is."""
        kept = ShownKind.TABLE, ShownKind.HAND
        rows = await tx.shown.of_match(row.match_id)
        same = (one for one in rows if one.message_id == row.message_id and one.kind in kept)
        return next(same, None)

    async def deleted(self, old: ShownRow) -> ShownRow | None:
        """Note that an old message has gone.

        Gives the hand that it was again by then, since its player had pressed it: that hand stands
        nowhere now.
        """
        async with self._moving(old.match_id, (old.kind, old.seat)) as tx:
            await tx.shown.drop(old.match_id, old.seat, ShownKind.OLD)
            stood = await self._used(tx, old)
            if stood is not None:
                self._note(old.match_id, (stood.kind, stood.seat), None)
                await tx.shown.drop(old.match_id, stood.seat, stood.kind)
            return stood

    async def beside(self, row: ShownRow) -> ShownRow | None:
        """Note a message that shows a part, too, as one that has to go, and give it.

        None where it is noted already, or where the part is noted nowhere: then it may be the only
        one.
        """
        async with self._moving(row.match_id, (row.kind, row.seat)) as tx:
            rows = await tx.shown.of_match(row.match_id)
            parts = {(known.kind, known.seat) for known in rows}
            needed = row.kind in (ShownKind.TABLE, ShownKind.HAND)
            if any(known.message_id == row.message_id for known in rows) or (
                needed and (row.kind, row.seat) not in parts
            ):
                return None
            return await self._to_go(tx, row)

    async def let_be(self, match: MatchId, kind: ShownKind, seat: int) -> None:
        """Keep no note of a part of a match any more: its message may stay, or can't be reached."""
        self._note(match, (kind, seat), None)
        async with self._moving(match, (kind, seat)) as tx:
            await tx.shown.drop(match, seat, kind)

    # ------------------------------------------------------------------- writing what can wait

    def _write_soon(self) -> None:
        if self._timer is None and self._writing is None:
            self._timer = asyncio.get_running_loop().call_later(
                WRITTEN_AFTER.total_seconds(), self._begin_writing
            )

    def _begin_writing(self) -> None:
        self._timer = None
        self._writing = asyncio.create_task(self._write(), name="notes")

    async def _write(self) -> None:
        rows = dict(self._unwritten)
        try:
            async with self._store.transaction(aside=True) as tx:
                await tx.shown.show(tuple(rows.values()))
        except Exception:  # a database that fails now may be there the next time
            log.exception("notes not written", count=len(rows))
        else:
            for (match, part), row in rows.items():
                self._written(match, part, row)
        finally:
            self._writing = None
        if self._unwritten:
            self._write_soon()

    def _written(self, match: MatchId, part: Part, row: ShownRow) -> None:
        if self._unwritten.get((match, part)) is not row:
            return
        del self._unwritten[match, part]
        known = self._known.get(match)
        if known is not None:  # whoever began to read before has not seen it
            self._moment += 1
            known.noted[part] = self._moment

    async def settle(self) -> None:
        """Write what isn't written yet."""
        if self._writing is not None:
            await asyncio.wait((self._writing,))
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._unwritten:
            await self._write()
