"""The house: all the parts that the desk works with, in one value."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.care.keeping import Keeping
from bot.front.door import Door
from bot.front.doubles import Doubles
from bot.front.pace import Pace
from bot.front.refused import Refused
from bot.front.rush import Rush
from bot.front.sure import Sure
from bot.mail.people import People
from bot.mail.post import Post
from bot.now import Now, utc_now
from bot.play.alarm import Alarm
from bot.play.challenges import Challenges
from bot.play.clocks import Clocks
from bot.play.idle import IdleMatches
from bot.play.presence import Presence
from bot.play.table import Table
from bot.play.tables import Tables
from bot.play.vacations import Vacations
from bot.shown.crier import TableCrier
from bot.shown.invitations import Invitations
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
    invitations: Invitations
    showing: Showing
    presence: Presence
    door: Door
    clocks: Clocks
    idle: IdleMatches
    vacations: Vacations
    now: Now
    """The one clock: nothing asks another what time it is."""
    pace: Pace = field(default_factory=Pace)
    typing: Pace = field(default_factory=Pace)
    """The pace of suggestions."""
    rush: Rush = field(default_factory=Rush)
    refused: Refused = field(default_factory=Refused)
    doubles: Doubles = field(default_factory=Doubles)
    sure: Sure = field(default_factory=Sure)
    keeping: Keeping = field(default_factory=Keeping)

    @classmethod
    def build(
        cls,
        store: Store,
        post: Post,
        pace: Pace | None = None,
        keeping: Keeping | None = None,
        now: Now = utc_now,
    ) -> House:
        """Put the parts together around one database and one way of sending."""
        people = People(store, post, now)
        alarm = Alarm(now)
        tables = Tables(store, now, alarm)
        presence = Presence(store, now)
        challenges = Challenges(store, tables, people, now)
        showing = Showing(store, tables, post, people, presence, now)
        crier = TableCrier(showing, post, people)
        return cls(
            store=store,
            post=post,
            people=people,
            tables=tables,
            challenges=challenges,
            invitations=Invitations(store, challenges, post, people, now),
            showing=showing,
            presence=presence,
            door=Door(),
            clocks=Clocks(store, tables, crier, presence, now, alarm),
            idle=IdleMatches(store, tables, crier, now),
            vacations=Vacations(store, crier, presence, now, alarm),
            now=now,
            pace=pace or Pace(),
            typing=(pace or Pace()).of_keys(),
            keeping=keeping or Keeping(),
        )

    async def shown(self, table: Table, seat: Seat | None) -> MatchShown:
        """What pages need of a match, as one seat (None: everybody) may see it."""
        return await self.showing.shown(table, seat)
