"""House sets: named rules of a server, of which at most one is the default."""

from __future__ import annotations

from db import ServerId, Store
from db.rows import HouseSetRow
from tests.db.house import ANN, BOB, CLUB, MINUTE, NOW, PUB


def a_set(
    name: str, rules: str = "v1 …", *, default: bool = False, server: ServerId = CLUB
) -> HouseSetRow:
    return HouseSetRow(server, name, rules, default, ANN, NOW)


async def defaults(store: Store, server: ServerId = CLUB) -> list[str]:
    async with store.reading() as tx:
        return [row.name for row in await tx.house_sets.all_of(server) if row.is_default]


async def names(store: Store, server: ServerId = CLUB) -> list[str]:
    async with store.reading() as tx:
        return [row.name for row in await tx.house_sets.all_of(server)]


async def test_a_set_is_read_back_as_it_was_saved(store: Store) -> None:
    longest = "`@everyone` \u202e\u05d0 👑".ljust(32, "x")
    odd = HouseSetRow(CLUB, longest, "v1 a=b", True, BOB, NOW)
    async with store.transaction() as tx:
        await tx.house_sets.save(odd)
    async with store.reading() as tx:
        assert await tx.house_sets.all_of(CLUB) == (odd,)
        assert await tx.house_sets.all_of(PUB) == ()


async def test_a_set_is_saved_over_the_one_of_that_name(store: Store) -> None:
    async with store.transaction() as tx:
        await tx.house_sets.save(a_set("house", "old"))
        newer = HouseSetRow(CLUB, "house", "new", False, BOB, NOW + MINUTE)
        await tx.house_sets.save(newer)
        await tx.house_sets.save(a_set("house", "theirs", server=PUB))
    async with store.reading() as tx:
        assert await tx.house_sets.all_of(CLUB) == (newer,)
        assert [row.rules for row in await tx.house_sets.all_of(PUB)] == ["theirs"]


async def test_sets_are_listed_by_name_and_each_server_sees_its_own(store: Store) -> None:
    async with store.transaction() as tx:
        for name in ("sunday", "house", "club night"):
            await tx.house_sets.save(a_set(name))
        await tx.house_sets.save(a_set("pub night", server=PUB))
    assert await names(store) == ["club night", "house", "sunday"]
    assert await names(store, PUB) == ["pub night"]


async def test_a_new_default_takes_it_from_the_one_before(store: Store) -> None:
    async with store.transaction() as tx:
        await tx.house_sets.save(a_set("house", default=True))
        await tx.house_sets.save(a_set("pub night", default=True, server=PUB))
        await tx.house_sets.save(a_set("sunday", default=True))
    assert await defaults(store) == ["sunday"]
    assert await defaults(store, PUB) == ["pub night"]
    async with store.transaction() as tx:
        await tx.house_sets.no_default(CLUB)
    assert await defaults(store) == []
    assert await defaults(store, PUB) == ["pub night"]
    assert await names(store) == ["house", "sunday"]


async def test_a_set_is_forgotten_on_its_own_server_only(store: Store) -> None:
    async with store.transaction() as tx:
        await tx.house_sets.save(a_set("house"))
        await tx.house_sets.save(a_set("house", server=PUB))
        assert await tx.house_sets.drop(CLUB, "house")
        assert not await tx.house_sets.drop(CLUB, "house")
    assert await names(store) == []
    assert await names(store, PUB) == ["house"]
