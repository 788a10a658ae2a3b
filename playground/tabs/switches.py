"""The faults by name, as the web page's panel turns them: with ids where Python has objects."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from playground.state.model import Channel, Guild, Message, User
from playground.wire import Json, as_object, snowflake

if TYPE_CHECKING:
    from playground.faults import Faults
    from playground.state.world import World


class Switches:
    """Reads a switch's name and value and turns the fault that is meant."""

    def __init__(self, faults: "Faults", world: "World") -> None:
        self._faults = faults
        self._world = world

    def set(self, name: str, value: object) -> None:
        """Turn a switch (see `Faults.set`)."""
        turn = (self._of_requests() | self._of_gateway() | self._of_places()).get(name)
        if turn is None:
            raise KeyError(name)
        turn(as_object(value) if isinstance(value, dict) else {"value": value})

    def _of_requests(self) -> dict[str, Callable[[Json], object]]:
        faults = self._faults
        return {
            "clear": lambda _: faults.clear(),
            "slow": self._slow,
            "http_errors": self._http_errors,
            "rate_limit": self._rate_limit,
            "late": lambda v: setattr(faults, "late_seconds", _number(v, "seconds")),
            "twice": lambda v: setattr(faults, "twice_rate", _number(v, "rate")),
            "lost": lambda v: setattr(faults, "lost_rate", _number(v, "rate")),
        }

    def _of_gateway(self) -> dict[str, Callable[[Json], object]]:
        faults = self._faults
        return {
            "cut_gateway": lambda v: faults.cut_gateway(_number(v, "seconds")),
            "reconnect": lambda _: faults.reconnect(),
            "invalid_session": lambda v: faults.invalid_session(resumable=_on(v, "resumable")),
            "expire_tokens": lambda _: faults.expire_tokens(),
            "move_clock": lambda v: faults.move_clock(_number(v, "seconds")),
            "reset_clock": lambda _: faults.reset_clock(),
        }

    def _of_places(self) -> dict[str, Callable[[Json], object]]:
        faults, world = self._faults, self._world
        return {
            "dms_closed": lambda v: faults.close_dms(
                self._user(v), closed=_on(v, "closed", default=True)
            ),
            "delete_message": lambda v: faults.delete_message(self._message(v)),
            "delete_channel": lambda v: faults.delete_channel(self._channel(v)),
            "archive": lambda v: faults.archive(
                self._channel(v), archived=_on(v, "archived", default=True)
            ),
            "lock": lambda v: faults.lock(self._channel(v), locked=_on(v, "locked", default=True)),
            "permission": self._permission,
            "kick_bot": lambda v: faults.kick_bot(self._guild(v)),
            "invite_bot": lambda v: faults.invite_bot(self._guild(v)),
            "outage": lambda v: faults.outage(self._guild(v), on=_on(v, "on", default=True)),
            "leave": lambda v: faults.leave(self._guild(v), self._user(v)),
            "join": lambda v: world.join(self._guild(v), self._user(v)),
        }

    def _slow(self, value: Json) -> None:
        self._faults.remove_all("slow")
        if seconds := _number(value, "seconds"):
            self._faults.slow(seconds, _pattern(value))

    def _http_errors(self, value: Json) -> None:
        self._faults.remove_all("error")
        if rate := _number(value, "rate"):
            status = int(value.get("status") or 500)
            after = _on(value, "after")
            self._faults.http_errors(status, _pattern(value), rate=rate, after=after)

    def _rate_limit(self, value: Json) -> None:
        self._faults.remove_all("rate_limit")
        if seconds := _number(value, "seconds"):
            self._faults.rate_limit(_pattern(value), seconds)

    def _permission(self, value: Json) -> None:
        user = self._world.bot if value.get("user_id") is None else self._user(value)
        allowed = value.get("allowed")
        self._faults.permission(user, self._channel(value), str(value["name"]), allowed)

    def _user(self, value: Json) -> User:
        return self._world.users[_id(value, "user_id") or 0]

    def _channel(self, value: Json) -> Channel:
        return self._world.channels[_id(value, "channel_id") or 0]

    def _message(self, value: Json) -> Message:
        number = _id(value, "message_id") or 0
        message = self._world.find_message(number)
        if message is None:
            raise KeyError(number)
        return message

    def _guild(self, value: Json) -> Guild:
        """Find the server that is meant; the first one when none is named."""
        number = _id(value, "guild_id")
        guilds = self._world.guilds
        return guilds[number] if number is not None else next(iter(guilds.values()))


def _id(value: Json, name: str) -> int | None:
    return snowflake(value.get(name, value.get("value")))


def _number(value: Json, name: str) -> float:
    return float(value.get(name, value.get("value")) or 0)


def _on(value: Json, name: str, default: bool = False) -> bool:
    return bool(value.get(name, default))


def _pattern(value: Json) -> str:
    return str(value.get("pattern") or "*")
