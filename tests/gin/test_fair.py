"""The verifiable shuffle, against a second implementation and against tampering."""

from __future__ import annotations

import hashlib
import hmac
import io
import json
import random
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from gin.cards import DECK, Card
from gin.fair import (
    Contribution,
    MalformedProof,
    commitment_of,
    cut_of,
    deck_of,
    hand_key,
    seed_of,
)
from gin.proof import DealtHand, Proof, check, parse_proof, report

SECRET = bytes(range(32))
WORDS = (Contribution("1", "interaction 17"), Contribution("2", "pelican 🃏"))


def second_deck(secret: bytes, words: list[tuple[str, str]], label: str) -> list[str]:
    """The same shuffle written a second time, from docs/fair-shuffle.md, with nothing of gin."""
    message = b"ginhouse-shuffle-1"
    for by, word in words:
        for text in (by, word):
            message += len(text.encode()).to_bytes(4, "big") + text.encode()
    seed = hmac.new(secret, message, hashlib.sha256).digest()
    key = hmac.new(seed, label.encode(), hashlib.sha256).digest()
    stream = io.BytesIO(
        b"".join(
            hmac.new(key, number.to_bytes(8, "big"), hashlib.sha256).digest()
            for number in range(40)
        )
    )
    deck = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]
    for place in reversed(range(1, 52)):
        while True:
            draw = int.from_bytes(stream.read(4), "big")
            if draw < 2**32 - 2**32 % (place + 1):
                break
        other = draw % (place + 1)
        deck[place], deck[other] = deck[other], deck[place]
    return deck


def proof(hands: int = 3) -> Proof:
    seed = seed_of(SECRET, WORDS)
    return Proof(
        match=7,
        players=2,
        commitment=commitment_of(SECRET),
        secret=SECRET,
        contributions=WORDS,
        cut=cut_of(seed, 2),
        hands=tuple(
            DealtHand(number, deck_of(hand_key(seed, number))) for number in range(1, hands + 1)
        ),
        ended=hands,
    )


def test_the_commitment_is_the_sha256_of_the_secret() -> None:
    # sha256 of the bytes 0 to 31: a published value
    assert commitment_of(SECRET) == (
        "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    )


def test_a_secret_of_another_length_is_refused() -> None:
    with pytest.raises(MalformedProof):
        commitment_of(b"short")


def test_a_second_implementation_deals_the_same_decks() -> None:
    dice = random.Random(5)
    for _ in range(200):
        secret = dice.randbytes(32)
        words = [("1", "a" * dice.randrange(9)), ("22", "žluť" * dice.randrange(3))]
        seed = seed_of(secret, [Contribution(by, word) for by, word in words])
        for number in (1, 2, 30):
            deck = deck_of(hand_key(seed, number))
            assert [str(card) for card in deck] == second_deck(secret, words, f"hand {number}")


def test_every_deck_holds_each_card_once() -> None:
    for number in range(500):
        assert sorted(deck_of(number.to_bytes(32, "big"))) == list(DECK)


def test_a_players_word_changes_every_deck() -> None:
    other = (WORDS[0], Contribution("2", "pelican"))
    for number in range(1, 6):
        one = deck_of(hand_key(seed_of(SECRET, WORDS), number))
        assert deck_of(hand_key(seed_of(SECRET, other), number)) != one


def test_words_cannot_be_shifted_from_one_player_to_the_other() -> None:
    one = seed_of(SECRET, [Contribution("1", "ab"), Contribution("2", "c")])
    assert seed_of(SECRET, [Contribution("1", "a"), Contribution("2", "bc")]) != one
    assert seed_of(SECRET, [Contribution("1", "abc"), Contribution("2", "")]) != one


def test_an_honest_record_holds_and_reads_back_equal() -> None:
    record = proof()
    assert parse_proof(record.dump()) == record
    assert all(finding.holds for finding in check(record))


def test_the_record_says_which_hand_and_which_card_differ() -> None:
    record = proof()
    deck = list(record.hands[1].deck)
    deck[16], deck[30] = deck[30], deck[16]
    right = record.hands[1].deck
    tampered = replace(record, hands=(record.hands[0], DealtHand(2, tuple(deck)), record.hands[2]))
    wrong = [finding.says for finding in check(tampered) if not finding.holds]
    assert wrong == [f"hand 2: card 17 of the deck was {right[30]}, and {right[16]} follows"]


def test_one_card_that_was_altered_is_named_though_it_stands_twice_then() -> None:
    written = json.loads(proof().dump())
    cards = written["hands"][1]["deck"].split()
    right = cards[16]
    cards[16] = cards[30]
    written["hands"][1]["deck"] = " ".join(cards)
    wrong = [found.says for found in check(parse_proof(json.dumps(written))) if not found.holds]
    assert wrong == [f"hand 2: card 17 of the deck was {cards[30]}, and {right} follows"]


def test_what_is_no_card_is_named_with_its_hand_and_place() -> None:
    written = json.loads(proof().dump())
    cards = written["hands"][2]["deck"].split()
    cards[51] = "8X"
    written["hands"][2]["deck"] = " ".join(cards)
    with pytest.raises(MalformedProof, match=r"^hand 3, card 52 of the deck: .*8X"):
        parse_proof(json.dumps(written))


def test_a_record_without_hands_says_that_no_deck_was_checked() -> None:
    holds, lines = report(replace(proof(), hands=()))
    assert holds
    assert any("no deck was checked" in line for line in lines)
    assert "everything follows" not in lines[-1].lower()
    assert not any("no deck was checked" in line for line in report(proof())[1])


def test_a_record_that_leaves_hands_out_says_which() -> None:
    record = proof(3)
    holds, lines = report(replace(record, hands=(record.hands[0], record.hands[2])))
    assert holds
    assert "none  missing from the record: hand 2" in lines
    assert lines[-1] == "All that the record holds follows, but not every hand is in it."
    last = replace(record.hands[0], number=2**62)
    many = report(replace(record, hands=(last,)))[1]
    assert many[-2] == (
        "none  missing from the record: hand 1, hand 2, hand 3, hand 4, hand 5 and "
        f"{2**62 - 6} more"
    )
    assert not any("missing" in line for line in report(record)[1])


@pytest.mark.parametrize(("kept", "missing"), [(4, "hand 5"), (2, "hand 3, hand 4, hand 5")])
def test_a_record_without_its_last_hands_says_so(kept: int, missing: str) -> None:
    record = proof(5)
    short = parse_proof(replace(record, hands=record.hands[:kept]).dump())
    holds, lines = report(short)
    assert holds
    assert f"none  missing from the record: {missing}" in lines
    assert lines[-1] == "All that the record holds follows, but not every hand is in it."


def test_an_older_record_is_read_as_before_and_says_what_it_cannot_tell() -> None:
    older = replace(proof(), ended=None)
    assert "ended" not in older.dump()
    assert parse_proof(older.dump()) == older
    holds, lines = report(older)
    assert holds
    assert lines[-1].startswith("Everything follows in each hand that the record holds; ")
    assert not any("missing" in line for line in lines)


def test_a_record_of_a_running_match_that_lacks_an_ended_hand_says_so() -> None:
    seed = seed_of(SECRET, WORDS)
    hands = tuple(replace(one, key=hand_key(seed, one.number)) for one in proof().hands)
    running = replace(proof(), secret=None, hands=hands)
    assert report(running)[1][-1].startswith("So far as can be told before the secret is known")
    lines = report(replace(running, hands=hands[:2]))[1]
    assert "none  missing from the record: hand 3" in lines
    assert lines[-1] == "All that the record holds follows, but not every hand is in it."


@pytest.mark.parametrize("what", ["secret", "word", "cut"])
def test_a_record_with_another_secret_word_or_cut_does_not_hold(what: str) -> None:
    record = proof()
    if what == "secret":
        record = replace(record, secret=bytes(32))
    elif what == "word":
        record = replace(record, contributions=(WORDS[0], Contribution("2", "pelican")))
    else:
        record = replace(record, cut=(Card.parse("AS"), Card.parse("KS")))
    holds, lines = report(record)
    assert not holds
    assert any(line.startswith("WRONG") for line in lines)


def test_a_running_match_is_checked_by_the_keys_of_its_ended_hands() -> None:
    seed = seed_of(SECRET, WORDS)
    key = hand_key(seed, 1)
    record = replace(proof(1), secret=None, hands=(DealtHand(1, deck_of(key), key),))
    holds, lines = report(record)
    assert holds
    assert [line[:5] for line in lines if "secret is revealed" in line] == ["later"]
    assert lines[-1].startswith("So far as can be told before the secret is known")
    assert "secret" not in json.dumps(json.loads(record.dump())["hands"])
    wrong = replace(record, hands=(DealtHand(1, deck_of(hand_key(seed, 2)), key),))
    assert not report(wrong)[0]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"format": "ginhouse-shuffle-2"}',
        json.dumps({**json.loads(proof().dump()), "secret": "00"}),
        json.dumps({**json.loads(proof().dump()), "match": True}),
        json.dumps({**json.loads(proof().dump()), "ended": None}),
        json.dumps({**json.loads(proof().dump()), "cut": "7H 7H"}),
        json.dumps({**json.loads(proof().dump()), "hands": [{"number": 1, "deck": "7H"}]}),
        json.dumps({**json.loads(proof().dump()), "contributions": ["x"]}),
        "[" * 100_000,
    ],
)
def test_a_broken_record_is_refused_with_a_reason(text: str) -> None:
    with pytest.raises(MalformedProof):
        parse_proof(text)


def verify(record: str, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    path = tmp_path / "proof.json"
    path.write_text(record, encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-m", "gin", "verify", str(path)],
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_command_checks_a_file_and_ends_with_0_or_1_or_2(tmp_path: Path) -> None:
    good = verify(proof().dump(), tmp_path)
    assert (good.returncode, good.stderr) == (0, "")
    assert good.stdout.endswith("Everything follows.\n")
    bad = verify(replace(proof(), secret=bytes(32)).dump(), tmp_path)
    assert bad.returncode == 1
    broken = verify("nothing", tmp_path)
    assert (broken.returncode, broken.stdout) == (2, "")
    assert "not JSON" in broken.stderr


def test_the_library_of_the_check_needs_nothing_but_the_standard_library() -> None:
    code = "import sys; import gin.proof; print(sorted({n.split('.')[0] for n in sys.modules}))"
    run = subprocess.run(
        [sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True
    )
    loaded = set(json.loads(run.stdout.replace("'", '"')))
    assert loaded - set(sys.stdlib_module_names) <= {"gin", "__main__", "_distutils_hack"}


def spread(decks: int) -> tuple[float, float]:
    """Chi-square of cards in places, and of ordered neighbours, over so many decks."""
    places: Counter[tuple[int, int]] = Counter()
    neighbours: Counter[tuple[int, int]] = Counter()
    for number in range(decks):
        deck = deck_of(hashlib.sha256(number.to_bytes(8, "big")).digest())
        places.update(enumerate(map(int, deck)))
        neighbours.update(zip(map(int, deck), map(int, deck[1:]), strict=False))
    even = decks / 52
    every = [(one, two) for one in range(52) for two in range(52)]
    of_places = sum((places[both] - even) ** 2 / even for both in every)
    pair = decks * 51 / (52 * 51)
    of_pairs = sum((neighbours[both] - pair) ** 2 / pair for both in every if both[0] != both[1])
    return of_places, of_pairs


def expect_even(of_places: float, of_pairs: float) -> None:
    """Both within five standard deviations of what even shuffles give.

    52 x 52 counts with fixed rows and columns have 51 x 51 = 2601 degrees of freedom; the 52 x 51
    ordered pairs have 52 x 51 - 1 = 2651 (their sums by card are tied only loosely, so the bound
    is on the far side of that).
    """
    for value, freedom in ((of_places, 2601), (of_pairs, 2651)):
        assert abs(value - freedom) < 5 * (2 * freedom) ** 0.5 + 60, (value, freedom)


def test_cards_fall_evenly_over_places_and_neighbours_in_a_few_thousand_decks() -> None:
    expect_even(*spread(4_000))


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_cards_fall_evenly_over_places_and_neighbours_in_a_million_decks() -> None:
    expect_even(*spread(1_000_000))
