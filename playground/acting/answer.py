"""What came of an interaction, as the person sees it: a message, a change, a form, or silence."""

from dataclasses import dataclass
from enum import StrEnum

from playground.acting.reading import text_of
from playground.state.interactions import CallbackType, Interaction, State
from playground.state.model import Message
from playground.wire import Json, as_objects


class Kind(StrEnum):
    """How an interaction was answered."""

    MESSAGE = "message"
    """A new message (perhaps after "thinking")."""
    UPDATE = "update"
    """The message that the control sits on was changed."""
    DEFERRED = "deferred"
    """Acknowledged without a word; what follows is seen elsewhere, or still to come."""
    MODAL = "modal"
    CHOICES = "choices"
    NONE = "none"
    """ "This interaction failed": no answer within three seconds."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A suggestion of an autocomplete: what is shown and what would be sent."""

    name: str
    value: str | int | float


class Answer:
    """What came of an interaction. Its messages are live: they change as the bot edits them."""

    def __init__(self, interaction: Interaction) -> None:
        self.interaction = interaction

    def __repr__(self) -> str:
        return f"<Answer {self.kind}: {self.text!r}>"

    @property
    def kind(self) -> Kind:
        """How it was answered."""
        of = self.interaction
        if of.state in {State.FAILED, State.WAITING}:
            return Kind.NONE
        if of.callback_type is CallbackType.DEFERRED_MESSAGE:
            return Kind.DEFERRED if of.state is State.THINKING else Kind.MESSAGE
        return _KINDS.get(of.callback_type, Kind.NONE) if of.callback_type else Kind.NONE

    @property
    def failed(self) -> bool:
        """Whether the person was told that the application did not respond."""
        return self.kind is Kind.NONE

    @property
    def deferred(self) -> bool:
        """Whether the first answer was a deferral, visible ("thinking") or silent."""
        return self.interaction.callback_type in {
            CallbackType.DEFERRED_MESSAGE,
            CallbackType.DEFERRED_UPDATE,
        }

    @property
    def message(self) -> Message | None:
        """The message that answers: a new one, or the changed one that the control sits on."""
        if self.kind in {Kind.MESSAGE, Kind.UPDATE, Kind.DEFERRED}:
            return self.interaction.original
        return None

    @property
    def messages(self) -> list[Message]:
        """All messages that the bot sent with this interaction, follow-ups among them."""
        return list(self.interaction.messages)

    @property
    def modal(self) -> Json | None:
        """The modal that was opened: custom_id, title, components."""
        return self.interaction.modal

    @property
    def choices(self) -> list[Choice]:
        """The suggestions of an autocomplete."""
        found = as_objects(self.interaction.choices)
        return [Choice(str(item["name"]), item["value"]) for item in found]

    @property
    def ephemeral(self) -> bool:
        """Whether the answer is seen by the person alone."""
        return self.message is not None and self.message.ephemeral

    @property
    def text(self) -> str:
        """Everything that can be read on the answer and its follow-ups, or in the modal."""
        if self.kind is Kind.MODAL:
            return text_of(self.modal)
        if self.kind is Kind.CHOICES:
            return "\n".join(choice.name for choice in self.choices)
        shown = [self.message, *(item for item in self.messages if item is not self.message)]
        return "\n".join(text_of(item) for item in shown if item is not None and not item.deleted)


_KINDS = {
    CallbackType.MESSAGE: Kind.MESSAGE,
    CallbackType.DEFERRED_UPDATE: Kind.DEFERRED,
    CallbackType.UPDATE: Kind.UPDATE,
    CallbackType.CHOICES: Kind.CHOICES,
    CallbackType.MODAL: Kind.MODAL,
}
