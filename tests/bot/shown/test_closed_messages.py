"""Direct messages that are closed, and players who have left (faults.md, rows 4 and 26)."""

from __future__ import annotations

import pytest

from bot.mail.post import NOBODY, DirectMessagesClosed, NotAllowed, Ping, Undelivered
from db.ids import MatchId
from tests.bot.playing import (
    ADA,
    BEN,
    LONG_AGO,
    LOUNGE,
    REFUSED,
    TO_BEN,
    B,
    House,
    turns,
)


async def test_closed_messages_are_replaced_by_a_call_in_the_channel_that_goes_again(
    house: House,
) -> None:
    """Row 4: it names only that person, comes once a turn, and ends nothing."""
    house.discord.failing["send", TO_BEN] = [DirectMessagesClosed("50007")]
    match = await house.match()
    house.showing.changed(match)
    await house.showing.settle()
    calls = [request for request in house.discord.sent if request.ping != NOBODY]
    assert [(call.channel, call.ping, call.silent) for call in calls] == [
        (LOUNGE, Ping((BEN,)), False)
    ]
    house.showing.changed(match)
    await house.showing.settle()
    assert len([request for request in house.discord.sent if request.ping != NOBODY]) == 1
    house.discord.sent.clear()
    await house.shows(match, "B pass")
    gone = [r.message for r in house.discord.sent if (r.act, r.channel) == ("delete", LOUNGE)]
    assert gone == [calls[0].message]
    assert house.discord.acts(TO_BEN) == []  # told once: no further attempt


async def test_where_the_player_to_act_has_left_the_others_are_told_what_they_can_do(
    house: House,
) -> None:
    house.discord.failing["send", TO_BEN] = [DirectMessagesClosed("50278")]
    house.discord.left.add(BEN)
    match = await house.match()
    for _look in range(2):
        house.showing.changed(match)
        await house.showing.settle()
    (told,) = [request for request in house.discord.sent if request.ping != NOBODY]
    assert (told.channel, told.ping) == (LOUNGE, Ping((ADA,)))
    assert "has left the server" in told.said
    assert f"<@{ADA}>" in told.said
    assert "`/gin cancel` ends it without a result" in told.said
    house.discord.sent.clear()
    await house.shows(match, "B pass")
    gone = [r.message for r in house.discord.sent if (r.act, r.channel) == ("delete", LOUNGE)]
    assert gone == [told.message]


async def test_messages_that_close_in_the_middle_cost_one_attempt(
    house: House, match: MatchId
) -> None:
    """Rows 4 and 26: what stands there already goes, since it can't be kept true."""
    await house.shows(match, *REFUSED, ago=LONG_AGO)
    acts = turns()
    await house.shows(match, *next(acts), ago=LONG_AGO)
    house.discord.sent.clear()
    house.discord.failing["send", TO_BEN] = [DirectMessagesClosed("50007")] * 2
    await house.shows(match, *next(acts), ago=LONG_AGO)
    await house.shows(match, *next(acts), *next(acts), ago=LONG_AGO)
    assert len(house.discord.failing["send", TO_BEN]) == 1
    assert [r.ping for r in house.discord.sent if r.ping != NOBODY] == [Ping((BEN,))] * 2
    await house.people.may_be_open(BEN)
    house.discord.failing["send", TO_BEN].clear()
    await house.shows(match, *next(acts), *next(acts), ago=LONG_AGO)
    assert house.discord.acts(TO_BEN) == ["delete", "send"]


@pytest.mark.parametrize("refused", [None, NotAllowed("50013")], ids=["edited", "taken away"])
async def test_a_hand_in_messages_that_have_closed_shows_nothing_that_is_over(
    house: House, match: MatchId, refused: Undelivered | None
) -> None:
    """Row 4: Discord refuses to send there, not to edit; its controls would still work."""
    hand = await house.hand(match, B)
    await house.people.closed(BEN)
    house.discord.sent.clear()
    if refused is not None:
        house.discord.failing["edit", TO_BEN] = [refused]
    await house.shows(match, "B pass")
    done = [("edit" if refused is None else "delete", hand.message_id)]
    assert house.discord.done(TO_BEN) == done
    await house.shows(match, "A pass")  # so that it is Ben's turn, who is called elsewhere
    assert [r.ping for r in house.discord.sent if r.ping != NOBODY] == [Ping((BEN,))]
    assert "send" not in house.discord.acts(TO_BEN)
