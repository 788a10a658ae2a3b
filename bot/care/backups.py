"""Backups by schedule: a whole copy of the database every so often, and the oldest removed.

When the last one was made is told by the names of the files, so the schedule survives restarts.
Only files whose name this very database gave are ever removed.
"""

from __future__ import annotations

import asyncio
import errno
import os
import re
import secrets
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import structlog

from bot import metrics
from bot.now import Now
from bot.settings import SettingsError
from db import backup, migrate, sqlite
from db.address import parse_address
from db.errors import DatabaseUnusable
from db.facts import HOUSE
from db.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

FIRST_LOOK: Final = timedelta(minutes=5)
"""After a start: what people wait for comes first."""
AGAIN_AFTER: Final = timedelta(minutes=10)
"""After a backup that failed."""
LONGEST_SLEEP: Final = timedelta(hours=1)
"""A machine that slept, or whose clock was set, is noticed after that."""
LONGEST_SHOWN: Final = 120
"""Letters of a folder's name in a sentence."""
_HOUSE: Final = HOUSE
"""The fact that tells this database from others that may share a folder."""
_TIME: Final = "%Y%m%dT%H%M%SZ"


@dataclass(frozen=True, slots=True)
class Schedule:
    """When backups are made, and where."""

    every: timedelta
    keep: int
    """How many files stay."""
    folder: Path | None = None
    """None: ``backups`` beside the database."""

    def folder_for(self, file: Path) -> Path:
        """Where the backups of this database are put."""
        return (
            file.parent / "backups" if self.folder is None else self.folder.expanduser().absolute()
        )


Sleep = Callable[[timedelta], Awaitable[None]]


class Backups:
    """The backups of one database."""

    def __init__(
        self,
        store: Store,
        schedule: Schedule,
        now: Now,
    ) -> None:
        if store.address.file is None:
            raise DatabaseUnusable("Only the backups of an SQLite file are made by the bot.")
        self._store = store
        self._file: Path = store.address.file
        self._schedule = schedule
        self._now = now
        self._complaint: str | None = None
        """Why the last attempt failed; None if it didn't."""

    @property
    def folder(self) -> Path:
        """Where they are put."""
        return self._schedule.folder_for(self._file)

    async def wait(self) -> timedelta:
        """Return how long it is until the next one is due; nothing or less if it is due now."""
        names = _Names(self._file.stem, await self._house())
        now = self._now()
        newest = await asyncio.to_thread(names.newest, self.folder, now)
        metrics.backup_made.set(0 if newest is None else newest.timestamp())
        return timedelta(0) if newest is None else newest + self._schedule.every - now

    async def make(self) -> bool:
        """Make a backup now, and remove those that are too old; False if that failed.

        Why it failed is logged, once for each reason. If the task is cancelled, nothing of the
        copy that was being made stays.
        """
        names = _Names(self._file.stem, await self._house())
        target = self.folder / names.at(self._now())
        stop = threading.Event()
        making = asyncio.ensure_future(asyncio.to_thread(self._make, names, target, stop))
        try:
            size = await asyncio.shield(making)
        except asyncio.CancelledError:
            stop.set()
            await asyncio.wait({making})
            raise
        except DatabaseUnusable as error:
            self._complain(str(error))
            return False
        self._complaint = None
        log.info("backup made", file=target.name, bytes=size)
        return True

    def _complain(self, why: str) -> None:
        if why != self._complaint:
            log.error("no backup", why=why, again_in=str(AGAIN_AFTER))
        self._complaint = why

    def _make(self, names: _Names, target: Path, stop: threading.Event) -> int:
        _make_folder(target.parent)
        names.remove_torn(target.parent)
        size = backup.copy(self._file, target, stop=stop.is_set)
        names.remove_oldest(target.parent, self._schedule.keep)
        return size

    async def watch(self, sleep: Sleep | None = None) -> None:
        """Make backups when they are due, as long as the bot runs."""
        sleep = sleep or _sleep
        await sleep(FIRST_LOOK)
        while True:
            pause = AGAIN_AFTER
            try:
                pause = await self.wait()
                if pause <= timedelta(0):
                    pause = await self.wait() if await self.make() else AGAIN_AFTER
            except DatabaseUnusable as error:
                self._complain(str(error))
            except Exception:  # one failed look must not end the watch
                log.exception("no backup")
            await sleep(max(timedelta(seconds=1), min(pause, LONGEST_SLEEP)))

    async def _house(self) -> str:
        async with self._store.reading() as tx:
            known = await tx.facts.get(_HOUSE)
        if known is None:
            known = secrets.token_hex(4)
            async with self._store.transaction() as tx:
                await tx.facts.put(_HOUSE, known)
        return known


async def _sleep(pause: timedelta) -> None:
    await asyncio.sleep(pause.total_seconds())


def before_upgrade(url: str, schedule: Schedule, now: datetime) -> Path | None:
    """Copy a database whose schema this version is going to change; return the copy, if any.

    It is for going back to the version before, and never removed by itself. Where one stands that
    is newer than all that was written since, it is enough: a bot that is started again and again
    because the change fails fills no disk. Raises `DatabaseUnusable` where it can't be made. Run in
    a worker thread.
    """
    file = parse_address(url).file
    revision = older_revision(url)
    if file is None or revision is None:
        return None
    names = _CopyNames(file, revision)
    target = schedule.folder_for(file) / names.at(now)
    _make_folder(target.parent)
    names.remove_torn(target.parent)
    if names.is_copied(target.parent):
        return None
    size = backup.copy(file, target)
    target.touch()  # what the copying itself wrote to the file, its journal, is in the copy
    log.info("backup made before the schema changes", file=target.name, bytes=size)
    return target


def older_revision(url: str) -> str | None:
    """The revision of a database that this version is going to change.

    None for one that is new, up to date, of a newer version, or no file.
    """
    file = parse_address(url).file
    if file is None or not file.exists():
        return None
    revision = backup.revision_of(file)
    if revision is None or revision == migrate.newest() or revision not in migrate.known():
        return None
    return revision


def refuse_folder(url: str, schedule: Schedule) -> None:
    """Raise `SettingsError` where no backup of this database could ever be put into its folder.

    What it tries there it takes away again; a full disk is for the backup itself to find out. A
    database whose own folder can't be used is named as that, by `DatabaseUnusable`.
    """
    file = parse_address(url).file
    if file is None:
        return
    folder = schedule.folder_for(file)
    if schedule.folder is None:
        sqlite.prepare(file)
    why = _unusable(folder) or _untried(folder, file)
    if why is not None and schedule.folder is not None:
        raise SettingsError(f"BACKUP_FOLDER is wrong: {why}.")
    if why is not None:
        raise SettingsError(
            f"Backups can't be put into {folder}: {why}; set BACKUP_FOLDER to another place."
        )


def _unusable(folder: Path) -> str | None:
    """Why nothing can be put into a folder that may have to be made yet; None where it can."""
    place = folder
    try:
        while not os.path.lexists(place):
            place = place.parent
        is_folder = place.is_dir()
    except OSError as error:
        return f"{place} cannot be looked into ({(error.strerror or '').lower()})"
    if not is_folder:
        return f"{place} is no folder"
    as_now = os.access in os.supports_effective_ids
    if not os.access(place, os.W_OK | os.X_OK, effective_ids=as_now):
        return f"this user may not write in {place}"
    return None


def _untried(folder: Path, file: Path) -> str | None:
    """Why a backup's name can't be made in a folder, though it looks as if; None where it can.

    A name may be too long for the disk, or the folder one of the system's own, as under ``/proc``.
    """
    made: list[Path] = []
    place = folder
    while not os.path.lexists(place):
        made.insert(0, place)
        place = place.parent
    long_ago = datetime(1970, 1, 1, tzinfo=UTC)
    trial = folder / f"{_Names(file.stem, secrets.token_hex(4)).at(long_ago)}.part-journal"
    try:
        for one in made:
            one.mkdir()
        trial.open("xb").close()
        trial.unlink()
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            return None
        reason = (error.strerror or type(error).__name__).lower()
        return f"no file can be made in {_shortened(folder)} ({reason})"
    finally:
        for one in reversed(made):
            with suppress(OSError):
                one.rmdir()
    return None


def _shortened(folder: Path) -> str:
    """A folder for a sentence, which nobody would find at the end of a name of 5,000 letters."""
    name = str(folder)
    return name if len(name) <= LONGEST_SHOWN else f"{name[:LONGEST_SHOWN]}…"


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DatabaseUnusable(
            f"The folder {folder} for backups cannot be created "
            f"({(error.strerror or type(error).__name__).lower()}); create it, or set "
            "BACKUP_FOLDER to another place."
        ) from error


class _CopyNames:
    """The names of copies from before the schema changed: ``house-schema-0003-…Z.db``.

    Nothing in them tells two databases of one name apart: their houses do.
    """

    def __init__(self, file: Path, revision: str) -> None:
        self._file = file
        self._prefix = f"{file.stem}-schema-{revision}-"
        self._torn = re.compile(
            re.escape(f"{file.stem}-schema-") + r"\w+-\d{8}T\d{6}Z\.db\.part(-journal)?"
        )

    def at(self, time: datetime) -> str:
        return f"{self._prefix}{time.astimezone(UTC).strftime(_TIME)}.db"

    def is_copied(self, folder: Path) -> bool:
        """Whether a copy of this revision was made after the last that was written to the file."""
        house = backup.house_of(self._file)
        try:
            written = self._file.stat().st_mtime_ns
            return any(
                path.name.startswith(self._prefix)
                and path.stat().st_mtime_ns >= written
                and backup.house_of(path) == house
                for path in folder.glob("*.db")
            )
        except OSError:
            return False  # the copy will say what is wrong

    def remove_torn(self, folder: Path) -> None:
        """Remove what is left of a copy during which the bot was killed."""
        for path in folder.glob("*.part*"):
            if self._torn.fullmatch(path.name):
                _remove(path)


class _Names:
    """The names of one database's backups: ``ginhouse-1f2e3d4c-20260131T235959Z.db``."""

    def __init__(self, stem: str, house: str) -> None:
        self._prefix = f"{stem}-{house}-"
        self._pattern = re.compile(re.escape(self._prefix) + r"(\d{8}T\d{6}Z)\.db")

    def at(self, time: datetime) -> str:
        return f"{self._prefix}{time.astimezone(UTC).strftime(_TIME)}.db"

    def newest(self, folder: Path, now: datetime) -> datetime | None:
        """When the newest backup in a folder was made; not by a clock that was ahead."""
        return max((time for time, _path in self._found(folder) if time <= now), default=None)

    def remove_oldest(self, folder: Path, keep: int) -> None:
        """Remove all but the newest; one that can't be removed is looked at again next time."""
        for _time, path in sorted(self._found(folder))[:-keep]:
            _remove(path)

    def remove_torn(self, folder: Path) -> None:
        """Remove what is left of a backup during which the bot was killed."""
        for path in folder.glob("*.part"):
            if self._pattern.fullmatch(path.name.removesuffix(".part")):
                _remove(path)

    def _found(self, folder: Path) -> list[tuple[datetime, Path]]:
        try:
            paths = list(folder.iterdir())
        except OSError:
            return []
        found: list[tuple[datetime, Path]] = []
        for path in paths:
            matched = self._pattern.fullmatch(path.name)
            if matched is not None:
                try:
                    time = datetime.strptime(matched[1], _TIME).replace(tzinfo=UTC)
                except ValueError:  # the 99th of a month: not ours
                    continue
                found.append((time, path))
        return found


def _remove(path: Path) -> None:
    try:
        path.unlink()
    except OSError as error:
        log.warning("old backup not removed", file=path.name, error=error.strerror)
