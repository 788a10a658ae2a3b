"""What is said to somebody whose act was refused fits the moment and the rules of his match."""

from __future__ import annotations

from types import SimpleNamespace
from unittest.mock import NonCallableMagicMock

import pytest

from bot.desk import knocking
from bot.front.visit import Visit
from bot.house import House
from bot.play.tables import Intent
from bot.refusals import NotPossibleNow, broken_rule
from db.ids import MatchId
from gin import Hand, Match, Phase, Rules, Seat, errors
from tests.gin import table


def said(error: errors.GinError, phase: Phase, *, must_knock: bool = False) -> str:
    hand = NonCallableMagicMock(spec=Hand, phase=phase, must_knock=must_knock)
    return broken_rule(error, hand).sentence


def test_who_took_the_fiftieth_card_is_told_that_he_must_knock_whatever_he_tries() -> None:
    for error in (errors.MustKnock(""), errors.WrongPhase(""), errors.OverLimit(52, 10)):
        refused = said(error, Phase.DISCARD, must_knock=True)
        assert "took the last discard to knock" in refused
        assert "just discard" not in refused
    assert "just discard" in said(errors.OverLimit(52, 10), Phase.DISCARD)


def test_the_fiftieth_card_without_a_knock_is_left_by_a_pass() -> None:
    assert "you can only pass" in said(errors.MustKnock(""), Phase.FIFTIETH)
    assert "you must knock now" in said(errors.MustKnock(""), Phase.DISCARD)


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase is not Phase.OVER])
def test_an_act_at_the_wrong_moment_is_told_the_right_one(phase: Phase) -> None:
    assert "isn't the move that's due" not in said(errors.WrongPhase(""), phase)


async def refused_big_gin(match: Match) -> str:
    """What the player to move is told who declares big gin in this match."""
    seat = match.to_move
    assert seat is not None

    async def act(_match: MatchId, _person: object, intent: Intent, **_more: object) -> None:
        intent(match, Seat(seat))

    house = NonCallableMagicMock(spec=House, tables=SimpleNamespace(act=act))
    visit = NonCallableMagicMock(spec=Visit, person=1, interaction=2)
    with pytest.raises(NotPossibleNow) as caught:
        await knocking.go_big(house, visit, MatchId(1), None)
    return caught.value.sentence


async def test_big_gin_that_cannot_be_is_told_why() -> None:
    for rules, why in (
        (Rules(), "isn't played in this match"),
        (Rules(big_gin=50), "aren't all in melds"),
    ):
        match = table.play(table.started(rules).after(table.stacked()), "A pass", "B pass")
        mover = match.to_move
        match = table.play(match, f"{mover} draw stock")
        assert why in await refused_big_gin(match)
