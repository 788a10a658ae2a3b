"""Restarts and kills at any moment: nothing is lost, nothing old is dead (faults.md, rows 1, 9)."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import statistics
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from db.store import Store
from playground.acting.people import (
    CannotInvoke,
    Kind,
    Person,
    buttons,
    people,
    text_of,
)
from playground.errors import Code
from playground.server import Playground
from playground.state.model import Message
from tests.e2e.acting import resigns
from tests.e2e.fates import all_is_shown, hand_of, lay_a_deal, row_of, sit_down, table_of
from tests.e2e.process import BotProcess, Nursery
from tests.e2e.reckless import (
    TOKEN,
    Presses,
    is_over,
    kill_often,
    log_of,
    lost,
    newest_hand,
    offered,
    one_act,
)
from tests.e2e.room import Room

CALLBACK = "POST */callback"
SEND = "POST /channels/*/messages"
EDIT = "PATCH /channels/*/messages/*"


# ------------------------------------------------------------------------ told to stop, started


@pytest.mark.usefixtures("unhurried")
async def test_a_restart_in_each_phase_leaves_everything_usable(room: Room) -> None:
    """Rows 1 and 9: challenge, up-card, draw, discard, knock page, both forms, lay-off.

    What is pressed or submitted was always on the screen before the restart.
    """
    lay_a_deal(room)
    challenge = await room.ada.slash(room.table, "gin challenge", opponent=room.ben)
    await room.restart()
    await room.ben.press(challenge, "Accept")
    await room.settled()

    ben, ada = await hand_of(room, 1), await hand_of(room, 0)
    await room.restart()
    assert not (await room.ben.press(ben, "Pass")).failed
    await room.settled()
    table = await table_of(room)
    await room.restart()
    passed = await room.ada.press(table, "Pass")
    assert passed.ephemeral
    await room.settled()

    ben = await hand_of(room, 1)
    await room.restart()
    assert not (await room.ben.press(ben, "Draw from stock")).failed
    await room.restart()
    assert not (await room.ben.choose(ben, "8H")).failed
    await room.settled()
    ada = await hand_of(room, 0)
    await room.ada.press(ada, "Draw from stock")
    await room.ada.choose(ada, "8D")
    await room.settled()
    ben = await hand_of(room, 1)
    await room.ben.press(ben, "Draw from stock")
    await room.ben.press(ben, "Knock")
    await room.restart()
    form = await room.ben.press(ben, "Arrange it myself")
    assert form.kind is Kind.MODAL
    await room.restart()
    asked = await room.ben.submit(
        form, {"Discard": "ks", "Melds": "2s 3s 4s / 9h 9d 9c / jc qc kc"}
    )
    assert "Knock with" in asked.text
    await room.restart()
    knocked = await room.ben.press(ben, "Knock with")
    assert not knocked.failed
    await room.settled()

    ada = await hand_of(room, 0)
    await room.restart()
    form = await room.ada.press(ada, "My own way")
    assert form.kind is Kind.MODAL
    await room.restart()
    asked = await room.ada.submit(form, {"Cards to lay off, in order": "none"})
    assert "Lay off like this?" in asked.text
    await room.restart()
    laid = await room.ada.press(ada, "Lay off nothing")
    assert not laid.failed
    await all_is_shown(room)
    log = await room.log()
    assert [line.split()[1] for line in log[2:-1]] == [
        *("pass", "pass", "draw", "discard", "draw", "discard", "draw", "knock", "layoff"),
    ]
    assert log[-1].startswith("deal")  # the next hand


@pytest.mark.usefixtures("unhurried")
async def test_what_could_not_be_shown_is_shown_after_a_start(room: Room) -> None:
    """Row 1: tables and hands that are stale are redrawn, each once."""
    await sit_down(room)
    room.playground.faults.http_errors(503, EDIT)
    room.playground.faults.http_errors(503, SEND)
    await room.ben.slash(room.table, "gin pass")
    await room.ada.slash(room.table, "gin pass")
    await room.settled()
    assert (await row_of(room)).version == 2
    await room.stop()
    room.playground.faults.clear()
    await away_for(room, timedelta(hours=3))
    await room.start()
    back = await room.cleo.sees(room.table, "I was away for 3 hours; nothing was lost.")
    assert back.pinged == frozenset()
    await room.ben.panel("Draw from stock", room.ben.dm())
    assert "Draw from stock" in buttons(await table_of(room))
    await all_is_shown(room)
    assert len(standing(room.ben)) == 1
    assert len(standing(room.ada)) == 1


async def away_for(room: Room, time: timedelta) -> None:
    """Let the bot have been stopped so long ago."""
    store = await Store.open(room.url)
    async with store.transaction() as tx:
        await tx.facts.put("awake", (datetime.now(UTC) - time).isoformat())
    await store.close()


def standing(person: Person) -> list[Message]:
    """The messages with a hand in somebody's direct messages."""
    return [one for one in person.messages(person.dm()) if "Refresh" in buttons(one)]


async def test_a_challenge_and_a_match_that_nobody_saw_are_shown_after_a_start(room: Room) -> None:
    """Row 1: the answer to the challenge was lost, then that to its acceptance, with all else."""
    faults = room.playground.faults
    room.world.limits.answer_seconds = 0.3
    faults.refuse(CALLBACK, Code.UNKNOWN_INTERACTION)
    faults.http_errors(503, SEND)
    await room.ada.slash(room.table, "gin challenge", opponent=room.ben)
    await room.settled()
    assert room.ben.pings(room.table) == []
    await room.stop()
    faults.clear()
    await room.start()
    (challenge,) = await room.ben.until(lambda: room.ben.pings(room.table))
    await room.settled()

    faults.refuse(CALLBACK, Code.UNKNOWN_INTERACTION)
    faults.http_errors(503, SEND)
    faults.http_errors(503, EDIT)
    await room.ben.press(challenge, "Accept")
    await room.settled()
    await room.stop()
    faults.clear()
    room.world.limits.answer_seconds = 3.0
    await room.start()
    await room.ada.panel("Refresh", room.ada.dm())
    await room.ben.panel("Refresh", room.ben.dm())
    await room.cleo.panel("My hand", room.table)
    pressed = await room.ben.press(challenge, "Accept")  # it still looks open
    assert not pressed.failed
    assert "sit down" in text_of(challenge)
    assert buttons(challenge) == []
    await all_is_shown(room)


# --------------------------------------------------------------------------------- killed


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    with Nursery() as opened:
        yield opened


@pytest.fixture
async def playground() -> AsyncIterator[Playground]:
    async with Playground(token=TOKEN) as started:
        started.rates.enabled = False
        yield started


@pytest.fixture
async def bot(
    nursery: Nursery, tmp_path: Path, playground: Playground
) -> AsyncIterator[BotProcess]:
    process = BotProcess.on(nursery, tmp_path, playground)
    await process.begin_on(playground)
    yield process
    await process.kill()


async def sits_down(
    ada: Person, ben: Person, *, target: int = 100, clock: str | None = None
) -> None:
    await ada.slash("gin-rummy", "gin challenge", opponent=ben, target=target, clock=clock)
    (challenge,) = await ben.until(lambda: ben.pings("gin-rummy"))
    await ben.press(challenge, "Accept")
    for person in (ada, ben):
        await person.panel("Refresh", person.dm())


async def test_a_kill_between_the_act_and_its_answer_makes_the_second_press_say_so(
    bot: BotProcess, playground: Playground, tmp_path: Path
) -> None:
    """Rows 1 and 6: it was never acknowledged, yet it counts, and once."""
    ada, ben = people(playground, "Ada", "Ben")
    await sits_down(ada, ben)
    first = await ada.until(lambda: next((p for p in (ada, ben) if "Pass" in offered(p)), None))
    hand = newest_hand(first)
    playground.faults.slow(30, CALLBACK)
    pressing = asyncio.create_task(first.press(hand, "Pass"))
    async with asyncio.timeout(20):
        while len(log_of(tmp_path)) < 3:  # noqa: ASYNC110 - a file has no event
            await asyncio.sleep(0.005)
    await bot.kill()
    assert (await pressing).failed
    playground.faults.clear()
    # What he sees is what he saw: the next bot has had no time to repair it.
    before = list(hand.components)
    await bot.begin_on(playground)
    await first.until(lambda: "Waiting for" in text_of(newest_hand(first)))
    hand.components = before
    again = await first.press(hand, "Pass")
    assert "an earlier moment" in again.text
    assert "Waiting for" in again.text
    assert [text.split()[1] for text, _ in log_of(tmp_path)[2:]] == ["pass"]


async def test_a_kill_while_a_clock_runs_costs_nobody_his_turn(
    bot: BotProcess, playground: Playground, tmp_path: Path
) -> None:
    """Row 1: the bot was down for ten minutes, and a turn has two."""
    ada, ben = people(playground, "Ada", "Ben")
    await sits_down(ada, ben, clock="2m forfeit")
    await bot.kill()
    down = 600 * 10**6  # microseconds
    with closing(sqlite3.connect(tmp_path / "ginhouse.db")) as file, file:
        file.execute(
            "update deadlines set began = began - ?, due = due - ?, remind_at = remind_at - ?, "
            "next_at = next_at - ?",
            (down,) * 4,
        )
        file.execute("delete from facts where name = 'awake'")
    await bot.begin_on(playground)
    await bot.until_said("time given back")
    person = await ada.until(lambda: next((p for p in (ada, ben) if "Pass" in offered(p)), None))
    assert not (await person.press(newest_hand(person), "Pass")).failed
    assert [text.split()[1] for text, _ in log_of(tmp_path)[2:]] == ["pass"]
    assert await bot.stop() == 0
    assert "Traceback" not in bot.said


KILLS = 15


class Play:
    """Two people who play on, whatever happens to the bot."""

    def __init__(self, bot: BotProcess, playground: Playground, seated: tuple[Person, ...]) -> None:
        self.dice = random.Random(2024)
        self.acknowledged: list[Presses] = []
        self.begun = asyncio.Event()
        self.is_enough = False
        self._took = [0.2]
        self._bot = bot
        self._playground = playground
        self._seated = seated

    async def on(self) -> None:
        """Act in turn until it is enough, or the match is over."""
        loop = asyncio.get_running_loop()
        while not self.is_enough and not is_over(self._seated[0]):
            await self._bot.until_online(self._playground)
            for person in self._seated:
                since = loop.time()
                self.begun.set()
                with suppress(CannotInvoke):  # it was replaced while he looked at it
                    if done := await one_act(person):
                        self.acknowledged += done
                        self._took.append(loop.time() - since)
            await asyncio.sleep(0)

    async def a_random_instant(self) -> None:
        """Wait for some acts, then for some moment in the next one or just after it."""
        goal = len(self.acknowledged) + self.dice.randint(1, 2)
        while len(self.acknowledged) < goal and not is_over(self._seated[0]):
            self.begun.clear()
            await self.begun.wait()
        await asyncio.sleep(self.dice.uniform(0.0, 1.3) * statistics.median(self._took))


async def test_acknowledged_moves_are_there_once_however_often_the_bot_is_killed(
    bot: BotProcess, playground: Playground, tmp_path: Path
) -> None:
    """Row 1: fifteen kills at random instants of a match, which ends as it should."""
    ada, ben = people(playground, "Ada", "Ben")
    await sits_down(ada, ben, target=1000)  # long enough for every kill
    playground.world.limits.answer_seconds = 1.5  # killed in the middle, nobody will answer
    play = Play(bot, playground, (ada, ben))
    playing = asyncio.create_task(play.on())
    kills = 0
    while kills < KILLS and not is_over(ada):
        await play.a_random_instant()
        await bot.kill()
        kills += 1
        await bot.begin_on(playground)
    play.is_enough = True
    await playing
    playground.world.limits.answer_seconds = 3.0
    if not is_over(ada):
        await resigns(ada, "gin-rummy")
    for person in (ada, ben):
        await person.until(lambda person=person: is_over(person), "the end")  # type: ignore[misc]
    assert await bot.stop() == 0

    assert kills == KILLS
    counted = Counter(number for _, number in log_of(tmp_path) if number is not None)
    assert set(counted.values()) == {1}
    assert lost(play.acknowledged, log_of(tmp_path)) == []
    assert len(play.acknowledged) >= kills
    assert "Traceback" not in bot.said


@pytest.mark.long
@pytest.mark.timeout(1200)
async def test_four_tables_lose_nothing_however_often_the_bot_is_killed(
    nursery: Nursery, tmp_path: Path
) -> None:
    """Row 1: forty kills here; `python -m bench kills 300` for the full number."""
    report = await kill_often(nursery, tmp_path, kills=40, pairs=4, seed=11, resigns=True)
    assert report.problems == []
    assert report.kills == 40
    assert len(report.acknowledged) > 60
    assert report.matches >= 4
