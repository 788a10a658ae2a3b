"""Interactions as no honest client sends them: ids, values, options and people mixed up by chance.

Half of what is sent comes from what the bot really showed to somebody, and is then bent: another
verb, another match, a version before or after, a card that isn't there, somebody else's message.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final, TypeVar

from bot.ui.controls import Control, Verb
from gin import DECK
from playground.acting.people import Person
from playground.state import invoking
from playground.state.components import SELECTS, walk
from playground.state.events import sees
from playground.state.interactions import Interaction, InteractionType
from playground.state.invoking import CannotInvoke
from playground.state.model import Channel, ChannelType, Message
from playground.state.world import World
from playground.wire import Json, as_objects

T = TypeVar("T")

SUBCOMMAND: Final = 1
ODD_TEXTS: Final = (
    "",
    " ",
    "x" * 6000,
    "@everyone <@1> <@&2> <#3>",
    "\u202egnip \u2066x",
    "e" + "\u0301" * 300,
    "مرحبا",
    "👩‍🚀" * 200,
    "\x00\x01\n\r\t",
    "`" * 100,
    "{name} %s {0} {",
    "'; DROP TABLE matches; --",
    "null",
    "-1",
    "1e309",
    "٣",
    "18446744073709551616",
    "none",
    "7h 8h 9h / kc kd ks",
    "seven of hearts",
)
NUMBERS: Final = (0, 1, 2, 3, 10, 2**31, 2**63 - 1, 2**63, 10**19, -1)
ARGS: Final = (
    "stock",
    "discard",
    "0",
    "1",
    "7",
    "25",
    "calls",
    "on",
    "off",
    "status",
    "start",
    "x",
)
TYPED_IN: Final = (ChannelType.TEXT, ChannelType.VOICE)
KINDS: Final = (2, 3, 5)
"""Types of components that are pressed: a button, a select of texts, a select of people."""


class Seen:
    """What the bot showed lately: messages, and the ids of all their controls and forms."""

    def __init__(self, world: World, most: int = 300) -> None:
        self._most = most
        self.messages: list[Message] = []
        self.ids: list[str] = []
        self.fields: list[str] = ["discard", "melds", "cards", "word"]
        world.subscribe(self._hear)

    def _hear(self, event: object) -> None:
        subject = getattr(event, "subject", None)
        if isinstance(subject, Message) and subject.components and subject.author.bot:
            if subject not in self.messages[-20:]:
                self.messages.append(subject)
            self._learn(subject.components)
        elif isinstance(subject, Interaction) and subject.modal is not None:
            self.ids.append(str(subject.modal["custom_id"]))
            self._learn(subject.modal["components"])
        del self.messages[: -self._most], self.ids[: -self._most]

    def _learn(self, components: object) -> None:
        for part in walk(components):
            if "custom_id" in part and part.get("type") in (2, *SELECTS):
                self.ids.append(str(part["custom_id"]))


class Mutants:
    """Makes such interactions, by dice, for a company of people."""

    def __init__(self, world: World, seen: Seen, people: Sequence[Person], dice: Random) -> None:
        self._world = world
        self._seen = seen
        self._people = people
        self._dice = dice
        self._ways: tuple[tuple[Callable[[Person], Interaction | None], int], ...] = (
            (self._press, 10),
            (self._submit, 3),
            (self._command, 6),
            (self._suggest, 2),
            (self._offered, 6),
        )

    def one(self) -> Interaction | None:
        """Send one; None where chance chose something that can't be sent at all."""
        person = self._dice.choice(self._people)
        ways, weights = zip(*self._ways, strict=True)
        way = self._dice.choices(ways, weights)[0]
        try:
            made: Interaction | None = way(person)
        except CannotInvoke:
            return None
        return made

    # ------------------------------------------------------------------ controls

    def _press(self, person: Person) -> Interaction | None:
        custom_id = self._bent_id()
        message = self._maybe(self._seen.messages, 0.8)
        where = self._place(person, message)
        kind = self._dice.choice(KINDS)
        data: Json = {"component_type": kind, "custom_id": custom_id, "id": 1}
        if kind in SELECTS:
            data["values"] = [self._value() for _ in range(self._dice.choice((0, 1, 1, 1, 2)))]
        return self._sent(InteractionType.COMPONENT, person, where, data, message)

    def _submit(self, person: Person) -> Interaction | None:
        names = [*self._seen.fields, "x" * 100, ""]
        chosen = self._dice.sample(names, self._dice.randrange(3))
        parts: list[Json] = [
            {
                "type": 18,
                "id": number,
                "component": {"type": 4, "id": number, "custom_id": name, "value": self._value()},
            }
            for number, name in enumerate(chosen, 1)
        ]
        data: Json = {"custom_id": self._bent_id(), "components": parts}
        message = self._maybe(self._seen.messages, 0.5)
        where = self._place(person, message)
        return self._sent(InteractionType.MODAL_SUBMIT, person, where, data, message)

    def _offered(self, person: Person) -> Interaction | None:
        """What stands on a message is pressed as it is: mostly by who sees it, some by others."""
        mine = [one for one in self._seen.messages if one.channel is person.dm()]
        pool = mine if mine and self._dice.random() < 0.7 else self._seen.messages
        if not pool:
            return None
        message = self._dice.choice(pool[-40:])
        controls = [part for part in walk(message.components) if part.get("custom_id")]
        if not controls:
            return None
        control = self._dice.choice(controls)
        options = [str(option["value"]) for option in as_objects(control.get("options"))]
        values = [self._dice.choice(options)] if options else None
        data: Json = {
            "component_type": control["type"],
            "custom_id": control["custom_id"],
            "id": control["id"],
        }
        if control["type"] in SELECTS:
            data["values"] = values or [str(self._dice.choice(self._people).id)]
        where = self._place(person, message)
        return self._sent(InteractionType.COMPONENT, person, where, data, message)

    def _bent_id(self) -> str:
        dice = self._dice
        if dice.random() < 0.25 or not self._seen.ids:
            verb = dice.choice(list(Verb))
            parts = ["gin", str(verb), str(self._number()), str(self._number())]
            parts += [dice.choice(ARGS) for _ in range(dice.choice((0, 1, 1, 2)))]
            return ":".join(parts)
        custom_id = dice.choice(self._seen.ids[-80:] if dice.random() < 0.7 else self._seen.ids)
        parts = custom_id.split(":")
        match dice.randrange(10):
            case 0 | 1:
                pass  # as it is, only from elsewhere
            case 2:
                parts[1:2] = [str(dice.choice(list(Verb)))]
            case 3:
                parts[2:3] = [str(self._number())]
            case 4:
                parts[3:4] = [self._near(parts[3] if len(parts) > 3 else "0")]
            case 5:
                parts[4:] = [dice.choice((*ARGS, self._card(), self._melds()))]
            case 6:
                parts.insert(dice.randrange(len(parts) + 1), dice.choice((*ARGS, "", "::")))
            case 7:
                del parts[dice.randrange(len(parts))]
            case 8:
                at = dice.randrange(len(custom_id))
                return custom_id[:at] + chr(dice.choice((0, 58, 48, 97, 233, 0x202E, 0x1F0A1)))
            case _:
                return (custom_id + dice.choice((":0", "x" * 60, "\n", "🂡")))[:100]
        return ":".join(parts)[:100]

    def _near(self, number: str) -> str:
        bent = int(number) + self._dice.choice((-2, -1, 1, 2)) if number.isdigit() else 0
        return str(bent)

    # ------------------------------------------------------------------ commands

    def _command(self, person: Person) -> Interaction | None:
        made = self._typed(person, focused=False)
        return made and self._sent(InteractionType.COMMAND, person, made[0], made[1], None)

    def _suggest(self, person: Person) -> Interaction | None:
        made = self._typed(person, focused=True)
        return made and self._sent(InteractionType.AUTOCOMPLETE, person, made[0], made[1], None)

    def _typed(self, person: Person, *, focused: bool) -> tuple[Channel, Json] | None:
        """A command with options of chance: right ones, none, foreign ones, of the wrong type."""
        where = self._place(person, None)
        offered = self._world.interactions.commands_for(person.user, where)
        if not offered:
            return None
        command = self._dice.choice(offered)
        resolved = invoking.Resolved(self._world, where)
        data: Json = {"id": command["id"], "name": command["name"], "type": 1}
        options = as_objects(command.get("options"))
        subcommand = self._dice.choice(options)
        known = as_objects(subcommand.get("options"))
        given = [
            self._option(option, resolved)
            for option in known
            if option.get("required") or self._dice.random() < 0.4
        ]
        if focused:
            helped = [option for option in known if option.get("autocomplete")]
            if not helped:
                return None
            asked = self._dice.choice(helped)
            given = [one for one in given if one["name"] != asked["name"]]
            given.append({**self._option(asked, resolved), "focused": True})
        elif self._dice.random() < 0.05:
            given.append({"name": "nothing", "type": 3, "value": "x"})
        elif given and self._dice.random() < 0.05:
            given.pop(0)
        data["options"] = [{"name": subcommand["name"], "type": SUBCOMMAND, "options": given}]
        if resolved.data:
            data["resolved"] = resolved.data
        return where, data

    def _option(self, option: Json, resolved: invoking.Resolved) -> Json:
        kind, dice = int(option["type"]), self._dice
        value: object = self._value()
        if kind == invoking.USER:
            value = resolved.add(kind, dice.choice(list(self._world.users)))
        elif kind == invoking.CHANNEL:
            types = option.get("channel_types")
            value = resolved.add(
                kind,
                dice.choice(
                    [
                        channel.id
                        for channel in self._world.channels.values()
                        if not types or channel.type in types
                    ]
                ),
            )
        elif choices := as_objects(option.get("choices")):
            value = dice.choice(choices)["value"] if dice.random() < 0.8 else value
        elif kind in (4, 10) and dice.random() < 0.95:
            value = dice.choice(NUMBERS)
        elif kind == 5 and dice.random() < 0.95:
            value = dice.random() < 0.5
        elif option["name"] == "match" and dice.random() < 0.8:
            value = str(self._number())
        return {"name": option["name"], "type": kind, "value": value}

    # ------------------------------------------------------------------ pieces

    def _place(self, person: Person, message: Message | None) -> Channel:
        here = message is not None and sees(person.user, message.channel)
        if message is not None and here and self._dice.random() < 0.9:
            return message.channel
        places = [
            channel
            for channel in self._world.channels.values()
            if (channel.type in TYPED_IN or channel.is_thread) and sees(person.user, channel)
        ]
        if not places or self._dice.random() < 0.2:
            return person.dm()
        return self._dice.choice(places)

    def _sent(
        self,
        kind: InteractionType,
        person: Person,
        where: Channel,
        data: Json,
        message: Message | None,
    ) -> Interaction | None:
        if deletes_oneself(data, person.id):
            return None
        interactions = self._world.interactions
        return interactions._create(kind, person.user, where, data, message=message)

    def _maybe(self, pool: Sequence[T], chance: float) -> T | None:
        return self._dice.choice(pool) if pool and self._dice.random() < chance else None

    def _number(self) -> int:
        """A match's or challenge's number, a person's or server's id, or no such thing."""
        dice = self._dice
        match dice.randrange(4):
            case 0:
                return dice.choice(NUMBERS)
            case 1:
                return dice.choice(self._people).id
            case 2:
                return dice.choice(list(self._world.guilds))
            case _:
                return dice.randrange(1, 12)

    def _card(self) -> str:
        return str(self._dice.choice(DECK))

    def _melds(self) -> str:
        return "-".join("".join(map(str, self._dice.sample(DECK, 3))) for _ in range(2))

    def _value(self) -> str:
        dice = self._dice
        match dice.randrange(4):
            case 0:
                return dice.choice(ODD_TEXTS)
            case 1:
                return self._card()
            case 2:
                return " ".join(map(str, dice.sample(DECK, dice.randrange(1, 5))))
            case _:
                return str(self._number())


def deletes_oneself(data: Json, person: int) -> bool:
    """Whether this is somebody's own confirmed wish to be forgotten (tried elsewhere)."""
    control = Control.parse(str(data.get("custom_id")))
    return control is not None and control.verb is Verb.DELETE and control.subject == person
