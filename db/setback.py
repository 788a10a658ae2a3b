"""What is left to do after a backup was put in the database's place.

Each task is a fact with a name of its own, which goes when it is done: a stop or a kill in between
costs nothing. :mod:`db.restoring` writes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final, Self

from sqlalchemy import select

from db.schema import facts
from db.session import Session

PREFIX: Final = "set-back:"
SINCE: Final = "set-back"
"""The fact that says to which time the house was set back last."""


class Task(StrEnum):
    """What is to be done."""

    TELL = "tell"
    """Tell a channel that the house was set back."""
    SHOW_CHALLENGE = "challenge"
    """Show an open challenge as it is."""
    SAY_IT_IS_GONE = "gone"
    """Say in place of a message that what stood there is gone."""
    DELETE = "delete"
    """Delete a message."""


@dataclass(frozen=True, slots=True, order=True)
class Chore:
    """One task: ``place`` is a channel, or the challenge, ``message`` 0 where there is none."""

    task: Task
    place: int
    message: int = 0

    @property
    def name(self) -> str:
        """The name of the fact that stands for it."""
        return f"{PREFIX}{self.task}:{self.place}:{self.message}"

    @classmethod
    def of(cls, name: str) -> Self | None:
        """Read such a name; None for what no task of ours is."""
        task, _, numbers = name.removeprefix(PREFIX).partition(":")
        place, _, message = numbers.partition(":")
        if task not in set(Task) or not (place.isdecimal() and message.isdecimal()):
            return None
        return cls(Task(task), int(place), int(message))


class SetBack:
    """What is left to do after a restore, within one transaction."""

    __slots__ = ("_session",)

    def __init__(self, session: Session) -> None:
        self._session = session

    async def since(self) -> datetime | None:
        """To which time the house was set back last; None if it never was."""
        row = await self._session.first(select(facts.c.value).where(facts.c.name == SINCE))
        return None if row is None else datetime.fromisoformat(row.value)

    async def chores(self) -> tuple[Chore, ...]:
        """What is left to do; channels are told first."""
        rows = await self._session.rows(
            select(facts.c.name).where(facts.c.name.startswith(PREFIX, autoescape=True))
        )
        read = [chore for row in rows if (chore := Chore.of(row.name)) is not None]
        order = list(Task)
        return tuple(sorted(read, key=lambda one: (order.index(one.task), one)))

    async def done(self, chore: Chore) -> None:
        """Note that one of them is done."""
        await self._session.change(facts.delete().where(facts.c.name == chore.name))
