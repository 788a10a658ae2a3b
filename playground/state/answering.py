"""How a bot answers an interaction: the callback, the follow-ups, and what the person sees."""

from dataclasses import replace
from typing import TYPE_CHECKING

from playground import shapes
from playground.errors import Code, Refused
from playground.state import access
from playground.state.components import Settling
from playground.state.files import Upload
from playground.state.interactions import CallbackType, Interaction, InteractionType, State
from playground.state.model import Message, MessageFlag, MessageType
from playground.state.posts import Draft, Origin
from playground.wire import Json, as_object, as_objects

if TYPE_CHECKING:
    from playground.state.world import World


def require_unanswered(world: "World", interaction: Interaction | None) -> Interaction:
    """Refuse a first answer that is a second one (40060) or comes too late (10062)."""
    if interaction is None:
        raise Refused.because(Code.UNKNOWN_INTERACTION)
    if interaction.callback_type is not None:
        raise Refused.because(Code.ALREADY_ACKNOWLEDGED)
    if interaction.state is State.FAILED or world.interactions.too_late(interaction):
        raise Refused.because(Code.UNKNOWN_INTERACTION)
    return interaction


def require_token(world: "World", interaction: Interaction | None) -> Interaction:
    """Refuse a token that is unknown or not answered yet (10015), or too old (50027)."""
    if interaction is None:
        raise Refused.because(Code.UNKNOWN_WEBHOOK)
    if world.interactions.expired(interaction):
        raise Refused.because(Code.INVALID_WEBHOOK_TOKEN)
    if interaction.callback_type is None:
        raise Refused.because(Code.UNKNOWN_WEBHOOK)
    return interaction


def answer(
    world: "World", interaction: Interaction, body: Json, uploads: tuple[Upload, ...]
) -> Message | None:
    """Apply a first answer (checked before); returns the message that it made or changed."""
    kind = CallbackType(body["type"])
    data = as_object(body.get("data"))
    message = _APPLY[kind](world, interaction, data, uploads)
    interaction.callback_type = kind
    if kind is CallbackType.DEFERRED_MESSAGE:
        interaction.become(State.THINKING)
    else:
        interaction.become(State.ANSWERED)
    _tell(world, interaction, kind)
    return message


def _tell(world: "World", interaction: Interaction, kind: CallbackType) -> None:
    if kind is CallbackType.MODAL:
        world.interactions.tell(interaction, "INTERACTION_MODAL_CREATE", interaction.modal)
    elif kind is CallbackType.CHOICES:
        choices: Json = {"choices": interaction.choices}
        name = "APPLICATION_COMMAND_AUTOCOMPLETE_RESPONSE"
        world.interactions.tell(interaction, name, choices)
    else:
        world.interactions.tell(interaction, "INTERACTION_SUCCESS")


def _reply(
    world: "World", interaction: Interaction, data: Json, uploads: tuple[Upload, ...]
) -> Message:
    _require_open_channel(world, interaction)
    interaction.ephemeral = _wants_ephemeral(data)
    message = _post(world, interaction, Draft.from_body(data, uploads), interaction.ephemeral)
    interaction.original = message
    return message


def _defer(world: "World", interaction: Interaction, data: Json, _: tuple[Upload, ...]) -> Message:
    _require_open_channel(world, interaction)
    interaction.ephemeral = _wants_ephemeral(data)
    message = _post(world, interaction, Draft(), interaction.ephemeral, loading=True)
    interaction.original = message
    return message


def _acknowledge(_: "World", interaction: Interaction, __: Json, ___: tuple[Upload, ...]) -> None:
    interaction.original = interaction.message


def _update(
    world: "World", interaction: Interaction, data: Json, uploads: tuple[Upload, ...]
) -> Message:
    message = interaction.message
    if message is None or message.deleted:
        raise Refused.because(Code.UNKNOWN_MESSAGE)
    interaction.original = message
    return world.posts.edit(message, data, uploads)


def _suggest(_: "World", interaction: Interaction, data: Json, __: tuple[Upload, ...]) -> None:
    interaction.choices = as_objects(data.get("choices"))


def _open_modal(
    world: "World", interaction: Interaction, data: Json, _: tuple[Upload, ...]
) -> None:
    interaction.modal = {**data, "components": _numbered(world, data)}


def _numbered(world: "World", modal: Json) -> list[Json]:
    """Give a modal's parts the ids that they lack; all else stays as the bot sent it."""
    counted = Settling([], world.ids.next)
    return [counted.numbered(component) for component in as_objects(modal.get("components"))]


_APPLY = {
    CallbackType.MESSAGE: _reply,
    CallbackType.DEFERRED_MESSAGE: _defer,
    CallbackType.DEFERRED_UPDATE: _acknowledge,
    CallbackType.UPDATE: _update,
    CallbackType.CHOICES: _suggest,
    CallbackType.MODAL: _open_modal,
}


def follow_up(
    world: "World", interaction: Interaction, body: Json, uploads: tuple[Upload, ...]
) -> Message:
    """Send a follow-up; the first one after a "thinking" fills that message instead."""
    original = interaction.original
    if original is not None and original.loading and not original.deleted:
        return edit(world, interaction, original, body, uploads)
    _require_open_channel(world, interaction)
    return _post(
        world, interaction, Draft.from_body(body, uploads), _wants_ephemeral(body), follows=True
    )


def edit(
    world: "World",
    interaction: Interaction,
    message: Message,
    body: Json,
    uploads: tuple[Upload, ...],
) -> Message:
    """Edit a message of the interaction's; filling "thinking" ends the person's wait."""
    if not message.ephemeral:
        access.require_open_thread(world.bot, message.channel, unarchives=message.loading)
    world.posts.edit(message, body, uploads)
    if message is interaction.original and interaction.state is State.THINKING:
        interaction.become(State.ANSWERED)
    return message


def remove(world: "World", interaction: Interaction, message: Message) -> None:
    """Delete a message of the interaction's."""
    world.posts.delete(message)
    if message is interaction.original and interaction.state is State.THINKING:
        interaction.become(State.ANSWERED)


def find(interaction: Interaction, message_id: int | None) -> Message:
    """Find `@original` (None) or another message of the interaction's (10008)."""
    found: Message | None
    if message_id is None:
        found = interaction.original
    else:
        mine = [*interaction.messages, interaction.original]
        found = next((item for item in mine if item is not None and item.id == message_id), None)
    if found is None or found.deleted:
        raise Refused.because(Code.UNKNOWN_MESSAGE)
    return found


def _wants_ephemeral(data: Json) -> bool:
    return bool(int(data.get("flags") or 0) & MessageFlag.EPHEMERAL)


def _require_open_channel(world: "World", interaction: Interaction) -> None:
    channel = interaction.channel
    if channel.deleted:
        raise Refused.because(Code.UNKNOWN_CHANNEL)
    if channel.archived and channel.locked:
        access.require_open_thread(world.bot, channel, unarchives=True)


def _post(
    world: "World",
    interaction: Interaction,
    draft: Draft,
    ephemeral: bool,
    *,
    loading: bool = False,
    follows: bool = False,
) -> Message:
    kind = MessageType.DEFAULT
    if interaction.type is InteractionType.COMMAND and not follows:
        kind = MessageType.CHAT_INPUT_COMMAND
    original = interaction.original
    metadata = describe(interaction)
    if follows and original is not None:
        metadata["original_response_message_id"] = str(original.id)
    origin = Origin(metadata, _path(interaction), interaction.user.id if ephemeral else None)
    to = original if follows else interaction.message
    if to is not None and not to.deleted:
        draft = replace(draft, reply_to=to)
    message = world.posts.create(
        world.bot, interaction.channel, draft, kind=kind, origin=origin, loading=loading
    )
    interaction.messages.append(message)
    return message


def describe(interaction: Interaction) -> Json:
    """Write a message's `interaction_metadata`."""
    guild = interaction.guild
    metadata: Json = {
        "id": str(interaction.id),
        "type": interaction.type.value,
        "user": shapes.user(interaction.user),
        "authorizing_integration_owners": {"0": str(guild.id) if guild else "0"},
    }
    if interaction.type is InteractionType.COMMAND:
        metadata["name"] = _path(interaction)
        metadata["command_type"] = 1
    elif interaction.type is InteractionType.COMPONENT and interaction.message is not None:
        metadata["interacted_message_id"] = str(interaction.message.id)
    elif interaction.parent is not None:
        metadata["triggering_interaction_metadata"] = describe(interaction.parent)
    return metadata


def _path(interaction: Interaction) -> str | None:
    if interaction.type is not InteractionType.COMMAND:
        return None
    names = [str(interaction.data["name"])]
    options = as_objects(interaction.data.get("options"))
    while len(options) == 1 and options[0].get("type") in {1, 2}:
        names.append(str(options[0]["name"]))
        options = as_objects(options[0].get("options"))
    return " ".join(names)
