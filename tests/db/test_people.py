"""Names last heard, of people and servers, and direct messages."""

from __future__ import annotations

from db import ChannelId, PersonRow, ServerRow, Store
from tests.db.house import (
    ANN,
    BOB,
    CAT,
    CLUB,
    DAN,
    MINUTE,
    NOW,
    PUB,
    lost,
    new_match,
    play_to_the_end,
    won,
)


async def test_the_name_heard_last_is_kept_whatever_order_the_news_come_in(store: Store) -> None:
    async with store.transaction() as tx:
        await tx.people.seen(ANN, "Ann", NOW)
        await tx.people.seen(ANN, "Annabel", NOW + 2 * MINUTE)
        await tx.people.seen(ANN, "Anna", NOW + MINUTE)
        await tx.people.seen(BOB, "`@everyone` \u202e\u05d0 👑", NOW)
    async with store.reading() as tx:
        assert await tx.people.get_many([ANN, BOB, CAT]) == {
            ANN: PersonRow(ANN, "Annabel", None, dm_closed=False),
            BOB: PersonRow(BOB, "`@everyone` \u202e\u05d0 👑", None, dm_closed=False),
        }
        assert await tx.people.get_many([]) == {}


async def test_closed_direct_messages_are_remembered_and_forgotten(store: Store) -> None:
    dm = ChannelId(55)
    async with store.transaction() as tx:
        await tx.people.seen(ANN, "Ann", NOW)
        await tx.people.set_dm(ANN, dm, True)
        assert await tx.people.get_many([ANN]) == {ANN: PersonRow(ANN, "Ann", dm, dm_closed=True)}
        await tx.people.seen(ANN, "Anna", NOW + MINUTE)
        await tx.people.set_dm(ANN, dm, closed=False)
        assert await tx.people.get_many([ANN]) == {ANN: PersonRow(ANN, "Anna", dm, dm_closed=False)}


async def test_direct_messages_of_somebody_never_seen_are_remembered_without_a_name(
    store: Store,
) -> None:
    async with store.transaction() as tx:
        await tx.people.set_dm(ANN, None, closed=True)
        assert await tx.people.get_many([ANN]) == {ANN: PersonRow(ANN, "", None, dm_closed=True)}
        await tx.people.seen(ANN, "Ann", NOW)
        assert await tx.people.get_many([ANN]) == {ANN: PersonRow(ANN, "Ann", None, dm_closed=True)}


async def test_a_servers_name_heard_last_is_kept(store: Store) -> None:
    async with store.transaction() as tx:
        await tx.servers.seen(CLUB, "The Club", NOW + MINUTE)
        await tx.servers.seen(CLUB, "Old Club", NOW)
        assert await tx.servers.get(CLUB) == ServerRow(CLUB, "The Club", NOW + MINUTE)
        assert await tx.servers.get(PUB) is None


async def test_the_servers_on_which_somebody_has_finished_a_match_come_newest_first(
    store: Store,
) -> None:
    await play_to_the_end(store, [won(0, ANN, 150), lost(1, BOB, 20)], server=CLUB)
    await play_to_the_end(store, [won(0, CAT, 150), lost(1, BOB, 20)], server=CLUB)
    await play_to_the_end(store, [won(0, BOB, 150), lost(1, ANN, 20)], server=PUB)
    await new_match(store, CAT, ANN, server=PUB)
    async with store.reading() as tx:
        assert await tx.servers.played_on(ANN) == (PUB, CLUB)
        assert await tx.servers.played_on(CAT) == (CLUB,)
        assert await tx.servers.played_on(DAN) == ()
