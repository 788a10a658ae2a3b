"""House options: one immutable, validated value; presets are values of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

from gin.errors import MalformedRules


class Scoring(StrEnum):
    """How hands add up to a match."""

    GAME = "game"
    HOLLYWOOD = "hollywood"
    ROTATION = "rotation"


class Limit(StrEnum):
    """Knock limits that aren't a fixed number of points."""

    UPCARD = "upcard"
    """The value of the starter, for the whole hand (Oklahoma)."""


class OklahomaAce(StrEnum):
    """What an ace as starter allows."""

    ONE = "one"
    GIN = "gin"


class SpadesDouble(StrEnum):
    """What a spade as starter doubles."""

    OFF = "off"
    DIFFERENCE = "difference"
    ALL = "all"


class Tie(StrEnum):
    """What equal deadwood means."""

    UNDERCUT = "undercut"
    DRAW = "draw"
    NO_BONUS = "no_bonus"


class BoxTiming(StrEnum):
    """When box points are added."""

    AT_END = "at_end"
    AT_ONCE = "at_once"


class Winner(StrEnum):
    """Who wins a finished game."""

    TOTAL = "total"
    FIRST_TO_TARGET = "first_to_target"


class Shutout(StrEnum):
    """What the winner gets when the loser won no hand."""

    NONE = "none"
    DOUBLE = "double"
    PLUS_100 = "plus_100"


class NextDealer(StrEnum):
    """Who deals after a hand that was won."""

    ALTERNATE = "alternate"
    LOSER = "loser"
    WINNER = "winner"


class IllegalKnock(StrEnum):
    """What a declared knock over the limit costs."""

    REFUSE = "refuse"
    EXPOSE = "expose"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """How a match is played: each field is one house option of docs/rules.md, numbers are points.

    A value that exists is valid: one out of its range, or an impossible combination, raises
    :class:`MalformedRules` with the reason. Variants are values (:data:`PRESETS`), and so is what
    a house makes of them: ``dataclasses.replace(OKLAHOMA, target=150)``.
    """

    knock_limit: int | Limit = 10
    """10, 0 (only gin: Straight) or ``Limit.UPCARD`` (the starter's value: Oklahoma)."""
    oklahoma_ace: OklahomaAce = OklahomaAce.ONE
    spades_double: SpadesDouble = SpadesDouble.ALL
    """Of effect only where the limit is the starter's."""
    big_gin: int | None = None
    """The bonus for eleven melded cards, instead of the gin bonus; None: not played."""
    strict_bridge: bool = False
    gin_bonus: int = 25
    undercut_bonus: int = 25
    tie: Tie = Tie.UNDERCUT
    fiftieth_card: bool = False
    draw_cap: int = 100
    illegal_knock: IllegalKnock = IllegalKnock.REFUSE
    target: int = 100
    game_bonus: int = 100
    box_bonus: int = 25
    box_timing: BoxTiming = BoxTiming.AT_END
    winner: Winner = Winner.TOTAL
    shutout: Shutout = Shutout.NONE
    next_dealer: NextDealer = NextDealer.ALTERNATE
    scoring: Scoring = Scoring.GAME
    finish_rotation: bool = False

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            _check_choice(self, name, choices)
        for name, (low, high) in RANGES.items():
            _check_range(name, getattr(self, name), low, high)
        for name in _SWITCHES:
            if type(getattr(self, name)) is not bool:
                raise MalformedRules(f"{name} must be on or off, not {getattr(self, name)!r}")
        _check_limit(self)
        _check_combinations(self)

    @property
    def players(self) -> int:
        """How many people play a match: three in a rotation, else two."""
        return 3 if self.scoring is Scoring.ROTATION else 2

    def check_players(self, players: int) -> None:
        """Raise :class:`MalformedRules` with the reason if these rules don't suit so many."""
        if players == self.players:
            return
        if players == 3 and self.scoring is Scoring.HOLLYWOOD:
            raise MalformedRules("Hollywood is scored by two players; three play a rotation")
        if players == 3:
            raise MalformedRules("three players play a rotation: scoring must be rotation")
        if players == 2:
            raise MalformedRules("a rotation takes three players")
        raise MalformedRules(f"gin is played by two or three people, not {players}")

    def notes(self) -> tuple[Note, ...]:
        """The options that are set (differ from the plain game) without effect, each with why."""
        plain = Rules()
        return tuple(
            note for note in self._idle() if getattr(self, note.field) != getattr(plain, note.field)
        )

    def _idle(self) -> tuple[Note, ...]:
        """Every option that can have no effect beside the others, set or not."""
        idle: list[Note] = []
        if self.knock_limit is not Limit.UPCARD:
            why = "only where the starter sets the knock limit"
            idle += [Note("oklahoma_ace", why), Note("spades_double", why)]
        if self.knock_limit == 0:
            why = "only gin ends a hand, so nobody lays off and nobody is undercut"
            idle += [Note(name, why) for name in ("tie", "undercut_bonus", "strict_bridge")]
        if self.box_bonus == 0:
            idle.append(Note("box_timing", "a box is worth nothing"))
        return tuple(idle)

    def dump(self) -> str:
        """Write the rules as one line: ``v1`` and every field, so that no default is guessed."""
        words = (f"{field.name}={_word(getattr(self, field.name))}" for field in fields(self))
        return " ".join((VERSION, *words))

    @classmethod
    def parse(cls, text: str) -> Rules:
        """Read a line of :meth:`dump`.

        Raise :class:`MalformedRules` for anything else: another version, a field that is missing,
        doubled or unknown, a value out of its range. Nothing is guessed.
        """
        version, *words = text.split() or [""]
        if version != VERSION:
            raise MalformedRules(f"rules of version {version!r}; this program reads {VERSION}")
        given: dict[str, str] = {}
        for word in words:
            name, equals, value = word.partition("=")
            if not equals or name in given:
                raise MalformedRules(f"{word!r} is not one option and its value")
            given[name] = value
        names = [field.name for field in fields(cls)]
        if set(given) != set(names):
            odd = ", ".join(sorted(set(given) ^ set(names)))
            raise MalformedRules(f"options missing or unknown: {odd}")
        return cls(**{name: _value(name, given[name]) for name in names})


@dataclass(frozen=True, slots=True)
class Note:
    """An option that has no effect, and why: ``oklahoma_ace`` counts … ``only where …``."""

    field: str
    why: str


VERSION: Final = "v1"
"""The version of the written form of :class:`Rules`."""

RANGES: Final[Mapping[str, tuple[int, int]]] = MappingProxyType(
    {
        "big_gin": (0, 500),
        "gin_bonus": (0, 500),
        "undercut_bonus": (0, 500),
        "game_bonus": (0, 500),
        "box_bonus": (0, 500),
        "target": (50, 1000),
        "draw_cap": (30, 500),
    }
)
"""The lowest and highest number that each option may have."""

_CHOICES: Final[Mapping[str, type[StrEnum]]] = MappingProxyType(
    {
        "oklahoma_ace": OklahomaAce,
        "spades_double": SpadesDouble,
        "tie": Tie,
        "illegal_knock": IllegalKnock,
        "box_timing": BoxTiming,
        "winner": Winner,
        "shutout": Shutout,
        "next_dealer": NextDealer,
        "scoring": Scoring,
    }
)
_SWITCHES: Final = ("strict_bridge", "fiftieth_card", "finish_rotation")


def _check_choice(rules: Rules, name: str, choices: type[StrEnum]) -> None:
    """Refuse an unknown word; a known one given as plain text becomes the member."""
    value = getattr(rules, name)
    try:
        object.__setattr__(rules, name, choices(value))
    except ValueError:
        words = ", ".join(choices)
        raise MalformedRules(f"{name} must be one of {words}, not {value!r}") from None


def _check_range(name: str, value: object, low: int, high: int) -> None:
    if name == "big_gin" and value is None:
        return
    if type(value) is not int or not low <= value <= high:
        raise MalformedRules(f"{name} must be from {low} to {high}, not {value!r}")


def _check_limit(rules: Rules) -> None:
    limit = rules.knock_limit
    if limit == Limit.UPCARD:
        object.__setattr__(rules, "knock_limit", Limit.UPCARD)
    elif type(limit) is not int or limit not in (0, 10):
        raise MalformedRules(f"knock_limit must be 10, 0 or upcard, not {limit!r}")


def _check_combinations(rules: Rules) -> None:
    """Refuse what cannot go together (docs/rules.md, combinations)."""
    if rules.scoring is Scoring.ROTATION:
        if rules.shutout is not Shutout.NONE:
            raise MalformedRules("shutout is not played in a rotation: it has no single loser")
        if rules.next_dealer is not NextDealer.ALTERNATE:
            raise MalformedRules("next_dealer is not played in a rotation: the deal goes round")
    elif rules.finish_rotation:
        raise MalformedRules("finish_rotation is played only in a rotation of three players")


def _word(value: int | StrEnum | None) -> str:
    if value is None:
        return "off"
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def _value(name: str, word: str) -> Any:  # noqa: ANN401
    """What ``word`` says for the field ``name``; the constructor checks the rest.

    Any: the fields differ in type, and the constructor checks each at run time.
    """
    if name in _SWITCHES:
        if word not in ("on", "off"):
            raise MalformedRules(f"{name} must be on or off, not {word!r}")
        return word == "on"
    if name == "big_gin" and word == "off":
        return None
    if name in RANGES or (name == "knock_limit" and word != Limit.UPCARD):
        if not (word.isascii() and word.isdigit() and word == (word[:9].lstrip("0") or "0")):
            raise MalformedRules(f"{name} must be a number, not {word!r}")
        return int(word)
    return word


STANDARD: Final = Rules()
"""The plain game: knock with ten or less."""
OKLAHOMA: Final = Rules(knock_limit=Limit.UPCARD, spades_double=SpadesDouble.ALL)
"""The starter sets the limit, and a spade doubles the hand."""
STRAIGHT: Final = Rules(knock_limit=0)
"""Only gin ends a hand."""

PRESETS: Final[Mapping[str, Rules]] = MappingProxyType(
    {"standard": STANDARD, "oklahoma": OKLAHOMA, "straight": STRAIGHT}
)
"""The variants by name."""
