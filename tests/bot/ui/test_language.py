"""One catalogue holds every sentence; a language is chosen per person."""

from __future__ import annotations

import asyncio
from gettext import NullTranslations

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo

from bot.locales import catalogue
from bot.ui import language
from bot.ui.language import _, ngettext, pgettext, speaking


def test_the_template_holds_every_sentence_of_the_sources() -> None:
    fresh, lying = catalogue.known(catalogue.collect()), catalogue.known(catalogue.template())
    assert fresh == lying, "run `python -m bot.locales`"


def test_every_language_has_every_sentence_and_is_compiled() -> None:
    wanted = catalogue.known(catalogue.template())
    assert "en" in catalogue.languages()
    for locale in catalogue.languages():
        translated = catalogue.translated(locale)
        assert catalogue.known(translated) == wanted, "run `python -m bot.locales`"
        compiled = catalogue.LOCALES / locale / "LC_MESSAGES" / "messages.mo"
        assert compiled.read_bytes() == catalogue.compiled(translated)
        with compiled.open("rb") as file:
            assert isinstance(read_mo(file), Catalog)


def test_english_is_spoken_by_default_and_for_unknown_locales() -> None:
    assert _("Help") == "Help"
    with speaking("xx-XX"):
        assert _("Help") == "Help"
        assert ngettext("{count} match in play", "{count} matches in play", 2).startswith(
            "{count} m"
        )
        assert pgettext("card rank", "ace") == "ace"


class Shouting(NullTranslations):
    """A language in which everything is loud."""

    def gettext(self, message: str) -> str:
        return message.upper()


async def test_two_people_at_once_are_answered_each_in_his_language(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = language.catalogue
    monkeypatch.setattr(
        language, "catalogue", lambda locale: Shouting() if locale == "xx" else known(locale)
    )

    async def answer(locale: str) -> str:
        with speaking(locale):
            await asyncio.sleep(0)
            return _("Help")

    assert list(await asyncio.gather(answer("xx"), answer("en"))) == ["HELP", "Help"]
    assert _("Help") == "Help"
