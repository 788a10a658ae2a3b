"""Administrators: what they did, and what they have set for their server."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ColumnElement, and_, func, select

from db.ids import ChannelId, MatchId, PersonId, ServerId
from db.rows import AdminAct, AdminActRow, Limits, NewAdminAct
from db.schema import admin_acts, allowed_channels, server_blocks, server_limits
from db.session import Session

_NEWEST = admin_acts.c.id.desc()


class Admin:
    """Acts, limits and blocks of servers, within one transaction."""

    __slots__ = ("_session",)

    def __init__(self, session: Session) -> None:
        self._session = session

    async def record(self, new: NewAdminAct) -> None:
        """Write down what an administrator does; belongs into the transaction that does it."""
        await self._session.insert(
            admin_acts,
            {
                "server_id": new.server_id,
                "actor": new.actor,
                "act": new.act.value,
                "match_id": new.match_id,
                "person_id": new.person_id,
                "note": new.note,
                "at": new.at,
            },
        )

    async def acts(
        self, server_id: ServerId, limit: int, offset: int = 0
    ) -> tuple[AdminActRow, ...]:
        """Return what was done on a server, the newest first."""
        rows = await self._session.rows(
            select(admin_acts)
            .where(admin_acts.c.server_id == server_id)
            .order_by(admin_acts.c.id.desc())
            .limit(limit)
            .offset(offset)
        )
        return tuple(
            AdminActRow(
                id=row.id,
                server_id=ServerId(row.server_id),
                actor=PersonId(row.actor),
                act=AdminAct(row.act),
                at=row.at,
                match_id=None if row.match_id is None else MatchId(row.match_id),
                person_id=None if row.person_id is None else PersonId(row.person_id),
                note=row.note,
            )
            for row in rows
        )

    async def ruling(self, server_id: ServerId, match_id: MatchId) -> str | None:
        """Return why an administrator ended or voided a match; None where none did.

        An act that is forgotten by now (`KEEP_ADMIN_ACTS_DAYS`) is not found.
        """
        row = await self._session.first(
            select(admin_acts.c.note)
            .where(*_ruling(server_id, match_id))
            .order_by(_NEWEST)
            .limit(1)
        )
        return None if row is None else str(row.note)

    async def ruled_by(self, server_id: ServerId, match_id: MatchId) -> PersonId | None:
        """Return which administrator ended or voided a match; None where none did, likewise."""
        row = await self._session.first(
            select(admin_acts.c.actor)
            .where(*_ruling(server_id, match_id))
            .order_by(_NEWEST)
            .limit(1)
        )
        return None if row is None else PersonId(row.actor)

    async def reasons(self, server_id: ServerId) -> dict[PersonId, str]:
        """Return why people are blocked on a server, of those for whom a reason was given last.

        An act that is forgotten by now (`KEEP_ADMIN_ACTS_DAYS`) is not found.
        """
        rows = await self._session.rows(
            select(admin_acts.c.person_id, admin_acts.c.note)
            .join(
                server_blocks,
                and_(
                    server_blocks.c.server_id == admin_acts.c.server_id,
                    server_blocks.c.person_id == admin_acts.c.person_id,
                ),
            )
            .where(
                admin_acts.c.server_id == server_id,
                admin_acts.c.act == AdminAct.BLOCK.value,
                admin_acts.c.at >= server_blocks.c.at,
                admin_acts.c.note != "",
            )
            .order_by(admin_acts.c.id)
        )
        return {PersonId(row.person_id): str(row.note) for row in rows}

    async def count(self, server_id: ServerId) -> int:
        """Return how many acts were written down for a server."""
        row = await self._session.first(
            select(func.count().label("acts"))
            .select_from(admin_acts)
            .where(admin_acts.c.server_id == server_id)
        )
        return 0 if row is None else int(row.acts)

    async def limits(self, server_id: ServerId) -> Limits:
        """Return what a server allows each person."""
        row = await self._session.first(
            select(server_limits).where(server_limits.c.server_id == server_id)
        )
        return Limits() if row is None else Limits(row.challenges, row.matches)

    async def set_limits(self, server_id: ServerId, limits: Limits) -> None:
        """Set what a server allows each person."""
        await self._session.upsert(
            server_limits,
            {"server_id": server_id},
            {"challenges": limits.challenges, "matches": limits.matches},
        )

    async def channels(self, server_id: ServerId) -> tuple[ChannelId, ...]:
        """Return where a server wants tables; nothing for everywhere."""
        rows = await self._session.rows(
            select(allowed_channels.c.channel_id)
            .where(allowed_channels.c.server_id == server_id)
            .order_by(allowed_channels.c.channel_id)
        )
        return tuple(ChannelId(row.channel_id) for row in rows)

    async def allow(self, server_id: ServerId, channel_id: ChannelId) -> None:
        """Put a channel on a server's list; what was there stays."""
        key = {"server_id": server_id, "channel_id": channel_id}
        await self._session.upsert(allowed_channels, key, key)

    async def disallow(self, server_id: ServerId, channel_id: ChannelId) -> bool:
        """Take a channel off a server's list; False if it wasn't there."""
        return bool(
            await self._session.change(
                allowed_channels.delete().where(
                    allowed_channels.c.server_id == server_id,
                    allowed_channels.c.channel_id == channel_id,
                )
            )
        )

    async def blocked(self, server_id: ServerId) -> tuple[PersonId, ...]:
        """Return who can't challenge or be challenged on a server."""
        rows = await self._session.rows(
            select(server_blocks.c.person_id)
            .where(server_blocks.c.server_id == server_id)
            .order_by(server_blocks.c.at, server_blocks.c.person_id)
        )
        return tuple(PersonId(row.person_id) for row in rows)

    async def block(self, server_id: ServerId, person_id: PersonId, at: datetime) -> None:
        """Block a person on a server."""
        await self._session.upsert(
            server_blocks, {"server_id": server_id, "person_id": person_id}, {"at": at}
        )

    async def unblock(self, server_id: ServerId, person_id: PersonId) -> bool:
        """Let a person play on a server again; False if he wasn't blocked."""
        return bool(
            await self._session.change(
                server_blocks.delete().where(
                    server_blocks.c.server_id == server_id,
                    server_blocks.c.person_id == person_id,
                )
            )
        )


def _ruling(server_id: ServerId, match_id: MatchId) -> tuple[ColumnElement[bool], ...]:
    return (
        admin_acts.c.server_id == server_id,
        admin_acts.c.match_id == match_id,
        admin_acts.c.act.in_((AdminAct.MATCH_END.value, AdminAct.MATCH_VOID.value)),
    )
