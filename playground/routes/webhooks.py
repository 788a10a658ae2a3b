"""Follow-ups to interactions: sent, read, edited and deleted by the interaction's token."""

from playground import checks
from playground.doors.routing import NOTHING, ROUTES, Call, Facts, Reply
from playground.errors import Code, Refused
from playground.routes.messages import edit_facts, kept_files, standing
from playground.state import answering
from playground.state.interactions import Interaction
from playground.state.model import Message

WEBHOOK = "/webhooks/{webhook_id}/{webhook_token}"
ORIGINAL = WEBHOOK + "/messages/@original"
MESSAGE = WEBHOOK + "/messages/{message_id}"


def _interaction(call: Call) -> Interaction:
    world = call.world
    known = world.interactions.by_token.get(call.params["webhook_token"])
    if call.id("webhook_id") != world.application.id:
        known = None
    return answering.require_token(world, known)


def _message(call: Call, interaction: Interaction) -> Message:
    if "message_id" not in call.params:
        return answering.find(interaction, None)
    return answering.find(interaction, call.id("message_id") or 0)


@ROUTES.on("POST", WEBHOOK, by_token=True)
def follow_up(call: Call) -> Reply:
    """Send a follow-up (10015 before the first answer, 50027 after 15 minutes)."""
    interaction = _interaction(call)
    call.facts = Facts(ephemeral_ok=True)
    checks.check_message(call.json, files=call.parts, allow_ephemeral=True, followup=True)
    message = answering.follow_up(call.world, interaction, call.json, call.uploads)
    return Reply(call.world.posts.show(message))


@ROUTES.on("GET", ORIGINAL, by_token=True)
@ROUTES.on("GET", MESSAGE, by_token=True)
def get_message(call: Call) -> Reply:
    """Show a message of the interaction's."""
    interaction = _interaction(call)
    return Reply(call.world.posts.show(_message(call, interaction)))


@ROUTES.on("PATCH", ORIGINAL, by_token=True)
@ROUTES.on("PATCH", MESSAGE, by_token=True)
def edit_message(call: Call) -> Reply:
    """Edit a message of the interaction's."""
    interaction = _interaction(call)
    message = _message(call, interaction)
    call.facts = edit_facts(message)
    checks.check_message(
        call.json,
        edit=True,
        v2=message.is_v2,
        files=call.parts,
        allow_ephemeral=True,
        attachments_kept=kept_files(message),
        standing=standing(message),
    )
    answering.edit(call.world, interaction, message, call.json, call.uploads)
    return Reply(call.world.posts.show(message))


@ROUTES.on("DELETE", ORIGINAL, by_token=True)
@ROUTES.on("DELETE", MESSAGE, by_token=True)
def delete_message(call: Call) -> Reply:
    """Delete a message of the interaction's."""
    interaction = _interaction(call)
    answering.remove(call.world, interaction, _message(call, interaction))
    return NOTHING


@ROUTES.on("GET", WEBHOOK, by_token=True)
def get_webhook(call: Call) -> Reply:
    """Interactions' webhooks show nothing of themselves."""
    _interaction(call)
    raise Refused.because(Code.UNKNOWN_WEBHOOK)
