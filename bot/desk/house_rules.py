"""House rules: a server's named sets as they are read, and the rules that a challenge comes to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from bot.clock import Clock, MalformedClock
from bot.house import House
from bot.refusals import BadText, ChallengeRefused, Refusal
from bot.ui import options
from bot.ui.clocks import read_clock
from bot.ui.escape import clean, legible
from bot.ui.escape import name as escaped
from bot.ui.language import _
from bot.ui.page import HouseSet
from bot.ui.typed import NotUnderstood
from db.ids import ServerId
from db.rows import HouseSetRow
from db.store import Transaction
from gin import PRESETS, STANDARD
from gin.errors import MalformedRules
from gin.rules import Rules, Scoring

PLAIN: Final = "plain"
"""The name under which the plain game can be picked where a server has another default."""
CHOSEN_ELSEWHERE: Final = frozenset({"scoring"})
"""Options of Rules that a challenge chooses itself."""


Sets = tuple[HouseSet, ...]


class UnreadableRules(Refusal):
    """House rules that this version of the program can't read; they are never guessed at."""

    def __init__(self, name: str) -> None:
        super().__init__(
            _(
                "The house rules “{name}” were written by another version of this program, so they "
                "can't be played now. `/gin-admin house-reset` forgets them, and `house: plain` "
                "plays without."
            ).format(name=escaped(name))
        )


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a challenger chose of the terms; None where he left it to the house."""

    variant: str | None = None
    scoring: str | None = None
    target: int | None = None
    house: str | None = None
    clock: str | None = None
    """As typed; None for what the house set says."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """What a challenge is to be played by; ``house`` is the name of the set it is based on."""

    rules: Rules
    house: str | None


async def proposed(house: House, server: ServerId, wanted: Wanted, *, players: int) -> Proposed:
    """The terms of a challenge; raise :class:`ChallengeRefused` with the reason why not."""
    base = await _base(house, server, wanted.house)
    try:
        return Proposed(composed(base.rules, wanted, players=players), base.house)
    except MalformedRules as error:
        said = options.refusal_words(error)
        if base.house is not None and _can_be_played(STANDARD, wanted, players):
            said += " " + _(
                "That is because of the house rules “{name}”: pick others as `house`, or *plain*."
            ).format(name=escaped(base.house))
        raise ChallengeRefused(said) from error


def _can_be_played(base: Rules, wanted: Wanted, players: int) -> bool:
    try:
        composed(base, wanted, players=players)
    except MalformedRules:
        return False
    return True


def composed(base: Rules, wanted: Wanted, *, players: int) -> Rules:
    """A house set with what the challenger chose on top; raise :class:`MalformedRules`."""
    changes: dict[str, object] = {}
    if wanted.variant is not None:
        # How this house plays Oklahoma (ace, spades) stays as its set says.
        changes["knock_limit"] = PRESETS[wanted.variant].knock_limit
    if players == 3 and wanted.scoring != Scoring.HOLLYWOOD:
        changes["scoring"] = Scoring.ROTATION
    else:
        changes["scoring"] = Scoring(wanted.scoring or Scoring.GAME)
        if players == 3:
            changes["finish_rotation"] = False  # that the scoring is refused is what has to be said
    if wanted.target is not None:
        changes["target"] = wanted.target
    rules = changed(base, changes)
    rules.check_players(players)
    return rules


def changed(rules: Rules, changes: Mapping[str, object]) -> Rules:
    """These rules with some options changed; raise :class:`MalformedRules`."""
    return replace(rules, **changes)  # type: ignore[arg-type]  # Rules checks each value itself


async def _base(house: House, server: ServerId, name: str | None) -> Proposed:
    plain = Proposed(STANDARD, None)
    if name is not None and folded(name) == PLAIN:
        return plain
    sets = await sets_of(house, server)
    if name is None:
        known = next((one for one in sets if one.is_default), None)
        return plain if known is None else Proposed(known.rules, known.name)
    known = find(sets, name)
    if known is None:
        raise ChallengeRefused(
            _(
                "There are no house rules called “{name}” here. "
                "Pick from the list that opens while you type."
            ).format(name=escaped(name))
        )
    return Proposed(known.rules, known.name)


async def clock_for(house: House, server: ServerId, wanted: Wanted) -> Clock | None:
    """The clock of a challenge: what was chosen, else that of the house set; None for none.

    Raise :class:`BadText` for what is no clock, :class:`ChallengeRefused` for an unknown set.
    """
    if wanted.clock is not None and wanted.clock.strip():
        return read_typed_clock(wanted.clock)
    if wanted.house is not None and folded(wanted.house) == PLAIN:
        return None
    sets = await sets_of(house, server)
    if wanted.house is None:
        return next((one.clock for one in sets if one.is_default), None)
    known = find(sets, wanted.house)
    return None if known is None else known.clock


def read_typed_clock(typed: str) -> Clock | None:
    """The clock that was typed, None for none; raise :class:`BadText`."""
    try:
        return read_clock(typed)
    except NotUnderstood as error:
        raise BadText(str(error)) from error


async def sets_of(house: House, server: ServerId) -> Sets:
    """All sets of a server; raise :class:`UnreadableRules`."""
    async with house.store.reading() as tx:
        return await sets_in(tx, server)


async def sets_in(tx: Transaction, server: ServerId) -> Sets:
    """The same within one transaction."""
    found: list[HouseSet] = []
    for row in await tx.house_sets.all_of(server):
        try:
            clock = None if row.clock is None else Clock.parse(row.clock)
            found.append(HouseSet(row.name, Rules.parse(row.rules), row.is_default, clock))
        except (MalformedRules, MalformedClock) as error:
            raise UnreadableRules(row.name) from error
    return tuple(found)


async def in_force(house: House, server: ServerId) -> Proposed:
    """The rules that a challenge without any choice would have on this server."""
    return await _base(house, server, None)


async def names(house: House, server: ServerId | None, typed: str) -> list[tuple[str, str]]:
    """The sets to pick from (for autocomplete): what begins as typed first, the plain game last.

    Somebody who types a name and takes the first suggestion must get the set of that name.
    """
    known: tuple[HouseSetRow, ...] = ()
    if server is not None:
        async with house.store.reading() as tx:
            known = await tx.house_sets.all_of(server)
    wanted = legible(typed).strip().casefold()
    fitting = [row.name for row in known if wanted in row.name.casefold()]
    fitting.sort(key=lambda name: (not name.casefold().startswith(wanted), len(name), name))
    plain = _("plain: the game as it is")
    offered = [(plain, PLAIN)] if wanted in plain.casefold() else []
    return [(name, name) for name in fitting] + offered


def find(sets: Sets, name: str) -> HouseSet | None:
    """The set of this name, however it is capitalised and spaced."""
    wanted = folded(name)
    return next((one for one in sets if folded(one.name) == wanted), None)


def folded(name: str) -> str:
    """A name as it is compared: what can be seen of it, in no case."""
    return clean(name, most=len(name) + 1).casefold()
