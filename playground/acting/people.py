"""Drives a person in tests as Discord's client would: what it doesn't offer can't be done.

ada, ben = people(playground, "Ada", "Ben")
table = ada.channel("gin-table")
challenge = await ada.slash(table, "gin challenge", opponent=ben, target=50)
assert "Ben" in challenge.text
accepted = await ben.press(challenge, "Accept")
hand = await ada.sees(ada.dm(), "deadwood")
await ada.press(hand, "Draw from stock")
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Self, TypeAlias, TypeVar

from playground.acting import reading
from playground.acting.answer import Answer, Choice, Kind
from playground.acting.reading import buttons, select_options, text_of
from playground.state.components import SELECTS
from playground.state.events import Event, sees
from playground.state.interactions import Interaction, InteractionType
from playground.state.invoking import CannotInvoke
from playground.state.model import Channel, Message, MessageFlag, User
from playground.wire import Json

if TYPE_CHECKING:
    from playground.server import Playground

__all__ = [
    "Answer",
    "CannotInvoke",
    "Choice",
    "Kind",
    "NotSeen",
    "Person",
    "buttons",
    "people",
    "select_options",
    "text_of",
]

T = TypeVar("T")

PATIENCE = 10.0
"""Seconds that tests wait for something to appear before they fail."""
_LOOK_ANYWAY = 0.25
"""Seconds after which a condition is looked at even if nothing happened in the world."""


class NotSeen(AssertionError):
    """What a test waited for did not come; says what was there instead."""


Place: TypeAlias = "Channel | Person | str"
On: TypeAlias = Message | Answer


class Person:
    """A user of the playground, and what he does and sees.

    Where a channel is asked for, its name will do (`"gin-table"`); a Person stands for the
    direct messages between him and the bot.
    """

    def __init__(self, playground: Playground, user: User) -> None:
        self.playground = playground
        self.world = playground.world
        self.user = user

    def __repr__(self) -> str:
        return f"<Person {self.user.name}>"

    @classmethod
    def of(cls, playground: Playground, name: str) -> Self:
        """Find somebody by his shown name or username, whatever its case."""
        wanted = name.casefold()
        for user in playground.world.users.values():
            if not user.bot and wanted in {user.username.casefold(), user.name.casefold()}:
                return cls(playground, user)
        known = ", ".join(user.name for user in playground.world.users.values() if not user.bot)
        raise LookupError(f"nobody here is called {name!r}; there are {known}")

    @classmethod
    def new(cls, playground: Playground, name: str, *, joins: bool = True) -> Self:
        """Make somebody new, who joins every server unless told otherwise."""
        world = playground.world
        username = f"{name.casefold().replace(' ', '_')}{len(world.users)}"
        user = world.add_user(username, global_name=name)
        if joins:
            for guild in world.guilds.values():
                world.join(guild, user)
        return cls(playground, user)

    @property
    def id(self) -> int:
        """The user's id."""
        return self.user.id

    @property
    def name(self) -> str:
        """The name that others see."""
        return self.user.name

    # ------------------------------------------------------------------ places and messages

    def channel(self, where: Place) -> Channel:
        """Find a channel, thread or direct message that this person sees."""
        if isinstance(where, Person):
            return where.dm()
        if isinstance(where, Channel):
            return where
        wanted = where.removeprefix("#")
        for channel in self.world.channels.values():
            if channel.name == wanted and sees(self.user, channel):
                return channel
        raise LookupError(f"{self.name} sees no channel {where!r}")

    def dm(self) -> Channel:
        """Find or open the direct messages between this person and the bot."""
        return self.world.dm(self.user)

    def messages(self, where: Place) -> list[Message]:
        """List what this person sees in a channel, oldest first, with what only he sees."""
        return self.world.visible_messages(self.user, self.channel(where))

    def last(self, where: Place) -> Message:
        """Give the newest message that this person sees in a channel."""
        seen = self.messages(where)
        if not seen:
            raise NotSeen(f"{self.name} sees nothing in {self._called(where)}")
        return seen[-1]

    def text(self, where: Place) -> str:
        """Read everything that this person sees in a channel."""
        return "\n".join(text_of(message) for message in self.messages(where))

    def everything(self) -> list[Message]:
        """List all messages that this person sees anywhere, oldest first."""
        places = [channel for channel in self.world.channels.values() if sees(self.user, channel)]
        seen = [message for place in places for message in self.messages(place)]
        return sorted(seen, key=lambda message: message.id)

    def pings(self, where: Place | None = None) -> list[Message]:
        """List the messages that notified this person when they came."""
        seen = self.everything() if where is None else self.messages(where)
        return [message for message in seen if self.user.id in message.pinged]

    def _called(self, where: Place) -> str:
        channel = self.channel(where)
        return "his direct messages" if channel.is_dm else f"#{channel.name}"

    # ------------------------------------------------------------------ doing

    def write(self, where: Place, content: str, *, reply_to: Message | None = None) -> Message:
        """Write a message."""
        return self.world.send_message(self.user, self.channel(where), content, reply_to=reply_to)

    async def slash(
        self, where: Place, command: str, /, *, first: bool = False, **options: object
    ) -> Answer:
        """Use a slash command (`"gin challenge"`) and wait for its answer.

        Options are given by name (`_` stands for `-`): people and channels as objects, numbers
        as numbers. Raises CannotInvoke where Discord's client wouldn't send the command: no such
        command or option here, one missing, a value that isn't among the choices. "Thinking" is
        waited for, too, unless `first`.
        """
        values = {name: _plain(value) for name, value in self._named(options).items()}
        made = self.world.interactions.create_command(
            self.user, self.channel(where), command, values
        )
        return await self._answer(made, first=first)

    async def autocomplete(
        self, where: Place, command: str, /, *, focused: str, value: str = "", **options: object
    ) -> list[Choice]:
        """Type into an option and wait for the suggestions; other options may be filled already.

        Raises NotSeen when none come within three seconds.
        """
        given: list[Json] = [
            {"name": name, "value": _plain(said)} for name, said in self._named(options).items()
        ]
        given.append({"name": focused, "value": value, "focused": True})
        path = command.split()
        for name in reversed(path[1:]):
            given = [{"name": name, "options": given}]
        made = self.world.interactions.create_autocomplete(
            self.user, self.channel(where), path[0], given
        )
        answer = await self._answer(made, first=True)
        if answer.failed:
            raise NotSeen(f"/{command} suggested nothing for {focused}: {value!r}")
        return answer.choices

    def _named(self, options: Mapping[str, object]) -> dict[str, object]:
        return {name.replace("_", "-"): said for name, said in options.items() if said is not None}

    async def press(
        self, on: On, label: str | None = None, *, custom_id: str | None = None, first: bool = False
    ) -> Answer:
        """Press a button, named by what stands on it (or a part of that), and wait.

        Raises CannotInvoke for a button that isn't there, is disabled, or is a link.
        """
        message = _message(on)
        button = self._button(message, label, custom_id)
        if button.get("custom_id") is None:
            raise CannotInvoke(f"{reading.label_of(button)!r} is a link")
        made = self.world.interactions.create_component(
            self.user, message, str(button["custom_id"])
        )
        return await self._answer(made, first=first)

    def _button(self, message: Message, label: str | None, custom_id: str | None) -> Json:
        found = reading.all_buttons(message)
        if custom_id is not None:
            found = [item for item in found if item.get("custom_id") == custom_id]
        elif label is not None:
            exact = [item for item in found if reading.label_of(item) == label]
            part = label.casefold()
            found = exact or [i for i in found if part in reading.label_of(i).casefold()]
        if len(found) != 1:
            wanted = custom_id if custom_id is not None else label
            raise CannotInvoke(
                f"{len(found)} buttons are {wanted!r}; the message has {buttons(message)}"
            )
        return found[0]

    async def choose(
        self, on: On, *values: object, custom_id: str | None = None, first: bool = False
    ) -> Answer:
        """Choose in a select, by the options' labels or values (or people and channels), and wait.

        `custom_id` says which select where the message has several. Raises CannotInvoke for what
        isn't offered.
        """
        message = _message(on)
        found = [
            item
            for item in reading.selects(message)
            if custom_id is None or item["custom_id"] == custom_id
        ]
        if len(found) != 1:
            has = [item["custom_id"] for item in reading.selects(message)]
            raise CannotInvoke(f"{len(found)} selects are meant; the message has {has}")
        offered = select_options(message, custom_id=found[0]["custom_id"])
        chosen = [_plain(value) for value in values]
        made = self.world.interactions.create_component(
            self.user,
            message,
            found[0]["custom_id"],
            [offered.get(value, value) if isinstance(value, str) else value for value in chosen],
        )
        return await self._answer(made, first=first)

    async def submit(
        self,
        opened: Answer,
        values: Mapping[str, object] | str | None = None,
        *,
        first: bool = False,
    ) -> Answer:
        """Fill in the modal that an answer opened, submit it and wait.

        `values` go by custom id or by the label over the field; a single text fills the only
        field. What isn't given stays as the modal came. Raises CannotInvoke for what the modal
        doesn't take.
        """
        if opened.modal is None:
            raise CannotInvoke(f"no modal was opened, but: {opened!r}")
        known = reading.fields(opened.modal)
        if isinstance(values, str):
            if len(known) != 1:
                raise CannotInvoke(f"the modal has several fields: {list(known)}")
            values = {next(iter(known)): values}
        by_label = {field["label"]: name for name, field in known.items()}
        entered = {by_label.get(name, name): said for name, said in (values or {}).items()}
        made = self.world.interactions.create_modal_submit(self.user, opened.interaction, entered)
        return await self._answer(made, first=first)

    # ------------------------------------------------------------------ doing what can't be done

    async def forge(
        self,
        on: On | None,
        custom_id: str,
        values: list[str] | None = None,
        *,
        where: Place | None = None,
        component_type: int | None = None,
        first: bool = False,
    ) -> Answer:
        """Send a press or choice that no honest client would: any id, any value, any message.

        The message may be another person's private one. Without `component_type` it is a
        button's press, or a string select's choice when there are values.
        """
        message = _message(on) if on is not None else None
        channel = self.channel(where) if where is not None else None
        if channel is None:
            channel = message.channel if message is not None else self.dm()
        kind = component_type or (2 if values is None else 3)
        data: Json = {"component_type": kind, "custom_id": custom_id, "id": 1}
        if kind in SELECTS:
            data["values"] = values or []
        made = self._forged(InteractionType.COMPONENT, channel, data, message)
        return await self._answer(made, first=first)

    async def forge_submit(
        self, where: Place, custom_id: str, values: Mapping[str, str], *, first: bool = False
    ) -> Answer:
        """Send a modal that was never opened, with these texts by custom id."""
        parts: list[Json] = [
            {"type": 18, "id": n, "component": {"type": 4, "id": n, "custom_id": k, "value": said}}
            for n, (k, said) in enumerate(values.items(), 1)
        ]
        data: Json = {"custom_id": custom_id, "components": parts}
        made = self._forged(InteractionType.MODAL_SUBMIT, self.channel(where), data, None)
        return await self._answer(made, first=first)

    def _forged(
        self, kind: InteractionType, channel: Channel, data: Json, message: Message | None
    ) -> Interaction:
        interactions = self.world.interactions
        # The honest ways in check what a client checks; forging is to go round those.
        return interactions._create(kind, self.user, channel, data, message=message)  # noqa: SLF001

    async def _answer(self, made: Interaction, *, first: bool) -> Answer:
        awaited = made.answered if first else made.done
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(awaited.wait(), PATIENCE)
        return Answer(made)

    # ------------------------------------------------------------------ waiting

    async def until(
        self, found: Callable[[], T | None], what: str = "it", *, within: float = PATIENCE
    ) -> T:
        """Wait until a function finds something (anything true) and give that.

        It is asked again whenever something happens in the world. Raises NotSeen, with all that
        the person sees, when it finds nothing in time.
        """
        happened = asyncio.Event()

        def hear(_: Event) -> None:
            happened.set()

        unsubscribe = self.world.subscribe(hear)
        loop = asyncio.get_running_loop()
        end = loop.time() + within
        try:
            while True:
                happened.clear()
                result = found()
                if result:
                    return result
                left = end - loop.time()
                if left <= 0:
                    raise NotSeen(f"{self.name} waited in vain for {what}.\n{self._view()}")
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(happened.wait(), min(left, _LOOK_ANYWAY))
        finally:
            unsubscribe()

    async def sees(self, where: Place, words: str, *, within: float = PATIENCE) -> Message:
        """Wait until a message with these words is in a channel; gives the newest such one."""
        channel = self.channel(where)

        def look() -> Message | None:
            for message in reversed(self.messages(channel)):
                if words in text_of(message):
                    return message
            return None

        return await self.until(look, f"{words!r} in {self._called(where)}", within=within)

    async def panel(
        self, label: str, where: Place | None = None, *, within: float = PATIENCE
    ) -> Message:
        """Wait for a message of the bot's with a live button of this label; gives the newest.

        It is looked for in a channel, or everywhere that the person sees.
        """

        def look() -> Message | None:
            seen = self.everything() if where is None else self.messages(where)
            for message in reversed(seen):
                if message.author is self.world.bot and label in buttons(message, enabled=True):
                    return message
            return None

        return await self.until(look, f"a button {label!r}", within=within)

    def _view(self) -> str:
        lines = [f"What {self.name} sees:"]
        for message in self.everything()[-12:]:
            marks = "".join(
                mark
                for mark, on in (
                    (" (only he)", message.ephemeral),
                    (" (thinking)", bool(message.flags & MessageFlag.LOADING)),
                )
                if on
            )
            place = "DM" if message.channel.is_dm else f"#{message.channel.name}"
            said = text_of(message).replace("\n", "\n    ")
            lines.append(f"- {place}, {message.author.name}{marks}:\n    {said}")
        return "\n".join(lines)


def _plain(value: object) -> object:
    """Give the world's object for a person, and anything else as it is."""
    return value.user if isinstance(value, Person) else value


def _message(on: On) -> Message:
    if isinstance(on, Message):
        return on
    if on.message is None:
        raise CannotInvoke(f"there is no message in {on!r}")
    return on.message


def people(playground: Playground, *names: str) -> tuple[Person, ...]:
    """Find several people by name, making those who aren't there yet."""
    found = []
    for name in names:
        try:
            found.append(Person.of(playground, name))
        except LookupError:
            found.append(Person.new(playground, name))
    return tuple(found)
