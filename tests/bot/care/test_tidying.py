"""The daily tidying: one step that fails is no reason to leave the others undone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import NoReturn
from unittest.mock import create_autospec

import pytest
from structlog.testing import capture_logs

from bot.care import retention
from bot.house import House
from bot.mail.post import Post
from db.ids import PersonId
from db.packing import Packing
from db.privacy import Privacy
from db.rows import AdminAct, ChallengeStatus, NewAdminAct, VacationRow
from db.store import Store
from db.vacations import Vacations
from tests.db.house import (
    ANN,
    BOB,
    CAT,
    CLUB,
    DAN,
    EVE,
    MINUTE,
    NOW,
    a_challenge,
    lost,
    play_to_the_end,
    won,
)

LATER = NOW + timedelta(days=5000)
EACH = {"challenges": 1, "acts": 1, "vacations": 1, "people": 2, "packed": 1}


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """One of each that was kept long enough: two absent people, one match that is over."""
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'house.db'}")
    await play_to_the_end(store, [won(0, ANN, 225), lost(1, BOB, 40)])
    async with store.transaction() as tx:
        for person, name in ((ANN, "Ann"), (BOB, "Bob")):
            await tx.people.seen(person, name, NOW)
        settled = await tx.challenges.create(a_challenge(CAT, DAN))
        await tx.challenges.settle(settled, ChallengeStatus.DECLINED, NOW)
        await tx.admin.record(NewAdminAct(CLUB, EVE, AdminAct.LIMITS, NOW))
        await tx.vacations.begin(VacationRow(EVE, NOW, NOW + MINUTE))
    yield House.build(store, create_autospec(Post, instance=True))
    await store.close()


async def tidied(house: House) -> tuple[dict[str, object], list[str]]:
    """What was tidied, and which steps are said to have failed."""
    with capture_logs() as logs:
        await retention.tidy(house, LATER)
    (done,) = (line for line in logs if line["event"] == "tidied")
    failed = [line["step"] for line in logs if line["event"] == "not tidied"]
    return {name: done[name] for name in EACH}, failed


@pytest.mark.parametrize(
    ("step", "kind", "method"),
    [
        ("challenges", Privacy, "unplayed"),
        ("acts", Privacy, "old_acts"),
        ("vacations", Vacations, "forget"),
        ("people", Privacy, "absent"),
        ("packed", Packing, "pack"),
    ],
)
async def test_a_step_that_fails_is_named_and_the_others_are_done(
    house: House, monkeypatch: pytest.MonkeyPatch, step: str, kind: type, method: str
) -> None:
    def fail(*_: object) -> NoReturn:
        raise RuntimeError("a fault")

    with monkeypatch.context() as broken:
        broken.setattr(kind, method, fail)
        assert await tidied(house) == ({**EACH, step: None}, [step])
    nothing = dict.fromkeys(EACH, 0)
    assert await tidied(house) == ({**nothing, step: EACH[step]}, [])


async def test_a_person_who_cannot_be_forgotten_keeps_nobody_else(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even where people are looked for one at a time, and he is found first."""
    real = Privacy.forget

    async def forget(privacy: Privacy, person: PersonId, *given: object) -> None:
        if person == ANN:
            raise RuntimeError("a fault")
        await real(privacy, person, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(retention, "PEOPLE_AT_ONCE", 1)
    monkeypatch.setattr(Privacy, "forget", forget)
    assert await tidied(house) == ({**EACH, "people": 1}, [])
    async with house.store.reading() as tx:
        assert await tx.privacy.absent(LATER, 9) == (ANN,)
