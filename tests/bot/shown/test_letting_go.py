"""What another message replaced, and what is over, goes; also later, after a stop or a kill.

Faults.md, rows 11 and 26. Discord is played here: Ada (seat A) deals, Ben is to act first.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from bot.mail.post import ChannelGone, NotAllowed, TryLater, Undelivered
from bot.shown import leftovers
from db.ids import MatchId, MessageId, ServerId
from db.rows import ShownKind, ShownRow
from tests.bot.playing import BEN, CLUB, LONG_AGO, LOUNGE, TO_ADA, A, B, House, turns, until

# ------------------------------------------------------------------------------- older hands


@pytest.mark.usefixtures("brisk")
async def test_an_older_hand_that_could_not_be_deleted_is_deleted_in_the_end(
    house: House, match: MatchId
) -> None:
    """Row 26: exposed cards may stand on it."""
    before = await house.hand(match, A)
    house.discord.failing["delete", TO_ADA] = [TryLater("503")] * 2
    house.discord.sent.clear()
    await house.shows(match, "B pass")
    await until(lambda: ("delete", before.message_id) in house.discord.done(TO_ADA))


async def leaves_two(house: House, match: MatchId) -> list[MessageId]:
    """Let Discord delete nothing while two newer hands come to Ada; gives the older ones."""
    house.discord.failing["delete", TO_ADA] = [TryLater("503")] * 20
    first = await house.hand(match, A)
    await house.shows(match, "B pass", ago=LONG_AGO)
    second = await house.hand(match, A)
    await house.shows(match, "A pass", *next(turns()), ago=LONG_AGO)
    older = [first.message_id, second.message_id]
    assert (await house.hand(match, A)).message_id not in older
    assert gone(house) == []
    return older


def gone(house: House) -> list[MessageId]:
    """The messages to Ada that were deleted, the oldest first."""
    return sorted(r.message for r in house.discord.sent if (r.act, r.channel) == ("delete", TO_ADA))


@pytest.mark.parametrize("ended", [False, True], ids=["running", "ended"])
async def test_older_hands_that_could_not_be_deleted_are_deleted_after_a_kill(
    house: House, match: MatchId, ended: bool
) -> None:
    """Row 26: exposed cards may stand on them."""
    older = await leaves_two(house, match)
    if ended:
        older.append((await house.hand(match, A)).message_id)
        await house.shows(match, "B resign", ago=LONG_AGO)
    house.discord.failing.clear()
    house.restart()
    await house.showing.restore()
    assert gone(house) == older
    house.discord.sent.clear()
    house.restart()
    await house.showing.restore()
    assert house.discord.sent == []


async def test_an_older_hand_is_deleted_after_a_kill_at_that_very_moment(
    house: House, match: MatchId
) -> None:
    before = await house.hand(match, A)
    house.discord.held["delete", TO_ADA] = asyncio.Event()
    await house.acted(match, "B pass")
    house.showing.changed(match)
    await until(lambda: ("delete", TO_ADA) in house.discord.begun)
    killed, release = house.showing, house.discord.held.pop(("delete", TO_ADA))
    house.restart()
    await house.showing.restore()
    assert gone(house) == [before.message_id]
    release.set()
    await killed.settle()


async def test_older_hands_that_could_not_be_deleted_are_tried_once_more_at_a_stop(
    house: House, match: MatchId
) -> None:
    older = await leaves_two(house, match)
    house.discord.failing.clear()
    await house.showing.close(timedelta(seconds=5))
    assert gone(house) == older


async def test_an_older_hand_that_is_pressed_comes_back_to_life_and_stays(
    house: House, match: MatchId
) -> None:
    first, second = await leaves_two(house, match)
    third = await house.hand(match, A)
    await house.showing.hand_shown(match, A, TO_ADA, first, third.version)
    house.discord.failing.clear()
    await house.shows(match)
    assert gone(house) == [second, third.message_id]


async def test_an_older_hand_that_cannot_be_deleted_is_tried_ever_more_seldom_and_for_a_week(
    house: House, match: MatchId
) -> None:
    def tried() -> int:
        return house.discord.begun.count(("delete", TO_ADA))

    with time_machine.travel(datetime.now(UTC), tick=False) as clock:
        await leaves_two(house, match)
        clock.shift(timedelta(minutes=59))
        await house.shows(match)
        before = tried()
        for later, more in ((1, 2), (59, 0), (1, 2), (7 * 24 * 60, 2)):
            assert len(await old_hands(house, match)) == 2
            clock.shift(timedelta(minutes=later))
            await house.shows(match)
            assert tried() - before == more
            before = tried()
        assert await old_hands(house, match) == []


async def test_an_older_hand_that_discord_refuses_to_delete_is_tried_once_an_hour(
    house: House, match: MatchId
) -> None:
    before = await house.hand(match, A)
    with time_machine.travel(datetime.now(UTC), tick=False) as clock:
        house.discord.failing["delete", TO_ADA] = [NotAllowed("50001")]
        await house.shows(match, "B pass", ago=LONG_AGO)
        clock.shift(timedelta(minutes=59))
        await house.shows(match)
        assert gone(house) == []
        clock.shift(timedelta(minutes=1))
        await house.shows(match)
        assert gone(house) == [before.message_id]


@pytest.mark.parametrize("error", [NotAllowed("50001"), TryLater("503")], ids=["no", "fails"])
@pytest.mark.parametrize("ended", [False, True], ids=["running", "ended"])
@pytest.mark.usefixtures("brisk")
async def test_an_older_hand_that_is_left_alone_is_tried_again_though_nobody_acts(
    house: House, match: MatchId, monkeypatch: pytest.MonkeyPatch, error: Undelivered, ended: bool
) -> None:
    monkeypatch.setattr(leftovers, "TRIED_FOR", timedelta(0))
    monkeypatch.setattr(leftovers, "LEFT_ALONE_FOR", timedelta(milliseconds=20))
    before = await house.hand(match, A)
    house.discord.failing["delete", TO_ADA] = [error] * 3
    await house.shows(match, "B resign" if ended else "B pass", ago=LONG_AGO)
    await until(lambda: gone(house) == [before.message_id])
    await house.showing.close(timedelta(seconds=5))


@pytest.mark.parametrize("ended", [False, True], ids=["running", "ended"])
@pytest.mark.parametrize("how", ["a right", "the server"])
async def test_an_older_table_that_discord_refused_to_delete_goes_when_a_right_is_back(
    house: House, match: MatchId, ended: bool, how: str
) -> None:
    """An admin has moved the match meanwhile, say."""
    older = await leaves_a_table(house, match, NotAllowed("50001"))
    if ended:
        await house.shows(match, "A resign")
    house.discord.failing.clear()
    await house.showing.places.try_again(ServerId(CLUB + 1))  # of no concern
    await house.shows(match)
    assert ("delete", older) not in house.discord.done(LOUNGE)
    if how == "a right":
        await house.showing.places.try_again(CLUB)
    else:
        await house.showing.server_back(CLUB, in_doubt=False)
    await house.showing.settle()
    assert ("delete", older) in house.discord.done(LOUNGE)
    assert ShownKind.OLD not in {kind for kind, _seat in await house.rows(match)}


async def old_hands(house: House, match: MatchId) -> list[ShownRow]:
    """The hands that are noted as such that have to go."""
    return [row for (kind, _), row in (await house.rows(match)).items() if kind is ShownKind.OLD]


# ------------------------------------------------------------------------------ older tables


async def leaves_a_table(house: House, match: MatchId, error: Undelivered) -> MessageId:
    """Let a table come down whose old message Discord doesn't delete; gives that one."""
    before = await house.table(match)
    await house.ages(before)
    house.discord.failing["delete", LOUNGE] = [error] * 20
    await house.shows(match, "B pass")
    assert (await house.table(match)).message_id != before.message_id
    assert ("delete", before.message_id) not in house.discord.done(LOUNGE)
    return before.message_id


@pytest.mark.usefixtures("brisk")
async def test_an_older_table_that_could_not_be_deleted_is_deleted_in_the_end(
    house: House, match: MatchId
) -> None:
    before = await house.table(match)
    await house.ages(before)
    house.discord.failing["delete", LOUNGE] = [TryLater("503")] * 3
    await house.shows(match, "B pass")
    await until(lambda: ("delete", before.message_id) in house.discord.done(LOUNGE))
    await house.showing.settle()
    assert (house.discord.acts(LOUNGE)) == ["send", "send", "delete"], "and is shown no more often"
    assert ShownKind.OLD not in {kind for kind, _seat in await house.rows(match)}


@pytest.mark.parametrize("ended", [False, True], ids=["running", "ended"])
async def test_an_older_table_that_could_not_be_deleted_is_deleted_after_a_kill(
    house: House, match: MatchId, ended: bool
) -> None:
    older = await leaves_a_table(house, match, TryLater("503"))
    if ended:
        await house.shows(match, "A resign")
    house.discord.failing.clear()
    house.restart()
    await house.showing.restore()
    assert [done for done in house.discord.done(LOUNGE) if done[0] == "delete"] == [
        ("delete", older)
    ]
    house.discord.sent.clear()
    house.restart()
    await house.showing.restore()
    assert house.discord.sent == []


async def test_an_older_table_is_deleted_after_a_kill_at_that_very_moment(
    house: House, match: MatchId
) -> None:
    before = await house.table(match)
    await house.ages(before)
    house.discord.held["delete", LOUNGE] = asyncio.Event()
    await house.acted(match, "B pass")
    house.showing.changed(match)
    await until(lambda: ("delete", LOUNGE) in house.discord.begun)
    killed, release = house.showing, house.discord.held.pop(("delete", LOUNGE))
    house.restart()
    await house.showing.restore()
    assert ("delete", before.message_id) in house.discord.done(LOUNGE)
    release.set()
    await killed.settle()


async def test_an_older_table_whose_channel_is_gone_is_looked_after_no_more(
    house: House, match: MatchId
) -> None:
    await leaves_a_table(house, match, ChannelGone("10003"))
    assert ShownKind.OLD not in {kind for kind, _seat in await house.rows(match)}


async def test_a_call_that_could_not_be_deleted_is_deleted_after_a_kill(
    house: House, match: MatchId
) -> None:
    await house.people.closed(BEN)
    await house.shows(match, "B pass", "A pass", ago=LONG_AGO)
    call = (await house.rows(match))[ShownKind.PING, B]
    house.discord.failing["delete", LOUNGE] = [TryLater("503")] * 20
    await house.shows(match, *next(turns()))
    assert (ShownKind.PING, B) not in await house.rows(match)
    house.discord.failing.clear()
    house.restart()
    await house.showing.restore()
    assert ("delete", call.message_id) in house.discord.done(LOUNGE)


async def test_a_question_that_could_not_be_deleted_when_it_was_settled_is_deleted_after_a_kill(
    house: House, match: MatchId
) -> None:
    """And the one whose message says what became of it stays."""
    table = await house.tables.load(match)
    assert table is not None
    asked = MessageId((await house.hand(match, A)).message_id + 500)
    answered = MessageId(asked + 1)
    for seat, message in ((A, asked), (B, answered)):
        place = ShownKind.QUESTION, seat, TO_ADA
        await house.showing._record.note(match, place, message, table.head)
    house.discord.failing["delete", TO_ADA] = [TryLater("503")] * 20
    await house.showing.questions_over(table, keep=answered)
    await house.showing.settle()
    house.discord.failing.clear()
    house.restart()
    await house.showing.restore()
    assert gone(house) == [asked]
