"""What Discord's client does before it sends: offers commands, checks options, fills in data."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from playground import shapes
from playground.state import components as kinds
from playground.state.model import Channel, User
from playground.state.permissions import Permission
from playground.wire import Json, as_objects, snowflake

if TYPE_CHECKING:
    from playground.state.world import World

SUBCOMMAND, GROUP, STRING, INTEGER, BOOLEAN = 1, 2, 3, 4, 5
USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, ATTACHMENT = 6, 7, 8, 9, 10, 11
_RESOLVES = {USER: "users", CHANNEL: "channels", ROLE: "roles"}


class CannotInvoke(Exception):
    """Discord's client wouldn't let the person do this; the sentence says why."""


def offered(command: Json, channel: Channel, rights: Permission) -> bool:
    """Tell whether a client offers this command here to somebody with these rights."""
    contexts = command.get("contexts")
    here = 1 if channel.is_dm else 0
    if contexts is not None and here not in contexts:
        return False
    if channel.is_dm:
        return command.get("dm_permission") is not False
    needed = command.get("default_member_permissions")
    if needed is None or rights & Permission.ADMINISTRATOR:
        return True
    return needed != "0" and not int(needed) & ~rights.value


class Resolved:
    """Gathers the objects that ids in an interaction's data stand for."""

    def __init__(self, world: "World", channel: Channel) -> None:
        self._world = world
        self._channel = channel
        self.data: Json = {}

    def add(self, kind: int, value: object) -> str:
        """Look an id up as this kind of option or select; returns it as text."""
        number = value.id if hasattr(value, "id") else snowflake(value)
        if not isinstance(number, int):
            raise CannotInvoke(f"{value!r} is no id")
        for one in (USER, ROLE) if kind == MENTIONABLE else (kind,):
            if self._find(one, number):
                return str(number)
        raise CannotInvoke(f"there is no such {_RESOLVES.get(kind, 'thing')[:-1]} here: {number}")

    def _find(self, kind: int, number: int) -> bool:
        guild, key = self._channel.guild, str(number)
        if kind == USER and number in self._world.users:
            person = self._world.users[number]
            self.data.setdefault("users", {})[key] = shapes.user(person)
            if guild is not None and number in guild.members:
                member = shapes.member(guild.members[number], with_user=False)
                rights = self._world.permissions_in(person, self._channel)
                member["permissions"] = str(rights.value)
                self.data.setdefault("members", {})[key] = member
            return True
        if kind == ROLE and guild is not None and number in guild.roles:
            self.data.setdefault("roles", {})[key] = shapes.role(guild.roles[number])
            return True
        if kind == CHANNEL and guild is not None and number in guild.channels:
            place = guild.channels[number]
            shown = shapes.channel(place, permissions=Permission.VIEW_CHANNEL)
            self.data.setdefault("channels", {})[key] = shown
            return True
        return False


def command_data(
    world: "World",
    channel: Channel,
    command: Json,
    path: Sequence[str],
    options: Sequence[Json] | Mapping[str, object],
    *,
    complete: bool,
) -> Json:
    """Make the data of a command; `complete` refuses what a sent command must not lack."""
    resolved = Resolved(world, channel)
    given: list[Json] = (
        [{"name": name, "value": value} for name, value in options.items()]
        if isinstance(options, Mapping)
        else list(options)
    )
    for name in reversed(path):
        given = [{"name": name, "options": given}]
    data: Json = {"id": command["id"], "name": command["name"], "type": 1}
    if "guild_id" in command:
        data["guild_id"] = command["guild_id"]
    filled = _fill(as_objects(command.get("options")), given, resolved, complete=complete)
    if filled:
        data["options"] = filled
    if resolved.data:
        data["resolved"] = resolved.data
    return data


def _fill(
    known: list[Json], given: list[Json], resolved: Resolved, *, complete: bool
) -> list[Json]:
    by_name = {option["name"]: option for option in known}
    inner = any(option["type"] in {SUBCOMMAND, GROUP} for option in known)
    if inner and len(given) != 1:
        raise CannotInvoke("one of the subcommands has to be chosen")
    filled = []
    for option in given:
        definition = by_name.get(str(option.get("name")))
        if definition is None:
            raise CannotInvoke(f"there is no option {option.get('name')!r}")
        if definition["type"] in {SUBCOMMAND, GROUP}:
            own = _fill(
                as_objects(definition.get("options")),
                as_objects(option.get("options")),
                resolved,
                complete=complete,
            )
            filled.append({"name": option["name"], "type": definition["type"], "options": own})
            continue
        filled.append(_value(definition, option, resolved, complete=complete))
    if complete:
        names = {option.get("name") for option in given}
        for definition in known:
            if definition.get("required") and definition["name"] not in names:
                raise CannotInvoke(f"the option {definition['name']!r} is required")
    return filled


def _value(definition: Json, option: Json, resolved: Resolved, *, complete: bool) -> Json:
    kind, value = definition["type"], option.get("value")
    sent: Json = {"name": definition["name"], "type": kind, "value": value}
    if option.get("focused"):
        sent.update(value=str(value), focused=True)
        return sent
    if kind in {USER, CHANNEL, ROLE, MENTIONABLE}:
        if isinstance(value, User) or complete or snowflake(value) is not None:
            sent["value"] = resolved.add(kind, value)
        return sent
    if complete:
        _check_value(definition, value)
    return sent


def focused_type(data: Json) -> int | None:
    """Tell the type of the option that an autocomplete asks about; None when there is none."""
    options = as_objects(data.get("options"))
    while options:
        inner: list[Json] = []
        for option in options:
            if option.get("focused"):
                return int(option["type"])
            inner.extend(as_objects(option.get("options")))
        options = inner
    return None


def _check_value(definition: Json, value: object) -> None:
    name, kind = definition["name"], definition["type"]
    right = {STRING: str, INTEGER: int, BOOLEAN: bool}.get(kind)
    fits = isinstance(value, right) if right else isinstance(value, int | float)
    if not fits or (kind in {INTEGER, NUMBER} and isinstance(value, bool)):
        raise CannotInvoke(f"{value!r} doesn't fit the option {name!r}")
    choices = as_objects(definition.get("choices"))
    if choices and value not in [choice["value"] for choice in choices]:
        raise CannotInvoke(f"{value!r} isn't among the choices of {name!r}")
    if isinstance(value, str):
        size: float = len(value)
        low, high = definition.get("min_length"), definition.get("max_length")
        high = 6000 if high is None else high
        if not value:
            raise CannotInvoke(f"the option {name!r} is empty")
    elif isinstance(value, int | float):
        size, low, high = value, definition.get("min_value"), definition.get("max_value")
    else:
        return
    if (low is not None and size < low) or (high is not None and size > high):
        raise CannotInvoke(f"{value!r} is out of range for {name!r}")


def component_data(
    world: "World", channel: Channel, component: Json, values: Sequence[object] | None
) -> Json:
    """Make the data of a press or a choice; refuses what the control doesn't offer."""
    if component.get("disabled"):
        raise CannotInvoke("the control is disabled")
    data: Json = {
        "component_type": component["type"],
        "custom_id": component["custom_id"],
        "id": component["id"],
    }
    if component["type"] in kinds.SELECTS:
        resolved = Resolved(world, channel)
        data["values"] = _chosen(component, values or (), resolved)
        if resolved.data:
            data["resolved"] = resolved.data
    elif values:
        raise CannotInvoke("a button takes no values")
    return data


_SELECT_KIND = {
    kinds.USER_SELECT: USER,
    kinds.ROLE_SELECT: ROLE,
    kinds.MENTIONABLE_SELECT: MENTIONABLE,
    kinds.CHANNEL_SELECT: CHANNEL,
}


def _chosen(component: Json, values: Sequence[object], resolved: Resolved) -> list[str]:
    low = component.get("min_values")
    high = component.get("max_values")
    low, high = 1 if low is None else low, 1 if high is None else high
    if not low <= len(values) <= high:
        raise CannotInvoke(f"{low} to {high} values have to be chosen, not {len(values)}")
    kind = _SELECT_KIND.get(component["type"])
    if kind is not None:
        return [resolved.add(kind, value) for value in values]
    known = {option["value"] for option in as_objects(component.get("options"))}
    for value in values:
        if value not in known:
            raise CannotInvoke(f"{value!r} isn't among the options")
    return [str(value) for value in values]


def modal_data(
    world: "World",
    channel: Channel,
    modal: Json,
    values: Mapping[str, object] | Sequence[Json],
) -> Json:
    """Make the data of a modal's submit; what isn't given keeps what the modal started with."""
    data: Json = {"custom_id": modal["custom_id"]}
    if not isinstance(values, Mapping):
        values = _entered(values)
    resolved = Resolved(world, channel)
    unknown = set(values) - {
        part["custom_id"] for part in kinds.walk(modal["components"]) if "custom_id" in part
    }
    if unknown:
        raise CannotInvoke(f"the modal has no field {min(unknown)!r}")
    data["components"] = [
        _modal_part(component, values, resolved) for component in as_objects(modal["components"])
    ]
    if resolved.data:
        data["resolved"] = resolved.data
    return data


def _entered(components: Sequence[Json]) -> dict[str, object]:
    return {
        str(part["custom_id"]): part["values"] if "values" in part else part.get("value")
        for part in kinds.walk(list(components))
        if "custom_id" in part
    }


def _modal_part(component: Json, values: Mapping[str, object], resolved: Resolved) -> Json:
    part: Json = {"type": component["type"], "id": component.get("id", 0)}
    if component["type"] == kinds.ACTION_ROW:
        inner = as_objects(component.get("components"))
        part["components"] = [_field(one, values, resolved) for one in inner]
    elif component["type"] == kinds.LABEL:
        part["component"] = _field(component["component"], values, resolved)
    return part


def _field(component: Json, values: Mapping[str, object], resolved: Resolved) -> Json:
    custom_id, kind = component["custom_id"], component["type"]
    part: Json = {"type": kind, "id": component.get("id", 0), "custom_id": custom_id}
    required = component.get("required") is not False
    given = values.get(custom_id)
    if kind == kinds.TEXT_INPUT:
        text = str(component.get("value") or "") if given is None else str(given)
        low, high = component.get("min_length") or 0, component.get("max_length") or 4000
        if (required and not text) or (text and not low <= len(text) <= high):
            raise CannotInvoke(f"the field {custom_id!r} has {len(text)} characters")
        part["value"] = text
    elif kind in kinds.SELECTS:
        chosen = _started_with(component) if given is None else given
        if not isinstance(chosen, list | tuple):
            chosen = [chosen]
        if required or chosen:
            part["values"] = _chosen(component, chosen, resolved)
        else:
            part["values"] = []
    elif kind == kinds.CHECKBOX:
        part["value"] = bool(component.get("default") if given is None else given)
    elif kind == kinds.RADIO_GROUP:
        started = _started_with(component)
        part["value"] = given if given is not None else (started[0] if started else None)
        if required and part["value"] is None:
            raise CannotInvoke(f"the field {custom_id!r} is required")
    else:
        part["values"] = (
            list(given) if isinstance(given, list | tuple) else _started_with(component)
        )
    return part


def _started_with(component: Json) -> list[str]:
    options = as_objects(component.get("options"))
    return [str(option["value"]) for option in options if option.get("default")]
