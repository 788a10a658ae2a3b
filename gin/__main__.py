"""The command line: ``python -m gin deadwood``, ``layoff`` and ``verify``.

The first two answer line by line: each line of standard input is a question of its own. One that
can't be answered gets ``error: …`` in its place, the others their answers, and the exit status is
then 1.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from gin.arrange import best_sheds, deadwood
from gin.cards import Card, mask_of, parse_cards
from gin.errors import Malformed
from gin.fair import MalformedProof
from gin.layoffs import best_layoff
from gin.melds import Meld
from gin.proof import parse_proof, report

LONGEST_LINE = 100_000
"""Bytes; a question takes some hundred."""

LONGEST_ECHO = 200
"""Characters of an error; what was wrong is quoted only so far."""


class BadLine(Malformed):
    """A line that isn't a question of the kind that the command answers."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status: 0, 1 after a bad line, 2 for a wrong call."""
    parser = argparse.ArgumentParser(
        prog="python -m gin", description="Answer questions about hands of Gin Rummy."
    )
    commands = parser.add_subparsers(required=True, metavar="command")
    _add_lines_command(
        commands.add_parser(
            "deadwood",
            help="read hands of ten or eleven cards, one a line (7H 8H ...); write the least "
            "deadwood of each, for eleven cards after the best discard",
        ),
        least_deadwood,
    )
    _add_lines_command(
        commands.add_parser(
            "layoff",
            help='read lines {"melds": ["7H 8H 9H", ...], "hand": "..."}: a knock and the ten '
            "cards of the defender; write his least deadwood",
        ),
        least_after_layoffs,
    )
    verify = commands.add_parser(
        "verify",
        help="check the record of a match's shuffles (the file that /gin verify gives)",
    )
    verify.add_argument("file", help="the record; - for standard input")
    verify.set_defaults(run=lambda: verify_file(str(chosen.file)))
    chosen: argparse.Namespace = parser.parse_args(arguments)
    run: Callable[[], int] = chosen.run
    try:
        return run()
    except BrokenPipeError:
        # Whoever read the answers has gone. Python would complain once more when it closes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        print(f"python -m gin: {error.strerror}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def least_deadwood(text: str) -> int:
    """Answer one line of ``deadwood``: the least deadwood of ten or eleven cards, in points."""
    cards = parse_cards(text)
    if len(cards) == 11:
        return best_sheds(cards)[0].arrangement.deadwood
    _expect_ten(cards, "ten or eleven")
    return deadwood(mask_of(cards))


def least_after_layoffs(text: str) -> int:
    """Answer one line of ``layoff``: the defender's least deadwood, in points (rules.md).

    Melds of ten cards are gin: then nothing is laid off.
    """
    melds, hand = _read_knock(text)
    _expect_ten(hand, "ten")
    seen = set(hand)
    for meld in melds:
        for card in meld.cards:
            if card in seen:
                raise BadLine(f"{card} stands twice")
            seen.add(card)
    if len(seen) - len(hand) > 11:
        raise BadLine("the melds hold more than eleven cards")
    return best_layoff(melds, hand).deadwood


def verify_file(name: str) -> int:
    """Check a record of shuffles and print it; 0 if it holds, 1 if not, 2 if it can't be read."""
    try:
        raw = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        proof = parse_proof(raw.decode("utf-8-sig"))
    except (MalformedProof, UnicodeDecodeError) as error:
        reason = "not UTF-8" if isinstance(error, UnicodeDecodeError) else str(error)
        print(f"python -m gin verify: {name}: {reason}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"python -m gin verify: {name}: {error.strerror}", file=sys.stderr)
        return 2
    holds, lines = report(proof)
    letters = sys.stdout.encoding
    for line in lines:
        print(line.encode(letters, "backslashreplace").decode(letters))
    return 0 if holds else 1


def _read_knock(text: str) -> tuple[list[Meld], tuple[Card, ...]]:
    """Read the melds and the defender's hand of a line in JSON."""
    try:
        # Nothing is known of a line from outside; each part is checked below.
        line: object = json.loads(text, object_pairs_hook=_Pairs)
    except RecursionError:
        raise BadLine("nested too deep") from None
    except json.JSONDecodeError as error:
        raise BadLine(f"not JSON: {error}") from None
    except ValueError:
        raise BadLine("not JSON that can be read: a number is too long") from None
    if not isinstance(line, _Pairs) or sorted(line.names()) != ["hand", "melds"]:
        raise BadLine('expected {"melds": ["7H 8H 9H", ...], "hand": "..."}')
    fields = dict(line)
    melds, hand = fields["melds"], fields["hand"]
    if not isinstance(melds, list) or not all(isinstance(meld, str) for meld in melds):
        raise BadLine('"melds" must be a list of strings')
    if not isinstance(hand, str):
        raise BadLine('"hand" must be a string')
    return [Meld.parse(meld) for meld in melds], parse_cards(hand)


class _Pairs(list[tuple[str, object]]):
    """A JSON object as it was written: a name given twice is seen twice."""

    def names(self) -> list[str]:
        """The names, in the order written."""
        return [name for name, _ in self]


def _expect_ten(cards: Sequence[Card], wanted: str) -> None:
    """Raise :class:`BadLine` unless there are ten cards."""
    if not cards:
        raise BadLine(f"no cards; a hand has {wanted}")
    if len(cards) != 10:
        raise BadLine(f"{len(cards)} card{'s' * (len(cards) > 1)}; a hand has {wanted}")


def _add_lines_command(parser: argparse.ArgumentParser, answer: Callable[[str], int]) -> None:
    """Let this command answer standard input line by line."""
    parser.set_defaults(run=lambda: _answer_lines(answer))


def _answer_lines(answer: Callable[[str], int]) -> int:
    """Answer each line of standard input at once; return 1 if one was bad, else 0."""
    status = 0
    for raw in _lines(sys.stdin.buffer):
        try:
            if len(raw) > LONGEST_LINE:
                raise BadLine(f"the line is longer than {LONGEST_LINE} bytes")
            print(answer(raw.decode("utf-8-sig")), flush=True)
        except UnicodeDecodeError:
            print("error: not UTF-8", flush=True)
            status = 1
        except Malformed as error:
            reason = str(error)
            if len(reason) > LONGEST_ECHO:
                reason = reason[:LONGEST_ECHO] + "..."
            # What was typed is quoted, and the terminal may not know all of its letters.
            letters = sys.stdout.encoding
            print("error:", reason.encode(letters, "backslashreplace").decode(letters), flush=True)
            status = 1
    return status


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """Each line as it arrives, without its end; of one too long only the beginning."""
    while raw := stream.readline(LONGEST_LINE + 1):
        more = raw
        while more and not more.endswith(b"\n") and len(more) > LONGEST_LINE:
            more = stream.readline(LONGEST_LINE + 1)
        yield raw.removesuffix(b"\n").removesuffix(b"\r")


if __name__ == "__main__":
    sys.exit(main())
