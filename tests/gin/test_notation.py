from random import Random

import pytest

from gin.actions import BigGin, Discard, Draw, Knock, LayOff, Look, Pass, Pile, TakeBack
from gin.cards import DECK
from gin.errors import IllegalAction, MalformedNotation, MalformedRules
from gin.events import Cancel, Cut, Deal, Event, Forfeit, ForfeitHand, Play, Resign
from gin.match import Match
from gin.notation import dump_event, dump_match, parse_action, parse_event, parse_match
from gin.rules import IllegalKnock, Rules, Scoring
from gin.view import view
from tests.gin.players import played, states
from tests.gin.table import (
    DEFENDER,
    KNOCKER,
    PLAIN,
    SPREAD,
    A,
    B,
    C,
    cards,
    melds,
    play,
    stacked,
    started,
)

LINES: list[tuple[str, Event]] = [
    ("cut 7H KD", Cut(cards("7H KD"))),
    ("cut 7H 7S 2D 9C", Cut(cards("7H 7S 2D 9C"))),
    ("A pass", Play(A, Pass())),
    ("B draw stock", Play(B, Draw(Pile.STOCK))),
    ("C draw discard", Play(C, Draw(Pile.DISCARD))),
    ("A discard TD", Play(A, Discard(cards("TD")[0]))),
    (
        "A knock KD 7H8H9H/KCKHKS",
        Play(A, Knock(cards("KD")[0], melds("7H8H9H", "KSKHKC"))),
    ),
    ("A knock KD", Play(A, Knock(cards("KD")[0], ()))),
    ("B big-gin AS2S3S4S", Play(B, BigGin(melds("AS2S3S4S")))),
    ("B layoff -", Play(B, LayOff((), ()))),
    ("B layoff - 8S9S", Play(B, LayOff((), cards("8S 9S")))),
    ("B layoff ASADAC -", Play(B, LayOff(melds("ASADAC"), ()))),
    (
        "B layoff ASADAC/2H3H4H - 9S8S",
        Play(B, LayOff(melds("ASADAC", "2H3H4H"), cards("9S 8S"))),
    ),
    ("B look", Play(B, Look())),
    ("B take-back", Play(B, TakeBack())),
    ("C resign", Resign(C)),
    ("A forfeit", Forfeit(A)),
    ("B forfeit-hand", ForfeitHand(B)),
    ("cancel", Cancel()),
]


@pytest.mark.parametrize(("line", "event"), LINES)
def test_an_event_is_one_line_that_reads_back(line: str, event: Event) -> None:
    assert parse_event(line) == event
    assert parse_event(dump_event(event)) == event
    assert "\n" not in dump_event(event)


def test_most_lines_are_written_just_as_they_are_read() -> None:
    for line, event in LINES:
        if "KCKHKS" not in line:
            assert dump_event(event) == line


def test_melds_are_written_with_their_cards_in_order() -> None:
    assert dump_event(parse_event("A knock KD 9H8H7H/KCKHKS")) == "A knock KD 7H8H9H/KSKHKC"


def test_laid_off_cards_keep_their_order() -> None:
    assert dump_event(parse_event("B layoff - 9S8S")) == "B layoff - 9S8S"


def test_a_deal_is_the_deck_without_spaces() -> None:
    line = dump_event(Deal(DECK))
    assert line.startswith("deal AS2S3S")
    assert len(line) == len("deal ") + 104
    assert parse_event(line) == Deal(DECK)


@pytest.mark.parametrize(
    "line",
    [
        "",
        " ",
        "A",
        "A ",
        "D pass",
        "a pass",
        "A  pass",
        "A pass ",
        " A pass",
        "A pass now",
        "A draw",
        "A draw deck",
        "A draw stock stock",
        "A discard",
        "A discard 1H",
        "A discard 10H",
        "A discard 7h",
        "A discard 7H8H",
        "A discard 7H 8H",
        "A knock",
        "A knock KD 7H8H",
        "A knock KD 7H8H9H/",
        "A knock KD 7H8H9H KCKDKS",
        "A knock KD 7h8h9h",
        "A knock KD 7H8H9",
        "A knock KD -",
        "A big-gin",
        "A big-gin KC",
        "B layoff",
        "B layoff ASADAC",
        "B layoff ASADAC 8S",
        "B layoff - 8S 9S",
        "B layoff - 8",
        "B look twice",
        "A resigns",
        "cancel now",
        "cut",
        "cut 7H  KD",
        "cut 7HKD",
        "cut 7H,KD",
        "deal",
        "deal AS 2S",
        "deal ASX",
        "resign",
        "A pass\n",
    ],
)
def test_any_other_line_is_malformed(line: str) -> None:
    with pytest.raises(MalformedNotation):
        parse_event(line)


def test_an_act_alone_reads_as_in_a_line() -> None:
    assert parse_action("draw stock") == Draw(Pile.STOCK)
    with pytest.raises(MalformedNotation, match="'jump' is not an act"):
        parse_action("jump")


def a_knock() -> Match:
    match = started().after(stacked(KNOCKER, DEFENDER, "TS", "KD"))
    return play(match, "A pass", "B pass", "A draw stock", f"A knock KD {SPREAD}")


def test_a_match_is_a_text_of_its_rules_and_its_events() -> None:
    lines = dump_match(a_knock()).splitlines()
    assert lines[0] == "gin-match 1"
    assert lines[1] == f"rules {PLAIN.dump()}"
    assert lines[2] == "cut 7H KD"
    assert lines[3].startswith("deal 4H2C5H3C6H4C9S7S")
    assert lines[4:] == ["A pass", "B pass", "A draw stock", f"A knock KD {SPREAD}"]
    assert dump_match(a_knock()).endswith("\n")


def test_a_match_in_play_and_a_new_one_read_back_as_the_same_match() -> None:
    for match in (Match.start(PLAIN), started(), a_knock(), play(a_knock(), "B layoff -")):
        assert parse_match(dump_match(match)) == match


@pytest.mark.parametrize("scoring", list(Scoring))
def test_every_state_of_a_match_reads_back_as_the_same_match(scoring: Scoring) -> None:
    rules = Rules(scoring=scoring, illegal_knock=IllegalKnock.EXPOSE, fiftieth_card=True)
    rng = Random(20260817)
    for number, match in enumerate(states(rng, rules)):
        if number % 150 == 99 or match.outcome is not None:
            again = parse_match(dump_match(match))
            assert again == match
            for seat in (None, *match.seats):
                assert view(again, seat) == view(match, seat)


TEXT = dump_match(a_knock())


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "line 1"),
        (TEXT.replace("gin-match 1", "gin-match 2"), "line 1: 'gin-match 2'"),
        (TEXT.replace("rules v1", "rule v1"), "line 2"),
        (TEXT.replace("A draw stock", "A draw a card"), "line 7: 'draw a card' is not an act"),
        (TEXT.replace("A draw stock", "B draw stock"), "line 7: it is A's turn"),
        (TEXT.replace("A draw stock\n", ""), "line 7: draw a card first"),
        (TEXT.replace("A pass\n", "A pass\n\n"), "line 6: '' is not an event"),
        (TEXT.replace("knock KD 4H5H6H/", "knock KD "), "line 8: deadwood 20 is over"),
        (TEXT.replace("deal 4H2C", "deal 4H4H"), "line 4: a deck is each of the 52 cards once"),
        (TEXT[:-1], "ends within a line: 'A knock KD 4H5H6H/9S9D9C/JCQCKC'"),
        (TEXT.replace("A pass\nB", "A pass\r\nB"), "line 5"),
        (TEXT.replace("A pass\nB", "A pass\x0bB"), "line 5"),
        (TEXT.replace("cut 7H KD", "cut 7H 7D"), "line 3: the cards cut leave players level"),
    ],
)
def test_a_broken_text_is_an_error_that_names_the_line(text: str, why: str) -> None:
    with pytest.raises(MalformedNotation, match=why):
        parse_match(text)


def test_a_text_that_the_rules_do_not_allow_names_the_broken_rule_as_its_cause() -> None:
    with pytest.raises(MalformedNotation) as caught:
        parse_match(TEXT.replace("A draw stock", "B draw stock"))
    assert isinstance(caught.value.__cause__, IllegalAction)


@pytest.mark.parametrize(
    ("old", "new"), [("rules v1", "rules v2"), ("target=100", "target=7"), ("tie=", "ties=")]
)
def test_a_text_with_rules_of_a_newer_or_broken_record_is_an_error_of_its_own(
    old: str, new: str
) -> None:
    with pytest.raises(MalformedRules):
        parse_match(TEXT.replace(old, new))


def test_a_whole_game_replays_to_the_same_end() -> None:
    match = played(Random(3), PLAIN)
    again = parse_match(dump_match(match))
    assert again.outcome == match.outcome
    assert again.sheet == match.sheet
