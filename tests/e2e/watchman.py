"""Watches what forged interactions do: to the log of each match, to what is kept of whom, to cards.

Everything is read past the bot: from the database file, from the requests that it sent, from what
it logged. The rules of who may change what are written out here anew.
"""

from __future__ import annotations

import io
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Final

from babel.messages.pofile import read_po

from bot.ui.controls import Control, Verb
from bot.ui.typed import NotUnderstood, parse_cards
from gin import DECK, Cancel, Card, Match, Seat
from gin.events import Event, Forfeit, Play, Resign
from gin.notation import parse_event
from gin.rules import Rules
from playground.doors.recording import SentRequest
from playground.state.interactions import Interaction
from playground.wire import dumps
from tests.e2e.room import Room
from tests.e2e.wiretap import EVERYBODY, Wiretap, may_know, named

VERSIONED: Final = frozenset(
    {
        Verb.DRAW,
        Verb.PASS,
        Verb.DISCARD,
        Verb.KNOCK,
        Verb.KNOCK_TYPED,
        Verb.KNOCK_ARRANGED,
        Verb.BIG_GIN,
        Verb.LAYOFF,
        Verb.LAYOFF_TYPED,
        Verb.LAYOFF_ARRANGED,
        Verb.LOOK,
        Verb.TAKE_BACK,
    }
)
"""Controls that act on the very position that they showed."""
CATALOGUE: Final = Path(__file__).resolve().parents[2] / "bot/locales/messages.pot"
_MATCH_IN_ID: Final = re.compile(r"gin:([a-z-]+):(\d+):")
_OTHER_SUBJECTS: Final = frozenset(
    {
        *("accept", "decline", "withdraw", "accept-word", "accept-typed", "word", "word-typed"),
        *("leaderboard-page", "wish", "block-pick", "unblock-pick", "privacy", "export"),
        *("delete-menu", "delete"),
    }
)
"""Controls whose number isn't a match's."""
_QUOTED: Final = re.compile("“([^”]*)”")
_MATCH_IN_TITLE: Final = re.compile(r"The shuffles of match (\d+),")
_PURE_PAGE: Final = re.compile(r'"custom_id": ?"gin:(?:rules-pick|help-pick):[^"]*"[^{}]*"options"')
"""A page of rules or help: made of the rules alone, with melds as examples."""
_ANY_CODE: Final = re.compile(r"(10|[2-9ATJQK])([SHDC♠♥♦♣])", re.IGNORECASE)
SERVERS_OWN: Final = ("house_sets", "server_limits", "allowed_channels", "server_blocks")


@dataclass(slots=True)
class Followed:
    """A match as it follows from the entries read so far."""

    number: int
    server: int
    people: tuple[int, ...]
    match: Match
    texts: list[str] = field(default_factory=list)
    status: str = "running"


class Books:
    """The database as the bot writes it, checked entry by entry against the rules."""

    def __init__(self, database: Path, managers: Mapping[int, frozenset[int]]) -> None:
        self._file = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
        self._managers = managers
        """Who manages a server, by server."""
        self.sent: dict[int, Interaction] = {}
        self._cancels: dict[int, set[int]] = {}
        self.followed: dict[int, Followed] = {}
        self.acts = 0
        self.problems: list[str] = []
        self._kept = self._what_is_kept()
        self._last_admin_act = 0

    def close(self) -> None:
        """Let the file go."""
        self._file.close()

    def note(self, interaction: Interaction) -> None:
        """Remember what was sent: only that may turn up in the log."""
        self.sent[interaction.id] = interaction
        if "cancel" in dumps(interaction.data):
            self._cancels.setdefault(interaction.user.id, set()).add(interaction.id)

    def read(self, batch: Iterable[Interaction]) -> None:
        """Follow everything that has changed since the last look."""
        users = {interaction.user.id for interaction in batch}
        for number, server, head, status, rules in self._file.execute(
            "SELECT id, server_id, head, status, rules FROM matches"
        ).fetchall():
            self._follow(number, server, head, status, rules)
        self._read_kept(users)
        for server, actor in self._file.execute(
            "SELECT server_id, actor FROM admin_acts WHERE id > ?", (self._last_admin_act,)
        ):
            if actor not in self._managers.get(server, frozenset()):
                self._says(f"{actor} acted as an administrator of {server}")
        (last,) = self._file.execute("SELECT coalesce(max(id), 0) FROM admin_acts").fetchone()
        self._last_admin_act = int(last)

    def _says(self, what: str) -> None:
        self.problems.append(what)

    def is_running(self, people: set[int]) -> bool:
        """Whether these people, and nobody else, play a match at the moment."""
        return any(
            one.match.outcome is None and set(one.people) == people
            for one in self.followed.values()
        )

    # ------------------------------------------------------------------ matches

    def now(self, number: int) -> Followed | None:
        """A match as it stands in the file at this moment; None for an unknown number."""
        row = self._file.execute(
            "SELECT id, server_id, head, status, rules FROM matches WHERE id = ?",
            (min(number, 2**63 - 1),),
        ).fetchone()
        if row is None:
            return None
        self._follow(*row)
        return self.followed[number]

    def _follow(self, number: int, server: int, head: int, status: str, rules: str) -> None:
        known = self.followed.get(number)
        if known is None:
            known = self.followed[number] = self._seated(number, server, rules)
        if head < len(known.texts):
            self._says(f"match {number}: its log became shorter")
            return
        if head > len(known.texts):
            self._add(known, head)
        ended = known.match.outcome is not None
        if (status == "running") == ended:
            self._says(f"match {number} is {status}, its log says {known.match.outcome}")
        if known.status not in ("running", status) and status != "void":
            self._says(f"match {number} was {known.status} and is {status}")
        known.status = status

    def _seated(self, number: int, server: int, rules: str) -> Followed:
        people = tuple(
            int(person)
            for (person,) in self._file.execute(
                "SELECT person_id FROM seats WHERE match_id = ? ORDER BY seat", (number,)
            )
        )
        asked = self._file.execute(
            "SELECT p.person_id, p.accepted FROM challenge_people p JOIN matches m "
            "ON m.challenge_id = p.challenge_id WHERE m.id = ? ORDER BY p.position",
            (number,),
        ).fetchall()
        willing = all(accepted for _person, accepted in asked[1:])  # the first is who asked
        if {person for person, _ in asked} != set(people) or not willing:
            self._says(f"match {number} seats {people}; asked and willing: {asked}")
        return Followed(number, server, people, Match.start(Rules.parse(rules)))

    def _add(self, known: Followed, head: int) -> None:
        rows = self._file.execute(
            "SELECT seq, text, seat, actor, interaction_id FROM entries "
            "WHERE match_id = ? AND seq > ? AND seq <= ? ORDER BY seq",
            (known.number, len(known.texts), head),
        ).fetchall()
        if [row[0] for row in rows] != list(range(len(known.texts) + 1, head + 1)):
            self._says(f"match {known.number}: its entries aren't numbered one by one")
        for seq, text, seat, actor, interaction in rows:
            event = parse_event(text)
            self._judge(known, seq, event, (seat, actor, interaction))
            try:
                known.match = known.match.after(event)
            except Exception as error:  # noqa: BLE001 - whatever it is, the rules didn't allow it
                self._says(f"match {known.number}, entry {seq}: {type(error).__name__}")
            known.texts.append(text)

    def _judge(
        self, known: Followed, seq: int, event: Event, by: tuple[int | None, int | None, int | None]
    ) -> None:
        seat, actor, number = by
        what = f"match {known.number}, entry {seq} ({type(event).__name__})"
        if not isinstance(event, Play | Resign | Cancel | Forfeit):
            if by != (None, None, None):
                self._says(f"{what}: dealt by {by}")
            return
        self.acts += 1
        interaction = self.sent.get(number or 0)
        if interaction is None:
            self._says(f"{what}: by nothing that was sent")
            return
        if interaction.user.id != actor:
            self._says(f"{what}: by {actor}, sent by {interaction.user.id}")
        if isinstance(event, Cancel) and seat is None:
            if actor not in self._managers.get(known.server, frozenset()):
                self._says(f"{what}: ended by {actor}, who manages nothing here")
            return
        if seat is None or known.people[seat] != actor:
            self._says(f"{what}: seat {seat} isn't {actor}'s")
        if isinstance(event, Play | Resign) and event.seat != seat:
            self._says(f"{what}: for another seat")
        if isinstance(event, Play) and known.match.to_move != event.seat:
            self._says(f"{what}: out of turn")
        if isinstance(event, Cancel) and not all(one in self._cancels for one in known.people):
            self._says(f"{what}: somebody never agreed")
        control = Control.parse(str(interaction.data.get("custom_id")))
        if control is None or control.verb not in VERSIONED:
            return
        if (control.subject, control.version) != (known.number, seq - 1):
            self._says(f"{what}: by {control.encode()}")

    # ------------------------------------------------------------------ what is kept of people

    def _what_is_kept(self) -> dict[str, dict[int, list[tuple[object, ...]]]]:
        """Rows by whose they are: a person's wishes and blocks, a server's own tables."""
        kept: dict[str, dict[int, list[tuple[object, ...]]]] = {}
        for table in ("wishes", "blocks", *SERVERS_OWN):
            rows: dict[int, list[tuple[object, ...]]] = {}
            for row in self._file.execute(f"SELECT * FROM {table} ORDER BY 1, 2"):  # noqa: S608
                rows.setdefault(row[0], []).append(row)
            kept[table] = rows
        return kept

    def _read_kept(self, users: set[int]) -> None:
        now = self._what_is_kept()
        for table, rows in now.items():
            before = self._kept[table]
            for owner in rows.keys() | before.keys():
                if rows.get(owner) == before.get(owner):
                    continue
                may = {owner} if table not in SERVERS_OWN else self._managers.get(owner, set())
                if not users & set(may):
                    self._says(f"{table} of {owner} changed; there were {sorted(users)}")
        self._kept = now

    def reread(self) -> None:
        """See that no entry has changed since it was written."""
        for number, known in self.followed.items():
            texts = self._file.execute(
                "SELECT text FROM entries WHERE match_id = ? ORDER BY seq", (number,)
            )
            if [text for (text,) in texts] != known.texts:
                self._says(f"match {number}: its log was changed afterwards")


class Ears(Wiretap):
    """A wiretap for many matches at once: what may be known is counted of those that are meant."""

    def __init__(self, room: Room, books: Books) -> None:
        super().__init__(room)
        self.told = 0
        self.found: list[str] = []
        self._books = books
        self._known: dict[tuple[int, int, int], frozenset[Card]] = {}
        self._heard = 0
        """So many interactions were looked through for what was typed."""
        self._typed_texts: set[str] = set()

    def _hear(self, request: SentRequest) -> None:
        self._add(request)
        audience = self.audience_of(request)
        if audience is None or next(named(request.body), None) is None:
            return
        if _PURE_PAGE.search(dumps(request.body)):
            return
        cards = frozenset(named(self._without_quotes(without_examples(request.body))))
        self.told += 1
        cards -= frozenset[Card]().union(*self._meant(audience, request))
        if cards and (cards := cards - self._typed(request)):
            self.found.append(
                f"{sorted(map(str, cards))} to {audience}: "
                f"{request.method} {request.path} {request.body}"
            )

    def _meant(self, audience: int, request: SentRequest) -> Iterator[frozenset[Card]]:
        """What may be known of the matches that it names or has controls of, else of one's own."""
        ids = {
            int(number)
            for verb, number in _MATCH_IN_ID.findall(dumps(request.body))
            if verb not in _OTHER_SUBJECTS and int(number)
        } | set(map(int, _MATCH_IN_TITLE.findall(dumps(request.body))))
        if not ids:
            ids = {
                number
                for number, match in self._books.followed.items()
                if audience == EVERYBODY or audience in match.people
            }
        for number in ids:
            known = self._books.now(number)
            if known is None:
                continue
            if known.match.outcome is not None:
                yield frozenset(DECK)  # past hands are laid open, to the last card of the stock
                continue
            seat = known.people.index(audience) if audience in known.people else -1
            key = (number, len(known.texts), seat)
            if key not in self._known:
                self._known[key] = may_know(known.match, Seat(seat) if seat >= 0 else None)
            yield self._known[key]

    def _without_quotes(self, told: object) -> object:
        """A body without what people have typed, which stands between marks wherever it's shown."""
        if isinstance(told, dict):
            return {key: self._without_quotes(value) for key, value in told.items()}
        if isinstance(told, list):
            return [self._without_quotes(value) for value in told]
        return _QUOTED.sub(self._unless_typed, told) if isinstance(told, str) else told

    def _unless_typed(self, quoted: re.Match[str]) -> str:
        """The quotation as it stands, or nothing if its cards came from somebody.

        In the list of what administrators did a set's name stands before what was done to it.
        """
        made = self.room.world.interactions.by_id.values()
        for one in islice(made, self._heard, None):
            self._heard += 1
            self._typed_texts.update(filter(None, map(_bare, _texts(one.data))))
        parts = [part for part in quoted[1].split(": ", 1) if any(named(part))] or [quoted[1]]
        typed = self._typed_texts
        was_typed = all(any(_bare(part) in text for text in typed) for part in parts)
        return "“”" if was_typed else quoted[0]

    def _typed(self, request: SentRequest) -> frozenset[Card]:
        """Cards that the person has named himself in what this answers."""
        parts = request.path.strip("/").split("/")
        interactions = self.room.world.interactions
        interaction = None
        if parts[0] == "interactions":
            interaction = interactions.by_id.get(int(parts[1]))
        elif parts[0] == "webhooks":
            interaction = interactions.by_token.get(parts[2])
        if interaction is None:
            return frozenset()
        said = dumps(interaction.data)
        return frozenset(map(_card, _ANY_CODE.findall(said))) | frozenset(
            card for text in _texts(interaction.data) for card in (*named(text), *_read(text))
        )


@cache
def _examples() -> tuple[re.Pattern[str], ...]:
    """What the program says to everybody at all times, naming cards as examples."""
    with CATALOGUE.open("rb") as file:
        sentences = [
            text
            for message in read_po(file)
            for text in ((message.id,) if isinstance(message.id, str) else message.id)
        ]
    return tuple(
        re.compile(re.sub(r"\\\{\w+\\\}", "(.*?)", re.escape(text)), re.DOTALL)
        for text in sorted(sentences, key=len, reverse=True)
        if any(named({"content": text})) or any(named({"value": text}))
    )


def without_examples(told: object) -> object:
    """A body without the cards that are part of the program's own sentences."""
    if isinstance(told, dict):
        return {key: without_examples(value) for key, value in told.items()}
    if isinstance(told, list):
        return [without_examples(value) for value in told]
    if isinstance(told, str) and len(told) > 8:
        for example in _examples():
            told = example.sub(lambda found: " ".join(found.groups()), told)
    return told


def _bare(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _read(typed: str) -> tuple[Card, ...]:
    """The cards that the bot reads in what was typed: ``seven of hearts``."""
    try:
        return parse_cards(typed)
    except NotUnderstood:
        return ()


def _card(code: tuple[str, str]) -> Card:
    rank, suit = code
    suit = "SHDC"["♠♥♦♣".index(suit)] if suit in "♠♥♦♣" else suit.upper()
    return Card.parse(("T" if rank == "10" else rank.upper()) + suit)


def _texts(told: object) -> Iterator[str]:
    if isinstance(told, dict):
        for value in told.values():
            yield from _texts(value)
    elif isinstance(told, list):
        for value in told:
            yield from _texts(value)
    elif isinstance(told, str):
        yield told


class Journal:
    """What the bot logged, read piece by piece."""

    def __init__(self, written: io.StringIO) -> None:
        self._written = written
        self.lines = 0
        self.problems: list[str] = []

    def read(self) -> None:
        """Look through what was logged since the last look."""
        said = self._written.getvalue()
        self._written.seek(0)
        self._written.truncate()
        for line in said.splitlines():
            self.lines += 1
            if "Traceback" in line or " level='error'" in line or " level='critical'" in line:
                self.problems.append(f"logged: {line[:2000]}")
            # An unknown control is logged as it was sent, with the cards that the forger made up.
            if "unknown control" not in line and (cards := list(named(line))):
                self.problems.append(f"logged {cards}: {line[:500]}")
