"""Somebody who manages a server, at the commands that keep its house rules."""

from __future__ import annotations

from gin.rules import Rules
from playground.acting.people import Answer, Person
from tests.e2e.room import Room


class Keeper:
    """Ada, who owns the server, at the commands that keep its house rules."""

    def __init__(self, room: Room, person: Person | None = None, where: str | None = None) -> None:
        self.room = room
        self.person = person or room.ada
        self.where = where or room.table

    async def _use(self, command: str, **options: str | None) -> Answer:
        answer = await self.person.slash(self.where, f"gin-admin {command}", **options)  # type: ignore[arg-type]
        assert not answer.failed
        assert answer.ephemeral
        return answer

    async def set(self, option: str, value: str, name: str | None = None) -> str:
        return (await self._use("house-set", option=option, value=value, name=name)).text

    async def play(self, name: str | None = None, **options: str) -> None:
        """Set several options at once."""
        for option, value in options.items():
            assert "Set now" in await self.set(option, value, name)

    async def show(self, name: str | None = None) -> str:
        return (await self._use("house-show", name=name)).text

    async def reset(self, option: str | None = None, name: str | None = None) -> str:
        return (await self._use("house-reset", option=option, name=name)).text

    async def save(self, name: str, copy_of: str | None = None) -> str:
        return (await self._use("house-save", name=name, copy_of=copy_of)).text

    async def default(self, name: str) -> str:
        return (await self._use("house-default", name=name)).text

    async def kept(self) -> dict[str, Rules]:
        """The sets as the database has them."""
        assert self.room.bot is not None
        server = self.person.channel(self.where).guild
        assert server is not None
        async with self.room.bot.store.reading() as tx:
            rows = await tx.house_sets.all_of(server.id)  # type: ignore[arg-type]
        return {row.name: Rules.parse(row.rules) for row in rows}
