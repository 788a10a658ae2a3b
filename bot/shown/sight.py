"""Sight: what pages need to know of a match, as one person may see it."""

from __future__ import annotations

from bot.mail.people import People
from bot.now import Now
from bot.play import deadlines
from bot.play.idle import may_be_closed
from bot.play.table import Table
from bot.shown.places import Places
from bot.ui.page import MatchShown
from db.rows import ShownRow
from db.store import Store
from gin import Seat


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
        deadline = back_by = None
        if table.row.clock is not None and not table.is_over:
            async with self._store.reading() as tx:
                deadline = await deadlines.of_turn(tx, table)
                if deadline is not None and deadline.stopped_at is not None:
                    mover = table.people[deadline.seat]
                    back_by = await tx.vacations.until(mover, self._now())
        stands_still = deadline is not None and deadline.stopped_at is not None
        return MatchShown(
            match_id=table.id,
            version=table.head,
            view=table.view(seat),
            people=await self._people.shown(table.people),
            table_url=url,
            house=table.row.house,
            has_table=has_table,
            four_colours=seat is not None
            and (await self._people.wishes(table.people[seat])).four_colours,
            clock=table.clock,
            deadline=None if deadline is None or stands_still else deadline.due,
            time_is_up=deadline is not None and deadline.next_at is None,
            back_by=back_by,
            stood_in=table.stood_in,
            may_close=may_be_closed(table, deadline, self._now),
        )
