"""What could not be shown is tried again, and found after a start (faults.md, rows 1 and 2)."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from structlog.testing import capture_logs

import bot.shown.showing
from bot.mail.post import NotAllowed, TryLater
from bot.now import utc_now
from bot.shown import upkeep
from bot.shown.standing import Standing
from bot.ui.page import Page
from db.ids import MatchId, MessageId
from db.rows import TABLE_SEAT, ShownKind, ShownRow
from tests.bot.playing import CLUB, LOUNGE, REFUSED, TO_ADA, TO_BEN, A, B, House, turns, until

# ------------------------------------------------------------------------------- failures


@pytest.mark.usefixtures("brisk")
async def test_what_failed_is_tried_again_until_it_is_shown(house: House, match: MatchId) -> None:
    house.discord.sent.clear()
    house.discord.failing["send", TO_ADA] = [TryLater("503"), TryLater("503")]
    await house.shows(match, "B pass")
    await until(lambda: "send" in house.discord.acts(TO_ADA))
    await house.showing.settle()
    assert (await house.hand(match, A)).version == 3


async def test_a_change_during_an_attempt_that_fails_is_not_left_to_the_next_retry(
    house: House, match: MatchId
) -> None:
    arrived = house.discord.held["send", TO_ADA] = asyncio.Event()
    house.discord.failing["send", TO_ADA] = [TryLater("503")]
    await house.acted(match, "B pass")
    house.showing.changed(match)
    await until(lambda: house.discord.begun.count(("send", TO_ADA)) == 2)
    house.showing.changed(match)
    await until(lambda: (match, A) in house.showing._upkeep._stale)
    arrived.set()
    await house.showing.settle()
    assert (await house.hand(match, A)).version == 3


async def test_a_message_whose_answer_was_lost_is_found_again_after_the_table_went_on(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows 2 and 11: by the name of the first attempt, and then it is brought up to date."""
    monkeypatch.setattr(upkeep, "FIRST_RETRY", timedelta(hours=1))  # only the change tries again
    match = await house.match()
    house.discord.failing["send", TO_ADA] = [TryLater("no answer")]
    house.discord.failing["send", LOUNGE] = [TryLater("no answer")]
    house.showing.changed(match)
    await house.showing.settle()
    await house.acted(match, "B pass", "A pass")
    house.showing.changed(match)
    await house.showing.settle()
    names = [r.once or "" for r in house.discord.sent if r.act == "send" and r.channel == LOUNGE]
    assert [name.split(".")[-1] for name in names] == ["2"]
    assert house.discord.acts(LOUNGE) == ["send", "edit"]
    assert (await house.table(match)).version == 4
    assert house.discord.acts(TO_ADA) == ["open", "send", "edit"]


async def test_pauses_between_attempts_grow_up_to_five_minutes(house: House) -> None:
    waits: list[float] = []
    loop = asyncio.get_running_loop()
    keep = upkeep.Upkeep(lambda _: asyncio.sleep(0, None), lambda *_: asyncio.sleep(0))
    for _ in range(12):
        keep._retry((MatchId(1), 0))
        waits.append(round(keep._retries[MatchId(1), 0].when() - loop.time()))
    assert waits == [3, 6, 12, 24, 48, 96, 192, 300, 300, 300, 300, 300]
    keep._retry((MatchId(1), 0), timedelta(minutes=20))
    assert round(keep._retries[MatchId(1), 0].when() - loop.time()) == 1200
    keep._succeeded((MatchId(1), 0))
    assert not keep._retries
    assert not keep._failures


async def test_one_seat_that_fails_holds_up_neither_the_table_nor_the_other(
    house: House, match: MatchId
) -> None:
    await house.shows(match, *REFUSED)
    house.discord.sent.clear()
    house.discord.held["edit", TO_ADA] = asyncio.Event()  # it hangs
    acts = turns()
    await house.acted(match, *next(acts))
    house.showing.changed(match)
    await until(lambda: house.discord.acts(LOUNGE) == ["edit"])
    await house.acted(match, *next(acts))
    house.showing.changed(match)
    await until(lambda: house.discord.acts(LOUNGE) == ["edit"] * 2)
    await until(lambda: "edit" in house.discord.acts(TO_BEN))
    house.discord.held["edit", TO_ADA].set()
    await house.showing.settle()


async def test_a_repair_that_succeeded_leaves_no_timer_behind(house: House, match: MatchId) -> None:
    house.discord.failing["send", TO_ADA] = [TryLater("503")]
    await house.shows(match, "B pass")
    assert list(house.showing._upkeep._retries) == [(match, A)]
    house.showing.changed(match)
    await house.showing.settle()
    assert not house.showing._upkeep._retries
    assert not house.showing._upkeep._workers


async def test_a_page_that_cannot_be_built_stops_no_other(
    house: House, match: MatchId, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(*_: object) -> Page:
        raise ZeroDivisionError

    monkeypatch.setattr(bot.shown.showing, "table_page", stumble)
    house.discord.sent.clear()
    with capture_logs() as logs:
        await house.shows(match, "B pass")
    assert house.discord.acts(TO_ADA) == ["send", "delete"]
    assert [line["match"] for line in logs if line["event"] == "not shown"] == [match]


async def test_a_table_that_may_not_be_shown_is_not_hammered(house: House, match: MatchId) -> None:
    """Row 15."""
    house.discord.failing["edit", LOUNGE] = [NotAllowed("50013")]
    await house.shows(match, "B pass")
    assert not house.showing._upkeep._retries
    await house.shows(match, "A pass")
    assert (await house.table(match)).version == 4


async def test_what_asks_for_itself_in_a_circle_is_left_for_a_while(
    house: House, match: MatchId
) -> None:
    table = await house.tables.load(match)
    assert table is not None
    shown: list[int] = []

    async def look(_: MatchId) -> Standing:
        return Standing(table, {})

    async def show(_: Standing, part: int) -> None:
        shown.append(part)
        keep.once_more((match, part))

    keep = upkeep.Upkeep(look, show)
    keep.changed(match)
    await keep.settle()
    assert {part: shown.count(part) for part in (A, B, TABLE_SEAT)} == dict.fromkeys(
        (A, B, TABLE_SEAT), upkeep.MOST_OFTEN
    )
    assert set(keep._retries) == {(match, A), (match, B), (match, TABLE_SEAT)}
    await keep.close(timedelta(0))


# --------------------------------------------------------------------------- start and end


async def test_after_a_start_what_is_stale_is_shown_and_the_rest_left_alone(
    house: House, match: MatchId
) -> None:
    """Row 1."""
    other = await house.match()
    house.showing.changed(other)
    await house.showing.settle()
    await house.acted(match, "B pass")
    house.discord.sent.clear()
    house.restart()
    await house.showing.restore()
    assert house.discord.acts(LOUNGE) == ["edit", "look"]
    assert house.discord.acts(TO_ADA) == ["send", "delete", "look"]
    assert house.discord.acts(TO_BEN) == ["edit", "look"]


async def test_a_match_that_was_never_shown_is_shown_after_a_start(house: House) -> None:
    """Row 1: killed between the acceptance and its answer."""
    await house.match()
    house.restart()
    await house.showing.restore()
    assert {r.channel for r in house.discord.sent if r.act == "send"} == {LOUNGE, TO_ADA, TO_BEN}


async def test_after_a_start_there_is_room_for_those_who_play_on(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Row 1: a pause after each match that was repaired, and none after those left alone."""
    pauses: list[float] = []

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    # Never shown.
    matches = [await house.match() for _ in range(upkeep.REPAIRED_AT_ONCE + 3)]
    monkeypatch.setattr(upkeep, "_pause", pause)
    for between in (upkeep.REPAIR_PAUSE.total_seconds(), 0.0):
        pauses.clear()
        house.restart()
        await house.showing.restore()
        await house.showing.settle()
        assert sorted(pauses) == [0.0] * upkeep.REPAIRED_AT_ONCE + [between] * 3
        async with house.store.transaction() as tx:
            for match in matches:  # Ada was asked something, which stays as it is
                row = ShownRow(match, ShownKind.QUESTION, A, TO_ADA, MessageId(1), 2, utc_now())
                await tx.shown.put(row)


async def test_after_a_start_nobody_replays_a_match_of_which_everything_is_shown(
    house: House, match: MatchId
) -> None:
    passed, drawn = await house.match(), await house.match()
    await house.shows(passed, *REFUSED)
    await house.shows(drawn, *REFUSED)
    await house.shows(drawn, "B draw stock")
    assert (await house.hand(drawn, A)).version == 4  # all that Ada has to see
    await house.acted(match, "B pass")
    house.restart()
    await house.showing.restore()
    assert house.tables.remembered(match) is not None
    assert house.tables.remembered(passed) is None
    assert house.tables.remembered(drawn) is None


@pytest.mark.usefixtures("brisk")
async def test_a_table_that_hangs_holds_up_no_other_after_a_start(house: House) -> None:
    matches = [await house.match() for _ in range(20)]
    house.discord.held["send", TO_BEN] = asyncio.Event()
    house.discord.failing["send", LOUNGE] = [TryLater("503")]
    restoring = asyncio.create_task(house.showing.restore())
    await until(lambda: house.discord.acts(LOUNGE).count("send") >= upkeep.REPAIRED_AT_ONCE - 1)
    assert not restoring.done()
    house.discord.held["send", TO_BEN].set()
    await restoring
    assert house.discord.acts(TO_ADA).count("send") == len(matches)


async def test_an_attempt_after_a_start_has_the_name_of_the_one_before(house: House) -> None:
    """Killed between the message and its record: Discord gives the first one back."""
    match = await house.match()
    house.showing.changed(match)
    await house.showing.settle()
    names = {(r.channel, r.once) for r in house.discord.sent if r.act == "send"}
    async with house.store.transaction() as tx:
        await tx.shown.drop(match)
        await tx.shown.drop(match, A)
        await tx.shown.drop(match, B)
    house.discord.sent.clear()
    house.restart()
    await house.showing.restore()
    assert {(r.channel, r.once) for r in house.discord.sent if r.act == "send"} == names


async def test_when_a_server_is_back_what_could_not_be_shown_is_shown_at_once(
    house: House, match: MatchId
) -> None:
    house.discord.failing["edit", LOUNGE] = [TryLater("503")]
    house.showing.in_doubt(match)
    await house.showing.settle()
    house.discord.sent.clear()
    await house.showing.server_back(CLUB, in_doubt=False)
    assert house.discord.acts(LOUNGE) == ["edit"]


async def test_closing_shows_what_is_under_way_and_nothing_afterwards(
    house: House, match: MatchId
) -> None:
    house.discord.failing["send", TO_ADA] = [TryLater("503")]
    await house.acted(match, "B pass")
    house.showing.changed(match)
    await house.showing.close(timedelta(seconds=5))
    assert (await house.table(match)).version == 3
    assert not house.showing._upkeep._retries
    house.discord.sent.clear()
    house.showing.changed(match)
    await house.showing.settle()
    assert house.discord.sent == []


async def test_closing_does_not_wait_for_ever(house: House, match: MatchId) -> None:
    house.discord.held["edit", LOUNGE] = asyncio.Event()
    await house.acted(match, "B pass")
    house.showing.changed(match)
    with capture_logs() as logs:
        await house.showing.close(timedelta(milliseconds=20))
    assert any("repaired at the next start" in line["event"] for line in logs)
    assert not house.showing._upkeep._workers
    house.restart()
    house.discord.held.clear()
    await house.showing.restore()
    assert (await house.table(match)).version == 3


async def test_closing_leaves_nothing_of_what_had_not_begun(
    house: House, match: MatchId, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def at_once(_: upkeep.Upkeep) -> None:
        raise TimeoutError

    monkeypatch.setattr(upkeep.Upkeep, "settle", at_once)
    house.showing.changed(match)
    await house.showing._upkeep.close(timedelta(seconds=1))
    assert not house.showing._upkeep._looks
