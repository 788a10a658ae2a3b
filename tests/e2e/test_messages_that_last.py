"""Messages that last: closed, deleted, old, far up, slow, cut off; what people see stays true.

Each docstring names the row of faults.md.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta

import pytest

import bot.shown.hands
from bot.client import Ginhouse
from bot.mail.governor import Urgency
from bot.mail.post import Post
from bot.shown import upkeep
from bot.shown.showing import FAR_UP
from bot.ui.page import Page
from bot.ui.pages import table_page
from db.ids import MatchId
from playground.acting.people import buttons, text_of
from playground.errors import Code, Refused
from tests.e2e.fates import all_is_shown, hand_of, listening, row_of, sit_down, table_of
from tests.e2e.room import Room

SEND = "POST /channels/*/messages"
EDIT = "PATCH /channels/*/messages/*"

pytestmark = pytest.mark.usefixtures("unhurried")


# ---------------------------------------------------------------------- closed direct messages


async def test_closed_messages_end_nothing(room: Room) -> None:
    """Row 4: closed before the match, then opened, then closed in the middle."""
    room.playground.faults.close_dms(room.ben.user)
    await sit_down(room)
    (challenged, call) = room.ben.pings(room.table)
    assert "your turn" in text_of(call)
    assert "direct messages" in text_of(call)  # why he is called here
    assert call.pinged == {room.ben.id}
    assert room.ada.pings(room.table) == []
    opened = await room.ben.press(call, "My hand")
    assert opened.ephemeral
    assert "9♦" in opened.text
    passed = await room.ben.press(opened, "Pass")
    assert not passed.failed
    await all_is_shown(room)
    assert call.deleted  # it has done its work
    assert not challenged.deleted
    attempts = len(refused(room))
    assert attempts == 1  # told once, and not tried again at each turn
    async with aged_acts(room):
        await room.ada.press(await hand_of(room, 0), "Pass")
        await all_is_shown(room)
    assert len(room.ben.pings(room.table)) == 2
    assert "direct messages" not in text_of(room.ben.pings(room.table)[-1])  # told once
    assert len(refused(room)) == attempts

    room.playground.faults.close_dms(room.ben.user, closed=False)
    await room.ben.slash(room.table, "gin hand")
    await room.ben.slash(room.table, "gin draw", pile="stock")
    await room.ben.slash(room.table, "gin discard", card="8h")
    await all_is_shown(room)
    assert "Waiting for Ada" in text_of(await hand_of(room, 1))

    room.playground.faults.close_dms(room.ben.user)
    async with aged_acts(room):
        await room.ada.slash(room.table, "gin draw", pile="stock")
        await room.ada.slash(room.table, "gin discard", card="8d")
        await all_is_shown(room)
    call = room.ben.pings(room.table)[-1]
    assert call.pinged == {room.ben.id}
    assert len(refused(room)) == attempts + 1
    drawn = await room.ben.press(await room.ben.press(call, "My hand"), "Draw from stock")
    assert not drawn.failed
    discarded = await room.ben.choose(drawn, "KS")
    assert not discarded.failed
    await all_is_shown(room)
    assert call.deleted
    assert (await room.log())[-1] == "B discard KS"


async def test_who_plays_from_private_answers_sees_his_turn_come_in_them(room: Room) -> None:
    """Rows 4 and 9: one private answer with his hand, which goes on being true."""
    room.playground.faults.close_dms(room.ben.user)
    await sit_down(room)
    opened = await room.ben.press(room.ben.pings(room.table)[-1], "My hand")
    passed = await room.ben.press(opened, "Pass")
    assert "Waiting for Ada" in passed.text
    await all_is_shown(room)
    called = len(room.ben.pings(room.table))
    await room.ada.press(await hand_of(room, 0), "Pass")
    await all_is_shown(room)
    assert passed.message is not None
    assert "Your turn" in text_of(passed.message), "changed before his eyes"
    assert len(room.ben.pings(room.table)) == called
    drawn = await room.ben.press(passed.message, "Draw from stock")
    assert not drawn.failed

    again = await room.ben.slash(room.table, "gin hand")
    await all_is_shown(room)
    assert again.ephemeral
    assert passed.message.deleted, "two that look alive would be one too many"
    assert not (await room.ben.choose(again, "8H")).failed


def refused(room: Room) -> list[object]:
    """The messages that Discord didn't deliver to closed direct messages."""
    return [request for request in room.playground.sent.of(SEND) if request.code == 50007]


@asynccontextmanager
async def aged_acts(room: Room) -> AsyncIterator[None]:
    """Let nobody count as still there, so that turns come by new messages."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bot.shown.hands, "STILL_THERE", timedelta(0))
        yield


# ------------------------------------------------------------------ messages: gone, old, far up


async def test_messages_that_were_deleted_are_posted_again(room: Room) -> None:
    """Row 12: the table and a hand."""
    await sit_down(room)
    table, hand = await table_of(room), await hand_of(room, 1)
    room.playground.faults.delete_message(table)
    room.playground.faults.delete_message(hand)
    await room.ben.slash(room.table, "gin pass")
    await all_is_shown(room)
    again = await table_of(room)
    assert again is not table
    assert not again.pinged  # nobody is called by a table
    assert (await hand_of(room, 1)) is not hand
    await room.ada.press(again, "Pass")
    await all_is_shown(room)
    assert (await table_of(room)) is again


async def test_a_table_that_lies_far_up_is_posted_again_at_the_next_change(room: Room) -> None:
    """Row 11."""
    await sit_down(room)
    table = await table_of(room)
    for line in range(FAR_UP):
        room.cleo.write(room.table, f"chatter {line}")
    assert room.bot is not None
    below = room.bot.house.showing._below
    await room.cleo.until(lambda: below[MatchId(1)] == FAR_UP or None)
    assert (await table_of(room)) is table
    await room.ben.slash(room.table, "gin pass")
    await all_is_shown(room)
    again = await table_of(room)
    assert again is not table
    assert table.deleted
    assert not again.pinged
    assert room.cleo.last(room.table) is again


async def test_a_table_older_than_fifty_minutes_is_posted_again(room: Room) -> None:
    """Row 11: before Discord refuses to have it edited."""
    await sit_down(room)
    row = await row_of(room)
    assert room.store is not None
    async with room.store.transaction() as tx:
        await tx.shown.put(replace(row, posted_at=row.posted_at - timedelta(minutes=51)))
    await room.ben.slash(room.table, "gin pass")
    await all_is_shown(room)
    assert (await row_of(room)).message_id != row.message_id
    assert room.world.find_message(row.message_id) is None


async def test_a_message_that_discord_lets_nobody_edit_is_posted_again(room: Room) -> None:
    """Row 11: 30046, which comes as a 429."""
    await sit_down(room)
    table = await table_of(room)
    too_many = Refused.because(Code.TOO_MANY_OLD_EDITS, retry_after=45.0)
    room.playground.faults.refuse(f"PATCH /channels/{table.channel.id}/*", too_many, times=1)
    await room.ben.slash(room.table, "gin pass")
    await all_is_shown(room)
    assert (await table_of(room)) is not table


async def test_table_and_hands_are_edited_when_every_token_is_dead(room: Room) -> None:
    """Row 10: after fifteen minutes."""
    await sit_down(room)
    table = await table_of(room)
    room.playground.faults.expire_tokens()
    room.playground.faults.move_clock(16 * 60)
    await room.ben.slash(room.table, "gin pass")
    room.playground.faults.expire_tokens()
    await all_is_shown(room)
    assert (await table_of(room)) is table
    assert "Pass" in buttons(await hand_of(room, 0))
    assert "Waiting for Ada" in text_of(await hand_of(room, 1))


async def test_edits_of_a_busy_table_are_coalesced(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Row 11: five acts while an edit is on its way make one further edit."""
    await sit_down(room)
    table = await table_of(room)
    arrived, begun = asyncio.Event(), asyncio.Event()
    real = Post.edit

    async def held(post: Post, channel: int, message: int, page: Page, **rest: object) -> None:
        if message == table.id:
            begun.set()
            await arrived.wait()
        await real(post, channel, message, page, **rest)  # type: ignore[arg-type]

    monkeypatch.setattr(Post, "edit", held)
    before = len(edits_of(room, table.id))
    await room.ben.slash(room.table, "gin pass")
    await begun.wait()
    await room.ada.slash(room.table, "gin pass")
    await room.ben.slash(room.table, "gin draw", pile="stock")
    await room.ben.slash(room.table, "gin discard", card="8h")
    await room.ada.slash(room.table, "gin draw", pile="stock")
    await room.ada.slash(room.table, "gin discard", card="8d")
    arrived.set()
    await all_is_shown(room)
    assert len(edits_of(room, table.id)) - before == 2


def edits_of(room: Room, message: int) -> list[object]:
    """The edits of one message."""
    return [r for r in room.playground.sent.of(EDIT) if r.path.endswith(f"/{message}")]


# ------------------------------------------------------------------ bad days of the whole of it


async def test_messages_that_fail_are_repeated_until_they_stand_once(
    room: Room, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Rows 2 and 11: 5xx, answers that are lost, 429; nothing is lost, nothing stands twice."""
    monkeypatch.setattr(upkeep, "FIRST_RETRY", timedelta(milliseconds=20))
    faults = room.playground.faults
    with listening(caplog) as said:
        faults.http_errors(503, SEND, times=3)
        faults.drop_answers(SEND, times=2)
        faults.rate_limit(SEND, 0.05, times=2)
        await sit_down(room)
        await room.ada.panel("Refresh", room.ada.dm())
        await room.ben.panel("Pass", room.ben.dm())
        await room.cleo.panel("My hand", room.table)
        faults.http_errors(503, EDIT, times=2)
        faults.drop_answers(EDIT, times=1)
        await room.ben.press(await room.ben.panel("Pass", room.ben.dm()), "Pass")
        await room.ada.panel("Pass", room.ada.dm())
        async with asyncio.timeout(20):
            while (await row_of(room)).version < 3:  # noqa: ASYNC110 - a row tells nobody
                await asyncio.sleep(0.02)
    await all_is_shown(room)
    assert said.tracebacks == []
    tables = [m for m in room.cleo.messages(room.table) if "My hand" in buttons(m)]
    assert len(tables) == 1
    hands = [m for m in room.ada.messages(room.ada.dm()) if "Refresh" in buttons(m)]
    assert len(hands) == 1


async def test_play_goes_on_after_the_gateway_broke_in_every_way(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line is cut and resumed, a reconnect is asked for, the session is declared invalid."""

    async def at_once(*_: object, **__: object) -> None:
        """Discord.py waits five seconds before it identifies anew."""

    monkeypatch.setattr(Ginhouse, "before_identify_hook", at_once)
    await sit_down(room)
    faults = room.playground.faults
    faults.cut_gateway()
    passed = await room.ben.press(await hand_of(room, 1), "Pass")  # it is brought at the resume
    assert not passed.failed
    await all_is_shown(room)
    faults.reconnect()
    await online_again(room)
    passed = await room.ada.press(await hand_of(room, 0), "Pass")
    assert not passed.failed
    await all_is_shown(room)
    for resumable in (True, False):
        faults.invalid_session(resumable=resumable)
        await online_again(room)
    drawn = await room.ben.slash(room.table, "gin draw", pile="stock")
    assert not drawn.failed
    await all_is_shown(room)
    assert (await room.log())[2:] == ("B pass", "A pass", "B draw stock")


async def online_again(room: Room) -> None:
    """Wait until the gateway has a session with a connection that is new."""
    old = set(room.playground.gateway.connections)
    await room.ada.until(
        lambda: (
            any(
                connection not in old and connection.session is not None
                for connection in room.playground.gateway.connections
            )
            or None
        ),
        "the bot at the gateway",
        within=20,
    )


# ------------------------------------------------------------------------ what nobody has noted


async def test_a_table_that_nobody_has_noted_answers_to_a_press_and_goes(room: Room) -> None:
    """Row 11: however it came to stand there beside the other."""
    await sit_down(room)
    assert room.bot is not None
    house = room.bot.house
    match = await house.tables.load(MatchId(1))
    assert match is not None
    page = table_page(await house.shown(match, None))
    stray = room.world.find_message(
        await house.post.send(match.channel, page, urgency=Urgency.TABLE)
    )
    assert stray is not None
    table = await table_of(room)
    assert (await room.ben.press(table, "My hand")).ephemeral
    assert [stray.deleted, table.deleted] == [False, False]
    passed = await room.ben.press(stray, "Pass")
    assert not passed.failed
    await all_is_shown(room)
    assert [stray.deleted, table.deleted] == [True, False]
    assert not table.deleted
    assert "Ada may take" in text_of(table)


async def test_a_table_that_came_unheard_is_found_after_a_restart(room: Room) -> None:
    """Row 11: the match has gone on since, so that it is posted under another name."""
    await sit_down(room)
    before = set(room.ben.channel(room.table).messages)
    room.world.clock.move(51 * 60)
    room.playground.faults.http_errors(503, SEND, after=True)
    await room.ben.slash(room.table, "gin pass")
    await room.settled()
    (stray,) = [
        room.world.find_message(number)
        for number in set(room.ben.channel(room.table).messages) - before
    ]
    await room.ada.slash(room.table, "gin pass")
    await room.stop()
    room.playground.faults.clear()
    await room.start()
    assert room.bot is not None
    await room.bot.house.showing.restore()
    await all_is_shown(room)
    assert stray is not None
    assert stray.deleted
    assert not (await table_of(room)).deleted
