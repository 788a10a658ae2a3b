"""Interactions: made when a person acts, delivered to the bot, answered in time or failed."""

import asyncio
import base64
import secrets
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING

from playground import shapes
from playground.state import access, invoking
from playground.state.events import Event, sees
from playground.state.invoking import CannotInvoke
from playground.state.model import Channel, Guild, Message, User
from playground.state.permissions import IN_DIRECT_MESSAGES, Permission
from playground.wire import Json, require_text

if TYPE_CHECKING:
    from playground.state.world import World

ATTACHMENT_SIZE_LIMIT = 10 * 1024 * 1024
# How many payloads are kept, so that an interaction can be delivered once more.
_REMEMBERED = 2000


class InteractionType(IntEnum):
    """What a person did, with Discord's numbers."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL_SUBMIT = 5


class CallbackType(IntEnum):
    """How a bot may answer first, with Discord's numbers."""

    PONG = 1
    MESSAGE = 4
    DEFERRED_MESSAGE = 5
    DEFERRED_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    MODAL = 9


class State(StrEnum):
    """How far an interaction has come, as the person sees it."""

    WAITING = "waiting"
    """No answer yet; three seconds run."""
    THINKING = "thinking"
    """Deferred: "the bot is thinking"."""
    ANSWERED = "answered"
    FAILED = "failed"
    """ "The application did not respond"."""


@dataclass(slots=True, eq=False)
class Interaction:
    """One act of a person, and what came of it."""

    id: int
    token: str
    type: InteractionType
    user: User
    channel: Channel
    data: Json
    created_at: float
    message: Message | None = None
    """The message that the control sits on; for a modal, that of the control that opened it."""
    parent: "Interaction | None" = None
    """For a modal submit: the interaction whose answer was the modal."""
    nonce: str | None = None
    state: State = State.WAITING
    callback_type: CallbackType | None = None
    ephemeral: bool = False
    """Whether the first answer is seen by the person alone."""
    original: Message | None = None
    """What `@original` means: the answer, or the message that the control sits on."""
    messages: list[Message] = field(default_factory=list)
    """The messages that it made, in order."""
    modal: Json | None = None
    choices: list[Json] | None = None
    token_expired: bool = False
    payload: Json | None = None
    _answered: asyncio.Event | None = None
    _done: asyncio.Event | None = None

    @property
    def answered(self) -> asyncio.Event:
        """Set at the first answer, or when it failed."""
        if self._answered is None:
            self._answered = asyncio.Event()
            if self.state is not State.WAITING:
                self._answered.set()
        return self._answered

    @property
    def done(self) -> asyncio.Event:
        """Set when nothing is awaited any more: no longer waiting or thinking."""
        if self._done is None:
            self._done = asyncio.Event()
            if self.state in {State.ANSWERED, State.FAILED}:
                self._done.set()
        return self._done

    @property
    def guild(self) -> Guild | None:
        """The server that it comes from, if any."""
        return self.channel.guild

    def become(self, state: State) -> None:
        """Go on to another state and wake those who wait for it."""
        self.state = state
        if self._answered is not None:
            self._answered.set()
        if state is not State.THINKING and self._done is not None:
            self._done.set()


class Interactions:
    """All interactions: the way in for people, and the books for the HTTP routes."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self.by_id: dict[int, Interaction] = {}
        self.by_token: dict[str, Interaction] = {}
        self.courier: Callable[[Event], None] = world.emit
        """Takes INTERACTION_CREATE to the bot; a fault may be slow, drop it, or bring it twice."""
        self._waiting: deque[Interaction] = deque()
        self._recent: deque[Interaction] = deque()
        self._timer: asyncio.TimerHandle | None = None
        world.clock.on_move(self.sweep)

    # ------------------------------------------------------------------ people act

    def commands_for(self, user: User, channel: Channel) -> list[Json]:
        """List the commands that a person's client offers in a channel."""
        world = self._world
        if channel.guild is not None and (
            world.bot.id not in channel.guild.members
            or not world.can(user, channel, Permission.USE_APPLICATION_COMMANDS)
        ):
            return []
        commands = dict(world.application.commands)
        if channel.guild is not None:
            commands.update(channel.guild.commands)
        rights = access.permissions(user, channel)
        return [item for item in commands.values() if invoking.offered(item, channel, rights)]

    def create_command(
        self,
        user: User,
        channel: Channel,
        name: str,
        options: Sequence[Json] | Mapping[str, object] = (),
        *,
        nonce: str | None = None,
    ) -> Interaction:
        """Use a slash command: `gin` with nested options, or `gin draw` with its own options.

        Raises CannotInvoke where Discord's client wouldn't send it.
        """
        data = self._command_data(user, channel, name, options, complete=True)
        return self._create(InteractionType.COMMAND, user, channel, data, nonce=nonce)

    def create_autocomplete(
        self,
        user: User,
        channel: Channel,
        name: str,
        options: Sequence[Json],
        *,
        nonce: str | None = None,
    ) -> Interaction:
        """Ask for suggestions for the option that is `focused`."""
        data = self._command_data(user, channel, name, options, complete=False)
        return self._create(InteractionType.AUTOCOMPLETE, user, channel, data, nonce=nonce)

    def create_component(
        self,
        user: User,
        message: Message,
        custom_id: str,
        values: Sequence[object] | None = None,
        *,
        nonce: str | None = None,
    ) -> Interaction:
        """Press a button, or choose values in a select, on a message that the person sees."""
        if message.deleted or not sees(user, message.channel):
            raise CannotInvoke("the message isn't there")
        if message.ephemeral and message.ephemeral_for != user.id:
            raise CannotInvoke("only somebody else sees this message")
        component = self._world.component(message, custom_id)
        if component is None:
            raise CannotInvoke(f"the message has no control {custom_id!r}")
        data = invoking.component_data(self._world, message.channel, component, values)
        return self._create(
            InteractionType.COMPONENT, user, message.channel, data, message=message, nonce=nonce
        )

    def create_modal_submit(
        self,
        user: User,
        opened_by: Interaction,
        values: Mapping[str, object] | Sequence[Json],
        *,
        nonce: str | None = None,
    ) -> Interaction:
        """Submit the modal that an interaction opened.

        `values` maps custom ids to what was entered (text, list, bool), or is the list of
        components as Discord's client sends it.
        """
        if opened_by.modal is None or opened_by.user is not user:
            raise CannotInvoke("no modal is open for this person")
        data = invoking.modal_data(self._world, opened_by.channel, opened_by.modal, values)
        return self._create(
            InteractionType.MODAL_SUBMIT,
            user,
            opened_by.channel,
            data,
            message=opened_by.message,
            parent=opened_by,
            nonce=nonce,
        )

    def _command_data(
        self,
        user: User,
        channel: Channel,
        name: str,
        options: Sequence[Json] | Mapping[str, object],
        *,
        complete: bool,
    ) -> Json:
        first = name.split()[0] if name.split() else ""
        for command in self.commands_for(user, channel):
            if command["name"] == first and command["type"] == 1:
                return invoking.command_data(
                    self._world, channel, command, name.split()[1:], options, complete=complete
                )
        raise CannotInvoke(f"there is no command /{first} here")

    # ------------------------------------------------------------------ to the bot

    def _create(
        self,
        kind: InteractionType,
        user: User,
        channel: Channel,
        data: Json,
        *,
        message: Message | None = None,
        parent: Interaction | None = None,
        nonce: str | None = None,
    ) -> Interaction:
        world = self._world
        try:
            require_text(data)
        except ValueError:
            raise CannotInvoke("half a character can't be sent") from None
        number = world.ids.next()
        token = base64.urlsafe_b64encode(
            f"interaction:{number}:{secrets.token_hex(24)}".encode()
        ).decode()
        interaction = Interaction(
            number, token, kind, user, channel, data, world.clock.now(), message, parent, nonce
        )
        interaction.payload = self._payload(interaction)
        self.by_id[number] = self.by_token[token] = interaction
        self._remember(interaction)
        self._waiting.append(interaction)
        self._arm()
        self.tell(interaction, "INTERACTION_CREATED")
        self.deliver(interaction)
        return interaction

    def deliver(self, interaction: Interaction) -> None:
        """Bring an interaction to the bot; a second time is a redelivery with the same id."""
        if interaction.payload is None:
            raise CannotInvoke("this interaction is too long ago to deliver it again")
        self.courier(
            Event(
                "INTERACTION_CREATE",
                interaction.payload,
                interaction.guild,
                interaction.channel,
                frozenset({self._world.bot.id}),
                interaction,
            )
        )

    def _remember(self, interaction: Interaction) -> None:
        self._recent.append(interaction)
        if len(self._recent) > _REMEMBERED:
            self._recent.popleft().payload = None
        if len(self.by_id) % _REMEMBERED == 0:
            oldest = self._world.clock.now() - 2 * self._world.limits.token_seconds
            for old in [item for item in self.by_id.values() if item.created_at < oldest]:
                del self.by_id[old.id], self.by_token[old.token]

    def _payload(self, interaction: Interaction) -> Json:
        world = self._world
        user, channel, guild = interaction.user, interaction.channel, interaction.guild
        rights = access.permissions(user, channel)
        payload: Json = {
            "id": str(interaction.id),
            "application_id": str(world.application.id),
            "type": interaction.type.value,
            "token": interaction.token,
            "version": 1,
            "data": interaction.data,
            "channel_id": str(channel.id),
            "channel": shapes.channel(channel, seen_by=world.bot, permissions=rights),
            "locale": user.locale,
            "entitlements": [],
            "entitlement_sku_ids": [],
            "attachment_size_limit": ATTACHMENT_SIZE_LIMIT,
            "authorizing_integration_owners": {"0": str(guild.id) if guild else "0"},
            "context": 0 if guild else 1,
        }
        if guild is not None:
            bot = access.permissions(world.bot, channel)
            member = shapes.member(guild.members[user.id])
            member["permissions"] = str(rights.value)
            payload.update(
                guild_id=str(guild.id),
                guild={"id": str(guild.id), "locale": guild.locale, "features": []},
                guild_locale=guild.locale,
                member=member,
                app_permissions=str(bot.value),
            )
        else:
            payload["user"] = shapes.user(user)
            payload["app_permissions"] = str(IN_DIRECT_MESSAGES.value)
        if interaction.message is not None:
            payload["message"] = world.posts.show(interaction.message)
        return payload

    # ------------------------------------------------------------------ time

    def expired(self, interaction: Interaction) -> bool:
        """Tell whether an interaction's token is too old to use (15 minutes)."""
        age = self._world.clock.now() - interaction.created_at
        return interaction.token_expired or age > self._world.limits.token_seconds

    def too_late(self, interaction: Interaction) -> bool:
        """Tell whether the three seconds for a first answer are over."""
        age = self._world.clock.now() - interaction.created_at
        return age > self._world.limits.answer_seconds

    def sweep(self) -> None:
        """Fail what wasn't answered in time, and thinking that went on for too long."""
        while self._waiting:
            first = self._waiting[0]
            if first.state is State.WAITING and not self.too_late(first):
                break
            self._waiting.popleft()
            if first.state is State.WAITING:
                self.fail(first)
        for interaction in self._recent:
            if interaction.state is State.THINKING and self.expired(interaction):
                self.fail(interaction)
        self._arm()

    def fail(self, interaction: Interaction) -> None:
        """Show the person that the bot did not respond."""
        interaction.become(State.FAILED)
        self.tell(interaction, "INTERACTION_FAILURE")

    def tell(self, interaction: Interaction, name: str, more: Json | None = None) -> None:
        """Tell the person's own client how his interaction went."""
        data: Json = {"id": str(interaction.id), "nonce": interaction.nonce, **(more or {})}
        only = frozenset({interaction.user.id})
        self._world.emit(Event(name, data, only=only, subject=interaction))

    def _arm(self) -> None:
        if self._timer is not None or not self._waiting:
            return
        first = self._waiting[0]
        age = self._world.clock.now() - first.created_at
        wait = max(0.0, self._world.limits.answer_seconds - age) + 0.005
        self._timer = asyncio.get_running_loop().call_later(wait, self._ring)

    def _ring(self) -> None:
        self._timer = None
        self.sweep()

    def stop(self) -> None:
        """Let no timer ring any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
