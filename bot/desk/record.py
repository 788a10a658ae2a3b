"""What the house keeps: status of matches, score sheets, the league table, help."""

from __future__ import annotations

from typing import Final

from bot.desk.finding import any_match
from bot.house import House
from bot.refusals import NoSuchMatch
from bot.reply import Reply
from bot.ui.language import _
from bot.ui.page import LeaderRow, PersonShown
from bot.ui.pages import help_page, leaderboard_page, sheet_page, status_page
from bot.visit import Visit
from db.ids import MatchId, ServerId

ROWS_A_PAGE: Final = 15


async def status(house: House, visit: Visit, named: str | None) -> Reply:
    """One match, or all of this person's and this channel's."""
    if named is not None:
        table = await any_match(house, visit, named)
        tables = [table]
    else:
        async with house.store.reading() as tx:
            mine = await tx.matches.running_of(visit.person)
            here = await tx.matches.running_in(visit.channel)
        ids = dict.fromkeys(row.id for row in (*mine, *here))
        loaded = [await house.tables.load(match) for match in ids]
        tables = [table for table in loaded if table is not None and not table.is_over]
    shown = [await house.shown(table, None) for table in tables]
    return Reply(page=status_page(shown, visit.person), in_place=False)


async def sheet(house: House, visit: Visit, match: MatchId, page: int | None = None) -> Reply:
    """The score sheet of a match."""
    table = await house.tables.load(match)
    if table is None:
        raise NoSuchMatch(_("There is no such match."))
    if table.seat_of(visit.person) is None and table.row.server_id != visit.server:
        raise NoSuchMatch(_("There is no such match on this server."))
    return Reply(page=sheet_page(await house.shown(table, None), page), in_place=False)


async def sheet_named(house: House, visit: Visit, named: str | None) -> Reply:
    """``/gin sheet``: of the match that is named, this person's, or this channel's."""
    table = await any_match(house, visit, named, ("sheet",))
    return await sheet(house, visit, table.id)


async def leaderboard(
    house: House, visit: Visit, server: ServerId | None = None, page: int = 0
) -> Reply:
    """The league table of this server."""
    chosen = server or visit.server
    if chosen is None:
        async with house.store.reading() as tx:
            servers = await tx.servers.played_on(visit.person)
        if not servers:
            raise NoSuchMatch(
                _("You have played on no server yet. Use `/gin leaderboard` in a server.")
            )
        if len(servers) > 1:
            raise NoSuchMatch(
                _("You play on several servers. Use `/gin leaderboard` in the one you mean.")
            )
        chosen = servers[0]
    async with house.store.reading() as tx:
        count = await tx.league.count(chosen)
        pages = max(1, -(-count // ROWS_A_PAGE))
        page = max(0, min(page, pages - 1))
        rows = await tx.league.standings(chosen, limit=ROWS_A_PAGE, offset=page * ROWS_A_PAGE)
    shown = tuple(
        LeaderRow(row.rank, PersonShown(row.person_id, row.name), row.played, row.won, row.points)
        for row in rows
    )
    return Reply(
        page=leaderboard_page(shown, chosen, page, pages, visit.person),
        public=not visit.in_direct_messages,
        replaces_public=visit.message is not None,
        in_place=True,
    )


async def explain(topic: str | None) -> Reply:
    """Help on a topic."""
    return Reply(page=help_page(topic or "start"), in_place=False)
