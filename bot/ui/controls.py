"""Custom ids: what a control asks for, on which match or challenge, at which version.

Written ``gin:<verb>:<subject>:<version>[:<arg>…]`` and read back by the router; nothing else is
remembered about a control, so it works after any restart (faults.md, rows 7 and 9). Where the
database was set back to a backup, versions come a second time: since then ``<version>`` is followed
by the generation, ``7.692c3f1a``, so that what was shown before counts no more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.ui.limits import CUSTOM_ID
from gin.cards import Card
from gin.errors import Malformed
from gin.melds import Meld

PREFIX: Final = "gin"
_ARG: Final = re.compile(r"[A-Za-z0-9_.-]{0,40}")
_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,19}")
_VERSION: Final = re.compile(r"(0|[1-9][0-9]{0,19})(?:\.([1-9a-f][0-9a-f]{0,9}))?")
_MOST: Final = 2**63 - 1
"""The largest number that a database keeps; Discord's ids end there, too."""


class Verb(StrEnum):
    """What a control asks for. ``subject`` is the match unless said otherwise."""

    DRAW = "draw"
    """args: stock or discard."""
    PASS = "pass"  # noqa: S105
    DISCARD = "discard"
    """A select; its value is the card (``7H``)."""
    KNOCK_MENU = "knock-menu"
    """Open the knock page (args: index, default 0)."""
    KNOCK_PICK = "knock-pick"
    """A select on the knock page; its value is an index into ``choices.knocks``."""
    KNOCK = "knock"
    """args: index into ``choices.knocks`` of the view at that version."""
    KNOCK_TEXT = "knock-text"
    """Answer with ``knock_modal``."""
    KNOCK_TYPED = "knock-typed"
    """The modal's submit: fields ``discard`` and ``melds``; answered with a question."""
    KNOCK_ARRANGED = "knock-arranged"
    """Knock as arranged in the form. args: the discard, the melds (:func:`pack_melds`)."""
    BIG_GIN = "big-gin"
    LAYOFF_PICK = "layoff-pick"
    """A select; its value is an index into ``choices.layoffs``."""
    LAYOFF = "layoff"
    """args: index into ``choices.layoffs`` of the view at that version."""
    LAYOFF_TEXT = "layoff-text"
    """Answer with ``layoff_modal``."""
    LAYOFF_TYPED = "layoff-typed"
    """The modal's submit: fields ``cards`` and ``melds``; answered with a question."""
    LAYOFF_ARRANGED = "layoff-arranged"
    """Lay off as arranged in the form. args: own melds (:func:`pack_melds`), the cards laid off in
    order (:func:`pack_cards`)."""
    LOOK = "look"
    TAKE_BACK = "take-back"
    HAND = "hand"
    """Show the private panel anew in place (refresh, back)."""
    MY_HAND = "my-hand"
    """From the table: show the private panel to the one who pressed."""
    SHEET = "sheet"
    """args: page, from 0; none = the newest."""
    STATUS = "status"
    HELP = "help"
    """args: topic, else the first."""
    HELP_PICK = "help-pick"
    """A select; its value is the topic."""
    RULES_PICK = "rules-pick"
    """A select, its value the topic, or a button, for the first topic.

    subject: the match whose rules these are; 0 for those of the server."""
    RESIGN_MENU = "resign-menu"
    RESIGN = "resign"
    CANCEL_MENU = "cancel-menu"
    CANCEL = "cancel"
    """Agree to call the match off, as another has proposed."""
    PLAY_ON = "play-on"
    """Rather play on than call the match off."""
    CLOSE = "close"
    """Close a match in which nobody has played for long."""
    REMATCH = "rematch"
    ACCEPT = "accept"
    """subject: the challenge."""
    DECLINE = "decline"
    """subject: the challenge."""
    WITHDRAW = "withdraw"
    """subject: the challenge."""
    ACCEPT_WORD = "accept-word"
    """Answer with ``word_modal(accepting=True)``; subject: the challenge."""
    ACCEPT_TYPED = "accept-typed"
    """That modal's submit: field ``word``; subject: the challenge."""
    WORD = "word"
    """Answer with ``word_modal(accepting=False)``; subject: the challenge."""
    WORD_TYPED = "word-typed"
    """That modal's submit: field ``word``; subject: the challenge."""
    WHICH = "which"
    """A select; its value is a match's id. args: the command to complete there (verb, argument)."""
    LEADERBOARD_PAGE = "leaderboard-page"
    """subject: the server; args: page, from 0."""
    WISH = "wish"
    """Change a setting; subject: the person; args: which, on or off."""
    BLOCK_PICK = "block-pick"
    """A select of people; subject: the person who wants to play with them no more."""
    UNBLOCK_PICK = "unblock-pick"
    """A select, its value a person's id; subject: the person whose list it is."""
    PRIVACY = "privacy"
    """Show what is kept; subject: the person."""
    EXPORT = "export"
    """subject: the person."""
    DELETE_MENU = "delete-menu"
    """Ask whether everything shall be deleted; subject: the person."""
    DELETE = "delete"
    """subject: the person."""


@dataclass(frozen=True, slots=True)
class Control:
    """One control; ``version`` is the head of the match's log that its page showed (0: any).

    ``generation`` is the database's at that time, which changes when a backup is restored.
    """

    verb: Verb
    subject: int
    version: int = 0
    args: tuple[str, ...] = ()
    generation: int = 0

    def encode(self) -> str:
        """Write the custom id; raise ValueError for args that could not be read back."""
        bad = [arg for arg in self.args if not _ARG.fullmatch(arg)]
        if bad or min(self.subject, self.version, self.generation) < 0:
            raise ValueError(f"no custom id can hold {self!r}")
        version = f"{self.version}.{self.generation:x}" if self.generation else str(self.version)
        text = ":".join((PREFIX, self.verb, str(self.subject), version, *self.args))
        if len(text) > CUSTOM_ID:
            raise ValueError(f"custom id of {len(text)} characters: {text}")
        return text

    @classmethod
    def parse(cls, custom_id: str) -> Control | None:
        """Read a custom id; None for whatever we did not write (old, foreign, forged)."""
        if len(custom_id) > CUSTOM_ID:
            return None
        parts = custom_id.split(":")
        if len(parts) < 4 or parts[0] != PREFIX or parts[1] not in _VERBS:
            return None
        _prefix, verb, subject, shown, *args = parts
        at = _VERSION.fullmatch(shown)
        if not _NUMBER.fullmatch(subject) or at is None:
            return None
        version, generation = at.groups()
        if not all(_ARG.fullmatch(arg) for arg in args):
            return None
        if max(int(subject), int(version)) > _MOST:
            return None
        return cls(Verb(verb), int(subject), int(version), tuple(args), int(generation or "0", 16))

    @property
    def index(self) -> int:
        """The first arg as a number, 0 where there is none or it is not a number."""
        return int(self.args[0]) if self.args and _NUMBER.fullmatch(self.args[0]) else 0


_VERBS: Final = frozenset(Verb)


def pack_melds(melds: Iterable[Meld]) -> str:
    """Melds as one arg of a control: ``7H8H9H-KCKDKS``; none: ``-``."""
    return "-".join("".join(map(str, meld.cards)) for meld in melds) or "-"


def unpack_melds(arg: str) -> tuple[Meld, ...] | None:
    """Read what :func:`pack_melds` wrote; None for anything else."""
    try:
        return tuple(
            Meld.parse(" ".join(part[at : at + 2] for at in range(0, len(part), 2)))
            for part in arg.split("-")
            if part
        )
    except Malformed:
        return None


def pack_cards(cards: Iterable[Card]) -> str:
    """Cards in order as one arg of a control: ``8H9H``; none: ``-``."""
    return "".join(map(str, cards)) or "-"


def unpack_cards(arg: str) -> tuple[Card, ...] | None:
    """Read what :func:`pack_cards` wrote; None for anything else."""
    if arg == "-":
        return ()
    try:
        return tuple(Card.parse(arg[at : at + 2]) for at in range(0, len(arg), 2))
    except Malformed:
        return None
