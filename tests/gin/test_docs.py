"""The examples and the tables of the papers about the rules."""

import doctest
import re
from dataclasses import fields
from enum import StrEnum
from pathlib import Path

import pytest

import gin
from gin.rules import _CHOICES, PRESETS, RANGES, Rules

RULES_PAPER = Path(__file__).parents[2] / "docs" / "rules.md"
TEXT = RULES_PAPER.read_text(encoding="utf-8")


def test_the_librarys_first_example_runs() -> None:
    assert doctest.testmod(gin).failed == 0


def test_the_examples_of_the_rules_paper_run() -> None:
    found = doctest.testfile(str(RULES_PAPER), module_relative=False)
    assert found.failed == 0
    assert found.attempted > 5


def test_the_example_of_the_readme_runs() -> None:
    found = doctest.testfile(str(RULES_PAPER.parents[1] / "README.md"), module_relative=False)
    assert (found.failed, found.attempted) == (0, 3)


def test_everything_that_the_library_names_is_there() -> None:
    assert len(set(gin.__all__)) == len(gin.__all__)
    for name in gin.__all__:
        assert getattr(gin, name) is not None


@pytest.mark.parametrize("name", [field.name for field in fields(Rules)])
def test_the_rules_paper_explains_every_house_option(name: str) -> None:
    table = TEXT[TEXT.index("## House options") : TEXT.index("## Combinations")]
    row = next(line for line in table.splitlines() if f"`{name}`" in line)
    if name in RANGES:
        low, high = RANGES[name]
        assert f"{low}–{high}" in row
    for choice in _CHOICES.get(name, ()):
        assert isinstance(choice, StrEnum)
        assert f"`{choice}`" in row


def test_the_rules_paper_names_the_variants() -> None:
    for name in PRESETS:
        assert f"*{name}*" in TEXT


def test_every_link_within_the_rules_paper_leads_to_a_heading() -> None:
    headings = {
        re.sub(r"[^a-z0-9 -]", "", line.lstrip("# ").lower()).replace(" ", "-")
        for line in TEXT.splitlines()
        if line.startswith("#")
    }
    links = set(re.findall(r"\]\(#([a-z0-9-]+)\)", TEXT))
    assert links
    assert links <= headings
