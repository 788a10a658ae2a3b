"""No question that is asked at each move grows with the number of matches played."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import wraps

import pytest
from sqlalchemy import event

from db import ChallengeStatus, InteractionId, MatchStatus, MessageId, Store
from db.ids import ChallengeId, MatchId
from db.rows import (
    TABLE_SEAT,
    AdminAct,
    DeadlineRow,
    HouseSetRow,
    Limits,
    Loss,
    NewAdminAct,
    ShownKind,
    ShownRow,
    VacationRow,
    Wishes,
    WordRow,
)
from db.setback import Chore, Task
from db.store import Transaction
from tests.db.house import (
    ANN,
    BOB,
    CAT,
    CLUB,
    LOUNGE,
    MINUTE,
    NOW,
    THREAD,
    a_challenge,
    a_match,
    a_move,
    lost,
    won,
)

WALKS = {
    "Absences.all": "once at a start; a row a server that removed the bot",
    "Absences.begin": "when the bot is removed from a server; a row a server that removed it",
    "Absences.end": "when the bot is back on a server",
    "Absences.put_back": "when the machine's clock was put back",
    "Challenges.put_back": "when the machine's clock was put back",
    "Deadlines.any": "reads one row",
    "Deadlines.clocks": "when the machine's clock was put back",
    "Deadlines.give_back": "after an outage: every deadline moves",
    "Deadlines.put_back": "when the machine's clock was put back",
    "Deadlines.shorten": "when the machine's clock was put back",
    "League.differences": "by `check` and `rebuild`",
    "LostPlaces.all": "once at a start; a row a table without its place",
    "Privacy.forget": "when a person deletes his data",
    "Privacy.everything_of": "when a person asks for his data",
    "Privacy.old_acts": "once a day",
    "Privacy.revision": "a table of one row",
    "Privacy.unplayed": "once a day",
    "SetBack.chores": "once at a start; a table of few rows",
    "Shown.stale": "once at a start",
    "Vacations.forget": "once a day",
    "Vacations.put_back": "when the machine's clock was put back",
}
"""What reads a whole table, and when that is asked: never because somebody plays."""


SORTS = {
    "Admin.blocked": "a page of those whom a server blocks",
    "Challenges.expired": "those that are open and overdue",
    "Challenges.unposted": "those that are open",
    "Deadlines.of_person": "the running matches of one person",
    "Deadlines.stopped_on": "when a server is back; its running matches",
    "League.page": "those who share a rank",
    "Matches.latest_of": "the matches of one person",
    "Matches.newest_on": "ids alone, for an administrator's list",
    "Packing.ripe": "in the background, a few at a time",
    "Privacy.everything_of": "when a person asks for his data",
    "Promises.abandoned": "for an administrator's list; kept for a month",
    "Servers.played_on": "a row a server",
    "Shown.ended_unseen": "when a server is back; those that ended meanwhile",
    "Vacations.put_back": "when the machine's clock was put back",
    "Vacations.until": "the vacations of one person",
    "WishList.blocked_by": "those whom one person blocks",
}
"""What is put in order after it was read, and why that is little, or seldom."""


@dataclass(slots=True)
class Asked:
    """What the methods of the store asked of the database."""

    methods: set[str] = field(default_factory=set)
    statements: dict[str, tuple[Sequence[object], set[str]]] = field(default_factory=dict)
    """Each with values for it, and the methods that asked it."""


def _methods(tx: Transaction) -> Iterator[tuple[type, str]]:
    """Every public method of every part of a transaction."""
    for part in set(Transaction.__slots__) - {"committed", "then"}:
        kind = type(getattr(tx, part))
        yield from ((kind, name) for name in vars(kind) if not name.startswith("_"))


@contextmanager
def _listening(store: Store, tx: Transaction, patch: pytest.MonkeyPatch) -> Iterator[Asked]:
    asked = Asked()
    asking: list[str] = []

    def watched(
        name: str, method: Callable[..., Awaitable[object]]
    ) -> Callable[..., Awaitable[object]]:
        @wraps(method)
        async def ask(*args: object, **options: object) -> object:
            asked.methods.add(name)
            asking.append(name)
            try:
                return await method(*args, **options)
            finally:
                asking.pop()

        return ask

    def note(
        _connection: object,
        _cursor: object,
        statement: str,
        parameters: Sequence[object],
        _context: object,
        many: bool,
    ) -> None:
        values = parameters[0] if many else parameters
        assert isinstance(values, Sequence)
        asked.statements.setdefault(statement, (values, set()))[1].add(asking[0])

    for kind, name in _methods(tx):
        patch.setattr(kind, name, watched(f"{kind.__name__}.{name}", getattr(kind, name)))
    engines = store._write.sync_engine, store._read.sync_engine
    for engine in engines:
        event.listen(engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        for engine in engines:
            event.remove(engine, "before_cursor_execute", note)


@pytest.fixture
async def asked(store: Store, monkeypatch: pytest.MonkeyPatch) -> Asked:
    """Every method of the store, asked once at least."""
    async with store.reading() as tx:
        nothing = tx
    with monkeypatch.context() as patch, _listening(store, nothing, patch) as heard:
        async with store.transaction() as tx:
            challenge, match = await _write_games(tx)
            await _write_beside(tx, match)
            await _write_house(tx)
        async with store.reading() as tx:
            await _read_games(tx, challenge, match)
            await _read_beside(tx, match)
            await _read_house(tx)
        async with store.transaction() as tx:
            await _forget(tx, challenge, match)
    return heard


async def test_every_method_of_every_part_of_the_store_is_asked_here(
    store: Store, asked: Asked
) -> None:
    async with store.reading() as tx:
        everything = {f"{kind.__name__}.{name}" for kind, name in _methods(tx)}
    assert everything - asked.methods == set()
    assert set(WALKS) - everything == set()


async def _plans(store: Store, asked: Asked) -> list[tuple[str, list[str], set[str]]]:
    """Every statement that was asked, the steps of its plan, and the methods that asked it."""
    plans = []
    async with store._read.connect() as connection:
        for statement, (values, methods) in asked.statements.items():
            if statement.startswith("PRAGMA"):
                continue
            plan = await connection.exec_driver_sql(
                f"EXPLAIN QUERY PLAN {statement}", tuple(values)
            )
            plans.append((statement, [row.detail for row in plan], methods))
    return plans


async def test_every_question_is_answered_from_an_index(store: Store, asked: Asked) -> None:
    walked: set[str] = set()
    for statement, steps, methods in await _plans(store, asked):
        # A common table expression is walked as far as it was built.
        if [one for one in steps if one.startswith("SCAN") and "loose" not in one]:
            walked |= methods
            assert methods <= set(WALKS), (statement, steps)
    assert walked == set(WALKS)  # what has got an index is no exception any more


async def test_nothing_is_put_in_order_that_an_index_could_give_in_order(
    store: Store, asked: Asked
) -> None:
    sorting: set[str] = set()
    for statement, steps, methods in await _plans(store, asked):
        if [one for one in steps if "TEMP B-TREE FOR" in one and "ORDER BY" in one]:
            sorting |= methods
            assert methods <= set(SORTS), (statement, steps)
    assert sorting == set(SORTS)


async def test_what_a_person_played_in_a_channel_is_looked_for_among_his_own_matches(
    store: Store, asked: Asked
) -> None:
    plans = [steps for _said, steps, methods in await _plans(store, asked)
             if methods == {"Matches.latest_of"}]  # fmt: skip
    assert len(plans) == 2
    for steps in plans:
        searched = [step for step in steps if step.startswith("SEARCH") and "INDEX" in step]
        assert searched == [
            "SEARCH seats USING COVERING INDEX ix_seats_person_id_match_id (person_id=?)"
        ]


async def test_a_league_table_is_read_in_its_order_and_a_line_is_counted_from_an_index_alone(
    store: Store, asked: Asked
) -> None:
    async def plan(*words: str) -> list[str]:
        (found,) = {
            (statement, tuple(values))
            for statement, (values, _methods) in asked.statements.items()
            if all(word in " ".join(statement.split()) for word in words)
        }
        async with store._read.connect() as connection:
            steps = await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {found[0]}", found[1])
            return [row.detail for row in steps]

    page = await plan("FROM standings LEFT OUTER JOIN people", "LIMIT")
    assert page[0].startswith(
        "SEARCH standings USING INDEX ix_standings_server_id_won_points (server_id=?)"
    )
    assert [step for step in page if "B-TREE" in step] in (
        ["USE TEMP B-TREE FOR RIGHT PART OF ORDER BY"],  # of those who share a rank
        ["USE TEMP B-TREE FOR LAST 2 TERMS OF ORDER BY"],
    )
    assert await plan("FROM results", "GROUP BY", "results.server_id = ?") == [
        "SEARCH results USING COVERING INDEX ix_results_of_person (person_id=? AND server_id=?)"
    ]


A_DEADLINE = DeadlineRow(MatchId(0), 1, 3, NOW, NOW + 5 * MINUTE, NOW + MINUTE, NOW + MINUTE)


async def _write_games(tx: Transaction) -> tuple[ChallengeId, MatchId]:
    challenge = await tx.challenges.create(a_challenge())
    await tx.challenges.set_message(challenge, MessageId(1))
    await tx.challenges.move(challenge, LOUNGE)
    await tx.challenges.accept_seat(challenge, BOB)
    await tx.promises.make(challenge, bytes(32), "commitment")
    await tx.promises.put_word(challenge, WordRow(ANN, "word", is_own=True))
    match = await tx.matches.create(a_match())
    await tx.challenges.settle(challenge, ChallengeStatus.ACCEPTED, NOW, match)
    await tx.matches.append(match, 0, [a_move("A pass", 1), a_move("B pass")], NOW)
    await tx.matches.append(match, 2, [a_move("A draw stock")], NOW)
    await tx.matches.set_thread(match, THREAD)
    await tx.matches.set_channel(match, LOUNGE)
    results = [won(0, ANN, 150), lost(1, BOB, 20)]
    voided = await tx.matches.create(a_match())
    await tx.matches.append(voided, 0, [a_move("A resign", 2)], NOW)
    await tx.matches.finish(voided, MatchStatus.FINISHED, NOW, results)
    await tx.matches.derive(voided, 1, MatchStatus.FINISHED, NOW, results)
    assert await tx.matches.void(voided)
    assert await tx.packing.pack(voided)
    await tx.league.count(CLUB, (ANN,))
    return challenge, match


async def _write_beside(tx: Transaction, match: MatchId) -> None:
    table = ShownRow(match, ShownKind.TABLE, TABLE_SEAT, LOUNGE, MessageId(9), 1, NOW)
    await tx.shown.put(table)
    await tx.shown.show([table])
    await tx.shown.drop(match, 0, ShownKind.HAND)
    await tx.offers.make(match, ANN, 1)
    await tx.lost_places.put(match, LOUNGE, Loss.GONE, NOW)
    await tx.lost_places.told(match, {0})
    row = replace(A_DEADLINE, match_id=match)
    await tx.deadlines.put(row)
    assert await tx.deadlines.reminded(row)
    await tx.deadlines.put(row)
    assert await tx.deadlines.stop(row, NOW, NOW + MINUTE)
    stopped = await tx.deadlines.get(match)
    assert stopped is not None
    assert await tx.deadlines.go_on(stopped, NOW + MINUTE)
    await tx.deadlines.put(row)
    await tx.deadlines.give_back(NOW - MINUTE, NOW, CLUB)
    await tx.deadlines.give_back(NOW - MINUTE, NOW, but=(CLUB,))
    await tx.deadlines.put(row)
    assert await tx.deadlines.told(row)
    await tx.deadlines.asked(match, NOW, NOW)
    await tx.deadlines.shorten("1d wait", MINUTE, NOW)
    await tx.deadlines.put_back(NOW)
    await tx.challenges.put_back(NOW)
    await tx.shown.drop_others(table)


async def _write_house(tx: Transaction) -> None:
    await tx.people.seen(ANN, "Ann", NOW)
    await tx.people.set_dm(ANN, None, closed=False)
    await tx.servers.seen(CLUB, "The Club", NOW)
    await tx.facts.put("name", "value")
    await tx.wishes.put(ANN, Wishes())
    await tx.wishes.block(ANN, CAT, NOW)
    await tx.wishes.unblock(ANN, CAT)
    await tx.vacations.begin(VacationRow(ANN, NOW, NOW + MINUTE))
    await tx.vacations.end(ANN, NOW)
    await tx.house_sets.save(HouseSetRow(CLUB, "friday", "rules", True, ANN, NOW))
    await tx.house_sets.no_default(CLUB)
    await tx.house_sets.drop(CLUB, "friday")
    await tx.admin.record(NewAdminAct(CLUB, ANN, AdminAct.MATCH_VOID, NOW))
    await tx.admin.set_limits(CLUB, Limits())
    await tx.admin.allow(CLUB, LOUNGE)
    await tx.admin.disallow(CLUB, LOUNGE)
    await tx.admin.block(CLUB, CAT, NOW)
    await tx.admin.unblock(CLUB, CAT)
    await tx.absences.begin(CLUB, NOW)
    await tx.absences.end(CLUB)
    await tx.absences.put_back(NOW)
    await tx.vacations.put_back(NOW)
    await tx.set_back.done(Chore(Task.TELL, 1, 2))


async def _read_games(tx: Transaction, challenge: ChallengeId, match: MatchId) -> None:
    await tx.challenges.get(challenge)
    await tx.challenges.open_of(ANN)
    await tx.challenges.open_between(ANN, BOB, CLUB)
    await tx.challenges.between(ANN, BOB, since=NOW)
    await tx.challenges.open_in(LOUNGE)
    await tx.challenges.expired(NOW)
    await tx.challenges.unposted()
    await tx.challenges.next_expiry()
    await tx.promises.get(challenge)
    await tx.promises.of_match(match)
    await tx.promises.words(challenge)
    await tx.promises.abandoned(CLUB, 5)
    await tx.matches.get(match)
    await tx.matches.head(match)
    await tx.matches.log(match)
    await tx.matches.results(match)
    await tx.matches.of_interaction(InteractionId(1))
    await tx.matches.ids(MatchId(0), 5)
    await tx.matches.running_of(ANN)
    await tx.matches.running_of(ANN, CLUB)
    await tx.matches.running_in(LOUNGE)
    await tx.matches.running_on(CLUB)
    await tx.matches.running_ids()
    await tx.matches.count_running()
    await tx.matches.servers_in_play()
    await tx.matches.newest_on(CLUB, [MatchStatus.RUNNING, MatchStatus.FINISHED], 5)
    await tx.matches.count_on(CLUB, [MatchStatus.RUNNING, MatchStatus.FINISHED])
    await tx.matches.latest_of(ANN)
    await tx.matches.latest_of(ANN, LOUNGE)
    await tx.matches.latest_ended_in(LOUNGE)
    await tx.league.page(CLUB, 10, 0, ANN)
    await tx.league.standing_of(CLUB, ANN)
    await tx.league.differences()
    await tx.packing.ripe(NOW, MatchId(0), 5)
    await tx.packing.log(MatchId(match + 1))
    await tx.packing.loose(match, 1)
    await tx.packing.acts_of(ANN)


async def _read_beside(tx: Transaction, match: MatchId) -> None:
    await tx.shown.get(match)
    await tx.shown.of_match(match)
    await tx.shown.stale(5)
    await tx.shown.ended_unseen(CLUB, NOW)
    await tx.shown.doubtful()
    await tx.shown.doubtful(CLUB)
    await tx.offers.of_match(match)
    await tx.offers.left(match)
    await tx.lost_places.of_match(match)
    await tx.lost_places.all()
    await tx.lost_places.parked(ANN, CLUB)
    await tx.deadlines.get(match)
    await tx.deadlines.of_person(ANN)
    await tx.deadlines.stopped_on(CLUB)
    await tx.deadlines.next()
    await tx.deadlines.due(NOW, 5)
    await tx.deadlines.missing()
    await tx.deadlines.any()
    await tx.deadlines.clocks()
    await tx.deadlines.idle(NOW, 5, after=MatchId(0))


async def _read_house(tx: Transaction) -> None:
    await tx.people.get_many([ANN, BOB])
    await tx.servers.get(CLUB)
    await tx.servers.played_on(ANN)
    await tx.facts.get("name")
    await tx.facts.generation()
    await tx.matches.of_server(CLUB, [MatchId(1)])
    await tx.set_back.since()
    await tx.set_back.chores()
    await tx.wishes.of(ANN)
    await tx.wishes.blocked_by(ANN)
    await tx.wishes.among([ANN, BOB])
    await tx.vacations.since(ANN, NOW)
    await tx.vacations.until(ANN, NOW)
    await tx.house_sets.all_of(CLUB)
    await tx.admin.acts(CLUB, 5)
    await tx.admin.ruling(CLUB, MatchId(1))
    await tx.admin.ruled_by(CLUB, MatchId(1))
    await tx.admin.reasons(CLUB)
    await tx.admin.count(CLUB)
    await tx.admin.limits(CLUB)
    await tx.admin.channels(CLUB)
    await tx.admin.blocked(CLUB)
    await tx.absences.all()
    await tx.privacy.everything_of(ANN)
    await tx.privacy.matches_of(ANN)
    await tx.privacy.absent(NOW + timedelta(days=900), 5)
    await tx.privacy.revision()
    await tx.privacy.is_sound()


async def _forget(tx: Transaction, challenge: ChallengeId, match: MatchId) -> None:
    await tx.offers.note_left(match, [BOB], 2)
    await tx.offers.drop(match)
    await tx.shown.drop(match)
    await tx.lost_places.forget(match)
    await tx.deadlines.drop(match)
    await tx.vacations.forget(NOW)
    await tx.privacy.old_acts(NOW)
    await tx.privacy.unplayed(NOW)
    await tx.matches.finish(match, MatchStatus.CANCELLED, NOW)
    await tx.privacy.forget(ANN, type(ANN)(-5), NOW)
    assert await tx.challenges.get(challenge) is not None
