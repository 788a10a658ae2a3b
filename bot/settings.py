"""Settings: read from the environment and ``.env``, typed, with one clear sentence when wrong."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

DEFAULT_DATABASE: Final = "sqlite+aiosqlite:///data/ginhouse.db"


HUNDRED_YEARS: Final = 36_525
"""In days: longer than anything is kept; calendars end not much later."""
TEN_YEARS: Final = 87_660
"""In hours: whoever wants fewer backups than that wants none."""
LARGEST_COUNT: Final = 1_000_000


class SettingsError(Exception):
    """A missing or wrong setting; the message is one sentence that names it."""


class NotYetUsable(SettingsError):
    """A setting that this machine can't follow now, and may be able to when it is tried again."""


class LogLevel(StrEnum):
    """How much is logged."""

    DEBUG = "DEBUG"
    INFO = "INFO"
    WARNING = "WARNING"
    ERROR = "ERROR"


class Settings(BaseSettings):
    """Everything that the person who runs the bot may set. Names are those of ``.env.example``."""

    model_config = SettingsConfigDict(
        env_file=".env", env_file_encoding="utf-8", extra="ignore", env_ignore_empty=True
    )

    discord_token: SecretStr | None = Field(default=None)
    database_url: str = DEFAULT_DATABASE
    discord_api_url: str | None = None
    discord_gateway_url: str | None = None
    log_level: LogLevel = LogLevel.INFO
    metrics_port: int | None = Field(default=None, ge=1, le=65535)
    metrics_host: str = "127.0.0.1"
    acts_per_ten_seconds: int = Field(default=30, ge=0, le=LARGEST_COUNT)
    keep_unplayed_days: int = Field(default=30, ge=1, le=HUNDRED_YEARS)
    keep_admin_acts_days: int = Field(default=365, ge=1, le=HUNDRED_YEARS)
    keep_absent_people_days: int = Field(default=730, ge=0, le=HUNDRED_YEARS)
    backup_every_hours: int = Field(default=24, ge=0, le=TEN_YEARS)
    backup_keep: int = Field(default=7, ge=1, le=LARGEST_COUNT)
    backup_folder: Path | None = None

    @field_validator("log_level", mode="before")
    @classmethod
    def _any_case(cls, value: object) -> object:
        return value.upper() if isinstance(value, str) else value

    @field_validator("discord_token")
    @classmethod
    def _looks_like_a_token(cls, value: SecretStr | None) -> SecretStr | None:
        if value is None:
            return None
        token = value.get_secret_value().strip()
        if not re.fullmatch(r"[\w-]+\.[\w-]+\.[\w-]+", token, re.ASCII):
            raise ValueError(
                "it should have three parts joined by dots, copied from the Bot page "
                "of your application"
            )
        return SecretStr(token)

    @field_validator("database_url")
    @classmethod
    def _an_address_of_sqlite(cls, value: str) -> str:
        if not value.startswith("sqlite+aiosqlite://"):
            raise ValueError(
                f"matches are kept in a file of SQLite, so it should look like {DEFAULT_DATABASE}"
            )
        return value

    @field_validator("backup_folder")
    @classmethod
    def _a_folder_of_somebody(cls, value: Path | None) -> Path | None:
        if value is None:
            return None
        try:
            return value.expanduser()
        except RuntimeError:
            raise ValueError(f"nobody here has a home called {value.parts[0]}") from None

    @field_validator("discord_api_url")
    @classmethod
    def _an_http_address(cls, value: str | None) -> str | None:
        return _checked(value, {"http", "https"})

    @field_validator("discord_gateway_url")
    @classmethod
    def _a_websocket_address(cls, value: str | None) -> str | None:
        return _checked(value, {"ws", "wss"})


def _checked(value: str | None, schemes: set[str]) -> str | None:
    if value is None:
        return None
    parts = urlsplit(value)
    if parts.scheme not in schemes or not parts.netloc:
        raise ValueError(f"it should be an address that starts with {min(schemes)}://")
    return value.rstrip("/")


def load_settings() -> Settings:
    """Read the settings; raise :class:`SettingsError` with a sentence that names the wrong one."""
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]) if first["loc"] else "a setting"
        reason = _wanted(name) or str(first["msg"]).removeprefix("Value error, ")
        raise SettingsError(f"{name.upper()} is wrong: {reason}.") from None
    except UnicodeDecodeError:
        raise SettingsError(".env is wrong: it isn't a text file in UTF-8.") from None


def _wanted(name: str) -> str | None:
    """What should be written for a number, or for one of a few words; None for other settings."""
    if name == "log_level":
        *others, last = LogLevel
        return f"it should be {', '.join(others)} or {last}"
    asked = Settings.model_json_schema()["properties"].get(name, {})
    for kind in asked.get("anyOf", [asked]):  # None may be the other one
        if {"minimum", "maximum"} <= kind.keys():
            return f"it should be a whole number from {kind['minimum']} to {kind['maximum']}"
    return None


def token_of(settings: Settings) -> str:
    """The token to log in with; raise :class:`SettingsError` when none is set."""
    if settings.discord_token is None:
        raise SettingsError(
            "DISCORD_TOKEN is missing: set it in .env, or run `make run` to try the playground."
        )
    return settings.discord_token.get_secret_value()
