"""The language that is being spoken: gettext catalogues behind one context variable.

Every sentence of the product passes through :func:`_` or :func:`ngettext`. Who answers a person
says ``with speaking(locale):`` around building the page; without it English is spoken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache, wraps
from gettext import NullTranslations, translation
from pathlib import Path
from typing import Final, TypeVarTuple

Ts = TypeVarTuple("Ts")

LOCALES: Final = Path(__file__).resolve().parent.parent / "locales"
"""Where the catalogues lie: ``<locale>/LC_MESSAGES/messages.mo``."""
DEFAULT: Final = "en"
REMEMBERED: Final = 4096
"""Phrases of one kind that are kept at hand."""


@cache
def catalogue(locale: str) -> NullTranslations:
    """The catalogue for a Discord locale such as ``en-GB``; English where there is none."""
    name = locale.replace("-", "_")
    return translation(
        "messages", LOCALES, languages=[name, name.partition("_")[0], DEFAULT], fallback=True
    )


_spoken: ContextVar[NullTranslations | None] = ContextVar("spoken", default=None)


def _catalogue() -> NullTranslations:
    return _spoken.get() or catalogue(DEFAULT)


def remembered(phrase: Callable[[*Ts], str]) -> Callable[[*Ts], str]:
    """Keep at hand what a function of hashable arguments says, in each language for itself."""

    @lru_cache(REMEMBERED)
    def said(_language: NullTranslations, *about: *Ts) -> str:
        return phrase(*about)

    @wraps(phrase)
    def say(*about: *Ts) -> str:
        return said(_catalogue(), *about)

    return say


@contextmanager
def speaking(locale: str) -> Iterator[None]:
    """Speak this locale inside the ``with`` block (in this task only)."""
    token = _spoken.set(catalogue(locale))
    try:
        yield
    finally:
        _spoken.reset(token)


def _(message: str) -> str:
    """The sentence in the spoken language; fill it with ``.format(name=…)`` afterwards."""
    return _catalogue().gettext(message)


def ngettext(singular: str, plural: str, count: int) -> str:
    """The sentence in the form that ``count`` asks for."""
    return _catalogue().ngettext(singular, plural, count)


def pgettext(context: str, message: str) -> str:
    """A word that needs a context to be translated (a rank, a suit)."""
    return _catalogue().pgettext(context, message)
