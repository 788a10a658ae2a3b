"""A house of mocks at whose desk interactions are answered."""

from __future__ import annotations

from datetime import timedelta
from unittest.mock import NonCallableMagicMock

import pytest

from bot.front import serving
from bot.front.door import Door
from bot.house import House
from bot.mail.people import People
from bot.mail.post import Post
from bot.now import utc_now
from bot.play.challenges import Challenges
from bot.play.clocks import Clocks
from bot.play.idle import IdleMatches
from bot.play.presence import Presence
from bot.play.tables import Tables
from bot.play.vacations import Vacations
from bot.shown.invitations import Invitations
from bot.shown.showing import Showing
from db.store import Store


@pytest.fixture
def house() -> House:
    return House(
        store=NonCallableMagicMock(spec=Store),
        post=NonCallableMagicMock(spec=Post),
        people=NonCallableMagicMock(spec=People),
        tables=NonCallableMagicMock(spec=Tables),
        challenges=NonCallableMagicMock(spec=Challenges),
        invitations=NonCallableMagicMock(spec=Invitations),
        showing=NonCallableMagicMock(spec=Showing),
        presence=NonCallableMagicMock(spec=Presence),
        door=Door(),
        clocks=NonCallableMagicMock(spec=Clocks),
        idle=NonCallableMagicMock(spec=IdleMatches),
        vacations=NonCallableMagicMock(spec=Vacations),
        now=utc_now,
    )


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Defer at once whatever isn't ready at once."""
    monkeypatch.setattr(serving, "ANSWER_WITHIN", timedelta(0))
