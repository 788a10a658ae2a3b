"""The paper on faults holds all forty rows, and each test that it names is there."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAPER = (ROOT / "docs" / "faults.md").read_text()
ROWS = re.findall(r"^\| (\d+) \| (.+) \| (.+) \| (.+) \|$", PAPER, re.MULTILINE)


@cache
def names_in(path: str) -> frozenset[str]:
    """The names of the test functions in a file."""
    tree = ast.parse((ROOT / path).read_text())
    functions = (
        node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    return frozenset(node.name for node in functions if node.name.startswith("test_"))


def test_every_fault_has_its_row_and_what_is_done_about_it() -> None:
    assert [int(number) for number, *_ in ROWS] == list(range(1, 41))
    assert all(said.strip() for row in ROWS for said in row)


def test_every_test_that_the_paper_names_is_there() -> None:
    named = [
        (number, *test.split("::"))
        for number, _fault, _ours, tests in ROWS
        for test in re.findall(r"`([^`]+)`", tests)
    ]
    assert {number for number, *_ in named} == {number for number, *_ in ROWS}
    missing = [(number, path, test) for number, path, test in named if test not in names_in(path)]
    assert missing == []
