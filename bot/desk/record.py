"""What the house keeps: status of matches, score sheets, the league table, help."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bot.desk import house_rules, whereabouts
from bot.desk.finding import any_match, running_where
from bot.front.reply import Reply
from bot.front.visit import Visit
from bot.house import House
from bot.play.table import Table
from bot.refusals import BadText, ChallengeRefused, NoSuchMatch
from bot.ui.clocks import clock_terms
from bot.ui.escape import name as escaped
from bot.ui.language import _
from bot.ui.limits import page_within
from bot.ui.page import LeaderRow, OpenChallenge, PersonShown, RulesShown
from bot.ui.pages import (
    help_page,
    help_titles,
    leaderboard_page,
    rules_page,
    rules_titles,
    sheet_page,
    status_page,
)
from bot.ui.parts import listed
from bot.ui.typed import one_of
from db.ids import MatchId, ServerId
from db.rows import Standing
from gin.rules import STANDARD

ROWS_A_PAGE: Final = 15


async def status(house: House, visit: Visit, named: str | None) -> Reply:
    """One match, or all of this person's and this channel's."""
    challenges: list[OpenChallenge] = []
    if named is not None:
        table = await any_match(house, visit, named)
        tables = [table]
    else:
        challenges = await _open_challenges(house, visit)
        async with house.store.reading() as tx:
            mine = await tx.matches.running_of(visit.person)
            here = await tx.matches.running_in(visit.channel)
        ids = dict.fromkeys(row.id for row in (*mine, *here))
        tables = [table for table in await house.tables.load_all(ids) if not table.is_over]
    shown = [await house.shown(table, None) for table in tables]
    places: dict[int, str] = {}
    if len(tables) > 1:
        places = {
            table.id: whereabouts.in_text(house, visit, table, one)
            for table, one in zip(tables, shown, strict=True)
        }
    return Reply(page=status_page(shown, visit.person, challenges, places), in_place=False)


async def _open_challenges(house: House, visit: Visit) -> list[OpenChallenge]:
    """The challenges that this person made or can answer, and that are open still."""
    async with house.store.reading() as tx:
        rows = await tx.challenges.open_of(visit.person)
    found = []
    for row in rows:
        if row.expires_at <= house.now():
            continue
        url = None
        if row.message_id is not None:
            url = f"https://discord.com/channels/{row.server_id}/{row.channel_id}/{row.message_id}"
        try:
            found.append(OpenChallenge(await house.challenges.shown(row), url))
        except ChallengeRefused:  # by rules of another version
            continue
    return found


async def sheet(house: House, visit: Visit, match: MatchId, page: int | None = None) -> Reply:
    """The score sheet of a match."""
    table = await house.tables.load(match)
    if table is None:
        raise NoSuchMatch(_("There is no such match."))
    if table.seat_of(visit.person) is None and table.row.server_id != visit.server:
        raise NoSuchMatch(_("There is no such match on this server."))
    shown = await house.shown(table, None)
    return Reply(page=sheet_page(shown, page), in_place=page is not None)


async def sheet_named(house: House, visit: Visit, named: str | None) -> Reply:
    """``/gin sheet``: of the match that is named, this person's, or this channel's."""
    table = await any_match(house, visit, named, ("sheet",))
    return await sheet(house, visit, table.id)


async def leaderboard(
    house: House, visit: Visit, server: ServerId | None = None, page: int = 0
) -> Reply:
    """The league table of this server."""
    chosen = server or visit.server
    if visit.server is not None and chosen != visit.server:
        raise NoSuchMatch(_another_server())
    if visit.server is None:
        async with house.store.reading() as tx:
            servers = await tx.servers.played_on(visit.person)
        if chosen is not None and chosen not in servers:
            raise NoSuchMatch(_another_server())
    if chosen is None:
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
        page = max(0, page)
        part = await tx.league.page(chosen, ROWS_A_PAGE, page * ROWS_A_PAGE, visit.person)
        if not part.lines and page:  # the table has become shorter than it was on the screen
            page, _pages = page_within(page, part.people, ROWS_A_PAGE)
            part = await tx.league.page(chosen, ROWS_A_PAGE, page * ROWS_A_PAGE, visit.person)
    page, pages = page_within(page, part.people, ROWS_A_PAGE)
    own = None if part.own in part.lines else part.own
    return Reply(
        page=leaderboard_page(
            [_leader(row) for row in part.lines],
            chosen,
            page,
            pages,
            visit.person,
            None if own is None else _leader(own),
        ),
        public=not visit.in_direct_messages,
        replaces_public=visit.message is not None,
        in_place=True,
    )


def _leader(row: Standing) -> LeaderRow:
    return LeaderRow(
        row.rank, PersonShown(row.person_id, row.name), row.played, row.won, row.points
    )


def _another_server() -> str:
    return _("That table belongs to another server. `/gin leaderboard` shows this one's.")


async def explain(topic: str | None, *, picked: bool = False) -> Reply:
    """Help on a topic; a topic picked on the help page changes that page."""
    return Reply(page=help_page(_topic(topic, help_titles())), in_place=picked)


def _topic(typed: str | None, titles: dict[str, str]) -> str:
    """The topic that is meant, the first where none is given; raise :class:`BadText`."""
    if typed is None or not typed.strip():
        return next(iter(titles))
    topic = one_of(typed, titles)
    if topic is None:
        said = _("There is no topic {topic}. There are: {topics}.")
        raise BadText(said.format(topic=escaped(typed), topics=listed(tuple(titles.values()))))
    return topic


async def rules(house: House, visit: Visit, topic: str | None, named: str | None) -> Reply:
    """The rules of a match: the one that is named, else the person's own that is played here.

    Where there is none, or several by different rules, those that a plain challenge has here.
    """
    if named is not None:
        return await _rules_of(house, visit, await any_match(house, visit, named, ()), topic)
    own = await running_where(house, visit)
    if own and len({(table.match.rules, table.row.house, table.row.clock) for table in own}) == 1:
        return await _rules_of(house, visit, own[0], topic)
    note = ""
    if own:
        note = _("Your matches have rules of their own: name a `match`, or press *Rules* there.")
    return await _usual_rules(house, visit, topic, note)


async def _rules_of(house: House, visit: Visit, table: Table, topic: str | None) -> Reply:
    whose = await house.people.shown(table.people)
    said = _("The rules of {names}.").format(names=listed([escaped(one.name) for one in whose]))
    others = [one for one in whose if one.id != visit.person]
    if table.seat_of(visit.person) is not None:
        said = _("The rules of your match with {names}.").format(
            names=listed([escaped(one.name) for one in others])
        )
    subject = RulesShown(
        table.match.rules, table.row.house, clock_terms(table.clock), table.id, said
    )
    return Reply(page=rules_page(subject, _topic(topic, rules_titles())))


async def _usual_rules(house: House, visit: Visit, topic: str | None, note: str = "") -> Reply:
    shown = replace(await _in_force(house, visit), note=note)
    return Reply(page=rules_page(shown, _topic(topic, rules_titles())))


async def _in_force(house: House, visit: Visit) -> RulesShown:
    """The rules of this server, and its clock in words.

    In direct messages those of the servers where the person plays.
    """
    if visit.server is not None:
        return await _usual(house, visit.server)
    async with house.store.reading() as tx:
        running = await tx.matches.running_of(visit.person)
        played = await tx.servers.played_on(visit.person)
    servers = {*played, *(row.server_id for row in running)}
    found = [await _usual(house, server) for server in sorted(servers)]
    if len({(one.rules, one.clock) for one in found}) > 1:
        raise NoSuchMatch(
            _(
                "You play on several servers, by different rules. Use `/gin rules` in the one you "
                "mean, or name a `match`."
            )
        )
    if not found:
        return RulesShown(STANDARD)
    called = found[0].house if len({one.house for one in found}) == 1 else None
    return replace(found[0], house=called)


async def _usual(house: House, server: ServerId) -> RulesShown:
    clock = await house_rules.clock_for(house, server, house_rules.Wanted())
    usual = await house_rules.in_force(house, server)
    return RulesShown(usual.rules, usual.house, clock_terms(clock))


async def rules_picked(house: House, visit: Visit, match: MatchId, topic: str) -> Reply:
    """Another topic of the same rules; ``match`` 0 for those of the server."""
    if match:
        return await rules(house, visit, topic, str(match))
    return await _usual_rules(house, visit, topic)
