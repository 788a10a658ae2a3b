"""Cards and melds as people type them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.ui import cardwords, typed
from bot.ui.typed import NotUnderstood
from gin import DECK, Card, parse_cards


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("7h", "7H"),
        ("7H", "7H"),
        (" 7♥ ", "7H"),
        ("7♡", "7H"),
        ("❤️7", "7H"),
        ("h7", "7H"),
        ("10d", "TD"),
        ("td", "TD"),
        ("d10", "TD"),
        ("10 of diamonds", "TD"),
        ("seven of hearts", "7H"),
        ("Seven Hearts", "7H"),
        ("the queen of spades", "QS"),
        ("QS", "QS"),
        ("K♦️", "KD"),
        ("ace clubs", "AC"),
        ("1c", "AC"),
        ("as", "AS"),
        ("ad", "AD"),
        ("７ｈ", "7H"),
        ("１０♠", "TS"),
        ("🔟♠", "TS"),
        ("🂱", "AH"),
        ("🂫", "JS"),
        ("🃝", "QC"),
        ("🃎", "KD"),
        ("jack of club", "JC"),
        ("7.h", "7H"),
        ("7\u202eh", "7H"),
        ("\u200b7h\u2060", "7H"),
        ("\ufeff1\u200d0d", "TD"),
        ("٧h", "7H"),
    ],
)
def test_a_card_is_understood_as_people_write_it(text: str, card: str) -> None:
    assert str(typed.parse_card(text)) == card


@pytest.mark.parametrize("card", DECK)
def test_whatever_we_show_can_be_typed(card: Card) -> None:
    for text in (str(card), cardwords.card(card), cardwords.spoken(card)):
        assert typed.parse_card(text) == card


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("xx", "xx"),
        ("7h and elephants", "elephants"),
        ("14h", "14h"),
        ("7", "7"),
        ("queen", "Q"),
        ("hearts", "hearts"),
        ("Foo7h", "foo7h"),
    ],
)
def test_the_word_that_was_not_understood_is_named(text: str, word: str) -> None:
    with pytest.raises(NotUnderstood) as caught:
        typed.parse_cards(text)
    assert caught.value.word == word
    assert word.lower() in str(caught.value).lower()


def test_one_card_means_one() -> None:
    with pytest.raises(NotUnderstood, match="one card only"):
        typed.parse_card("7h 8h")
    with pytest.raises(NotUnderstood, match="Name one card"):
        typed.parse_card("")


def test_a_card_typed_twice_is_refused() -> None:
    with pytest.raises(NotUnderstood, match="7♥ stands there twice"):
        typed.parse_cards("7h 8h 7♥")


def test_what_was_typed_is_harmless_in_the_answer() -> None:
    with pytest.raises(NotUnderstood) as caught:
        typed.parse_card("@everyone**")
    assert "@everyone" not in str(caught.value)
    assert "**" not in str(caught.value)


def test_nothing_can_be_said_in_words() -> None:
    for text in ("", "  ", "none", "Nothing", "-"):
        assert typed.parse_cards(text) == ()
        assert typed.parse_melds(text) == ()


SEVENS_AND_KINGS = ["7H 8H 9H", "KS KD KC"]


@pytest.mark.parametrize(
    "text",
    [
        "7h 8h 9h / kc kd ks",
        "7h 8h 9h; kc, kd, ks",
        "7h 8h 9h | kc kd ks",
        "7h 8h 9h\nkc kd ks",
        "7h 8h 9h, kc kd ks",
        "7h,8h,9h,kc,kd,ks",
        "7h 8h 9h kc kd ks",
        "789h / kcds",
        "7-8-9h / kings of clubs ks kd",
        "7h-8h-9h / kckdks",
        "7h8h9h kckdks",
        "seven eight nine of hearts; king of clubs, king of diamonds and king of spades",
        "7♥ 8♥ 9♥ · K♠ K♦ K♣",
    ],
)
def test_melds_are_understood_as_people_write_them(text: str) -> None:
    assert [str(meld) for meld in typed.parse_melds(text)] == SEVENS_AND_KINGS


def test_a_long_run_without_marks_is_one_meld() -> None:
    assert [str(meld) for meld in typed.parse_melds("4h 5h 6h 7h 8h 9h")] == ["4H 5H 6H 7H 8H 9H"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("7h 8h / kc kd ks", "7♥ 8♥ is no meld"),
        ("7h 9h jh / kc kd ks", "7♥ 9♥ J♥ is no meld"),
        ("6h 6d 9c", "6♥ 6♦ 9♣ is no meld"),
        ("7h 8h 9h 2c", "7♥ 8♥ 9♥ 2♣ is no meld"),
        ("7h 8h 9h 2c 2d 2h 4d", "can't be laid as melds in this order"),
        ("7h 8h 9h / 7h 7s 7d", "7♥ can be in one meld only"),
        ("789hd / kc kd ks", "read in two ways"),
    ],
)
def test_melds_that_are_none_are_refused_with_the_cards_named(text: str, said: str) -> None:
    with pytest.raises(NotUnderstood, match=said):
        typed.parse_melds(text)


@settings(deadline=None)
@given(st.text(max_size=80))
def test_any_text_is_read_or_refused_with_a_sentence(text: str) -> None:
    for read in (typed.parse_cards, typed.parse_melds, typed.parse_card):
        said = ""
        try:
            read(text)
        except NotUnderstood as refusal:
            said = str(refusal)
        assert said == "" or said.endswith(".")


@settings(deadline=None)
@given(st.lists(st.sampled_from(DECK), unique=True, max_size=11))
def test_cards_written_as_we_write_them_read_back(cards: list[Card]) -> None:
    held = tuple(cards)
    assert typed.parse_cards(cardwords.cards(held)) == held
    assert typed.parse_cards(cardwords.typed_cards(held)) == held


@pytest.mark.parametrize(
    ("typed_text", "fits"),
    [
        ("", "7H TD QS"),
        ("7", "7H"),
        ("10", "TD"),
        ("t", "TD"),
        ("q", "QS"),
        ("queen", "QS"),
        ("h", "7H"),
        ("hearts", "7H"),
        ("seven of h", "7H"),
        ("7♥", "7H"),
        ("z", ""),
    ],
)
def test_a_beginning_finds_the_cards_that_it_fits(typed_text: str, fits: str) -> None:
    held = parse_cards("7H TD QS")
    found = tuple(card for card in held if typed.matches(card, typed_text))
    assert found == parse_cards(fits)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("layoff", "layoff"),
        ("Laying off", "layoff"),
        ("  laying   OFF ", "layoff"),
        ("lay", "layoff"),
        ("gin", "knock"),
        ("Scoring", "scoring"),
        ("ing", None),
        ("", None),
        ("bridge", None),
    ],
)
def test_a_topic_is_meant_by_its_key_its_title_or_what_it_alone_has(
    text: str, meant: str | None
) -> None:
    titles = {"layoff": "Laying off", "knock": "Knocking and gin", "scoring": "Scoring a hand"}
    assert typed.one_of(text, titles) == meant


def test_melds_of_full_width_characters_with_what_cant_be_seen_between_are_understood() -> None:
    melds = typed.parse_melds("７ｈ ８ｈ\u200b ９ｈ ／ kc\u202e kd ks")
    assert [str(card) for meld in melds for card in meld.cards] == [
        "7H", "8H", "9H", "KS", "KD", "KC",
    ]  # fmt: skip
