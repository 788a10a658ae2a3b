"""``python -m bot check | rebuild | backup FILE | restore FILE``: looking after the database."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bot.care import audit
from bot.care.backups import Schedule, before_upgrade, older_revision
from bot.now import utc_now
from db import backup
from db.address import parse_address
from db.errors import DatabaseUnusable
from db.lock import HouseLock
from db.store import WHOLLY, Store

if TYPE_CHECKING:
    from collections.abc import Iterator

HOUSEKEEPING: Final[Mapping[str, str]] = {
    "check": "refold every match from its log and compare what is stored beside it",
    "rebuild": "derive what is stored beside the log anew (the bot must be stopped)",
    "backup": "copy the database to a file, also while the bot runs",
    "restore": "put a backup in the database's place (the bot must be stopped)",
}
"""The commands, each with what it does."""
RESTORED: Final = (
    "At its next start the bot says so in the channels, and shows everything anew. Do again by "
    "hand what may not be lost of what was done since: deletions of people's data, blocks, voids."
)
"""What whoever runs the bot should know after a restore."""


def look_after(url: str, command: str, file: Path | None, schedule: Schedule | None = None) -> int:
    """Run one of :data:`HOUSEKEEPING` on the database at ``url``; return the exit status.

    ``schedule`` says where the copy goes that is made before an older database is brought up to
    date; None makes none. Raises what `db.errors` says of an unusable database, with one sentence
    for the operator.
    """
    try:
        return _look_after(url, command, file, schedule)
    except OSError as error:  # a folder in which this user may not even look
        reason = (error.strerror or type(error).__name__).lower()
        raise DatabaseUnusable(
            f"{error.filename} cannot be used ({reason}); see that this user may read and write "
            "there."
        ) from error


def _look_after(url: str, command: str, file: Path | None, schedule: Schedule | None) -> int:
    if command == "backup" and file is not None:
        size = backup.back_up(url, file)
        print(f"{file}: {size} bytes, a whole copy.")
        return 0
    if command == "restore" and file is not None:
        with _stopped(url):
            kept = backup.restore(url, file, utc_now())
        print(f"{file} is in place." + ("" if kept is None else f" What was there: {kept}"))
        print(RESTORED)
        return 0
    # Once the schema is this version's, the bot of the version before can't be started again: it
    # refuses a newer one. While it runs on the file, nothing is brought up to date under it.
    is_older = older_revision(url) is not None
    with _stopped(url) if command == "rebuild" or is_older else nullcontext():
        if is_older and schedule is not None:
            before_upgrade(url, schedule, utc_now())
        return _reported(*asyncio.run(_with_store(url, rebuild=command == "rebuild")))


async def _with_store(url: str, *, rebuild: bool) -> tuple[bool, list[str]]:
    file = parse_address(url).file
    if file is not None and not file.exists():
        raise DatabaseUnusable(f"There is no database {file} yet; start the bot once.")
    store = await Store.open(url, looked_through=WHOLLY)
    try:
        well, lines = await (audit.rebuild(store, utc_now) if rebuild else audit.check(store))
        return well, lines if file is None else [f"Looked through {file}.", *lines]
    finally:
        await store.close()


def _reported(well: bool, lines: list[str]) -> int:
    for line in lines:
        print(line, file=sys.stdout if well else sys.stderr)
    return 0 if well else 1


@contextmanager
def _stopped(url: str) -> Iterator[None]:
    """Hold the house's lock, so that no bot serves the database meanwhile."""
    lock = HouseLock.beside(url)
    try:
        yield
    finally:
        if lock is not None:
            lock.release()
