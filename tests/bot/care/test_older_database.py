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


@pytest.mark.parametrize("command", ["check", "rebuild"])
def test_a_copy_is_made_before_an_older_database_is_brought_up_to_date(
    tmp_path: Path, command: str
) -> None:
    file = kept(tmp_path, "0001")
    url = f"sqlite+aiosqlite:///{file}"
    assert older_revision(url) == "0001"
    assert look_after(url, command, None, SCHEDULE) == 0
    (copy,) = (file.parent / "backups").iterdir()
    assert (revision_of(copy), revision_of(file)) == ("0001", migrate.newest())
    assert older_revision(url) is None
    assert look_after(url, command, None, SCHEDULE) == 0
    assert len([*(file.parent / "backups").iterdir()]) == 1


@pytest.mark.parametrize("command", ["check", "rebuild"])
def test_under_the_bot_of_the_version_before_it_stays_as_it_is(
    tmp_path: Path, command: str
) -> None:
    file = kept(tmp_path, "0001")
    url = f"sqlite+aiosqlite:///{file}"
    lock = HouseLock.beside(url)
    assert lock is not None
    with lock, pytest.raises(AlreadyRunning):
        look_after(url, command, None, SCHEDULE)
    assert revision_of(file) == "0001"
    assert not (file.parent / "backups").exists()
