"""What happens in the world, told to whoever listens: gateway sessions, web pages, tests."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from playground.state.model import Channel, Guild, User
from playground.state.permissions import can_view
from playground.wire import Json, dumps


@dataclass(slots=True, eq=False)
class Event:
    """One happening, named and shaped as Discord dispatches it.

    `only` names the users who may see it; without it everybody does who sees the channel, or is in
    the server, or (with neither) anybody. `pings` are those whom a new message notifies.
    """

    name: str
    data: Json
    guild: Guild | None = None
    channel: Channel | None = None
    only: frozenset[int] | None = None
    subject: object = None
    pings: frozenset[int] = frozenset()
    _text: str | None = field(default=None, repr=False)

    @property
    def text(self) -> str:
        """The data as JSON text, written once for all listeners."""
        if self._text is None:
            self._text = dumps(self.data)
        return self._text

    def visible_to(self, user: User) -> bool:
        """Tell whether this user's client would hear of it."""
        if self.only is not None:
            return user.id in self.only
        if self.channel is not None:
            return sees(user, self.channel)
        return self.guild is None or user.id in self.guild.members


Listener: TypeAlias = Callable[[Event], None]


def sees(user: User, channel: Channel) -> bool:
    """Tell whether a user sees a channel, thread or direct message."""
    if channel.is_dm:
        return user in channel.recipients
    if channel.guild is None:
        return False
    member = channel.guild.members.get(user.id)
    return member is not None and can_view(channel, member)
