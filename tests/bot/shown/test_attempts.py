"""A message that Discord may have taken, though it isn't noted where, stands once all the same.

Faults.md, rows 2 and 11.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
import time_machine
from structlog.testing import capture_logs

from bot.mail.post import ChannelGone, MessageGone, NotAllowed, TryLater, Undelivered
from bot.shown import attempts, upkeep
from bot.shown.attempts import Attempts
from db.ids import MatchId, MessageId
from db.rows import TABLE_SEAT, ShownKind, ShownRow
from db.shown import Shown
from tests.bot.playing import LOUNGE, REFUSED, TO_ADA, TO_BEN, A, B, House, turns, until

pytestmark = pytest.mark.usefixtures("only_changes_try_again")


@pytest.fixture
def only_changes_try_again(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(upkeep, "FIRST_RETRY", timedelta(hours=1))
    with capture_logs():  # of each failure a page would be written
        yield


def fails_once(monkeypatch: pytest.MonkeyPatch, which: Callable[[ShownRow], bool]) -> None:
    """Let the database fail when a message is noted, the first time."""
    put, failed = Shown.put, list[ShownRow]()

    async def once(self: Shown, row: ShownRow) -> None:
        if which(row) and not failed:
            failed.append(row)
            raise TimeoutError
        await put(self, row)

    monkeypatch.setattr(Shown, "put", once)


def standing(house: House, place: int) -> set[MessageId]:
    """The messages that stand in a place: sent there, and not deleted."""
    here = [request for request in house.discord.sent if request.channel == place]
    deleted = {request.message for request in here if request.act == "delete"}
    return {request.message for request in here if request.act == "send"} - deleted


async def test_a_table_that_could_not_be_noted_stands_once_though_the_match_went_on(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    fails_once(monkeypatch, lambda row: row.kind is ShownKind.TABLE)
    match = await house.match()
    await house.shows(match)
    await house.shows(match, "B pass")
    table = await house.table(match)
    assert standing(house, LOUNGE) == {table.message_id}
    assert (house.discord.acts(LOUNGE), table.version) == (["send", "edit"], 3)


async def test_a_hand_that_could_not_be_noted_stands_once_though_its_owner_played_on(
    house: House, match: MatchId, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hand before it is noted still, and would be edited before his eyes."""
    fails_once(monkeypatch, lambda row: row.kind is ShownKind.HAND and row.seat == A)
    await house.shows(match, "B pass")
    await house.shows(match, "A pass")
    hand = await house.hand(match, A)
    assert standing(house, TO_ADA) == {hand.message_id}
    assert hand.version == 4


@pytest.mark.parametrize("later", [NotAllowed("50013"), TryLater("503")], ids=["no", "later"])
async def test_what_may_have_come_before_a_refusal_is_found_after_it(
    house: House, later: Undelivered
) -> None:
    match = await house.match()
    house.discord.failing["send", LOUNGE] = [TryLater("no answer"), later]
    await house.shows(match)
    await house.shows(match, "B pass")
    await house.shows(match, "A pass")
    names = [one.once or "" for one in house.discord.sent if one.channel == LOUNGE and one.once]
    assert [name.split(".")[-1] for name in names] == ["2"]


async def test_what_discord_refused_at_once_goes_by_a_new_name(house: House) -> None:
    match = await house.match()
    house.discord.failing["send", LOUNGE] = [
        NotAllowed("50013")
    ] * 2  # once more as the hands tell it
    await house.shows(match)
    await house.shows(match, "B pass")
    names = [one.once or "" for one in house.discord.sent if one.channel == LOUNGE and one.once]
    assert [name.split(".")[-1] for name in names] == ["3"]


async def test_a_hand_that_is_noted_is_not_taken_for_the_next_one(
    house: House, match: MatchId, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the one before it was deleted, and that could not be noted."""

    async def fail(*_: object) -> None:
        raise TimeoutError

    first = await house.hand(match, A)
    with monkeypatch.context() as failing:
        failing.setattr(house.showing._notes, "deleted", fail)
        await house.shows(match, "B pass", ago=timedelta(minutes=10))
    second = await house.hand(match, A)
    await house.shows(match, "A pass", *next(turns()), ago=timedelta(minutes=10))
    third = await house.hand(match, A)
    assert len({first.message_id, second.message_id, third.message_id}) == 3


async def test_a_hand_that_came_to_light_when_it_was_pressed_is_not_taken_for_the_next_one(
    house: House, match: MatchId, monkeypatch: pytest.MonkeyPatch
) -> None:
    fails_once(monkeypatch, lambda row: row.kind is ShownKind.HAND and row.seat == A)
    await house.shows(match, "B pass", ago=timedelta(minutes=10))
    (pressed,) = standing(house, TO_ADA) - {(await house.hand(match, A)).message_id}
    await house.acted(match, "A pass", ago=timedelta(minutes=10))
    await house.showing.hand_shown(match, A, TO_ADA, pressed, 4, pressed=True)
    await house.shows(match, *next(turns()), ago=timedelta(minutes=10))
    hand = await house.hand(match, A)
    assert hand.message_id != pressed
    assert standing(house, TO_ADA) == {hand.message_id}


async def test_an_old_hand_that_is_pressed_meanwhile_and_shows_everything_does_not_stay_beside_it(
    house: House, match: MatchId, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer to the press notes the old message at the newest version: nothing is due."""
    old = await house.hand(match, A)
    fails_once(monkeypatch, lambda row: row.kind is ShownKind.HAND and row.seat == A)
    await house.shows(match, "B pass", ago=timedelta(minutes=10))
    await house.acted(match, "A pass")
    await house.showing.hand_shown(match, A, TO_ADA, old.message_id, 4, pressed=True)
    await house.shows(match)
    hand = await house.hand(match, A)
    assert hand.message_id != old.message_id
    assert hand.version == 4
    assert ("delete", old.message_id) in house.discord.done(TO_ADA)
    assert standing(house, TO_ADA) == {hand.message_id}


async def test_a_name_is_kept_as_long_as_discord_may_know_it(house: House, match: MatchId) -> None:
    table = await house.tables.load(match)
    assert table is not None
    now = [datetime(2026, 1, 1, tzinfo=UTC)]
    place = ShownKind.TABLE, TABLE_SEAT, LOUNGE
    lost = list[object]()
    tried = Attempts(lambda: now[0], lambda *which: lost.append(which))

    def fails(error: Exception) -> None:
        with pytest.raises(type(error)), tried.attempt(table, place, None):
            raise error

    fails(TryLater("503"))
    now[0] += attempts.KEPT_FOR
    assert tried.is_open(match, place)
    fails(ValueError())
    now[0] += attempts.KEPT_FOR
    fails(NotAllowed("50013"))
    assert tried.is_open(match, place)
    assert lost == []
    now[0] += attempts.KEPT_FOR + timedelta(seconds=1)
    assert not tried.is_open(match, place)
    assert lost == [(match, place, None)], "it may stand there"
    fails(TryLater("503"))
    fails(ChannelGone("10003"))
    assert not tried.is_open(match, place), "and with the channel whatever stood there"


async def test_what_was_deleted_is_not_taken_for_what_comes_in_its_place(
    house: House, match: MatchId
) -> None:
    """Discord gives that one to whom uses its name again, for some minutes."""
    before = await house.table(match)
    house.discord.failing["edit", LOUNGE] = [MessageGone("10008")]
    house.showing.in_doubt(match)
    await house.showing.settle()
    now = await house.table(match)
    assert (before.version, now.version) == (2, 2)
    assert now.message_id != before.message_id


async def test_of_two_hands_that_are_pressed_one_after_the_other_one_is_left(
    house: House, match: MatchId
) -> None:
    """The second was being deleted already; the hand is sent anew, under another name."""
    first = await house.hand(match, B)
    house.discord.failing["delete", TO_BEN] = [TryLater("503")]
    await house.shows(match, *REFUSED, ago=timedelta(minutes=10))
    second = await house.hand(match, B)
    assert first.message_id != second.message_id

    def deleting(count: int) -> bool:
        return house.discord.begun.count(("delete", TO_BEN)) == count

    held = house.discord.held["delete", TO_BEN] = asyncio.Event()
    house.discord.begun.clear()
    presses = []
    for row, deletions in ((first, 1), (second, 2)):
        pressed = house.showing.hand_shown(match, B, TO_BEN, row.message_id, 4, pressed=True)
        presses.append(asyncio.create_task(pressed))
        await until(partial(deleting, deletions))
    held.set()
    await asyncio.gather(*presses)
    await house.showing.settle()
    assert house.discord.live(TO_BEN) == {(await house.hand(match, B)).message_id}


async def test_a_new_answer_is_not_taken_for_the_hand_that_came_unheard(
    house: House, match: MatchId
) -> None:
    await house.shows(match, "B pass", ago=timedelta(minutes=10))
    house.discord.failing["send", TO_BEN] = [TryLater("answer lost")]
    await house.shows(match, "A pass", ago=timedelta(minutes=10))
    typed = MessageId(max(house.discord.live(TO_BEN)) + 1)  # `/gin hand`
    await house.showing.hand_shown(match, B, TO_BEN, typed, 4)
    await house.shows(match, *next(turns()), ago=timedelta(minutes=10))
    assert house.discord.live(TO_BEN) == {(await house.hand(match, B)).message_id}


async def test_while_the_note_fails_nothing_is_posted_again_however_long_that_takes(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a full disk, say: Discord has forgotten the name by then."""

    async def full(*_: object) -> None:
        raise TimeoutError

    with time_machine.travel(datetime.now(UTC), tick=False) as clock:
        match = await house.match()
        with monkeypatch.context() as disk:
            disk.setattr(Shown, "put", full)
            for _ in range(4):
                await house.shows(match)
                house.discord._named.clear()
                clock.shift(timedelta(minutes=5))
        await house.shows(match, "B pass")
    for place in (LOUNGE, TO_BEN):
        assert house.discord.acts(place).count("send") == 1
    assert (await house.table(match)).version == 3


async def test_what_came_unheard_so_long_ago_that_its_name_is_forgotten_goes(
    house: House,
) -> None:
    with time_machine.travel(datetime.now(UTC), tick=False) as clock:
        match = await house.match()
        house.discord.failing["send", LOUNGE] = [TryLater("answer lost")]
        await house.shows(match)
        house.discord._named.clear()
        clock.shift(timedelta(minutes=5))
        await house.shows(match)
    table = await house.table(match)
    assert house.discord.live(LOUNGE) == {table.message_id}
    assert house.discord.acts(LOUNGE) == ["send", "look", "delete"]
