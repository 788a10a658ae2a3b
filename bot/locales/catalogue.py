"""Collecting the bot's sentences into ``messages.pot``, and each language's files."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

LOCALES: Final = Path(__file__).resolve().parent
ROOT: Final = LOCALES.parent.parent
TEMPLATE: Final = LOCALES / "messages.pot"
SOURCES: Final = ("bot", "cogs")
"""Folders whose Python files speak to people."""
_KEYWORDS: Final[Mapping[str, tuple[int | tuple[int, str], ...] | None]] = {
    "_": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
}
_MADE: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""A fixed date in the headers, so that files change only when sentences do."""


def collect() -> Catalog:
    """Read all sentences from the sources."""
    catalog = _catalog(None)
    for folder in SOURCES:
        found = extract_from_dir(
            ROOT / folder, [("**.py", "python")], keywords=dict(_KEYWORDS), comment_tags=()
        )
        for name, _line, message, _comments, context in sorted(found, key=lambda one: one[:2]):
            catalog.add(message, locations=[(f"{folder}/{name}", 0)], context=context)
    return catalog


def known(catalog: Catalog) -> set[tuple[str | None, str | tuple[str, ...]]]:
    """The sentences of a catalogue: context and text (or singular and plural)."""
    return {
        (message.context, tuple(message.id) if isinstance(message.id, list) else message.id)
        for message in _messages(catalog)
    }


def template() -> Catalog:
    """Read ``messages.pot`` as it lies there."""
    with TEMPLATE.open("rb") as file:
        return read_po(file)


def languages() -> tuple[str, ...]:
    """The locales that have a catalogue, in alphabetical order."""
    return tuple(sorted(path.parent.parent.name for path in LOCALES.glob("*/*/messages.po")))


def translated(locale: str) -> Catalog:
    """Read a language's catalogue."""
    with _path(locale, "po").open("rb") as file:
        return read_po(file, locale=locale)


def compiled(catalog: Catalog) -> bytes:
    """A catalogue in the binary form that gettext reads."""
    written = io.BytesIO()
    write_mo(written, catalog)
    return written.getvalue()


def update() -> tuple[Path, ...]:
    """Write the template anew and carry its sentences into every language; the files written."""
    fresh = collect()
    _write(TEMPLATE, fresh)
    written = [TEMPLATE]
    for locale in languages() or ("en",):
        path = _path(locale, "po")
        path.parent.mkdir(parents=True, exist_ok=True)
        catalog = _catalog(locale)
        if path.exists():
            catalog = translated(locale)
        catalog.update(fresh, no_fuzzy_matching=True, update_creation_date=False)
        catalog.revision_date = _MADE
        catalog.obsolete.clear()
        _write(path, catalog)
        _path(locale, "mo").write_bytes(compiled(catalog))
        written += [path, _path(locale, "mo")]
    return tuple(written)


def _catalog(locale: str | None) -> Catalog:
    return Catalog(
        locale=locale,
        project="Ginhouse",
        version="1",
        copyright_holder="the Ginhouse authors",
        creation_date=_MADE,
        revision_date=_MADE,
        last_translator="the Ginhouse authors",
        language_team="the Ginhouse authors",
        msgid_bugs_address="",
        fuzzy=False,
        header_comment="# The sentences of Ginhouse. MIT licence.",
    )


def _messages(catalog: Catalog) -> Iterator[Message]:
    return (message for message in catalog if message.id)


def _path(locale: str, kind: str) -> Path:
    return LOCALES / locale / "LC_MESSAGES" / f"messages.{kind}"


def _write(path: Path, catalog: Catalog) -> None:
    written = io.BytesIO()
    write_po(written, catalog, width=100, include_lineno=False, sort_output=True)
    path.write_bytes(written.getvalue())
