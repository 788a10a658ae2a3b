"""Scripted players for benches: they look at a hand that is shown, and do what it offers.

A hand says with its controls what may be done. A player goes gin or knocks when he can, draws from
the stock, and discards what leaves him the least deadwood; so his matches come to an end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bot.ui.controls import Control, Verb
from gin import Pile
from playground.acting.people import Answer, Person
from playground.acting.reading import all_buttons, selects
from playground.state.model import Channel, Message

OPENS_A_PAGE: Final = Verb.KNOCK_MENU
"""The one step that changes nothing yet: it shows the knock, to be confirmed."""
_WANTED: Final = (
    Verb.LAYOFF,
    Verb.KNOCK,
    OPENS_A_PAGE,
    Verb.TAKE_BACK,
    Verb.DRAW,
    Verb.PASS,
    Verb.DISCARD,
)


@dataclass(frozen=True, slots=True)
class Step:
    """What a player does next: the control that he uses, and what he chooses in it."""

    control: Control
    value: str | None = None

    @property
    def is_act(self) -> bool:
        """Whether the match goes on by it."""
        return self.control.verb is not OPENS_A_PAGE


def step_on(message: Message) -> Step | None:
    """What the player does with the hand that a message shows; None when it isn't his turn."""
    offered = list(_offered(message))
    for verb in _WANTED:
        for step in offered:
            control = step.control
            from_pile = verb is Verb.DRAW and control.args != (Pile.STOCK,)
            if control.verb is verb and not from_pile:
                return step
    return None


def _offered(message: Message) -> Iterator[Step]:
    for button in all_buttons(message):
        control = Control.parse(str(button.get("custom_id")))
        if control is not None and not button.get("disabled"):
            yield Step(control)
    for select in selects(message):
        control = Control.parse(str(select["custom_id"]))
        if control is not None:
            yield Step(control, str(select["options"][0]["value"]))


def my_hand_on(message: Message) -> str | None:
    """The custom id of *My hand* on a table's message."""
    for step in _offered(message):
        if step.control.verb is Verb.MY_HAND:
            return step.control.encode()
    return None


def newest(person: Person, channel: Channel) -> tuple[Message, Step] | None:
    """The newest message of the bot's in a channel that lets this person do something."""
    for message in reversed(channel.messages.values()):
        if message.author is person.world.bot:
            step = step_on(message)
            if step is not None:
                return message, step
    return None


async def press(person: Person, message: Message, step: Step) -> Answer:
    """Take a step by its control, and the confirmation after it; the answer to the last press."""
    custom_id = step.control.encode()
    if step.value is None:
        answer = await person.press(message, custom_id=custom_id)
    else:
        answer = await person.choose(message, step.value, custom_id=custom_id)
    if step.is_act or answer.message is None:
        return answer
    confirm = step_on(answer.message)
    if confirm is None:  # refused, or put off
        return answer
    return await press(person, answer.message, confirm)


async def type_in(person: Person, where: Channel, step: Step) -> Answer:
    """Take a step by its command instead; the card to knock with is looked up as one types."""
    match step.control.verb:
        case Verb.DRAW:
            return await person.slash(where, "gin draw", pile=Pile.STOCK.value)
        case Verb.PASS:
            return await person.slash(where, "gin pass")
        case Verb.DISCARD:
            return await person.slash(where, "gin discard", card=step.value)
        case Verb.KNOCK_MENU:
            cards = await person.autocomplete(where, "gin knock", focused="discard")
            return await person.slash(where, "gin knock", discard=cards[0].value)
        case _:
            return await person.slash(where, "gin layoff")
