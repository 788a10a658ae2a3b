"""A lock beside the database: one process serves it, and a second one says so and ends.

The operating system gives it back when the process ends, however it ends.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import ClassVar, Final, Self

from db.address import parse_address
from db.errors import AlreadyRunning, DatabaseUnusable

ENDING: Final = ".lock"
"""What the lock's name has more than that of its database."""

# Far behind the process id that the file holds, so that on Windows, where a locked byte cannot be
# read either, others can still read who has the lock.
_LOCKED_BYTE = 1 << 20


class HouseLock:
    """The lock while it is held."""

    # The system's lock belongs to the process: it wouldn't refuse the same process twice.
    _held: ClassVar[set[Path]] = set()

    def __init__(self, path: Path, descriptor: int) -> None:
        self._path = path
        self._descriptor: int | None = descriptor

    @classmethod
    def beside(cls, url: str) -> Self | None:
        """Take the lock of the database at ``url``; None for PostgreSQL, which has no file.

        Raises `AlreadyRunning`, or `DatabaseUnusable` if the address or its folder is no use.
        """
        file = parse_address(url).file
        if file is None:
            return None
        try:
            file = file.resolve()  # whatever link leads to it, it's one file and has one lock
        except (OSError, RuntimeError) as error:  # the latter before Python 3.13
            raise DatabaseUnusable(
                f"The database {file} cannot be found: its links lead round in a circle; set "
                "DATABASE_URL to another place, or remove that link."
            ) from error
        return cls.acquire(file.with_name(file.name + ENDING))

    @classmethod
    def acquire(cls, path: Path) -> Self:
        """Take the lock that is the file ``path``, creating it and its folder.

        Raises `AlreadyRunning` with one sentence for the operator if another process has it.
        """
        path = path.absolute()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path = path.resolve()
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        except (OSError, RuntimeError) as error:  # a circle of links, before Python 3.13
            why = (isinstance(error, OSError) and error.strerror) or "its links lead in a circle"
            raise DatabaseUnusable(
                f"The lock file {path} cannot be written ({why.lower()}); "
                "give this user the right to write in that folder, or set DATABASE_URL to another "
                "place."
            ) from error
        if path in cls._held or not _lock(descriptor):
            owner = os.read(descriptor, 20).decode(errors="replace").strip() or "unknown"
            # Closing any descriptor of the file would give up a lock that this process has on it.
            if path not in cls._held:
                os.close(descriptor)
            raise AlreadyRunning(
                f"Another Ginhouse (process {owner}) is already running on the database "
                f"{path.with_name(path.name.removesuffix(ENDING))}; stop that one first, or give "
                "this one a DATABASE_URL of its own."
            )
        with suppress(OSError):  # on a full disk the lock counts all the same
            os.truncate(descriptor, 0)
            os.write(descriptor, f"{os.getpid()}\n".encode())
        cls._held.add(path)
        return cls(path, descriptor)

    def release(self) -> None:
        """Give the lock back; once is enough, twice does no harm."""
        if self._descriptor is None:
            return
        # The file stays: to remove it would let two processes lock two files of one name.
        os.close(self._descriptor)
        self._descriptor = None
        self._held.discard(self._path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> bool:
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(descriptor, 0, os.SEEK_SET)
        return True

else:
    import fcntl

    def _lock(descriptor: int) -> bool:
        # A record lock, not flock: a child that was forked meanwhile doesn't inherit it, so it
        # cannot outlive a kill of the process that serves the database.
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _LOCKED_BYTE)
        except OSError:
            return False
        return True
