"""Answers in time, whatever happens (faults.md, rows 2, 3, 6, 8, 9 and 10)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any
from unittest.mock import AsyncMock, NonCallableMagicMock

import aiohttp
import discord
import pytest
import time_machine
from structlog.testing import capture_logs

from bot.front import serving
from bot.front.door import Door
from bot.front.refused import LASTS
from bot.front.reply import Panel, Reply
from bot.front.rush import Rush
from bot.front.visit import Visit
from bot.house import House
from bot.mail.people import People
from bot.mail.post import Post, TryLater
from bot.now import utc_now
from bot.play.challenges import Challenges
from bot.play.clocks import Clocks
from bot.play.idle import IdleMatches
from bot.play.presence import Presence
from bot.play.tables import Tables
from bot.play.vacations import Vacations
from bot.refusals import NotPossibleNow
from bot.shown.invitations import Invitations
from bot.shown.showing import Showing
from bot.ui.page import Form, Layout, Page, Picture
from bot.ui.pages import note_page
from db.ids import MatchId
from db.store import Store
from gin import Seat
from tests.bot.mail.test_post import refusal
from tests.bot.playing import until

MATCH = MatchId(7)
HAND = note_page("Your hand")
PANEL = Panel(MATCH, Seat.A, 4)
NUMBERS = count(1)


class Pressed:
    """One interaction whose requests end in the hands of mocks."""

    def __init__(
        self, *, on_message: bool = True, direct: bool = False, ephemeral: bool = False
    ) -> None:
        self.it = NonCallableMagicMock(spec=discord.Interaction)
        self.it.id = next(NUMBERS)
        self.it.user = NonCallableMagicMock(spec=discord.User, id=1, display_name="Ada")
        self.it.guild_id = None if direct else 5
        self.it.guild = None
        self.it.channel_id = 6
        self.it.locale = discord.Locale.american_english
        self.it.app_permissions = discord.Permissions.all()
        self.it.message = None
        if on_message:
            self.it.message = NonCallableMagicMock(spec=discord.Message, id=8)
            self.it.message.flags = discord.MessageFlags(ephemeral=ephemeral)
        self.response = self.it.response = NonCallableMagicMock(spec=discord.InteractionResponse)
        for answer in (self.response.send_message, self.response.edit_message):
            answer.return_value = NonCallableMagicMock(
                spec=discord.InteractionCallbackResponse, message_id=9
            )
        self.original: AsyncMock = self.it.original_response
        self.original.side_effect = refusal(404, 10015)
        self.edit_original: AsyncMock = self.it.edit_original_response
        self.edit_original.return_value = NonCallableMagicMock(spec=discord.Message, id=8)
        self.it.followup = NonCallableMagicMock(spec=discord.Webhook)
        self.follow_up: AsyncMock = self.it.followup.send
        self.follow_up.return_value = NonCallableMagicMock(spec=discord.Message, id=10)

    @property
    def asked(self) -> list[str]:
        """What was asked of Discord, by name."""
        every: dict[str, AsyncMock] = {
            "defer": self.response.defer,
            "send": self.response.send_message,
            "edit": self.response.edit_message,
            "modal": self.response.send_modal,
            "edit original": self.edit_original,
            "follow up": self.follow_up,
        }
        return [name for name, mock in every.items() for _ in mock.await_args_list]


def said(mock: AsyncMock) -> str:
    """What the page of the newest call says."""
    return str(mock.await_args_list[-1].kwargs["view"].to_components())


@pytest.fixture
def house() -> House:
    return House(
        store=NonCallableMagicMock(spec=Store),
        post=NonCallableMagicMock(spec=Post),
        people=NonCallableMagicMock(spec=People),
        tables=NonCallableMagicMock(spec=Tables),
        challenges=NonCallableMagicMock(spec=Challenges),
        invitations=NonCallableMagicMock(spec=Invitations),
        showing=NonCallableMagicMock(spec=Showing),
        presence=NonCallableMagicMock(spec=Presence),
        door=Door(),
        clocks=NonCallableMagicMock(spec=Clocks),
        idle=NonCallableMagicMock(spec=IdleMatches),
        vacations=NonCallableMagicMock(spec=Vacations),
        now=utc_now,
    )


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Defer at once whatever isn't ready at once."""
    monkeypatch.setattr(serving, "ANSWER_WITHIN", timedelta(0))


def giving(reply: Reply) -> Callable[[Visit], Awaitable[Reply]]:
    """Work that is ready at once."""

    async def work(_visit: Visit) -> Reply:
        return reply

    return work


def slowly(reply: Reply) -> Callable[[Visit], Awaitable[Reply]]:
    """Work that takes longer than an impatient house waits."""

    async def work(_visit: Visit) -> Reply:
        for _ in range(20):
            await asyncio.sleep(0)
        return reply

    return work


def changed(house: House) -> list[MatchId]:
    showing: Any = house.showing  # a mock, typed as what it stands for
    return [call.args[0] for call in showing.changed.call_args_list]


async def test_quick_work_is_answered_at_once_and_then_shown_to_the_others(house: House) -> None:
    pressed = Pressed(direct=True)
    await serving.serve(house, pressed.it, giving(Reply(page=HAND, changed=MATCH)))
    assert pressed.asked == ["edit"]
    assert changed(house) == [MATCH]


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


# ---------------------------------------------------------------------------- too late, or lost


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("code", [10062, 10015, 50027])
async def test_an_act_counts_whose_answer_came_too_late(house: House, code: int) -> None:
    """Rows 2 and 10: one warning, no traceback, and nothing more is asked for."""
    pressed = Pressed(direct=True)
    pressed.response.defer.side_effect = refusal(404, code)
    with capture_logs() as logs:
        await serving.serve(house, pressed.it, slowly(Reply(page=HAND, changed=MATCH)))
    assert pressed.asked == ["defer"]
    assert [(line["log_level"], line["code"]) for line in logs] == [("warning", code)]
    assert changed(house) == [MATCH]


async def test_an_act_counts_whose_answer_stands_already(house: House) -> None:
    """Row 3: another copy of the bot, or an answer of which we never heard."""
    pressed = Pressed(direct=True)
    pressed.response.edit_message.side_effect = refusal(400, 40060)
    with capture_logs() as logs:
        await serving.serve(house, pressed.it, giving(Reply(page=HAND, changed=MATCH)))
    assert pressed.asked == ["edit"]
    assert [(line["log_level"], line["code"]) for line in logs] == [("warning", 40060)]
    assert changed(house) == [MATCH]


@pytest.mark.parametrize(
    "lost",
    [aiohttp.ServerDisconnectedError(), ConnectionResetError(), refusal(500), TimeoutError()],
    ids=["hung up", "reset", "500", "silence"],
)
async def test_an_act_counts_whose_answer_was_lost_on_the_way(
    house: House, lost: Exception
) -> None:
    pressed = Pressed(direct=True)
    pressed.response.edit_message.side_effect = lost
    with capture_logs() as logs:
        await serving.serve(house, pressed.it, giving(Reply(page=HAND, changed=MATCH)))
    assert [line["log_level"] for line in logs] == ["warning"]
    assert changed(house) == [MATCH]


@pytest.mark.usefixtures("impatient")
async def test_thinking_ends_even_when_nobody_heard_that_it_had_begun(house: House) -> None:
    pressed = Pressed(on_message=False)
    pressed.response.defer.side_effect = aiohttp.ServerDisconnectedError()
    pressed.response.send_message.side_effect = refusal(400, 40060)
    await serving.serve(house, pressed.it, slowly(Reply(page=HAND)))
    assert pressed.asked == ["defer", "send", "edit original"]


@pytest.mark.usefixtures("impatient")
async def test_a_deferral_that_was_repeated_is_a_deferral(house: House) -> None:
    """A 500 after the work was done: discord.py asks again and hears 40060."""
    pressed = Pressed(on_message=False)
    pressed.response.defer.side_effect = refusal(400, 40060)
    with capture_logs() as logs:
        await serving.serve(house, pressed.it, slowly(Reply(page=HAND)))
    assert pressed.asked == ["defer", "edit original"]
    assert logs == []


async def test_what_an_act_changed_is_not_held_up_by_its_answer(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "SHOWN_WITHIN", timedelta(0))
    pressed = Pressed(direct=True)
    shown_first: list[bool] = []

    async def dawdle(**_: object) -> None:
        await asyncio.sleep(0.01)
        shown_first.append(changed(house) == [MATCH])

    pressed.response.edit_message.side_effect = dawdle
    await serving.serve(house, pressed.it, giving(Reply(page=HAND, changed=MATCH)))
    assert shown_first == [True]


async def test_a_control_whose_message_was_deleted_is_answered_by_a_new_one(house: House) -> None:
    """Row 12."""
    pressed = Pressed(direct=True)
    pressed.response.edit_message.side_effect = refusal(404, 10008)
    await serving.serve(house, pressed.it, giving(Reply(page=HAND)))
    assert pressed.asked == ["send", "edit"]


async def test_where_an_answer_stands_is_told_or_that_it_stands_nowhere(house: House) -> None:
    told: list[object] = []

    async def delivered(*place: object) -> None:
        told.append(place)

    async def undelivered() -> None:
        told.append("nowhere")

    reply = Reply(page=HAND, public=True, delivered=delivered, undelivered=undelivered)
    await serving.serve(house, Pressed(on_message=False).it, giving(reply))
    lost = Pressed(on_message=False)
    lost.response.send_message.side_effect = refusal(500)
    await serving.serve(house, lost.it, giving(reply))
    assert told == [(6, 9), "nowhere"]
    unheard = Pressed(on_message=False)
    unheard.response.send_message.side_effect = refusal(500)
    unheard.original.side_effect = None
    unheard.original.return_value = NonCallableMagicMock(spec=discord.Message, id=12)
    await serving.serve(house, unheard.it, giving(reply))
    assert told == [(6, 9), "nowhere", (6, 12)]


def original(message: int, **flags: bool) -> discord.Message:
    """The message that Discord gives as the answer to an interaction."""
    found = NonCallableMagicMock(spec=discord.Message, id=message)
    found.flags = discord.MessageFlags(**flags)
    return found


def private_hands(house: House) -> list[tuple[int, int]]:
    """The private answers with a hand that are kept true: message, version."""
    told = house.showing.whispered
    assert isinstance(told, AsyncMock)
    return [(call.args[3].message, call.args[2]) for call in told.await_args_list]


@pytest.mark.parametrize("error", [refusal(500), refusal(400, 40060), ConnectionResetError()])
async def test_a_private_hand_of_which_discords_word_was_lost_is_kept_true_all_the_same(
    house: House, error: Exception
) -> None:
    """Row 26: exposed cards may be on it. 40060 comes where an attempt of ours was taken."""
    lost = Pressed(on_message=False)
    lost.response.send_message.side_effect = error
    lost.original.side_effect = None
    lost.original.return_value = original(12, ephemeral=True)
    await serving.serve(house, lost.it, giving(Reply(page=HAND, panel=PANEL)))
    assert private_hands(house) == [(12, 4)]


async def test_a_public_message_is_never_taken_for_a_private_hand(house: House) -> None:
    """Another process has deferred this press silently, so Discord gives what was pressed."""
    lost = Pressed()
    lost.response.send_message.side_effect = refusal(400, 40060)
    lost.original.side_effect = None
    lost.original.return_value = original(8)
    await serving.serve(house, lost.it, giving(Reply(page=HAND, panel=PANEL, in_place=False)))
    assert private_hands(house) == []


async def test_a_private_hand_that_was_perhaps_changed_is_changed_once_more(house: House) -> None:
    """Row 26: at version 0 it is behind."""
    pressed = Pressed(ephemeral=True)
    pressed.response.edit_message.side_effect = refusal(500)
    await serving.serve(house, pressed.it, giving(Reply(page=HAND, panel=PANEL)))
    assert private_hands(house) == [(8, 0)]
    assert pressed.original.await_count == 0


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("on_table", [False, True], ids=["typed", "pressed at the table"])
async def test_a_private_hand_that_was_perhaps_put_after_a_deferral_is_put_there_again(
    house: House, on_table: bool
) -> None:
    """Row 26: after a press it is a message of its own, which nothing finds."""
    late = Pressed(on_message=on_table)
    late.edit_original.side_effect = late.follow_up.side_effect = refusal(500)
    late.original.side_effect = None
    late.original.return_value = original(12, ephemeral=True, loading=True)
    await serving.serve(house, late.it, slowly(Reply(page=HAND, panel=PANEL, in_place=False)))
    assert private_hands(house) == ([] if on_table else [(12, 0)])


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
    with time_machine.travel(datetime.now(UTC) + LASTS):
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
