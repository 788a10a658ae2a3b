"""The store: opening a database, and transactions on it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, nullcontext
from contextvars import ContextVar
from datetime import timedelta
from pathlib import Path
from typing import Final, Self

from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from db import migrate, sqlite
from db.address import Address, parse_address
from db.admin import Admin
from db.challenges import Challenges
from db.deadlines import Deadlines
from db.errors import DatabaseUnusable
from db.facts import Facts
from db.house_sets import HouseSets
from db.league import League
from db.matches import Matches
from db.offers import CancelOffers
from db.packing import Packing
from db.people import People
from db.places import Absences, LostPlaces
from db.privacy import Privacy
from db.promises import Promises
from db.rows import Health
from db.servers import Servers
from db.session import Session, or_discard, to_the_end
from db.setback import SetBack
from db.shown import Shown
from db.vacations import Vacations
from db.wishes import WishList

PATIENCE: Final = timedelta(seconds=5)
"""How long to wait for another program that has the database locked."""
LOOKED_THROUGH: Final = 64 * 1024 * 1024
"""Bytes of a database that `Store.health` looks through; it would take too long for larger ones."""
LOOKED_THROUGH_AT_START: Final = 256 * 1024 * 1024
"""The same for a start, at which nobody waits for an answer."""
WHOLLY: Final = 1 << 62
"""Bytes: look through a database of any size."""


told_of_commits: Final[ContextVar[Callable[[], None] | None]] = ContextVar(
    "told_of_commits", default=None
)
"""Who is told, in this context, when something is committed that somebody asked for."""
told_of_doubts: Final[ContextVar[Callable[[], None] | None]] = ContextVar(
    "told_of_doubts", default=None
)
"""Who is told when nobody knows whether such a thing is committed: the commit itself failed."""


class Transaction:
    """All of storage, as it is within one transaction.

    ``committed`` becomes True when the database has it; until then nothing may be acknowledged.
    ``then`` is what is to be called at that moment, also if nobody knows whether it has it.
    """

    __slots__ = (
        "absences",
        "admin",
        "challenges",
        "committed",
        "deadlines",
        "facts",
        "house_sets",
        "league",
        "lost_places",
        "matches",
        "offers",
        "packing",
        "people",
        "privacy",
        "promises",
        "servers",
        "set_back",
        "shown",
        "then",
        "vacations",
        "wishes",
    )

    def __init__(self, session: Session) -> None:
        self.matches = Matches(session)
        self.packing = Packing(session)
        self.challenges = Challenges(session)
        self.people = People(session)
        self.servers = Servers(session)
        self.shown = Shown(session)
        self.deadlines = Deadlines(session)
        self.vacations = Vacations(session)
        self.league = League(session)
        self.offers = CancelOffers(session)
        self.facts = Facts(session)
        self.set_back = SetBack(session)
        self.promises = Promises(session)
        self.house_sets = HouseSets(session)
        self.admin = Admin(session)
        self.wishes = WishList(session)
        self.lost_places = LostPlaces(session)
        self.absences = Absences(session)
        self.privacy = Privacy(session)
        self.committed = False
        self.then: list[Callable[[], None]] = []


class Store:
    """An open database. Any number of readers, one writer at a time (the others queue)."""

    def __init__(self, address: Address, write: AsyncEngine, read: AsyncEngine) -> None:
        self.address = address
        self._write = write
        self._read = read
        self.generation = 0
        """What the controls of matches carry, and the names of messages: it changes when a backup
        is put in this database's place (`db.restoring`); 0 before the first time."""
        # SQLite has one writer; to queue here, in order, is cheaper than to poll its lock.
        self._turn: AbstractAsyncContextManager[object] = (
            nullcontext() if address.file is None else asyncio.Lock()
        )

    @classmethod
    async def open(
        cls, url: str, patience: timedelta = PATIENCE, *, looked_through: int = 0
    ) -> Self:
        """Open a database, creating it and its folder if need be, and bring its schema up to date.

        Raises `DatabaseUnusable` (`NewerDatabase`) with one sentence for the operator.
        ``patience`` is how long a lock of another program is waited for; a file of up to
        ``looked_through`` bytes is looked through for damage first.
        """
        address = parse_address(url)
        with _explained(address):
            if address.file is None:
                return await cls._open_server(address)
            file = address.file
            await asyncio.to_thread(sqlite.prepare, file)
            migrator = sqlite.migrator(file, patience)
            try:
                await asyncio.to_thread(sqlite.refuse_foreign, file, patience)
                if await asyncio.to_thread(_size, file) <= looked_through:
                    await asyncio.to_thread(sqlite.look_through, file, patience)
                await _migrate(migrator, address)
            finally:
                await migrator.dispose()
            store = cls(address, sqlite.writer(file, patience), sqlite.readers(file, patience))
            async with store.reading() as tx:
                store.generation = await tx.facts.generation()
            return store

    @classmethod
    async def _open_server(cls, address: Address) -> Self:
        # As in SQLite: no card of a refused statement may come into the log with its error.
        engine = create_async_engine(address.url, hide_parameters=True)
        try:
            async with engine.connect():
                pass
        except (DBAPIError, OSError) as error:
            await engine.dispose()
            raise DatabaseUnusable(
                f"The database {address} cannot be reached ({_reason(error)}); see whether its "
                "server runs, or correct DATABASE_URL."
            ) from error
        await _migrate(engine, address)
        read = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        return cls(address, engine, read)

    @property
    def is_shared(self) -> bool:
        """Whether other processes may write too: SQLite's file is one process's (`HouseLock`)."""
        return self.address.file is None

    async def health(self) -> Health:
        """Return how large the database is, at which revision, and whether it is sound."""
        file = self.address.file
        size = 0 if file is None else await asyncio.to_thread(_size, file)
        async with self.reading() as tx:
            revision = await tx.privacy.revision()
            is_sound = None if size > LOOKED_THROUGH else await tx.privacy.is_sound()
        return Health(size, revision, is_sound)

    async def close(self) -> None:
        """Wait for the writer, then close every connection."""
        async with self._turn:
            await to_the_end(self._read.dispose())
            await to_the_end(self._write.dispose())

    @asynccontextmanager
    async def transaction(self, *, aside: bool = False) -> AsyncIterator[Transaction]:
        """Open a transaction for writing: committed at the end of the block, undone on any error.

        Never await Discord inside: everybody else who writes is waiting. If the task is cancelled
        inside the block, everything is undone; if during the commit, that is carried to its end,
        then `asyncio.CancelledError` is raised and ``committed`` tells which it was. A statement
        that the database refuses undoes everything, also if its error is caught inside the block.
        ``aside``: what is written only goes along with what somebody asked for, so that
        `told_of_commits` isn't told, nor `told_of_doubts`. Raises `DatabaseUnusable` where the
        database fails.
        """
        with _explained(self.address):
            async with self._turn, _connection(self._write) as connection:
                session = Session(connection, writes=True)
                transaction = Transaction(session)
                yield transaction
                if session.failure is not None:
                    raise session.failure
                was_asked = session.has_written and not aside
                try:
                    await to_the_end(_commit(connection, transaction))
                except Exception as error:
                    is_known = transaction.committed or not session.has_written
                    if not is_known and not _is_undone(error):
                        _tell(transaction, told_of_doubts.get() if was_asked else None)
                    raise
                finally:
                    if transaction.committed:
                        _tell(transaction, told_of_commits.get() if was_asked else None)

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Transaction]:
        """Open a transaction for reading only: one moment of the database, writers go on meanwhile.

        Its methods that write raise `RuntimeError`.
        """
        with _explained(self.address):
            async with _connection(self._read) as connection:
                yield Transaction(Session(connection, writes=False))


def _size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


async def _migrate(engine: AsyncEngine, address: Address) -> None:
    async with engine.begin() as connection:
        await connection.run_sync(migrate.upgrade, address)


@asynccontextmanager
async def _connection(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """Give a connection that the first statement takes from the pool; undo what isn't committed."""
    connection = engine.connect()
    try:
        yield connection
    finally:
        if connection.sync_connection is not None and not connection.closed:
            await to_the_end(_give_back(connection))


async def _commit(connection: AsyncConnection, transaction: Transaction) -> None:
    if connection.sync_connection is None:  # nothing was asked of it
        transaction.committed = True
        return
    await or_discard(connection, connection.commit())
    transaction.committed = True
    await connection.close()


def _is_undone(error: Exception) -> bool:
    """Whether a commit that failed so is known to have come to nothing.

    SQLite says so, but for a disk that fails; a server's answer may have been lost on its way.
    """
    cause = error.orig if isinstance(error, DBAPIError) else error
    return isinstance(cause, sqlite.ERRORS) and not sqlite.is_failing_disk(cause)


def _tell(transaction: Transaction, told: Callable[[], None] | None) -> None:
    for call in transaction.then:
        call()
    if told is not None:
        told()


async def _give_back(connection: AsyncConnection) -> None:
    try:
        if not connection.invalidated and connection.in_transaction():
            await or_discard(connection, connection.rollback())
    finally:
        await connection.close()


def _reason(error: DBAPIError | OSError) -> str:
    said = error.orig if isinstance(error, DBAPIError) else error
    return str(said).split(": ", 1)[-1].rstrip(".")


@contextmanager
def _explained(address: Address) -> Iterator[None]:
    """Turn the driver's errors that speak of the whole database into a sentence."""
    try:
        yield
    except (DBAPIError, *sqlite.ERRORS) as error:
        cause = error.orig if isinstance(error, DBAPIError) else error
        text = sqlite.sentence(cause, address) if cause is not None else None
        if text is None:
            raise
        raise DatabaseUnusable(text) from error
