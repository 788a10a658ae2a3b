"""The leaderboard as it is asked for: a page of it, and one's own line wherever that stands."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from unittest.mock import NonCallableMagicMock

import pytest

from bot.desk import record
from bot.front.visit import Visit
from bot.house import House
from bot.mail.post import Post
from db.ids import PersonId
from db.store import Store
from tests.bot.ui.staging import text
from tests.db.house import CLUB, lost, play_to_the_end, won


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'house.db'}")
    yield House.build(store, NonCallableMagicMock(spec=Post))
    await store.close()


async def board(house: House, person: int, page: int) -> list[str]:
    visit = NonCallableMagicMock(
        spec=Visit, person=PersonId(person), server=CLUB, in_direct_messages=False, message=None
    )
    reply = await record.leaderboard(house, visit, page=page)
    assert reply.page is not None
    return text(reply.page).split("```")[1].strip("\n").splitlines()[1:]


async def test_ones_own_line_stands_below_a_page_that_does_not_have_it(house: House) -> None:
    # 1 beats 11 by 200, 2 beats 12 by 199, and so on: 10 won and 10 lost, fifteen to a page.
    for place in range(1, 11):
        winner = won(0, PersonId(place), 201 - place)
        await play_to_the_end(house.store, [winner, lost(1, PersonId(10 + place), 50 - place)])
    first = await board(house, 20, 0)
    assert len(first) == 15 + 2
    assert first[15].strip() == "…"
    assert first[16].split()[0] == "›"
    assert first[16].split()[1] == "20"
    assert first[16].split()[-1] == "40"
    second = await board(house, 20, 1)
    assert len(second) == 5
    assert second[4] == first[16]
    assert len(await board(house, 99, 0)) == 15, "who has finished no match has no line"
