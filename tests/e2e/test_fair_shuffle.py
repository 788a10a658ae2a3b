"""The promised shuffle from end to end, dealt by the house and checked by others (fault 40).

Nothing is rigged in these tests. What should come is worked out by the second implementation in
tests/bot/test_dealing.py, by `python -m gin verify`, and by the thirty lines in the paper.
"""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
import logging
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import structlog

import bot.logs
import bot.play.challenges
import bot.play.patience
from bot.settings import LogLevel
from bot.ui.controls import Control, Verb
from db.ids import ChallengeId, PersonId
from playground.acting.people import Answer, Person, select_options, text_of
from playground.server import Playground
from tests.accepted import refused_by_discord
from tests.bot.play.test_dealing import blocks_of_the_paper, deck_from, hmac, seed_from
from tests.e2e import laid
from tests.e2e.acting import resigns
from tests.e2e.laid import hurry, press, table_of
from tests.e2e.room import Decks, Room, real_decks

unhurried = laid.unhurried

ROOT = Path(__file__).parents[2]
FINGERPRINT = re.compile(r"`([0-9a-f]{64})`")


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    """A card room whose decks are the house's own."""
    async with Playground() as playground:
        made = Room(playground, tmp_path / "ginhouse.db", Decks(real_decks()))
        await made.start()
        try:
            yield made
        finally:
            await made.stop()
            assert refused_by_discord(playground.sent) == []


@pytest.fixture
def logged(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """What the program logs at its most talkative."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    written = io.StringIO()
    monkeypatch.setattr("sys.stderr", written)
    bot.logs.set_up(LogLevel.DEBUG)
    yield written
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


async def challenged(
    room: Room, opponent: Person | None = None, house: str | None = None
) -> tuple[Answer, str]:
    """Ada's challenge of Ben (or another), and the fingerprint that stands on it."""
    asked = await room.ada.slash(
        room.table, "gin challenge", opponent=opponent or room.ben, house=house
    )
    found = FINGERPRINT.search(asked.text)
    assert found is not None, asked.text
    return asked, found[1]


async def types_a_word(room: Room, person: Person, on: Answer, label: str, word: str) -> Answer:
    """Press a button that opens the form for a word, and type the word there."""
    form = await person.press(on, label)
    answer = await person.submit(form, word)
    await room.settled()
    return answer


async def secret_of(room: Room, challenge: int = 1) -> bytes:
    """The secret as the database keeps it: what nobody else may know."""
    assert room.store is not None
    async with room.store.reading() as tx:
        promise = await tx.promises.get(ChallengeId(challenge))
    assert promise is not None
    return promise.secret


async def verified(room: Room, person: Person, match: int = 1) -> tuple[str, dict[str, Any]]:
    """What `/gin verify` says, and the record that comes with it (any JSON)."""
    answer = await person.slash(room.table, "gin verify", match=str(match))
    assert answer.ephemeral
    assert answer.message is not None
    (file,) = answer.message.attachments
    assert file.filename == f"ginhouse-{match}.json"
    return answer.text, json.loads(file.content)


async def decks_dealt(room: Room, match: int = 1) -> list[str]:
    """The decks in the log, in order."""
    deals = [line.split()[1] for line in await room.log(match) if line.startswith("deal ")]
    return [" ".join(deck[at : at + 2] for at in range(0, 104, 2)) for deck in deals]


async def play_until_void(room: Room) -> None:
    """Draw and lay away until the hand is void and the next one is dealt."""
    number = len((await room.match()).results)
    await hurry(room, lambda match: len(match.results) > number)


def expected_decks(secret: bytes, words: list[tuple[int, str]], hands: int) -> list[str]:
    seed = seed_from(secret, words)
    return [deck_from(seed, f"hand {number}") for number in range(1, hands + 1)]


def checked(record: dict[str, Any], folder: Path) -> subprocess.CompletedProcess[str]:
    """What `python -m gin verify` says of a record."""
    file = folder / "ginhouse-1.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-m", "gin", "verify", str(file)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        env={"PYTHONIOENCODING": "utf-8"},
    )


def checked_by_the_paper(record: dict[str, Any], folder: Path) -> subprocess.CompletedProcess[str]:
    """What the thirty lines in the paper say, run where there is no code of ours."""
    script = folder / "check.py"
    script.write_text(blocks_of_the_paper("python")[0], encoding="utf-8")
    file = folder / "record.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-I", script.name, file.name],
        capture_output=True,
        text=True,
        cwd=folder,
        check=False,
    )


async def test_the_deck_of_every_hand_follows_from_what_was_promised_and_typed(
    room: Room, tmp_path: Path
) -> None:
    """A match of three hands, two of them void by a draw cap of 30; Ada resigns from the third."""
    await room.ada.slash(room.table, "gin-admin house-set", option="draw_cap", value="30")
    asked, fingerprint = await challenged(room, house="house")
    added = await types_a_word(room, room.ada, asked, "Add my word…", "  pelican 🃏 *and* `co` ")
    assert "Word added by Ada" in asked.text
    assert "pelican" not in added.text, "a word is shown when nothing can be added any more"
    await types_a_word(room, room.ben, asked, "Accept with a word…", "Straße")
    words = [(room.ada.id, "pelican 🃏 *and* `co`"), (room.ben.id, "Straße")]
    for shown in ("pelican 🃏", "Straße", fingerprint):
        assert shown in asked.text

    await play_until_void(room)
    await play_until_void(room)
    said, record = await verified(room, room.cleo)
    assert record["secret"] is None
    assert [hand["number"] for hand in record["hands"]] == [1, 2]
    assert "revealed when the match is over" in said
    running = await asyncio.to_thread(checked, record, tmp_path)
    assert running.returncode == 0, running.stdout
    assert "hand 2: all 52 cards" in running.stdout

    await resigns(room.ada, room.table)
    await room.settled()
    said, record = await verified(room, room.ben)
    secret = bytes.fromhex(record["secret"])
    assert hashlib.sha256(secret).hexdigest() == fingerprint == record["commitment"]
    assert [(int(one["by"]), one["word"]) for one in record["contributions"]] == words
    dealt = expected_decks(secret, words, 3)
    assert await decks_dealt(room) == dealt
    assert [hand["deck"] for hand in record["hands"]] == dealt
    cut = deck_from(seed_from(secret, words), "cut").split()
    assert record["cut"].split() == cut[: len(record["cut"].split())]
    assert (await room.log())[0] == f"cut {record['cut']}"
    assert "everything follows" in said

    whole = await asyncio.to_thread(checked, record, tmp_path)
    assert whole.returncode == 0, whole.stdout + whole.stderr
    assert "Everything follows." in whole.stdout
    theirs = await asyncio.to_thread(checked_by_the_paper, record, tmp_path)
    assert (theirs.returncode, theirs.stdout) == (0, "everything follows: 3 hands\n"), theirs.stderr
    await a_tampered_record_is_found_out(record, tmp_path)


async def a_tampered_record_is_found_out(record: dict[str, Any], folder: Path) -> None:
    """Two cards of hand 2 exchanged, another word, another secret: each is named."""
    cards = record["hands"][1]["deck"].split()
    cards[6], cards[30] = cards[30], cards[6]
    hands = [dict(hand) for hand in record["hands"]]
    hands[1]["deck"] = " ".join(cards)
    exchanged = {**record, "hands": hands}
    other_word = {
        **record,
        "contributions": [record["contributions"][0], {"by": "1", "word": "another"}],
    }
    other_secret = {**record, "secret": "00" * 32}
    for tampered, names in (
        (exchanged, f"WRONG hand 2: card 7 of the deck was {cards[6]}, and {cards[30]} follows"),
        (other_word, "WRONG hand 1: card 1 "),
        (other_secret, "WRONG the secret is not the one that was committed to"),
    ):
        found = await asyncio.to_thread(checked, tampered, folder)
        assert found.returncode == 1
        assert names.split(" card 1 ")[0] in found.stdout
        assert "This record does not hold." in found.stdout
        theirs = await asyncio.to_thread(checked_by_the_paper, tampered, folder)
        assert theirs.returncode == 1
        assert "AssertionError" in theirs.stderr


async def test_nothing_that_leaves_the_house_tells_the_secret_or_a_hand_to_come(
    room: Room, logged: io.StringIO
) -> None:
    """Every byte sent and every line logged, until the match is over."""
    await room.ada.slash(room.table, "gin-admin house-set", option="draw_cap", value="30")
    asked, _fingerprint = await challenged(room, house="house")
    await types_a_word(room, room.ben, asked, "Accept with a word…", "pelican")
    await play_until_void(room)
    for person in (room.ada, room.ben, room.cleo):
        for command in ("verify", "sheet", "status", "rules"):
            await person.slash(room.table, f"gin {command}", match="1")
        await person.autocomplete(room.table, "gin verify", focused="match")
    await room.restart()
    secret = await secret_of(room)
    assert room.store is not None
    async with room.store.reading() as tx:
        mixed_in = await tx.promises.words(ChallengeId(1))
    people = (room.ada.id, room.ben.id)
    words = [(person, mixed_in[PersonId(person)].word) for person in people]
    seed = seed_from(secret, words)
    hidden = [secret, seed, *(hmac(seed, label) for label in (b"cut", b"hand 2", b"hand 3"))]
    second = (await decks_dealt(room))[1]
    assert second == deck_from(seed, "hand 2")
    stock = second[21 * 3 :]

    sent = b"".join(room.everything_sent())
    said = logged.getvalue()
    assert "acted" in said
    for one in hidden:
        for form in (one.hex(), one.hex().upper(), repr(one)):
            assert form.encode() not in sent
            assert form not in said
        assert one not in sent
    for form in (stock, stock.replace(" ", "")):
        assert form.encode() not in sent
        assert form not in said
    assert hmac(seed, b"hand 1").hex().encode() in sent, (
        "the key of the hand that has ended is told"
    )
    await resigns(room.ada, room.table)
    await room.settled()
    await verified(room, room.ada)
    assert secret.hex().encode() in b"".join(room.everything_sent())


async def test_who_types_no_word_adds_the_number_of_his_interaction(room: Room) -> None:
    """Three players, so that seats (by the cut) and contributions (as challenged) differ."""
    asked = await room.ada.slash(room.table, "gin challenge", opponent=room.ben, third=room.cleo)
    by_cleo = await press(room, room.cleo, asked, "Accept")
    by_ben = await room.ben.slash(room.table, "gin respond", answer="accept")
    await room.settled()
    words = [
        (room.ada.id, f"interaction {asked.interaction.id}"),
        (room.ben.id, f"interaction {by_ben.interaction.id}"),
        (room.cleo.id, f"interaction {by_cleo.interaction.id}"),
    ]
    positions = [asked.text.index(word) for _by, word in words]
    assert positions == sorted(positions), "shown on the challenge, however it was accepted"
    assert await decks_dealt(room) == expected_decks(await secret_of(room), words, 1)
    said, record = await verified(room, room.ada)
    assert [(int(one["by"]), one["word"]) for one in record["contributions"]] == words
    assert record["players"] == 3
    assert "Nobody typed a word" in said


async def test_what_was_added_is_shown_before_any_card(room: Room) -> None:
    asked, _fingerprint = await challenged(room)
    room.playground.sent.clear()
    await types_a_word(room, room.ben, asked, "Accept with a word…", "pelican")
    said = [repr(request.body) for request in room.playground.sent]
    told = next(place for place, body in enumerate(said) if "pelican" in body)
    cards = [place for place, body in enumerate(said) if re.search(r"[2-9AJQK][♠♥♦♣]", body)]
    assert cards
    assert told < min(cards)
    assert "pelican" in text_of(asked.message)


async def test_words_are_the_players_own_until_the_challenge_is_accepted(room: Room) -> None:
    asked, _fingerprint = await challenged(room)
    assert asked.message is not None
    dmitri = Person.of(room.playground, "dmitri")
    for label in ("Add my word…", "Accept with a word…"):
        assert "for somebody else" in (await press(room, dmitri, asked, label)).text
    for verb in (Verb.WORD_TYPED, Verb.ACCEPT_TYPED):
        forged = await dmitri.forge_submit(room.table, Control(verb, 1).encode(), {"word": "mine"})
        await room.settled()
        assert "Only the players" in forged.text or "for somebody else" in forged.text
    empty = await types_a_word(room, room.ben, asked, "Add my word…", "   ")
    assert "Type any word you like" in empty.text
    assert "added by" not in asked.text

    await types_a_word(room, room.ada, asked, "Add my word…", "first")
    await types_a_word(room, room.ada, asked, "Add my word…", "second")
    await types_a_word(room, room.ben, asked, "Add my word…", "Ben's @everyone")
    assert "Words added by Ada and Ben" in asked.text
    opened_before = await room.ada.press(asked, "Add my word…")
    await press(room, room.ben, asked, "Accept")
    words = [(room.ada.id, "second"), (room.ben.id, "Ben's @everyone")]
    assert await decks_dealt(room) == expected_decks(await secret_of(room), words, 1)
    assert "@everyone" not in asked.text, "what people type is made harmless"

    late = await room.ada.submit(opened_before, "third")
    forged = await room.ben.forge_submit(
        room.table, Control(Verb.WORD_TYPED, 1).encode(), {"word": "third"}
    )
    for answer in (late, forged):
        await room.settled()
        assert "accepted" in answer.text or "sit down to gin" in answer.text
    _said, record = await verified(room, room.ada)
    assert [one["word"] for one in record["contributions"]] == ["second", "Ben's @everyone"]


async def test_promises_that_led_to_no_match_are_listed_with_what_became_of_them(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot.play.patience, "ENOUGH", ())  # so many in a row would have to rest
    asked, declined = await challenged(room)
    await press(room, room.ben, asked, "Decline")
    asked, withdrawn = await challenged(room)
    await press(room, room.ada, asked, "Withdraw")
    assert room.bot is not None
    with monkeypatch.context() as soon:
        soon.setattr(bot.play.challenges, "OPEN_FOR", timedelta(0))
        asked, expired = await challenged(room)
        await room.bot.house.invitations.expire()
    asked, kept = await challenged(room)
    await press(room, room.ben, asked, "Accept")
    said, record = await verified(room, room.ben)
    assert record["commitment"] == kept
    listed = said[said.index("led to no match") :]
    found = re.findall(r"`([0-9a-f]{12})…` \(?(\w+)", listed)
    assert found == [
        (expired[:12], "expired"),
        (withdrawn[:12], "withdrawn"),
        (declined[:12], "declined"),
    ]
    assert len({declined, withdrawn, expired, kept}) == 4
    await resigns(room.ben, room.table)
    await room.settled()
    rematch = await press(room, room.ada, table_of(room), "Rematch")
    fresh = FINGERPRINT.search(rematch.text)
    assert fresh is not None
    assert fresh[1] not in {declined, withdrawn, expired, kept}, "a rematch has its own promise"


async def test_who_watches_several_tables_is_asked_which_one_to_verify(room: Room) -> None:
    dmitri = Person.of(room.playground, "dmitri")
    nothing = await dmitri.slash(room.table, "gin verify")
    assert "no match here" in nothing.text
    fingerprints = []
    for opponent in (room.ben, room.cleo):
        asked, fingerprint = await challenged(room, opponent)
        await press(room, opponent, asked, "Accept")
        fingerprints.append(fingerprint)
    question = await dmitri.slash(room.table, "gin verify")
    assert question.message is not None
    assert len(select_options(question.message)) == 2
    chosen = await dmitri.choose(question, "2")
    await room.settled()
    assert fingerprints[1] in chosen.text
    assert fingerprints[0] not in chosen.text
    unknown = await dmitri.slash(room.table, "gin verify", match="99")
    assert "no such match" in unknown.text
