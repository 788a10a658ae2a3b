"""A message that Discord took unheard, and that no further attempt finds, goes all the same.

The match went elsewhere meanwhile, or the bot was stopped. Faults.md, row 11; Discord is played
here: Ada (seat A) deals, Ben is to act first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from unittest.mock import AsyncMock

import pytest
from structlog.testing import capture_logs

from bot.mail.post import NotAllowed, TryLater, Undelivered, controls_in
from bot.shown import upkeep
from bot.shown.crier import TableCrier
from bot.shown.strays import is_part
from db.errors import DatabaseUnusable
from db.ids import MatchId, MessageId
from db.rows import TABLE_SEAT, ShownKind
from gin import Rules
from tests.bot.playing import LONG_AGO, LOUNGE, THREAD, TO_ADA, TO_BEN, A, B, House, turns
from tests.bot.ui.staging import random_match
from tests.bot.ui.test_limits_everywhere import HOUSES, pages

pytestmark = pytest.mark.usefixtures("only_changes_try_again")


@pytest.fixture
def only_changes_try_again(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(upkeep, "FIRST_RETRY", timedelta(hours=1))
    with capture_logs():  # of each failure a page would be written
        yield


async def table_unheard(house: House, match: MatchId) -> MessageId:
    """Let the table be posted anew, and Discord's answer be lost; gives what came."""
    await house.ages(await house.table(match))
    before = house.discord.live(LOUNGE)
    house.discord.failing["send", LOUNGE] = [TryLater("answer lost")]
    await house.shows(match, "B pass", ago=LONG_AGO)
    (stray,) = house.discord.live(LOUNGE) - before
    return stray


async def moves(house: House, match: MatchId) -> None:
    """Let the table go to a thread."""
    async with house.store.transaction() as tx:
        await tx.matches.set_thread(match, THREAD)
    house.tables.forget(match)


async def stands_alone(house: House, match: MatchId) -> bool:
    """Whether the messages that are noted are all that live."""
    rows = (await house.rows(match)).values()
    noted = {row.message_id for row in rows}
    alive = [house.discord.live(place) for place in (LOUNGE, THREAD, TO_ADA)]
    return set[MessageId]().union(*alive) <= noted and ShownKind.OLD not in {r.kind for r in rows}


async def test_a_table_that_came_unheard_goes_when_the_match_is_moved(
    house: House, match: MatchId
) -> None:
    await table_unheard(house, match)
    await moves(house, match)
    await house.shows(match)
    assert (await house.table(match)).channel_id == THREAD
    assert house.discord.live(LOUNGE) == set()


@pytest.mark.parametrize("ended", [False, True], ids=["running", "ended"])
@pytest.mark.parametrize("moved", [False, True], ids=["there", "moved"])
async def test_a_table_that_came_unheard_goes_after_a_stop_though_the_match_went_on(
    house: House, match: MatchId, ended: bool, moved: bool
) -> None:
    stray = await table_unheard(house, match)
    await house.acted(match, "A resign" if ended else "A pass")
    if moved:
        await moves(house, match)
    house.restart()
    await house.showing.restore()
    assert ("delete", stray) in house.discord.done(LOUNGE)
    assert await stands_alone(house, match)


async def test_a_hand_that_came_unheard_goes_after_a_stop_though_the_match_went_on(
    house: House, match: MatchId
) -> None:
    before = house.discord.live(TO_ADA)
    house.discord.failing["send", TO_ADA] = [TryLater("answer lost")]
    await house.shows(match, "B pass", ago=LONG_AGO)
    (stray,) = house.discord.live(TO_ADA) - before
    await house.acted(match, "A pass", *next(turns()), ago=LONG_AGO)
    house.restart()
    await house.showing.restore()
    assert ("delete", stray) in house.discord.done(TO_ADA)
    assert await stands_alone(house, match)


async def test_a_hand_that_came_unheard_goes_when_a_word_that_came_later_is_pressed(
    house: House, match: MatchId
) -> None:
    await house.shows(match, "B pass", ago=LONG_AGO)
    before = house.discord.live(TO_BEN)
    house.discord.failing["send", TO_BEN] = [TryLater("answer lost")]
    await house.shows(match, "A pass", ago=LONG_AGO)
    (stray,) = house.discord.live(TO_BEN) - before
    table = await house.tables.load(match)
    assert table is not None
    await TableCrier(house.showing, house.discord, house.people).time_is_up(table, B)
    word = (await house.rows(match))[ShownKind.REMINDER, B].message_id
    await house.showing.hand_shown(match, B, TO_BEN, word, table.head, pressed=True)
    await house.showing.settle()
    assert ("delete", stray) in house.discord.done(TO_BEN)
    assert house.discord.live(TO_BEN) == {word} == {(await house.hand(match, B)).message_id}


async def test_nobody_looks_for_what_is_whole_after_a_start(house: House, match: MatchId) -> None:
    house.discord.sent.clear()
    house.restart()
    await house.showing.restore()
    await house.shows(match, "B pass")
    assert "look" not in {request.act for request in house.discord.sent}


@pytest.mark.parametrize(
    ("error", "found"),
    [(TryLater("503"), True), (NotAllowed("50001"), False)],
    ids=["later", "never"],
)
async def test_where_nobody_can_look_it_is_tried_again_unless_that_is_refused(
    house: House, match: MatchId, error: Undelivered, found: bool
) -> None:
    stray = await table_unheard(house, match)
    house.restart()
    house.discord._named.clear()
    house.discord.failing["look", LOUNGE] = [error]
    await house.showing.restore()
    await house.shows(match)
    assert (("delete", stray) in house.discord.done(LOUNGE)) is found


async def test_a_table_that_is_pressed_though_another_is_noted_goes(
    house: House, match: MatchId
) -> None:
    stray = await table_unheard(house, match)
    controls = (await house.discord.newest(LOUNGE))[stray]
    await moves(house, match)
    house.discord.failing["look", LOUNGE] = [NotAllowed("50001")]
    await house.shows(match)
    assert house.discord.live(LOUNGE) == {stray}
    house.restart()
    house.showing.pressed(match, LOUNGE, stray, controls)
    await house.showing.settle()
    assert house.discord.live(LOUNGE) == set()
    assert len(house.discord.live(THREAD)) == 1


async def test_the_table_stays_when_it_is_pressed_and_so_does_what_is_no_table(
    house: House, match: MatchId
) -> None:
    table = (await house.table(match)).message_id
    controls = (await house.discord.newest(LOUNGE))[table]
    house.restart()
    house.showing.pressed(match, LOUNGE, table, controls)
    house.showing.pressed(match, LOUNGE, MessageId(table + 1), {f"gin:my-hand:{match}:2"})
    await house.showing.settle()
    assert "delete" not in house.discord.acts(LOUNGE)
    assert (await house.table(match)).message_id == table


async def test_the_only_table_stays_though_nobody_has_noted_it(
    house: House, match: MatchId
) -> None:
    row = await house.table(match)
    notes = house.showing._notes
    await notes.let_be(match, row.kind, row.seat)
    assert await notes.beside(row) is None
    await notes.stands(replace(row, message_id=MessageId(row.message_id + 1)))
    assert await notes.beside(row) is not None  # another is noted now


async def test_one_that_the_database_did_not_take_as_such_goes_the_next_time(
    house: House, match: MatchId, monkeypatch: pytest.MonkeyPatch
) -> None:
    stray = await table_unheard(house, match)
    house.restart()
    house.discord._named.clear()
    with monkeypatch.context() as full:
        beside = AsyncMock(side_effect=DatabaseUnusable("full"))
        full.setattr(house.showing._notes, "beside", beside)
        await house.showing.restore()
        assert beside.await_count >= 1
    assert stray in house.discord.live(LOUNGE)
    await house.shows(match)
    assert stray not in house.discord.live(LOUNGE)


async def test_a_message_that_could_not_be_noted_goes_from_where_the_match_left(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord has told its number: nobody has to look."""
    match = await house.match()

    async def full(*_: object) -> None:
        raise TimeoutError

    with monkeypatch.context() as disk:
        disk.setattr(house.showing._notes, "stands", full)
        await house.shows(match)
    (stray,) = house.discord.live(LOUNGE)
    await moves(house, match)
    await house.shows(match)
    assert house.discord.done(LOUNGE) == [("send", stray), ("delete", stray)]
    assert len(house.discord.live(THREAD)) == 1


@pytest.mark.parametrize("rules", HOUSES.values(), ids=list(HOUSES))
def test_a_page_is_known_for_a_table_or_a_hand_by_its_controls(rules: Rules) -> None:
    """And no other page of the match is."""
    known: dict[int, set[str]] = {TABLE_SEAT: set(), A: set()}
    for step in random_match(3, rules, most_hands=2):
        if step.match.outcome is not None:
            continue
        for viewer in (None, A, B):
            for name, page in pages(step.match, step.version, "Ada", viewer):
                ids = controls_in(page.layout.to_components())
                numbers = {MatchId(int(one.split(":")[2])) for one in ids}
                are = {part for part in known for one in numbers if is_part(ids, one, part)}
                for part in are:
                    known[part].add(name)
                assert are or name not in ("table", "panel")
    assert known[TABLE_SEAT] == {"table"}
    assert {"panel"} <= known[A] <= {"panel", "knock_page", "layoff_page"}
