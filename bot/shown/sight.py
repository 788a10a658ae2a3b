"""Sight: what pages need to know of a match, as one person may see it."""

from __future__ import annotations

from bot.mail.people import People
from bot.now import Now
from bot.play import deadlines
from bot.play.idle import IDLE_AFTER, may_be_closed
from bot.play.table import Table
from bot.shown.places import Places
from bot.ui.page import MatchShown, Ruling
from db.rows import MatchStatus, ShownRow
from db.store import Store
from gin import Seat
from gin.results import Reason


class Sight:
    """Puts a match's view together with what stands beside it: names, place, clock."""

    def __init__(self, store: Store, people: People, places: Places, now: Now) -> None:
        self._store = store
        self._people = people
        self._places = places
        self._now = now

    async def of(self, table: Table, seat: Seat | None, row: ShownRow | None) -> MatchShown:
        """The match as a seat (None: everybody) sees it; ``row`` says where its table stands."""
        url = None
        await self._places.read()
        has_table = table.is_over or self._places.has_table(table)
        if row is not None and has_table:
            url = f"https://discord.com/channels/{table.row.server_id}/{row.channel_id}/{row.message_id}"
        deadline, back_by, vacation_over = None, None, False
        if table.row.clock is not None and not table.is_over:
            async with self._store.reading() as tx:
                deadline = await deadlines.of_turn(tx, table)
                if deadline is not None and deadlines.by_correspondence(table.row):
                    mover, now = table.people[deadline.seat], self._now()
                    if deadline.stopped_at is not None:
                        back_by = await tx.vacations.until(mover, now)
                    else:
                        ended = await tx.vacations.since(mover, deadline.began)
                        vacation_over = any(one.ends <= now for one in ended)
        is_counted = deadline is not None and deadline.next_at is not None
        server_away = is_counted and self._places.clock_stands(table)
        stands_still = deadline is not None and (deadline.stopped_at is not None or server_away)
        return MatchShown(
            match_id=table.id,
            version=table.head,
            view=table.view(seat),
            people=await self._people.shown(table.people),
            table_url=url,
            house=table.row.house,
            has_table=has_table,
            channel_gone=self._places.is_gone(table),
            four_colours=seat is not None
            and (await self._people.wishes(table.people[seat])).four_colours,
            clock=table.clock,
            deadline=None if deadline is None or stands_still else deadline.due,
            time_is_up=deadline is not None and deadline.next_at is None,
            back_by=back_by,
            vacation_over=vacation_over,
            server_away=server_away,
            stood_in=table.stood_in,
            may_close=may_be_closed(table, deadline, self._now),
            ruling=await self._ruling(table),
            closed_idle=_closed_idle(table),
            left=await self._left(table),
            generation=self._store.generation,
        )

    async def _left(self, table: Table) -> tuple[Seat, ...]:
        """Who had left the server when the others called the match off."""
        if _called_off_by(table) is None:
            return ()
        async with self._store.reading() as tx:
            left = await tx.offers.left(table.id)
        return tuple(Seat(index) for index, person in enumerate(table.people) if person in left)

    async def _ruling(self, table: Table) -> Ruling | None:
        """What a moderator made of a match that is over, and why."""
        if not table.is_over:
            return None
        is_void = table.row.status is MatchStatus.VOID
        async with self._store.reading() as tx:
            reason = await tx.admin.ruling(table.row.server_id, table.id)
        return None if reason is None and not is_void else Ruling(is_void, reason or "")


def _closed_idle(table: Table) -> Seat | None:
    """Who closed a match in which nobody had played for long; None where it ended otherwise."""
    return _called_off_by(table) if table.rested >= IDLE_AFTER else None


def _called_off_by(table: Table) -> Seat | None:
    """Which player's act called the match off; None where it goes on or ended otherwise."""
    outcome = table.match.outcome
    if outcome is None or outcome.reason is not Reason.CANCELLED:
        return None
    return next((seat for seat, (seq, _at) in table.own_act.items() if seq == table.head), None)
