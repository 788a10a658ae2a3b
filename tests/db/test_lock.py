"""One process serves a database; the second one says so."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from db import AlreadyRunning, DatabaseUnusable, HouseLock

HOLD = """
import sys, time
from pathlib import Path
from db import AlreadyRunning, HouseLock
try:
    lock = HouseLock.acquire(Path(sys.argv[1]))
except AlreadyRunning as error:
    sys.exit(str(error))
print("held", flush=True)
time.sleep(60)
"""

FORK_AND_DIE = """
import os, signal, sys, time
from pathlib import Path
from db import HouseLock
lock = HouseLock.acquire(Path(sys.argv[1]))
if os.fork() == 0:
    print("child", os.getpid(), flush=True)
    time.sleep(60)
    os._exit(0)
time.sleep(60)
"""


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "house.db.lock"


@pytest.fixture
def holder(lock: Path) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(lock)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_a_second_process_is_refused_with_a_sentence_that_names_the_first(
    holder: subprocess.Popen[str], lock: Path
) -> None:
    with pytest.raises(AlreadyRunning) as refused:
        HouseLock.acquire(lock)
    assert f"process {holder.pid}" in str(refused.value)
    assert f"on the database {lock.with_name('house.db')};" in str(refused.value)
    assert str(refused.value).endswith(".")


@pytest.mark.skipif(sys.platform == "win32", reason="no kill like that here")
def test_a_killed_process_has_given_its_lock_back(
    holder: subprocess.Popen[str], lock: Path
) -> None:
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    mine = HouseLock.acquire(lock)
    try:
        with pytest.raises(AlreadyRunning, match=f"process {os.getpid()}"):
            HouseLock.acquire(lock)
    finally:
        mine.release()


@pytest.mark.skipif(sys.platform == "win32", reason="no fork here")
def test_a_child_that_outlives_the_process_does_not_keep_its_lock(lock: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", FORK_AND_DIE, str(lock)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline().split()[1])
        process.kill()
        process.wait()
        try:
            HouseLock.acquire(lock).release()
        finally:
            os.kill(child, signal.SIGKILL)


def test_one_process_does_not_take_the_lock_twice_and_can_after_giving_it_back(
    lock: Path,
) -> None:
    with HouseLock.acquire(lock):
        with pytest.raises(AlreadyRunning):
            HouseLock.acquire(lock)
        # Being refused has not given away what is held.
        refused = subprocess.run(
            [sys.executable, "-c", HOLD, str(lock)], capture_output=True, text=True, timeout=60
        )
        assert "already running" in refused.stderr
    again = HouseLock.acquire(lock)
    again.release()
    again.release()
    HouseLock.acquire(lock).release()


def test_the_lock_lies_beside_the_database(tmp_path: Path) -> None:
    taken = HouseLock.beside(f"sqlite+aiosqlite:///{tmp_path}/house.db")
    assert taken is not None
    with taken:
        assert (tmp_path / "house.db.lock").exists()


def test_a_database_has_one_lock_whatever_link_leads_to_it(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "house.db").touch()
    (tmp_path / "link.db").symlink_to(tmp_path / "elsewhere" / "house.db")
    taken = HouseLock.beside(f"sqlite+aiosqlite:///{tmp_path}/elsewhere/house.db")
    assert taken is not None
    with taken, pytest.raises(AlreadyRunning):
        HouseLock.beside(f"sqlite+aiosqlite:///{tmp_path}/link.db")


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").touch()
    with pytest.raises(DatabaseUnusable, match=r"house\.db\.lock"):
        HouseLock.acquire(tmp_path / "data" / "house.db.lock")


def test_a_database_whose_links_lead_in_a_circle_is_refused_with_a_sentence(tmp_path: Path) -> None:
    loop = tmp_path / "loop.db"
    loop.symlink_to(loop)
    with pytest.raises(DatabaseUnusable, match="lead round in a circle"):
        HouseLock.beside(f"sqlite+aiosqlite:///{loop}")
    with pytest.raises(DatabaseUnusable, match=r"loop\.db cannot be written"):
        HouseLock.acquire(loop)
