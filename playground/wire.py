"""How values travel: JSON text, times, and the one alias for JSON objects."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, TypeAlias

# Discord's JSON objects differ by kind, and what a bot sends may be anything at all: it is checked
# where it comes in (playground.checks), so the value type stays Any here.
Json: TypeAlias = dict[str, Any]

_encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


def dumps(value: object) -> str:
    """Write a value as compact JSON text."""
    return _encode(value)


def loads(text: str | bytes) -> object:
    """Read JSON text; raises ValueError when it is none, or when a string in it is no text."""
    value: object = json.loads(text)
    written = text if isinstance(text, bytes) else text.encode("utf-8", "replace")
    if b"\\ud" in written.lower():
        require_text(value)
    return value


def require_text(value: object) -> None:
    """Raise ValueError for half a character (a lone surrogate): it can be written down nowhere."""
    dumps(value).encode()


def iso(seconds: float | None) -> str | None:
    """Write Unix seconds as Discord writes times (`2026-01-01T00:00:00.000000+00:00`)."""
    if seconds is None:
        return None
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds")


def as_object(value: object) -> Json:
    """Take a JSON object out of a value that should be one; an empty one for anything else."""
    return dict(value) if isinstance(value, Mapping) else {}


def as_objects(value: object) -> list[Json]:
    """Take the JSON objects out of a list, leaving out whatever else it holds."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def snowflake(value: object) -> int | None:
    """Read an id given as a string or a number; None when it is neither."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, str) and value.isascii() and value.isdecimal():
        return int(value)
    return None
