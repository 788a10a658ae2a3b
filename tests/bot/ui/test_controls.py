"""Custom ids: written and read back, and nothing else is believed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.ui.controls import (
    Control,
    Verb,
    pack_cards,
    pack_melds,
    unpack_cards,
    unpack_melds,
)
from gin import Meld, parse_cards


def test_a_control_is_written_as_a_short_line() -> None:
    assert Control(Verb.DRAW, 17, 42, ("stock",)).encode() == "gin:draw:17:42:stock"
    assert Control(Verb.ACCEPT, 5).encode() == "gin:accept:5:0"
    after_a_restore = Control(Verb.DRAW, 17, 42, ("stock",), 0x692C3F1A)
    assert after_a_restore.encode() == "gin:draw:17:42.692c3f1a:stock"


@settings(deadline=None)
@given(
    st.sampled_from(Verb),
    st.integers(0, 2**63 - 1),
    st.integers(0, 10**9),
    st.lists(st.from_regex(r"[A-Za-z0-9_.-]{1,9}", fullmatch=True), max_size=2),
    st.integers(0, 2**32),
)
def test_what_was_written_reads_back_the_same(
    verb: Verb, subject: int, version: int, args: list[str], generation: int
) -> None:
    control = Control(verb, subject, version, tuple(args), generation)
    assert len(control.encode()) <= 100
    assert Control.parse(control.encode()) == control


@pytest.mark.parametrize(
    "custom_id",
    [
        "",
        "gin",
        "gin:draw",
        "gin:draw:17",
        "gin:steal:17:42",
        "rummy:draw:17:42",
        "gin:draw:-1:42",
        "gin:draw:017:42",
        "gin:draw:１７:42",
        "gin:draw:17:42:7♥",
        "gin:draw:17:42:" + "x" * 41,
        "gin:draw:99999999999999999999999:1",
        "gin:draw:17:42:" + "x:" * 60,
        "gin:draw:1 7:42",
        "gin:draw:17:42\n",
        "gin:draw:17:42.",
        "gin:draw:17:42.0",
        "gin:draw:17:42.0a",
        "gin:draw:17:42.A",
        "gin:draw:17:42.1.1",
        "gin:draw:17:.1",
    ],
)
def test_an_id_that_we_did_not_write_is_no_control(custom_id: str) -> None:
    assert Control.parse(custom_id) is None


@settings(deadline=None)
@given(st.text(max_size=120))
def test_no_text_breaks_the_reader(text: str) -> None:
    control = Control.parse(text)
    assert control is None or control.encode() == text


def test_what_could_not_be_read_back_is_not_written() -> None:
    with pytest.raises(ValueError, match="no custom id"):
        Control(Verb.DRAW, 17, 42, ("a:b",)).encode()
    with pytest.raises(ValueError, match="no custom id"):
        Control(Verb.DRAW, -1).encode()
    with pytest.raises(ValueError, match="characters"):
        Control(Verb.LEADERBOARD_PAGE, 17, 42, ("x" * 40, "y" * 40)).encode()


def test_a_missing_index_is_the_first() -> None:
    assert Control(Verb.KNOCK, 1, 1, ("12",)).index == 12
    assert Control(Verb.KNOCK_MENU, 1, 1).index == 0
    assert Control(Verb.KNOCK, 1, 1, ("stock",)).index == 0


def test_melds_packed_into_a_control_read_back_the_same() -> None:
    melds = (Meld.parse("7H 8H 9H"), Meld.parse("KC KD KS"), Meld.parse("AS 2S 3S 4S"))
    arg = pack_melds(melds)
    control = Control(Verb.KNOCK_ARRANGED, 2**63 - 1, 10**6, ("TD", arg))
    back = Control.parse(control.encode())
    assert back is not None
    assert back == control
    assert unpack_melds(back.args[1]) == melds
    assert unpack_melds(pack_melds(())) == ()


@pytest.mark.parametrize("arg", ["7H", "7H8H9", "7H8H9H-", "7H8HTH", "xx", "7H8H9H-7H8H9H-q"])
def test_packed_melds_that_nobody_wrote_are_read_as_none_or_as_melds(arg: str) -> None:
    read = unpack_melds(arg)
    assert read is None or arg.strip("-") == pack_melds(read)


@pytest.mark.parametrize("cards", ["", "7H", "8H 9H TH", "AS AH AD AC KS KH KD KC QS QH"])
def test_cards_packed_into_a_control_read_back_in_their_order(cards: str) -> None:
    control = Control(
        Verb.LAYOFF_ARRANGED, 2**63 - 1, 10**6, (pack_melds(()), pack_cards(parse_cards(cards)))
    )
    back = Control.parse(control.encode())
    assert back == control
    assert back is not None
    assert unpack_melds(back.args[0]) == ()
    assert unpack_cards(back.args[1]) == parse_cards(cards)


@pytest.mark.parametrize("arg", ["7", "7H8", "xx", "-7H", "7H-"])
def test_packed_cards_that_nobody_wrote_are_read_as_none(arg: str) -> None:
    assert unpack_cards(arg) is None
