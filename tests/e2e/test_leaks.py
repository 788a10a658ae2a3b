"""Fault 26: no hidden card ever leaves the house, in no form, by no way.

Every byte that the bot sends is looked at with its readers in mind; the same hand is played with
other hidden cards and must look the same; pictures are what the reader's own view gives; logs at
their most talkative hold no card.
"""

from __future__ import annotations

import asyncio
import io
import logging
import re
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from datetime import timedelta
from itertools import permutations
from pathlib import Path

import pytest
import structlog

import bot.front.serving
from bot import logs
from bot.settings import LogLevel
from bot.ui import choices
from bot.ui.drawn import knock_picture
from bot.ui.page import MatchShown, Page, Picture
from bot.ui.pages import panel_page, table_page
from db.ids import MatchId
from db.rows import TABLE_SEAT, ShownKind
from gin import Card, Seat
from playground.acting.people import Answer
from playground.server import Playground
from tests.e2e.acting import ByButtons, ByTyping, resigns
from tests.e2e.room import Room, rigged
from tests.e2e.test_whole_matches import (
    first_hand,
    lay_the_decks,
    lay_the_first_deck,
    second_hand,
    shuffles,
    third_hand,
)
from tests.e2e.wiretap import EVERYBODY, Wiretap, named, same_but_for_names


@pytest.fixture
def logged(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """What the program logs at DEBUG, as it would stand on standard error."""
    root, configured = logging.getLogger(), structlog.get_config()
    handlers, level = root.handlers[:], root.level
    written = io.StringIO()
    monkeypatch.setattr("sys.stderr", written)
    logs.set_up(LogLevel.DEBUG)
    yield written
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.configure(**configured)


async def nosy(room: Room) -> None:
    """Everybody looks wherever he can: strangers too, out of turn too."""
    table = await room.cleo.panel("My hand", room.table)
    for person in (room.ada, room.ben, room.cleo):
        await person.press(table, "My hand")
        await person.press(table, "Score sheet")
        for command in ("hand", "sheet", "status"):
            await person.slash(room.table, f"gin {command}")
        for command, option in (
            ("discard", "card"),
            ("knock", "discard"),
            ("knock", "melds"),
            ("layoff", "cards"),
            ("draw", "match"),
        ):
            await person.autocomplete(room.table, f"gin {command}", focused=option)
        await person.slash(room.table, "gin discard", card="ks")
        await person.slash(room.table, "gin knock", discard="ks", melds="2s 3s 4s")
    await room.settled()


@pytest.mark.usefixtures("unhurried")
async def test_fault_26_nobody_is_told_a_card_that_he_may_not_know(
    room: Room, logged: io.StringIO
) -> None:
    """Fault 26: whole matches; texts, labels, ids, values, alt texts, forms, suggestions, logs."""
    tap = Wiretap(room)
    lay_the_first_deck(room.decks)
    room.decks.follow(shuffles(7))  # before the act that ends the first hand, which deals the next
    await room.begin(target=50)
    secret = promised_secret(room)
    ada, ben = ByButtons(room, room.ada), ByTyping(room, room.ben, room.ben)
    await ben.refuse()
    await ada.refuse()
    await ben.draw("stock")
    await nosy(room)
    await ben.discard("8H")
    await ada.draw("discard")
    await ada.discard("KH")
    await ben.draw("stock")
    await ben.type("knock", discard="5d", melds="9h 9d 9c / jc qc kc")  # over the limit
    page = await ByButtons(room, room.ben).knock_page()
    await room.ben.press(page, "Arrange it myself")
    await room.ben.press(page, "Back")
    await ben.knock("KS")
    await nosy(room)
    form = await room.ada.press(await ada.panel("My own way"), "My own way")
    assert form.modal is not None
    await ada.lay_off()
    await nosy(room)
    for _act in range(6):
        mover = (await room.match()).to_move
        assert mover is not None
        await (ByButtons(room, room.ada), ByTyping(room, room.ben))[mover].turn()
    await resigns(room.ada, room.table)
    await room.settled()
    assert tap.leaks() == []
    heard = Counter(piece.audience for piece in tap.pieces)
    assert min(heard[room.ada.id], heard[room.ben.id], heard[room.cleo.id], heard[EVERYBODY]) > 15
    told = {card for piece in tap.pieces for card in piece.cards}
    assert len(told) > 30, "the test sees cards where they may be shown"
    for piece in tap.pieces:
        for picture in piece.pictures:
            assert re.fullmatch(r"[a-z-]+\.png", picture.filename)
    assert list(named(logged.getvalue())) == []
    assert "acted" in logged.getvalue()
    everything = b"".join(room.everything_sent()) + logged.getvalue().encode()
    assert secret not in everything
    assert secret.hex().encode() not in everything


def promised_secret(room: Room) -> bytes:
    """The secret from which the shuffles of the only match follow, as the database keeps it."""
    with closing(sqlite3.connect(room.database)) as database:
        (secret,) = database.execute("SELECT secret FROM promises").fetchone()
    return bytes.fromhex(secret) if isinstance(secret, str) else bytes(secret)


# ------------------------------------------------------------------ the same with other cards


ADAS = "5S 6S TD TH TS 7C 8D KH QH 4C"
BENS = "2S 3S 4S 9H 9D 9C JC QC KC 5D"


@asynccontextmanager
async def opened(database: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Room]:
    for patience in ("ANSWER_WITHIN", "OPEN_FORM_WITHIN"):
        monkeypatch.setattr(bot.front.serving, patience, timedelta(seconds=30))
    async with Playground() as playground:
        playground.rates.enabled = False
        playground.world.limits.answer_seconds = 60
        room = Room(playground, database, rigged(monkeypatch))
        await room.start()
        try:
            yield room
        finally:
            await room.stop()


async def played(room: Room, *, bens: str, adas: str, stock: str) -> dict[str, Counter[str]]:
    """What Ada, Ben and everybody got to see of a hand, with every file's bytes.

    The open part is the same in each: Ben passes, Ada passes, Ben discards 5♦, Ada 4♣, Ben K♣.
    """
    tap = Wiretap(room)
    room.decks.cut("KD", "7H")
    room.decks.deal(non_dealer=bens, dealer=adas, starter="2D", stock=stock)
    await room.begin()
    ada, ben = ByTyping(room, room.ada, room.ada), ByTyping(room, room.ben, room.ben)
    await ben.refuse()
    await ada.refuse()
    for player, card in ((ben, "5D"), (ada, "4C"), (ben, "KC")):
        await player.draw("stock")
        await nosy_about_open_things(room)
        await player.discard(card)
    seen: dict[str, Counter[str]] = {"ada": Counter(), "ben": Counter(), "everybody": Counter()}
    whose = {room.ada.id: "ada", room.ben.id: "ben", EVERYBODY: "everybody"}
    for piece in tap.pieces:
        if piece.audience in whose:
            files = [f"{file.filename} {hash(file.content)}" for file in piece.pictures]
            seen[whose[piece.audience]][f"{same_but_for_names(piece.request)} {files}"] += 1
    return seen


async def nosy_about_open_things(room: Room) -> None:
    table = await room.cleo.panel("My hand", room.table)
    for person in (room.ada, room.ben, room.cleo):
        await person.press(table, "My hand")
        await person.slash(room.table, "gin status")
        for command, option in (("discard", "card"), ("knock", "discard"), ("layoff", "cards")):
            await person.autocomplete(room.table, f"gin {command}", focused=option)


async def test_fault_26_what_one_sees_is_the_same_whatever_the_others_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fault 26: other cards in hidden places change no byte, no file and no suggestion."""
    worlds = (
        {"bens": BENS, "adas": ADAS, "stock": "8H KS 7D"},
        # Ben's hand and what he draws are others; 5♦ and K♣, which he discards, stay.
        {"bens": "AS AH AD 6C 6H 9S JD QS KC 5D", "adas": ADAS, "stock": "8C KS TC"},
        # Ada's are others; 4♣ stays.
        {"bens": BENS, "adas": "AS AH AD 6C 6H 9S JD QS KS 4C", "stock": "8H TH 7D"},
    )
    seen = []
    for number, world in enumerate(worlds):
        async with opened(tmp_path / f"{number}.db", monkeypatch) as room:
            seen.append(await played(room, **world))
    plain, other_ben, other_ada = seen
    assert plain["everybody"] == other_ben["everybody"] == other_ada["everybody"]
    assert plain["ada"] == other_ben["ada"]
    assert plain["ben"] == other_ada["ben"]
    assert plain["ada"] != other_ada["ada"], "one's own cards do make a difference"
    assert plain["ben"] != other_ben["ben"]
    assert sum(plain["everybody"].values()) > 8


# ------------------------------------------------------------------ pictures


@pytest.mark.usefixtures("unhurried")
async def test_fault_26_pictures_are_drawn_from_the_readers_own_view(room: Room) -> None:
    """Fault 26: each picture that stands anywhere is what its reader's view gives, to the byte."""
    lay_the_decks(room.decks)
    await room.begin(target=50)
    compared = Counter[str]()

    async def compare() -> None:
        assert room.bot is not None
        house = room.bot.house
        table = await house.tables.load(MatchId(1))
        assert table is not None
        for seat in (None, Seat.A, Seat.B):
            shown = await house.shown(table, seat)
            kind = ShownKind.TABLE if seat is None else ShownKind.HAND
            async with house.store.reading() as tx:
                row = await tx.shown.get(table.id, TABLE_SEAT if seat is None else seat, kind)
            assert row is not None
            message = room.world.find_message(row.message_id)
            assert message is not None
            if row.version == table.head:
                there = {file.filename: file.content for file in message.attachments}
                if "knock.png" in there:
                    assert list(there) == ["knock.png"]
                    assert there["knock.png"] in [
                        picture.render() for picture in knock_pictures(shown)
                    ]
                else:
                    page = table_page(shown) if seat is None else panel_page(shown)
                    assert there == await rendered(page)
                compared.update(there.keys())

    class Watched(ByButtons):
        async def done(self, answer: Answer) -> Answer:
            answer = await super().done(answer)
            await compare()
            return answer

    ada, ben = Watched(room, room.ada), Watched(room, room.ben)
    await first_hand(ada, ben)
    await second_hand(ada, ben)
    await third_hand(ada, ben)
    assert compared["hand.png"] > 15
    assert compared["table.png"] > 15
    assert compared["showdown.png"] > 2


def knock_pictures(shown: MatchShown) -> Iterator[Picture]:
    """Each knock that this viewer could have on his screen, its melds in whatever order."""
    for shed in choices.knocks(shown.view):
        for melds in permutations(shed.arrangement.melds):
            way = replace(shed, arrangement=replace(shed.arrangement, melds=melds))
            yield knock_picture(shown, way)


async def rendered(page: Page) -> dict[str, bytes]:
    return {picture.name: await asyncio.to_thread(picture.render) for picture in page.pictures}


# ------------------------------------------------------------------ faults


@pytest.mark.usefixtures("unhurried")
async def test_fault_26_a_database_that_fails_gives_no_card_to_the_log_or_the_player(
    room: Room, logged: io.StringIO
) -> None:
    """Fault 26: the refused statement holds the next deal's whole deck; the log must not."""
    lay_the_first_deck(room.decks)
    await room.begin()
    ada, ben = ByButtons(room, room.ada), ByButtons(room, room.ben)
    await ben.refuse()
    await ada.refuse()
    await ben.draw("stock")
    await ben.knock("8H")
    with closing(sqlite3.connect(room.database)) as database, database:
        database.execute(
            "CREATE TRIGGER stop BEFORE INSERT ON entries "
            "BEGIN SELECT RAISE(ABORT, 'this disk is tired'); END"
        )
    async with room.unchanged():
        answer = await room.ada.slash(room.table, "gin layoff")
    assert "Something went wrong on our side, and nothing was lost." in answer.text
    reference = re.search(r"`([0-9a-f]{6})`", answer.text)
    assert reference is not None
    assert reference[1] in logged.getvalue(), "the host finds the fault by the reference"
    assert "this disk is tired" in logged.getvalue()
    assert list(named(logged.getvalue())) == []
    assert not re.search(r"(?:[A2-9TJQK][SHDC]){5}", logged.getvalue())
    with closing(sqlite3.connect(room.database)) as database, database:
        database.execute("DROP TRIGGER stop")
    await ada.lay_off()
    assert len((await room.match()).results) == 1


def test_the_wiretap_finds_cards_in_every_form() -> None:
    told = {
        "content": "7♥ and 10♦, the ace of spades · 'QC'",
        "value": "kd 9h10s",
        "components": [{"label": "Take 2♣"}, {"options": [{"value": "3S"}]}],
    }
    assert set(named(told)) == set(map(Card.parse, ["7H", "TD", "AS", "QC", "KD", "2C", "3S"]))
