"""Answers that come too late, or of which Discord's word is lost (faults.md, rows 2, 6 and 26)."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from unittest.mock import AsyncMock, NonCallableMagicMock

import aiohttp
import discord
import pytest
from structlog.testing import capture_logs

from bot import metrics
from bot.front import serving
from bot.front.courier import Landed
from bot.front.reply import Reply
from bot.house import House
from bot.ui.page import Page
from tests.bot.front.pressed import HAND, MATCH, PANEL, Pressed, changed, giving, slowly
from tests.bot.mail.test_post import refusal
from tests.bot.playing import until


def landed() -> Landed:
    """What the courier says of an answer that arrived at an attempt of which nobody heard."""
    said = refusal(400, 40060)
    return Landed(said.response, {"code": 40060, "message": "already"})


def counted(fate: str) -> float:
    """How many presses ended in this way, by the figures."""
    labels = {"kind": "component", "fate": fate}
    return metrics.registry.get_sample_value("ginhouse_interactions_total", labels) or 0


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
    """A 500 after the work was done: the courier asks again and hears 40060."""
    pressed = Pressed(on_message=False)
    pressed.response.defer.side_effect = landed()
    with capture_logs() as logs:
        await serving.serve(house, pressed.it, slowly(Reply(page=HAND)))
    assert pressed.asked == ["defer", "edit original"]
    assert [line["log_level"] for line in logs] == ["info"]


@pytest.mark.usefixtures("impatient")
async def test_what_another_process_has_deferred_is_left_to_it(house: House) -> None:
    """Row 3: what it answers isn't written over."""
    pressed = Pressed(on_message=False)
    pressed.response.defer.side_effect = refusal(400, 40060)
    with capture_logs() as logs:
        await serving.serve(house, pressed.it, slowly(Reply(page=HAND, changed=MATCH)))
    assert pressed.asked == ["defer"]
    assert [(line["log_level"], line["event"]) for line in logs] == [
        ("warning", "answered already")
    ]
    assert changed(house) == [MATCH]


async def test_an_answer_that_arrived_unheard_is_as_good_as_any_other(house: House) -> None:
    """Row 2: it's no warning, is counted apart, and where it stands is known."""
    reply, told = asking_where()
    pressed = Pressed()
    pressed.it.type = discord.InteractionType.component
    pressed.response.send_message.side_effect = landed()
    pressed.original.side_effect = None
    pressed.original.return_value = original(12)
    before = counted("landed"), counted("answered"), counted("too_late")
    with capture_logs() as logs:
        await serving.serve(house, pressed.it, giving(reply))
    assert told == [(6, 12)]
    assert (counted("landed"), counted("answered"), counted("too_late")) == (
        before[0] + 1,
        before[1],
        before[2],
    )
    assert [(line["log_level"], line["event"]) for line in logs] == [
        ("info", "answer arrived unheard")
    ]


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("unheard", [landed(), refusal(400, 40060), TimeoutError()])
async def test_where_a_deferral_arrived_unheard_the_answer_still_comes(
    house: House, unheard: Exception
) -> None:
    """Of the deferral and the answer nothing is heard, or 40060: it's the deferral that stands."""
    reply, told = asking_where()
    pressed = Pressed(direct=True)
    pressed.response.defer.side_effect = aiohttp.ServerDisconnectedError()
    pressed.response.edit_message.side_effect = unheard
    await serving.serve(house, pressed.it, slowly(replace(reply, panel=PANEL)))
    assert pressed.asked == ["defer", "edit", "edit original"]
    assert told == [(6, 8)]


@pytest.mark.usefixtures("impatient")
async def test_an_answer_that_arrived_unheard_after_a_deferral_that_did_not_is_given_once(
    house: House,
) -> None:
    """Row 26: a private hand that stands twice is kept true once."""
    pressed = Pressed()
    pressed.response.defer.side_effect = refusal(429)
    pressed.response.send_message.side_effect = landed()
    pressed.original.side_effect = None
    pressed.original.return_value = original(12, ephemeral=True)
    my_hand = Reply(page=HAND, panel=PANEL, in_place=False)
    await serving.serve(house, pressed.it, slowly(my_hand))
    assert pressed.asked == ["defer", "send"]
    assert private_hands(house) == [(12, 4)]


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("on_message", [True, False], ids=["pressed", "typed"])
@pytest.mark.parametrize("answered", [True, False], ids=["the answer", "the deferral"])
async def test_which_of_deferral_and_answer_arrived_unheard_is_asked(
    house: House, on_message: bool, answered: bool
) -> None:
    """Row 26. A deferral leaves the pressed message, or one that is loading."""
    pressed = Pressed(on_message=on_message)
    pressed.response.defer.side_effect = aiohttp.ServerDisconnectedError()
    pressed.response.send_message.side_effect = landed()
    pressed.original.side_effect = None
    number = 12 if answered or not on_message else 8
    pressed.original.return_value = original(number, loading=not on_message and not answered)
    reply, told = asking_where()
    await serving.serve(house, pressed.it, slowly(reply))
    again = ["follow up"] if on_message else ["edit original", "follow up"]
    assert pressed.asked == ["defer", "send", *([] if answered else again)]
    assert told == [(6, 12 if answered else 10)]


@pytest.mark.parametrize("code", [10003, 10004, 10008])
async def test_an_answer_whose_place_was_deleted_meanwhile_is_one_warning(
    house: House, code: int
) -> None:
    """Row 13: no apology could stand there either."""
    pressed = Pressed(on_message=False)
    pressed.response.send_message.side_effect = refusal(404, code)
    with capture_logs() as logs:
        await serving.serve(house, pressed.it, giving(Reply(page=HAND, changed=MATCH)))
    assert pressed.asked == ["send"]
    assert [(line["log_level"], line["code"]) for line in logs] == [("warning", code)]
    assert changed(house) == [MATCH]


async def test_an_answer_at_the_end_of_the_process_is_one_warning(house: House) -> None:
    pressed = Pressed(on_message=False)
    pressed.response.send_message.side_effect = RuntimeError("Session is closed")
    with capture_logs() as logs:
        await serving.serve(house, pressed.it, giving(Reply(page=HAND, changed=MATCH)))
    assert [(line["log_level"], line["event"]) for line in logs] == [
        ("warning", "answer not delivered")
    ]


async def test_a_private_hand_whose_change_arrived_unheard_is_known_to_be_there(
    house: House,
) -> None:
    """Row 26: at its version, so that it isn't changed once more for nothing."""
    pressed = Pressed(ephemeral=True)
    pressed.response.edit_message.side_effect = landed()
    pressed.original.side_effect = None
    pressed.original.return_value = original(8, ephemeral=True)
    await serving.serve(house, pressed.it, giving(Reply(page=HAND, panel=PANEL)))
    assert private_hands(house) == [(8, 4)]


async def test_a_private_hand_that_arrived_unheard_and_cannot_be_asked_for_is_changed_once_more(
    house: House,
) -> None:
    pressed = Pressed(ephemeral=True)
    pressed.response.edit_message.side_effect = landed()
    await serving.serve(house, pressed.it, giving(Reply(page=HAND, panel=PANEL)))
    assert private_hands(house) == [(8, 0)]


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
    assert changed(house) == [MATCH], "and once is enough"


@pytest.mark.usefixtures("impatient")
async def test_what_an_act_changed_is_shown_while_its_deferral_is_still_on_its_way(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Row 2: the others see it then, but no answer comes before the deferral's fate is known."""
    monkeypatch.setattr(serving, "SHOWN_WITHIN", timedelta(0))
    pressed = Pressed(direct=True)
    arrives = asyncio.Event()

    async def deferred(**_: object) -> None:
        await arrives.wait()

    pressed.response.defer.side_effect = deferred
    work = slowly(Reply(page=HAND, changed=MATCH))
    served = asyncio.create_task(serving.serve(house, pressed.it, work))
    await until(lambda: changed(house) == [MATCH])
    assert pressed.asked == ["defer"]
    closing = asyncio.create_task(house.door.close())
    await asyncio.sleep(0)
    assert not closing.done()
    arrives.set()
    await served
    await closing
    assert pressed.asked == ["defer", "edit original"]
    assert changed(house) == [MATCH]


async def test_what_an_act_changed_is_not_held_up_by_its_pictures(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "SHOWN_WITHIN", timedelta(0))
    drawn = asyncio.Event()

    async def draw(_page: Page, *, urgent: bool) -> list[discord.File]:
        await drawn.wait()
        return []

    monkeypatch.setattr("bot.mail.easel.draw", draw)
    pressed = Pressed(direct=True)
    work = giving(Reply(page=HAND, changed=MATCH))
    served = asyncio.create_task(serving.serve(house, pressed.it, work))
    await until(lambda: changed(house) == [MATCH])
    drawn.set()
    await served
    assert pressed.asked == ["edit"]
    assert changed(house) == [MATCH]


async def test_what_an_act_changed_is_shown_also_where_its_answer_is_given_up(
    house: House,
) -> None:
    """At the end of the process, say."""
    pressed = Pressed(direct=True)
    pressed.response.edit_message.side_effect = asyncio.CancelledError
    with pytest.raises(asyncio.CancelledError):
        await serving.serve(house, pressed.it, giving(Reply(page=HAND, changed=MATCH)))
    assert changed(house) == [MATCH]


@pytest.mark.usefixtures("impatient")
async def test_an_answer_after_a_deferral_of_which_nothing_is_heard_is_waited_for_no_longer(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """discord.py alone would wait for five minutes, and everybody inside the door with it."""
    monkeypatch.setattr("bot.mail.post.SENDING_TAKES_AT_MOST", timedelta(0))
    pressed = Pressed(direct=True)

    async def silence(**_: object) -> None:
        await asyncio.Event().wait()

    pressed.edit_original.side_effect = silence
    with capture_logs() as logs:
        async with asyncio.timeout(10):
            await serving.serve(house, pressed.it, slowly(Reply(page=HAND, changed=MATCH)))
    assert pressed.asked == ["defer", "edit original"]
    assert [(line["log_level"], line["error"]) for line in logs] == [("warning", "TimeoutError")]
    assert changed(house) == [MATCH]


async def test_a_control_whose_message_was_deleted_is_answered_by_a_new_one(house: House) -> None:
    """Row 12."""
    pressed = Pressed(direct=True)
    pressed.response.edit_message.side_effect = refusal(404, 10008)
    await serving.serve(house, pressed.it, giving(Reply(page=HAND)))
    assert pressed.asked == ["send", "edit"]


async def test_where_an_answer_stands_is_told_or_that_it_stands_nowhere(house: House) -> None:
    reply, told = asking_where()
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


def asking_where() -> tuple[Reply, list[object]]:
    """A public answer, and what it is told of where it stands."""
    told: list[object] = []

    async def delivered(*place: object) -> None:
        told.append(place)

    async def undelivered() -> None:
        told.append("nowhere")

    reply = Reply(page=HAND, public=True, delivered=delivered, undelivered=undelivered)
    return reply, told


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


@pytest.mark.parametrize("error", [refusal(500), landed(), ConnectionResetError()])
async def test_a_private_hand_of_which_discords_word_was_lost_is_kept_true_all_the_same(
    house: House, error: Exception
) -> None:
    """Row 26: exposed cards may be on it. It landed where a later attempt hears 40060."""
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
