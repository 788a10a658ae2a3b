"""Players for end-to-end tests: by buttons, by typing, or by both in turn.

Each does what a person would: looks at what is on the screen, and presses, chooses or types it.
What the screen doesn't offer can't be done, and fails the test.
"""

from __future__ import annotations

import re
from typing import Any, Protocol

from playground.acting.people import Answer, Person, buttons, select_options, text_of
from playground.acting.reading import all_buttons, label_of
from playground.state.model import Message
from tests.e2e.room import Room


class Player(Protocol):
    """Somebody who can play a hand, one act a call; each call waits until all is shown."""

    person: Person

    async def refuse(self) -> Answer: ...
    async def draw(self, pile: str) -> Answer: ...
    async def discard(self, card: str) -> Answer: ...
    async def knock(self, discard: str, melds: str | None = None) -> Answer: ...
    async def lay_off(self, cards: str | None = None, melds: str | None = None) -> Answer: ...
    async def turn(self) -> None: ...


class ByButtons:
    """Plays with buttons, selects and modals only.

    In direct messages; where these are closed, from what *My hand* at the table shows.
    """

    def __init__(self, room: Room, person: Person) -> None:
        self.room = room
        self.person = person

    async def panel(self, label: str) -> Message:
        """The message with one's hand, once it has this button."""
        if not self.person.user.dms_closed:
            return await self.person.panel(label, self.person.dm())
        table = await self.person.panel("My hand", self.room.table)
        shown = await self.done(await self.person.press(table, "My hand"))
        assert shown.ephemeral
        assert shown.message is not None
        assert label in buttons(shown.message, enabled=True), text_of(shown.message)
        return shown.message

    async def refuse(self) -> Answer:
        return await self.done(await self.person.press(await self.panel("Pass"), "Pass"))

    async def draw(self, pile: str) -> Answer:
        panel = await self.panel("Refresh")
        if pile == "stock":
            return await self.done(await self.person.press(panel, "Draw from stock"))
        return await self.done(await self.person.press(panel, "Take "))

    async def discard(self, card: str) -> Answer:
        panel = await self.panel("Refresh")
        return await self.done(await self.person.choose(panel, card))

    async def knock(self, discard: str, melds: str | None = None) -> Answer:
        page = await self.knock_page()
        if melds is not None:
            form = await self.person.press(page, "Arrange it myself")
            filled = {"Discard": discard, "Melds": melds}
            page = message_of(await self.done(await self.person.submit(form, filled)))
            return await self.confirm(page)
        if f"discard {sign(discard)}" not in chosen(page):
            wanted = f"discard {sign(discard)}"
            label = next(label for label in select_options(page) if label.endswith(wanted))
            page = message_of(await self.done(await self.person.choose(page, label)))
        return await self.confirm(page)

    async def confirm(self, page: Message) -> Answer:
        """Press the button that does what the page asks about."""
        does = ("Knock with", "Go gin", "Announce")
        label = next(label for label in buttons(page) if label.startswith(does))
        return await self.done(await self.person.press(page, label))

    async def knock_page(self) -> Message:
        """Open the page on which a knock is confirmed."""
        panel = await self.panel("Refresh")
        label = next(label for label in buttons(panel) if label.startswith(("Knock", "Go gin")))
        return message_of(await self.done(await self.person.press(panel, label)))

    async def lay_off(self, cards: str | None = None, melds: str | None = None) -> Answer:
        page = await self.panel("My own way")
        if cards is not None or melds is not None:
            form = await self.person.press(page, "My own way")
            given = {"Cards to lay off, in order": cards, "Your own melds": melds}
            filled = {label: said for label, said in given.items() if said is not None}
            page = message_of(await self.done(await self.person.submit(form, filled)))
        return await self.done(await self.person.press(page, first_lay_off(page)))

    async def turn(self) -> None:
        """Act once, by what is offered: gin or knock when possible, else the best discard."""
        if not self.person.user.dms_closed:
            page = await self.person.panel("Help", self.person.dm())
        else:
            page = await self.panel("Help")
        offered = buttons(page, enabled=True)
        if "My own way" in offered:
            await self.lay_off()
        elif "Draw from stock" in offered:
            await self.draw("stock")
        elif "Pass" in offered:
            await self.refuse()
        elif any(label.startswith(("Knock", "Go gin")) for label in offered):
            page = message_of(await self.done(await self.person.press(page, _ends(offered))))
            await self.done(await self.person.press(page, _ends(buttons(page))))
        else:
            best = next(iter(select_options(page).values()))
            await self.done(await self.person.choose(page, best))

    async def done(self, answer: Answer) -> Answer:
        """The answer, once everything that follows from it is shown."""
        assert not answer.failed
        await self.room.settled()
        return answer


class ByTyping:
    """Plays with slash commands only, wherever he types them."""

    def __init__(self, room: Room, person: Person, where: Person | str | None = None) -> None:
        self.room = room
        self.person = person
        self.where = where or room.table

    async def type(self, command: str, **options: str | None) -> Answer:
        """Use a command, and wait until everything that follows from it is shown."""
        given = {name: said for name, said in options.items() if said is not None}
        answer = await self.person.slash(self.where, f"gin {command}", first=False, **given)
        assert not answer.failed
        assert answer.ephemeral or self.where is self.person
        await self.room.settled()
        return answer

    async def refuse(self) -> Answer:
        return await self.type("pass")

    async def draw(self, pile: str) -> Answer:
        return await self.type("draw", pile=pile)

    async def discard(self, card: str) -> Answer:
        return await self.type("discard", card=card)

    async def knock(self, discard: str, melds: str | None = None) -> Answer:
        return await self.type("knock", discard=discard, melds=melds)

    async def lay_off(self, cards: str | None = None, melds: str | None = None) -> Answer:
        return await self.type("layoff", cards=cards, melds=melds)

    async def turn(self) -> None:
        """Act once, by what is said and suggested: gin or knock when possible."""
        said = (await self.type("hand")).text
        if "lay off" in said.splitlines()[0]:
            await self.lay_off()
        elif "or pass" in said.splitlines()[0]:
            await self.refuse()
        elif "draw a card" in said.splitlines()[0]:
            await self.draw("stock")
        elif knocks := await self._suggested("gin knock", "discard"):
            await self.knock(knocks[0])
        else:
            await self.discard((await self._suggested("gin discard", "card"))[0])

    async def _suggested(self, command: str, option: str) -> list[str]:
        found = await self.person.autocomplete(self.where, command, focused=option)
        return [str(choice.value) for choice in found]


class Mixed:
    """Presses and types in turn: now one, now the other."""

    def __init__(self, room: Room, person: Person, where: Person | str | None = None) -> None:
        self.person = person
        self._ways: tuple[Player, Player] = (
            ByButtons(room, person),
            ByTyping(room, person, where),
        )
        self._acts = 0

    def _way(self) -> Player:
        self._acts += 1
        return self._ways[self._acts % 2]

    async def refuse(self) -> Answer:
        return await self._way().refuse()

    async def draw(self, pile: str) -> Answer:
        return await self._way().draw(pile)

    async def discard(self, card: str) -> Answer:
        return await self._way().discard(card)

    async def knock(self, discard: str, melds: str | None = None) -> Answer:
        return await self._way().knock(discard, melds)

    async def lay_off(self, cards: str | None = None, melds: str | None = None) -> Answer:
        return await self._way().lay_off(cards, melds)

    async def turn(self) -> None:
        await self._way().turn()


def sign(card: str) -> str:
    """`2D` as the screen shows it: `2♦`."""
    rank, suit = card[:-1].upper(), card[-1].upper()
    return ("10" if rank == "T" else rank) + dict(zip("SHDC", "♠♥♦♣", strict=True))[suit]


def chosen(page: Message) -> str:
    """What a knock page says that would be done: the discard in words."""
    found = re.search(r"Face-down discard: \*\*(.+?)\*\*", text_of(page))
    assert found is not None, text_of(page)
    return f"discard {found[1]}"


def first_lay_off(page: Message) -> str:
    """The label of the lay-off that is offered as the best."""
    return next(label for label in buttons(page) if label.startswith("Lay off"))


def message_of(answer: Answer) -> Message:
    """The message of an answer that must have one."""
    assert answer.message is not None, answer
    return answer.message


def _ends(offered: list[str]) -> str:
    return next(label for label in offered if label.startswith(("Knock", "Go gin")))


def custom_ids(message: Message) -> dict[str, str]:
    """The custom id of each button of a message, by its label."""
    live = (button for button in all_buttons(message) if "custom_id" in button)
    return {label_of(button): str(button["custom_id"]) for button in live}


async def resigns(person: Person, place: str | Person, /, match: str | None = None) -> Answer:
    """Resign by typing: asked whether he means it, the person types it again."""
    asked = await person.slash(place, "gin resign", match=match)
    assert "Give the match up?" in asked.text
    return await person.slash(place, "gin resign", match=match)


async def says(room: Room, person: Person, command: str, /, **options: object) -> str:
    """What a command is answered with at the table, privately and in one message."""
    answer = await person.slash(room.table, f"gin {command}", first=False, **options)
    assert answer.ephemeral, answer
    assert len(answer.messages) == 1
    await room.settled()
    return answer.text


def as_long_as_may_be(room: Room, command: str, /, **options: object) -> dict[str, Any]:
    """Options of a command, each text cut to what Discord lets a person type there.

    What an option holds is known to its command only, hence Any.
    """
    definitions = list(room.world.application.commands.values())
    for name in command.split():
        (found,) = (one for one in definitions if one["name"] == name)
        definitions = found.get("options", [])
    longest = {one["name"]: one.get("max_length") for one in definitions}
    return {
        name: value[: longest[name]] if isinstance(value, str) else value
        for name, value in options.items()
    }
