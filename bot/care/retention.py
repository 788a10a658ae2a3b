"""Retention: forgetting people who want it, and what was kept long enough."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Final

import structlog

from bot.house import House
from bot.play import deed
from bot.play.vacations import YEAR
from bot.refusals import NotPossibleNow, Refusal, UnreadableMatch
from bot.ui.language import _
from db.errors import DatabaseUnusable
from db.ids import MatchId, PersonId
from db.rows import ChallengeStatus
from db.store import Store
from gin import Resign, Seat

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

FIRST_LOOK: Final = timedelta(minutes=10)
"""After a start: what people wait for comes first."""
BETWEEN_LOOKS: Final = timedelta(days=1)
PEOPLE_AT_ONCE: Final = 100
PACKED_AFTER: Final = timedelta(days=7)
"""When a match's log is packed, after its end: nobody presses anything of it by then."""
FOUND_AT_ONCE: Final = 2000
"""Matches whose logs are to be packed, found in one walk through all logs that aren't."""
PACKED_AT_ONCE: Final = 2
"""Logs packed in one transaction: people who act meanwhile wait for some hundredths of a second."""
BREATH: Final = timedelta(milliseconds=50)
"""Between two of these transactions: a database full of old logs is packed in hours, unnoticed."""
TRIES: Final = 5


async def forget(house: House, person: PersonId) -> None:
    """Delete a person's data: resign his matches, settle his challenges, take him out of the rest.

    In matches, results and the log a negative number drawn at random stands for him from now on,
    the same in all of them; nothing leads from it to him.
    """
    changed: set[MatchId] = set()
    for _attempt in range(TRIES):
        changed |= await _leave_matches(house, person)
        await _leave_challenges(house, person)
        kept: tuple[MatchId, ...] = ()
        try:
            async with house.store.transaction() as tx:
                if await tx.matches.running_of(person) or await tx.challenges.open_of(person):
                    continue  # he was seated or asked again at that very moment
                kept = await tx.privacy.matches_of(person)
                await tx.privacy.forget(person, PersonId(-1 - secrets.randbits(52)), house.now())
        finally:
            for match in kept:
                house.tables.forget(match)
            house.people.forget(person)
        break
    else:
        raise NotPossibleNow(_("Your matches could not be ended just now. Please try once more."))
    for match in changed:
        house.showing.redraw(match)  # it may have been shown as it ended, with his name
    log.info("forgotten", matches=len(kept))


async def _leave_matches(house: House, person: PersonId) -> set[MatchId]:
    async with house.store.reading() as tx:
        running = await tx.matches.running_of(person)
    for row in running:
        try:
            await house.tables.act(row.id, person, lambda _match, seat: Resign(seat))
        except UnreadableMatch:  # nobody can say what a resignation would score
            await house.tables.end_unread(row.id, person)
        except Refusal:
            log.info("ended meanwhile", match=row.id)
        try:
            await house.showing.hand_gone(row.id, Seat(row.people.index(person)))
        except BaseException:  # nobody else would show that it is over
            house.showing.changed(row.id)
            raise
    return {row.id for row in running}


async def _leave_challenges(house: House, person: PersonId) -> None:
    async with house.store.reading() as tx:
        asked = await tx.challenges.open_of(person)
    for row in asked:
        mine = row.challenger == person
        status = ChallengeStatus.WITHDRAWN if mine else ChallengeStatus.DECLINED
        async with house.store.transaction() as tx:
            tx.then.append(partial(deed.challenge_changed, row.id))
            await tx.challenges.settle(row.id, status, house.now())
            settled = await tx.challenges.get(row.id) or row
        await house.invitations.show_settled(settled)


async def tidy(house: House, now: datetime) -> None:
    """Forget what was kept for longer than the settings say, and pack what nobody plays.

    What fails is logged by its name, and left to the next time; all the rest is done.
    """
    keeping, store = house.keeping, house.store
    steps: dict[str, Callable[[], Awaitable[int]]] = {
        "challenges": partial(_forget_unplayed, store, now - timedelta(days=keeping.unplayed)),
        "acts": partial(_forget_acts, store, now - timedelta(days=keeping.acts)),
        "vacations": partial(_forget_vacations, store, now - YEAR),
        "people": partial(_forget_absent, house, now - timedelta(days=keeping.absent)),
        "packed": partial(pack, store, now - PACKED_AFTER),
    }
    done: dict[str, int | None] = {}
    for name, step in steps.items():
        try:
            done[name] = await step()
        except Exception:  # one step that fails must not be the end of the others
            log.exception("not tidied", step=name)
            done[name] = None
    log.info("tidied", **done)


async def _forget_unplayed(store: Store, before: datetime) -> int:
    """Forget settled challenges that led to no match, some at a time; return how many."""
    forgotten = 0
    while True:
        async with store.transaction() as tx:
            gone = await tx.privacy.unplayed(before)
        forgotten += gone
        if not gone:
            return forgotten


async def _forget_acts(store: Store, before: datetime) -> int:
    """Forget what administrators did; return how many acts."""
    async with store.transaction() as tx:
        return await tx.privacy.old_acts(before)


async def _forget_vacations(store: Store, before: datetime) -> int:
    """Forget vacations that no allowance depends on any more; return how many."""
    async with store.transaction() as tx:
        return await tx.vacations.forget(before)


async def _forget_absent(house: House, before: datetime) -> int:
    """Forget people who haven't played since, unless they are kept; return how many.

    Where one can't be forgotten, the others are.
    """
    forgotten = 0
    kept: set[PersonId] = set()
    while house.keeping.absent:
        async with house.store.reading() as tx:
            absent = await tx.privacy.absent(before, PEOPLE_AT_ONCE + len(kept))
        absent = tuple(person for person in absent if person not in kept)
        if not absent:
            break
        for person in absent:
            try:
                await forget(house, person)
                forgotten += 1
            except DatabaseUnusable:
                raise  # nobody else could be forgotten either
            except Exception:
                log.exception("person not forgotten")
                kept.add(person)
    return forgotten


async def pack(store: Store, ended_before: datetime) -> int:
    """Pack the logs of matches that ended before then; return how many. Nothing of them is lost."""
    packed, last = 0, MatchId(0)
    while True:
        async with store.reading() as tx:
            ripe = await tx.packing.ripe(ended_before, last, FOUND_AT_ONCE)
        if not ripe:
            return packed
        for start in range(0, len(ripe), PACKED_AT_ONCE):
            async with store.transaction() as tx:
                for match in ripe[start : start + PACKED_AT_ONCE]:
                    packed += await tx.packing.pack(match)
            await asyncio.sleep(BREATH.total_seconds())
        last = ripe[-1]


async def watch(house: House) -> None:
    """Tidy once a day, the first time soon after the start; runs as long as the bot does."""
    wait = FIRST_LOOK
    while True:
        await asyncio.sleep(wait.total_seconds())
        wait = BETWEEN_LOOKS
        try:
            await tidy(house, house.now())
        except Exception:  # one failed look must not end the watch
            log.exception("not tidied")
