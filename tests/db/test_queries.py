"""No question that is asked at each move grows with the number of matches played."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import event

from db import ChallengeStatus, InteractionId, MatchStatus, MessageId, Store
from tests.db.house import ANN, BOB, CLUB, LOUNGE, NOW, a_challenge, a_match, a_move, lost, won

# These read a whole table or a whole server, and say so.
WHOLE = ("FROM shown JOIN matches", "WITH league AS", "count(DISTINCT results.person_id)")


async def test_every_question_is_answered_from_an_index(store: Store) -> None:
    asked: dict[str, Sequence[object]] = {}

    def note(
        _connection: object,
        _cursor: object,
        statement: str,
        parameters: Sequence[object],
        _context: object,
        many: bool,
    ) -> None:
        asked[statement] = parameters[0] if many else parameters  # type: ignore[assignment]

    for engine in (store._write.sync_engine, store._read.sync_engine):
        event.listen(engine, "before_cursor_execute", note)
    await _ask_everything(store)
    for engine in (store._write.sync_engine, store._read.sync_engine):
        event.remove(engine, "before_cursor_execute", note)

    assert len(asked) > 25
    async with store._read.connect() as connection:
        for statement, parameters in asked.items():
            if any(known in " ".join(statement.split()) for known in WHOLE):
                continue
            plan = await connection.exec_driver_sql(
                f"EXPLAIN QUERY PLAN {statement}",
                tuple(parameters),
            )
            steps = [row.detail for row in plan]
            assert not [step for step in steps if step.startswith("SCAN")], (statement, steps)


async def test_a_league_table_is_read_from_one_index_in_its_order(store: Store) -> None:
    async with store._read.connect() as connection:
        plan = await connection.exec_driver_sql(
            "EXPLAIN QUERY PLAN SELECT person_id, count(*), sum(won), sum(total) FROM results "
            "WHERE server_id = 1 GROUP BY person_id"
        )
        steps = [row.detail for row in plan]
    assert steps == ["SEARCH results USING COVERING INDEX ix_results_standings (server_id=?)"]


async def _ask_everything(store: Store) -> None:
    async with store.transaction() as tx:
        challenge_id = await tx.challenges.create(a_challenge())
        await tx.challenges.set_message(challenge_id, MessageId(1))
        await tx.challenges.accept_seat(challenge_id, BOB)
        match_id = await tx.matches.create(a_match())
        await tx.challenges.settle(challenge_id, ChallengeStatus.ACCEPTED, NOW, match_id)
        await tx.matches.append(match_id, 0, [a_move("A pass", 1), a_move("B pass")], NOW)
        await tx.matches.append(match_id, 2, [a_move("A draw stock")], NOW)
        await tx.matches.set_thread(match_id, None)
        await tx.matches.set_channel(match_id, LOUNGE)
        await tx.people.seen(ANN, "Ann", NOW)
        await tx.people.set_dm(ANN, None, closed=False)
        await tx.servers.seen(CLUB, "The Club", NOW)
        await tx.shown.drop(match_id)
        await tx.offers.make(match_id, ANN, 1)
        await tx.facts.put("name", "value")
        await tx.matches.finish(
            match_id, MatchStatus.FINISHED, NOW, [won(0, ANN, 150), lost(1, BOB, 20)]
        )
    async with store.reading() as tx:
        await tx.challenges.get(challenge_id)
        await tx.challenges.open_of(ANN)
        await tx.challenges.open_between(ANN, BOB, CLUB)
        await tx.challenges.expired(NOW)
        await tx.challenges.next_expiry()
        await tx.matches.get(match_id)
        await tx.matches.head(match_id)
        await tx.matches.log(match_id)
        await tx.matches.results(match_id)
        await tx.matches.of_interaction(InteractionId(1))
        await tx.matches.running_of(ANN)
        await tx.matches.running_of(ANN, CLUB)
        await tx.matches.running_in(LOUNGE)
        await tx.matches.running_ids()
        await tx.matches.latest_of(ANN)
        await tx.matches.latest_of(ANN, LOUNGE)
        await tx.people.get_many([ANN, BOB])
        await tx.servers.get(CLUB)
        await tx.servers.played_on(ANN)
        await tx.offers.of_match(match_id)
        await tx.facts.get("name")
        await tx.shown.get(match_id)
        await tx.shown.of_match(match_id)
        await tx.shown.stale(5)
        await tx.league.standings(CLUB, 10)
        await tx.league.standing_of(CLUB, ANN)
        await tx.league.count(CLUB)
