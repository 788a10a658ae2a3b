"""The shuffle's proof in plain words: what was promised, added, what followed, how to repeat it."""

from __future__ import annotations

import pickle
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.ui.cardwords import card, cards
from bot.ui.page import AddedWord, PersonShown, UnusedPromise, VerifyShown
from bot.ui.pages import verify_page
from gin.fair import Contribution, commitment_of, cut_of, deck_of, hand_key, seed_of
from gin.proof import Checked, DealtHand, Finding, Proof, check, parse_proof
from tests.bot.ui.limits_check import check_page, official, official_errors
from tests.bot.ui.staging import ANN, AWKWARD_NAMES, BOB, text

SECRET = bytes(range(32))
WORDS = (Contribution("101", "rhubarb"), Contribution("102", "interaction 5"))
SEED = seed_of(SECRET, WORDS)
ADDED = (AddedWord(ANN, "rhubarb", True), AddedWord(BOB, "interaction 5", False))


def proof(hands: int, secret: bytes | None = SECRET) -> Proof:
    dealt = tuple(
        DealtHand(number, deck_of(hand_key(SEED, number)), hand_key(SEED, number))
        for number in range(1, hands + 1)
    )
    return Proof(17, 2, commitment_of(SECRET), secret, WORDS, cut_of(SEED, 2), dealt)


def shown(of: Proof) -> VerifyShown:
    """The match behind a record; while it runs, one more hand has been dealt than ended."""
    return VerifyShown(
        match_id=17,
        people=(ANN, BOB),
        commitment=of.commitment,
        is_over=of.secret is not None,
        contributions=ADDED,
        findings=check(of),
        hands=len(of.hands) + (of.secret is None),
        file_name="ginhouse-17.json",
        file=of.dump().encode(),
    )


def test_a_finished_match_is_told_step_by_step() -> None:
    said = text(verify_page(shown(proof(3))))
    assert "The shuffles of match 17, Ann – Bob: everything follows" in said
    assert f"`{commitment_of(SECRET)}`" in said
    assert "- Ann: “rhubarb”\n" in said
    assert "- Bob: “interaction 5”, Discord's number\n" in said
    assert "3 hands dealt." in said
    assert "✓ The secret is the one that was promised before the match.\n" in said
    assert "✓ Hands 1 to 3: all 52 cards are where they belong." in said
    assert "`python -m gin verify ginhouse-17.json`" in said


def test_the_file_goes_with_the_page_and_is_the_record() -> None:
    page = verify_page(shown(proof(3)))
    (file,) = page.pictures
    assert file.name == "ginhouse-17.json"
    assert parse_proof(file.render().decode()) == proof(3)
    assert pickle.loads(pickle.dumps(file.render))() == file.render()  # noqa: S301
    assert "attachment://ginhouse-17.json" in repr(page.layout.to_components())
    check_page(page)
    if official() is not None:
        assert official_errors(page) == []


def test_while_the_match_runs_the_secret_is_promised_for_later() -> None:
    said = text(verify_page(shown(proof(2, secret=None))))
    assert "so far" in said
    assert "The secret is revealed when the match is over" in said
    assert "3 hands dealt." in said
    assert "✓ Hands 1 to 2: all 52 cards are where they belong." in said
    assert SECRET.hex() not in said


def test_in_the_first_hand_there_is_nothing_to_check_yet() -> None:
    said = text(verify_page(shown(proof(0, secret=None))))
    assert "The first hand is being played, so there is nothing to check yet" in said
    assert "0 hands" not in said
    assert "✓" not in said


def test_many_hands_that_hold_are_told_in_one_line() -> None:
    said = text(verify_page(shown(proof(60))))
    assert "✓ Hands 1 to 60: all 52 cards are where they belong." in said
    assert "60 hands dealt." in said


def test_what_is_wrong_comes_first_and_is_counted_with_nothing_that_holds() -> None:
    good = proof(9)
    deck = list(good.hands[3].deck)
    deck[6], deck[30] = deck[30], deck[6]
    given, follows = card(deck[6]), card(deck[30])
    wrong = replace(good.hands[3], deck=tuple(deck))
    page = verify_page(shown(replace(good, hands=(*good.hands[:3], wrong, *good.hands[4:]))))
    said = text(page)
    assert "do not hold!" in said
    marked = [line for line in said.splitlines() if line[0] in "✓✗"]
    assert marked == [
        f"✗ **Hand 4: card 7 of the deck was {given}; what follows is {follows}.**",
        "✓ The secret is the one that was promised before the match.",
        f"✓ The cut {cards(good.cut)} follows from the secret and the words.",
        "✓ Hands 1 to 3: all 52 cards are where they belong.",
        "✓ Hands 5 to 9: all 52 cards are where they belong.",
    ]


def test_another_secret_another_cut_and_another_key_are_named() -> None:
    good = proof(1)
    other = replace(good, secret=bytes(32))
    said = text(verify_page(shown(other)))
    assert "✗ **The secret isn't the one that was promised.**" in said
    assert f"✗ **The cut was {cards(good.cut)}; what follows is " in said
    assert "✗ **Hand 1: its key isn't the one that follows.**" in said
    assert "✗ **Hand 1: card 1 of the deck was " in said
    assert "✓" not in said


def test_without_a_typed_word_the_page_says_that_it_proves_less() -> None:
    said = text(verify_page(replace(shown(proof(1)), contributions=ADDED[1:])))
    assert "Nobody typed a word. Discord's numbers prove less" in said
    assert "whoever runs it could wait for ones that suit" in said


def test_with_a_typed_word_the_page_says_whom_that_binds_and_whom_not() -> None:
    said = text(verify_page(shown(proof(1))))
    assert "prove less" not in said
    assert "the house alone could not have chosen the deck" in said
    assert "Only together with the player who added the last word could it" in said


def test_promises_that_led_to_no_match_are_listed() -> None:
    when = datetime(2026, 3, 1, 12, tzinfo=UTC)
    kept = tuple(UnusedPromise(f"{number:x}" * 64, "declined", when) for number in range(8))
    said = text(verify_page(replace(shown(proof(1)), abandoned=kept)))
    # 56 years after 1970 with 14 leap days, then January and February, then noon.
    seconds = ((56 * 365 + 14 + 59) * 24 + 12) * 3600
    assert f"`000000000000…` (declined <t:{seconds}:R>)" in said
    assert "told so that nobody can make many until one suits" in said
    assert "and 3 more." in said
    assert "led to no match" not in text(verify_page(shown(proof(1))))


def test_a_record_that_cannot_be_checked_says_so() -> None:
    said = text(verify_page(replace(shown(proof(1)), findings=None)))
    assert "The record can't be checked." in said
    assert "everything follows" not in said


def test_a_match_without_a_promise_has_nothing_to_check() -> None:
    page = verify_page(replace(shown(proof(1)), commitment="", file=None, file_name=None))
    assert "nothing to check" in text(page)
    assert page.pictures == ()
    check_page(page)


@pytest.mark.parametrize("name", AWKWARD_NAMES.values(), ids=AWKWARD_NAMES.keys())
def test_any_names_and_words_keep_the_limits(name: str) -> None:
    good = proof(1)
    people = tuple(PersonShown(10**18 + place, name) for place in range(3))
    words = tuple(AddedWord(person, (name * 9)[:100], True) for person in people)
    wrong = tuple(
        Finding(Checked.DECK, False, number, 52, (good.cut[0],), (good.cut[1],))
        for number in range(1, 201)
    )
    page = verify_page(
        replace(
            shown(good),
            people=people,
            contributions=words,
            findings=wrong,
            abandoned=(UnusedPromise("f" * 64, "expired", datetime(2026, 3, 1, tzinfo=UTC)),) * 500,
        )
    )
    check_page(page)
    said = text(page)
    assert "@everyone" not in said
    assert "more lines, in the file." in said
    assert "Check it yourself" in said
