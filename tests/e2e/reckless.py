"""People who play on, whatever happens to the bot: it is killed again and again under their hands.

Each does what the newest message with his hand offers; what the bot acknowledged is remembered, to
be looked for in the log afterwards.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
import statistics
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

from playground.acting.people import (
    Answer,
    CannotInvoke,
    Kind,
    NotSeen,
    Person,
    buttons,
    select_options,
)
from playground.server import Playground
from playground.state.interactions import Interaction
from playground.state.model import Channel, Message
from tests.e2e.process import ROOT, BotProcess, Nursery

ACTS = frozenset({"pass", "draw", "discard", "knock", "layoff"})
PATIENCE = 10.0
"""Seconds in which somebody should have acted."""
ENDS_WITHIN = 600.0
"""Seconds in which the last matches should come to their ends."""
TOKEN = "MTIzNDU2.Gh1jKl.a-token-of-the-right-shape"


def newest_hand(person: Person) -> Message:
    """The newest message from the bot in somebody's direct messages; NotSeen if there is none."""
    shown = [one for one in person.messages(person.dm()) if one.components]
    if not shown:
        raise NotSeen(f"{person.name} holds no hand yet")
    return shown[-1]


def offered(person: Person) -> list[str]:
    """What can be pressed on it."""
    try:
        return buttons(newest_hand(person), enabled=True)
    except NotSeen:
        return []


def is_over(person: Person) -> bool:
    """Whether his match has ended, as he sees it."""
    return "Rematch" in offered(person)


def hands(person: Person) -> list[Message]:
    """Every message from the bot in somebody's direct messages, the newest first."""
    return [one for one in reversed(person.messages(person.dm())) if one.components]


Presses = frozenset[int]
"""The interactions by which one person used one control, one of which did what it says."""


async def one_act(person: Person) -> list[Presses]:
    """Do what is due anywhere, if anything; return the acts acknowledged."""
    for hand in hands(person):
        made = await _act_on(person, hand)
        if made is not None:
            return acknowledged_by(person, made)
    return []


async def _act_on(person: Person, hand: Message) -> Answer | None:
    """Do what a hand offers: knock when it is possible; None where there is nothing to do."""
    labels = buttons(hand, enabled=True)
    ends = [one for one in labels if one.startswith(("Knock", "Go gin", "Lay off"))]
    if ends and select_options(hand) and "Refresh" in labels:
        opened = await person.press(hand, ends[0])  # the page on which it is confirmed
        if opened.failed:
            return opened
        ends = [one for one in buttons(hand) if one.startswith(("Knock", "Go gin"))]
    if ends:
        return await person.press(hand, ends[0])
    for label in ("Pass", "Draw from stock"):
        if label in labels:
            return await person.press(hand, label)
    if cards := list(select_options(hand).values()):
        return await person.choose(hand, cards[0])  # the best to shed
    return None


def acknowledged_by(person: Person, answer: Answer) -> list[Presses]:
    """The act, if the answer says that it was done: the hand as it is now.

    The second click on a control is answered like the first, whichever of the two did it.
    """
    verb = str(answer.interaction.data["custom_id"]).split(":")[1]
    if answer.kind is not Kind.UPDATE or verb not in ACTS:
        return []
    if "an earlier moment" in as_answered(person, answer):
        return []
    this = answer.interaction
    return [
        frozenset(
            one.id
            for one in person.playground.world.interactions.by_id.values()
            if one.user is this.user
            and one.message is this.message
            and _pressed(one) == _pressed(this)
        )
    ]


def lost(acknowledged: Iterable[Presses], log: Iterable[tuple[str, int | None]]) -> list[Presses]:
    """The acts acknowledged that aren't in the log exactly once."""
    counted = Counter(number for _text, number in log if number is not None)
    return [presses for presses in acknowledged if sum(map(counted.__getitem__, presses)) != 1]


def _pressed(made: Interaction) -> tuple[object, object]:
    """Which control, and what was chosen with it."""
    return made.data.get("custom_id"), made.data.get("values")


def as_answered(person: Person, answer: Answer) -> str:
    """What the bot answered: its message may have been edited since, and say something else."""
    token = answer.interaction.token
    sent = [repr(request.body) for request in person.playground.sent if token in request.path]
    return "\n".join(sent) or answer.text


def log_of(folder: Path) -> list[tuple[str, int | None]]:
    """The log as it is in the file: text and interaction, in order."""
    with closing(sqlite3.connect(f"file:{folder / 'ginhouse.db'}?mode=ro", uri=True)) as file:
        rows = file.execute("select text, interaction_id from entries order by match_id, seq")
        return [(str(text), number) for text, number in rows]


@dataclass(slots=True)
class Report:
    """What a bot left that was killed so often."""

    kills: int = 0
    acknowledged: list[Presses] = field(default_factory=list)
    unanswered: int = 0
    """Presses of which the person was told that the application did not respond."""
    matches: int = 0
    running: int = 0
    """Matches that hadn't ended when everybody had played on to the end."""
    log: list[tuple[str, int | None]] = field(default_factory=list)
    check: str = ""
    """What `python -m bot check` found wrong; empty when all was well."""
    tracebacks: int = 0

    @property
    def lost(self) -> list[Presses]:
        """Acknowledged acts that aren't in the log exactly once."""
        return lost(self.acknowledged, self.log)

    @property
    def problems(self) -> list[str]:
        """What must not be."""
        found = [f"acknowledged, not once in the log: {sorted(presses)}" for presses in self.lost]
        found += [f"check: {self.check}"] if self.check else []
        found += [f"{self.running} matches never ended"] if self.running else []
        found += [f"{self.tracebacks} tracebacks in the log"] if self.tracebacks else []
        return found


class Pair:
    """Two people at a table of their own, who play match after match until it is enough."""

    def __init__(self, bot: BotProcess, one: Person, two: Person, where: Channel) -> None:
        self.people = (one, two)
        self.took = [0.1]
        self.report = Report()
        self._bot = bot
        self._where = where

    async def on(self, enough: asyncio.Event, *, resigns: bool) -> None:
        """Act in turn; after ``enough`` the matches come to their ends, and none is begun.

        They are played on to the last hand, or given up where somebody ``resigns``.
        """
        loop = asyncio.get_running_loop()
        while not (enough.is_set() and self._is_over()):
            await self._bot.until_online(self.people[0].playground)
            with suppress(CannotInvoke, NotSeen):  # it was replaced while he looked at it
                if self._is_over():
                    await self._sit_down()
                elif enough.is_set() and resigns:
                    for _asked_first in range(2):
                        await self.people[0].slash(self._where, "gin resign")
                for person in self.people:
                    since = loop.time()
                    if done := await one_act(person):
                        self.report.acknowledged += done
                        self.took.append(loop.time() - since)
            await asyncio.sleep(0.01)

    def _is_over(self) -> bool:
        """Whether they have no match that goes on, as the file has it."""
        return not running_in(self._bot.folder, self.people[0].id)

    async def _sit_down(self) -> None:
        one, two = self.people
        for message in reversed(two.messages(self._where)):
            if "Accept" in buttons(message, enabled=True):
                await two.press(message, "Accept")
                return
        await one.slash(self._where, "gin challenge", opponent=two, target=50)


async def kill_often(
    nursery: Nursery,
    folder: Path,
    *,
    kills: int,
    pairs: int,
    seed: int,
    resigns: bool = False,
    told: Callable[[int, int], None] | None = None,
) -> Report:
    """Let some pairs play while the bot is killed so often at random instants; what was left.

    After the last kill the matches are played to their ends, or given up by one who ``resigns``.
    ``told`` hears after each kill how many there were, and how many acts were acknowledged.
    """
    dice = random.Random(seed)
    async with Playground(token=TOKEN) as playground:
        playground.rates.enabled = False
        playground.sent.keep_files = False
        playground.world.limits.answer_seconds = 1.5  # killed in the middle, nobody will answer
        bot = BotProcess.on(nursery, folder, playground)
        seated = _gathered(playground, bot, pairs)
        await bot.begin_on(playground)
        enough = asyncio.Event()
        playing = [asyncio.create_task(pair.on(enough, resigns=resigns)) for pair in seated]
        report = Report()
        try:
            while report.kills < kills:
                await _a_random_instant(seated, dice)
                await bot.kill()
                report.kills += 1
                playground.sent.clear()
                await bot.begin_on(playground)
                if told is not None:
                    told(report.kills, _acknowledged(seated))
            enough.set()
            playground.world.limits.answer_seconds = 3.0
            await asyncio.wait(playing, timeout=ENDS_WITHIN)
            assert await bot.stop() == 0
        finally:
            for task in playing:
                task.cancel()
            await bot.kill()
        for pair in seated:
            report.acknowledged += pair.report.acknowledged
        report.tracebacks = bot.said.count("Traceback")
    report.log = log_of(folder)
    await _look_after(report, bot)
    return report


async def _a_random_instant(seated: list[Pair], dice: random.Random) -> None:
    """Some moment in an act or just after it; now and then one while the bot is still starting."""
    act = statistics.median([took for pair in seated for took in pair.took[-50:]])
    if dice.random() < 0.2:
        await asyncio.sleep(dice.uniform(0.0, 4 * act))
        return
    goal = _acknowledged(seated) + dice.randint(1, 4)
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            while _acknowledged(seated) < goal:  # noqa: ASYNC110 - they have no event for it
                await asyncio.sleep(0.005)
    await asyncio.sleep(dice.uniform(0.0, 1.3 * act))


def _acknowledged(seated: list[Pair]) -> int:
    return sum(len(pair.report.acknowledged) for pair in seated)


def running_in(folder: Path, person: int | None = None) -> int:
    """How many matches go on, all or one person's, as the file has it."""
    query = (
        "SELECT count(DISTINCT id) FROM matches JOIN seats ON match_id = id "
        "WHERE status = 'running' AND coalesce(?, person_id) = person_id"
    )
    with closing(sqlite3.connect(f"file:{folder / 'ginhouse.db'}?mode=ro", uri=True)) as file:
        (number,) = file.execute(query, (person,)).fetchone()
        return int(number)


def _gathered(playground: Playground, bot: BotProcess, pairs: int) -> list[Pair]:
    world = playground.world
    guild = next(iter(world.guilds.values()))
    return [
        Pair(
            bot,
            Person.new(playground, f"Ann {number}"),
            Person.new(playground, f"Bob {number}"),
            world.add_channel(guild, f"table-{number}"),
        )
        for number in range(pairs)
    ]


async def _look_after(report: Report, bot: BotProcess) -> None:
    """Count the matches, and let the program itself check its database."""
    file = bot.settings["DATABASE_URL"].removeprefix("sqlite+aiosqlite:///")
    with closing(sqlite3.connect(file)) as database:
        (report.matches,) = database.execute("SELECT count(*) FROM matches").fetchone()
    report.running = running_in(Path(file).parent)
    checking = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "check"),
        cwd=ROOT,
        env={**bot.settings, "PATH": ""},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    _said, wrong = await checking.communicate()
    if checking.returncode != 0:
        report.check = wrong.decode()
