"""The one way in: *this actor does this at this version of this match*.

Slash command, button, select, modal and clock all end in :meth:`Tables.act`: lock, load, apply,
commit. Nothing here talks to Discord; an act counts when its row is committed.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Final
from weakref import WeakValueDictionary

import structlog

from bot.clock import Clock, MalformedClock
from bot.now import Now
from bot.play import deadlines, deed
from bot.play.alarm import Alarm
from bot.play.dealing import Dealer, cut_cards, hand_deck
from bot.play.derived import results_of, status_of
from bot.play.table import Table
from bot.refusals import (
    NoSuchMatch,
    NotAtThisTable,
    NotPossibleNow,
    Refusal,
    UnreadableMatch,
    already_done,
    broken_rule,
    earlier_moment,
)
from bot.ui.language import _
from db.errors import AlreadyDone, DamagedLog, StaleVersion
from db.ids import ChallengeId, ChannelId, InteractionId, MatchId, PersonId, ServerId
from db.rows import (
    CLOCK,
    DeadlineRow,
    LogEntry,
    MatchStatus,
    NewAdminAct,
    NewEntry,
    NewMatch,
)
from db.store import Store, Transaction
from gin import Cancel, Cut, Deal, Match, Needs, Seat, errors
from gin.cut import cut_order
from gin.events import Event
from gin.fair import SECRET_BYTES
from gin.notation import dump_event
from gin.rules import Rules, Scoring

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

KEPT_IN_MEMORY: Final = 1024
TRIES: Final = 5
"""How often a typed command is applied anew when another process was quicker."""

Intent = Callable[[Match, Seat], Event]
"""What the actor wants, worked out against the match as it stands; may raise GinError."""

HouseActs = Callable[[Table, Seat], Sequence[Event]]
"""What the house does in a player's seat; all of it is committed together."""


@dataclass(frozen=True, slots=True)
class NewTable:
    """Everything needed to start a match."""

    server: ServerId
    channel: ChannelId
    people: tuple[PersonId, ...]
    """In the order in which they sat down, the challenger first; a rotation's cut seats them."""
    rules: Rules
    thread: ChannelId | None = None
    """The thread of the channel in which the table stands."""
    challenge: ChallengeId | None = None
    """Its promise and words decide the shuffles; without one they are the house's own."""
    rematch_of: MatchId | None = None
    house: str | None = None
    """The name of the house set whose rules these are."""
    clock: Clock | None = None


class Tables:
    """All matches: loads them from the log, and lets actors act."""

    def __init__(self, store: Store, now: Now, alarm: Alarm | None = None) -> None:
        self._store = store
        self._now = now
        self._alarm = alarm
        """Rung when a deadline comes into being."""
        self._dealer = Dealer()
        self._cache: OrderedDict[MatchId, Table] = OrderedDict()
        self._forgotten = 0
        """How often a match was forgotten: what was read before that is not kept after it."""
        self._locks: WeakValueDictionary[MatchId, asyncio.Lock] = WeakValueDictionary()

    def remembered(self, match_id: MatchId) -> Table | None:
        """The match as this process last saw it, without a look into the log."""
        return self._cache.get(match_id)

    def certain(self, match_id: MatchId) -> Table | None:
        """The match as it is remembered, where that is sure to be what the log has."""
        return None if self._store.is_shared else self.remembered(match_id)

    async def load(self, match_id: MatchId) -> Table | None:
        """The match as the log has it now, or None for an unknown number."""
        async with self._store.reading() as tx:
            return await self.load_in(tx, match_id)

    async def load_all(self, matches: Iterable[MatchId]) -> list[Table]:
        """These matches as the log has them now, but for those that can't be read."""
        found = []
        for match_id in matches:
            with suppress(UnreadableMatch):
                found.append(await self.load(match_id))
        return [table for table in found if table is not None]

    async def load_in(self, tx: Transaction, match_id: MatchId) -> Table | None:
        """The match as the log has it in a transaction, or None for an unknown number.

        The row is read each time: where the table stands, and who sits there, may have changed
        without an entry in the log, also by another process. Raise :class:`UnreadableMatch` for a
        record of another version, or a broken one.
        """
        since = self._forgotten
        row = await tx.matches.get(match_id)
        if row is None:
            return None
        cached = self._cache.get(match_id)
        try:
            table = Table.fresh(row) if cached is None else replace(cached, row=row)
            if row.head != table.head:
                table = table.replayed(await tx.matches.log(match_id, after=table.head))
        except (errors.GinError, MalformedClock, DamagedLog) as error:
            log.error("match not readable", match=match_id, error=repr(error))
            raise UnreadableMatch(match_id) from error
        if table.head == 0:
            return None
        return self._keep(table, since)

    def _keep(self, table: Table, since: int) -> Table:
        """Remember a match whose row was read when `_forgotten` was ``since``."""
        newest = self._cache.get(table.id)
        if newest is not None and newest.head > table.head:
            return table  # a slow reader must not put an older state back
        if since != self._forgotten:
            self._cache.pop(table.id, None)
            return table  # nor an older row
        self._cache[table.id] = table
        self._cache.move_to_end(table.id)
        while len(self._cache) > KEPT_IN_MEMORY:
            self._cache.popitem(last=False)
        return table

    def _lock(self, match_id: MatchId) -> asyncio.Lock:
        lock = self._locks.get(match_id)
        if lock is None:
            lock = self._locks[match_id] = asyncio.Lock()
        return lock

    async def open(self, tx: Transaction, new: NewTable) -> Table:
        """Start a match inside the caller's transaction: cut, first deal. Nothing is shown."""
        now = self._now()
        seed = None if new.challenge is None else await self._dealer.of_challenge(tx, new.challenge)
        cut = cut_cards(seed or secrets.token_bytes(SECRET_BYTES), len(new.people))
        people = new.people
        if new.rules.scoring is Scoring.ROTATION:
            people = tuple(new.people[place] for place in cut_order(cut, len(new.people)))
        match_id = await tx.matches.create(
            NewMatch(
                server_id=new.server,
                channel_id=new.channel,
                thread_id=new.thread,
                rules=new.rules.dump(),
                people=people,
                challenge_id=new.challenge,
                rematch_of=new.rematch_of,
                house=new.house,
                created_at=now,
                clock=None if new.clock is None else new.clock.dump(),
            )
        )
        events: list[Event] = [Cut(cut)]
        _deal_on(Match.start(new.rules).after(events[0]), events, seed)
        await tx.matches.append(match_id, 0, [_entry(event) for event in events], now)
        row = await tx.matches.get(match_id)
        if row is None:
            raise NoSuchMatch(_("The match could not be opened. Please challenge again."))
        table = Table.fresh(row).replayed(await tx.matches.log(match_id))
        self._ring(await deadlines.begin(tx, table, now))
        tx.then.append(partial(deed.match_changed, table.id))
        return table

    async def act(
        self,
        match_id: MatchId,
        actor: PersonId,
        intent: Intent,
        *,
        version: int | None = None,
        interaction: InteractionId | None = None,
    ) -> Table:
        """Let ``actor`` act and return the match after it, committed.

        ``version`` is what the pressed control showed: if the match has moved on since, the
        press is refused as already done. A typed command has none and applies to the present.
        Raises :class:`Refusal`; whatever is raised, nothing has changed.
        """
        async with self._lock(match_id):
            table = self.remembered(match_id)
            for attempt in range(TRIES):
                # What is remembered will do for an act, as the log takes it at its own head only.
                # A refusal has to be sure.
                is_sure = table is None
                table = table or await self.load(match_id)
                try:
                    return await self._act_at(table, actor, intent, version, interaction)
                except StaleVersion:
                    log.info("stale", match=match_id, attempt=attempt)
                except AlreadyDone:
                    raise already_done() from None
                except Refusal:
                    if is_sure:
                        raise
                table = None
            raise earlier_moment()

    @asynccontextmanager
    async def beside(self, match_id: MatchId) -> AsyncIterator[Transaction]:
        """Write what stands beside a match's log: its row is read anew, however that ends."""
        try:
            async with self._store.transaction() as tx:
                yield tx
        finally:
            self.forget(match_id)
            deed.match_changed(match_id)

    def forget(self, match_id: MatchId) -> None:
        """Read the match's row anew next time: what stands beside the log has changed."""
        self._forgotten += 1
        self._cache.pop(match_id, None)

    async def end(self, match_id: MatchId, act: NewAdminAct, interaction: InteractionId) -> Table:
        """Let an administrator end a running match without a result, and write down that he did.

        The log says who ended it; the act is written in the same transaction. Raises
        :class:`Refusal`; whatever is raised, nothing has changed.
        """
        async with self._lock(match_id):
            for _attempt in range(TRIES):
                table = await self.load(match_id)
                if table is None or table.is_over:
                    raise NotPossibleNow(_("That match is over already."))
                entry = NewEntry(dump_event(Cancel()), None, act.actor, interaction)
                match = table.match.after(Cancel())
                try:
                    async with self.beside(match_id) as tx:
                        await tx.matches.append(table.id, table.head, [entry], act.at)
                        await tx.matches.finish(table.id, status_of(match), act.at)
                        await tx.deadlines.drop(table.id)
                        await tx.admin.record(act)
                except StaleVersion:
                    continue
                except AlreadyDone:
                    raise already_done() from None
                log.info("ended by an administrator", match=table.id)
                return await self.load(match_id) or table
            raise earlier_moment()

    async def end_unread(
        self,
        match_id: MatchId,
        actor: PersonId,
        *,
        act: NewAdminAct | None = None,
        interaction: InteractionId | None = None,
    ) -> bool:
        """End a running match that can't be read, without a result; whether there was one.

        Nothing of its record is needed for that, and nothing of it is changed.
        """
        now = self._now() if act is None else act.at
        entry = NewEntry(dump_event(Cancel()), None, actor, interaction)
        async with self._lock(match_id):
            try:
                async with self.beside(match_id) as tx:
                    row = await tx.matches.get(match_id)
                    if row is None or row.status is not MatchStatus.RUNNING:
                        return False
                    await tx.matches.append(match_id, row.head, [entry], now)
                    await tx.matches.finish(match_id, MatchStatus.CANCELLED, now)
                    await tx.deadlines.drop(match_id)
                    if act is not None:
                        await tx.admin.record(act)
            except AlreadyDone:
                raise already_done() from None
        log.warning("ended unread", match=match_id)
        return True

    async def time_up(self, row: DeadlineRow, acts_of: HouseActs) -> Table | None:
        """Let the house act for the player whose deadline has passed; None where it's too late.

        It acts in the player's seat, and the log says that the clock did. An act of his that came
        first counts, also one of this very moment; the second of two dispatchers finds it done.
        """
        async with self._lock(row.match_id):
            table = await self.load(row.match_id)
            if table is None or table.turn != (row.seat, row.turn):
                return None
            seat = Seat(row.seat)
            acts = acts_of(table, seat)
            match = table.match
            for event in acts:
                match = match.after(event)
            try:
                return await self._add(table, match, acts, seat, CLOCK, due=row)
            except StaleVersion:
                return None

    async def _act_at(
        self,
        table: Table | None,
        actor: PersonId,
        intent: Intent,
        version: int | None,
        interaction: InteractionId | None,
    ) -> Table:
        if table is None:
            raise NoSuchMatch(_("That match doesn't exist. `/gin status` lists yours."))
        seat = table.seat_of(actor)
        if seat is None:
            raise NotAtThisTable(_("That seat is another player's. You're welcome to watch."))
        if version is not None and version != table.head:
            raise earlier_moment()
        return await self._commit(table, seat, actor, intent, interaction)

    async def _commit(
        self,
        table: Table,
        seat: Seat,
        actor: PersonId,
        intent: Intent,
        interaction: InteractionId | None,
    ) -> Table:
        try:
            event = intent(table.match, seat)
            match = table.match.after(event)
        except errors.NotYourTurn as error:
            raise _not_your_turn(table, seat, error) from error
        except errors.GinError as error:
            raise broken_rule(error, table.match.hand) from error
        return await self._add(table, match, (event,), seat, actor, interaction)

    async def _add(
        self,
        table: Table,
        match: Match,
        acts: Sequence[Event],
        seat: Seat,
        actor: PersonId,
        interaction: InteractionId | None = None,
        *,
        due: DeadlineRow | None = None,
    ) -> Table:
        """Commit one actor's acts, after which ``match`` is the match, and deal on if need be.

        ``due`` is the deadline for which the house acts; it must still be as it was read.
        """
        events = list(acts)
        if match.needs is Needs.DEAL:
            async with self._store.reading() as tx:
                seed = await self._dealer.of_match(tx, table.id, table.row.challenge_id)
            match = _deal_on(match, events, seed)
        now = self._now()
        entries = [_entry(event) for event in events]
        for place in range(len(acts)):
            entries[place] = replace(entries[place], seat=int(seat), actor=actor)
        entries[0] = replace(entries[0], interaction_id=interaction)
        after = table.replayed(_logged(entries, table.head, now))
        deadline = None
        try:
            async with self._store.transaction() as tx:
                if due is not None and await tx.deadlines.get(table.id) != due:
                    raise StaleVersion(table.head)  # it was moved, or stands still now
                await tx.matches.append(table.id, table.head, entries, now)
                if match.outcome is not None:
                    await tx.matches.finish(
                        table.id, status_of(match), now, results_of(table.people, match)
                    )
                if table.row.clock is not None and after.turn != table.turn:
                    deadline = await deadlines.begin(tx, after, now)
        except BaseException:  # it may stand in the log all the same
            self.forget(table.id)
            raise
        finally:
            deed.match_changed(table.id)
        self._ring(deadline)
        log.info("acted", match=table.id, seat=str(seat), version=after.head)
        known = self.remembered(table.id)  # None where it was forgotten meanwhile
        row = table.row if known is None else known.row
        if after.is_over:
            row = replace(row, status=status_of(match), ended_at=now)
        after = replace(after, row=row)
        return after if known is None else self._keep(after, self._forgotten)

    def _ring(self, deadline: DeadlineRow | None) -> None:
        if self._alarm is not None and deadline is not None and deadline.next_at is not None:
            self._alarm.set_for(deadline.next_at)


def _deal_on(match: Match, events: list[Event], seed: bytes | None) -> Match:
    """Deal the next hand when one is due, so that no position waits for the house."""
    while match.needs is Needs.DEAL:
        number = len(match.results) + 1
        events.append(Deal(hand_deck(seed or secrets.token_bytes(SECRET_BYTES), number)))
        match = match.after(events[-1])
    return match


def _not_your_turn(table: Table, seat: Seat, error: errors.NotYourTurn) -> Refusal:
    hand = table.match.hand
    if hand is None or hand.is_over or seat in hand.players:
        return broken_rule(error, hand)
    return NotPossibleNow(_("You sit this hand out: the other two play it. You're in again soon."))


def _entry(event: Event) -> NewEntry:
    return NewEntry(text=dump_event(event), seat=None, actor=None, interaction_id=None)


def _logged(entries: list[NewEntry], head: int, at: datetime) -> tuple[LogEntry, ...]:
    """The entries as the log gives them, now that they stand in it."""
    return tuple(
        LogEntry(seq, entry.text, entry.seat, entry.actor, entry.interaction_id, at)
        for seq, entry in enumerate(entries, head + 1)
    )
