"""The post office: what goes out, and what Discord's answers mean (faults.md, rows 4 and 10–13)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import AsyncMock, NonCallableMagicMock

import aiohttp
import discord
import pytest
from structlog.testing import capture_logs

from bot.mail import post
from bot.mail.governor import Governor, Urgency
from bot.mail.post import (
    ChannelGone,
    DirectMessagesClosed,
    MessageGone,
    NotAllowed,
    Ping,
    Post,
    ThreadArchived,
    ThreadClosed,
    TryLater,
    Undelivered,
    told,
)
from bot.ui.page import Layout, Page
from db.ids import ChannelId, MessageId, PersonId, ServerId

TABLE = ChannelId(1_300_000_000_000_000_001)
ADA = PersonId(1_100_000_000_000_000_001)
CLUB = ServerId(1_200_000_000_000_000_001)
PAGE = Page(Layout())


def refusal(status: int, code: int = 0) -> discord.HTTPException:
    """What discord.py raises for an answer of Discord's with this status and code."""
    kinds: dict[int, type[discord.HTTPException]] = {
        403: discord.Forbidden,
        404: discord.NotFound,
        500: discord.DiscordServerError,
    }
    response = NonCallableMagicMock(spec=aiohttp.ClientResponse)
    response.status, response.reason = status, "No"
    return kinds.get(status, discord.HTTPException)(response, {"code": code, "message": "no"})


class Office:
    """A post office whose requests end in the hands of mocks."""

    def __init__(self) -> None:
        self.client = NonCallableMagicMock(spec=discord.Client)
        self.client.http = NonCallableMagicMock(spec=discord.http.HTTPClient)
        self.channel = NonCallableMagicMock(spec=discord.PartialMessageable)
        self.message = NonCallableMagicMock(spec=discord.PartialMessage)
        self.client.get_partial_messageable.return_value = self.channel
        self.channel.get_partial_message.return_value = self.message
        self.send: AsyncMock = self.channel.send
        self.send.return_value = NonCallableMagicMock(spec=discord.Message, id=77)
        self.post = Post(self.client, Governor())


@pytest.fixture
def office() -> Office:
    return Office()


@pytest.mark.parametrize(
    ("error", "meaning"),
    [
        pytest.param(refusal(404, 10008), MessageGone, id="row 12: deleted, post it again"),
        pytest.param(refusal(429, 30046), MessageGone, id="row 11: too many edits of an old one"),
        pytest.param(refusal(404, 10003), ChannelGone, id="row 13: the channel was deleted"),
        pytest.param(refusal(404, 10004), ChannelGone, id="row 14: the server is gone"),
        pytest.param(refusal(403, 50007), DirectMessagesClosed, id="row 4: messages closed"),
        pytest.param(refusal(403, 50278), DirectMessagesClosed, id="row 4: no server in common"),
        pytest.param(refusal(404, 10013), DirectMessagesClosed, id="row 24: the account is gone"),
        pytest.param(refusal(403, 50001), NotAllowed, id="row 15: the channel isn't seen"),
        pytest.param(refusal(403, 50013), NotAllowed, id="row 15: a permission is missing"),
        pytest.param(refusal(400, 50083), ThreadArchived, id="row 13: the thread is archived"),
        pytest.param(refusal(403, 160005), ThreadClosed, id="row 13: the thread is locked"),
        pytest.param(refusal(400, 50008), ChannelGone, id="row 13: a forum holds no messages"),
        pytest.param(refusal(401, 50027), MessageGone, id="row 10: the token is over"),
        pytest.param(refusal(404, 10015), MessageGone, id="row 10: the interaction is over"),
        pytest.param(refusal(401), TryLater, id="that is the bot's own token"),
        pytest.param(refusal(400, 40003), TryLater, id="row 5: messages opened too fast"),
        pytest.param(refusal(500), TryLater, id="Discord has a bad day"),
        pytest.param(refusal(503), TryLater, id="Discord is overloaded"),
        pytest.param(TimeoutError(), TryLater, id="no answer"),
        pytest.param(ConnectionResetError(), TryLater, id="the line broke"),
        pytest.param(aiohttp.ServerDisconnectedError(), TryLater, id="the server hung up"),
        pytest.param(discord.RateLimited(90.0), TryLater, id="row 11: a long rate limit"),
    ],
)
async def test_each_refusal_of_discord_has_a_meaning_for_us(
    office: Office, error: Exception, meaning: type[Undelivered]
) -> None:
    office.send.side_effect = error
    with pytest.raises(meaning):
        await office.post.send(TABLE, PAGE, urgency=Urgency.TURN)


def test_a_former_player_is_in_no_ping_since_discord_refuses_such_ids() -> None:
    allowed = Ping((PersonId(-7), PersonId(7))).allowed()
    assert allowed.to_dict()["users"] == [7]


def test_a_refusal_is_logged_once_with_its_code_and_no_traceback() -> None:
    with capture_logs() as logs:
        told(refusal(403, 50007), "send", TABLE)
    assert [(line["event"], line["code"], line["log_level"]) for line in logs] == [
        ("undelivered", 50007, "warning")
    ]
    assert "exc_info" not in logs[0]


def test_a_long_rate_limit_says_how_long_to_leave_discord_alone() -> None:
    limited = told(discord.RateLimited(90.0), "send", TABLE)
    assert isinstance(limited, TryLater)
    assert limited.wait == timedelta(seconds=90)


async def test_an_edit_that_has_to_wait_for_long_is_given_up_for_a_new_message(
    office: Office,
) -> None:
    """Row 11: too many edits of an old message (30046) come as a 429."""
    office.message.edit.side_effect = discord.RateLimited(45.0)
    with pytest.raises(MessageGone):
        await office.post.edit(TABLE, MessageId(5), PAGE, urgency=Urgency.TABLE)


@pytest.mark.parametrize(
    "broken",
    [aiohttp.ServerDisconnectedError(), RuntimeError("Session is closed")],
    ids=["the line", "the process ends"],
)
@pytest.mark.parametrize("act", ["send", "edit", "delete", "open_direct", "find"])
async def test_a_line_that_breaks_is_try_later_in_every_request(
    office: Office, act: str, broken: Exception
) -> None:
    for request in (office.send, office.message.edit, office.message.delete):
        request.side_effect = broken
    office.client.create_dm.side_effect = office.client.http.logs_from.side_effect = broken
    acts: dict[str, Callable[[], Any]] = {
        "send": lambda: office.post.send(TABLE, PAGE, urgency=Urgency.TURN),
        "edit": lambda: office.post.edit(TABLE, MessageId(5), PAGE, urgency=Urgency.TABLE),
        "delete": lambda: office.post.delete(TABLE, MessageId(5)),
        "open_direct": lambda: office.post.open_direct(ADA),
        "find": lambda: office.post.find(TABLE, "gin:accept:1:0", datetime(2026, 1, 1, tzinfo=UTC)),
    }
    with pytest.raises(TryLater):
        await acts[act]()


async def test_a_request_without_an_answer_is_given_up(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(post, "SENDING_TAKES_AT_MOST", timedelta(0))
    office.send.side_effect = AsyncMock(side_effect=TimeoutError)
    with pytest.raises(TryLater):
        await office.post.send(TABLE, PAGE, urgency=Urgency.TURN)


async def test_a_message_that_is_gone_already_counts_as_deleted(office: Office) -> None:
    office.message.delete.side_effect = refusal(404, 10008)
    with capture_logs() as logs:
        await office.post.delete(TABLE, MessageId(5))
    assert logs == []


async def test_a_repeated_attempt_has_the_name_of_the_first_and_others_have_their_own(
    office: Office,
) -> None:
    for once in ("1.h0.7", "1.h0.7", None, None):
        await office.post.send(TABLE, PAGE, urgency=Urgency.TURN, once=once)
    names = [call.kwargs["nonce"] for call in office.send.await_args_list]
    assert names[:2] == ["1.h0.7", "1.h0.7"]
    assert len(set(names)) == 3
    assert all(len(name) <= 25 for name in names)


@pytest.mark.parametrize("people", [(), (ADA,)], ids=["nobody", "one person"])
async def test_a_message_may_notify_those_named_and_nobody_else(
    office: Office, people: tuple[PersonId, ...]
) -> None:
    await office.post.send(TABLE, PAGE, urgency=Urgency.TURN, ping=Ping(people))
    allowed = office.send.await_args_list[0].kwargs["allowed_mentions"].to_dict()
    assert allowed.pop("users", []) == list(people)
    assert not {key: value for key, value in allowed.items() if value}


async def test_an_edit_notifies_nobody(office: Office) -> None:
    await office.post.edit(TABLE, MessageId(5), PAGE, urgency=Urgency.TABLE)
    allowed = office.message.edit.await_args_list[0].kwargs["allowed_mentions"]
    assert not {key: value for key, value in allowed.to_dict().items() if value}


# ------------------------------------------------------------------------------- looking about


def said(number: int, author: int, *components: dict[str, object]) -> dict[str, object]:
    return {"id": str(number), "author": {"id": str(author)}, "components": list(components)}


async def test_a_message_of_ours_is_found_by_its_control_and_nobody_elses(office: Office) -> None:
    """Row 2: it stands, though no answer told us so; another bot may use the same id."""
    button = {"type": 2, "custom_id": "gin:accept:7:0"}
    boxed = {"type": 17, "components": [{"type": 1, "components": [button]}]}
    beside = {"type": 9, "components": [], "accessory": button}
    office.client.user.id = 42
    office.client.http.logs_from = AsyncMock(return_value=[said(1, 41, boxed), said(2, 42, boxed)])
    at = datetime(2026, 1, 1, 12, tzinfo=UTC)
    assert await office.post.find(TABLE, "gin:accept:7:0", at) == 2
    (call,) = office.client.http.logs_from.await_args_list
    assert call.args == (TABLE, 100)
    assert discord.utils.snowflake_time(call.kwargs["after"]) == at - timedelta(minutes=2)
    office.client.http.logs_from.return_value = [said(3, 42, beside)]
    assert await office.post.find(TABLE, "gin:accept:7:0", at) == 3
    assert await office.post.find(TABLE, "gin:accept:8:0", at) is None


@pytest.mark.parametrize("code", [10007, 10013])
async def test_who_is_no_member_any_more_has_left(office: Office, code: int) -> None:
    """Row 16: a refusal of another kind tells nothing."""
    office.client.http.get_member = AsyncMock(return_value={})
    assert await office.post.is_member(CLUB, ADA)
    office.client.http.get_member.side_effect = refusal(404, code)
    assert not await office.post.is_member(CLUB, ADA)
    office.client.http.get_member.side_effect = refusal(403, 50001)
    with pytest.raises(NotAllowed):
        await office.post.is_member(CLUB, ADA)


async def test_what_a_table_lacks_is_named_where_the_channel_is_known(office: Office) -> None:
    """Row 15."""
    office.client.get_channel.return_value = None
    assert office.post.missing_rights(TABLE) is None
    place = NonCallableMagicMock(spec=discord.TextChannel)
    place.permissions_for.return_value = discord.Permissions(view_channel=True)
    office.client.get_channel.return_value = place
    assert office.post.missing_rights(TABLE) == ("Send Messages", "Attach Files")
    thread = NonCallableMagicMock(spec=discord.Thread)
    thread.permissions_for.return_value = discord.Permissions.all()
    thread.permissions_for.return_value.send_messages_in_threads = False
    office.client.get_channel.return_value = thread
    assert office.post.missing_rights(TABLE) == ("Send Messages in Threads",)


async def test_a_thread_is_brought_back_where_that_can_be(office: Office) -> None:
    """Row 13."""
    office.client.http.edit_channel = AsyncMock()
    await office.post.unarchive(TABLE)
    office.client.http.edit_channel.assert_awaited_once_with(TABLE, archived=False)
    office.client.http.edit_channel.side_effect = refusal(403, 50013)
    with pytest.raises(NotAllowed):
        await office.post.unarchive(TABLE)
