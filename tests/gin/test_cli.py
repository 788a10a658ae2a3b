import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.gin.hands import vectors

ROOT = Path(__file__).parents[2]
GIN = "4H 5H 6H 9S 9D 9C TC JC QC KC"


def ask(command: str, text: str | bytes) -> tuple[list[str], int]:
    """The lines that the command writes for this input, and its exit status."""
    given = text.encode() if isinstance(text, str) else text
    run = subprocess.run(
        [sys.executable, "-m", "gin", command],
        input=given,
        capture_output=True,
        cwd=ROOT,
        env={"PYTHONUTF8": "1"},
        check=False,
        timeout=60,
    )
    assert run.stderr == b""
    return run.stdout.decode().splitlines(), run.returncode


def start(command: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "gin", command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    )


def knock(melds: object, hand: object) -> str:
    return json.dumps({"melds": melds, "hand": hand})


def test_each_hand_of_ten_gets_its_least_deadwood_on_a_line() -> None:
    answers, status = ask("deadwood", f"4H 5H 6H 9S 9D 9C JC QC KC 5D\n{GIN}\n")
    assert (answers, status) == (["5", "0"], 0)


def test_a_hand_of_eleven_gets_its_deadwood_after_the_best_discard() -> None:
    # Fault 39: gin without the four of diamonds; melding all eleven first leaves a point.
    answers, status = ask("deadwood", "AS 2S 3S AC 2C 3C 2D 3D 4D AH 2H\n")
    assert (answers, status) == (["0"], 0)


def test_every_vector_is_answered_on_the_command_line() -> None:
    rows = [*vectors("deadwood10"), *vectors("deadwood11")]
    answers, status = ask("deadwood", "".join(f"{row['hand']}\n" for row in rows))
    assert status == 0
    assert answers == [str(row["deadwood"]) for row in rows]
    rows = list(vectors("layoffs"))
    lines = "".join(knock(row["melds"], row["hand"]) + "\n" for row in rows)
    answers, status = ask("layoff", lines)
    assert status == 0
    assert answers == [str(row["deadwood"]) for row in rows]


def test_a_bad_line_gets_its_error_and_the_others_their_answers() -> None:
    answers, status = ask("deadwood", f"{GIN}\n7X 5H\n{GIN}\n")
    assert answers == ["0", "error: '7X' is not a card", "0"]
    assert status == 1


NO_HANDS = [
    (b"", "no cards"),
    (b"   ", "no cards"),
    (b"7H", "1 card;"),
    (GIN[:-3].encode(), "9 cards;"),
    (b"AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS", "12 cards;"),
    (GIN.replace("4H", "KC").encode(), "twice"),
    (GIN.replace("4H", "10H").encode(), "'10H' is not a card"),
    (GIN.replace("4H", "4♥").encode(), "'4♥' is not a card"),
    (GIN.replace(" ", ",").encode(), "is not a card"),
    (b'"' + GIN.encode() + b'"', "is not a card"),
    (b"\xff\xfe7H", "not UTF-8"),
    (b"\x007H", "is not a card"),
    (b"7H " * 50_000, "longer than"),
    (b"x" * 90_000, "'xxxx"),
]


@pytest.fixture(scope="module")
def answers_among_hands() -> list[str]:
    """A hand, then each line that is none and a hand again."""
    good = GIN.encode() + b"\n"
    answers, status = ask("deadwood", good + b"".join(line + b"\n" + good for line, _ in NO_HANDS))
    assert answers[::2] == ["0"] * (len(NO_HANDS) + 1)
    assert status == 1
    return answers[1::2]


@pytest.mark.parametrize("place", range(len(NO_HANDS)))
def test_a_line_that_is_no_hand_is_an_error(answers_among_hands: list[str], place: int) -> None:
    answer = answers_among_hands[place]
    assert answer.startswith("error: ")
    assert NO_HANDS[place][1] in answer
    assert len(answer) < 250


def test_small_letters_windows_lines_and_a_last_line_without_end_are_read() -> None:
    text = f"{GIN.lower()}\r\n\t{GIN} \r\n{GIN}".encode()
    assert ask("deadwood", b"\xef\xbb\xbf" + text) == (["0", "0", "0"], 0)


def test_no_lines_need_no_answers() -> None:
    assert ask("deadwood", "") == ([], 0)
    assert ask("layoff", "") == ([], 0)


def test_a_knock_gets_the_defenders_least_deadwood() -> None:
    # Best together: the kings a set; 7, J, Q on 8-9-T, A and 5 on 2-3-4, the six on the sixes.
    line = knock(["8C 9C TC", "2C 3C 4C", "6C 6D 6H"], "3S 6S AC 5C 7C JC QC KC KD KH")
    assert ask("layoff", line) == (["3"], 0)


def test_melds_of_ten_cards_are_gin_and_nothing_is_laid_off() -> None:
    nine, ten = ["3H 4H 5H", "6S 6C 6H", "JC QC KC"], ["3H 4H 5H", "6S 6C 6H", "TC JC QC KC"]
    hand = "6D 2H AH 9C 9D 8S KS QD 7D 4S"
    # 6D, 2H and AH are laid off (9C too only on T-J-Q-K, which is gin): 9 9 8 10 10 7 4.
    assert ask("layoff", knock(nine, hand)) == (["57"], 0)
    # After gin 6 + 2 + 1 are left too. Nothing melds: 6D 7D need an eight or a five.
    assert ask("layoff", knock(ten, hand)) == (["66"], 0)


HAND = "3S 6S AC 5C 7C JC QC KC KD KH"


NO_KNOCKS = [
    ("", "not JSON"),
    (HAND, "not JSON"),
    ("{", "not JSON"),
    ("[" * 20_000, "nested too deep"),
    ('{"melds": ' + "9" * 5_000 + ', "hand": ""}', "too long"),
    ("[]", "expected"),
    ("null", "expected"),
    ('"melds"', "expected"),
    ("{}", "expected"),
    (json.dumps({"melds": []}), "expected"),
    (json.dumps({"hand": HAND}), "expected"),
    (json.dumps({"melds": [], "hand": HAND, "knock": 1}), "expected"),
    (f'{{"melds": [], "hand": "{HAND}", "hand": "{HAND}"}}', "expected"),
    (knock("7H 8H 9H", HAND), "list of strings"),
    (knock({"0": "7H 8H 9H"}, HAND), "list of strings"),
    (knock([["7H", "8H", "9H"]], HAND), "list of strings"),
    (knock([7], HAND), "list of strings"),
    (knock([], HAND.split()), "must be a string"),
    (knock([], None), "must be a string"),
    (knock([], ""), "no cards"),
    (knock([], HAND[:-3]), "9 cards"),
    (knock([], HAND + " 2D"), "11 cards"),
    (knock([], HAND.replace("3S", "6S")), "twice"),
    (knock(["7H 8H TH"], HAND), "neither a set nor a run"),
    (knock(["7H 8H"], HAND), "neither a set nor a run"),
    (knock([""], HAND), "neither a set nor a run"),
    (knock(["7H 8H 9H 9H"], HAND), "twice"),
    (knock(["7H 8H 9X"], HAND), "'9X' is not a card"),
    (knock(["7H 8H 9H", "9H 9D 9C"], HAND), "9H stands twice"),
    (knock(["JH QH KH"], HAND), "KH stands twice"),
    (knock(["AD 2D 3D 4D 5D 6D", "5H 6H 7H 8H 9H TH"], HAND), "more than eleven"),
    (knock(["7H 8H 9\ud800"], HAND), "is not a card"),
]


@pytest.fixture(scope="module")
def answers_among_knocks() -> list[str]:
    """A knock, then each line that is none and a knock again."""
    good = knock(["8C 9C TC", "2C 3C 4C", "6C 6D 6H"], HAND) + "\n"
    answers, status = ask("layoff", good + "".join(f"{line}\n{good}" for line, _ in NO_KNOCKS))
    assert answers[::2] == ["3"] * (len(NO_KNOCKS) + 1)
    assert status == 1
    return answers[1::2]


@pytest.mark.parametrize("place", range(len(NO_KNOCKS)))
def test_a_line_that_is_no_knock_is_an_error(answers_among_knocks: list[str], place: int) -> None:
    answer = answers_among_knocks[place]
    assert answer.startswith("error: ")
    assert NO_KNOCKS[place][1] in answer


def test_an_answer_comes_as_soon_as_its_line_is_written() -> None:
    with start("deadwood") as program:
        assert program.stdin
        assert program.stdout
        for line, answer in ((GIN, b"0"), ("7X", b"error: '7X' is not a card"), (GIN, b"0")):
            program.stdin.write(line.encode() + b"\n")
            program.stdin.flush()
            assert program.stdout.readline().rstrip() == answer
        program.stdin.close()
        assert program.wait(timeout=60) == 1


def test_it_ends_quietly_when_nobody_reads_the_answers() -> None:
    with start("deadwood") as program:
        assert program.stdin
        assert program.stdout
        assert program.stderr
        program.stdin.write(GIN.encode() + b"\n")
        program.stdin.flush()
        program.stdout.readline()
        program.stdout.close()
        program.stdin.write(GIN.encode() + b"\n")
        program.stdin.close()
        assert program.wait(timeout=60) == 1
        assert program.stderr.read() == b""


@pytest.mark.parametrize("arguments", [[], ["shuffle"], ["deadwood", "7H"], ["--loud"]])
def test_a_wrong_call_is_answered_with_the_usage_and_status_2(arguments: list[str]) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "gin", *arguments],
        capture_output=True,
        cwd=ROOT,
        text=True,
        check=False,
        timeout=60,
    )
    assert run.returncode == 2
    assert run.stdout == ""
    assert run.stderr.startswith("usage: python -m gin")
