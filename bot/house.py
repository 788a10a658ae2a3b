"""The house: all the parts that the desk works with, in one value."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.care.keeping import Keeping
from bot.front.door import Door
from bot.front.pace import Pace
from bot.mail.people import People
from bot.mail.post import Post
from bot.play.challenges import Challenges
from bot.play.table import Table
from bot.play.tables import Tables
from bot.shown.showing import Showing
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
    pace: Pace = field(default_factory=Pace)
    keeping: Keeping = field(default_factory=Keeping)

    @classmethod
    def build(
        cls, store: Store, post: Post, pace: Pace | None = None, keeping: Keeping | None = None
    ) -> House:
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
            pace=pace or Pace(),
            keeping=keeping or Keeping(),
        )

    async def shown(self, table: Table, seat: Seat | None) -> MatchShown:
        """What pages need of a match, as one seat (None: everybody) may see it."""
        return await self.showing.shown(table, seat)
