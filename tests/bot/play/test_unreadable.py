"""Records of a newer version, or broken ones: a typed refusal, never a guess; the rest goes on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from unittest.mock import NonCallableMagicMock, create_autospec

import pytest
from sqlalchemy import update

from bot.desk import record, suggest
from bot.front.visit import Visit
from bot.house import House
from bot.mail.post import Post
from bot.play.tables import NewTable
from bot.refusals import ChallengeRefused, NoSuchMatch, UnreadableMatch
from db.ids import MatchId, MessageId
from db.rows import ChallengeStatus, NewChallenge, WordRow
from db.schema import entries, matches
from db.store import Store
from gin import Pass
from gin.events import Play
from gin.rules import Rules
from tests.bot.ui.staging import text
from tests.db.house import ANN, BOB, CLUB, LOUNGE, MINUTE, NOW

NEWER = "v2 knock_limit=9"
BROKEN = Rules().dump().replace("gin_bonus=25", "gin_bonus=many")


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'house.db'}")
    post = create_autospec(Post, instance=True)
    post.send.return_value = MessageId(77)
    post.find.return_value = None
    yield House.build(store, post)
    await store.close()


async def two_matches(house: House) -> tuple[MatchId, MatchId]:
    found = []
    for _which in range(2):
        async with house.store.transaction() as tx:
            new = NewTable(CLUB, LOUNGE, (ANN, BOB), Rules())
            found.append((await house.tables.open(tx, new)).id)
    return found[0], found[1]


async def spoil(house: House, match: MatchId, rules: str) -> None:
    async with house.store.transaction() as tx:
        session = tx.matches._session
        await session.change(update(matches).where(matches.c.id == match).values(rules=rules))


@pytest.mark.parametrize("rules", [NEWER, BROKEN, ""])
async def test_a_match_by_rules_of_another_version_is_refused_and_the_others_go_on(
    house: House, rules: str
) -> None:
    spoilt, sound = await two_matches(house)
    await spoil(house, spoilt, rules)
    with pytest.raises(UnreadableMatch, match=r"Match #1 was written by another version"):
        await house.tables.load(spoilt)
    with pytest.raises(NoSuchMatch):
        await house.tables.act(spoilt, ANN, lambda _match, seat: Play(seat, Pass()))
    assert [table.id for table in await house.tables.load_all((spoilt, sound))] == [sound]
    visit = NonCallableMagicMock(spec=Visit, person=ANN, channel=LOUNGE, server=CLUB)
    status = await record.status(house, visit, None)
    assert status.page is not None
    assert "1 match in play" in text(status.page)
    assert [number for _name, number in await suggest.running(house, visit, "")] == [str(sound)]


async def test_a_log_with_an_entry_that_cannot_be_is_refused_too(house: House) -> None:
    spoilt, _sound = await two_matches(house)
    async with house.store.transaction() as tx:
        await tx.matches._session.change(
            update(entries)
            .where(entries.c.match_id == spoilt, entries.c.seq == 2)
            .values(text="deal nothing")
        )
    with pytest.raises(UnreadableMatch):
        await house.tables.load(spoilt)


async def test_a_challenge_by_rules_of_another_version_can_be_refused_but_not_accepted(
    house: House,
) -> None:
    new = NewChallenge(CLUB, LOUNGE, ANN, (BOB,), NEWER, NOW, NOW + 10**6 * MINUTE)
    async with house.store.transaction() as tx:
        challenge = await tx.challenges.create(new)
        posted = await tx.challenges.create(replace(new, opponents=(BOB,)))
        await tx.challenges.set_message(posted, MessageId(5))
    with pytest.raises(ChallengeRefused, match="made by another version"):
        await house.challenges.accept(challenge, WordRow(BOB, "interaction 1", is_own=False))
    assert (await house.challenges.get(challenge)).status is ChallengeStatus.OPEN
    await house.invitations.restore()
    assert (await house.challenges.get(challenge)).status is ChallengeStatus.WITHDRAWN
    row = await house.challenges.decline(posted, BOB)
    assert row.status is ChallengeStatus.DECLINED
    await house.invitations.show_settled(row)
