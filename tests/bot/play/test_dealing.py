"""Dealing: decks follow from the promised secret and the words, and nothing else is drawn.

What they should be is worked out here a second time with hashlib alone, from docs/fair-shuffle.md.
"""

from __future__ import annotations

import doctest
import hashlib
import re
import secrets
from collections.abc import AsyncIterator, Iterator, Sequence
from hashlib import sha256
from pathlib import Path

import pytest

import bot.play.dealing
from bot.play.dealing import Dealer, contributions, cut_cards, hand_deck, new_secret
from db.ids import ChallengeId, MatchId, PersonId
from db.rows import NewMatch, WordRow
from db.store import Store
from gin import format_cards
from gin.fair import Contribution
from tests.db.house import ANN, BOB, CAT, CLUB, LOUNGE, NOW, a_challenge

PAPER = Path(__file__).parents[3] / "docs" / "fair-shuffle.md"
SECRET = sha256(b"a secret of this test").digest()


def hmac(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA-256 after RFC 2104, without the module of that name."""
    key = key.ljust(64, b"\0")
    inner = sha256(bytes(one ^ 0x36 for one in key) + message).digest()
    return sha256(bytes(one ^ 0x5C for one in key) + inner).digest()


def seed_from(secret: bytes, words: Sequence[tuple[int, str]]) -> bytes:
    message = b"ginhouse-shuffle-1"
    for by, word in words:
        for text in (str(by).encode(), word.encode()):
            message += len(text).to_bytes(4, "big") + text
    return hmac(secret, message)


def draws(key: bytes) -> Iterator[int]:
    for block in range(1000):
        stream = hmac(key, block.to_bytes(8, "big"))
        yield from (int.from_bytes(stream[at : at + 4], "big") for at in range(0, 32, 4))


def deck_from(seed: bytes, label: str) -> str:
    """The 52 cards as the house writes them, in their order."""
    stream = draws(hmac(seed, label.encode()))
    deck = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]
    for place in range(51, 0, -1):
        size = place + 1
        number = next(draw for draw in stream if draw < 2**32 - 2**32 % size) % size
        deck[place], deck[number] = deck[number], deck[place]
    return " ".join(deck)


def blocks_of_the_paper(language: str) -> list[str]:
    """The blocks of one language in docs/fair-shuffle.md."""
    fenced = re.compile(rf"^ *```{language}\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
    return fenced.findall(PAPER.read_text("utf-8"))


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'house.db'}")
    yield opened
    await opened.close()


async def challenged(store: Store, *opponents: PersonId) -> ChallengeId:
    """A challenge by Ann with a promise, without words so far."""
    async with store.transaction() as tx:
        made = await tx.challenges.create(a_challenge(ANN, *(opponents or (BOB,))))
        await tx.promises.make(made, SECRET, sha256(SECRET).hexdigest())
    return made


def test_a_secret_is_32_fresh_bytes_of_the_operating_systems_and_its_sha256_is_published(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int | None] = []

    def system(size: int | None = None) -> bytes:
        asked.append(size)
        return SECRET

    first, second = new_secret(), new_secret()
    assert first[0] != second[0]
    assert {len(first[0]), len(second[0])} == {32}
    assert first[1] == hashlib.sha256(first[0]).hexdigest()
    monkeypatch.setattr(secrets, "token_bytes", system)
    assert new_secret() == (SECRET, sha256(SECRET).hexdigest())
    assert asked == [32]


def test_contributions_stand_in_the_order_in_which_people_sat_down() -> None:
    words = {
        BOB: WordRow(BOB, "pelican", is_own=True),
        ANN: WordRow(ANN, "interaction 17", is_own=False),
    }
    assert contributions((ANN, BOB, CAT), words) == (
        Contribution(str(ANN), "interaction 17"),
        Contribution(str(BOB), "pelican"),
        Contribution(str(CAT), ""),
    )


def test_decks_are_those_of_a_second_implementation() -> None:
    seed = seed_from(SECRET, [(ANN, "interaction 17"), (BOB, "pelican 🃏")])
    for number in (1, 2, 10, 99):
        assert format_cards(hand_deck(seed, number)) == deck_from(seed, f"hand {number}")


def test_the_cut_comes_from_the_top_of_a_deck_of_its_own() -> None:
    settled_later = 0
    for number in range(40):
        seed = sha256(bytes([number])).digest()
        first, second, *rest = deck_from(seed, "cut").split()
        cut = format_cards(cut_cards(seed, 2)).split()
        assert cut[:2] == [first, second]
        assert (len(cut) == 2) is (first[0] != second[0])
        assert cut[2:] == rest[: len(cut) - 2]
        settled_later += len(cut) > 2
        three = format_cards(cut_cards(seed, 3)).split()
        assert three == deck_from(seed, "cut").split()[: len(three)]
    assert settled_later, "among forty cuts some are level (the chance is 1 in 17)"


async def test_the_seed_of_a_challenge_follows_from_its_promise_and_the_words_in_it(
    store: Store,
) -> None:
    dealer = Dealer()
    two, three = await challenged(store), await second_challenge(store)
    async with store.transaction() as tx:
        await tx.promises.put_word(two, WordRow(BOB, "pelican", is_own=True))
        await tx.promises.put_word(two, WordRow(ANN, "interaction 17", is_own=False))
        await tx.promises.put_word(three, WordRow(BOB, "b", is_own=True))
    async with store.reading() as tx:
        assert await dealer.of_challenge(tx, two) == seed_from(
            SECRET, [(ANN, "interaction 17"), (BOB, "pelican")]
        )
        # The challenger first, then the challenged as he named them: Cat before Bob.
        assert await dealer.of_challenge(tx, three) == seed_from(
            bytes(32), [(ANN, ""), (CAT, ""), (BOB, "b")]
        )


async def second_challenge(store: Store) -> ChallengeId:
    async with store.transaction() as tx:
        made = await tx.challenges.create(a_challenge(ANN, CAT, BOB))
        await tx.promises.make(made, bytes(32), sha256(bytes(32)).hexdigest())
    return made


async def test_without_a_promise_there_is_no_seed(store: Store) -> None:
    dealer = Dealer()
    async with store.transaction() as tx:
        without = await tx.challenges.create(a_challenge())
        match = await tx.matches.create(NewMatch(CLUB, LOUNGE, "rules", (ANN, BOB), NOW))
    async with store.reading() as tx:
        assert await dealer.of_challenge(tx, without) is None
        assert await dealer.of_challenge(tx, ChallengeId(99)) is None
        assert await dealer.of_match(tx, match, None) is None
        assert await dealer.of_match(tx, match, without) is None


async def test_a_match_keeps_its_seed_also_after_a_restart(store: Store) -> None:
    challenge = await challenged(store)
    async with store.transaction() as tx:
        await tx.promises.put_word(challenge, WordRow(ANN, "a", is_own=True))
        await tx.promises.put_word(challenge, WordRow(BOB, "b", is_own=True))
        match = await tx.matches.create(
            NewMatch(CLUB, LOUNGE, "rules", (ANN, BOB), NOW, challenge_id=challenge)
        )
    expected = seed_from(SECRET, [(ANN, "a"), (BOB, "b")])
    before, after = Dealer(), Dealer()
    async with store.reading() as tx:
        for dealer in (before, before, after):
            assert await dealer.of_match(tx, match, challenge) == expected


async def test_only_so_many_seeds_are_kept_in_memory(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot.play.dealing, "KEPT_IN_MEMORY", 3)
    dealer = Dealer()
    challenge = await challenged(store)
    async with store.reading() as tx:
        seeds = {await dealer.of_match(tx, MatchId(number), challenge) for number in range(1, 9)}
        assert len(seeds) == 1
        assert len(dealer._seeds) == 3
        assert await dealer.of_match(tx, MatchId(1), challenge) in seeds


def test_the_paper_has_a_check_of_thirty_lines_and_examples_that_run() -> None:
    """The thirty lines are run in tests/e2e/test_fair_shuffle.py, on a record of the bot's."""
    languages = re.findall(r"^ *```(\w+)$", PAPER.read_text("utf-8"), re.MULTILINE)
    assert sorted(set(languages)) == ["console", "pycon", "python"]
    (check,) = blocks_of_the_paper("python")
    assert len([line for line in check.splitlines() if line.strip()]) <= 30
    assert "gin" not in re.findall(r"\w+", check.split("\n\n", 1)[0]), "no code of ours"
    examples = doctest.testfile(str(PAPER), module_relative=False)
    assert (examples.failed, examples.attempted > 5) == (0, True)
    (console,) = blocks_of_the_paper("console")
    assert console.strip() == "$ python -m gin verify ginhouse-17.json"
