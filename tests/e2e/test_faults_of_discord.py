"""Discord's bad days, and what people see of them: answers late, lost, doubled; old controls.

Each docstring names the row of faults.md.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from datetime import timedelta

import pytest

from bot.front import serving
from db.store import Store, Transaction
from playground.acting.people import NotSeen, buttons, text_of
from playground.errors import Code
from playground.state.interactions import CallbackType
from tests.e2e.acting import ByButtons, ByTyping
from tests.e2e.fates import all_is_shown, hand_of, lay_a_deal, listening, sit_down, table_of
from tests.e2e.room import Room

CALLBACK = "POST */callback"
SEND = "POST /channels/*/messages"
EDIT = "PATCH /channels/*/messages/*"


# ------------------------------------------------------------------------------- slow


@pytest.fixture
def slow_database(monkeypatch: pytest.MonkeyPatch) -> None:
    """A database that takes its time, and a house that waits little before it defers."""
    for patience in ("ANSWER_WITHIN", "OPEN_FORM_WITHIN"):
        monkeypatch.setattr(serving, patience, timedelta(milliseconds=20))
    for name in ("transaction", "reading"):
        monkeypatch.setattr(Store, name, _slowly(getattr(Store, name)))


Opened = Callable[..., AbstractAsyncContextManager[Transaction]]


def _slowly(real: Opened) -> Opened:
    @asynccontextmanager
    async def slow(store: Store, **named: bool) -> AsyncIterator[Transaction]:
        await asyncio.sleep(0.04)
        async with real(store, **named) as tx:
            yield tx

    return slow


async def test_whatever_takes_long_is_deferred_and_then_answered(
    room: Room, monkeypatch: pytest.MonkeyPatch, slow_database: None
) -> None:
    """Row 2, by command, button on a panel, on the table and on a challenge, select and modal."""
    room.decks.cut("KD", "7H")
    room.decks.deal(
        non_dealer="2S 3S 4S 9H 9D 9C JC QC KC 5D",
        dealer="AS AH AD 6C 7C 8C TD JD QD KH",
        starter="5C",
        stock="8H 8D",
    )
    challenge = await room.ada.slash(room.table, "gin challenge", opponent=room.ben)
    assert challenge.interaction.callback_type is CallbackType.DEFERRED_MESSAGE
    await room.settled()
    (public,) = room.ben.pings(room.table)  # a message of its own: an edit wouldn't ping
    accepted = await room.ben.press(public, "Accept")
    assert accepted.deferred
    await room.settled()
    assert "sit down" in text_of(public)
    assert buttons(public) == []

    panel = await room.ben.panel("Pass", room.ben.dm())
    passed = await room.ben.press(panel, "Pass")
    assert passed.interaction.callback_type is CallbackType.DEFERRED_UPDATE
    await room.settled()
    assert "Waiting for Ada" in text_of(panel)

    passed = await room.ada.press(await table_of(room), "Pass")
    assert passed.interaction.callback_type is CallbackType.DEFERRED_UPDATE
    await room.settled()
    (own,) = passed.messages
    assert own.ephemeral
    assert "Waiting for Ben" in text_of(own)

    drawn = await room.ben.slash(room.table, "gin draw", pile="stock")
    assert drawn.interaction.callback_type is CallbackType.DEFERRED_MESSAGE
    assert drawn.ephemeral
    await room.settled()
    panel = await hand_of(room, 1)
    await room.ben.press(panel, "Knock")
    await room.settled()
    late = await room.ben.press(panel, "Arrange it myself")
    await room.settled()
    assert late.modal is None
    assert "press it once more" in late.text
    assert "Arrange it myself" in buttons(panel)  # the panel is still there

    with monkeypatch.context() as in_time:
        for bound in ("ANSWER_WITHIN", "OPEN_FORM_WITHIN"):
            in_time.setattr(serving, bound, timedelta(seconds=60))
        form = await room.ben.press(panel, "Arrange it myself")
    asked = await room.ben.submit(
        form, {"Discard": "8h", "Melds": "2s 3s 4s / 9h 9d 9c / jc qc kc"}
    )
    assert asked.deferred
    await room.settled()
    knocked = await room.ben.press(panel, "Knock with 5")
    assert knocked.deferred
    await room.settled()
    assert (await room.log())[-1].startswith("B knock 8H")


async def test_an_answer_that_discord_fails_twice_still_comes_in_time(room: Room) -> None:
    """Row 2: by the courier; discord.py's own third attempt would come after four seconds."""
    await sit_down(room)
    failing = room.playground.faults.http_errors(502, CALLBACK, times=2)
    shown = await room.ada.slash(room.table, "gin hand")
    assert failing.times == 0
    assert "Waiting for Ben" in shown.text


# ------------------------------------------------------------------- too late, twice, lost


@contextmanager
def impatient(room: Room) -> Iterator[None]:
    """Let Discord wait for a part of its three seconds only, to save the test the rest."""
    before = room.world.limits.answer_seconds
    room.world.limits.answer_seconds = 0.3
    yield
    room.world.limits.answer_seconds = before


async def test_an_act_counts_whose_answer_comes_after_three_seconds(
    room: Room, caplog: pytest.LogCaptureFixture
) -> None:
    """Row 2: 10062. The table shows it, one warning is logged; a second press shows it, too."""
    await sit_down(room)
    panel = await hand_of(room, 1)
    before = list(panel.components)
    with listening(caplog) as said:
        with impatient(room):
            room.playground.faults.slow(0.5, CALLBACK, times=1)
            pressed = await room.ben.press(panel, "Pass")
        assert pressed.failed
        await all_is_shown(room)
    assert await room.log() == (*(await room.log())[:2], "B pass")
    assert said.codes == [10062]
    assert said.tracebacks == []
    assert "Waiting for Ada" in text_of(panel)  # edited by the bot instead
    panel.components = before  # the old picture on another device
    again = await room.ben.press(panel, "Pass")
    assert "an earlier moment" not in again.text, "it was his own act, a moment ago"
    assert "Waiting for Ada" in again.text


async def test_an_act_counts_whose_answer_is_refused_as_a_second_one(
    room: Room, caplog: pytest.LogCaptureFixture
) -> None:
    """Row 3: 40060, by command and by select."""
    await sit_down(room)
    room.playground.faults.refuse(CALLBACK, Code.ALREADY_ACKNOWLEDGED, times=1)
    with listening(caplog) as said, impatient(room):
        await room.ben.slash(room.table, "gin draw", pile="discard")
        await all_is_shown(room)
        assert said.codes == [40060]
        room.playground.faults.refuse(CALLBACK, Code.ALREADY_ACKNOWLEDGED, times=1)
        await room.ben.choose(await hand_of(room, 1), "KC")
        shown = await all_is_shown(room)
    assert said.codes == [40060, 40060]
    assert said.tracebacks == []
    assert (await room.log())[2:] == ("B draw discard", "B discard KC")
    assert "K♣" in shown


async def test_an_act_counts_whose_answer_is_lost(
    room: Room, caplog: pytest.LogCaptureFixture
) -> None:
    """Row 2: the connection breaks, after Discord took the answer, or before."""
    await sit_down(room)
    with listening(caplog) as said:
        room.playground.faults.drop_answers(CALLBACK, after=True, times=1)
        await room.ben.press(await hand_of(room, 1), "Pass")
        await all_is_shown(room)
        assert "Waiting for Ada" in text_of(await hand_of(room, 1))
        with impatient(room):
            room.playground.faults.drop_answers(CALLBACK, after=False, times=1)
            await room.ada.press(await hand_of(room, 0), "Pass")
        await all_is_shown(room)
    assert (await room.log())[2:] == ("B pass", "A pass")
    assert said.tracebacks == []
    assert "Waiting for Ben" in text_of(await hand_of(room, 0))
    assert "Draw from stock" in buttons(await hand_of(room, 1))


async def test_suggestions_that_come_too_late_are_one_warning(
    room: Room, caplog: pytest.LogCaptureFixture
) -> None:
    """Row 2: autocompletion is answered by discord.py, which would log a fault."""
    await sit_down(room)
    room.playground.faults.refuse(CALLBACK, Code.UNKNOWN_INTERACTION, times=1)
    with listening(caplog) as said, impatient(room), pytest.raises(NotSeen):
        await room.ben.autocomplete(room.table, "gin discard", focused="card")
    await room.settled()
    assert said.tracebacks == []
    assert [record.levelname for record in caplog.records] == ["WARNING"]


async def test_a_challenge_whose_answer_is_too_late_is_posted_all_the_same(room: Room) -> None:
    """Row 2: else nobody sees it, and it stands in the way of the next for an hour."""
    room.playground.faults.refuse(CALLBACK, Code.UNKNOWN_INTERACTION, times=1)
    with impatient(room):
        await room.ada.slash(room.table, "gin challenge", opponent=room.ben)
    await room.settled()
    (challenge,) = room.ben.pings(room.table)
    assert challenge.author is room.world.bot

    room.playground.faults.refuse(CALLBACK, Code.UNKNOWN_INTERACTION, times=1)
    with impatient(room):
        await room.ben.press(challenge, "Accept")
    await all_is_shown(room)
    assert "sit down" in text_of(challenge)
    assert buttons(challenge) == []


async def test_a_challenge_that_only_looks_open_says_what_became_of_it_when_pressed(
    room: Room,
) -> None:
    """Row 9: the answer that settled it was lost, and so was the repair."""
    challenge = await room.ada.slash(room.table, "gin challenge", opponent=room.ben)
    message = challenge.message
    assert message is not None
    before = list(message.components)
    await room.ben.press(message, "Decline")
    message.components = before
    await room.ben.press(message, "Accept")
    assert "declined" in text_of(message)
    assert buttons(message) == []


async def test_a_double_click_acts_once(room: Room) -> None:
    """Row 6: at once, one after another with the same control, and typed beside it."""
    await sit_down(room)
    panel = await hand_of(room, 1)
    answers = await asyncio.gather(
        room.ben.press(panel, "Pass"),
        room.ben.press(panel, "Pass"),
        room.ben.press(await table_of(room), "Pass"),
    )
    assert not any(answer.failed for answer in answers)
    await all_is_shown(room)
    assert (await room.log())[2:] == ("B pass",)
    said = [answer.text for answer in answers if "an earlier moment" in answer.text]
    assert said
    assert all("Waiting for Ada" in text for text in said)  # with the present hand


async def test_an_interaction_that_is_delivered_twice_acts_once(
    room: Room, caplog: pytest.LogCaptureFixture
) -> None:
    """Row 6: with the same id, at once, later, and after a restart."""
    await sit_down(room)
    with listening(caplog) as said:
        room.playground.faults.twice_rate = 1.0
        passed = await room.ben.press(await hand_of(room, 1), "Pass")
        room.playground.faults.clear()
        room.playground.faults.redeliver(passed.interaction)
        await room.cleo.slash(room.table, "gin help")  # it comes after them
        await all_is_shown(room)
        assert said.codes == []
        await room.ada.slash(room.table, "gin pass")
        drawn = await room.ben.slash(room.table, "gin draw", pile="stock")
        await all_is_shown(room)
        await room.restart()
        sent = len(room.playground.sent.of(CALLBACK))
        room.playground.faults.redeliver(drawn.interaction)
        await room.ben.until(lambda: len(room.playground.sent.of(CALLBACK)) > sent)
        await all_is_shown(room)
    assert (await room.log())[2:] == ("B pass", "A pass", "B draw stock")
    assert said.codes == [40060]
    assert said.tracebacks == []


async def test_a_hand_in_which_everything_is_delivered_twice_is_played_once(room: Room) -> None:
    """Row 6: command, button, select and form, from the challenge to the lay-off."""
    room.playground.faults.twice_rate = 1.0
    lay_a_deal(room)
    await room.begin()
    ada, ben = ByButtons(room, room.ada), ByButtons(room, room.ben)
    await ben.refuse()
    await ByTyping(room, room.ada).refuse()
    await ben.draw("stock")
    await ben.discard("8H")
    await ByTyping(room, room.ada).draw("stock")
    await ada.discard("8D")
    await ben.draw("stock")
    await ben.knock("KS", "2s 3s 4s / 9h 9d 9c / jc qc kc")
    await ada.lay_off(cards="none")
    acts = [line.split()[:2] for line in (await room.log())[2:-1]]
    assert acts == [
        *(["B", "pass"], ["A", "pass"], ["B", "draw"], ["B", "discard"], ["A", "draw"]),
        *(["A", "discard"], ["B", "draw"], ["B", "knock"], ["A", "layoff"]),
    ]
    assert await room.log(2) == ()


async def test_a_challenge_whose_answer_arrived_unheard_stands_once(room: Room) -> None:
    """Row 2: the line breaks after Discord took it; a second one would call again."""
    place = room.ada.channel(room.table)
    room.playground.faults.permission(room.world.bot, place, "read_message_history", False)
    room.playground.faults.drop_answers(CALLBACK, after=True, times=1)
    await room.ada.slash(room.table, "gin challenge", opponent=room.ben)
    await room.settled()
    (challenge,) = room.ben.pings(room.table)
    await room.ben.press(challenge, "Accept")
    await all_is_shown(room)
    assert "sit down" in text_of(challenge)


# --------------------------------------------------------------------- old and unknown controls


async def test_an_old_control_says_so_and_shows_the_present_hand(room: Room) -> None:
    """Row 7: and the message in which it was pressed becomes the living one."""
    await sit_down(room)
    old = await hand_of(room, 0)
    before = list(old.components)
    await room.ben.press(await hand_of(room, 1), "Pass")
    await all_is_shown(room)
    living = await hand_of(room, 0)
    assert living is not old  # a turn comes by a new message
    assert old.deleted
    stale = await room.ada.forge(living, "gin:pass:1:2")
    assert "an earlier moment" in stale.text
    assert "Pass" in buttons(living)
    assert before != living.components
    async with room.unchanged():
        elsewhere = await room.ada.forge(living, "gin:pass:99:2")
        assert "doesn't exist" in elsewhere.text


async def test_no_id_whatever_gets_silence(room: Room) -> None:
    """Row 9: button, select and modal; in a channel and in direct messages."""
    strange = ("gin", "gin:pass", "gin:fly:1:2", "gin:pass:x:2", "view:1", "🂡:1:2", "9" * 100)
    for custom_id in strange:
        for answer in (
            await room.cleo.forge(None, custom_id, where=room.table),
            await room.cleo.forge(None, custom_id, ["1"], where=room.cleo),
            await room.cleo.forge_submit(room.table, custom_id, {"melds": "x"}),
        ):
            assert not answer.failed
            assert "another time" in answer.text
