"""Records of a newer version, or broken ones: a typed refusal, never a guess; the rest goes on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import NonCallableMagicMock, create_autospec

import pytest
from sqlalchemy import update
from structlog.testing import capture_logs

from bot.care import audit, retention
from bot.clock import Clock
from bot.desk import record, rescue, suggest
from bot.front.visit import Visit
from bot.house import House
from bot.mail.post import Post
from bot.play.alarm import Alarm
from bot.play.clocks import Clocks
from bot.play.idle import IDLE_AFTER, IdleMatches
from bot.play.tables import NewTable, Tables
from bot.refusals import ChallengeRefused, NoSuchMatch, NotPossibleNow, UnreadableMatch
from db.ids import ChannelId, InteractionId, MatchId, MessageId
from db.rows import ChallengeStatus, Loss, MatchStatus, NewChallenge, WordRow
from db.schema import entries, matches, packed_logs
from db.store import Store
from gin import Pass, Resign
from gin.events import Play
from gin.rules import Rules
from tests.bot.moments import Notes, Time
from tests.bot.ui.staging import text
from tests.db.house import ANN, BOB, CLUB, LOUNGE, MINUTE, NOW, PUB

NEWER = "v2 knock_limit=9"
BROKEN = Rules().dump().replace("gin_bonus=25", "gin_bonus=many")


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'house.db'}")
    post = create_autospec(Post, instance=True)
    post.send.return_value = MessageId(77)
    post.find.return_value = None
    post.open_direct.return_value = ChannelId(78)
    yield House.build(store, post)
    await store.close()


async def two_matches(house: House) -> tuple[MatchId, MatchId]:
    found = []
    for _which in range(2):
        async with house.store.transaction() as tx:
            new = NewTable(CLUB, LOUNGE, (ANN, BOB), Rules())
            found.append((await house.tables.open(tx, new)).id)
    return found[0], found[1]


async def spoil(house: House, match: MatchId, rules: str) -> None:
    async with house.store.transaction() as tx:
        session = tx.matches._session
        await session.change(update(matches).where(matches.c.id == match).values(rules=rules))


@pytest.mark.parametrize("rules", [NEWER, BROKEN, ""])
async def test_a_match_by_rules_of_another_version_is_refused_and_the_others_go_on(
    house: House, rules: str
) -> None:
    spoilt, sound = await two_matches(house)
    await spoil(house, spoilt, rules)
    with pytest.raises(UnreadableMatch, match=r"Match #1 was written by another version"):
        await house.tables.load(spoilt)
    with pytest.raises(NoSuchMatch):
        await house.tables.act(spoilt, ANN, lambda _match, seat: Play(seat, Pass()))
    assert [table.id for table in await house.tables.load_all((spoilt, sound))] == [sound]
    visit = NonCallableMagicMock(spec=Visit, person=ANN, channel=LOUNGE, server=CLUB)
    status = await record.status(house, visit, None)
    assert status.page is not None
    assert "1 match in play" in text(status.page)
    assert [number for _name, number in await suggest.running(house, visit, "")] == [str(sound)]


async def test_a_log_with_an_entry_that_cannot_be_is_refused_too(house: House) -> None:
    spoilt, _sound = await two_matches(house)
    async with house.store.transaction() as tx:
        await tx.matches._session.change(
            update(entries)
            .where(entries.c.match_id == spoilt, entries.c.seq == 2)
            .values(text="deal nothing")
        )
    with pytest.raises(UnreadableMatch):
        await house.tables.load(spoilt)


async def has_clock(house: House, match: MatchId, text: str) -> None:
    async with house.store.transaction() as tx:
        session = tx.matches._session
        await session.change(update(matches).where(matches.c.id == match).values(clock=text))


async def test_a_match_by_a_clock_of_another_version_is_refused_too(house: House) -> None:
    spoilt, sound = await two_matches(house)
    await has_clock(house, spoilt, "sundial 120 play-on")
    house.tables.forget(spoilt)
    assert [table.id for table in await house.tables.load_all((spoilt, sound))] == [sound]
    is_well, report = await audit.check(house.store)
    assert not is_well
    assert report[0] == "match 1: its clock can't be read"


async def test_a_packed_log_that_is_damaged_is_refused_and_left_out_of_the_export_with_a_word(
    house: House,
) -> None:
    spoilt, sound = await two_matches(house)
    for match in (spoilt, sound):
        await house.tables.act(match, ANN, lambda _match, seat: Resign(seat))
        async with house.store.transaction() as tx:
            assert await tx.packing.pack(match)
        house.tables.forget(match)
    async with house.store.transaction() as tx:
        await tx.matches._session.change(
            update(packed_logs).where(packed_logs.c.match_id == spoilt).values(content=b"torn")
        )
    assert [table.id for table in await house.tables.load_all((spoilt, sound))] == [sound]
    visit = a_visit()
    ended = await rescue.match_list(house, visit, "ended", None)
    assert ended.page is not None
    async with house.store.reading() as tx:
        kept = await tx.privacy.everything_of(ANN)
    assert [(act["match_id"], act["text"]) for act in kept["acts"]] == [(sound, "A resign")]
    assert kept["acts_left_out"] == [
        {"match_id": spoilt, "why": "the log of this match is damaged and can't be read"}
    ]


def a_visit() -> NonCallableMagicMock:
    return NonCallableMagicMock(
        spec=Visit,
        person=ANN,
        channel=LOUNGE,
        server=CLUB,
        interaction=InteractionId(1_400_000_000_000_000_000),
    )


async def status_of(house: House, match: MatchId) -> MatchStatus:
    async with house.store.reading() as tx:
        row = await tx.matches.get(match)
    assert row is not None
    return row.status


async def test_an_administrator_ends_a_match_that_nobody_can_read(house: House) -> None:
    spoilt, sound = await two_matches(house)
    await spoil(house, spoilt, NEWER)
    reply = await rescue.match_end(house, a_visit(), "1", "broken")
    assert reply.page is not None
    assert "has ended without a result" in text(reply.page)
    assert await status_of(house, spoilt) is MatchStatus.CANCELLED
    assert await status_of(house, sound) is MatchStatus.RUNNING
    async with house.store.reading() as tx:
        assert [(act.match_id, act.note) for act in await tx.admin.acts(CLUB, 5, 0)] == [
            (spoilt, "broken")
        ]
    with pytest.raises(NotPossibleNow):
        await rescue.match_end(house, a_visit(), "1", None)
    elsewhere = a_visit()
    elsewhere.server = PUB
    with pytest.raises(NoSuchMatch, match="no such match on this server"):
        await rescue.match_end(house, elsewhere, "1", None)
    await spoil(house, spoilt, Rules().dump())  # by the version that can read it
    house.tables.forget(spoilt)
    table = await house.tables.load(spoilt)
    assert table is not None
    assert table.is_over


async def test_a_match_that_nobody_can_read_is_listed_for_those_who_may_end_it(
    house: House,
) -> None:
    spoilt, sound = await two_matches(house)
    async with house.store.transaction() as tx:
        await tx.people.seen(ANN, "Ann", NOW)
        await tx.people.seen(BOB, "B*b", NOW)
    await spoil(house, spoilt, NEWER)
    async with house.store.reading() as tx:
        row = await tx.matches.get(spoilt)
    assert row is not None
    acted = f"<t:{int(row.acted_at.timestamp())}:R>"
    listed = await rescue.match_list(house, a_visit(), None, None)
    assert listed.page is not None
    said = text(listed.page)
    assert said.index(f"**#{sound}** Ann – B\\*b · <#{LOUNGE}>") < said.index(
        f"**#{spoilt}** Ann – B\\*b · <#{LOUNGE}>\n"
        f"-# can't be read by this version of the program · last act {acted} · "
        "`/gin-admin match-end` closes it"
    )
    visit = a_visit()
    visit.channel_name.return_value = None
    offered = await suggest.on_server(house, visit, "", MatchStatus.RUNNING)
    assert [value for _name, value in offered] == [str(sound), str(spoilt)]
    await rescue.match_end(house, a_visit(), str(spoilt), None)
    ended = await rescue.match_list(house, a_visit(), "ended", None)
    assert ended.page is not None
    assert f"**#{spoilt}**" in text(ended.page)
    assert "closes it" not in text(ended.page)


async def test_who_plays_in_a_match_that_nobody_can_read_can_have_all_his_data_deleted(
    house: House,
) -> None:
    spoilt, sound = await two_matches(house)
    await spoil(house, spoilt, NEWER)
    await retention.forget(house, ANN)
    await house.showing.settle()
    assert await status_of(house, spoilt) is MatchStatus.CANCELLED
    assert await status_of(house, sound) is MatchStatus.FINISHED
    async with house.store.reading() as tx:
        assert await tx.privacy.matches_of(ANN) == ()


async def test_a_match_that_nobody_can_read_stands_in_no_other_s_way(house: House) -> None:
    """Neither those without a place, nor those that nobody plays, wait for it."""
    spoilt, sound = await two_matches(house)
    async with house.store.transaction() as tx:
        for match in (spoilt, sound):
            await tx.lost_places.put(match, LOUNGE, Loss.RIGHTS, NOW)
    await spoil(house, spoilt, NEWER)
    await house.showing.places.restore()
    assert [table.id for table in await house.showing.places._standing_in(LOUNGE)] == [sound]
    asked = Notes()
    later = datetime.now(UTC) + 2 * IDLE_AFTER
    await IdleMatches(house.store, house.tables, asked, lambda: later).look()
    assert asked.said == [("ask to close", sound, None)]


async def test_the_clock_of_a_match_that_nobody_can_read_stands_still(house: House) -> None:
    spoilt, sound = await two_matches(house)
    clock = Clock(timedelta(minutes=2))
    for match in (spoilt, sound):
        await has_clock(house, match, clock.dump())
    await house.clocks.lost_time.came_up()  # gives both a deadline
    time = Time(datetime.now(UTC) + timedelta(minutes=3))
    tables = Tables(house.store, time)
    clocks = Clocks(house.store, tables, Notes(), house.presence, time, Alarm(time))
    await spoil(house, spoilt, NEWER)
    with capture_logs() as logs:
        await clocks.do_what_is_due()
        await clocks.do_what_is_due()
    said = [line["event"] for line in logs]
    assert said == ["match not readable", "acted", "acted for a player"]
    await clocks.settle()
    await spoil(house, spoilt, Rules().dump())
    time.passes(timedelta(hours=1))
    clocks.lost_time.awake.begin()
    await clocks.do_what_is_due()
    async with house.store.reading() as tx:
        row = await tx.deadlines.get(spoilt)
    assert row is not None
    assert row.due - time() == clock.turn


async def test_a_start_puts_right_what_can_be_read_and_leaves_the_rest(house: House) -> None:
    spoilt, sound = await two_matches(house)
    for match in (spoilt, sound):
        await has_clock(house, match, Clock(timedelta(hours=5)).dump())
    await spoil(house, spoilt, NEWER)
    await house.clocks.lost_time.came_up()
    async with house.store.reading() as tx:
        assert await tx.deadlines.missing() == (spoilt,)


async def test_a_vacation_begins_also_for_who_plays_in_a_match_that_nobody_can_read(
    house: House,
) -> None:
    spoilt, _sound = await two_matches(house)
    await has_clock(house, spoilt, Clock(timedelta(hours=5)).dump())
    await house.clocks.lost_time.came_up()
    await has_clock(house, spoilt, "sundial 120 play-on")
    for person in (ANN, BOB):
        await house.vacations.begin(person)
        assert (await house.vacations.of(person)).until is not None


async def test_a_challenge_by_a_clock_of_another_version_stops_no_start(house: House) -> None:
    new = NewChallenge(CLUB, LOUNGE, ANN, (BOB,), Rules().dump(), NOW, NOW + 10**6 * MINUTE)
    async with house.store.transaction() as tx:
        challenge = await tx.challenges.create(replace(new, clock="sundial 120 play-on"))
    with pytest.raises(ChallengeRefused, match="made by another version"):
        await house.challenges.accept(challenge, WordRow(BOB, "interaction 1", is_own=False))
    await house.invitations.restore()
    assert (await house.challenges.get(challenge)).status is ChallengeStatus.WITHDRAWN


async def test_a_challenge_by_rules_of_another_version_can_be_refused_but_not_accepted(
    house: House,
) -> None:
    new = NewChallenge(CLUB, LOUNGE, ANN, (BOB,), NEWER, NOW, NOW + 10**6 * MINUTE)
    async with house.store.transaction() as tx:
        challenge = await tx.challenges.create(new)
        posted = await tx.challenges.create(replace(new, opponents=(BOB,)))
        await tx.challenges.set_message(posted, MessageId(5))
    with pytest.raises(ChallengeRefused, match="made by another version"):
        await house.challenges.accept(challenge, WordRow(BOB, "interaction 1", is_own=False))
    assert (await house.challenges.get(challenge)).status is ChallengeStatus.OPEN
    await house.invitations.restore()
    assert (await house.challenges.get(challenge)).status is ChallengeStatus.WITHDRAWN
    row = await house.challenges.decline(posted, BOB)
    assert row.status is ChallengeStatus.DECLINED
    await house.invitations.show_settled(row)
