"""Answers in time, whatever happens (faults.md, rows 2, 3, 8, 9 and 10)."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from unittest.mock import AsyncMock, Mock, NonCallableMagicMock

import aiohttp
import discord
import pytest
import time_machine
from structlog.testing import capture_logs

from bot.front import serving
from bot.front.pace import Pace
from bot.front.reply import Reply
from bot.front.rush import Rush
from bot.front.visit import Visit
from bot.house import House
from bot.mail.post import TOKEN_LASTS, TryLater
from bot.play import deed
from bot.refusals import NotPossibleNow
from bot.ui.page import Form, Layout, Page, Picture
from db.errors import DatabaseUnusable
from db.ids import ChallengeId, MatchId
from db.store import told_of_commits, told_of_doubts
from tests.bot.front.pressed import HAND, MATCH, Pressed, changed, giving, said, slowly
from tests.bot.mail.test_post import refusal
from tests.bot.playing import until


async def test_quick_work_is_answered_at_once_and_then_shown_to_the_others(house: House) -> None:
    pressed = Pressed(direct=True)
    await serving.serve(house, pressed.it, giving(Reply(page=HAND, changed=MATCH)))
    assert pressed.asked == ["edit"]
    assert changed(house) == [MATCH]


async def test_whoever_presses_too_fast_is_told_so_once_and_takes_nobodys_place(
    house: House,
) -> None:
    house = replace(house, pace=Pace(1), rush=Rush(most=4))
    hasty = [Pressed(direct=True) for _ in range(12)]
    for pressed in hasty:
        pressed.it.type = discord.InteractionType.component
    for pressed in hasty:
        await serving.serve(house, pressed.it, giving(Reply(page=HAND)))
    assert [pressed.asked for pressed in hasty] == [["edit"], ["send"], *[["defer"]] * 10]
    assert not house.rush.is_on


# ------------------------------------------------------------------------- slow: deferred first


@pytest.mark.usefixtures("impatient")
async def test_a_slow_command_thinks_privately_first(house: House) -> None:
    """Row 2."""
    pressed = Pressed(on_message=False)
    await serving.serve(house, pressed.it, slowly(Reply(page=HAND)))
    pressed.response.defer.assert_awaited_once_with(ephemeral=True, thinking=True)
    assert pressed.asked == ["defer", "edit original"]


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("private", [True, False], ids=["on a panel", "on the table"])
async def test_a_slow_control_is_acknowledged_silently_first(house: House, private: bool) -> None:
    """Row 2."""
    pressed = Pressed(ephemeral=private)
    await serving.serve(house, pressed.it, slowly(Reply(page=HAND)))
    pressed.response.defer.assert_awaited_once_with()
    assert pressed.asked == ["defer", "edit original" if private else "follow up"]


@pytest.mark.usefixtures("impatient")
async def test_a_slow_public_answer_pings_by_a_message_of_its_own(house: House) -> None:
    """Row 27: the first follow-up of a deferral is an edit, and edits don't ping."""
    pressed = Pressed(on_message=False)
    reply = Reply(page=HAND, public=True, ping=(4,))  # type: ignore[arg-type]
    await serving.serve(house, pressed.it, slowly(reply))
    assert pressed.asked == ["defer", "edit original", "follow up"]
    assert "below" in said(pressed.edit_original)
    sent = pressed.follow_up.await_args_list[0].kwargs
    assert not sent["ephemeral"]
    assert [person.id for person in sent["allowed_mentions"].users] == [4]


@pytest.mark.usefixtures("impatient")
async def test_a_slow_acceptance_changes_the_challenge_itself(house: House) -> None:
    """Row 9: else its buttons would look alive."""
    pressed = Pressed()
    await serving.serve(house, pressed.it, slowly(Reply(page=HAND, replaces_public=True)))
    pressed.response.defer.assert_awaited_once_with()
    assert pressed.asked == ["defer", "edit original"]


@pytest.mark.usefixtures("impatient")
async def test_a_form_that_comes_too_late_leaves_the_panel_where_it_is(house: House) -> None:
    pressed = Pressed(direct=True)
    form = Form(title="Arrange it yourself")
    await serving.serve(house, pressed.it, slowly(Reply(modal=form)))
    assert pressed.asked == ["defer", "follow up"]
    assert "press it once more" in said(pressed.follow_up)


@pytest.mark.usefixtures("impatient")
async def test_a_form_is_waited_for_longer_since_it_has_to_come_first(house: House) -> None:
    pressed = Pressed(direct=True)
    form = Form(title="Arrange it yourself")
    await serving.serve(house, pressed.it, slowly(Reply(modal=form)), opens_form=True)
    assert pressed.asked == ["modal"]


@pytest.mark.usefixtures("impatient")
async def test_pictures_that_take_long_count_as_work(house: House) -> None:
    """Row 28."""
    page = Page(Layout(), (Picture("hand.png", "a hand", lambda: b"\x89PNG"),))
    pressed = Pressed(direct=True)
    await serving.serve(house, pressed.it, giving(Reply(page=page)))
    assert pressed.asked == ["defer", "edit original"]


# ------------------------------------------------------------------------ refusals and faults


async def test_a_refusal_is_a_private_note_that_leaves_the_panel_alone(house: House) -> None:
    """Row 8."""

    async def refuse(_visit: Visit) -> Reply:
        raise NotPossibleNow("It isn't your turn yet.")

    pressed = Pressed(direct=True)
    with capture_logs() as logs:
        await serving.serve(house, pressed.it, refuse)
    assert pressed.asked == ["send"]
    assert pressed.response.send_message.await_args_list[0].kwargs["ephemeral"]
    assert "your turn" in said(pressed.response.send_message)
    assert logs == []


async def test_of_the_refusals_of_a_form_only_the_newest_stands(house: House) -> None:
    async def refuse(_visit: Visit) -> Reply:
        raise NotPossibleNow("That is no card.")

    async def submits(message: int, work: serving.Work, *, form: bool = True) -> list[int]:
        """Let one answer stand as this message; the private answers taken away with it."""
        pressed = Pressed(direct=True)
        if form:
            pressed.it.type = discord.InteractionType.modal_submit
        for mock in (pressed.response.send_message, pressed.response.edit_message):
            mock.return_value.message_id = message
        taken = house.post.delete_private
        assert isinstance(taken, AsyncMock)
        taken.reset_mock()
        await serving.serve(house, pressed.it, work)
        return [call.args[0].message for call in taken.await_args_list]

    assert await submits(21, refuse) == []
    assert await submits(22, refuse, form=False) == [], "a press has said something else"
    assert await submits(23, refuse) == [21]
    assert await submits(24, refuse) == [23]
    assert await submits(25, giving(Reply(page=HAND))) == [24]
    assert await submits(26, giving(Reply(page=HAND))) == []
    assert await submits(27, refuse) == []
    house.post.delete_private.side_effect = TryLater("503")  # type: ignore[attr-defined]
    assert await submits(28, refuse) == [27]
    with time_machine.travel(datetime.now(UTC) + TOKEN_LASTS):
        assert await submits(29, refuse) == [], "its token is over"


async def test_a_fault_is_logged_once_and_the_person_gets_its_reference(house: House) -> None:
    async def stumble(_visit: Visit) -> Reply:
        raise ZeroDivisionError

    pressed = Pressed(direct=True)
    with capture_logs() as logs:
        await serving.serve(house, pressed.it, stumble)
    (line,) = logs
    assert line["exc_info"]
    assert line["reference"] in said(pressed.response.send_message)


@pytest.mark.parametrize(
    ("error", "before", "after"),
    [
        (DatabaseUnusable("The disk is full."), "nothing new counts", "the database failed me"),
        (ZeroDivisionError(), "nothing was lost", "before I could show you"),
    ],
    ids=["database", "fault"],
)
async def test_what_was_committed_before_a_fault_is_shown_to_everybody_and_never_denied(
    house: House, error: Exception, before: str, after: str
) -> None:
    """Row 1."""

    async def fails(_visit: Visit) -> Reply:
        raise error

    async def commits_and_fails(_visit: Visit) -> Reply:
        committed(match=MATCH)
        raise error

    async def commits_a_part_and_fails(_visit: Visit) -> Reply:
        with deed.in_parts():
            committed(match=MATCH)
            raise error

    said_of = []
    for work in (fails, commits_and_fails, commits_a_part_and_fails):
        pressed = Pressed(direct=True)
        await serving.serve(house, pressed.it, work)
        said_of.append(said(pressed.response.send_message))
    nothing, all_of_it, a_part = said_of
    assert before in nothing
    assert "That counts" in all_of_it
    assert after in all_of_it
    assert "some of it counts" in a_part
    assert changed(house) == [MATCH, MATCH]


@pytest.mark.parametrize(
    "error", [DatabaseUnusable("The connection is lost."), ZeroDivisionError()], ids=str
)
@pytest.mark.parametrize("a_part_counts", [False, True])
async def test_nobody_is_told_whether_an_act_counts_whose_commit_itself_failed(
    house: House, error: Exception, a_part_counts: bool
) -> None:
    """Row 1."""

    async def commits_perhaps(_visit: Visit) -> Reply:
        if a_part_counts:
            committed()
        told = told_of_doubts.get()
        assert told is not None
        told()
        raise error

    pressed = Pressed(direct=True)
    await serving.serve(house, pressed.it, commits_perhaps)
    answer = said(pressed.response.send_message)
    assert "I don't know whether" in answer
    assert "look" in answer


async def test_a_page_that_discord_refuses_does_not_make_an_act_uncounted(house: House) -> None:
    """Row 1."""

    async def commits(_visit: Visit) -> Reply:
        committed(match=MATCH)
        return Reply(page=HAND, changed=MATCH)

    pressed = Pressed(on_message=False)
    pressed.response.send_message.side_effect = [
        refusal(400, 50035),
        pressed.response.send_message.return_value,
    ]
    await serving.serve(house, pressed.it, commits)
    assert "That counts" in said(pressed.response.send_message)
    assert changed(house) == [MATCH], "once, though the commit and the answer both want it"


async def test_a_challenge_whose_answer_a_fault_swallowed_is_shown_all_the_same(
    house: House,
) -> None:
    async def commits(_visit: Visit) -> Reply:
        committed(challenge=ChallengeId(3))
        return Reply(page=HAND)

    async def commits_and_fails(_visit: Visit) -> Reply:
        committed(challenge=ChallengeId(4))
        raise ZeroDivisionError

    in_doubt = house.invitations.in_doubt
    assert isinstance(in_doubt, Mock)
    for work in (commits, commits_and_fails):
        await serving.serve(house, Pressed().it, work)
    assert [call.args for call in in_doubt.call_args_list] == [(4,)]


def committed(*, match: MatchId | None = None, challenge: ChallengeId | None = None) -> None:
    """What a commit tells whoever serves somebody."""
    told = told_of_commits.get()
    assert told is not None
    told()
    if match is not None:
        deed.match_changed(match)
    if challenge is not None:
        deed.challenge_changed(challenge)


async def test_a_picture_that_cannot_be_drawn_stops_neither_the_answer_nor_the_others(
    house: House,
) -> None:
    def render() -> bytes:
        raise OSError("no font")

    page = Page(Layout(), (Picture("hand.png", "a hand", render),))
    pressed = Pressed(direct=True)
    await serving.serve(house, pressed.it, giving(Reply(page=page, changed=MATCH)))
    assert pressed.asked == ["send"]
    assert "Something went wrong" in said(pressed.response.send_message)
    assert changed(house) == [MATCH]


async def test_a_page_that_discord_refuses_is_followed_by_an_apology(house: House) -> None:
    pressed = Pressed(on_message=False)
    pressed.response.send_message.side_effect = [
        refusal(400, 50035),
        pressed.response.send_message.return_value,
    ]
    with capture_logs() as logs:
        await serving.serve(house, pressed.it, giving(Reply(page=HAND, changed=MATCH)))
    assert pressed.asked == ["send", "send"]
    assert "Something went wrong" in said(pressed.response.send_message)
    assert [line["log_level"] for line in logs] == ["error"]
    assert changed(house) == [MATCH]


async def test_a_fault_after_the_answer_is_logged_and_the_others_see_what_changed(
    house: House,
) -> None:
    async def delivered(*_: object) -> None:
        raise RuntimeError

    pressed = Pressed(direct=True)
    reply = Reply(page=HAND, changed=MATCH, delivered=delivered)
    with capture_logs() as logs:
        await serving.serve(house, pressed.it, giving(reply))
    assert [line["event"] for line in logs] == ["after the answer"]
    assert changed(house) == [MATCH]


# ----------------------------------------------------------------------------------- a rush


async def test_only_those_whose_work_is_being_done_keep_others_waiting(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One who waits for Discord's word, or is put off, takes no time of the house."""
    object.__setattr__(house, "rush", Rush(1, timedelta(0)))
    tell = AsyncMock()
    monkeypatch.setattr("bot.front.courier.tell", tell)
    worked, answered = asyncio.Event(), asyncio.Event()

    async def slow_work(_visit: Visit) -> Reply:
        await worked.wait()
        return Reply(page=HAND)

    async def slow_answer(**_page: object) -> NonCallableMagicMock:
        await answered.wait()
        return NonCallableMagicMock(spec=discord.InteractionCallbackResponse, message_id=9)

    presses = [Pressed(direct=True) for _ in range(3)]
    for pressed in presses:
        pressed.response.send_message.side_effect = slow_answer
        pressed.response.edit_message.side_effect = slow_answer
    first = asyncio.create_task(serving.serve(house, presses[0].it, slow_work))
    await asyncio.sleep(0)
    second, third = (AsyncMock(return_value=Reply(page=HAND)) for _ in range(2))
    put_off = asyncio.create_task(serving.serve(house, presses[1].it, second))
    await until(lambda: tell.await_count == 1)
    assert presses[1].asked == []
    second.assert_not_awaited()
    worked.set()
    await until(lambda: presses[0].asked == ["edit"])
    served = asyncio.create_task(serving.serve(house, presses[2].it, third))
    await until(lambda: presses[2].asked == ["edit"])
    third.assert_awaited_once()
    answered.set()
    await asyncio.gather(first, put_off, served)


async def test_who_waits_for_a_place_is_served_when_another_is_done(house: House) -> None:
    object.__setattr__(house, "rush", Rush(1, timedelta(hours=1)))
    worked = asyncio.Event()

    async def slow_work(_visit: Visit) -> Reply:
        await worked.wait()
        return Reply(page=HAND)

    presses = [Pressed(direct=True) for _ in range(2)]
    first = asyncio.create_task(serving.serve(house, presses[0].it, slow_work))
    await asyncio.sleep(0)
    work = AsyncMock(return_value=Reply(page=HAND))
    second = asyncio.create_task(serving.serve(house, presses[1].it, work))
    await asyncio.sleep(0)
    work.assert_not_awaited()
    worked.set()
    await asyncio.gather(first, second)
    work.assert_awaited_once()
    assert presses[1].asked == ["edit"]


@pytest.mark.parametrize("failure", [refusal(404, 10062), refusal(503, 0), aiohttp.ClientError()])
async def test_who_cannot_even_be_put_off_is_one_warning(
    house: House, monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    object.__setattr__(house, "rush", Rush(0, timedelta(0)))
    monkeypatch.setattr("bot.front.courier.tell", AsyncMock(side_effect=failure))
    pressed = Pressed(direct=True)
    with capture_logs() as logs:
        await serving.serve(house, pressed.it, giving(Reply(page=HAND)))
    assert pressed.asked == []
    assert [line["event"] for line in logs if line["event"] != "a rush begins"] in (
        ["answer too late"],
        ["answer not delivered"],
    )


# -------------------------------------------------------------------------------- the door


async def test_an_interaction_that_is_delivered_twice_is_served_once(house: House) -> None:
    """Row 6."""
    pressed = Pressed(direct=True)
    work = AsyncMock(return_value=Reply(page=HAND))
    await asyncio.gather(
        serving.serve(house, pressed.it, work), serving.serve(house, pressed.it, work)
    )
    work.assert_awaited_once()
    assert pressed.asked == ["edit"]


async def test_closing_waits_for_those_who_are_being_served_and_lets_nobody_in(
    house: House,
) -> None:
    answered = asyncio.Event()

    async def work(_visit: Visit) -> Reply:
        await answered.wait()
        return Reply(page=HAND)

    before, after = Pressed(direct=True), Pressed(direct=True)
    first = asyncio.create_task(serving.serve(house, before.it, work))
    await asyncio.sleep(0)
    closing = asyncio.create_task(house.door.close())
    await asyncio.sleep(0)
    await serving.serve(house, after.it, work)
    assert after.asked == []
    assert not closing.done()
    answered.set()
    await first
    await closing
    assert before.asked == ["edit"]
