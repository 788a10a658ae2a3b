"""The audit of the pinned versions fails for known faults only, and says what it didn't learn."""

from __future__ import annotations

import json
import re

import pytest

from tests import pins
from tests.pins import PINS, Verdict

FAULTY = {
    "name": "tavern",
    "version": "1.2",
    "vulns": [{"id": "PYSEC-2026-1", "fix_versions": ["1.3"], "aliases": ["CVE-2026-7"]}],
}
SOUND = {"name": "parlour", "version": "2.0", "vulns": []}
UNKNOWN = {"name": "cellar", "skip_reason": "Dependency not found: cellar (3.0)"}


def report(*dependencies: object) -> str:
    return json.dumps({"dependencies": dependencies, "fixes": []})


def test_a_known_fault_fails_and_is_named_with_where_it_is_mended() -> None:
    verdict = Verdict.of(report(FAULTY, SOUND), "")
    assert verdict.status == 1
    assert verdict.lines() == [
        "a known fault in tavern 1.2: PYSEC-2026-1, mended in 1.3",
        "2 pins audited: 1 known faults.",
    ]


def test_pins_without_known_faults_pass() -> None:
    verdict = Verdict.of(report(SOUND), "")
    assert verdict.status == 0
    assert verdict.lines() == ["1 pins audited: 0 known faults."]


def test_a_fault_that_was_looked_into_passes_by_any_of_its_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pins, "ACCEPTED", {"CVE-2026-7": "we don't brew"})
    assert Verdict.of(report(FAULTY), "").status == 0


def test_a_network_that_fails_is_said_aloud_and_fails_nothing() -> None:
    verdict = Verdict.of("", "Traceback …\nProxyError: no way out\n\n")
    assert verdict.status == 0
    (said,) = verdict.lines()
    assert said.startswith("SKIPPED aloud")
    assert "ProxyError: no way out" in said


def test_a_service_that_knows_nothing_is_not_taken_for_a_clean_bill() -> None:
    verdict = Verdict.of(report(UNKNOWN, UNKNOWN), "")
    assert verdict.status == 0
    (said,) = verdict.lines()
    assert said.startswith("SKIPPED aloud: 2 pins were not audited")
    mixed = Verdict.of(report(FAULTY, UNKNOWN), "")
    assert mixed.status == 1
    assert len(mixed.lines()) == 3


def test_every_line_of_the_constraints_pins_one_version_and_names_no_address() -> None:
    for line in PINS.read_text(encoding="utf-8").splitlines():
        assert re.fullmatch(r"[\w.-]+==[\w.]+(; python_version >= \"[\d.]+\")?", line), line
