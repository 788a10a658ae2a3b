"""Time in which nobody could act is given back, once, and nothing falls due before."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta
from unittest.mock import AsyncMock

import pytest
from structlog.testing import capture_logs

from bot.care import audit
from bot.clock import Clock, TimeUp
from bot.play import heartbeat
from bot.play.presence import State
from bot.play.table import Table
from db.deadlines import Deadlines
from db.errors import DatabaseUnusable, StoreError
from db.ids import InteractionId, MatchId, ServerId
from db.rows import AdminAct, NewAdminAct
from tests.bot.play.clockroom import ADA, BEN, DAY, HOUR, LIVE, MINUTE, SECOND, SLOW, Room
from tests.db.house import CLUB, PUB

# ---------------------------------------------------------------------------- what is given back


async def test_the_time_in_which_the_bot_was_down_is_given_back(room: Room) -> None:
    match = await room.match(LIVE)
    room.time.passes(30 * SECOND)
    await room.clocks._beat()
    room.begin()  # killed, and begun an hour later
    room.time.passes(HOUR)
    await room.clocks.lost_time.came_up()
    assert await room.left(match) == 90 * SECOND
    assert await room.passes(timedelta(0)) == ["outdate", "repair"]
    assert await room.log(match) == []
    await room.clocks.lost_time.came_up()  # begun again at once: nothing more to give
    assert await room.left(match) == 90 * SECOND


async def test_what_was_nearly_up_before_a_kill_is_not_up_after_it(room: Room) -> None:
    match = await room.match(LIVE)
    room.time.passes(119 * SECOND)
    await room.clocks._beat()
    room.begin()
    room.time.passes(10 * DAY)
    await room.clocks.lost_time.came_up()
    assert await room.passes(timedelta(0)) == ["outdate", "repair", "remind B"]
    assert await room.passes(SECOND) == ["changed"]
    assert await room.log(match) == ["clock: B pass"]


async def test_a_turn_gets_no_more_back_than_it_was_down_for(room: Room) -> None:
    """The heartbeat is a week old, as it could not be written; the turn began a minute ago."""
    async with room.store.transaction() as tx:
        await heartbeat.note(tx, room.time() - 7 * DAY)
    match = await room.match(LIVE)
    room.begin()
    room.time.passes(MINUTE)
    await room.clocks.lost_time.came_up()
    assert await room.left(match) == 2 * MINUTE


async def test_who_was_killed_before_the_first_heartbeat_gives_each_turn_all_it_lost(
    room: Room,
) -> None:
    match = await room.match(LIVE)
    room.begin()
    room.time.passes(HOUR)
    await room.clocks.lost_time.came_up()
    assert await room.left(match) == 2 * MINUTE


async def test_a_turn_that_moved_little_of_its_time_is_not_shown_anew(room: Room) -> None:
    match = await room.match(SLOW)
    await room.clocks._beat()
    room.time.passes(10 * MINUTE)
    await room.clocks.lost_time.came_up()
    assert await room.left(match) == 2 * DAY
    assert room.notes.words() == []


async def test_while_discord_cannot_be_heard_nobodys_time_runs(room: Room) -> None:
    match = await room.match(LIVE)
    await room.clocks.lost_time.came_up()
    room.time.passes(100 * SECOND)
    room.clocks.lost_time.lost(0)
    room.clocks.lost_time.lost(0)
    room.time.passes(10 * MINUTE)
    await room.clocks.lost_time.found(0)
    assert await room.left(match) == 20 * SECOND
    await room.clocks.settle()
    assert room.notes.words() == ["outdate", "repair"]


async def test_a_connection_lost_for_a_moment_costs_nothing_and_gives_nothing(room: Room) -> None:
    match = await room.match(LIVE)
    await room.clocks.lost_time.came_up()
    room.clocks.lost_time.lost(0)
    room.time.passes(2 * SECOND)
    await room.clocks.lost_time.found(0)
    assert await room.left(match) == 118 * SECOND


async def test_with_several_connections_the_last_that_comes_back_ends_an_outage(
    room: Room,
) -> None:
    match = await room.match(LIVE)
    await room.clocks.lost_time.came_up()
    room.clocks.lost_time.lost(0)
    room.time.passes(MINUTE)
    room.clocks.lost_time.lost(1)
    await room.clocks.lost_time.found(0)
    room.time.passes(MINUTE)
    assert await room.left(match) == timedelta(0)
    await room.clocks.lost_time.found(1)
    assert await room.left(match) == 2 * MINUTE
    await room.clocks.lost_time.found(1)  # told twice
    assert await room.left(match) == 2 * MINUTE


class FullDisk:
    """Giving time back fails until the test makes room."""

    def __init__(self, room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_full = True
        self.tried = 0
        real = room.clocks.lost_time._give_back

        async def give_back(since: datetime) -> list[MatchId]:
            self.tried += 1
            if self.is_full:
                raise StoreError("the disk is full")
            return await real(since)

        monkeypatch.setattr(room.clocks.lost_time, "_give_back", give_back)

    async def is_tried(self, room: Room) -> None:
        """Wait until it was tried once more."""
        before = self.tried
        room.alarm.ring()
        async with asyncio.timeout(10):
            while self.tried == before:  # noqa: ASYNC110 - what is waited for has no event
                await asyncio.sleep(0.001)


async def test_nothing_falls_due_before_the_time_in_which_the_bot_was_down_was_given_back(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await room.match(Clock(2 * MINUTE, TimeUp.FORFEIT_MATCH))
    room.time.passes(30 * SECOND)
    await room.clocks._beat()
    room.begin()
    room.time.passes(HOUR)
    disk = FullDisk(room, monkeypatch)
    watch = asyncio.create_task(room.clocks.watch())
    try:
        await disk.is_tried(room)
        room.clocks.lost_time.lost(0)
        room.time.passes(10 * SECOND)
        await room.clocks.lost_time.found(0)
        await disk.is_tried(room)
        await room.clocks.close()  # writes no heartbeat either
        disk.is_full = False
        await disk.is_tried(room)
        await until_left(room, match, 90 * SECOND)
        assert await room.log(match) == []
    finally:
        watch.cancel()
        await asyncio.gather(watch, return_exceptions=True)


async def test_time_that_could_not_be_given_back_after_a_loss_is_given_back_later_and_once(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await room.match(LIVE)
    await room.clocks.lost_time.came_up()
    room.time.passes(MINUTE)
    room.clocks.lost_time.lost(0)
    room.time.passes(HOUR)
    disk = FullDisk(room, monkeypatch)
    await room.clocks.lost_time.found(0)
    assert disk.tried == 1
    watch = asyncio.create_task(room.clocks.watch())
    try:
        await disk.is_tried(room)
        disk.is_full = False
        await asyncio.gather(
            disk.is_tried(room), room.clocks.lost_time.found(0), room.clocks.lost_time.found(0)
        )
        await until_left(room, match, MINUTE)
        assert not room.clocks.lost_time.is_away
        assert await room.log(match) == []
    finally:
        watch.cancel()
        await asyncio.gather(watch, return_exceptions=True)


async def until_left(room: Room, match: MatchId, span: timedelta) -> None:
    async with asyncio.timeout(10):
        while await room.left(match) != span:  # noqa: ASYNC110 - a row has no event
            await asyncio.sleep(0.001)


async def test_on_a_server_that_removed_the_bot_clocks_stand_still_until_it_is_back(
    room: Room,
) -> None:
    match = await room.match(LIVE)
    room.time.passes(30 * SECOND)
    await room.presence.removed(CLUB)
    # Neither a reminder nor the end: hands say that the clock stands still, once.
    assert await room.passes(65 * SECOND) == []
    assert await room.passes(SECOND) == ["redraw"]
    assert await room.passes(DAY) == []
    await room.presence.back(CLUB)
    assert await room.left(match) == 90 * SECOND
    assert await room.passes(timedelta(0)) == ["outdate", "repair"]
    assert await room.passes(90 * SECOND) == ["changed"]
    assert await room.log(match) == ["clock: B pass"]


@pytest.mark.parametrize("method", ["give_back", "stopped_on"])
async def test_a_kill_at_a_servers_return_neither_keeps_its_time_nor_gives_it_twice(
    room: Room, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    """The absence ends and the time is given back at one moment, or neither does."""
    match = await room.match(LIVE)
    await room.presence.removed(CLUB)
    room.time.passes(DAY)
    with monkeypatch.context() as broken:
        broken.setattr(Deadlines, method, AsyncMock(side_effect=asyncio.CancelledError))
        with pytest.raises(asyncio.CancelledError):
            await room.presence.back(CLUB)
    room.begin()  # a new process, which knows what was written down
    await room.presence.compare(lambda _server: State.SERVED, lambda _server: True)
    assert await room.left(match) == 2 * MINUTE
    async with room.store.reading() as tx:
        assert await tx.absences.all() == {}


async def test_an_outage_whose_time_cannot_be_given_back_goes_on_until_it_can(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await room.match(LIVE)
    room.presence.out_of_order(CLUB)
    room.time.passes(DAY)
    with monkeypatch.context() as broken:
        broken.setattr(Deadlines, "give_back", AsyncMock(side_effect=DatabaseUnusable("full")))
        with pytest.raises(DatabaseUnusable):
            await room.presence.back(CLUB)
    assert room.presence.is_suspended(CLUB)
    await room.presence.back(CLUB)
    assert not room.presence.is_suspended(CLUB)
    assert await room.left(match) == 2 * MINUTE


async def test_nobodys_time_is_up_while_a_servers_return_is_written_down(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await room.match(LIVE)
    await room.presence.removed(CLUB)
    room.time.passes(DAY)
    suspended = []
    real = Deadlines.give_back

    async def give_back(
        rows: Deadlines, since: datetime, now: datetime, server: ServerId | None = None
    ) -> object:
        suspended.append(room.presence.is_suspended(CLUB))
        return await real(rows, since, now, server)

    monkeypatch.setattr(Deadlines, "give_back", give_back)
    await room.presence.back(CLUB)
    assert suspended == [True]
    assert await room.left(match) == 2 * MINUTE


async def test_an_outage_of_a_server_that_ends_in_time_is_given_back_too(room: Room) -> None:
    here = await room.match(LIVE)
    room.presence.out_of_order(PUB)
    room.time.passes(MINUTE)
    await room.presence.back(PUB)
    assert await room.left(here) == MINUTE
    room.presence.out_of_order(CLUB)
    room.time.passes(30 * SECOND)
    await room.presence.back(CLUB)
    assert await room.left(here) == MINUTE


async def test_who_is_on_vacation_still_is_when_the_server_is_back(room: Room) -> None:
    match = await room.match(SLOW)
    await room.vacations.begin(BEN)
    await room.presence.removed(CLUB)
    await room.passes(DAY)
    await room.presence.back(CLUB)
    await room.passes(5 * DAY)
    await room.vacations.end(BEN)
    assert await room.left(match) == 2 * DAY


async def test_the_watch_acts_in_time_wakes_for_an_earlier_deadline_and_stands_still_in_an_outage(
    room: Room,
) -> None:
    slow = await room.match(SLOW)
    await room.clocks.lost_time.came_up()
    watch = asyncio.create_task(room.clocks.watch())
    try:
        await until_heartbeat(room)
        fast = await room.match(LIVE)  # rings the alarm
        room.time.passes(2 * MINUTE)
        room.clocks.lost_time.lost(0)
        room.alarm.ring()
        for _step in range(50):
            await asyncio.sleep(0)
        assert await room.log(fast) == []
        room.time.passes(SECOND)
        await room.clocks.lost_time.found(0)
        async with asyncio.timeout(10):
            while await room.log(fast) != ["clock: B pass"]:  # noqa: ASYNC110 - a row has no event
                await asyncio.sleep(0.001)
        assert await room.log(slow) == []
    finally:
        watch.cancel()
        await asyncio.gather(watch, return_exceptions=True)
        await room.clocks.close()


async def test_the_heartbeat_is_written_also_while_no_match_has_a_clock_but_seldom(
    room: Room,
) -> None:
    began = room.time()
    await room.clocks._beat()
    for after, written in ((15, 0), (45, 0), (60, 60), (75, 60), (105, 60), (120, 120)):
        room.time.passes(began + after * SECOND - room.time())
        await room.clocks._beat()
        async with room.store.reading() as tx:
            assert await heartbeat.last(tx) == began + written * SECOND
    await room.match(LIVE)
    room.time.passes(15 * SECOND)
    await room.clocks._beat()
    async with room.store.reading() as tx:
        assert await heartbeat.last(tx) == room.time()


async def test_an_orderly_end_is_written_down_unless_the_connection_was_lost_before(
    room: Room,
) -> None:
    await room.clocks.lost_time.came_up()
    room.time.passes(SECOND)
    await room.clocks.close()
    ended = room.time()
    async with room.store.reading() as tx:
        assert await heartbeat.last(tx) == ended
    room.begin()
    await room.clocks.lost_time.came_up()
    room.clocks.lost_time.lost(0)
    room.time.passes(HOUR)
    await room.clocks.close()
    async with room.store.reading() as tx:
        assert await heartbeat.last(tx) == ended


async def until_heartbeat(room: Room) -> None:
    async with asyncio.timeout(10):
        while True:
            async with room.store.reading() as tx:
                if await heartbeat.last(tx) is not None:
                    return
            await asyncio.sleep(0.001)


async def test_a_fault_in_one_match_does_not_stop_the_clock_of_another(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = await room.match(LIVE)
    sound = await room.match(LIVE)
    real = room.tables.load

    async def load(match: MatchId) -> Table | None:
        if match == broken:
            raise RuntimeError("a fault")
        return await real(match)

    monkeypatch.setattr(room.tables, "load", load)
    await room.passes(2 * MINUTE)
    monkeypatch.undo()
    assert await room.log(broken) == []
    assert await room.log(sound) == ["clock: B pass"]


async def test_a_deadline_of_another_turn_is_put_right(room: Room) -> None:
    """As after a restored copy, or a repair."""
    match = await room.match(LIVE)
    row = await room.deadline(match)
    await room.refuses(match, BEN)
    assert row is not None
    async with room.store.transaction() as tx:
        await tx.deadlines.put(row)
    await room.passes(2 * MINUTE)
    assert await room.log(match) == ["B pass"]
    assert await room.left(match) == 2 * MINUTE


async def test_a_match_that_lost_its_deadline_has_one_after_a_start(room: Room) -> None:
    match = await room.match(LIVE)
    async with room.store.transaction() as tx:
        await tx.deadlines.drop(match)
    is_well, report = await audit.check(room.store)
    assert not is_well
    assert "its deadline is missing" in report[0]
    await room.clocks.lost_time.came_up()
    assert await room.left(match) == 2 * MINUTE
    assert (await audit.check(room.store))[0]


async def test_a_rebuild_gives_a_turn_its_deadline_and_takes_others_away(room: Room) -> None:
    clocked, free = await room.match(LIVE), await room.match(None)
    row = await room.deadline(clocked)
    assert row is not None
    async with room.store.transaction() as tx:
        await tx.deadlines.put(replace(row, turn=1))
        await tx.deadlines.put(replace(row, match_id=free))
    assert not (await audit.check(room.store))[0]
    assert (await audit.rebuild(room.store, room.time))[0]
    assert (await audit.check(room.store))[0]
    assert await room.deadline(free) is None


async def test_what_an_administrator_ends_was_not_ended_by_the_clock(room: Room) -> None:
    match = await room.match(LIVE)
    await room.passes(2 * MINUTE)
    act = NewAdminAct(CLUB, ADA, AdminAct.MATCH_END, room.time(), match)
    table = await room.tables.end(match, act, InteractionId(1_400_000_000_000_000_000))
    assert table.stood_in is None
    assert await room.deadline(match) is None


async def test_time_that_was_lost_for_two_reasons_at_once_is_given_back_once(room: Room) -> None:
    """The server removed the bot for 26 hours; for 24 of them the connection was lost as well."""
    here = await room.match(Clock(3 * DAY))
    await room.clocks.lost_time.came_up()
    room.time.passes(DAY)
    await room.presence.removed(CLUB)
    room.time.passes(HOUR)
    room.clocks.lost_time.lost(0)
    room.time.passes(DAY)
    await room.clocks.lost_time.found(0)
    room.time.passes(HOUR)
    await room.presence.back(CLUB)
    assert await room.left(here) == 2 * DAY


async def test_a_server_that_is_back_before_the_connection_counts_as_found_has_its_time_once(
    room: Room,
) -> None:
    """Servers arrive before the word that a new session is ready, as after a start."""
    here = await room.match(Clock(3 * DAY))
    await room.clocks._beat()
    room.begin()
    room.presence.out_of_order(CLUB)
    room.time.passes(DAY)
    await room.presence.back(CLUB)
    await room.clocks.lost_time.came_up()
    assert await room.left(here) == 3 * DAY
    room.clocks.lost_time.lost(0)
    room.presence.out_of_order(CLUB)
    room.time.passes(DAY)
    await room.presence.back(CLUB)
    room.time.passes(HOUR)
    await room.clocks.lost_time.found(0)
    assert await room.left(here) == 3 * DAY


async def test_what_was_lost_before_a_server_was_is_given_back_there_too(room: Room) -> None:
    here = await room.match(Clock(3 * DAY))
    await room.clocks.lost_time.came_up()
    room.clocks.lost_time.lost(0)
    room.time.passes(DAY)
    await room.presence.removed(CLUB)
    room.time.passes(DAY)
    await room.clocks.lost_time.found(0)
    room.time.passes(DAY)
    await room.presence.back(CLUB)
    assert await room.left(here) == 3 * DAY


async def test_a_server_that_comes_a_moment_late_has_nothing_shown_anew(room: Room) -> None:
    match = await room.match(SLOW)
    room.time.passes(HOUR)
    room.presence.out_of_order(CLUB)
    room.time.passes(SECOND)
    await room.presence.back(CLUB)
    await room.clocks.settle()
    assert await room.left(match) == 2 * DAY - HOUR
    assert room.notes.words() == []


async def test_a_first_start_tells_no_fantastic_span_of_what_it_gives_back(room: Room) -> None:
    """No start before it has noted when it was there last."""
    await room.match(LIVE)
    room.time.passes(MINUTE)
    with capture_logs() as logs:
        await room.clocks.lost_time.came_up()
    (line,) = [line for line in logs if line["event"] == "time given back"]
    assert (line["lost"], line["matches"]) == ("all before this start", 1)
