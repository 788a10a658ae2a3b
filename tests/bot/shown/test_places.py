"""Tables without a place (faults.md, rows 13 to 15): brought back, moved, parked, told once.

Ada (seat A) and Ben (seat B) have cut KD and 7H: Ada deals, Ben is to act first.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.mail.post import (
    NOBODY,
    ChannelGone,
    DirectMessagesClosed,
    NotAllowed,
    Ping,
    ThreadArchived,
    ThreadClosed,
    TryLater,
    Undelivered,
)
from bot.shown.back import AWAY_FOR_LONG
from db.ids import ChannelId, MatchId, ServerId
from db.rows import Loss, LostPlace, MatchStatus
from tests.bot.playing import (
    ADA,
    BEN,
    CLUB,
    LOUNGE,
    REFUSED,
    THREAD,
    TO_ADA,
    TO_BEN,
    A,
    B,
    House,
    Sent,
    turns,
    until,
)

ELSEWHERE = ChannelId(102)


@pytest.fixture
async def in_thread(house: House) -> MatchId:
    """A match whose table stands in a thread of the lounge."""
    number = await house.match(THREAD)
    await house.shows(number)
    house.discord.sent.clear()
    return number


def notes(house: House) -> list[Sent]:
    """What players were told of their table."""
    return [sent for sent in house.discord.sent if (sent.once or "").startswith(("m", "g", "r"))]


def told(house: House) -> list[ChannelId]:
    return [sent.channel for sent in notes(house)]


async def lost(house: House, match: MatchId) -> LostPlace | None:
    async with house.store.reading() as tx:
        return await tx.lost_places.of_match(match)


async def has_table(house: House, match: MatchId) -> bool:
    table = await house.tables.load(match)
    assert table is not None
    return (await house.showing.shown(table, A)).has_table


async def starts_anew(house: House) -> None:
    """The bot is stopped and begun again."""
    await house.showing.close(timedelta(seconds=5))
    house.restart()
    await house.showing.restore()
    await house.showing.settle()


# --------------------------------------------------------------------------------------- row 13


async def test_an_archived_thread_is_brought_back(house: House, in_thread: MatchId) -> None:
    house.discord.failing["edit", THREAD] = [ThreadArchived("50083")]
    await house.shows(in_thread, "B pass")
    assert house.discord.acts(THREAD) == ["unarchive", "edit"]
    assert (await house.table(in_thread)).version == 3
    assert told(house) == []


@pytest.mark.parametrize(
    ("error", "back"),
    [
        pytest.param(ThreadArchived("50083"), NotAllowed("50013"), id="archived and locked"),
        pytest.param(ThreadClosed("160005"), None, id="locked"),
        pytest.param(ChannelGone("10003"), None, id="deleted"),
    ],
)
async def test_from_a_thread_that_is_no_place_the_table_goes_to_its_channel(
    house: House, in_thread: MatchId, error: Undelivered, back: Undelivered | None
) -> None:
    house.discord.failing["edit", THREAD] = [error]
    house.discord.failing["unarchive", THREAD] = [] if back is None else [back]
    await house.shows(in_thread, "B pass")
    assert house.discord.acts(LOUNGE) == ["send"]
    assert (await house.table(in_thread)).channel_id == LOUNGE
    assert sorted(told(house)) == [TO_ADA, TO_BEN]
    assert f"stands in <#{LOUNGE}> now" in notes(house)[0].said
    await starts_anew(house)
    await house.shows(in_thread, "A pass")
    assert house.discord.acts(LOUNGE) == ["send", "edit"]
    assert len(told(house)) == 2  # once each
    assert await lost(house, in_thread) is None


@pytest.mark.usefixtures("brisk")
async def test_a_bad_day_of_discord_does_not_drive_a_table_out_of_its_thread(
    house: House, in_thread: MatchId
) -> None:
    house.discord.failing["edit", THREAD] = [ThreadArchived("50083")] * 2
    house.discord.failing["unarchive", THREAD] = [TryLater("500")]
    await house.shows(in_thread, "B pass")
    await until(lambda: "unarchive" in house.discord.acts(THREAD))
    await house.showing.settle()
    assert house.discord.acts(THREAD) == ["unarchive", "edit"]
    assert told(house) == []


async def test_a_thread_that_is_archived_again_and_again_counts_as_closed(
    house: House, in_thread: MatchId
) -> None:
    house.discord.failing["edit", THREAD] = [ThreadArchived("50083")] * 2
    await house.shows(in_thread, "B pass")
    assert house.discord.acts(LOUNGE) == ["send"]


async def test_without_a_place_the_match_is_parked_and_its_hands_go_on(
    house: House, match: MatchId
) -> None:
    house.discord.sent.clear()
    house.discord.failing["edit", LOUNGE] = [ChannelGone("10003")]
    await house.shows(match, "B pass")
    assert sorted(told(house)) == [TO_ADA, TO_BEN]
    said = notes(house)[0].said
    for way in ("/gin hand", "/gin resign", "/gin cancel", "/gin-admin match-move"):
        assert way in said
    assert "**#1** (Ada – Ben)" in said
    assert not await has_table(house, match)
    await house.shows(match, "A pass")
    await starts_anew(house)
    await house.shows(match, "B draw stock")
    assert len(told(house)) == 2
    assert house.discord.begun.count(("send", LOUNGE)) == 1  # nothing is tried there any more
    assert (await house.hand(match, B)).version == 5


async def test_a_parked_match_stands_where_it_is_moved(house: House, match: MatchId) -> None:
    house.discord.failing["edit", LOUNGE] = [ChannelGone("10003")]
    await house.shows(match, "B pass")
    async with house.tables.beside(match) as tx:
        await tx.matches.set_channel(match, ELSEWHERE)
    await house.shows(match)
    assert (await house.table(match)).channel_id == ELSEWHERE
    assert await has_table(house, match)
    assert await lost(house, match) is None


async def test_a_deleted_thread_of_a_deleted_channel_is_told_once_as_what_it_is(
    house: House, in_thread: MatchId
) -> None:
    house.discord.failing["edit", THREAD] = [ChannelGone("10003")]
    house.discord.failing["send", LOUNGE] = [ChannelGone("10003")]
    await house.shows(in_thread, "B pass")
    assert sorted(told(house)) == [TO_ADA, TO_BEN]
    assert "is gone, and the table with it" in notes(house)[0].said


async def test_a_call_in_the_channel_goes_where_the_table_goes(house: House) -> None:
    """Row 13, turn pings: Ben takes no direct messages."""
    await house.people.closed(BEN)
    house.discord.failing["send", THREAD] = [ChannelGone("10003")] * 2
    match = await house.match(THREAD)
    await house.shows(match)
    calls = [sent for sent in house.discord.sent if sent.ping != NOBODY]
    assert [(call.channel, call.ping) for call in calls] == [(LOUNGE, Ping((BEN,)))]
    assert told(house) == [TO_ADA]


@pytest.mark.parametrize("way", ["a deleted channel", "a deleted thread", "a closed thread"])
async def test_an_event_does_what_the_next_edit_would(house: House, way: str) -> None:
    match = await house.match(None if way == "a deleted channel" else THREAD)
    await house.shows(match)
    house.discord.sent.clear()
    if way == "a closed thread":
        house.discord.failing["edit", THREAD] = [ThreadClosed("160005")]
        await house.showing.thread_closed(THREAD)
    else:
        await house.showing.places.channel_gone(LOUNGE if way == "a deleted channel" else THREAD)
    await house.showing.settle()
    assert sorted(told(house)) == [TO_ADA, TO_BEN]
    if way == "a deleted channel":
        loss = await lost(house, match)
        assert loss is not None
        assert loss.why is Loss.GONE
        assert loss.told == frozenset({0, 1})
    else:
        assert (await house.table(match)).channel_id == LOUNGE


@pytest.mark.parametrize("how", ["it stands elsewhere", "it is over"])
async def test_what_was_said_of_a_lost_table_goes_when_nobody_misses_it_any_more(
    house: House, match: MatchId, how: str
) -> None:
    house.discord.failing["edit", LOUNGE] = [ChannelGone("10003")]
    await house.showing.places.channel_gone(LOUNGE)
    said = notes(house)
    assert len(said) == 2
    house.discord.sent.clear()
    if how == "it is over":
        await house.shows(match, "A resign")
    else:
        async with house.store.transaction() as tx:
            await tx.matches.set_channel(match, ELSEWHERE)
        house.tables.forget(match)
        house.showing.changed(match)
        await house.showing.settle()
    gone = {one.message for one in house.discord.sent if one.act == "delete"}
    assert {one.message for one in said} <= gone


async def test_who_could_not_be_told_is_told_after_a_start(house: House, match: MatchId) -> None:
    house.discord.failing["edit", LOUNGE] = [ChannelGone("10003")]
    house.discord.failing["send", TO_BEN] = [TryLater("500")] * 2
    await house.showing.places.channel_gone(LOUNGE)
    assert told(house) == [TO_ADA]
    await starts_anew(house)
    assert told(house) == [TO_ADA, TO_BEN]
    await starts_anew(house)
    assert told(house) == [TO_ADA, TO_BEN]


async def test_only_a_thread_that_was_brought_back_a_moment_ago_is_remembered(
    house: House, in_thread: MatchId, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.discord.failing["edit", THREAD] = [ThreadArchived("50083")]
    await house.shows(in_thread, "B pass")
    monkeypatch.setattr("bot.shown.places.COMES_BACK_WITHIN", timedelta(0))
    another = await house.match(ELSEWHERE)
    await house.shows(another)
    house.discord.failing["edit", ELSEWHERE] = [ThreadArchived("50083")]
    await house.shows(another, "B pass")
    assert list(house.showing.places._brought_back) == [ELSEWHERE]


@pytest.mark.usefixtures("brisk")
@pytest.mark.parametrize("way", ["an edit", "an event"])
async def test_who_could_not_be_told_is_told_a_little_later(
    house: House, match: MatchId, way: str
) -> None:
    """Nothing else would try a table again that is parked."""
    house.discord.failing["send", TO_BEN] = [TryLater("500")] * 3
    if way == "an edit":
        house.discord.failing["edit", LOUNGE] = [ChannelGone("10003")]
        await house.shows(match, "B pass")
    else:
        await house.showing.places.channel_gone(LOUNGE)
    await until(lambda: told(house) == [TO_ADA, TO_BEN])
    await house.showing.settle()
    loss = await lost(house, match)
    assert loss is not None
    assert loss.told == frozenset({0, 1})


@pytest.mark.usefixtures("brisk")
async def test_who_could_not_be_told_where_the_table_stands_now_is_told_a_little_later(
    house: House, in_thread: MatchId
) -> None:
    house.discord.failing["send", TO_ADA] = [TryLater("500")] * 2
    await house.showing.places.channel_gone(THREAD)
    await until(lambda: TO_ADA in told(house))
    await house.showing.settle()
    assert sorted(told(house)) == [TO_ADA, TO_BEN]
    assert await lost(house, in_thread) is None


async def test_what_was_lost_is_known_before_the_first_page_after_a_start(
    house: House, match: MatchId
) -> None:
    await house.showing.places.channel_gone(LOUNGE)
    house.restart()
    assert not await has_table(house, match)
    house.restart()
    house.discord.begun.clear()
    await house.shows(match, "B pass")
    assert ("edit", LOUNGE) not in house.discord.begun


async def test_who_takes_no_direct_messages_reads_it_on_his_hand(
    house: House, match: MatchId
) -> None:
    house.discord.failing["send", TO_BEN] = [DirectMessagesClosed("50007")]
    await house.showing.places.channel_gone(LOUNGE)
    assert told(house) == [TO_ADA]
    assert not await has_table(house, match)
    await starts_anew(house)
    assert told(house) == [TO_ADA]


async def test_a_parked_match_keeps_nobody_from_another(house: House, match: MatchId) -> None:
    """Rows 13 and 17: it doesn't count where the server limits matches."""
    await house.showing.places.channel_gone(LOUNGE)
    async with house.store.reading() as tx:
        assert len(await tx.matches.running_of(ADA, CLUB)) == 1
        assert await tx.lost_places.parked(ADA, CLUB) == 1
    assert (await lost(house, match)) is not None


async def test_a_match_that_is_over_is_given_up_with_its_channel(
    house: House, match: MatchId
) -> None:
    """Nobody is told, and no start looks for its table again."""
    await house.acted(match, "B resign")
    async with house.store.transaction() as tx:
        await tx.matches.finish(match, MatchStatus.CANCELLED, datetime.now(UTC))
    house.discord.failing["edit", LOUNGE] = [ChannelGone("10003")]
    await house.shows(match)
    assert told(house) == []
    assert await lost(house, match) is None
    async with house.store.reading() as tx:
        assert await tx.shown.stale(limit=10) == ()


async def test_what_was_lost_is_forgotten_with_the_match(house: House, match: MatchId) -> None:
    await house.showing.places.channel_gone(LOUNGE)
    await house.acted(match, "B resign")
    async with house.store.transaction() as tx:
        await tx.matches.finish(match, MatchStatus.CANCELLED, datetime.now(UTC))
    await house.shows(match)
    assert await lost(house, match) is None


# --------------------------------------------------------------------------------------- row 15


async def test_a_right_that_is_lost_is_told_once_and_the_match_goes_on(
    house: House, match: MatchId
) -> None:
    house.discord.sent.clear()
    house.discord.missing[LOUNGE] = ("Send Messages",)
    house.discord.failing["edit", LOUNGE] = [NotAllowed("50013")] * 4
    await house.shows(match, "B pass")
    assert sorted(told(house)) == [TO_ADA, TO_BEN]
    assert "I lack the permission **Send Messages** there." in notes(house)[0].said
    await house.shows(match, "A pass")
    await starts_anew(house)
    assert len(told(house)) == 2
    assert not await has_table(house, match)
    assert (await house.hand(match, B)).version == 4

    house.discord.missing[LOUNGE] = ()
    await house.showing.places.try_again(CLUB)
    await house.showing.settle()
    assert (await house.table(match)).version == 4
    assert await has_table(house, match)

    house.discord.missing[LOUNGE] = ("View Channel",)
    house.discord.failing["edit", LOUNGE] = [NotAllowed("50001")]
    await house.shows(match, "B draw stock")
    assert len(told(house)) == 4  # another loss


async def test_an_edit_that_works_is_no_proof_that_a_right_is_back(
    house: House, match: MatchId
) -> None:
    """Without Send Messages a table can be edited, but Ben can't be called; told once."""
    await house.shows(match, *REFUSED)
    await house.people.closed(BEN)
    house.discord.sent.clear()
    house.discord.missing[LOUNGE] = ("Send Messages",)
    house.discord.failing["send", LOUNGE] = [NotAllowed("50013")] * 3
    acts = turns()
    for _turn in range(5):
        await house.shows(match, *next(acts), ago=timedelta(minutes=10))
    assert told(house) == [TO_ADA]


async def test_while_nobody_knows_whether_a_right_is_back_each_hand_is_edited_once_an_act(
    house: House, match: MatchId
) -> None:
    """The table, which can be edited, doesn't count as one yet."""
    house.discord.failing["edit", LOUNGE] = [NotAllowed("50013")]
    await house.shows(match, *REFUSED)
    await house.shows(match)
    house.discord.sent.clear()
    await house.shows(match, "B draw stock")
    assert not await has_table(house, match)
    assert [house.discord.acts(place) for place in (LOUNGE, TO_ADA, TO_BEN)] == [
        ["edit"],
        [],
        ["edit"],
    ]


@pytest.mark.parametrize(
    "errors",
    [
        pytest.param([NotAllowed("50001")], id="View Channel or Send Messages is missing"),
        pytest.param([ThreadClosed("160005")], id="locked"),
        pytest.param([ThreadArchived("50083")], id="archived and locked"),
    ],
)
async def test_a_match_that_ended_where_a_right_was_missing_is_shown_ended_once_it_is_back(
    house: House, in_thread: MatchId, errors: list[Undelivered]
) -> None:
    """Nobody misses the table any more, but its controls live until it shows the end."""
    house.discord.failing["edit", THREAD] = [*errors, *errors]
    house.discord.failing["unarchive", THREAD] = [NotAllowed("50013")] * 2
    await house.shows(in_thread, "A resign")
    assert (await house.table(in_thread)).version == 2
    assert told(house) == []

    await house.showing.places.try_again(ServerId(CLUB + 1))  # of no concern
    await house.showing.settle()
    assert len(house.discord.failing["edit", THREAD]) == 1
    await house.showing.places.try_again(CLUB)  # something else changed there
    await house.showing.settle()
    assert (await house.table(in_thread)).version == 2
    await house.showing.places.try_again(CLUB)
    await house.showing.settle()
    table = await house.table(in_thread)
    assert (table.channel_id, table.version) == (THREAD, 3)
    house.discord.sent.clear()
    await house.showing.places.try_again(CLUB)
    await house.showing.settle()
    assert house.discord.sent == []


# --------------------------------------------------------------------------------------- row 14


async def test_on_a_server_that_removed_the_bot_nothing_is_tried_until_it_is_back(
    house: House, match: MatchId
) -> None:
    house.discord.sent.clear()
    house.discord.begun.clear()
    await house.presence.removed(CLUB)
    await house.shows(match, "B pass")
    await house.showing.places.channel_gone(LOUNGE)
    assert house.discord.acts(LOUNGE) == []
    assert told(house) == []
    assert (await house.hand(match, A)).version == 3  # who can be reached plays on
    assert await house.presence.back(CLUB) is not None
    house.discord.sent.clear()
    await house.showing.server_back(CLUB, in_doubt=True)
    await house.showing.settle()
    assert house.discord.acts(LOUNGE) == ["edit"]
    assert house.discord.acts(TO_ADA) == ["edit"]  # it said that the table can't be shown
    assert (await house.table(match)).version == 3


async def test_a_match_that_ended_while_the_bot_was_not_there_is_shown_ended_once_it_is_back(
    house: House, match: MatchId
) -> None:
    """Row 14: somebody may resign from his direct messages."""
    await house.presence.removed(CLUB)
    await house.acted(match, "A resign")
    house.showing.changed(match)
    await house.showing.settle()
    assert (await house.table(match)).version == 2
    assert await house.presence.back(CLUB) is not None
    house.discord.sent.clear()
    await house.showing.server_back(CLUB, in_doubt=False)
    await house.showing.settle()
    assert house.discord.acts(LOUNGE) == ["edit"]
    assert (await house.table(match)).version == 3


async def test_a_match_that_ended_before_a_kill_is_shown_ended_after_the_start(
    house: House, match: MatchId
) -> None:
    await house.acted(match, "A resign")
    await house.showing.close(timedelta(seconds=5))
    house.restart()
    house.discord.sent.clear()
    await house.showing.restore()
    assert house.discord.acts(LOUNGE) == ["edit", "look"]
    assert (await house.table(match)).version == 3


async def test_after_a_long_absence_a_channel_with_an_old_table_is_told_once_and_silently(
    house: House, match: MatchId
) -> None:
    """A line for each channel in which something had to be redrawn, and for no other."""
    quiet = await house.match(THREAD)
    await house.shows(quiet)
    for away, lines in ((AWAY_FOR_LONG / 2, 0), (timedelta(minutes=7), 1)):
        await house.acted(match, "B pass" if lines == 0 else "A pass")
        await house.showing.close(timedelta(seconds=5))
        house.restart()
        house.discord.sent.clear()
        await house.showing.restore(datetime.now(UTC) - away)
        said = [sent for sent in house.discord.sent if "I was away" in sent.said]
        assert len(said) == lines
    assert "I was away for 7 minutes; nothing was lost." in said[0].said
    assert (said[0].channel, said[0].silent, said[0].ping) == (LOUNGE, True, NOBODY)
