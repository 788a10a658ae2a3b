"""Those who manage a server: look at matches, move, end, void them; block, limit, diagnose."""

from __future__ import annotations

import pytest

from bot.care import audit
from bot.now import utc_now
from db import migrate
from db.ids import MatchId, PersonId
from db.rows import MatchStatus
from playground.acting.people import Answer, CannotInvoke, Person, buttons, text_of
from playground.acting.reading import all_buttons
from playground.state.model import Channel, Guild
from tests.e2e.acting import custom_ids, message_of, resigns
from tests.e2e.fates import all_is_shown, hand_of, sit_down, table_of
from tests.e2e.room import Room

pytestmark = pytest.mark.usefixtures("unhurried")

# Ada owns the server, so she manages it; Ben and Cleo don't.


async def admin(room: Room, command: str, where: str | None = None, **options: object) -> Answer:
    path = f"gin-admin {command}"
    answer = await room.ada.slash(where or room.table, path, first=False, **options)
    assert not answer.failed
    assert answer.ephemeral
    await room.settled()
    return answer


async def resigned(room: Room) -> None:
    """A match that Ben has given up, so that Ada has won it."""
    await sit_down(room)
    await resigns(room.ben, room.table)
    await room.settled()


async def status_of(room: Room, number: int = 1) -> MatchStatus:
    assert room.store is not None
    async with room.store.reading() as tx:
        row = await tx.matches.get(MatchId(number))
    assert row is not None
    return row.status


async def check_is_clean(room: Room) -> None:
    assert room.store is not None
    well, report = await audit.check(room.store)
    assert well, report


def another_server(room: Room, owner: Person) -> tuple[Guild, Channel]:
    """A second server, with the bot and this person in it, and a channel for tables."""
    guild = room.world.add_guild("The Other House", owner.user)
    channel = room.world.add_channel(guild, "elsewhere")
    room.world.invite_bot(guild)
    return guild, channel


@pytest.mark.parametrize(
    "command", ["match-list", "match-end", "match-void", "block", "limits", "diagnose", "acts"]
)
async def test_who_does_not_manage_the_server_is_not_offered_the_commands(
    room: Room, command: str
) -> None:
    with pytest.raises(CannotInvoke):
        await room.ben.slash(room.table, f"gin-admin {command}")


async def test_matches_in_play_and_ended_ones_are_listed(room: Room) -> None:
    assert "There are none" in (await admin(room, "match-list")).text
    await sit_down(room)
    listed = (await admin(room, "match-list")).text
    assert "**#1** Ada – Ben" in listed
    assert "There are none" in (await admin(room, "match-list", which="ended")).text
    await resigns(room.ben, room.table)
    await room.settled()
    assert "There are none" in (await admin(room, "match-list")).text
    assert "**#1** Ada – Ben" in (await admin(room, "match-list", which="ended", page=7)).text


async def test_one_match_is_shown_without_a_hidden_card(room: Room) -> None:
    await sit_down(room)
    shown = (await admin(room, "match-show", match="1")).text
    assert "Match #1" in shown
    assert "Last act" in shown
    for card in ("2♠", "9♥", "J♣", "A♠", "6♣", "8♥"):  # both hands and the stock
        assert card not in shown


async def test_a_table_is_moved_to_the_channel_where_that_is_typed(room: Room) -> None:
    await sit_down(room)
    old = await table_of(room)
    assert old.channel.name == "gin-rummy"
    answer = await admin(room, "match-move", "second-table", match="1")
    assert "goes on here" in answer.text
    new = await table_of(room)
    assert old.deleted
    assert new.channel.name == "second-table"
    await room.ben.press(new, "Pass")
    assert "Ben passed" in await all_is_shown(room)
    assert (await table_of(room)).channel.name == "second-table"
    assert (
        "stands in this channel already"
        in (await admin(room, "match-move", "second-table", match="1")).text
    )
    await check_is_clean(room)


async def test_a_table_is_moved_that_this_process_has_by_heart(room: Room) -> None:
    """After acts that only changed messages nothing of the match would be read at a look."""
    await sit_down(room)
    await room.ben.slash(room.table, "gin pass")
    await room.ada.slash(room.table, "gin pass")
    await room.ben.slash(room.table, "gin draw", pile="stock")
    await room.settled()
    assert room.bot is not None
    house = room.bot.house
    assert house.tables.certain(MatchId(1)) is not None
    assert house.showing._notes.whole(MatchId(1)) is not None
    await admin(room, "match-move", "second-table", match="1")
    await room.settled()
    assert (await table_of(room)).channel.name == "second-table"


async def test_a_match_whose_channel_was_deleted_is_moved_and_goes_on(room: Room) -> None:
    await sit_down(room)
    room.playground.faults.delete_channel(room.ada.channel("gin-rummy"))
    await room.ben.slash("second-table", "gin pass", match="1")
    await room.settled()
    for seat in (0, 1):
        assert "The table can't be shown" in text_of(await hand_of(room, seat))
    await admin(room, "match-move", "second-table", match="1")
    await room.settled()
    assert "Ben passed" in text_of(table := await table_of(room))
    for seat, person in enumerate((room.ada, room.ben)):
        hand = await hand_of(room, seat)
        assert "The table can't be shown" not in text_of(hand)
        (link,) = [one["url"] for one in all_buttons(hand) if "url" in one]
        assert link.endswith(f"/{table.channel.id}/{table.id}")
        said = [text_of(one) for one in person.messages(person.dm())]
        assert not [one for one in said if "is gone, and the table with it" in one]
        (where,) = [one for one in said if "couldn't stay where it was" in one]
        assert f"<#{table.channel.id}>" in where


async def test_a_table_is_not_moved_to_where_the_bot_may_not_write(room: Room) -> None:
    await sit_down(room)
    where = room.ada.channel("second-table")
    room.playground.faults.permission(room.world.bot, where, "send_messages", False)
    assert "Send Messages" in (await admin(room, "match-move", "second-table", match="1")).text
    assert (await table_of(room)).channel.name == "gin-rummy"


async def test_a_running_match_is_ended_without_a_result_and_the_log_says_by_whom(
    room: Room,
) -> None:
    await sit_down(room)
    answer = await admin(room, "match-end", match="1", reason="they have *left* @everyone")
    assert "has ended without a result" in answer.text
    assert (await room.log())[-1] == "cancel"
    assert room.store is not None
    async with room.store.reading() as tx:
        last = (await tx.matches.log(MatchId(1)))[-1]
        assert await tx.matches.running_of(PersonId(room.ben.id)) == ()
    assert (last.seat, last.actor) == (None, room.ada.id)
    assert await status_of(room) is MatchStatus.CANCELLED
    told = await room.ben.sees(room.table, "ended by a moderator")
    assert "they have \\*left\\*" in text_of(told)
    assert told.pinged == frozenset()
    hand = next(one for one in room.ben.messages(room.ben.dm()) if "Rematch" in buttons(one))
    for ended in (await table_of(room), hand):
        assert "Match ended by a moderator" in text_of(ended)
        assert "they have \\*left\\*" in text_of(ended)
    await check_is_clean(room)
    again = await admin(room, "match-end", match="1")
    assert "over already" in again.text
    assert "match-end" in (await admin(room, "acts")).text
    assert len((await admin(room, "acts")).text.splitlines()) == 3  # title, one act, page
    await room.begin()  # both are free for another one
    assert await status_of(room, 2) is MatchStatus.RUNNING


async def test_a_voided_result_leaves_the_league_table_and_the_log_stays(room: Room) -> None:
    await resigned(room)
    log = await room.log()
    assert "Ada" in (await room.cleo.slash(room.table, "gin leaderboard")).text
    answer = await admin(room, "match-void", match="#1", reason="agreed beforehand")
    assert "counts no more" in answer.text
    assert await status_of(room) is MatchStatus.VOID
    assert await room.log() == log
    board = (await room.cleo.slash(room.table, "gin leaderboard")).text
    assert "Nobody has finished a match here yet" in board
    await check_is_clean(room)
    sheet = (await room.cleo.slash(room.table, "gin sheet", match="1")).text
    hand = next(one for one in room.ada.messages(room.ada.dm()) if "Rematch" in buttons(one))
    for ended in (text_of(await table_of(room)), text_of(hand), sheet):
        assert "Result taken out" in ended
        assert "wins the match!" not in ended
        assert "Reason: agreed beforehand" in ended
    acts = (await admin(room, "acts")).text
    assert "`match-void` #1 “agreed beforehand”" in acts
    assert "counts for nobody already" in (await admin(room, "match-void", match="1")).text
    shown = (await admin(room, "match-show", match="1")).text
    assert "taken out by a moderator" in shown
    assert "Taken out by Ada · Reason: agreed beforehand" in shown
    assert (await admin(room, "acts")).text.count("`match-void`") == 1
    await room.restart()
    await check_is_clean(room)


async def test_a_running_match_is_not_voided(room: Room) -> None:
    await sit_down(room)
    async with room.unchanged():
        assert "still running" in (await admin(room, "match-void", match="1")).text
    assert "Nothing was done yet" in (await admin(room, "acts")).text


async def test_matches_of_another_server_do_not_exist_for_its_admins(room: Room) -> None:
    await resigned(room)
    await room.begin()
    _guild, elsewhere = another_server(room, room.cleo)
    for command in ("match-show", "match-move", "match-end", "match-void"):
        for match in ("1", "2", "99"):
            answer = await room.cleo.slash(elsewhere, f"gin-admin {command}", match=match)
            assert "no such match on this server" in answer.text, command
    assert "There are none" in (await room.cleo.slash(elsewhere, "gin-admin match-list")).text
    suggested = await room.cleo.autocomplete(elsewhere, "gin-admin match-show", focused="match")
    assert suggested == []
    assert "Nothing was done yet" in (await room.cleo.slash(elsewhere, "gin-admin acts")).text
    assert await status_of(room, 2) is MatchStatus.RUNNING


async def test_matches_are_suggested_by_what_can_be_done_with_them(room: Room) -> None:
    await resigned(room)
    await room.begin()

    async def suggested(command: str) -> set[str]:
        path = f"gin-admin {command}"
        found = await room.ada.autocomplete(room.table, path, focused="match")
        return {str(choice.value) for choice in found}

    assert await suggested("match-show") == {"1", "2"}
    assert await suggested("match-end") == {"2"}
    assert await suggested("match-void") == {"1"}


@pytest.mark.parametrize("number", ["", "#", "x", "-1", "9" * 40, "١", "1; DROP", "🃏" * 50])
async def test_a_match_that_nobody_could_mean_is_answered(room: Room, number: str) -> None:
    if number:
        answer = await admin(room, "match-end", match=number)
        assert "no such match" in answer.text


async def test_neither_bots_nor_oneself_can_be_blocked(room: Room) -> None:
    async with room.unchanged():
        assert "can't block yourself" in (await admin(room, "block", person=room.ada)).text
        bot = await room.ada.slash(room.table, "gin-admin block", person=room.world.bot)
        assert "Bots don't sit at our tables" in bot.text


async def test_the_list_of_acts_names_channels_and_limits_in_words(room: Room) -> None:
    lounge = room.ada.channel(room.table)
    await admin(room, "limits", challenges=3, allow=lounge)
    await admin(room, "limits", matches=7, disallow=lounge)
    acts = (await admin(room, "acts")).text
    assert f"at most 3 open challenges, tables may stand in <#{lounge.id}>" in acts
    assert f"at most 7 running matches, <#{lounge.id}> taken off the list" in acts
    assert "=" not in acts


async def test_a_blocked_person_neither_challenges_nor_is_challenged(room: Room) -> None:
    answer = await admin(room, "block", person=room.ben, reason="spam")
    assert "Ben can't challenge or be challenged" in answer.text
    refused = await room.ben.slash(room.table, "gin challenge", opponent=room.cleo)
    assert refused.ephemeral
    assert "moderators" in refused.text
    refused = await room.cleo.slash(room.table, "gin challenge", opponent=room.ben)
    assert refused.ephemeral
    assert "Ben can't be challenged here just now" in refused.text
    refused = await room.cleo.slash(room.table, "gin challenge", opponent=room.ada, third=room.ben)
    assert refused.ephemeral
    assert "Blocked: Ben (“spam”)" in (await admin(room, "limits")).text
    again = await admin(room, "block", person=room.ben)
    assert "Ben is blocked on this server already" in again.text
    await admin(room, "block", person=room.ben, reason="spam, and worse")
    assert "Blocked: Ben (“spam, and worse”)" in (await admin(room, "limits")).text
    await admin(room, "unblock", person=room.ben)
    assert "isn't blocked" in (await admin(room, "unblock", person=room.ben)).text
    accepted = await room.cleo.slash(room.table, "gin challenge", opponent=room.ben)
    assert not accepted.ephemeral
    acts = (await admin(room, "acts")).text
    assert acts.index("`unblock` Ben") < acts.index("`block` Ben “spam”")
    assert acts.count("`block` Ben") == 2


async def test_a_challenge_that_was_open_at_the_block_is_not_accepted(room: Room) -> None:
    challenge = await room.ben.slash(room.table, "gin challenge", opponent=room.cleo)
    back = await room.ada.slash(room.table, "gin challenge", opponent=room.ben)
    aside = await room.ada.slash(room.table, "gin challenge", opponent=room.cleo)
    accept = custom_ids(message_of(challenge))["Accept"]
    await admin(room, "block", person=room.ben)
    await room.settled()
    for blocked in (challenge, back):
        assert "withdrawn" in text_of(message_of(blocked))
        assert not buttons(message_of(blocked), enabled=True)
    assert "Accept" in buttons(message_of(aside), enabled=True)
    assert "Ben challenged you" not in (await room.cleo.slash(room.table, "gin status")).text
    answer = await room.cleo.forge(message_of(challenge), accept)
    assert "withdrawn" in answer.text
    assert await room.log() == ()


async def test_who_accepts_where_that_cannot_be_is_not_told_to_pick_somebody_else(
    room: Room,
) -> None:
    challenge = await room.ben.slash(room.table, "gin challenge", opponent=room.cleo)
    assert room.store is not None
    async with room.store.transaction() as tx:
        await tx.wishes.block(PersonId(room.ben.id), PersonId(room.cleo.id), utc_now())
    answer = await room.cleo.press(challenge, "Accept")
    assert answer.ephemeral
    assert "Ben can't sit down here just now. *Decline* clears the challenge away." in answer.text


async def test_the_limits_are_kept_and_shown(room: Room) -> None:
    page = (await admin(room, "limits", challenges=1, matches=1)).text
    assert "may have made: **1**" in page
    dora, emil = (Person.new(room.playground, name) for name in ("Dora", "Emil"))
    await room.ben.slash(room.table, "gin challenge", opponent=dora)
    refused = await room.ben.slash(room.table, "gin challenge", opponent=emil)
    assert refused.ephemeral
    assert "1 open challenge" in refused.text
    await room.begin(room.cleo, dora)
    refused = await room.cleo.slash(room.table, "gin challenge", opponent=emil)
    assert "1 match" in refused.text
    refused = await emil.slash(room.table, "gin challenge", opponent=room.cleo)
    assert "Cleo plays as many matches" in refused.text
    waiting = (await room.ben.slash(room.table, "gin respond", answer="withdraw")).text
    assert "withdrawn" in waiting
    challenge = await emil.slash(room.table, "gin challenge", opponent=room.ada)
    await room.begin(room.ben, room.ada)
    answer = await room.ada.press(challenge, "Accept")
    assert answer.ephemeral
    assert "1 match" in answer.text


async def test_tables_stand_only_in_the_channels_on_the_list(room: Room) -> None:
    second = room.ada.channel("second-table")
    await admin(room, "limits", allow=second)
    refused = await room.ada.slash(room.table, "gin challenge", opponent=room.ben)
    assert refused.ephemeral
    assert f"<#{second.id}>" in refused.text
    accepted = await room.ada.slash("second-table", "gin challenge", opponent=room.ben)
    assert not accepted.ephemeral
    await admin(room, "limits", disallow=second)
    said = (await admin(room, "limits", disallow=second, challenges=7)).text
    assert "That channel isn't on the list, so nothing was changed." in said
    assert "may have made: **7**" not in (await admin(room, "limits")).text
    accepted = await room.ada.slash(room.table, "gin challenge", opponent=room.cleo)
    assert not accepted.ephemeral


async def test_diagnose_names_what_is_missing_and_says_how_the_bot_is(room: Room) -> None:
    well = (await admin(room, "diagnose")).text
    assert "✅ Attach Files" in well
    assert f"schema {migrate.newest()}, sound" in well
    assert "Version 0.1.0" in well
    assert "Running matches here: 0" in well
    channel = room.ada.channel(room.table)
    room.playground.faults.permission(room.world.bot, channel, "attach_files", False)
    ill = (await admin(room, "diagnose")).text
    assert "❌ **Attach Files** is missing" in ill
