"""Servers without the bot (faults.md, row 14): suspended, never purged, and back with it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import datetime
from pathlib import Path

import pytest

from bot.now import utc_now
from bot.play.presence import Presence, State, StateOf
from db.errors import DatabaseUnusable
from db.ids import ServerId
from db.store import Store, Transaction
from tests.db.house import ANN, CLUB, PUB, new_match


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'house.db'}")
    yield opened
    await opened.close()


def on(*servers: ServerId) -> StateOf:
    """The bot is on these servers only."""
    return lambda server: State.SERVED if server in servers else State.GONE


async def test_a_removal_is_remembered_across_starts_and_ends_with_an_invitation(
    store: Store,
) -> None:
    match = await new_match(store)
    presence = Presence(store, utc_now)
    await presence.removed(CLUB)
    since = presence.since(CLUB)
    await presence.removed(CLUB)
    assert since is not None
    anew = Presence(store, utc_now)
    assert await anew.compare(on(PUB), lambda _server: True) == ()
    assert anew.is_suspended(CLUB)
    assert anew.is_absent(CLUB)
    assert anew.since(CLUB) == since
    async with store.reading() as tx:
        assert [row.id for row in await tx.matches.running_of(ANN)] == [match]
    assert await anew.back(CLUB) == since
    assert await anew.back(CLUB) is None
    assert not anew.is_suspended(CLUB)
    assert await Presence(store, utc_now).compare(on(CLUB), lambda _server: True) == ()


async def test_what_happened_while_the_bot_was_away_is_seen_at_its_start(store: Store) -> None:
    await new_match(store)
    presence = Presence(store, utc_now)
    assert await presence.compare(on(PUB), lambda _server: True) == ()
    assert presence.is_absent(CLUB)
    again = Presence(store, utc_now)
    assert await again.compare(on(CLUB), lambda _server: True) == (CLUB,)
    assert not again.is_suspended(CLUB)


async def test_a_server_of_another_process_is_not_taken_for_removed(store: Store) -> None:
    await new_match(store)
    presence = Presence(store, utc_now)
    await presence.compare(on(), lambda _server: False)
    assert not presence.is_suspended(CLUB)


async def test_an_outage_is_no_removal(store: Store) -> None:
    await new_match(store)
    presence = Presence(store, utc_now)
    await presence.compare(lambda _server: State.OUT_OF_ORDER, lambda _server: True)
    assert presence.is_suspended(CLUB)
    assert not presence.is_absent(CLUB)
    assert await presence.back(CLUB) is not None
    presence.out_of_order(CLUB)
    assert presence.since(CLUB) is not None
    async with store.reading() as tx:
        assert await tx.absences.all() == {}


class Changes:
    """A server whose state changes, with the word of it, while the database is being asked."""

    def __init__(
        self,
        presence: Presence,
        monkeypatch: pytest.MonkeyPatch,
        first: State,
        then: State = State.SERVED,
    ) -> None:
        self.state = first
        self.then = then
        real = presence._store.reading

        @asynccontextmanager
        async def reading() -> AsyncIterator[Transaction]:
            async with real() as tx:
                yield tx
            if self.state is not self.then:
                self.state = self.then
                await (presence.removed if self.then is State.GONE else presence.back)(CLUB)

        monkeypatch.setattr(presence._store, "reading", reading)


@pytest.mark.parametrize("first", [State.OUT_OF_ORDER, State.GONE])
async def test_a_server_that_arrives_while_the_database_is_asked_is_served(
    store: Store, monkeypatch: pytest.MonkeyPatch, first: State
) -> None:
    await new_match(store)
    presence = Presence(store, utc_now)
    server = Changes(presence, monkeypatch, first)
    await presence.compare(lambda _server: server.state, lambda _server: True)
    assert not presence.is_suspended(CLUB)


async def test_a_removal_that_is_heard_of_before_the_comparison_stays(store: Store) -> None:
    await new_match(store)
    presence = Presence(store, utc_now)
    await presence.removed(CLUB)
    async with store.transaction() as tx:
        await tx.absences.end(CLUB)  # as if not written yet
    await presence.compare(on(), lambda _server: True)
    assert presence.is_absent(CLUB)


class Told:
    """Who is to do something for each server that is back."""

    def __init__(self, presence: Presence) -> None:
        self.of: list[tuple[ServerId, datetime]] = []
        presence.when_back(self.note)

    async def note(self, _tx: Transaction, server: ServerId, since: datetime) -> Callable[[], None]:
        return lambda: self.of.append((server, since))


async def absences(store: Store) -> dict[ServerId, datetime]:
    async with store.reading() as tx:
        return await tx.absences.all()


async def test_a_server_that_invites_the_bot_while_it_is_compared_has_its_time_back_once(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await new_match(store)
    presence = Presence(store, utc_now)
    told = Told(presence)
    await presence.compare(on(), lambda _server: True)
    since = presence.since(CLUB)
    server = Changes(presence, monkeypatch, State.GONE)
    await presence.compare(lambda _server: server.state, lambda _server: True)
    monkeypatch.undo()
    assert told.of == [(CLUB, since)]
    assert not presence.is_suspended(CLUB)
    assert await absences(store) == {}


async def test_a_removal_and_an_invitation_while_the_bot_starts_are_one_of_each(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await new_match(store)
    presence = Presence(store, utc_now)
    told = Told(presence)
    await presence.removed(CLUB)
    since = presence.since(CLUB)
    server = Changes(presence, monkeypatch, State.GONE)
    await presence.compare(lambda _server: server.state, lambda _server: True)
    monkeypatch.undo()
    assert told.of == [(CLUB, since)]
    assert await absences(store) == {}


async def test_two_sessions_that_compare_at_once_find_a_server_back_once(store: Store) -> None:
    await new_match(store)
    before = Presence(store, utc_now)
    await before.removed(CLUB)
    presence = Presence(store, utc_now)
    told = Told(presence)
    found = await asyncio.gather(
        *(presence.compare(on(CLUB), lambda _server: True) for _session in range(3))
    )
    assert sorted(found) == [(), (), (CLUB,)]
    assert told.of == [(CLUB, before.since(CLUB))]
    assert await absences(store) == {}


async def test_a_server_that_removes_the_bot_while_it_is_compared_is_suspended(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await new_match(store)
    presence = Presence(store, utc_now)
    told = Told(presence)
    server = Changes(presence, monkeypatch, State.SERVED, then=State.GONE)
    assert await presence.compare(lambda _server: server.state, lambda _server: True) == ()
    monkeypatch.undo()
    assert presence.is_absent(CLUB)
    assert await absences(store) == {CLUB: presence.since(CLUB)}
    assert told.of == []


async def test_an_absence_whose_end_cannot_be_written_down_ends_at_the_next_comparison(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await new_match(store)
    presence = Presence(store, utc_now)
    told = Told(presence)
    await presence.removed(CLUB)
    since = presence.since(CLUB)
    with monkeypatch.context() as broken:
        broken.setattr(store, "transaction", _full)
        with pytest.raises(DatabaseUnusable):
            await presence.compare(on(CLUB), lambda _server: True)
    assert told.of == []
    assert presence.is_absent(CLUB)
    assert await presence.compare(on(CLUB), lambda _server: True) == (CLUB,)
    assert told.of == [(CLUB, since)]


def _full() -> None:
    raise DatabaseUnusable("the disk is full")


async def test_a_server_that_removed_the_bot_once_more_is_not_named_as_back(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was found back in a comparison that failed over another server."""
    first, second = sorted((CLUB, PUB))
    presence = Presence(store, utc_now)
    await presence.removed(first)
    await presence.removed(second)
    back = presence.back

    async def fails_for_second(server: ServerId) -> datetime | None:
        if server == second:
            _full()
        return await back(server)

    with monkeypatch.context() as broken:
        broken.setattr(presence, "back", fails_for_second)
        with pytest.raises(DatabaseUnusable):
            await presence.compare(on(first, second), lambda _server: True)
    assert not presence.is_absent(first)
    await presence.removed(first)
    assert await presence.compare(on(second), lambda _server: True) == (second,)


async def test_an_absence_that_was_written_down_began_when_it_did(store: Store) -> None:
    """The bot was invited while it was down, and removed again before it could compare."""
    await new_match(store)
    before = Presence(store, utc_now)
    await before.removed(CLUB)
    presence = Presence(store, utc_now)
    await presence.removed(CLUB)
    await presence.compare(on(), lambda _server: True)
    assert presence.since(CLUB) == before.since(CLUB)


async def test_a_server_is_named_as_back_though_the_database_failed_over_another(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    presence = Presence(store, utc_now)
    await presence.removed(CLUB)
    await presence.removed(PUB)
    transaction, opened = store.transaction, 0

    def fails_once() -> AbstractAsyncContextManager[Transaction]:
        nonlocal opened
        opened += 1
        if opened == 2:
            raise DatabaseUnusable("the disk is full")
        return transaction()

    monkeypatch.setattr(store, "transaction", fails_once)
    with pytest.raises(DatabaseUnusable):
        await presence.compare(on(CLUB, PUB), lambda _server: True)
    assert await presence.compare(on(CLUB, PUB), lambda _server: True) == tuple(sorted((CLUB, PUB)))
    assert await presence.compare(on(CLUB, PUB), lambda _server: True) == ()
