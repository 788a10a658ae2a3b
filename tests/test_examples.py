"""What is given to people who run the bot agrees with the program: settings, places, statuses."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from bot import __main__ as program
from bot.care.housekeeping import HOUSEKEEPING
from bot.client import PATIENCE
from bot.settings import DEFAULT_DATABASE, Settings

ROOT = Path(__file__).parents[1]
NAMES = {name.upper() for name in Settings.model_fields}
COMMANDS = {*HOUSEKEEPING, program.HEALTH}


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def default_of(name: str) -> str:
    value = Settings.model_fields[name.lower()].default
    return "" if value is None else str(value)


def test_the_example_of_settings_names_every_one_with_its_default() -> None:
    lines = dict(re.findall(r"^(?:# )?([A-Z_]+)=(.*)$", text(".env.example"), re.MULTILINE))
    assert set(lines) == NAMES
    for name, value in lines.items():
        if name != "METRICS_PORT":  # off, so its line shows a port one might take
            assert value == default_of(name), name


def test_the_table_of_settings_names_every_one_with_its_default() -> None:
    table = text("README.md").split("## Settings")[1].split("##")[0]
    rows = re.findall(r"^\| (`[A-Z].*?) \| .* \| (.*?) \|$", table, re.MULTILINE)
    named = [name for names, _default in rows for name in re.findall(r"`([A-Z_]+)`", names)]
    assert sorted(named) == sorted(NAMES)
    for names, default in rows:
        first = re.findall(r"`([A-Z_]+)`", names)[0]
        if default_of(first):
            assert f"`{default_of(first)}`" in default, first


def test_the_table_of_commands_names_every_one() -> None:
    table = text("README.md").split("## Looking after the database")[1].split("##")[0]
    assert set(re.findall(r"^\| `(\w+)", table, re.MULTILINE)) == COMMANDS


@pytest.fixture
def image() -> dict[str, list[str]]:
    """The Dockerfile: what follows each instruction, in order."""
    lines = text("Dockerfile").replace("\\\n", " ").splitlines()
    found: dict[str, list[str]] = {}
    for line in lines:
        if line and not line.startswith("#"):
            instruction, _, rest = line.partition(" ")
            found.setdefault(instruction, []).append(" ".join(rest.split()))
    return found


def test_the_image_holds_every_room_that_the_bot_needs_and_its_pins(
    image: dict[str, list[str]],
) -> None:
    copied = {name for line in image["COPY"] for name in line.split()[:-1]}
    assert {"gin", "db", "bot", "cogs", "pyproject.toml", "constraints.txt"} <= copied
    for name in copied:
        assert (ROOT / name).exists(), name
    assert any("-c constraints.txt" in line for line in image["RUN"])
    ignored = text(".dockerignore").split()
    assert not copied & set(ignored)
    assert ".env" in ignored


def test_the_image_runs_without_root_on_a_volume_and_can_be_asked_how_it_is(
    image: dict[str, list[str]],
) -> None:
    assert image["USER"] == ["ginhouse"]
    assert image["ENTRYPOINT"] == ['["python", "-m", "bot"]']
    assert image["STOPSIGNAL"] == ["SIGTERM"]
    settings = dict(pair.split("=", 1) for pair in image["ENV"][0].split())
    assert set(settings) <= NAMES
    assert settings["DATABASE_URL"].startswith(f"sqlite+aiosqlite:///{image['VOLUME'][0]}/")
    assert "METRICS_PORT" in settings
    (check,) = image["HEALTHCHECK"]
    assert check.endswith(f'CMD ["python", "-m", "bot", "{program.HEALTH}"]')


def test_the_compose_file_leaves_time_to_finish_and_a_place_to_write() -> None:
    compose = text("docs/examples/compose.yaml")
    folder = re.search(r"build: (\S+)", compose)
    assert folder is not None
    assert (ROOT / "docs/examples" / folder[1] / "Dockerfile").exists()
    grace = re.search(r"stop_grace_period: (\d+)s", compose)
    assert grace is not None
    assert int(grace[1]) > 3 * PATIENCE.total_seconds()
    assert "ginhouse-data:/data" in compose
    assert "read_only: true" in compose
    assert re.search(r"environment:\n(.*\n)*? +DATABASE_URL: sqlite\+aiosqlite:////data/", compose)


def test_the_example_of_settings_sets_nothing_but_the_token() -> None:
    """Else a copy of it would say where an image or a unit keeps its database."""
    assert re.findall(r"^([A-Z_]+)=", text(".env.example"), re.MULTILINE) == ["DISCORD_TOKEN"]


def test_make_installs_without_starting_as_the_unit_says() -> None:
    assert "make install" in text("docs/examples/ginhouse.service")
    assert re.search(r"^install: \$\(VENV\)/run\.stamp$", text("Makefile"), re.MULTILINE)


def test_the_unit_starts_the_program_and_lets_it_write_its_database_only() -> None:
    unit = dict(
        line.split("=", 1)
        for line in text("docs/examples/ginhouse.service").splitlines()
        if "=" in line and not line.startswith("#")
    )
    place = unit["WorkingDirectory"]
    assert unit["ExecStart"] == f"{place}/.venv/bin/python -m bot"
    assert find_spec("bot.__main__") is not None
    assert unit["RestartPreventExitStatus"] == str(program.WRONG_SETTING)
    assert int(unit["TimeoutStopSec"]) > 3 * PATIENCE.total_seconds()
    folder = DEFAULT_DATABASE.removeprefix("sqlite+aiosqlite:///").rpartition("/")[0]
    assert unit["ReadWritePaths"] == f"-{place}/{folder}"
    assert unit["ExecStartPre"].split()[1:] == [
        *("-d", "-o", unit["User"], "-g", unit["User"]),
        f"{place}/{folder}",
    ]
    assert int(unit["StartLimitIntervalSec"]) > int(unit["StartLimitBurst"]) * int(
        unit["RestartSec"]
    ), "else it would be started for ever"
    assert unit["ProtectSystem"] == "strict"
    owner = f"{unit['User']}:{unit['User']}"
    assert f"#     chown -R {owner} {place}/{folder}\n" in text("docs/examples/ginhouse.service")
