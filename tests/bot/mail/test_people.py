"""Closed direct messages are tried again when their owner acts (faults.md, rows 4 and 5)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from unittest.mock import NonCallableMagicMock, create_autospec

import time_machine

from bot.front.visit import Visit
from bot.mail.people import TRIED_AGAIN_AFTER, People
from bot.mail.post import Post
from bot.now import utc_now
from db.ids import PersonId
from db.store import Store
from tests.bot.playing import BEN, TO_BEN, House


async def acts(people: People, person: PersonId = BEN) -> None:
    visit = NonCallableMagicMock(spec=Visit)
    visit.person, visit.name, visit.in_direct_messages = person, "Ben", False
    await people.seen(visit)


async def test_messages_are_tried_again_when_their_owner_acts_but_once_a_minute(
    house: House,
) -> None:
    with time_machine.travel(datetime.now(UTC), tick=False) as clock:
        await house.people.closed(BEN)
        clock.shift(TRIED_AGAIN_AFTER - timedelta(seconds=1))
        await acts(house.people)
        assert await house.people.direct_channel(BEN) is None
        clock.shift(timedelta(seconds=1))
        assert await house.people.direct_channel(BEN) is None  # nobody but he brings it about
        await acts(house.people)
        assert await house.people.direct_channel(BEN) == TO_BEN
        await house.people.closed(BEN)
        await acts(house.people)
        assert await house.people.direct_channel(BEN) is None


async def test_after_a_start_the_first_act_of_their_owner_tries_them(house: House) -> None:
    await house.people.closed(BEN)
    anew = People(house.store, house.discord, utc_now)
    await acts(anew)
    assert await anew.direct_channel(BEN) is None  # so far nobody knew that they are closed
    await acts(anew)
    assert await anew.direct_channel(BEN) == TO_BEN


async def test_two_former_players_at_one_table_are_told_apart_by_their_seats(house: House) -> None:
    gone, other = PersonId(-7), PersonId(-3)
    names = [person.name for person in await house.people.shown((gone, BEN, other))]
    assert names[0::2] == ["Former player 1", "Former player 2"]
    assert (await house.people.shown((BEN, other)))[1].name == "Former player"


def test_who_is_forgotten_is_told_anew_why_he_is_called() -> None:
    people = People(create_autospec(Store), create_autospec(Post), utc_now)
    people.told(BEN)
    assert not people.is_to_be_told(BEN)
    people.forget(BEN)
    assert people.is_to_be_told(BEN)
