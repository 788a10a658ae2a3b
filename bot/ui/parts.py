"""The pieces that pages are made of; each keeps within Discord's limits by itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import discord

from bot.ui import limits
from bot.ui.controls import Control
from bot.ui.language import _
from bot.ui.limits import clip
from bot.ui.page import Layout, Page, Picture

Style = discord.ButtonStyle
"""The colours of buttons: primary (blurple), secondary (grey), success (green), danger (red)."""


class Accent(IntEnum):
    """The stripe beside a page, by what it is about."""

    TURN = 0xE0A83A
    """It is the reader's turn."""
    TABLE = 0x2F7D5B
    """The table, and whatever is calm."""
    WON = 0x3BA55D
    LOST = 0x8A8F98
    WARNING = 0xD1495B


@dataclass(frozen=True, slots=True)
class Press:
    """A button: what it asks for and what it says."""

    control: Control
    label: str
    style: Style = Style.secondary
    emoji: str | None = None
    disabled: bool = False


@dataclass(frozen=True, slots=True)
class Link:
    """A button that opens an address."""

    url: str
    label: str


@dataclass(frozen=True, slots=True)
class Option:
    """One line of a select."""

    value: str
    label: str
    description: str = ""
    chosen: bool = False


_DOT: Final = "\u00a0· "
"""A dot between two parts stays with the first: no line begins with it."""


class Composer:
    """Put a page together from top to bottom, in one container.

    Texts are cut where the message's 4,000 characters end; say what matters most first. ``reserve``
    characters are kept for texts added with ``reserved=True``.
    """

    def __init__(self, accent: Accent = Accent.TABLE, *, reserve: int = 0) -> None:
        self._layout = Layout()
        self._box: discord.ui.Container[Layout] = discord.ui.Container(accent_colour=int(accent))
        self._left = limits.TEXT - reserve
        self._reserve = reserve
        self._pictures: list[Picture] = []

    def text(self, text: str, *, reserved: bool = False) -> Composer:
        """Add a text display; nothing for an empty text."""
        room = self._left + (self._reserve if reserved else 0)
        shown = clip(text.strip(), room).replace(" · ", _DOT)
        if shown:
            self._box.add_item(discord.ui.TextDisplay(shown))
            self._left -= len(shown)
        return self

    def note(self, note: str | None) -> Composer:
        """Add a remark on what the reader has just done, set apart."""
        if note:
            self.text("\n".join(f"> {line}" for line in note.strip().splitlines()))
        return self

    def picture(self, picture: Picture | None) -> Composer:
        """Add a picture with its alt text."""
        if picture is not None:
            alt = clip(picture.alt, limits.ALT_TEXT)
            item = discord.MediaGalleryItem(f"attachment://{picture.name}", description=alt)
            self._box.add_item(discord.ui.MediaGallery(item))
            self._pictures.append(Picture(picture.name, alt, picture.render))
        return self

    def file(self, file: Picture | None) -> Composer:
        """Add a file that the reader can save; its description must be short."""
        if file is not None:
            self._box.add_item(discord.ui.File(f"attachment://{file.name}"))
            self._pictures.append(Picture(file.name, clip(file.alt, limits.ALT_TEXT), file.render))
        return self

    def rule(self) -> Composer:
        """Add a thin line."""
        self._box.add_item(discord.ui.Separator())
        return self

    def buttons(self, *presses: Press | Link | None) -> Composer:
        """Add buttons, in rows of five; None is left out."""
        wanted = [press for press in presses if press is not None]
        for start in range(0, len(wanted), limits.BUTTONS):
            row: discord.ui.ActionRow[Layout] = discord.ui.ActionRow()
            for press in wanted[start : start + limits.BUTTONS]:
                row.add_item(_button(press))
            self._box.add_item(row)
        return self

    def select(self, control: Control, placeholder: str, options: Iterable[Option]) -> Composer:
        """Add a select of at most 25 options; nothing when there are none."""
        shown = [_option(option) for option in options][: limits.OPTIONS]
        if shown:
            select: discord.ui.Select[Layout] = discord.ui.Select(
                custom_id=control.encode(),
                placeholder=clip(placeholder, limits.PLACEHOLDER),
                options=shown,
            )
            self._box.add_item(discord.ui.ActionRow(select))
        return self

    def people_select(self, control: Control, placeholder: str) -> Composer:
        """Add a select of one person of the server."""
        select: discord.ui.UserSelect[Layout] = discord.ui.UserSelect(
            custom_id=control.encode(), placeholder=clip(placeholder, limits.PLACEHOLDER)
        )
        self._box.add_item(discord.ui.ActionRow(select))
        return self

    def page(self) -> Page:
        """Finish: the layout with its pictures."""
        self._layout.add_item(self._box)
        return Page(self._layout, tuple(self._pictures))


def _button(press: Press | Link) -> discord.ui.Button[Layout]:
    label = clip(press.label, limits.BUTTON_LABEL)
    if isinstance(press, Link):
        return discord.ui.Button(style=Style.link, label=label, url=press.url)
    return discord.ui.Button(
        style=press.style,
        label=label,
        emoji=press.emoji,
        custom_id=press.control.encode(),
        disabled=press.disabled,
    )


def _option(option: Option) -> discord.SelectOption:
    return discord.SelectOption(
        value=option.value,
        label=clip(option.label, limits.OPTION_LABEL),
        description=clip(option.description, limits.OPTION_DESCRIPTION) or None,
        default=option.chosen,
    )


SUBTLE: Final = "-# "
"""Discord's markdown for a small grey line."""


def lines(*texts: str | None) -> str:
    """The texts that are there, one a line."""
    return "\n".join(text for text in texts if text)


def listed(names: Sequence[str]) -> str:
    """Names in a sentence: ``Ann``, ``Ann and Bob``, ``Ann, Bob and Cat``."""
    if len(names) < 2:
        return "".join(names)
    return _("{names} and {last}").format(names=", ".join(names[:-1]), last=names[-1])


def against(names: Iterable[str]) -> str:
    """Names of people who play each other: ``Ann – Bob``."""
    return _(" – ").join(names)


def dotted(*said: str) -> str:
    """What is said, less what is empty, in one line: ``Ann – Bob · #gin-rummy``."""
    return " · ".join(part for part in said if part)


def bullets(texts: Sequence[str]) -> str:
    """A list, one text a line."""
    return "\n".join(f"- {text}" for text in texts)
