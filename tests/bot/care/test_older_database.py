"""Looking after a database of a version before: not under its bot, and not without a copy."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from bot.care.backups import Schedule, older_revision
from bot.care.housekeeping import look_after
from db import migrate
from db.backup import revision_of
from db.errors import AlreadyRunning
from db.lock import HouseLock
from tests.bot.care.test_backups import kept

SCHEDULE = Schedule(every=timedelta(days=1), keep=7)


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """A database of the first version."""
    return kept(tmp_path, "0001")


def url_of(file: Path) -> str:
    return f"sqlite+aiosqlite:///{file}"


@pytest.mark.parametrize("command", ["check", "rebuild"])
def test_a_copy_is_made_before_an_older_database_is_brought_up_to_date(
    older: Path, command: str
) -> None:
    assert older_revision(url_of(older)) == "0001"
    assert look_after(url_of(older), command, None, SCHEDULE) == 0
    (copy,) = (older.parent / "backups").iterdir()
    assert (revision_of(copy), revision_of(older)) == ("0001", migrate.newest())
    assert older_revision(url_of(older)) is None
    assert look_after(url_of(older), command, None, SCHEDULE) == 0
    assert len([*(older.parent / "backups").iterdir()]) == 1


@pytest.mark.parametrize("command", ["check", "rebuild"])
def test_under_the_bot_of_the_version_before_it_stays_as_it_is(older: Path, command: str) -> None:
    lock = HouseLock.beside(url_of(older))
    assert lock is not None
    with lock, pytest.raises(AlreadyRunning):
        look_after(url_of(older), command, None, SCHEDULE)
    assert revision_of(older) == "0001"
    assert not (older.parent / "backups").exists()
