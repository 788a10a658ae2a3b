"""Application commands: kept as Discord keeps them, for everywhere or for one server."""

from typing import TYPE_CHECKING

from playground.errors import Code, Refused
from playground.state.events import Event
from playground.state.model import Guild
from playground.wire import Json, as_objects

if TYPE_CHECKING:
    from playground.state.world import World

_OWN = ("id", "application_id", "guild_id", "version")


class Commands:
    """The commands for everywhere, or those of one server."""

    def __init__(self, world: "World", guild: Guild | None = None) -> None:
        self._world = world
        self._guild = guild
        self._kept = world.application.commands if guild is None else guild.commands

    def all(self) -> list[Json]:
        """List them."""
        return list(self._kept.values())

    def get(self, command_id: int) -> Json:
        """Find one (10063)."""
        command = self._kept.get(command_id)
        if command is None:
            raise Refused.because(Code.UNKNOWN_COMMAND)
        return command

    def replace(self, sent: list[Json]) -> list[Json]:
        """Keep exactly these; commands of the same name and type keep their ids."""
        known = {_key(command): int(command["id"]) for command in self._kept.values()}
        made = [self._settle(command, known.get(_key(command))) for command in as_objects(sent)]
        self._kept.clear()
        self._kept.update((int(command["id"]), command) for command in made)
        self._tell()
        return made

    def put(self, sent: Json) -> tuple[Json, bool]:
        """Keep one more, or replace the one of the same name; tells whether it is new."""
        known = {_key(command): int(command["id"]) for command in self._kept.values()}
        number = known.get(_key(sent))
        made = self._settle(sent, number)
        self._kept[int(made["id"])] = made
        self._tell()
        return made, number is None

    def change(self, command: Json, changed: Json) -> Json:
        """Put a changed command in a command's place."""
        made = self._settle(changed, int(command["id"]))
        self._kept[int(made["id"])] = made
        self._tell()
        return made

    def delete(self, command: Json) -> None:
        """Forget one."""
        del self._kept[int(command["id"])]
        self._tell()

    def _settle(self, sent: Json, number: int | None) -> Json:
        """Fill in what Discord fills in."""
        world = self._world
        kind = sent.get("type") or 1
        made: Json = {
            "id": str(number if number is not None else world.ids.next()),
            "application_id": str(world.application.id),
            "version": str(world.ids.next()),
            "default_member_permissions": None,
            "type": kind,
            "name": sent["name"],
            "name_localizations": None,
            "description": "",
            "description_localizations": None,
            "dm_permission": True,
            "contexts": None,
            "integration_types": [0],
            "nsfw": False,
        }
        if self._guild is not None:
            made["guild_id"] = str(self._guild.id)
        made.update({key: value for key, value in sent.items() if key not in _OWN})
        made["type"] = kind
        if made["default_member_permissions"] is not None:
            made["default_member_permissions"] = str(made["default_member_permissions"])
        made["integration_types"] = made["integration_types"] or [0]
        if kind == 1:
            made["options"] = as_objects(made.get("options"))
        return made

    def _tell(self) -> None:
        commands = list(self._world.application.commands.values())
        data: Json = {"commands": commands}
        self._world.emit(Event("COMMANDS_UPDATE", data, self._guild))


def _key(command: Json) -> tuple[object, object]:
    return command.get("type") or 1, command["name"]
