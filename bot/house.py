"""The house: all the parts that the desk works with, in one value."""

from __future__ import annotations

from dataclasses import dataclass

from bot.challenges import Challenges
from bot.door import Door
from bot.people import People
from bot.post import Post
from bot.showing import Showing
from bot.table import Table
from bot.tables import Tables
from bot.ui.page import MatchShown
from db.store import Store
from gin import Seat


@dataclass(frozen=True, slots=True)
class House:
    """One running bot, less its connection."""

    store: Store
    post: Post
    people: People
    tables: Tables
    challenges: Challenges
    showing: Showing
    door: Door

    @classmethod
    def build(cls, store: Store, post: Post) -> House:
        """Put the parts together around one database and one way of sending."""
        people = People(store, post)
        tables = Tables(store)
        return cls(
            store=store,
            post=post,
            people=people,
            tables=tables,
            challenges=Challenges(store, tables, post, people),
            showing=Showing(store, tables, post, people),
            door=Door(),
        )

    async def shown(self, table: Table, seat: Seat | None) -> MatchShown:
        """What pages need of a match, as one seat (None: everybody) may see it."""
        return await self.showing.shown(table, seat)
