"""The messages of challenges (faults.md, rows 2, 13 and 15); Discord is played by the test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from unittest.mock import NonCallableMagicMock, create_autospec

import pytest
import time_machine
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.front.change import Change
from bot.house import House
from bot.mail.post import (
    ChannelGone,
    NotAllowed,
    Ping,
    Post,
    ThreadArchived,
    ThreadClosed,
    TryLater,
    Undelivered,
)
from bot.play import deed
from bot.play.challenges import Invitation
from bot.play.patience import SHOWN_WITHIN
from bot.refusals import ChallengeRefused
from bot.shown.invitations import AFTER_A_FAULT, PAUSES
from db.errors import DatabaseUnusable
from db.ids import ChallengeId, MessageId, ServerId
from db.rows import ChallengeRow, ChallengeStatus, WordRow
from db.store import Store
from gin.rules import Rules
from tests.db.house import ANN, BOB, CAT, CLUB, LOUNGE, THREAD

INVITATION = Invitation(
    server=CLUB,
    channel=LOUNGE,
    challenger=ANN,
    opponents=(BOB,),
    rules=Rules(),
    word=WordRow(ANN, "interaction 1", is_own=False),
)
IN_THREAD = replace(INVITATION, channel=THREAD, parent=LOUNGE)
SOON = timedelta(seconds=1)


@pytest.fixture
def post() -> NonCallableMagicMock:
    post = create_autospec(Post, instance=True)
    numbers = count(1_500_000_000_000_000_000)
    post.send.side_effect = lambda *_args, **_named: MessageId(next(numbers))
    post.find.return_value = None
    post.open_direct.return_value = 900
    return post  # type: ignore[no-any-return]


@pytest.fixture
async def house(tmp_path: Path, post: NonCallableMagicMock) -> AsyncIterator[House]:
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'house.db'}")
    yield House.build(store, post)
    await store.close()


async def now(house: House, row: ChallengeRow) -> ChallengeRow:
    return await house.challenges.get(row.id)


def channels(post: NonCallableMagicMock) -> list[int]:
    """Where something was posted, in order."""
    return [call.args[0] for call in post.send.call_args_list]


# -------------------------------------------------------------------------- what nobody has seen


async def test_a_challenge_that_arrived_although_its_answer_was_lost_is_not_posted_twice(
    house: House, post: NonCallableMagicMock
) -> None:
    row = await house.challenges.propose(INVITATION)
    post.find.return_value = MessageId(77)
    await house.invitations.post_again(row)
    assert post.find.call_args.args == (LOUNGE, f"gin:accept:{row.id}:0", row.created_at)
    assert channels(post) == []
    assert (await now(house, row)).message_id == 77
    await house.invitations.post_again(row)
    await house.invitations.restore()
    assert channels(post) == []


async def test_what_a_fault_kept_from_being_shown_of_a_challenge_is_shown_as_it_stands(
    house: House, post: NonCallableMagicMock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Row 1: one that nobody saw is posted; of one that was answered, its message says so."""

    async def fails(*_: object) -> ChallengeRow:
        raise DatabaseUnusable("The disk is full.")

    with time_machine.travel(datetime.now(UTC), tick=False) as clock:
        row = await house.challenges.propose(INVITATION)
        house.invitations.in_doubt(row.id)
        with monkeypatch.context() as trouble:
            trouble.setattr(house.challenges, "get", fails)
            assert await house.invitations.post_due() == datetime.now(UTC) + AFTER_A_FAULT
        clock.shift(AFTER_A_FAULT)
        assert await house.invitations.post_due() is None
        assert channels(post) == [LOUNGE]
        house.invitations.in_doubt(row.id)
        await house.invitations.post_due()
        await house.challenges.decline(row.id, BOB)
        house.invitations.in_doubt(row.id)
        await house.invitations.post_due()
    shown = [str(call.args[2].layout.to_components()) for call in post.edit.call_args_list]
    assert ["This challenge was declined" in one for one in shown] == [False, True]
    assert channels(post) == [LOUNGE]


async def test_a_challenge_that_fails_to_be_posted_is_tried_again_and_then_withdrawn(
    house: House, post: NonCallableMagicMock
) -> None:
    """Row 2: an hour in which the two can't challenge each other would be the other end."""
    works = post.send.side_effect
    post.send.side_effect = TryLater("503")
    at = datetime.now(UTC)
    with time_machine.travel(at, tick=False) as clock:
        row = await house.challenges.propose(INVITATION)
        await house.invitations.post_again(row)
        for pause in PAUSES:
            assert await house.invitations.post_due() == datetime.now(UTC) + pause
            clock.shift(pause)
        assert await house.invitations.post_due() is None
        assert post.send.call_count == 1 + len(PAUSES)
        assert (await now(house, row)).status is ChallengeStatus.WITHDRAWN
        again = await house.challenges.propose(INVITATION)
        await house.invitations.post_again(again)
        post.send.side_effect = works
        clock.shift(PAUSES[0])
        await house.invitations.post_due()
        assert (await now(house, again)).message_id is not None


async def test_a_challenge_is_posted_though_the_database_failed_when_it_was_due(
    house: House, post: NonCallableMagicMock
) -> None:
    works = post.send.side_effect
    post.send.side_effect = TryLater("503")
    at = datetime.now(UTC)
    with time_machine.travel(at, tick=False) as clock:
        first = await house.challenges.propose(INVITATION)
        second = await house.challenges.propose(replace(INVITATION, opponents=(CAT,)))
        for row in (first, second):
            await house.invitations.post_again(row)
        post.send.side_effect = works
        clock.shift(PAUSES[0])
        post.find.side_effect = [DatabaseUnusable("The disk is full."), None]
        assert await house.invitations.post_due() == datetime.now(UTC) + AFTER_A_FAULT
        assert (await now(house, first)).message_id is None
        assert (await now(house, second)).message_id is not None
        post.find.side_effect = None
        clock.shift(AFTER_A_FAULT)
        assert await house.invitations.post_due() is None
        assert (await now(house, first)).message_id is not None


async def test_a_challenge_that_nobody_has_seen_is_no_reason_to_refuse_another(
    house: House,
) -> None:
    with time_machine.travel(datetime.now(UTC) - SHOWN_WITHIN - SOON, tick=False):
        unseen = await house.challenges.propose(INVITATION)
    seen = await house.challenges.propose(INVITATION)
    assert (await now(house, unseen)).status is ChallengeStatus.WITHDRAWN
    with pytest.raises(ChallengeRefused, match="Your challenge is still open"):
        await house.challenges.propose(INVITATION)  # it may be on its way to the screen
    await house.invitations.posted(seen.id, MessageId(77))
    with (
        time_machine.travel(datetime.now(UTC) + SHOWN_WITHIN + SOON, tick=False),
        pytest.raises(ChallengeRefused, match="Your challenge is still open"),
    ):
        await house.challenges.propose(INVITATION)


async def test_a_rematch_on_a_bad_day_is_posted_later(
    house: House, post: NonCallableMagicMock
) -> None:
    works = post.send.side_effect
    post.send.side_effect = TryLater("503")
    with time_machine.travel(datetime.now(UTC), tick=False) as clock:
        row = await house.challenges.propose(INVITATION)
        await house.invitations.post_elsewhere(row)
        post.send.side_effect = works
        clock.shift(PAUSES[0])
        await house.invitations.post_due()
    assert (await now(house, row)).message_id is not None


async def test_a_challenge_that_was_withdrawn_on_its_way_says_so(
    house: House, post: NonCallableMagicMock
) -> None:
    row = await house.challenges.propose(INVITATION)

    async def meanwhile(*_: object, **__: object) -> MessageId:
        await house.challenges.withdraw(row.id, ANN)
        return MessageId(77)

    post.send.side_effect = meanwhile
    await house.invitations.post_again(row)
    assert post.edit.call_args.args[:2] == (LOUNGE, 77)


# --------------------------------------------------------------------------------- no place to be


async def posted(house: House, invitation: Invitation) -> ChallengeRow:
    row = await house.challenges.propose(invitation)
    await house.invitations.posted(row.id, MessageId(77))
    return await now(house, row)


async def test_a_challenge_in_a_thread_becomes_a_table_there(house: House) -> None:
    row = await posted(house, IN_THREAD)
    table = await house.challenges.accept(row.id, WordRow(BOB, "interaction 2", is_own=False))
    assert table is not None
    assert (table.row.channel_id, table.row.thread_id) == (LOUNGE, THREAD)
    assert table.channel == THREAD


@pytest.mark.parametrize("way", ["event: deleted", "event: locked", "an edit fails"])
async def test_a_challenge_leaves_its_thread_with_the_thread(
    house: House, post: NonCallableMagicMock, way: str
) -> None:
    """Row 13: and calls the challenged anew, as nobody is called by what is gone."""
    row = await posted(house, IN_THREAD)
    if way == "event: deleted":
        await house.invitations.channel_gone(THREAD)
    elif way == "event: locked":
        post.edit.side_effect = ThreadClosed("160005")
        await house.invitations.thread_closed(THREAD)
    else:
        post.edit.side_effect = ChannelGone("10003")
        await house.invitations.show_open(row)
    assert channels(post) == [LOUNGE]
    assert post.send.call_args.kwargs["ping"] == Ping((BOB,))
    moved = await now(house, row)
    assert (moved.status, moved.channel_id, moved.parent_id) == (
        ChallengeStatus.OPEN,
        LOUNGE,
        None,
    )
    assert moved.message_id not in (None, 77)


@pytest.mark.parametrize(("error", "place"), [(None, THREAD), (NotAllowed("50013"), LOUNGE)])
async def test_an_archived_thread_is_brought_back_for_its_challenge_where_that_can_be(
    house: House, post: NonCallableMagicMock, error: Undelivered | None, place: int
) -> None:
    row = await posted(house, IN_THREAD)
    post.edit.side_effect = [ThreadArchived("50083"), None]
    post.unarchive.side_effect = error
    await house.invitations.thread_closed(THREAD)
    assert (await now(house, row)).channel_id == place
    assert post.edit.call_count == (2 if error is None else 1)


async def test_a_challenge_whose_channel_is_gone_is_withdrawn_and_its_maker_told(
    house: House, post: NonCallableMagicMock
) -> None:
    await house.people.named(BOB, "Bob")
    row = await posted(house, INVITATION)
    await house.invitations.channel_gone(LOUNGE)
    assert (await now(house, row)).status is ChallengeStatus.WITHDRAWN
    assert channels(post) == [900]
    page = post.send.call_args.args[1]
    assert "Your challenge to Bob is withdrawn" in str(page.layout.to_components())
    await house.challenges.propose(INVITATION)


@pytest.mark.parametrize("error", [NotAllowed("50013"), ThreadClosed("160005")])
async def test_a_challenge_that_was_settled_where_a_right_was_missing_says_so_once_it_is_back(
    house: House, post: NonCallableMagicMock, error: Undelivered
) -> None:
    row = await posted(house, INVITATION)
    post.edit.side_effect = error
    await house.invitations.show_settled(await house.challenges.withdraw(row.id, ANN))
    await house.invitations.try_again(CLUB)
    post.edit.reset_mock(side_effect=True)
    await house.invitations.try_again(ServerId(CLUB + 1))
    assert post.edit.call_count == 0
    for _event in range(2):
        await house.invitations.try_again(CLUB)
        page = post.edit.call_args.args[2]
        assert "This challenge was withdrawn." in str(page.layout.to_components())
        assert post.edit.call_count == 1


async def test_what_became_of_a_challenge_is_shown_as_often_as_that_fails(
    house: House, post: NonCallableMagicMock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once the right is back Discord is out of order, or the database."""

    async def fails(*_: object) -> ChallengeRow:
        raise DatabaseUnusable("The disk is full.")

    with time_machine.travel(datetime.now(UTC), tick=False) as clock:
        row = await posted(house, INVITATION)
        post.edit.side_effect = NotAllowed("50013")
        await house.challenges.decline(row.id, BOB)
        await house.invitations.show_settled(await now(house, row))
        with monkeypatch.context() as trouble:
            trouble.setattr(house.challenges, "get", fails)
            await house.invitations.try_again(CLUB)
        for _ in range(3):
            post.edit.side_effect = TryLater("503")
            clock.shift(AFTER_A_FAULT)
            assert await house.invitations.post_due() == datetime.now(UTC) + AFTER_A_FAULT
        post.edit.side_effect = None
        post.edit.reset_mock()
        clock.shift(AFTER_A_FAULT)
        assert await house.invitations.post_due() is None
    (shown,) = post.edit.call_args_list
    assert "This challenge was declined" in str(shown.args[2].layout.to_components())


async def test_who_has_accepted_so_far_is_shown_a_minute_later_where_discord_was_out_of_order(
    house: House, post: NonCallableMagicMock
) -> None:
    with time_machine.travel(datetime.now(UTC), tick=False) as clock:
        row = await posted(house, INVITATION)
        post.edit.side_effect = [TryLater("503"), None]
        await house.invitations.show_open(row)
        assert await house.invitations.post_due() == datetime.now(UTC) + AFTER_A_FAULT
        clock.shift(AFTER_A_FAULT)
        assert await house.invitations.post_due() is None
    assert post.edit.call_count == 2


async def test_a_challenge_that_is_deleted_by_now_is_not_tried_for_ever(house: House) -> None:
    house.invitations.in_doubt(ChallengeId(99))
    assert await house.invitations.post_due() is None


async def test_a_challenge_that_may_have_been_written_is_posted_if_it_was(
    house: House, post: NonCallableMagicMock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Row 1: the database's word of a commit is lost, and the answer says that nobody knows."""

    async def lost(connection: AsyncConnection) -> None:
        await committed(connection)
        raise ConnectionResetError

    change = Change(lambda _match: None, timedelta(hours=1))
    deed.witnessed_by(change)
    committed = AsyncConnection.commit
    with monkeypatch.context() as trouble:
        trouble.setattr(AsyncConnection, "commit", lost)
        with pytest.raises(ConnectionResetError):
            await house.challenges.propose(INVITATION)
    (challenge,) = change.challenges
    house.invitations.in_doubt(challenge)
    await house.invitations.post_due()
    assert channels(post) == [LOUNGE]
    assert (await house.challenges.get(challenge)).message_id is not None
