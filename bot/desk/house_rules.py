"""House rules: a server's named sets, and the rules that a challenge comes to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from typing import Final

from bot.house import House
from bot.refusals import BadText, ChallengeRefused
from bot.reply import Reply
from bot.ui import options
from bot.ui.escape import name as escaped
from bot.ui.language import _
from bot.ui.page import HouseSet
from bot.ui.pages import house_page, house_set_page
from bot.ui.typed import NotUnderstood
from bot.visit import Visit
from db.ids import ServerId
from db.rows import HouseSetRow
from gin import PRESETS, STANDARD
from gin.errors import MalformedRules
from gin.rules import Rules, Scoring

PLAIN: Final = "plain"
"""The name under which the plain game can be picked where a server has another default."""
UNNAMED: Final = "house"
"""The set that is meant where none is named."""
MOST_SETS: Final = 20
CHOSEN_ELSEWHERE: Final = frozenset({"scoring"})
"""Options of Rules that a challenge chooses itself."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a challenger chose of the terms; None where he left it to the house."""

    variant: str | None = None
    scoring: str | None = None
    target: int | None = None
    house: str | None = None


async def rules_for(house: House, server: ServerId, wanted: Wanted, *, players: int) -> Rules:
    """The rules of a challenge; raise :class:`ChallengeRefused` with the reason why not."""
    base = await _base(house, server, wanted.house)
    try:
        return composed(base, wanted, players=players)
    except MalformedRules as error:
        raise ChallengeRefused(options.refusal_words(error)) from error


def composed(base: Rules, wanted: Wanted, *, players: int) -> Rules:
    """A house set with what the challenger chose on top; raise :class:`MalformedRules`."""
    changes: dict[str, object] = {}
    if wanted.variant is not None:
        preset = PRESETS[wanted.variant]
        if base.knock_limit != preset.knock_limit:
            changes |= {
                "knock_limit": preset.knock_limit,
                "spades_double": preset.spades_double,
            }
    if players == 3:
        if wanted.scoring == Scoring.HOLLYWOOD:
            raise MalformedRules("Hollywood is scored by two players; three play a rotation")
        changes["scoring"] = Scoring.ROTATION
    else:
        changes |= {"scoring": Scoring(wanted.scoring or Scoring.GAME), "finish_rotation": False}
    if wanted.target is not None:
        changes["target"] = wanted.target
    return changed(base, changes)


def changed(rules: Rules, changes: Mapping[str, object]) -> Rules:
    """These rules with some options changed; raise :class:`MalformedRules`."""
    return replace(rules, **changes)  # type: ignore[arg-type]  # Rules checks each value itself


async def _base(house: House, server: ServerId, name: str | None) -> Rules:
    if name is not None and name.strip().casefold() == PLAIN:
        return STANDARD
    sets = await _sets(house, server)
    if name is not None:
        for one in sets:
            if one.name.casefold() == name.strip().casefold():
                return one.rules
        raise ChallengeRefused(
            _(
                "There are no house rules called {name} here. `/gin rules` shows what there is."
            ).format(name=escaped(name))
        )
    return next((one.rules for one in sets if one.is_default), STANDARD)


async def _sets(house: House, server: ServerId) -> tuple[HouseSet, ...]:
    async with house.store.reading() as tx:
        rows = await tx.house_sets.all_of(server)
    return tuple(HouseSet(row.name, Rules.parse(row.rules), row.is_default) for row in rows)


async def in_force(house: House, server: ServerId | None) -> Rules:
    """The rules that a challenge without any choice would have on this server."""
    return STANDARD if server is None else await _base(house, server, None)


async def names(house: House, server: ServerId | None, typed: str) -> list[tuple[str, str]]:
    """The sets to pick from, the plain game among them (for autocomplete)."""
    sets = () if server is None else await _sets(house, server)
    found = [(_("plain (no house rules)"), PLAIN), *((one.name, one.name) for one in sets)]
    wanted = typed.strip().casefold()
    return [pair for pair in found if wanted in pair[0].casefold()]


# ---------------------------------------------------------------------- for those who manage


async def show(house: House, visit: Visit, name: str | None) -> Reply:
    """All sets of a server, or one of them option by option."""
    server = _server(visit)
    sets = await _sets(house, server)
    if name is None:
        return Reply(page=house_page(sets, visit.server_name), in_place=False)
    return Reply(page=house_set_page(_named(sets, name)), in_place=False)


async def set_option(
    house: House, visit: Visit, option: str, value: str, name: str | None
) -> Reply:
    """Change one option of a set; the set is made where it doesn't exist yet."""
    server = _server(visit)
    sets = await _sets(house, server)
    name = _tidy(name or UNNAMED)
    known = next((one for one in sets if one.name == name), None)
    if known is None and len(sets) >= MOST_SETS:
        raise BadText(_("A server keeps at most {most} house sets.").format(most=MOST_SETS))
    try:
        field = _option(option)
        value_of = options.parse_value(field, value)
        rules = with_option(STANDARD if known is None else known.rules, field, value_of)
    except NotUnderstood as error:
        raise BadText(str(error)) from error
    except MalformedRules as error:
        raise BadText(options.refusal_words(error)) from error
    return await _saved(house, visit, name, rules, default=known is not None and known.is_default)


def with_option(rules: Rules, field: str, value: object) -> Rules:
    """A set with one option changed; raise :class:`MalformedRules`.

    A set that completes the rotation is one for three players, any other is kept as one for two.
    """
    changes: dict[str, object] = {field: value}
    if field == "finish_rotation":
        changes["scoring"] = Scoring.ROTATION if value else Scoring.GAME
    return changed(rules, changes)


async def reset(house: House, visit: Visit, option: str | None, name: str | None) -> Reply:
    """Put one option back to the plain game's value, or forget a whole set."""
    server = _server(visit)
    known = _named(await _sets(house, server), _tidy(name or UNNAMED))
    if option is None:
        async with house.store.transaction() as tx:
            await tx.house_sets.drop(server, known.name)
        return await show(house, visit, None)
    try:
        field = _option(option)
        rules = with_option(known.rules, field, getattr(STANDARD, field))
    except NotUnderstood as error:
        raise BadText(str(error)) from error
    except MalformedRules as error:
        raise BadText(options.refusal_words(error)) from error
    return await _saved(house, visit, known.name, rules, default=known.is_default)


async def save_as(house: House, visit: Visit, name: str, copy_of: str | None) -> Reply:
    """Save a set under another name."""
    sets = await _sets(house, _server(visit))
    if len(sets) >= MOST_SETS:
        raise BadText(_("A server keeps at most {most} house sets.").format(most=MOST_SETS))
    rules = _named(sets, copy_of or UNNAMED).rules
    return await _saved(house, visit, _tidy(name), rules, default=False)


async def choose_default(house: House, visit: Visit, name: str) -> Reply:
    """Choose the set that a challenge has when its maker picks none; ``plain`` for no set."""
    server = _server(visit)
    if name.strip().casefold() == PLAIN:
        async with house.store.transaction() as tx:
            await tx.house_sets.no_default(server)
        return await show(house, visit, None)
    known = _named(await _sets(house, server), name)
    return await _saved(house, visit, known.name, known.rules, default=True)


async def _saved(house: House, visit: Visit, name: str, rules: Rules, *, default: bool) -> Reply:
    server = _server(visit)
    before = next((one for one in await _sets(house, server) if one.name == name), None)
    async with house.store.transaction() as tx:
        await tx.house_sets.save(
            HouseSetRow(
                server_id=server,
                name=name,
                rules=rules.dump(),
                is_default=default,
                changed_by=visit.person,
                changed_at=datetime.now(UTC),
            )
        )
    old = STANDARD if before is None else before.rules
    differ = [
        field.name
        for field in fields(Rules)
        if getattr(old, field.name) != getattr(rules, field.name)
    ]
    page = house_set_page(HouseSet(name, rules, default), changed=differ)
    return Reply(page=page, in_place=False)


def _server(visit: Visit) -> ServerId:
    if visit.server is None:
        raise BadText(_("House rules belong to a server. Use this command there."))
    return visit.server


def _named(sets: tuple[HouseSet, ...], name: str) -> HouseSet:
    for one in sets:
        if one.name.casefold() == name.strip().casefold():
            return one
    raise BadText(
        _("There are no house rules called {name}. `/gin-admin house-set` makes them.").format(
            name=escaped(name)
        )
    )


def _tidy(name: str) -> str:
    name = " ".join(name.split())
    if not 1 <= len(name) <= 32 or name.casefold() == PLAIN:
        raise BadText(_("A name has 1 to 32 characters, and *plain* is the game without any."))
    return name


def _option(option: str) -> str:
    field = options.parse_option(option)
    if field in CHOSEN_ELSEWHERE:
        raise NotUnderstood(
            _("The scoring is chosen with each challenge: `/gin challenge`."), option
        )
    return field
