"""Blocks settle what is open between people, in the transaction that notes them; Discord is played.

The direct messages of Ada, Ben, Cleo and Dmitri are the channels 900 to 903.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from itertools import count
from pathlib import Path
from unittest.mock import NonCallableMagicMock, create_autospec

import pytest
import time_machine

from bot.house import House
from bot.mail.post import DirectMessagesClosed, Post
from bot.play import blocks
from bot.play.challenges import Invitation
from bot.refusals import ChallengeRefused
from db.ids import ChallengeId, MessageId, PersonId, ServerId
from db.rows import ChallengeRow, ChallengeStatus, WordRow
from db.store import Store
from gin.rules import Rules, Scoring
from tests.db.house import ANN, BOB, CAT, CLUB, DAN, LOUNGE, PUB

ADA, BEN, CLEO, DMITRI = ANN, BOB, CAT, DAN
DIRECT = {ADA: 900, BEN: 901, CLEO: 902, DMITRI: 903}
OPEN, WITHDRAWN, DECLINED = (
    ChallengeStatus.OPEN,
    ChallengeStatus.WITHDRAWN,
    ChallengeStatus.DECLINED,
)


@pytest.fixture
def post() -> NonCallableMagicMock:
    post = create_autospec(Post, instance=True)
    numbers = count(1_500_000_000_000_000_000)
    post.send.side_effect = lambda *_args, **_named: MessageId(next(numbers))
    post.open_direct.side_effect = DIRECT.get
    return post  # type: ignore[no-any-return]


@pytest.fixture
async def house(tmp_path: Path, post: Post) -> AsyncIterator[House]:
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'house.db'}")
    house = House.build(store, post)
    for person, name in ((ADA, "Ada"), (BEN, "Ben"), (CLEO, "Cleo"), (DMITRI, "Dmitri")):
        await house.people.named(person, name)
    yield house
    await store.close()


async def asks(house: House, *people: PersonId, server: ServerId = CLUB) -> ChallengeRow:
    """A challenge of the first person to the others, whose message is noted."""
    row = await house.challenges.propose(
        Invitation(
            server=server,
            channel=LOUNGE,
            challenger=people[0],
            opponents=people[1:],
            rules=Rules() if len(people) == 2 else Rules(scoring=Scoring.ROTATION),
            word=word(people[0]),
        )
    )
    await house.invitations.posted(row.id, MessageId(row.id))
    return row


def word(person: PersonId) -> WordRow:
    return WordRow(person, "interaction 1", is_own=False)


async def became(house: House, *rows: ChallengeRow) -> list[ChallengeStatus]:
    return [(await house.challenges.get(row.id)).status for row in rows]


async def server_blocks(house: House, person: PersonId) -> tuple[ChallengeId, ...]:
    async with house.store.transaction() as tx:
        settled = await blocks.by_server(tx, CLUB, person, house.now())
    await house.invitations.blocked(settled, person)
    return settled


async def person_blocks(house: House, person: PersonId, other: PersonId) -> None:
    async with house.store.transaction() as tx:
        await blocks.by_person(tx, person, other, house.now())


def told(post: NonCallableMagicMock) -> dict[int, str]:
    """What was said in which direct messages."""
    return {
        call.args[0]: str(call.args[1].layout.to_components()) for call in post.send.call_args_list
    }


async def test_whom_a_server_blocks_keeps_no_challenge_there_open_on_either_side(
    house: House,
) -> None:
    made, asked = await asks(house, BEN, CLEO), await asks(house, ADA, BEN)
    third = await asks(house, DMITRI, ADA, BEN)
    aside, elsewhere = await asks(house, ADA, CLEO), await asks(house, BEN, ADA, server=PUB)
    settled = await server_blocks(house, BEN)
    assert settled == (made.id, asked.id, third.id)
    assert await became(house, made, asked, third) == [WITHDRAWN] * 3
    assert await became(house, aside, elsewhere) == [OPEN] * 2


async def test_who_waits_for_a_challenge_that_a_block_withdraws_is_told(
    house: House, post: NonCallableMagicMock
) -> None:
    """Its maker with the reason, as far as it is his; who had accepted, that nothing comes of it.

    Who was only asked reads it on the challenge, as when its maker takes it back.
    """
    row = await asks(house, DMITRI, CLEO, BEN)
    await house.challenges.accept(row.id, word(CLEO))
    await server_blocks(house, BEN)
    said = told(post)
    assert set(said) == {903, 902}
    assert (
        "Your challenge to Cleo and Ben is withdrawn: Ben can't be challenged there just now. "
        "`/gin challenge` asks somebody else." in said[903]
    )
    assert "Dmitri's challenge, which you had accepted, is withdrawn" in said[902]
    (edit,) = post.edit.call_args_list
    assert "This challenge was withdrawn." in str(edit.args[2].layout.to_components())


async def test_who_is_blocked_is_told_what_became_of_his_own_challenge(
    house: House, post: NonCallableMagicMock
) -> None:
    await asks(house, BEN, CLEO)
    await server_blocks(house, BEN)
    assert list(told(post)) == [901]
    assert "you can't play on that server at present. Its moderators can" in told(post)[901]


async def test_a_block_holds_though_nobody_can_be_told(
    house: House, post: NonCallableMagicMock
) -> None:
    row = await asks(house, BEN, CLEO)
    post.send.side_effect = DirectMessagesClosed("50007")
    await server_blocks(house, BEN)
    assert await became(house, row) == [WITHDRAWN]


@pytest.mark.parametrize(
    ("people", "status"),
    [
        ((ADA, BEN), WITHDRAWN),
        ((ADA, DMITRI, BEN), WITHDRAWN),
        ((BEN, ADA), DECLINED),
        ((BEN, DMITRI, ADA), DECLINED),
        ((CLEO, ADA, BEN), DECLINED),
        ((CLEO, BEN, ADA), DECLINED),
        ((ADA, CLEO), OPEN),
        ((BEN, CLEO, DMITRI), OPEN),
    ],
)
async def test_who_blocks_another_declines_what_that_one_asked_and_takes_his_own_back(
    house: House, people: tuple[PersonId, ...], status: ChallengeStatus
) -> None:
    """Ada blocks Ben; on which server they asked doesn't matter."""
    row = await asks(house, *people, server=PUB)
    await person_blocks(house, ADA, BEN)
    assert await became(house, row) == [status]


async def test_nothing_says_that_it_was_a_block(house: House, post: NonCallableMagicMock) -> None:
    row = await asks(house, CLEO, ADA, BEN)
    await house.challenges.accept(row.id, word(ADA))
    await person_blocks(house, ADA, BEN)
    assert await house.challenges.became(await house.challenges.get(row.id)) == (
        "Ada declined this challenge."
    )
    assert told(post) == {}  # as where somebody declines by the button
    with pytest.raises(ChallengeRefused, match="Ada declined this challenge"):
        await house.challenges.accept(row.id, word(BEN))


async def test_what_has_expired_is_left_to_the_watch(house: House) -> None:
    row = await asks(house, BEN, CLEO)
    with time_machine.travel(row.expires_at + timedelta(seconds=1), tick=False):
        assert await server_blocks(house, BEN) == ()
        assert [one.id async for one in house.challenges.expire_due()] == [row.id]


async def test_who_accepts_where_the_others_cannot_sit_together_reads_what_to_do(
    house: House,
) -> None:
    """Such a challenge may come from a database that was put back."""
    row = await asks(house, BEN, ADA, CLEO)
    async with house.store.transaction() as tx:
        await tx.wishes.block(BEN, CLEO, house.now())
    with pytest.raises(ChallengeRefused, match=r"at one table just now\. \*Decline\* clears"):
        await house.challenges.accept(row.id, word(ADA))
