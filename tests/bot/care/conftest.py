"""What a start on this machine needs: a folder for everybody, another user, all undone after."""

from __future__ import annotations

import logging
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
import structlog

from db import backup
from db.store import Store

NOBODY = 65534


@pytest.fixture
def as_it_was(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever a start sets up is undone; locks are waited for only shortly."""
    root = logging.getLogger()
    handlers, level, interval = root.handlers[:], root.level, sys.getswitchinterval()
    soon = timedelta(milliseconds=50)
    monkeypatch.setattr(Store.open.__func__, "__defaults__", (soon,))  # type: ignore[attr-defined]
    monkeypatch.setattr(backup, "PATIENCE", soon)
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    sys.setswitchinterval(interval)
    structlog.reset_defaults()


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that every user may reach (pytest's own are closed to others)."""
    made = Path(tempfile.mkdtemp())
    made.chmod(0o755)
    yield made
    made.chmod(0o755)
    for inner in made.iterdir():
        inner.chmod(0o755)
    shutil.rmtree(made)


@pytest.fixture
def as_nobody() -> Iterator[Callable[[], None]]:
    """Become a user to whom the rights of files apply; root may do everything."""
    if sys.platform == "win32":
        pytest.skip("rights of files work differently here")
    root = os.geteuid() == 0

    def become() -> None:
        if root:
            os.seteuid(NOBODY)

    yield become
    if root:
        os.seteuid(0)
