"""Setting house rules: what those who manage a server do with its sets.

Each change is read, made and written down in one transaction, so that no other is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from typing import Final

from bot.clock import Clock
from bot.desk.house_rules import (
    CHOSEN_ELSEWHERE,
    PLAIN,
    Sets,
    changed,
    find,
    folded,
    read_typed_clock,
    sets_in,
    sets_of,
)
from bot.front.reply import Reply
from bot.front.visit import Visit
from bot.house import House
from bot.refusals import BadText
from bot.ui import options
from bot.ui.clocks import CLOCK, is_option
from bot.ui.escape import clean
from bot.ui.escape import name as escaped
from bot.ui.language import _
from bot.ui.page import HouseSet
from bot.ui.pages import house_page, house_set_page
from bot.ui.typed import NotUnderstood
from db.ids import ServerId
from db.rows import AdminAct, HouseSetRow, NewAdminAct
from gin import STANDARD
from gin.errors import MalformedRules
from gin.rules import Rules, Scoring

UNNAMED: Final = "house"
"""The set that is meant where none is named."""
MOST_SETS: Final = 20
LONGEST_NAME: Final = 32
LONGEST_NOTE: Final = 100


async def show(house: House, visit: Visit, name: str | None) -> Reply:
    """All sets of a server, or one of them option by option."""
    sets = await sets_of(house, _server(visit))
    if name is None:
        return Reply(page=house_page(sets, visit.server_name), in_place=False)
    return Reply(page=house_set_page(_named(sets, name)), in_place=False)


async def set_option(
    house: House, visit: Visit, option: str, value: str, name: str | None
) -> Reply:
    """Change one option of a set; the set is made where it doesn't exist yet."""
    wanted = _tidy(name or UNNAMED)
    if is_option(option):
        return await _set_clock(house, visit, wanted, read_typed_clock(value), value)
    try:
        field = _option(option)
        chosen = options.parse_value(field, value)
    except NotUnderstood as error:
        raise BadText(str(error)) from error

    def change(sets: Sets) -> HouseSet:
        known = find(sets, wanted)
        if known is None:
            _check_room(sets)
            known = HouseSet(wanted, STANDARD)
        return replace(known, rules=_with(known.rules, field, chosen))

    note = f"{wanted}: {option} {value}"
    return await _kept(house, visit, change, _note(house, visit, AdminAct.HOUSE_SET, note))


async def _set_clock(
    house: House, visit: Visit, name: str, clock: Clock | None, typed: str
) -> Reply:
    def change(sets: Sets) -> HouseSet:
        known = find(sets, name)
        if known is None:
            _check_room(sets)
            known = HouseSet(name, STANDARD)
        return replace(known, clock=clock)

    note = f"{name}: {CLOCK} {typed}"
    return await _kept(house, visit, change, _note(house, visit, AdminAct.HOUSE_SET, note))


def _with(rules: Rules, field: str, value: object) -> Rules:
    try:
        return with_option(rules, field, value)
    except MalformedRules as error:
        said = options.clash_words(error, field, rules) or options.refusal_words(error)
        raise BadText(said) from error


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
    if option is None:
        return await _forget(house, visit, name)
    wanted = _tidy(name or UNNAMED)
    act = _note(house, visit, AdminAct.HOUSE_RESET, f"{wanted}: {option}")
    if is_option(option):
        return await _kept(house, visit, lambda sets: replace(_meant(sets, name), clock=None), act)
    try:
        field = _option(option)
    except NotUnderstood as error:
        raise BadText(str(error)) from error

    def change(sets: Sets) -> HouseSet:
        known = _meant(sets, name)
        return replace(known, rules=_with(known.rules, field, getattr(STANDARD, field)))

    return await _kept(house, visit, change, act)


async def _forget(house: House, visit: Visit, name: str | None) -> Reply:
    """Forget a set, even one that can't be read."""
    server = _server(visit)
    wanted = folded(_tidy(name or UNNAMED))
    async with house.store.transaction() as tx:
        rows = await tx.house_sets.all_of(server)
        known = next((row for row in rows if folded(row.name) == wanted), None)
        if known is None:
            raise _none_meant(name, [row.name for row in rows])
        await tx.house_sets.drop(server, known.name)
        await tx.admin.record(_note(house, visit, AdminAct.HOUSE_RESET, known.name))
    said = _("The house rules “{name}” are forgotten.")
    if known.is_default:
        said = _(
            "The house rules “{name}”, the default, are forgotten. From now on challenges here are "
            "for the plain game, unless they name a set."
        )
    sets = await sets_of(house, server)
    note = said.format(name=escaped(known.name))
    return Reply(page=house_page(sets, visit.server_name, note), in_place=False)


async def save_as(house: House, visit: Visit, name: str, copy_of: str | None) -> Reply:
    """Save a set under another name; a set that has this name already is written over."""
    wanted = _tidy(name)
    copied = ""

    def copy(sets: Sets) -> HouseSet:
        nonlocal copied
        source = _source(sets, copy_of)
        copied = source.name
        known = find(sets, wanted)
        if known is None:
            _check_room(sets)
            known = HouseSet(wanted, STANDARD)
        return replace(known, rules=source.rules, clock=source.clock)

    act = _note(house, visit, AdminAct.HOUSE_SAVE, wanted)
    made, _before = await _written(house, visit, copy, act)
    return Reply(page=house_set_page(made, copy_of=copied), in_place=False)


async def choose_default(house: House, visit: Visit, name: str) -> Reply:
    """Choose the set that a challenge has when its maker picks none; ``plain`` for no set."""
    if folded(name) == PLAIN:
        async with house.store.transaction() as tx:
            await tx.house_sets.no_default(_server(visit))
            await tx.admin.record(_note(house, visit, AdminAct.HOUSE_DEFAULT, PLAIN))
        sets = await sets_of(house, _server(visit))
        note = _("From now on challenges here are for the plain game, unless they name a set.")
        return Reply(page=house_page(sets, visit.server_name, note), in_place=False)
    return await _kept(
        house,
        visit,
        lambda sets: replace(_named(sets, name), is_default=True),
        _note(house, visit, AdminAct.HOUSE_DEFAULT, name),
    )


def _note(house: House, visit: Visit, act: AdminAct, said: str) -> NewAdminAct:
    """What the list of acts will say of a change of house rules."""
    note = clean(said, most=LONGEST_NOTE)
    return NewAdminAct(_server(visit), visit.person, act, house.now(), note=note)


async def _kept(
    house: House, visit: Visit, make: Callable[[Sets], HouseSet], act: NewAdminAct
) -> Reply:
    """Write the set that ``make`` makes of those there are, and show what has changed in it."""
    made, before = await _written(house, visit, make, act)
    old = STANDARD if before is None else before.rules
    old_clock = None if before is None else before.clock
    differ = [
        field.name
        for field in fields(Rules)
        if getattr(old, field.name) != getattr(made.rules, field.name)
    ]
    differ += [CLOCK] if made.clock != old_clock else []
    page = house_set_page(made, changed=differ, is_new=before is None, is_unchanged=made == before)
    return Reply(page=page, in_place=False)


async def _written(
    house: House, visit: Visit, make: Callable[[Sets], HouseSet], act: NewAdminAct
) -> tuple[HouseSet, HouseSet | None]:
    """Write the set that ``make`` makes; gives it, and what it was before.

    Read and written in one transaction, so that no other change in between is lost.
    """
    server = _server(visit)
    async with house.store.transaction() as tx:
        sets = await sets_in(tx, server)
        made = make(sets)
        await tx.house_sets.save(
            HouseSetRow(
                server_id=server,
                name=made.name,
                rules=made.rules.dump(),
                is_default=made.is_default,
                changed_by=visit.person,
                changed_at=house.now(),
                clock=None if made.clock is None else made.clock.dump(),
            )
        )
        await tx.admin.record(act)
    return made, find(sets, made.name)


def _server(visit: Visit) -> ServerId:
    if visit.server is None:
        raise BadText(_("House rules belong to a server. Use this command there."))
    return visit.server


def _named(sets: Sets, name: str) -> HouseSet:
    known = find(sets, name)
    if known is None:
        raise _unknown(name)
    return known


def _meant(sets: Sets, name: str | None) -> HouseSet:
    """The set to change back: the one named, else the unnamed one."""
    known = find(sets, _tidy(name or UNNAMED))
    if known is None:
        raise _none_meant(name, [one.name for one in sets])
    return known


def _none_meant(name: str | None, kept: Sequence[str]) -> BadText:
    """Why no set is meant: none has that name, or none was named and there is no usual one."""
    if name is not None:
        return _unknown(_tidy(name))
    if not kept:
        return BadText(
            _(
                "This server has no house rules, so there is nothing to change back. "
                "`/gin-admin house-set` makes some."
            )
        )
    return BadText(
        _("Say which of your house rules you mean: {names}.").format(
            names=", ".join(map(escaped, kept))
        )
    )


def _source(sets: Sets, copy_of: str | None) -> HouseSet:
    """The set to save under another name."""
    if not sets:
        raise BadText(
            _(
                "This server has no house rules yet, so there is nothing to save under another "
                "name. `/gin-admin house-set` makes some."
            )
        )
    if copy_of is None and find(sets, UNNAMED) is None:
        raise BadText(
            _("Say which of your house rules to copy, with the option `copy-of`: {names}.").format(
                names=", ".join(escaped(one.name) for one in sets)
            )
        )
    return _named(sets, copy_of or UNNAMED)


def _unknown(name: str) -> BadText:
    return BadText(
        _("There are no house rules called “{name}”. `/gin-admin house-set` makes them.").format(
            name=escaped(name)
        )
    )


def _check_room(sets: Sets) -> None:
    if len(sets) >= MOST_SETS:
        raise BadText(_("A server keeps at most {most} house sets.").format(most=MOST_SETS))


def _tidy(name: str) -> str:
    """A name as it is kept: what can be seen of it, with one space between words."""
    tidy = clean(name, most=len(name) + 1)
    if not 1 <= len(tidy) <= LONGEST_NAME or folded(tidy) == PLAIN:
        raise BadText(
            _(
                "A name has 1 to {most} characters that can be seen, and *plain* is the game "
                "without any."
            ).format(most=LONGEST_NAME)
        )
    return tidy


def _option(option: str) -> str:
    field = options.parse_option(option)
    if field in CHOSEN_ELSEWHERE:
        raise NotUnderstood(
            _("The scoring is chosen with each challenge: `/gin challenge`."), option
        )
    return field
