"""The first answer to an interaction."""

from playground import checks
from playground.doors.routing import NOTHING, ROUTES, Call, Facts, Reply
from playground.routes.messages import kept_files
from playground.state import answering
from playground.state.interactions import CallbackType, Interaction
from playground.state.invoking import focused_type
from playground.state.model import Message
from playground.wire import Json


@ROUTES.on("POST", "/interactions/{interaction_id}/{interaction_token}/callback", by_token=True)
def answer_interaction(call: Call) -> Reply:
    """Answer an interaction within three seconds, once (10062, 40060)."""
    world = call.world
    known = world.interactions.by_id.get(call.id("interaction_id") or 0)
    if known is not None and known.token != call.params["interaction_token"]:
        known = None
    if known is not None:
        call.facts = _facts(known)
    interaction = answering.require_unanswered(world, known)
    source = interaction.message
    checks.check_callback(
        call.json,
        interaction_type=interaction.type.value,
        from_message=source is not None,
        files=call.parts,
        v2=source is not None and source.is_v2,
        attachments_kept=kept_files(source) if source is not None else {},
        option_type=focused_type(interaction.data),
    )
    message = answering.answer(world, interaction, call.json, call.uploads)
    if call.query.get("with_response") not in {"true", "1"}:
        return NOTHING
    return Reply(_response(call, interaction, message))


def _facts(interaction: Interaction) -> Facts:
    source = interaction.message
    return Facts(
        interaction_type=interaction.type.value,
        from_message=source is not None,
        is_v2=source is not None and source.is_v2,
        attachments=tuple(item.filename for item in source.attachments) if source else (),
    )


def _response(call: Call, interaction: Interaction, message: Message | None) -> Json:
    about: Json = {"id": str(interaction.id), "type": interaction.type.value}
    answer: Json = {"interaction": about}
    if message is None:
        return answer
    about.update(
        response_message_id=str(message.id),
        response_message_loading=message.loading,
        response_message_ephemeral=message.ephemeral,
        channel_id=str(interaction.channel.id),
    )
    if interaction.guild is not None:
        about["guild_id"] = str(interaction.guild.id)
    kind = interaction.callback_type
    if kind in {CallbackType.MESSAGE, CallbackType.UPDATE} and kind is not None:
        answer["resource"] = {"type": kind.value, "message": call.world.posts.show(message)}
    return answer
