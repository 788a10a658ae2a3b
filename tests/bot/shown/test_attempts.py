"""A message that Discord may have taken, though it isn't noted where, stands once all the same.

Faults.md, rows 2 and 11.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from bot.mail.post import ChannelGone, NotAllowed, TryLater, Undelivered
from bot.shown import attempts, upkeep
from bot.shown.attempts import Attempts
from db.ids import MatchId, MessageId
from db.rows import TABLE_SEAT, ShownKind, ShownRow
from db.shown import Shown
from tests.bot.playing import LOUNGE, TO_ADA, A, House, turns

pytestmark = pytest.mark.usefixtures("only_changes_try_again")


@pytest.fixture
def only_changes_try_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upkeep, "FIRST_RETRY", timedelta(hours=1))


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
    assert (house.discord.acts(LOUNGE), table.version) == (["send", "send", "edit"], 3)


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
    house.discord.failing["send", LOUNGE] = [NotAllowed("50013")]
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
    await house.showing.hand_shown(match, A, TO_ADA, pressed, 4)
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
    await house.showing.hand_shown(match, A, TO_ADA, old.message_id, 4)
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
    tried = Attempts(lambda: now[0])

    def fails(error: Exception) -> None:
        with pytest.raises(type(error)), tried.attempt(table, *place):
            raise error

    fails(TryLater("503"))
    now[0] += attempts.KEPT_FOR
    assert tried.is_open(match, *place)
    fails(ValueError())
    now[0] += attempts.KEPT_FOR
    fails(NotAllowed("50013"))
    assert tried.is_open(match, *place)
    now[0] += attempts.KEPT_FOR + timedelta(seconds=1)
    assert not tried.is_open(match, *place)
    fails(TryLater("503"))
    fails(ChannelGone("10003"))
    assert not tried.is_open(match, *place), "and with the channel whatever stood there"
