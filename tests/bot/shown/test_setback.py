"""What a restored backup has left to be done (row 7); Discord is played by the test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path
from unittest.mock import NonCallableMagicMock, create_autospec

import pytest

from bot.house import House
from bot.mail.post import ChannelGone, Post, TryLater
from bot.shown.setback import SetBack
from db.ids import MessageId
from db.setback import SINCE, Chore, Task
from db.store import Store
from tests.bot.shown.test_invitations import INVITATION, posted
from tests.db.house import LOUNGE, NOW, THREAD


@pytest.fixture
def post() -> NonCallableMagicMock:
    post = create_autospec(Post, instance=True)
    numbers = count(1_500_000_000_000_000_000)
    post.send.side_effect = lambda *_args, **_named: MessageId(next(numbers))
    return post  # type: ignore[no-any-return]


@pytest.fixture
async def house(tmp_path: Path, post: NonCallableMagicMock) -> AsyncIterator[House]:
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'house.db'}")
    yield House.build(store, post)
    await store.close()


async def has_left(house: House, *chores: Chore) -> SetBack:
    """Let a restore have left this to be done."""
    async with house.store.transaction() as tx:
        await tx.facts.put(SINCE, NOW.isoformat())
        for chore in chores:
            await tx.facts.put(chore.name, "")
    return SetBack(house.store, house.post, house.invitations)


async def left(house: House) -> tuple[Chore, ...]:
    async with house.store.reading() as tx:
        return await tx.set_back.chores()


async def test_a_challenge_that_discord_does_not_take_just_now_is_left_to_be_shown(
    house: House, post: NonCallableMagicMock
) -> None:
    row = await posted(house, INVITATION)
    chore = Chore(Task.SHOW_CHALLENGE, row.id)
    set_back = await has_left(house, chore)
    post.edit.side_effect = TryLater("503")
    assert await set_back.carry_out() is False
    assert await left(house) == (chore,)
    again = SetBack(house.store, post, House.build(house.store, post).invitations)  # restarted
    post.edit.side_effect = None
    assert await again.carry_out() is True
    assert await left(house) == ()
    assert await again.carry_out() is None


async def test_one_thing_that_fails_keeps_nothing_else_from_being_done(
    house: House, post: NonCallableMagicMock
) -> None:
    row = await posted(house, INVITATION)
    post.send.reset_mock()
    tell = Chore(Task.TELL, LOUNGE)
    refused = Chore(Task.TELL, THREAD)
    show, unknown = (Chore(Task.SHOW_CHALLENGE, one) for one in (row.id, 99))
    delete = Chore(Task.DELETE, LOUNGE, 71)
    set_back = await has_left(house, tell, refused, show, unknown, delete)
    post.send.side_effect = [MessageId(5), ChannelGone("deleted")]
    post.edit.side_effect = ZeroDivisionError
    assert await set_back.carry_out() is False
    assert await left(house) == (show,)
    assert post.send.call_count == 2
    post.delete.assert_awaited_once_with(LOUNGE, 71)
