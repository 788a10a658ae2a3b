"""What stands on Discord follows the log (faults.md, rows 1, 4, 11 and 12); Discord is played here.

Ada (seat A) and Ben (seat B) have cut KD and 7H: Ada deals, Ben is to act first. Everybody draws
from the stock and discards what was drawn, after both have refused the up-card.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

import bot.shown.showing
from bot.mail.governor import Urgency
from bot.mail.post import (
    NOBODY,
    MessageGone,
    NotAllowed,
    Ping,
    PrivatePlace,
    TryLater,
)
from bot.shown.standing import Standing
from bot.ui import language
from bot.ui.language import speaking
from bot.ui.page import MatchShown, Page
from bot.ui.pages import table_page
from db.ids import MatchId, MessageId
from db.rows import TABLE_SEAT, MatchStatus, ShownKind
from tests.bot.playing import (
    ADA,
    BEN,
    LONG_AGO,
    LOUNGE,
    PRIVATE,
    REFUSED,
    TO_ADA,
    TO_BEN,
    A,
    B,
    House,
    turns,
    until,
)

# ------------------------------------------------------------------------- a match as it goes on


async def test_a_new_match_shows_its_table_and_both_hands(house: House, match: MatchId) -> None:
    assert {request.channel: request.act for request in house.discord.sent if request.message} == {
        LOUNGE: "send",
        TO_ADA: "send",
        TO_BEN: "send",
    }
    assert {row.version for row in (await house.rows(match)).values()} == {2}


async def test_a_turn_comes_by_a_new_message_and_the_old_one_goes(
    house: House, match: MatchId
) -> None:
    """Row 27: an edit wouldn't notify."""
    before = await house.hand(match, A)
    house.discord.sent.clear()
    await house.shows(match, "B pass")
    assert house.discord.acts(TO_ADA) == ["send", "delete"]
    assert before.message_id in {r.message for r in house.discord.sent if r.act == "delete"}
    assert (await house.hand(match, A)).version == 3


async def test_a_turn_of_one_who_is_still_there_changes_his_message(
    house: House, match: MatchId
) -> None:
    await house.shows(match, *REFUSED)
    house.discord.sent.clear()
    await house.shows(match, *next(turns()))
    assert house.discord.acts(TO_ADA) == ["edit"]


async def test_a_hand_older_than_fifty_minutes_is_sent_anew_even_to_one_who_is_there(
    house: House, match: MatchId
) -> None:
    """Row 11: the playing that goes on for an hour in one message."""
    await house.shows(match, *REFUSED)
    await house.ages(await house.hand(match, A))
    house.discord.sent.clear()
    await house.shows(match, *next(turns()))
    assert house.discord.acts(TO_ADA) == ["send", "delete"]


async def test_what_others_do_in_between_changes_the_table_alone(
    house: House, match: MatchId
) -> None:
    await house.shows(match, *REFUSED)
    house.discord.sent.clear()
    await house.shows(match, next(turns())[0])
    assert house.discord.acts(TO_ADA) == []
    assert house.discord.acts(LOUNGE) == ["edit"]


async def test_whoever_is_to_act_goes_first(house: House, match: MatchId) -> None:
    house.discord.sent.clear()
    await house.acted(match, "B pass")
    table = await house.tables.load(match)
    assert table is not None
    async with house.store.reading() as tx:
        standing = Standing.of(table, await tx.shown.of_match(match))
    assert standing.parts_behind() == [A, B, TABLE_SEAT]
    await house.shows(match)
    assert {r.channel: r.urgency for r in house.discord.sent if r.act != "delete"} == {
        TO_ADA: Urgency.TURN,
        TO_BEN: Urgency.TIDY,
        LOUNGE: Urgency.TABLE,
    }


async def test_edits_are_coalesced_and_the_latest_wins(house: House, match: MatchId) -> None:
    """Row 11: five acts while an edit is on its way make one further edit."""
    await house.shows(match, *REFUSED)
    house.discord.sent.clear()
    house.discord.begun.clear()
    arrived = house.discord.held["edit", LOUNGE] = asyncio.Event()
    acts = turns()
    await house.acted(match, next(acts)[0])
    house.showing.changed(match)
    await until(lambda: ("edit", LOUNGE) in house.discord.begun)
    acts = turns()
    ben, ada, again = next(acts), next(acts), next(acts)
    for line in (ben[1], *ada, *again):
        await house.acted(match, line)
        house.showing.changed(match)
        await asyncio.sleep(0)
    arrived.set()
    await house.showing.settle()
    assert house.discord.acts(LOUNGE) == ["edit", "edit"]
    assert (await house.table(match)).version == 10


# ------------------------------------------------------------------------ the table message


async def test_a_table_that_was_deleted_is_posted_again_silently(
    house: House, match: MatchId
) -> None:
    """Row 12."""
    gone = await house.table(match)
    house.discord.failing["edit", LOUNGE] = [MessageGone("10008")]
    await house.shows(match, "B pass")
    posted = [request for request in house.discord.sent if request.channel == LOUNGE][1]
    assert (posted.act, posted.silent, posted.ping) == ("send", True, NOBODY)
    assert (await house.table(match)).message_id == posted.message != gone.message_id


async def test_a_table_older_than_fifty_minutes_is_posted_again_and_the_old_one_goes(
    house: House, match: MatchId
) -> None:
    """Row 11."""
    await house.ages(await house.table(match))
    house.discord.sent.clear()
    await house.shows(match, "B pass")
    assert house.discord.acts(LOUNGE) == ["send", "delete"]
    await house.shows(match, "A pass")
    assert house.discord.acts(LOUNGE) == ["send", "delete", "edit"]


async def test_a_table_that_lies_far_up_is_posted_again_each_in_its_turn(
    house: House, match: MatchId
) -> None:
    """Of two tables in a channel one that came down doesn't count for the other."""
    other = await house.match()
    house.showing.changed(other)
    await house.showing.settle()
    for _ in range(bot.shown.showing.FAR_UP):
        house.showing.someone_wrote(LOUNGE)
    house.discord.sent.clear()
    await house.shows(match, "B pass")
    assert house.discord.acts(LOUNGE) == ["send", "delete"]
    await house.shows(other, "B pass")
    assert house.discord.acts(LOUNGE) == ["send", "delete"] * 2
    await house.shows(match, "A pass")
    assert house.discord.acts(LOUNGE)[4:] == ["edit"]


async def test_a_match_that_ends_leaves_the_counting_below_other_tables_alone(
    house: House, match: MatchId
) -> None:
    other = await house.match()
    house.showing.changed(other)
    await house.showing.settle()
    for _ in range(bot.shown.showing.FAR_UP):
        house.showing.someone_wrote(LOUNGE)
    await house.acted(match, "B resign")
    async with house.store.transaction() as tx:
        await tx.matches.finish(match, MatchStatus.CANCELLED, datetime.now(UTC))
    house.showing.changed(match)
    await house.showing.settle()
    house.discord.sent.clear()
    await house.shows(other, "B pass")
    assert house.discord.acts(LOUNGE) == ["send", "delete"]


# ------------------------------------------------------------------- answers and other messages


async def test_an_answer_that_lands_during_an_edit_has_it_made_again(
    house: House, match: MatchId
) -> None:
    """Nobody knows which of the two Discord took last."""
    await house.shows(match, *REFUSED)
    acts = turns()
    await house.shows(match, *next(acts))  # Ada's turn; she is still there
    hand = await house.hand(match, A)
    house.discord.sent.clear()
    arrived = house.discord.held["edit", TO_ADA] = asyncio.Event()
    await house.acted(match, *next(acts), *next(acts))  # hers, Ben's: her turn again, version 10
    house.showing.changed(match)
    house.discord.begun.clear()
    await until(lambda: ("edit", TO_ADA) in house.discord.begun)
    await house.showing.hand_shown(match, A, TO_ADA, hand.message_id, 8)
    arrived.set()
    await house.showing.settle()
    assert house.discord.acts(TO_ADA) == ["edit", "edit"]
    assert (await house.hand(match, A)).version == 10


async def test_an_answer_that_lands_after_a_newer_edit_is_put_right(
    house: House, match: MatchId
) -> None:
    await house.shows(match, *REFUSED)
    acts = turns()
    await house.shows(match, *next(acts), *next(acts), *next(acts))  # Ada's turn, version 10
    hand = await house.hand(match, A)
    assert hand.version == 10
    house.discord.sent.clear()
    await house.showing.hand_shown(match, A, TO_ADA, hand.message_id, 8)
    await house.showing.settle()
    assert house.discord.acts(TO_ADA) == ["edit"]
    assert (await house.hand(match, A)).version == 10


async def test_an_old_message_that_is_used_becomes_the_living_one(
    house: House, match: MatchId
) -> None:
    """Row 7."""
    old = await house.hand(match, A)
    house.discord.failing["delete", TO_ADA] = [NotAllowed("50013")]
    await house.shows(match, "B pass")  # her turn: a new message
    new = await house.hand(match, A)
    house.discord.sent.clear()
    await house.showing.hand_shown(match, A, TO_ADA, old.message_id, 3)
    assert (await house.hand(match, A)).message_id == old.message_id
    assert [(request.act, request.message) for request in house.discord.sent] == [
        ("delete", new.message_id)
    ]


async def test_a_message_sent_while_an_old_one_was_used_leaves_one_alive(
    house: House, match: MatchId
) -> None:
    old = await house.hand(match, A)
    arrived = house.discord.held["send", TO_ADA] = asyncio.Event()
    await house.acted(match, "B pass")
    house.showing.changed(match)
    await until(lambda: house.discord.begun.count(("send", TO_ADA)) == 2)
    used = MessageId(old.message_id + 500)
    await house.showing.hand_shown(match, A, TO_ADA, used, 3)
    arrived.set()
    await house.showing.settle()
    living = (await house.hand(match, A)).message_id
    deleted = {request.message for request in house.discord.sent if request.act == "delete"}
    assert deleted == {old.message_id, used}
    assert living not in deleted


async def living_hand(house: House, match: MatchId) -> bool:
    """Whether the message that is noted as Ada's hand is one that wasn't deleted."""
    deleted = {request.message for request in house.discord.sent if request.act == "delete"}
    return (await house.hand(match, A)).message_id not in deleted


async def test_an_old_one_that_is_used_while_it_is_being_deleted_leaves_one_alive(
    house: House, match: MatchId
) -> None:
    """The press came first at Discord, the deletion of what it was pressed on second."""
    old = await house.hand(match, A)
    arrived = house.discord.held["delete", TO_ADA] = asyncio.Event()
    await house.acted(match, "B pass")
    house.showing.changed(match)
    await until(lambda: ("delete", TO_ADA) in house.discord.begun)
    await house.acted(match, "A pass")
    shown = house.showing.hand_shown(match, A, TO_ADA, old.message_id, 4)
    noting = asyncio.create_task(shown)
    await until(lambda: house.discord.begun.count(("delete", TO_ADA)) == 2)
    arrived.set()
    await noting
    await house.showing.settle()
    assert await living_hand(house, match)
    assert (await house.hand(match, A)).version == 4


async def test_an_old_one_that_was_used_and_is_heard_of_after_its_deletion_leaves_one_alive(
    house: House, match: MatchId
) -> None:
    old = await house.hand(match, A)
    await house.shows(match, "B pass")
    await house.acted(match, "A pass")
    await house.showing.hand_shown(match, A, TO_ADA, old.message_id, 4)
    house.showing.changed(match)
    await house.showing.settle()
    assert await living_hand(house, match)
    assert (await house.hand(match, A)).version == 4


async def test_a_table_that_was_taken_for_an_old_hand_is_edited_once_a_change(
    house: House, match: MatchId
) -> None:
    """Forged, a press can come from a message that stands elsewhere; its deletion finds nothing."""
    (table,) = [row for row in (await house.rows(match)).values() if row.kind is ShownKind.TABLE]
    await house.showing.hand_shown(match, A, TO_ADA, table.message_id, 2)
    await house.shows(match, "B pass")  # her turn: a new message, and the other is deleted
    assert await living_hand(house, match)
    house.discord.sent.clear()
    await house.shows(match, "A pass")
    assert house.discord.acts(LOUNGE) == ["edit"]


async def test_a_table_speaks_the_houses_language_whoever_pressed(
    house: House, match: MatchId, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoken: list[object] = []

    def listen(shown: MatchShown) -> Page:
        spoken.append(language._spoken.get())
        return table_page(shown)

    monkeypatch.setattr(bot.shown.showing, "table_page", listen)
    with speaking("de"):
        await house.shows(match, "B pass")
    assert spoken == [None]


async def test_who_is_still_there_needs_no_call_in_the_channel(
    house: House, match: MatchId
) -> None:
    """His private answer is edited before his eyes, as another's panel in direct messages."""
    await house.people.closed(ADA)
    await house.people.closed(BEN)
    await house.shows(match, *REFUSED)
    for seat in (A, B):
        await house.showing.whispered(match, seat, 4, PrivatePlace(9, "t", MessageId(70 + seat)))
    house.discord.sent.clear()
    acts = turns()
    for _turn in range(4):
        await house.shows(match, *next(acts))
    assert "send" not in {request.act for request in house.discord.sent}
    assert set(house.discord.acts(PRIVATE)) == {"edit"}
    assert len(house.discord.acts(PRIVATE)) >= 4, "at each turn, for whom it is"
    await house.shows(match, *next(acts), ago=LONG_AGO)  # Ben's, so that Ada was here long ago
    await house.shows(match, *next(acts), ago=LONG_AGO)
    assert [request.ping for request in house.discord.sent if request.ping != NOBODY] == [
        Ping((BEN,))
    ]


@pytest.mark.usefixtures("brisk")
async def test_a_bad_day_of_discord_is_not_taken_for_closed_messages(house: House) -> None:
    house.discord.failing["open", TO_BEN] = [TryLater("500"), TryLater("40003")]
    match = await house.match()
    house.showing.changed(match)
    await until(lambda: house.discord.acts(TO_BEN) == ["open", "send"])
    await house.showing.settle()
    assert all(request.ping == NOBODY for request in house.discord.sent)
