"""Clocks, as people see them: live ones that run out in each way, reminders, kills, vacations."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from bot.play.clocks import Clocks
from gin import Seat
from playground.acting.people import Person, buttons, text_of
from playground.state.model import Message
from tests.e2e.fates import hand_of, lay_a_deal, table_of
from tests.e2e.keeper import Keeper
from tests.e2e.room import Room

pytestmark = pytest.mark.usefixtures("unhurried")

SECOND, MINUTE, HOUR, DAY = (
    timedelta(seconds=1),
    timedelta(minutes=1),
    timedelta(hours=1),
    timedelta(days=1),
)


async def sit_down(room: Room, clock: str) -> str:
    """Ada and Ben begin a match with a clock, Ben to act first; what the challenge said."""
    lay_a_deal(room)
    challenge = await room.ada.slash(room.table, "gin challenge", opponent=room.ben, clock=clock)
    assert not challenge.failed
    said = challenge.text
    assert not (await room.ben.press(challenge, "Accept")).failed
    await room.settled()
    return said


async def due(room: Room) -> float:
    """When the present turn's time is up, in Unix seconds."""
    assert room.store is not None
    async with room.store.reading() as tx:
        moment = await tx.deadlines.next()
        assert moment is not None
        rows = await tx.deadlines.due(moment, 1)
    return rows[0].due.timestamp()


def reminders(person: Person, where: str | None = None) -> list[Message]:
    """The reminders that stand in a person's direct messages, or in a channel."""
    channel = person.dm() if where is None else where
    return [one for one in person.messages(channel) if "running out" in text_of(one)]


def words(person: Person, title: str) -> list[str]:
    """What stands in a person's direct messages under such a title."""
    said = [text_of(one) for one in person.messages(person.dm())]
    return [one for one in said if title in one.splitlines()[0]]


async def until(clocks: Clocks, *, is_away: bool) -> None:
    """Wait until a connection is lost, or all are there again."""
    async with asyncio.timeout(20):
        while clocks.lost_time.is_away is not is_away:  # noqa: ASYNC110 - the connection has no event
            await asyncio.sleep(0)


async def stamp(room: Room, before: float) -> str:
    """Which deadline the table shows: that of before, or another."""
    return "before" if f"<t:{int(before)}:R>" in text_of(await table_of(room)) else "another"


async def test_the_clock_is_agreed_on_shown_and_runs_out_by_the_house_playing(room: Room) -> None:
    said = await sit_down(room, "2m")
    assert "2 minutes a turn" in said
    assert "never knocks" in said
    rules = await room.cleo.slash(room.table, "gin rules", match="1")
    assert "2 minutes a turn" in rules.text
    due_at = f"<t:{int(await due(room))}:R>"
    assert due_at in text_of(await table_of(room))
    assert due_at in text_of(await hand_of(room, 1))

    await room.passes(97 * SECOND)
    (reminder,) = reminders(room.ben)
    assert due_at in text_of(reminder)
    assert reminders(room.ada) == []
    await room.passes(24 * SECOND)
    assert (await room.log())[2:] == ("B pass",)
    assert reminders(room.ben) == []  # it has done its work
    table = text_of(await table_of(room))
    assert "Ben's time was up, so the house played that turn." in table
    assert "Ada may take" in table
    assert f"<t:{int(await due(room))}:R>" in table
    assert "Pass" in buttons(await hand_of(room, 0))


async def test_a_hand_is_lost_when_its_time_is_up(room: Room) -> None:
    assert "the hand is lost" in await sit_down(room, "90s hand")
    await room.passes(91 * SECOND)
    assert (await room.log())[2] == "B forfeit-hand"
    match = await room.match()
    assert match.sheet.games[0].points[Seat.A] > 25
    table = text_of(await table_of(room))
    assert "Ben forfeits it, and Ada scores" in table


async def test_a_match_is_lost_when_its_time_is_up(room: Room) -> None:
    assert "the match is lost" in await sit_down(room, "1d forfeit")
    await room.passes(DAY + SECOND)
    assert (await room.log())[2:] == ("B forfeit",)
    table = text_of(await table_of(room))
    assert "Ada wins the match!" in table
    assert "Ben's time was up." in table


async def test_where_everybody_waits_both_are_told(room: Room) -> None:
    await sit_down(room, "2m wait")
    await room.passes(2 * MINUTE + SECOND)
    assert (await room.log())[2:] == ()
    assert "the time was up" in text_of(await table_of(room))
    (own,), (others,) = words(room.ben, "time is up"), words(room.ada, "time is up")
    assert "Your time is up\n-# Against Ada · match 1" in own
    assert "Ben's time is up\n-# Against Ben · match 1" in others
    assert reminders(room.ben) == []
    assert not (await room.ben.slash(room.table, "gin pass")).failed
    await room.settled()
    assert words(room.ben, "time is up") == words(room.ada, "time is up") == []
    assert "the time was up" not in text_of(await table_of(room))


async def test_whoever_takes_no_direct_messages_is_reminded_in_the_channel(room: Room) -> None:
    room.ben.user.dms_closed = True
    await sit_down(room, "10m")
    await room.passes(8 * MINUTE + SECOND)
    (reminder,) = reminders(room.ada, room.table)
    assert reminder in room.ben.pings(room.table)
    assert not (await room.ben.slash(room.table, "gin pass")).failed
    await room.settled()
    assert reminders(room.ada, room.table) == []


async def test_the_time_in_which_the_bot_was_down_is_given_back(room: Room) -> None:
    await sit_down(room, "2m")
    await room.passes(30 * SECOND)
    assert room.bot is not None
    await room.bot.house.clocks._beat()
    before = await due(room)
    await room.stop()
    room.world.clock.move(3600)
    await room.start()
    async with asyncio.timeout(10):
        while "before" in await stamp(room, before):  # noqa: ASYNC110 - a message has no event
            await asyncio.sleep(0.005)
    assert 3600 <= await due(room) - before < 3620
    assert f"<t:{int(await due(room))}:R>" in text_of(await table_of(room))
    assert (await room.log())[2:] == ()
    await room.passes(2 * MINUTE)
    assert (await room.log())[2:] == ("B pass",)


async def test_time_in_which_discord_cannot_be_heard_is_given_back(room: Room) -> None:
    await sit_down(room, "2m")
    assert room.bot is not None
    before, clocks = await due(room), room.bot.house.clocks
    room.playground.faults.cut_gateway()
    await until(clocks, is_away=True)
    room.world.clock.move(600)
    await until(clocks, is_away=False)
    assert 600 <= await due(room) - before < 660
    await room.passes(timedelta(0))
    assert (await room.log())[2:] == ()
    assert await stamp(room, before) == "another"


async def test_an_act_at_the_same_instant_as_the_deadline_and_the_clock_make_one_turn(
    room: Room,
) -> None:
    await sit_down(room, "2m")
    assert room.bot is not None
    room.world.clock.move(await due(room) - room.world.clock.now() + 0.001)
    room.bot.house.clocks.lost_time.awake.begin()
    pressed, _done = await asyncio.gather(
        room.ben.slash(room.table, "gin pass"), room.bot.house.clocks.do_what_is_due()
    )
    assert not pressed.failed
    await room.settled()
    assert (await room.log())[2:] == ("B pass",)
    assert "Ada may take" in text_of(await table_of(room))


async def test_on_vacation_a_correspondence_clock_stands_still(room: Room) -> None:
    await sit_down(room, "2 days")
    settings = await room.ben.slash(room.table, "gin settings")
    assert "in any twelve months; 30 days are left" in settings.text
    away = await room.ben.press(settings, "Go on vacation")
    assert "Vacation: **on**" in away.text
    await room.settled()
    table = text_of(await table_of(room))
    assert "Ben is on vacation, so the clock stands still" in table
    await room.passes(5 * DAY)
    assert (await room.log())[2:] == ()
    back = await room.ben.press(away, "I'm back")
    assert "in any twelve months; 24 days are left" in back.text
    await room.settled()
    assert "on vacation" not in text_of(await table_of(room))
    await room.passes(2 * DAY + SECOND)
    assert (await room.log())[2:] == ("B pass",)


async def test_an_idle_match_is_closed_by_either_player(room: Room) -> None:
    assert "**No clock**" in await sit_down(room, "none")
    refused = await room.ada.slash(room.table, "gin cancel")
    assert "I've asked" in refused.text
    room.world.clock.move(14 * DAY.total_seconds())
    assert room.bot is not None
    await room.bot.house.idle.look()
    await room.settled()
    asked = next(one for one in room.ada.messages(room.ada.dm()) if "two weeks" in text_of(one))
    assert not (await room.ada.press(asked, "Close the match")).failed
    await room.settled()
    assert (await room.log())[2:] == ("cancel",)
    said = text_of(await table_of(room))
    assert "called off" in said
    assert "Nobody had played for two weeks, so Ada closed the match." in said
    assert words(room.ada, "two weeks") == words(room.ben, "two weeks") == []


async def test_a_vacation_that_ends_by_itself_is_told_to_both(room: Room) -> None:
    await sit_down(room, "1d forfeit")
    settings = await room.ben.slash(room.table, "gin settings")
    await room.ben.press(settings, "Go on vacation")
    await room.settled()
    assert words(room.ben, "vacation") == []
    await room.passes(14 * DAY + SECOND)
    (word,) = words(room.ben, "Your vacation is over")
    deadline = f"<t:{int(await due(room))}:R>"
    assert f"Against Ada · match 1 · until {deadline}. Then you lose the match." in word
    assert f"Ben's vacation is over, deadline {deadline}" in text_of(await table_of(room))
    assert "Ben's vacation is over, so the clock runs again." in text_of(await hand_of(room, 0))
    assert not (await room.ben.slash(room.table, "gin pass")).failed
    await room.settled()
    assert words(room.ben, "vacation") == []
    assert "vacation" not in text_of(await table_of(room))


async def test_what_is_typed_for_a_clock_is_suggested_and_refused_with_a_sentence(
    room: Room,
) -> None:
    offered = await room.ada.autocomplete(
        room.table, "gin challenge", focused="clock", value="3m", opponent=room.ben
    )
    assert offered[0].name == "live · 3 minutes a turn, then the house plays on"
    refused = await room.ada.slash(
        room.table, "gin challenge", opponent=room.ben, clock="20 minutes"
    )
    assert refused.ephemeral
    assert "30 seconds to 10 minutes a turn" in refused.text


async def test_a_house_set_has_a_clock_for_challenges_that_choose_none(room: Room) -> None:
    keeper = Keeper(room)
    said = await keeper.set("clock", "5m wait")
    assert "Set now: Clock: **live · 5 minutes a turn, then everybody waits**" in said
    await keeper.default("house")
    asked = await room.ada.slash(room.table, "gin challenge", opponent=room.ben)
    assert "5 minutes a turn" in asked.text
    assert "5 minutes a turn" in (await room.cleo.slash(room.table, "gin rules")).text
    offered = await room.ada.autocomplete(
        room.table, "gin-admin house-set", focused="value", value="7m", option="clock"
    )
    assert offered[0].value == "live 420 play-on"
    await room.ada.press(asked, "Withdraw")
    asked = await room.ada.slash(room.table, "gin challenge", opponent=room.ben, clock="none")
    assert "**No clock**" in asked.text
