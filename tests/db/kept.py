"""``python -m tests.db.kept``: keep a database of the present schema, for the versions to come.

Written with the program's own code, as SQL, to ``tests/data/schemas/<revision>.sql``: matches of
every scoring that were played to their end, called off and voided, one that runs, and rows of
every other kind. To be run when a version is released whose schema is new.
"""

from __future__ import annotations

import asyncio
import hashlib
import sqlite3
import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Final

from bot.play import deadlines
from bot.play.derived import results_of, status_of
from bot.play.table import Table
from db import migrate
from db.ids import ChannelId, InteractionId, MatchId, MessageId, PersonId, ServerId
from db.rows import (
    TABLE_SEAT,
    AdminAct,
    ChallengeStatus,
    HouseSetRow,
    Limits,
    Loss,
    NewAdminAct,
    NewChallenge,
    NewEntry,
    NewMatch,
    ShownKind,
    ShownRow,
    VacationRow,
    Wishes,
    WordRow,
)
from db.store import Store, Transaction
from gin import Cancel, Match, Play, Rules, Scoring
from gin.notation import dump_event
from tests.gin.players import Style, states

FOLDER: Final = Path(__file__).parents[1] / "data" / "schemas"
ANN, BOB, CAT = (PersonId(1_100_000_000_000_000_001 + number) for number in range(3))
CLUB, LOUNGE = ServerId(1_200_000_000_000_000_001), ChannelId(1_300_000_000_000_000_001)
BEGAN: Final = datetime(2026, 1, 1, 20, 15, 0, 123456, tzinfo=UTC)
INTERACTION: Final = 1_400_000_000_000_000_000
SECRET: Final = bytes(range(32))
CLOCK: Final = "correspondence 86400 play-on"
PEOPLE: Final = {2: (ANN, BOB), 3: (ANN, BOB, CAT)}

FINISHED, HOLLYWOOD, ROTATION, VOIDED, CANCELLED, RUNNING = (MatchId(n) for n in range(1, 7))
"""The matches that every kept database holds."""


async def fill(store: Store) -> None:
    """Put rows of every kind into an empty database."""
    standard = Rules(target=50)
    async with store.transaction() as tx:
        await tx.servers.seen(CLUB, "The Club", BEGAN)
        for person, name in zip(PEOPLE[3], ("Ann", "Bob", "Cat"), strict=True):
            await tx.people.seen(person, name, BEGAN)
        await tx.people.set_dm(ANN, ChannelId(LOUNGE + 1), closed=False)
        await _match(tx, FINISHED, standard, 1)
        await _match(tx, HOLLYWOOD, replace(standard, scoring=Scoring.HOLLYWOOD), 2)
        await _match(tx, ROTATION, Rules(target=50, scoring=Scoring.ROTATION), 3)
        await _match(tx, VOIDED, standard, 4)
        assert await tx.matches.void(VOIDED)
        await _match(tx, CANCELLED, standard, 5, most=30, cancel=True)
        await _match(tx, RUNNING, standard, 6, most=30)
        await tx.shown.put(
            ShownRow(RUNNING, ShownKind.TABLE, TABLE_SEAT, LOUNGE, MessageId(LOUNGE + 9), 5, BEGAN)
        )
        await tx.challenges.create(_challenge((ANN, BOB, CAT), standard))
        await _fill_later_tables(tx)
    async with store.transaction() as tx:
        assert await tx.packing.pack(HOLLYWOOD)
        assert await tx.packing.pack(CANCELLED)


async def _fill_later_tables(tx: Transaction) -> None:
    await tx.offers.make(RUNNING, ANN, 4)
    await tx.offers.note_left(CANCELLED, [BOB], 4)
    await tx.facts.put("commands:1", "a digest")
    await tx.house_sets.save(
        HouseSetRow(CLUB, "friday", Rules(target=75).dump(), False, ANN, BEGAN)
    )
    await tx.admin.record(NewAdminAct(CLUB, ANN, AdminAct.MATCH_VOID, BEGAN, VOIDED, note="why"))
    await tx.admin.set_limits(CLUB, Limits(3, 9))
    await tx.admin.allow(CLUB, LOUNGE)
    await tx.admin.block(CLUB, PersonId(CAT + 1), BEGAN)
    await tx.wishes.block(ANN, CAT, BEGAN)
    await tx.lost_places.put(RUNNING, LOUNGE, Loss.GONE, BEGAN)
    await tx.absences.begin(ServerId(CLUB + 1), BEGAN)
    await tx.wishes.put(ANN, Wishes(calls=False, four_colours=True))
    await tx.vacations.begin(VacationRow(BOB, BEGAN, BEGAN + timedelta(days=14)))
    running = await tx.matches.get(RUNNING)
    assert running is not None
    table = Table.fresh(running).replayed(await tx.matches.log(RUNNING))
    assert await deadlines.begin(tx, table, BEGAN) is not None


def _challenge(people: Sequence[PersonId], rules: Rules) -> NewChallenge:
    return NewChallenge(
        server_id=CLUB,
        channel_id=LOUNGE,
        challenger=people[0],
        opponents=tuple(people[1:]),
        rules=rules.dump(),
        house="friday",
        created_at=BEGAN,
        expires_at=BEGAN + timedelta(hours=1),
    )


async def _match(
    tx: Transaction,
    number: MatchId,
    rules: Rules,
    seed: int,
    most: int = 20_000,
    cancel: bool = False,
) -> None:
    """Play a match from its challenge on, to its end or ``most`` events."""
    people = PEOPLE[3 if rules.scoring is Scoring.ROTATION else 2]
    clock = CLOCK if number == RUNNING else None
    challenge = await tx.challenges.create(_challenge(people, rules))
    secret = hashlib.sha256(SECRET + bytes([seed])).digest()
    await tx.promises.make(challenge, secret, hashlib.sha256(secret).hexdigest())
    for person in people:
        await tx.promises.put_word(challenge, WordRow(person, f"word {seed}", is_own=True))
    await tx.challenges.settle(challenge, ChallengeStatus.ACCEPTED, BEGAN)
    assert number == await tx.matches.create(
        NewMatch(CLUB, LOUNGE, rules.dump(), people, BEGAN, challenge, clock=clock)
    )
    match = Match.start(rules)
    for match in states(Random(seed), rules, Style(bluff=0), most):  # noqa: B007 - the last one
        pass
    if cancel:
        match = match.after(Cancel())
    entries = []
    for seq, event in enumerate(match.events, 1):
        entry = NewEntry(dump_event(event))
        if isinstance(event, Play):
            interaction = InteractionId(INTERACTION + seed * 100_000 + seq)
            entry = NewEntry(entry.text, event.seat, people[event.seat], interaction)
        elif isinstance(event, Cancel):  # by an administrator
            entry = NewEntry(entry.text, None, CAT)
        entries.append(entry)
    at = BEGAN + timedelta(hours=seed)
    await tx.matches.append(number, 0, entries, at)
    if match.outcome is not None:
        await tx.matches.finish(number, status_of(match), at, results_of(people, match))


async def _write(file: Path) -> None:
    store = await Store.open(f"sqlite+aiosqlite:///{file}")
    await fill(store)
    await store.close()


def main() -> None:
    """Write the present schema's database as SQL."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "house.db"
        asyncio.run(_write(file))
        with closing(sqlite3.connect(file)) as connection:
            lines = list(connection.iterdump())
    (FOLDER / f"{migrate.newest()}.sql").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
