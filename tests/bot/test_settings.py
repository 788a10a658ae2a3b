"""Settings: one sentence that names what is wrong, and no secret in it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import annotated_types
import pytest

from bot.__main__ import _schedule
from bot.care.keeping import Keeping
from bot.now import utc_now
from bot.settings import (
    DEFAULT_DATABASE,
    LogLevel,
    Settings,
    SettingsError,
    load_settings,
    token_of,
)

TOKEN = "MTAwMDAwMDAwMDAwMDAwMDAw.GabcDe.abcdefghijklmnopqrstuvwxyz0123456789AB"


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder and an environment without our settings."""
    for name in ("TOKEN", "API_URL", "GATEWAY_URL"):
        monkeypatch.delenv(f"DISCORD_{name}", raising=False)
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.delenv("LOG_LEVEL", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_everything_has_a_default_but_the_token() -> None:
    settings = load_settings()
    assert settings.database_url == DEFAULT_DATABASE
    assert settings.log_level is LogLevel.INFO
    assert settings.discord_api_url is None
    with pytest.raises(SettingsError, match="DISCORD_TOKEN is missing"):
        token_of(settings)


def test_settings_are_read_from_the_env_file(nowhere: Path) -> None:
    (nowhere / ".env").write_text(f"DISCORD_TOKEN={TOKEN}\nLOG_LEVEL=debug\n")
    settings = load_settings()
    assert token_of(settings) == TOKEN
    assert settings.log_level is LogLevel.DEBUG


def test_an_empty_line_in_the_env_file_counts_as_unset(nowhere: Path) -> None:
    (nowhere / ".env").write_text("DISCORD_TOKEN=\nDATABASE_URL=\n")
    settings = load_settings()
    assert settings.discord_token is None
    assert settings.database_url == DEFAULT_DATABASE


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DISCORD_TOKEN", "not a token"),
        ("DATABASE_URL", "mysql://somewhere"),
        ("LOG_LEVEL", "loud"),
        ("DISCORD_API_URL", "ftp://example.org"),
        ("DISCORD_GATEWAY_URL", "http://example.org"),
    ],
)
def test_a_wrong_setting_is_named_in_one_sentence(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as caught:
        load_settings()
    sentence = str(caught.value)
    assert sentence.startswith(f"{name} is wrong: ")
    assert "\n" not in sentence


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("BACKUP_KEEP", "many", "it should be a whole number from 1 to 1000000"),
        ("BACKUP_KEEP", "0", "it should be a whole number from 1 to 1000000"),
        ("BACKUP_EVERY_HOURS", "1.5", "it should be a whole number from 0 to 87660"),
        ("METRICS_PORT", "http", "it should be a whole number from 1 to 65535"),
        ("LOG_LEVEL", "loud", "it should be DEBUG, INFO, WARNING or ERROR"),
        (
            "DATABASE_URL",
            "postgresql://gin:secret@localhost/gin",
            "matches are kept in a file of SQLite, so it should look like "
            "sqlite+aiosqlite:///data/ginhouse.db",
        ),
    ],
)
def test_a_wrong_setting_is_told_what_to_write(
    name: str, value: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert str(caught.value) == f"{name} is wrong: {sentence}."


NUMBERS = [name for name, field in Settings.model_fields.items() if "int" in str(field.annotation)]


def test_the_settings_that_are_numbers_are_known() -> None:
    assert {"metrics_port", "acts_per_ten_seconds", "backup_every_hours"} < set(NUMBERS)
    assert len(NUMBERS) == 7


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("value", ["-1", "99999999999999", "1" + "0" * 5000, "1e400", "seven"])
def test_a_number_that_is_out_of_all_measure_is_named(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name.upper(), value)
    with pytest.raises(SettingsError, match=rf"^{name.upper()} is wrong: [^\n]+\.$"):
        load_settings()


def test_with_the_largest_numbers_that_are_taken_all_times_can_be_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in NUMBERS:
        if name != "metrics_port":
            (most,) = [
                one.le
                for one in Settings.model_fields[name].metadata
                if isinstance(one, annotated_types.Le)
            ]
            monkeypatch.setenv(name.upper(), str(most))
    settings = load_settings()
    schedule = _schedule(settings)
    assert schedule is not None
    assert utc_now() + schedule.every > utc_now()
    for days in (
        settings.keep_unplayed_days,
        settings.keep_admin_acts_days,
        settings.keep_absent_people_days,
    ):
        assert utc_now() - timedelta(days=days) < utc_now()


def test_a_folder_of_somebody_who_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKUP_FOLDER", "~nobody-of-that-name/copies")
    with pytest.raises(SettingsError, match=r"^BACKUP_FOLDER is wrong: .*~nobody-of-that-name\.$"):
        load_settings()


def test_a_wrong_token_is_not_repeated_in_the_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "secret-but-wrong")
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert "secret-but-wrong" not in str(caught.value)


def test_a_token_is_not_shown_by_the_settings_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    assert TOKEN not in repr(load_settings())


def test_an_env_file_that_is_no_text_is_named(nowhere: Path) -> None:
    (nowhere / ".env").write_bytes(b"DISCORD_TOKEN=\xff\xfe\x00")
    with pytest.raises(SettingsError, match=r"^\.env is wrong"):
        load_settings()


def test_how_long_things_are_kept_and_how_fast_people_press_can_be_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain = load_settings()
    kept = (plain.keep_unplayed_days, plain.keep_admin_acts_days, plain.keep_absent_people_days)
    assert kept == (Keeping().unplayed, Keeping().acts, Keeping().absent) == (30, 365, 730)
    assert plain.acts_per_ten_seconds == 30
    monkeypatch.setenv("KEEP_ABSENT_PEOPLE_DAYS", "0")
    monkeypatch.setenv("ACTS_PER_TEN_SECONDS", "0")
    assert load_settings().keep_absent_people_days == 0
    assert load_settings().acts_per_ten_seconds == 0
    monkeypatch.setenv("KEEP_UNPLAYED_DAYS", "0")
    with pytest.raises(SettingsError, match="KEEP_UNPLAYED_DAYS is wrong"):
        load_settings()
