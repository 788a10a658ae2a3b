"""Offers to call a match off, and facts by name."""

from __future__ import annotations

from db import Store
from tests.db.house import ANN, BOB, new_match


async def test_an_offer_to_call_a_match_off_is_kept_once_a_person_at_its_latest_version(
    store: Store,
) -> None:
    match_id, other = await new_match(store), await new_match(store)
    async with store.transaction() as tx:
        await tx.offers.make(match_id, ANN, 3)
        await tx.offers.make(match_id, BOB, 4)
        await tx.offers.make(match_id, ANN, 7)
    async with store.reading() as tx:
        assert await tx.offers.of_match(match_id) == {ANN: 7, BOB: 4}
        assert await tx.offers.of_match(other) == {}


async def test_who_had_left_when_a_match_was_called_off_made_no_offer_until_he_makes_one(
    store: Store,
) -> None:
    match_id = await new_match(store)
    async with store.transaction() as tx:
        await tx.offers.make(match_id, ANN, 3)
        await tx.offers.note_left(match_id, [BOB], 3)
    async with store.reading() as tx:
        assert await tx.offers.left(match_id) == {BOB}
        assert await tx.offers.of_match(match_id) == {ANN: 3}
    async with store.transaction() as tx:
        await tx.offers.make(match_id, BOB, 4)
    async with store.reading() as tx:
        assert await tx.offers.left(match_id) == frozenset()
        assert await tx.offers.of_match(match_id) == {ANN: 3, BOB: 4}


async def test_a_fact_takes_the_place_of_the_one_of_its_name(store: Store) -> None:
    async with store.transaction() as tx:
        await tx.facts.put("commands", "one")
        await tx.facts.put("other", "two")
        await tx.facts.put("commands", "three")
    async with store.reading() as tx:
        assert await tx.facts.get("commands") == "three"
        assert await tx.facts.get("other") == "two"
        assert await tx.facts.get("missing") is None
