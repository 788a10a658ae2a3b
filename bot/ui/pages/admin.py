"""For those who manage a server: its matches, one match, limits, the bot's health, their acts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from bot.ui import escape
from bot.ui.language import _, ngettext
from bot.ui.page import MatchShown, Page, PersonShown
from bot.ui.pages import facts, turns
from bot.ui.parts import SUBTLE, Accent, Composer, against, bullets, lines
from bot.ui.results import final_line
from bot.ui.times import until


@dataclass(frozen=True, slots=True)
class MatchKept:
    """A match as the house keeps it, for administrators; ``shown`` is the public view."""

    shown: MatchShown
    channel: int
    """Where the table stands."""
    created_at: datetime
    acted_at: datetime
    ended_at: datetime | None
    is_void: bool = False
    ruled_by: PersonShown | None = None
    """Which moderator ended it or took its result out; None where none did, or it is forgotten."""


@dataclass(frozen=True, slots=True)
class MatchUnread:
    """A match that this version of the program can't read: who, where and when is all we know."""

    match_id: int
    people: tuple[PersonShown, ...]
    channel: int
    acted_at: datetime
    is_running: bool


@dataclass(frozen=True, slots=True)
class ActShown:
    """One act of an administrator."""

    actor: PersonShown
    act: str
    """The name of its command."""
    at: datetime
    match: int | None = None
    person: PersonShown | None = None
    note: str = ""
    """Not escaped."""
    limits: tuple[tuple[str, int], ...] = ()
    """Which limits were set, by the options' names, and to what; said in place of the note."""


@dataclass(frozen=True, slots=True)
class LimitsShown:
    """What a server allows."""

    challenges: int
    matches: int
    channels: tuple[int, ...]
    """Where it wants tables; nothing for everywhere."""
    blocked: tuple[PersonShown, ...] = ()
    reasons: Mapping[int, str] = field(default_factory=dict)
    """Why, by the ids of those who are blocked; not escaped."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """How the bot is, as far as one server may know."""

    rights: tuple[tuple[str, bool], ...]
    """The permissions that it uses, by name, and whether it has them in this channel."""
    direct_messages: bool | None
    """Whether the reader's are open; None where that was never tried."""
    latency: float | None
    """Seconds of the gateway's last heartbeat; None where there was none yet."""
    database_size: int
    """Bytes."""
    revision: str
    is_sound: bool | None
    version: str
    running: int
    """Matches on this server."""


def match_list_page(
    kept: Sequence[MatchKept | MatchUnread], title: str, page: int, pages: int
) -> Page:
    """Matches of a server, one page of them (``page`` from 0)."""
    composed = Composer(Accent.TABLE, reserve=200).text("## " + title)
    if not kept:
        return composed.text(_("There are none.")).page()
    for one in kept:
        composed.text(_line(one) if isinstance(one, MatchKept) else _unread_line(one))
    return composed.text(_paged(page, pages), reserved=True).page()


def match_kept_page(kept: MatchKept) -> Page:
    """One match with all that the public may know of it."""
    shown = kept.shown
    page = Composer(Accent.TABLE)
    page.text("## " + _("Match #{number}").format(number=shown.match_id))
    page.text(_line(kept, with_place=False))
    page.text(
        bullets(
            [
                _table_place(kept),
                _("Begun {when}").format(when=until(kept.created_at)),
                _("Last act {when}").format(when=until(kept.acted_at)),
                *(
                    [_("Ended {when}").format(when=until(kept.ended_at))]
                    if kept.ended_at is not None
                    else []
                ),
                *_ruling(kept),
                ngettext(
                    "{count} entry in its log", "{count} entries in its log", shown.version
                ).format(count=shown.version),
            ]
        )
    )
    page.text(facts.subtitle(shown))
    return page.buttons(facts.table_link(shown)).page()


def _ruling(kept: MatchKept) -> list[str]:
    """Who ended the match or took its result out, and why."""
    ruling = kept.shown.ruling
    if ruling is None or kept.ruled_by is None:
        return []
    said = _("Taken out by {actor}") if ruling.is_void else _("Ended by {actor}")
    said = said.format(actor=escape.name(kept.ruled_by.name))
    return [f"{said} · {facts.reason_line(ruling.reason)}" if ruling.reason else said]


def _table_place(kept: MatchKept) -> str:
    if kept.shown.channel_gone:
        return _(
            "Table: its channel is gone, so it has no place at present; `/gin-admin match-move` in "
            "another channel sets it up there"
        )
    if kept.shown.has_table:
        return _("Table: <#{channel}>").format(channel=kept.channel)
    return _(
        "Table: can't be shown in <#{channel}>; `/gin-admin match-move` in another channel sets it "
        "up there"
    ).format(channel=kept.channel)


def acts_page(acts: Sequence[ActShown], page: int, pages: int) -> Page:
    """What administrators did on a server, the newest first."""
    composed = Composer(Accent.TABLE, reserve=200).text("## " + _("Acts of administrators"))
    if not acts:
        return composed.text(_("Nothing was done yet.")).page()
    composed.text(bullets([_act(act) for act in acts]))
    return composed.text(_paged(page, pages), reserved=True).page()


def limits_page(limits: LimitsShown) -> Page:
    """What a server allows each person, and where."""
    places = ", ".join(f"<#{channel}>" for channel in limits.channels)
    blocked = ", ".join(_blocked(person, limits.reasons) for person in limits.blocked)
    page = Composer(Accent.TABLE).text("## " + _("Limits of this server"))
    return page.text(
        bullets(
            [
                _("Open challenges that one person may have made: **{most}**").format(
                    most=limits.challenges
                ),
                _("Running matches in which one person may play: **{most}**").format(
                    most=limits.matches
                ),
                _("Tables may stand in: {places}").format(places=places)
                if places
                else _("Tables may stand in every channel."),
                _("Blocked: {names}").format(names=blocked) if blocked else _("Nobody is blocked."),
            ]
        )
    ).page()


def _blocked(person: PersonShown, reasons: Mapping[int, str]) -> str:
    """Who is blocked, and why where a reason was given."""
    name, reason = escape.name(person.name), reasons.get(person.id, "")
    return f"{name} (“{escape.text(reason, facts.REASON_MOST)}”)" if reason else name


def diagnosis_page(found: Diagnosis) -> Page:
    """Permissions here, direct messages, connection, database, version."""
    missing = [name for name, there in found.rights if not there]
    page = Composer(Accent.WARNING if missing or found.is_sound is False else Accent.TABLE)
    page.text("## " + _("How the bot is"))
    page.text(
        bullets(
            [
                *(
                    _("✅ {permission}").format(permission=name)
                    if there
                    else _("❌ **{permission}** is missing in this channel").format(permission=name)
                    for name, there in found.rights
                ),
                _direct(found.direct_messages),
                _("Connection: no heartbeat yet")
                if found.latency is None
                else _("Connection: {milliseconds} ms to Discord").format(
                    milliseconds=round(found.latency * 1000)
                ),
                _database(found),
                _("Running matches here: {count}").format(count=found.running),
                _("Version {version}").format(version=found.version),
            ]
        )
    )
    if missing:
        page.text(
            _(
                "Give the bot what is missing in this channel's settings, under *Permissions*, "
                "then look again."
            )
        )
    return page.page()


def ended_by_house(number: int, names: Sequence[str], reason: str, *, void: bool) -> str:
    """The sentence for the players whose match an administrator ended or took out.

    ``names`` are escaped already.
    """
    who = against(names)
    said = (
        _("A moderator took the result of match #{number} ({names}) out: it counts no more.")
        if void
        else _("Match #{number} ({names}) was ended by a moderator. It counts for nobody.")
    ).format(number=number, names=who)
    return lines(said, facts.reason_line(reason))


def _line(kept: MatchKept, *, with_place: bool = True) -> str:
    """A match in two lines; ``with_place``: and what to do where its channel is gone."""
    shown = kept.shown
    names = facts.names(shown)
    if kept.is_void:
        state = _("taken out by a moderator")
    elif shown.view.outcome is not None:
        state = facts.headline(shown)
    else:
        state = turns.turn(shown) or _("The cards are being dealt.")
    no_place = ""
    if shown.channel_gone and with_place:
        no_place = SUBTLE + _("`/gin-admin match-move` in another channel gives it a table again.")
    return lines(
        _heading(shown.match_id, names, None if shown.channel_gone else kept.channel),
        SUBTLE
        + _("{state} · {score} · last act {when}").format(
            state=state, score=final_line(shown.view, names), when=until(kept.acted_at)
        ),
        no_place,
    )


def _heading(match: int, names: Sequence[str], channel: int | None) -> str:
    """Who plays and where; ``channel`` is None where that one is gone."""
    if channel is None:
        said = _("**#{number}** {names} · the table's channel is gone")
        return said.format(number=match, names=against(names))
    return _("**#{number}** {names} · <#{channel}>").format(
        number=match, names=against(names), channel=channel
    )


def _unread_line(unread: MatchUnread) -> str:
    said = _("can't be read by this version of the program · last act {when}")
    if unread.is_running:
        said = _(
            "can't be read by this version of the program · last act {when} · "
            "`/gin-admin match-end` closes it"
        )
    names = [escape.name(person.name) for person in unread.people]
    return lines(
        _heading(unread.match_id, names, unread.channel),
        SUBTLE + said.format(when=until(unread.acted_at)),
    )


def _act(act: ActShown) -> str:
    about = []
    if act.match is not None:
        about.append(f"#{act.match}")
    if act.person is not None:
        about.append(escape.name(act.person.name))
    if act.limits:
        about.append(", ".join(_limit_set(*limit) for limit in act.limits))
    elif act.note:
        about.append(f"“{escape.text(act.note, facts.REASON_MOST)}”")
    return _("{when} {actor}: `{act}` {about}").format(
        when=until(act.at), actor=escape.name(act.actor.name), act=act.act, about=" ".join(about)
    )


def _limit_set(which: str, value: int) -> str:
    """One limit that was changed, by the option's name."""
    said = {
        "challenges": ngettext(
            "at most {value} open challenge", "at most {value} open challenges", value
        ),
        "matches": ngettext(
            "at most {value} running match", "at most {value} running matches", value
        ),
        "allow": _("tables may stand in <#{value}>"),
        "disallow": _("<#{value}> taken off the list"),
    }.get(which, f"{escape.text(which)} {{value}}")
    return said.format(value=value)


def _paged(page: int, pages: int) -> str:
    said = _("Page {page} of {pages}.")
    if pages > 1:
        said = _("Page {page} of {pages}; the option `page` turns to another.")
    return SUBTLE + said.format(page=page + 1, pages=max(pages, 1))


def _direct(is_open: bool | None) -> str:
    if is_open is None:
        return _("Your direct messages: not tried yet")
    return (
        _("Your direct messages: open")
        if is_open
        else _("Your direct messages: closed to me; your hand is under *My hand* at the table")
    )


def _database(found: Diagnosis) -> str:
    size = _("{megabytes} MB").format(megabytes=f"{found.database_size / 1e6:.1f}")
    state = {
        True: _("sound"),
        False: _("**damaged**: stop the bot and restore the latest backup"),
        None: _("not looked through, as it is large"),
    }[found.is_sound]
    return _("Database: {size}, schema {revision}, {state}").format(
        size=size, revision=found.revision, state=state
    )
