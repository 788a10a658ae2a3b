"""Challenges: written once between two people, settled once, expired in time; Discord is played.

Ada challenges Ben (and in some tests Cleo with him).
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Coroutine
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from unittest.mock import AsyncMock, create_autospec

import pytest
import time_machine

import bot.play.challenges
from bot.house import House
from bot.mail.post import MessageGone, NotAllowed, Ping, Post, TryLater
from bot.play.challenges import OPEN_FOR, Invitation
from bot.refusals import ChallengeRefused
from db.errors import DatabaseUnusable
from db.ids import ChallengeId, MessageId, PersonId
from db.rows import ChallengeRow, ChallengeStatus, NewChallenge, WordRow
from db.store import Store
from gin import Seat
from gin.rules import Rules, Scoring
from tests.bot.moments import START, Time
from tests.db.house import ANN, BOB, CAT, CLUB, DAN, LOUNGE, PUB

ADA, BEN, CLEO, DMITRI = ANN, BOB, CAT, DAN
GONE = PersonId(-1_528_412_777_800_796)
"""A former player."""
RULES = Rules(target=50)


def word(person: PersonId, said: str = "interaction 1", *, is_own: bool = False) -> WordRow:
    return WordRow(person, said, is_own)


INVITATION = Invitation(
    server=CLUB,
    channel=LOUNGE,
    challenger=ADA,
    opponents=(BEN,),
    rules=RULES,
    word=word(ADA),
)


@pytest.fixture
def post() -> Post:
    post = create_autospec(Post, instance=True)
    numbers = count(1_500_000_000_000_000_000)
    post.send.side_effect = lambda *_args, **_named: MessageId(next(numbers))
    post.find.return_value = None
    return post  # type: ignore[no-any-return]


@pytest.fixture
async def house(tmp_path: Path, post: Post) -> AsyncIterator[House]:
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'house.db'}")
    yield House.build(store, post)
    await store.close()


async def status(house: House, challenge: ChallengeRow) -> ChallengeStatus:
    return (await house.challenges.get(challenge.id)).status


async def settled(acts: list[asyncio.Task[object]]) -> tuple[int, list[str]]:
    """Wait for all: how many were done, and with which sentences the others were refused."""
    outcomes = await asyncio.gather(*acts, return_exceptions=True)
    refused = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    assert all(isinstance(error, ChallengeRefused) for error in refused), refused
    return len(outcomes) - len(refused), [str(error) for error in refused]


def task(act: Coroutine[object, object, object]) -> asyncio.Task[object]:
    return asyncio.create_task(act)


# ------------------------------------------------------------------------------ the proposal


async def test_a_challenge_is_open_for_an_hour_and_carries_its_rules(house: House) -> None:
    before = datetime.now(UTC)
    row = await house.challenges.propose(INVITATION)
    assert row.status is ChallengeStatus.OPEN
    assert (row.challenger, row.opponents) == (ADA, (BEN,))
    assert Rules.parse(row.rules) == RULES
    assert before + timedelta(minutes=59) < row.expires_at
    assert row.expires_at - row.created_at == OPEN_FOR == timedelta(hours=1)


async def test_the_house_sets_name_goes_with_the_challenge_into_the_match(house: House) -> None:
    row = await house.challenges.propose(replace(INVITATION, house="club night"))
    assert (await house.challenges.shown(row)).house == "club night"
    table = await house.challenges.accept(row.id, word(BEN))
    assert table is not None
    assert (await house.shown(table, None)).house == "club night"
    plain = await house.challenges.propose(replace(INVITATION, opponents=(CLEO,)))
    assert (await house.challenges.shown(plain)).house is None


async def test_of_many_challenges_at_once_between_two_people_one_is_written(house: House) -> None:
    back = replace(INVITATION, challenger=BEN, opponents=(ADA,), word=word(BEN))
    done, refused = await settled(
        [task(house.challenges.propose(one)) for one in (INVITATION, back) * 10]
    )
    assert done == 1
    assert len(refused) == 19
    own = "Your challenge is still open. Wait for the answer, or take it back with `/gin respond"
    theirs = "You are challenged already. Answer that first: `/gin respond accept`"
    assert all(said.startswith((own, theirs)) for said in refused)


async def test_others_and_other_servers_are_not_in_the_way(house: House) -> None:
    await house.challenges.propose(INVITATION)
    await house.challenges.propose(replace(INVITATION, opponents=(CLEO,)))
    await house.challenges.propose(replace(INVITATION, server=PUB))
    async with house.store.reading() as tx:
        rows = await tx.challenges.open_of(ADA)
    asked = {(row.server_id, row.challenger, row.opponents) for row in rows}
    assert asked == {(CLUB, ADA, (BEN,)), (CLUB, ADA, (CLEO,)), (PUB, ADA, (BEN,))}
    assert len(rows) == 3


async def test_a_person_asked_together_with_one_is_not_challenged_by_him_meanwhile(
    house: House,
) -> None:
    three = replace(
        INVITATION, opponents=(BEN, CLEO), rules=replace(RULES, scoring=Scoring.ROTATION)
    )
    await house.challenges.propose(three)
    with pytest.raises(ChallengeRefused, match="You are challenged already"):
        await house.challenges.propose(
            replace(INVITATION, challenger=BEN, opponents=(CLEO,), word=word(BEN))
        )


@pytest.mark.parametrize("opponents", [(GONE,), (BEN, GONE)])
async def test_a_former_player_is_refused_before_anything_is_written(
    house: House, opponents: tuple[PersonId, ...]
) -> None:
    asked = replace(INVITATION, opponents=opponents)
    for act in (house.challenges.check(asked, {}), house.challenges.propose(asked)):
        with pytest.raises(ChallengeRefused, match="had their data deleted"):
            await act
    async with house.store.reading() as tx:
        assert await tx.challenges.open_of(ADA) == ()


async def written_to_a_former_player(house: House) -> ChallengeRow:
    """A challenge as an older version of the program wrote it, never posted."""
    then = datetime.now(UTC) - timedelta(minutes=5)
    async with house.store.transaction() as tx:
        number = await tx.challenges.create(
            NewChallenge(
                server_id=CLUB,
                channel_id=LOUNGE,
                challenger=ADA,
                opponents=(BEN, GONE),
                rules=replace(RULES, scoring=Scoring.ROTATION).dump(),
                created_at=then,
                expires_at=then + OPEN_FOR,
            )
        )
    return await house.challenges.get(number)


async def test_a_challenge_that_was_written_to_a_former_player_is_ended_unposted(
    house: House, post: Post
) -> None:
    row = await written_to_a_former_player(house)
    await house.invitations.post_again(row)
    assert await status(house, row) is ChallengeStatus.WITHDRAWN
    post.send.assert_not_called()  # type: ignore[attr-defined]


async def test_nobody_sits_down_beside_a_former_player(house: House) -> None:
    row = await written_to_a_former_player(house)
    with pytest.raises(ChallengeRefused, match="had their data deleted"):
        await house.challenges.accept(row.id, word(BEN))
    assert (await house.challenges.get(row.id)).accepted == ()


async def test_a_challenge_that_has_run_out_is_not_in_the_way_even_before_it_is_settled(
    house: House,
) -> None:
    with time_machine.travel(datetime.now(UTC) - OPEN_FOR, tick=False):
        old = await house.challenges.propose(INVITATION)
    new = await house.challenges.propose(INVITATION)
    assert await status(house, old) is ChallengeStatus.OPEN
    assert await status(house, new) is ChallengeStatus.OPEN


# --------------------------------------------------------------------------------- the answer


async def test_accepting_opens_one_match_whoever_presses_how_often(house: House) -> None:
    row = await house.challenges.propose(INVITATION)
    done, refused = await settled(
        [task(house.challenges.accept(row.id, word(BEN))) for _press in range(20)]
    )
    assert done == 1
    assert set(refused) == {"This challenge was accepted: the match is on."}
    async with house.store.reading() as tx:
        matches = await tx.matches.running_of(ADA)
    assert len(matches) == 1
    assert matches[0].people == (ADA, BEN)
    accepted = await house.challenges.get(row.id)
    assert accepted.match_id == matches[0].id


async def test_of_accepting_declining_and_withdrawing_at_once_exactly_one_happens(
    house: House, post: Post
) -> None:
    time = Time()
    house = House.build(house.store, post, now=time)
    for _time in range(5):
        time.passes(OPEN_FOR)  # whoever asks in vain again and again has to rest
        row = await house.challenges.propose(INVITATION)
        acts = [
            task(house.challenges.decline(row.id, BEN)),
            task(house.challenges.accept(row.id, word(BEN))),
            task(house.challenges.withdraw(row.id, ADA)),
        ]
        done, refused = await settled(acts)
        assert done == 1
        assert len(refused) == 2
        now = await house.challenges.get(row.id)
        assert (now.status is ChallengeStatus.ACCEPTED) is (now.match_id is not None)
    async with house.store.reading() as tx:
        for match in await tx.matches.running_of(ADA):
            assert await tx.matches.head(match.id) == 2


async def test_only_whom_it_is_for_answers_and_only_its_maker_takes_it_back(house: House) -> None:
    row = await house.challenges.propose(INVITATION)
    for act, said in (
        (house.challenges.accept(row.id, word(CLEO)), "This challenge is for somebody else."),
        (house.challenges.accept(row.id, word(ADA)), "It's your own challenge"),
        (house.challenges.decline(row.id, CLEO), "This challenge is for somebody else."),
        (house.challenges.decline(row.id, ADA), "use *Withdraw*"),
        (house.challenges.withdraw(row.id, BEN), "use *Decline*"),
        (house.challenges.withdraw(row.id, CLEO), "for somebody else"),
        (house.challenges.accept(ChallengeId(99), word(BEN)), "doesn't exist any more"),
    ):
        with pytest.raises(ChallengeRefused, match=re.escape(said)):
            await act
    assert await status(house, row) is ChallengeStatus.OPEN


async def test_of_three_players_both_have_to_accept_and_each_only_once(house: House) -> None:
    rules = replace(RULES, scoring=Scoring.ROTATION)
    row = await house.challenges.propose(replace(INVITATION, opponents=(BEN, CLEO), rules=rules))
    assert await house.challenges.accept(row.id, word(CLEO)) is None
    with pytest.raises(ChallengeRefused, match="You have accepted already"):
        await house.challenges.accept(row.id, word(CLEO))
    assert await status(house, row) is ChallengeStatus.OPEN
    table = await house.challenges.accept(row.id, word(BEN))
    assert table is not None
    assert set(table.people) == {ADA, BEN, CLEO}
    assert table.match.seats == (Seat.A, Seat.B, Seat.C)


async def test_one_of_three_who_declines_ends_it_for_all(house: House) -> None:
    rules = replace(RULES, scoring=Scoring.ROTATION)
    await house.people.named(BEN, "Ben")
    row = await house.challenges.propose(replace(INVITATION, opponents=(BEN, CLEO), rules=rules))
    await house.challenges.accept(row.id, word(CLEO))
    await house.challenges.decline(row.id, BEN)
    with pytest.raises(ChallengeRefused, match="Ben declined this challenge"):
        await house.challenges.accept(row.id, word(BEN))
    async with house.store.reading() as tx:
        assert await tx.matches.running_of(ADA) == ()


async def test_of_three_it_is_told_who_declined_whatever_is_tried_later(house: House) -> None:
    rules = replace(RULES, scoring=Scoring.ROTATION)
    await house.people.named(BEN, "**Ben** @everyone")
    row = await house.challenges.propose(replace(INVITATION, opponents=(BEN, CLEO), rules=rules))
    await house.challenges.decline(row.id, BEN)
    late = (
        lambda: house.challenges.accept(row.id, word(CLEO)),
        lambda: house.challenges.withdraw(row.id, ADA),
        lambda: house.challenges.add_word(row.id, word(ADA)),
        lambda: house.challenges.decline(row.id, CLEO),
    )
    for attempt in late:
        with pytest.raises(ChallengeRefused) as refused:
            await attempt()
        assert refused.value.sentence.endswith(" declined this challenge.")
        assert "Ben" in refused.value.sentence
        assert "**" not in refused.value.sentence
        assert "@everyone" not in refused.value.sentence


async def test_of_two_nobody_has_to_be_told_who_declined(house: House) -> None:
    row = await house.challenges.propose(INVITATION)
    await house.challenges.decline(row.id, BEN)
    with pytest.raises(ChallengeRefused, match="This challenge was declined"):
        await house.challenges.withdraw(row.id, ADA)


async def test_a_match_that_cannot_be_opened_leaves_the_challenge_open(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = await house.challenges.propose(INVITATION)
    with monkeypatch.context() as patched:
        patched.setattr(bot.play.tables, "cut_cards", lambda _seed, _players: ())
        with pytest.raises(Exception, match="cut"):
            await house.challenges.accept(row.id, word(BEN))
    assert await status(house, row) is ChallengeStatus.OPEN
    assert await house.challenges.accept(row.id, word(BEN)) is not None


async def test_a_typed_word_is_not_displaced_by_a_default_one(house: House) -> None:
    row = await house.challenges.propose(INVITATION)
    await house.challenges.add_word(row.id, word(BEN, "swordfish", is_own=True))
    await house.challenges.accept(row.id, word(BEN))
    async with house.store.reading() as tx:
        words = await tx.promises.words(row.id)
    assert words[BEN].word == "swordfish"
    with pytest.raises(ChallengeRefused, match="the match is on"):
        await house.challenges.add_word(row.id, word(ADA, "too late", is_own=True))


# ------------------------------------------------------------------------------------- time


async def test_a_challenge_past_its_hour_is_refused_before_the_watch_has_seen_it(
    house: House,
) -> None:
    with time_machine.travel(datetime.now(UTC) - OPEN_FOR, tick=False):
        row = await house.challenges.propose(INVITATION)
    with pytest.raises(ChallengeRefused, match="This challenge has expired"):
        await house.challenges.accept(row.id, word(BEN))
    async with house.store.reading() as tx:
        assert await tx.matches.running_of(BEN) == ()


async def test_what_is_due_expires_and_its_message_says_so(house: House, post: Post) -> None:
    with time_machine.travel(datetime.now(UTC) - OPEN_FOR, tick=False):
        old = await house.challenges.propose(INVITATION)
        await house.invitations.posted(old.id, MessageId(77))
    fresh = await house.challenges.propose(replace(INVITATION, opponents=(CLEO,)))
    await house.invitations.expire()
    assert await status(house, old) is ChallengeStatus.EXPIRED
    assert await status(house, fresh) is ChallengeStatus.OPEN
    [edited] = post.edit.call_args_list  # type: ignore[attr-defined]
    assert edited.args[:2] == (LOUNGE, 77)
    await house.invitations.expire()
    assert post.edit.call_count == 1  # type: ignore[attr-defined]


async def test_what_expires_together_is_shown_one_by_one_whatever_fails_between(
    house: House, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    long_ago = datetime.now(UTC) - OPEN_FOR
    with time_machine.travel(long_ago, tick=False):
        for message, opponent in ((77, BEN), (78, CLEO), (79, DMITRI)):
            invited = replace(INVITATION, opponents=(opponent,))
            row = await house.challenges.propose(invited)
            await house.invitations.posted(row.id, MessageId(message))
    became = house.challenges.became
    full = AsyncMock(side_effect=DatabaseUnusable("full"))
    monkeypatch.setattr(house.challenges, "became", full)
    await house.invitations.expire()  # all are settled, and none could be shown
    assert post.edit.call_count == 0  # type: ignore[attr-defined]
    monkeypatch.setattr(house.challenges, "became", became)
    with time_machine.travel(datetime.now(UTC) + timedelta(minutes=2), tick=False):
        await house.invitations.post_due()
    edits = post.edit.call_args_list  # type: ignore[attr-defined]
    assert sorted(edit.args[1] for edit in edits) == [77, 78, 79]


async def test_the_watch_wakes_for_a_challenge_that_was_made_while_it_slept(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = asyncio.Event()

    async def show(_row: ChallengeRow, *, insists: bool) -> None:
        assert not insists
        shown.set()

    monkeypatch.setattr(house.invitations, "show_settled", show)
    monkeypatch.setattr(bot.play.challenges, "OPEN_FOR", timedelta(milliseconds=50))
    watch = asyncio.create_task(house.invitations.watch())
    await asyncio.sleep(0)
    row = await house.challenges.propose(INVITATION)
    await asyncio.wait_for(shown.wait(), timeout=20)
    assert await status(house, row) is ChallengeStatus.EXPIRED
    watch.cancel()
    with suppress(asyncio.CancelledError):
        await watch


async def test_a_message_that_is_gone_does_not_keep_a_challenge_from_expiring(
    house: House, post: Post
) -> None:
    post.edit.side_effect = MessageGone("gone")  # type: ignore[attr-defined]
    with time_machine.travel(datetime.now(UTC) - OPEN_FOR, tick=False):
        row = await house.challenges.propose(INVITATION)
        await house.invitations.posted(row.id, MessageId(77))
    await house.invitations.expire()
    assert await status(house, row) is ChallengeStatus.EXPIRED


# ------------------------------------------------------------------------- where it is posted


async def test_a_challenge_posted_elsewhere_notifies_the_challenged_alone(
    house: House, post: Post
) -> None:
    row = await house.challenges.propose(INVITATION)
    await house.invitations.post_elsewhere(row)
    [sent] = post.send.call_args_list  # type: ignore[attr-defined]
    assert sent.args[0] == LOUNGE
    assert sent.kwargs["ping"] == Ping((BEN,))
    assert (await house.challenges.get(row.id)).message_id is not None


async def test_a_challenge_that_can_be_posted_nowhere_is_withdrawn_with_a_sentence(
    house: House, post: Post
) -> None:
    post.send.side_effect = NotAllowed("no")  # type: ignore[attr-defined]
    row = await house.challenges.propose(INVITATION)
    with pytest.raises(ChallengeRefused, match="I can't write in the channel of that match"):
        await house.invitations.post_elsewhere(row)
    assert await status(house, row) is ChallengeStatus.WITHDRAWN


async def test_a_challenge_whose_answer_was_lost_is_posted_at_the_next_start(
    house: House, post: Post
) -> None:
    with time_machine.travel(datetime.now(UTC) - timedelta(minutes=5), tick=False):
        row = await house.challenges.propose(INVITATION)
    post.send.side_effect = TryLater("down")  # type: ignore[attr-defined]
    await house.invitations.restore()
    assert await status(house, row) is ChallengeStatus.OPEN
    post.send.side_effect = lambda *_args, **_named: MessageId(88)  # type: ignore[attr-defined]
    await house.invitations.restore()
    assert (await house.challenges.get(row.id)).message_id == 88
    await house.invitations.restore()
    assert post.send.call_count == 2  # type: ignore[attr-defined]


async def test_a_challenge_and_its_match_go_by_one_time(house: House, post: Post) -> None:
    time = Time()
    house = House.build(house.store, post, now=time)
    first = await house.challenges.propose(INVITATION)
    assert first.expires_at == START + OPEN_FOR
    time.passes(OPEN_FOR - timedelta(seconds=1))
    table = await house.challenges.accept(first.id, word(BEN))
    assert table is not None
    assert table.row.created_at == time()
    second = await house.challenges.propose(INVITATION)
    assert [row async for row in house.challenges.expire_due()] == []
    time.passes(OPEN_FOR)
    assert [row.id async for row in house.challenges.expire_due()] == [second.id]
