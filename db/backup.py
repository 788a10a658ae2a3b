"""Copies of the database: a consistent one while the bot runs, and one put back in its place.

Both go by SQLite's own backup: a plain copy of the file could be torn, and lacks what still
stands in its journal.
"""

from __future__ import annotations

import glob
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Final

from sqlalchemy import URL, create_engine
from sqlalchemy.exc import DBAPIError

from db import lock, migrate, restoring, sqlite
from db.address import parse_address
from db.errors import DatabaseUnusable, NewerDatabase
from db.facts import HOUSE

PATIENCE: Final = timedelta(seconds=10)
PAGES_AT_ONCE: Final = 2000
"""Copied between two looks whether to stop: 8 MB."""
_OF_THE_ORIGINAL: Final = frozenset(
    {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
)
"""What is wrong with the file that is copied then; all else is wrong with the copy."""
_WITHOUT_FACTS, _WITH_FACTS = "0001", "0002"
_NO_BACKUP: Final = "The file {file} is no backup of Ginhouse: it is empty."


_MAGIC: Final = b"SQLite format 3\0"
"""With what every SQLite file begins."""
KEPT: Final = ".before-restore"
"""With what the name of a database goes on that a backup has replaced."""
_JOURNALS: Final = ("-wal", "-shm")
"""What may stand beside a database that isn't closed."""


class Stopped(DatabaseUnusable):
    """The copy was given up because it was asked to stop; nothing of it is left."""


def back_up(url: str, target: Path) -> int:
    """Copy the database at ``url`` to the file ``target``, as `copy` does; return its size."""
    return copy(_file_of(url), target)


def copy(original: Path, target: Path, stop: Callable[[], bool] = lambda: False) -> int:
    """Copy a database to the file ``target``, also while the bot runs; return its size in bytes.

    The target appears whole or not at all; an older backup of that name is replaced, but nothing
    else is. ``stop`` is asked every now and then, in the thread that copies. Raises
    `DatabaseUnusable` with one sentence, `Stopped` if it was asked to stop.
    """
    with _explained(original, target):
        if not original.exists():
            raise DatabaseUnusable(f"There is no database {original} to back up.")
        sqlite.refuse_no_file(original)
        if not sqlite.may_be_read(original):
            raise DatabaseUnusable(
                f"The database {original} may not be read by this user; give this user the right "
                "to read the file."
            )
        if target.is_dir():
            raise DatabaseUnusable(f"{target} is a folder; name a file for the backup.")
        if target.exists() and original.samefile(target):
            raise DatabaseUnusable(f"{target} is the database itself; name another file.")
        if not target.parent.is_dir():
            raise DatabaseUnusable(
                f"There is no folder {target.parent} for the backup; create it, or name another "
                "file."
            )
        sqlite.refuse_foreign(original, PATIENCE)
        _refuse_to_replace(target, original)
        with _part_of(target) as part:
            _copy(original, part, stop)
            part.replace(target)
            _names_to_disk(target.parent)
        return target.stat().st_size


def restore(url: str, backup: Path, now: datetime) -> Path | None:
    """Put a backup in the place of the database at ``url``; the bot must be stopped.

    What stood there, whole or damaged, is kept beside it under a new name that goes on with
    ``.before-restore``, which is returned (None if nothing was there); what earlier calls kept
    stays too. Where ``url`` is a link, the file that it leads to is replaced, and the link stays. A
    file that is damaged, foreign or of a newer version is refused and nothing
    changes. What people have seen since the backup is reckoned with: no number is given out twice,
    and everything is shown anew at the next start (`db.restoring`); ``now`` is aware. Raises
    `DatabaseUnusable` with one sentence.
    """
    place = _file_of(url).resolve()  # a link stays; what it leads to is replaced
    if backup.is_dir():
        raise DatabaseUnusable(f"{backup} is a folder; name the file of a backup.")
    if not backup.exists():
        raise DatabaseUnusable(f"There is no backup {backup}; name the file of one.")
    if not backup.is_file():
        raise DatabaseUnusable(
            f"{backup} is no file but a pipe or a device; name the file of a backup."
        )
    if not sqlite.may_be_read(backup):
        raise DatabaseUnusable(
            f"The backup {backup} may not be read by this user; give this user the right to read "
            "it."
        )
    if place.exists() and place.samefile(backup):
        raise DatabaseUnusable(f"{backup} is the database itself; name a backup.")
    _refuse(backup)
    sqlite.prepare(place)
    kept = _free_name(place)
    with _explained(backup, place, _not_restored), _part_of(place) as part:
        _copy(backup, part)
        _reckon_with_the_past(place, part, now)
        is_kept = place.exists() and _keep(place, kept)
        part.replace(place)
        _names_to_disk(place.parent)
    return kept if is_kept else None


def _reckon_with_the_past(place: Path, part: Path, now: datetime) -> None:
    if place.exists():
        with _explained(place, place):
            sqlite.refuse_foreign_unless_damaged(place, PATIENCE)
    kept = sorted(place.parent.glob(glob.escape(place.name) + KEPT + "*"))
    earlier = [restoring.past_of(file) for file in kept if not file.name.endswith(_JOURNALS)]
    known = [past for past in earlier if past is not None]
    _let_it_have_facts(part, place)
    restoring.mark(part, restoring.past_of(place), known, now)
    with part.open("rb+") as file:
        os.fsync(file.fileno())


def _let_it_have_facts(part: Path, place: Path) -> None:
    """Bring a copy of the very first schema to the second, which only adds tables to it.

    What is noted for the next start stands in one of them.
    """
    if revision_of(part) != _WITHOUT_FACTS:
        return
    engine = create_engine(URL.create("sqlite", database=str(part)))
    try:
        with engine.begin() as connection:
            migrate.upgrade(connection, place, _WITH_FACTS)
    except DBAPIError as error:
        raise sqlite3.OperationalError(str(error.orig)) from error
    finally:
        engine.dispose()


def revision_of(file: Path) -> str | None:
    """Return the revision of a database's schema; None where it says none, or can't be read."""
    engine = create_engine(
        URL.create("sqlite", database=str(file)),
        connect_args={"timeout": PATIENCE.total_seconds()},
    )
    try:
        with engine.connect() as connection:
            return migrate.current(connection)
    except DBAPIError:
        return None
    finally:
        engine.dispose()


def house_of(file: Path) -> str | None:
    """Return the fact that tells a database from others; None where it has none, or can't say."""
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as opened:
            found = opened.execute("SELECT value FROM facts WHERE name = ?", (HOUSE,)).fetchone()
    except sqlite3.Error:
        return None
    return None if found is None else str(found[0])


def _free_name(place: Path) -> Path:
    """A name beside a database, for what stands in its place, that nothing kept so far has."""
    for number in count(1):
        kept = place.with_name(f"{place.name}{KEPT}" + (f"-{number}" * (number > 1)))
        # A damaged one may have its journal beside it.
        beside = [kept.with_name(kept.name + ending) for ending in ("", *_JOURNALS)]
        if not any(path.exists() or path.is_symlink() for path in beside):
            return kept
    raise AssertionError("there is always a further number")


def _refuse_to_replace(target: Path, original: Path) -> None:
    """Raise `DatabaseUnusable` if more would be lost than an older backup of ``original``."""
    if not target.exists() or (target.is_file() and target.stat().st_size == 0):
        return
    home = target.resolve()
    beside = [home.with_name(home.name + ending) for ending in (lock.ENDING, *_JOURNALS)]
    if not target.is_file() or not _is_ours(target):
        why = "exists already and is no backup of Ginhouse"
    elif any(path.exists() for path in beside):  # a backup has none, a bot leaves its lock there
        why = "is the database of a Ginhouse, not a backup"
    elif house_of(target) not in (None, house_of(original)):
        why = "is the backup of another Ginhouse"
    else:
        return
    raise DatabaseUnusable(f"{target} {why}; name another file.")


def _is_ours(file: Path) -> bool:
    """Whether a file is a database of Ginhouse; it is only read, whatever it is."""
    address = f"{file.absolute().as_uri()}?mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(address, uri=True)) as opened:
            return sqlite.tables_of(opened) >= sqlite.OURS
    except sqlite3.Error:
        return False


def _copy(original: Path, part: Path, stop: Callable[[], bool] = lambda: False) -> None:
    def look(_status: int, _remaining: int, _total: int) -> None:
        if stop():
            raise Stopped("The backup was given up because the bot stops.")

    patience = PATIENCE.total_seconds()
    with (
        closing(sqlite3.connect(original, timeout=patience, isolation_level=None)) as old,
        closing(sqlite3.connect(part)) as new,
    ):
        # One moment of the database: else a copy begins anew whenever somebody writes.
        old.execute("BEGIN")
        old.execute("SELECT count(*) FROM sqlite_master").fetchone()
        old.backup(new, pages=PAGES_AT_ONCE, progress=look)
        # A copy is one file: nothing of it may stand in a journal beside.
        new.execute("PRAGMA journal_mode = DELETE")
        # Else, one by one, copies of a damaged database would take the place of the sound ones.
        if new.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
            raise DatabaseUnusable(
                f"The database {original} is damaged, so it wasn't copied; restore the latest "
                "backup that is sound."
            )
    with part.open("rb+") as file:
        os.fsync(file.fileno())


def _keep(place: Path, kept: Path) -> bool:
    """Give what stands in the database's place a second name; True.

    It stays in its place until the backup takes it in one step, so that a power cut leaves either.
    """
    kept_part = kept.with_name(kept.name + ".part")
    journals = [place.with_name(place.name + ending) for ending in _JOURNALS]
    with _explained(place, kept):
        sqlite.refuse_foreign_unless_damaged(place, PATIENCE)
        try:
            with closing(sqlite3.connect(place, timeout=PATIENCE.total_seconds())) as now:
                # Takes the journal in, and is refused while anybody has the database open.
                now.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.Error as error:
            if not sqlite.is_damaged(error):
                raise
            for journal in journals:  # it might still be of use to who looks into the damage
                if journal.exists():
                    ending = journal.name.removeprefix(place.name)
                    journal.replace(kept.with_name(kept.name + ending))
    kept_part.unlink(missing_ok=True)
    try:
        kept_part.hardlink_to(place)
    except OSError:  # a disk that knows no second names
        shutil.copyfile(place, kept_part)
    kept_part.replace(kept)
    for journal in journals:
        journal.unlink(missing_ok=True)
    return True


def _refuse(backup: Path) -> None:
    """Raise `DatabaseUnusable` for a file that is no backup of ours, or of a newer version."""
    try:
        if sqlite.is_foreign(backup, PATIENCE):
            raise DatabaseUnusable(
                f"The backup {backup} is the database of another program; name a backup of "
                "Ginhouse."
            )
        with closing(sqlite3.connect(f"{backup.absolute().as_uri()}?mode=ro", uri=True)) as opened:
            found = opened.execute("PRAGMA integrity_check").fetchone()
            if found != ("ok",):
                raise DatabaseUnusable(f"The backup {backup} is damaged; use another one.")
            if opened.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,):
                raise DatabaseUnusable(_NO_BACKUP.format(file=backup))
    except sqlite3.Error as error:
        if sqlite.is_damaged(error):
            raise DatabaseUnusable(
                f"The backup {backup} is damaged, or no backup at all; use another one."
            ) from error
        raise DatabaseUnusable(
            sqlite.sentence(error, backup) or f"The backup {backup} cannot be read ({error})."
        ) from error
    revision = revision_of(backup)
    if revision is None:
        raise DatabaseUnusable(_NO_BACKUP.format(file=backup))
    if revision not in migrate.known():
        raise NewerDatabase(
            f"The backup {backup} was made by a newer version of Ginhouse (schema {revision}, this "
            f"version knows {migrate.newest()}); restore it with that version."
        )


def _file_of(url: str) -> Path:
    file = parse_address(url).file
    if file is None:
        raise DatabaseUnusable(
            "DATABASE_URL names no file; only a file of SQLite is backed up and restored here."
        )
    return file


@contextmanager
def _part_of(target: Path) -> Iterator[Path]:
    """Give a name beside the target to write to; whatever goes wrong, nothing is left there.

    Raises `DatabaseUnusable` if a file that no copy has left has that name.
    """
    part = target.with_name(target.name + ".part")
    if not _is_torn(part):
        raise DatabaseUnusable(
            f"{part} is in the way of the copy and wasn't made by Ginhouse; move it elsewhere "
            "first."
        )
    leftovers = (part, part.with_name(part.name + "-journal"), part.with_name(part.name + "-wal"))
    for left in leftovers:
        left.unlink(missing_ok=True)
    try:
        yield part
    finally:
        for left in leftovers:
            with suppress(OSError):
                left.unlink(missing_ok=True)


def _is_torn(part: Path) -> bool:
    """Whether a file is what a killed copy left, of which the first page may not be written yet."""
    if not part.exists():
        return True
    with part.open("rb") as file:
        begin = file.read(len(_MAGIC))
    return begin == _MAGIC or not any(begin)


def _names_to_disk(folder: Path) -> None:
    """See that a file's new name outlives a power cut, where the system can do that."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _failed(copied_to: Path, reason: str) -> str:
    return (
        f"The copy to {copied_to} failed ({reason}) and nothing of it is left; see that there is "
        "room on the disk and that this user may write there."
    )


def _not_restored(place: Path, reason: str) -> str:
    return (
        f"The backup couldn't be put in its place ({reason}), and the database {place} is as it "
        "was; see that there is room on the disk and that this user may write there."
    )


@contextmanager
def _explained(
    original: Path, copied_to: Path, failed: Callable[[Path, str], str] = _failed
) -> Iterator[None]:
    """Turn what goes wrong while a file is copied into a sentence that names the right one."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        said = sqlite.sentence(error, original) if code in _OF_THE_ORIGINAL else None
        raise DatabaseUnusable(said or failed(copied_to, str(error))) from error
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        if error.filename == str(original):
            raise DatabaseUnusable(
                f"The file {original} cannot be read ({reason}); give this user the right to read "
                "it and its folder."
            ) from error
        raise DatabaseUnusable(failed(copied_to, reason)) from error
