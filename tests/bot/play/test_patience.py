"""A pause for whoever asks one person again and again in vain; Ada asks Ben (and Cleo with him)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from unittest.mock import create_autospec

import pytest

from bot.house import House
from bot.mail.post import Post
from bot.play.challenges import Invitation
from bot.play.patience import rests_until
from bot.refusals import ChallengeRefused
from db.ids import MessageId, PersonId
from db.rows import ChallengeRow, ChallengeStatus, WordRow
from db.store import Store
from gin.rules import Rules, Scoring
from tests.bot.moments import START, Time
from tests.db.house import ANN, BOB, CAT, CLUB, DAN, LOUNGE, PUB

ADA, BEN, CLEO, DMITRI = ANN, BOB, CAT, DAN
A_MINUTE = timedelta(minutes=1)
MESSAGES = count(1)


def asked(
    by: PersonId, *whom: PersonId, server: object = CLUB, rematch_of: int | None = None
) -> Invitation:
    rules = Rules(target=50)
    if len(whom) == 2:
        rules = replace(rules, scoring=Scoring.ROTATION)
    return Invitation(
        server=server,  # type: ignore[arg-type]
        channel=LOUNGE,
        challenger=by,
        opponents=whom,
        rules=rules,
        word=WordRow(by, "interaction 1", is_own=False),
        rematch_of=rematch_of,  # type: ignore[arg-type]
    )


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
async def house(tmp_path: Path, time: Time) -> AsyncIterator[House]:
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'house.db'}")
    async with store.transaction() as tx:
        for person, name in ((ADA, "Ada"), (BEN, "B*n"), (CLEO, "Cleo"), (DMITRI, "Dmitri")):
            await tx.people.seen(person, name, START)
    yield House.build(store, create_autospec(Post, instance=True), now=time)
    await store.close()


async def proposed(house: House, invitation: Invitation, *, seen: bool = True) -> ChallengeRow:
    """A challenge that was made, and its message seen."""
    await house.challenges.check(invitation, {})
    row = await house.challenges.propose(invitation)
    if seen:
        async with house.store.transaction() as tx:
            await tx.challenges.set_message(row.id, MessageId(next(MESSAGES)))
    return row


async def withdrawn(house: House, invitation: Invitation, times: int = 1) -> None:
    for _ in range(times):
        row = await proposed(house, invitation)
        await house.challenges.withdraw(row.id, invitation.challenger)


async def declined(house: House, invitation: Invitation, by: PersonId, times: int = 1) -> None:
    for _ in range(times):
        row = await proposed(house, invitation)
        await house.challenges.decline(row.id, by)


async def rests(house: House, invitation: Invitation, until: datetime) -> None:
    """It is refused, whether it is only looked at or written, with a sentence that says when."""
    for act in (house.challenges.check(invitation, {}), house.challenges.propose(invitation)):
        with pytest.raises(ChallengeRefused) as refused:
            await act
        assert f"ask again <t:{int(until.timestamp())}:R>" in str(refused.value)


async def test_a_few_challenges_withdrawn_are_a_friends_and_a_fifth_has_to_rest(
    house: House, time: Time
) -> None:
    for _ in range(4):
        await withdrawn(house, asked(ADA, BEN))
        time.passes(A_MINUTE)
    # The first was made at START: ten minutes after it there are three within ten minutes again.
    await rests(house, asked(ADA, BEN), START + 10 * A_MINUTE)
    with pytest.raises(ChallengeRefused, match=r"asked B\\\*n a few times lately, and no match"):
        await house.challenges.propose(asked(ADA, BEN))
    time.passes(6 * A_MINUTE)
    await withdrawn(house, asked(ADA, BEN))
    await rests(house, asked(ADA, BEN), START + 11 * A_MINUTE)


async def test_who_was_declined_twice_has_to_rest_sooner(house: House, time: Time) -> None:
    await declined(house, asked(ADA, BEN), BEN)
    time.passes(A_MINUTE)
    await declined(house, asked(ADA, BEN), BEN)
    await rests(house, asked(ADA, BEN), START + 10 * A_MINUTE)


async def test_only_who_asks_rests_and_only_from_whom_he_asked(house: House) -> None:
    await withdrawn(house, asked(ADA, BEN), 4)
    await withdrawn(house, asked(ADA, CLEO))
    await withdrawn(house, asked(BEN, ADA))
    await withdrawn(house, asked(DMITRI, BEN))


async def test_neither_another_server_nor_a_third_player_nor_a_rematch_is_a_way_round(
    house: House,
) -> None:
    await withdrawn(house, asked(ADA, BEN, server=PUB))
    await withdrawn(house, asked(ADA, CLEO, BEN))
    await withdrawn(house, asked(ADA, BEN, rematch_of=7))
    await withdrawn(house, asked(ADA, BEN, DMITRI))
    end = START + 10 * A_MINUTE
    for invitation in (
        asked(ADA, BEN),
        asked(ADA, BEN, server=PUB),
        asked(ADA, DMITRI, BEN),
        asked(ADA, BEN, rematch_of=7),
    ):
        await rests(house, invitation, end)
    await withdrawn(house, asked(ADA, CLEO, DMITRI))


async def test_of_two_who_were_asked_only_the_no_of_the_one_counts_twice(house: House) -> None:
    await declined(house, asked(ADA, BEN, CLEO), BEN, 2)
    await rests(house, asked(ADA, BEN), START + 10 * A_MINUTE)
    await withdrawn(house, asked(ADA, CLEO), 2)
    await rests(house, asked(ADA, CLEO), START + 10 * A_MINUTE)


async def test_whoever_waits_out_every_pause_rests_longer_and_longer(house: House) -> None:
    row = replace(await proposed(house, asked(ADA, BEN)), message_id=MessageId(1))
    made: list[ChallengeRow] = []
    for minute in range(3_000):  # one try a minute, for more than two days
        now = START + minute * A_MINUTE
        if rests_until(made, ADA, BEN, now) is None:
            made.append(replace(row, status=ChallengeStatus.WITHDRAWN, created_at=now))
    asked_at = [one.created_at for one in made]
    for times, minutes in ((4, 10), (8, 60), (16, 24 * 60)):
        within = timedelta(minutes=minutes)
        assert max(sum(one <= at < one + within for at in asked_at) for one in asked_at) == times


async def test_a_match_that_comes_of_it_wipes_out_what_was_in_vain(house: House) -> None:
    await withdrawn(house, asked(ADA, BEN), 3)
    row = await proposed(house, asked(BEN, ADA))
    await house.challenges.accept(row.id, WordRow(ADA, "interaction 2", is_own=False))
    await withdrawn(house, asked(ADA, BEN), 4)
    await rests(house, asked(ADA, BEN), START + 10 * A_MINUTE)


async def test_a_challenge_that_nobody_saw_does_not_count(house: House, time: Time) -> None:
    for _ in range(8):
        row = await proposed(house, asked(ADA, BEN), seen=False)
        await house.challenges.withdraw(row.id, ADA)
        time.passes(timedelta(seconds=31))
    await withdrawn(house, asked(ADA, BEN))


async def test_one_that_is_on_its_way_to_the_screen_counts(house: House, time: Time) -> None:
    for _ in range(4):
        row = await proposed(house, asked(ADA, BEN), seen=False)
        await house.challenges.withdraw(row.id, ADA)
    await rests(house, asked(ADA, BEN), START + 10 * A_MINUTE)
    time.passes(timedelta(seconds=30))
    await withdrawn(house, asked(ADA, BEN))


async def test_a_challenge_that_was_let_expire_counts_for_the_day(house: House, time: Time) -> None:
    for _ in range(16):
        await proposed(house, asked(ADA, BEN))
        time.passes(timedelta(minutes=61))
        await house.invitations.expire()
    await rests(house, asked(ADA, BEN), START + timedelta(days=1))


async def test_a_restart_forgets_no_pause(house: House, time: Time) -> None:
    await withdrawn(house, asked(ADA, BEN), 4)
    again = House.build(house.store, create_autospec(Post, instance=True), now=time)
    await rests(again, asked(ADA, BEN), START + 10 * A_MINUTE)
