"""What is kept: matches in play, the leaderboard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.ui import escape
from bot.ui.controls import Control, Verb
from bot.ui.former import told_apart
from bot.ui.language import _, ngettext
from bot.ui.page import LeaderRow, MatchShown, OpenChallenge, Page
from bot.ui.pages import facts, turns
from bot.ui.pages.places import no_place_words
from bot.ui.parts import (
    SUBTLE,
    Accent,
    Composer,
    Press,
    Style,
    against,
    bullets,
    dotted,
    lines,
    listed,
)
from bot.ui.results import score_line
from bot.ui.terms import short_terms
from bot.ui.times import clock_time

MATCHES_SHOWN = 7
"""Matches on one status page; each takes up to five components of 40."""
CHALLENGES_SHOWN = 5
_CHALLENGES = 1500
"""Characters kept for the open challenges."""
_NAME_CELLS = 13


def status_page(
    shown: Sequence[MatchShown],
    person: int,
    challenges: Sequence[OpenChallenge] = (),
    places: Mapping[int, str] | None = None,
) -> Page:
    """The matches in play here and of ``person`` (a Discord id), whose turns stand first.

    The views may be public ones. ``challenges`` are his own, open on either side.
    ``places`` says of matches, by their ids, where they are played (markdown).
    """
    page = Composer(Accent.TABLE, reserve=_CHALLENGES if challenges else 0)
    if not shown and challenges:
        page.text(_("## No match in play yet"))
    elif not shown:
        return page.text(
            _(
                "## No match here\nChallenge somebody with `/gin challenge`, "
                "and the cards are on the table."
            )
        ).page()
    page.text(_open_challenges(challenges, person), reserved=True)
    count = len(shown)
    if count:
        said = ngettext("{count} match in play", "{count} matches in play", count)
        page.text("## " + said.format(count=count))
        if not any(who.id == person for one in shown for who in one.people):
            page.text(
                ngettext(
                    "You don't play in it. `/gin challenge` asks somebody to play with you.",
                    "You play in none of them. `/gin challenge` asks somebody to play with you.",
                    count,
                )
            )
    for one in sorted(shown, key=lambda one: not _awaits(one, person))[:MATCHES_SHOWN]:
        page.text(_status(one, person, (places or {}).get(one.match_id, "")))
        mine = any(who.id == person for who in one.people)
        page.buttons(
            Press(facts.control(one, Verb.MY_HAND), _("My hand"), Style.success)
            if mine and one.view.outcome is None
            else None,
            Press(facts.control(one, Verb.SHEET), _("Score sheet")),
            facts.table_link(one),
        )
    hidden = count - MATCHES_SHOWN
    if hidden > 0:
        said = ngettext("And {count} more.", "And {count} more.", hidden)
        page.text(SUBTLE + said.format(count=hidden))
    return page.page()


def _open_challenges(challenges: Sequence[OpenChallenge], person: int) -> str:
    """Each open challenge in a line, what it waits for, and where it stands."""
    said = []
    for one in challenges[:CHALLENGES_SHOWN]:
        shown = one.shown
        others = listed([escape.name(who.name) for who in shown.opponents])
        line = _("You challenged {names} ({terms}); the offer stands until {until}.")
        if shown.challenger.id != person:
            line = _(
                "{name} challenged you ({terms}); the offer stands until {until}. Answer with "
                "`/gin respond`."
            )
            if person in shown.accepted:
                line = _("You accepted {name}'s challenge ({terms}); the others are still asked.")
        line = line.format(
            name=escape.name(shown.challenger.name),
            names=others,
            terms=short_terms(
                shown.rules, None if shown.house is None else escape.name(shown.house)
            ),
            until=f"{clock_time(shown.expires_at)}",
        )
        where = _("[Show it]({url})").format(url=one.url) if one.url else ""
        said.append(f"{line} {where}".rstrip())
    rest = len(challenges) - CHALLENGES_SHOWN
    if rest > 0:
        said.append(ngettext("And {count} more.", "And {count} more.", rest).format(count=rest))
    return bullets(said)


def leaderboard_page(
    rows: Sequence[LeaderRow],
    server: int,
    page: int,
    pages: int,
    person: int | None = None,
    own: LeaderRow | None = None,
) -> Page:
    """The server's table, one page of it (``page`` from 0 of ``pages``).

    ``person`` marks that person's row; ``own`` is his row where it stands on another page.
    """
    composed = Composer(Accent.TABLE).text("## " + _("Leaderboard"))
    if not rows:
        return composed.text(
            _("Nobody has finished a match here yet. Be the first: `/gin challenge`.")
        ).page()
    people = told_apart(row.person for row in rows)
    rows = [replace(row, person=one) for row, one in zip(rows, people, strict=True)]
    composed.text(_leader_table(rows, person, own))
    composed.text(
        SUBTLE
        + _("By matches won, then points. Page {page} of {pages}.").format(
            page=page + 1, pages=max(pages, 1)
        )
        + _marked(rows, person, own)
    )
    if pages > 1:
        composed.buttons(
            _turn(server, page - 1, pages, _("‹ Previous")),
            _turn(server, page + 1, pages, _("Next ›")),
        )
    return composed.page()


def _marked(rows: Sequence[LeaderRow], person: int | None, own: LeaderRow | None) -> str:
    """Whose row the mark is at: everybody reads the table, one has asked for it."""
    asker = next((row for row in (*rows, own) if row is not None and row.person.id == person), None)
    if asker is None:
        return ""
    said = _("› is {name}, who asked.").format(name=escape.name(asker.person.name))
    return f" {said}"


def _turn(server: int, page: int, pages: int, label: str) -> Press:
    control = Control(Verb.LEADERBOARD_PAGE, server, 0, (str(max(page, 0)),))
    return Press(control, label, disabled=not 0 <= page < pages)


def _leader_table(rows: Sequence[LeaderRow], person: int | None, own: LeaderRow | None) -> str:
    """The rows as a code block of 36 cells, as phones show: rank, name, played, won, points."""
    player, played, won, points = _("Player"), _("Played"), _("Won"), _("Points")
    name = escape.cells(player, _NAME_CELLS)
    head = f"{'#':>4} {name}{played:>7}{won:>4}{points:>7}"
    body = [_leader_row(row, row.person.id == person) for row in rows]
    if own is not None and all(row.person.id != own.person.id for row in rows):
        body += ["   …", _leader_row(own, True)]
    return "```\n" + lines(head, *body) + "\n```"


def _leader_row(row: LeaderRow, mine: bool) -> str:
    mark = "›" if mine else " "
    return (
        f"{mark}{row.rank:>3} {escape.cells(row.person.name, _NAME_CELLS)}"
        f"{row.played:>7}{row.won:>4}{row.points:>7}"
    )


def _awaits(shown: MatchShown, person: int) -> bool:
    hand = shown.view.hand
    if hand is None or hand.to_move is None or shown.view.outcome is not None:
        return False
    return shown.people[hand.to_move].id == person


def _status(shown: MatchShown, person: int, place: str) -> str:
    names = facts.names(shown)
    plays = any(who.id == person for who in shown.people)
    no_place = no_place_words(is_gone=shown.channel_gone, plays=plays)
    if shown.view.outcome is not None:
        turn = facts.headline(shown)
    elif _awaits(shown, person):
        turn = turns.with_time(shown, _("**Your turn**"), yours=True)
    else:
        turn = turns.turn(shown) or _("The cards are being dealt.")
    return lines(
        "### " + dotted(against(names), place),
        _("{turn} · {score}").format(turn=turn, score=score_line(shown.view, names)),
        "" if shown.has_table else SUBTLE + no_place,
        facts.subtitle(shown),
    )
