"""What stands on Discord: which message shows which version of which match."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, and_, bindparam, exists, func, or_, select

from db.ids import MatchId, ServerId
from db.rows import TABLE_SEAT, MatchStatus, ShownKind, ShownRow
from db.schema import entries, matches, seats, shown
from db.session import Session

_OF_MATCH = (
    select(shown)
    .where(shown.c.match_id == bindparam("its_match"))
    .order_by(shown.c.kind, shown.c.seat)
)
_SHOWS = (
    shown.update()
    .where(
        shown.c.match_id == bindparam("its_match"),
        shown.c.kind == bindparam("its_kind"),
        shown.c.seat == bindparam("its_seat"),
        shown.c.message_id == bindparam("its_message"),
    )
    .values(version=bindparam("its_version"))
)


class Shown:
    """Shown messages, within one transaction."""

    __slots__ = ("_session",)

    def __init__(self, session: Session) -> None:
        self._session = session

    async def get(
        self, match_id: MatchId, seat: int | None = None, kind: ShownKind | None = None
    ) -> ShownRow | None:
        """Return the message that shows a seat's hand, or the table (``seat`` None)."""
        row = await self._session.first(select(shown).where(_is(match_id, seat, kind)))
        return None if row is None else _shown(row)

    async def put(self, row: ShownRow) -> None:
        """Remember a message; it takes the place of the one that showed the same before."""
        await self._session.upsert(
            shown,
            {"match_id": row.match_id, "kind": row.kind.value, "seat": row.seat},
            {
                "channel_id": row.channel_id,
                "message_id": row.message_id,
                "version": row.version,
                "posted_at": row.posted_at,
            },
        )

    async def show(self, rows: Sequence[ShownRow]) -> None:
        """Note the versions that messages show now, where they still are those that count."""
        values = [
            {
                "its_match": row.match_id,
                "its_kind": row.kind.value,
                "its_seat": row.seat,
                "its_message": row.message_id,
                "its_version": row.version,
            }
            for row in rows
        ]
        if values:
            await self._session.change(_SHOWS, values)

    async def drop(
        self, match_id: MatchId, seat: int | None = None, kind: ShownKind | None = None
    ) -> None:
        """Forget the message of a seat's hand, or of the table (``seat`` None)."""
        await self._session.change(shown.delete().where(_is(match_id, seat, kind)))

    async def drop_others(self, row: ShownRow) -> None:
        """Forget whatever else of its match the message of this row was noted as."""
        await self._session.change(
            shown.delete().where(
                shown.c.match_id == row.match_id,
                shown.c.message_id == row.message_id,
                or_(shown.c.kind != row.kind.value, shown.c.seat != row.seat),
            )
        )

    async def stale(self, limit: int) -> tuple[ShownRow, ...]:
        """Return up to ``limit`` messages that show less than their match's log holds.

        Reads every remembered message; meant for the start and for a now and then.
        """
        rows = await self._session.rows(
            select(shown)
            .join(matches, matches.c.id == shown.c.match_id)
            .where(shown.c.version < matches.c.head)
            .order_by(shown.c.match_id, shown.c.kind, shown.c.seat)
            .limit(limit)
        )
        return tuple(_shown(row) for row in rows)

    async def ended_unseen(self, server_id: ServerId, since: datetime) -> tuple[MatchId, ...]:
        """Return this server's matches that ended after ``since`` with a message not saying so."""
        rows = await self._session.rows(
            select(matches.c.id)
            .where(
                matches.c.server_id == server_id,
                matches.c.status != MatchStatus.RUNNING.value,
                matches.c.ended_at >= since,
                exists().where(shown.c.match_id == matches.c.id, shown.c.version < matches.c.head),
            )
            .order_by(matches.c.id)
        )
        return tuple(MatchId(row.id) for row in rows)

    async def doubtful(self, server_id: ServerId | None = None) -> tuple[MatchId, ...]:
        """Return running matches (on one server) whose messages may show less than they must.

        Left out are those of which the table, where it belongs, and everybody's hand show the
        whole log, with nothing else beside them that might have to go. That another player has
        drawn, so that it is his turn still, a hand need not show. Walks through all that run.
        """
        its, whole = shown.c.match_id == matches.c.id, shown.c.version >= matches.c.head
        drawn = (
            exists()
            .where(
                entries.c.match_id == matches.c.id,
                entries.c.seq == matches.c.head,
                entries.c.seat != shown.c.seat,
                entries.c.text.like("_ draw %"),
            )
            .correlate(matches, shown)
        )
        enough = or_(whole, and_(shown.c.version == matches.c.head - 1, drawn))
        table = exists().where(
            its,
            whole,
            shown.c.kind == ShownKind.TABLE.value,
            shown.c.channel_id == func.coalesce(matches.c.thread_id, matches.c.channel_id),
        )
        hand = (
            exists()
            .where(its, enough, shown.c.kind == ShownKind.HAND.value, shown.c.seat == seats.c.seat)
            .correlate(matches, seats)
        )
        stands = [ShownKind.TABLE.value, ShownKind.HAND.value]
        rows = await self._session.rows(
            select(matches.c.id)
            .where(
                matches.c.status == MatchStatus.RUNNING.value,
                *([] if server_id is None else [matches.c.server_id == server_id]),
                or_(
                    ~table,
                    exists().where(seats.c.match_id == matches.c.id, ~hand),
                    exists().where(its, shown.c.kind.not_in(stands)),
                ),
            )
            .order_by(matches.c.id)
        )
        return tuple(MatchId(row.id) for row in rows)

    async def of_match(self, match_id: MatchId) -> tuple[ShownRow, ...]:
        """Return all messages of a match."""
        rows = await self._session.rows(_OF_MATCH, {"its_match": match_id})
        return tuple(_shown(row) for row in rows)


def _is(match_id: MatchId, seat: int | None, kind: ShownKind | None) -> ColumnElement[bool]:
    if kind is None:
        kind = ShownKind.TABLE if seat is None else ShownKind.HAND
    return and_(
        shown.c.match_id == match_id,
        shown.c.kind == kind.value,
        shown.c.seat == (TABLE_SEAT if seat is None else seat),
    )


# A row of Core has the types of its columns only at run time, hence Any.
def _shown(row: Row[*tuple[Any, ...]]) -> ShownRow:
    return ShownRow(
        match_id=row.match_id,
        kind=ShownKind(row.kind),
        seat=row.seat,
        channel_id=row.channel_id,
        message_id=row.message_id,
        version=row.version,
        posted_at=row.posted_at,
    )
