"""The application: shown, with its commands and its emojis."""

import base64
import binascii

from playground import checks, shapes
from playground.doors.routing import NOTHING, ROUTES, Call, Reply, created
from playground.errors import Code, Refused, bad_field
from playground.state.commands import Commands
from playground.state.model import Emoji
from playground.wire import Json

APPLICATION = "/applications/{application_id}"
COMMANDS = APPLICATION + "/commands"
GUILD_COMMANDS = APPLICATION + "/guilds/{guild_id}/commands"
EMOJIS = APPLICATION + "/emojis"
MOST_EMOJI_BYTES = 256 * 1024


@ROUTES.on("GET", "/applications/@me")
@ROUTES.on("GET", "/oauth2/applications/@me")
def get_application(call: Call) -> Reply:
    """Show the application."""
    count = len(call.world.guilds_of(call.bot))
    return Reply(shapes.application(call.world.application, count))


def _own(call: Call) -> None:
    if call.id("application_id") != call.world.application.id:
        raise Refused.because(Code.UNKNOWN_APPLICATION)


def _commands(call: Call) -> Commands:
    _own(call)
    if "guild_id" not in call.params:
        return Commands(call.world)
    guild = call.world.guilds.get(call.id("guild_id") or 0)
    if guild is None or call.bot.id not in guild.members:
        raise Refused.because(Code.MISSING_ACCESS)
    return Commands(call.world, guild)


@ROUTES.on("GET", COMMANDS)
@ROUTES.on("GET", GUILD_COMMANDS)
def get_commands(call: Call) -> Reply:
    """List the commands."""
    return Reply(_commands(call).all())


@ROUTES.on("PUT", COMMANDS)
@ROUTES.on("PUT", GUILD_COMMANDS)
def put_commands(call: Call) -> Reply:
    """Replace all commands by these."""
    commands = _commands(call)
    checks.check_commands(call.body)
    sent = call.body if isinstance(call.body, list) else []
    return Reply(commands.replace(sent))


@ROUTES.on("POST", COMMANDS)
@ROUTES.on("POST", GUILD_COMMANDS)
def post_command(call: Call) -> Reply:
    """Register a command; one of the same name is replaced (200 instead of 201)."""
    commands = _commands(call)
    checks.check_command(call.body)
    command, is_new = commands.put(call.json)
    return created(command) if is_new else Reply(command)


@ROUTES.on("GET", COMMANDS + "/{command_id}")
@ROUTES.on("GET", GUILD_COMMANDS + "/{command_id}")
def get_command(call: Call) -> Reply:
    """Show a command."""
    return Reply(_commands(call).get(call.id("command_id") or 0))


@ROUTES.on("PATCH", COMMANDS + "/{command_id}")
@ROUTES.on("PATCH", GUILD_COMMANDS + "/{command_id}")
def patch_command(call: Call) -> Reply:
    """Change a command."""
    commands = _commands(call)
    command = commands.get(call.id("command_id") or 0)
    changed: Json = {**command, **call.json}
    checks.check_command(changed)
    return Reply(commands.change(command, changed))


@ROUTES.on("DELETE", COMMANDS + "/{command_id}")
@ROUTES.on("DELETE", GUILD_COMMANDS + "/{command_id}")
def delete_command(call: Call) -> Reply:
    """Delete a command."""
    commands = _commands(call)
    commands.delete(commands.get(call.id("command_id") or 0))
    return NOTHING


@ROUTES.on("GET", EMOJIS)
def get_emojis(call: Call) -> Reply:
    """List the application's emojis."""
    _own(call)
    emojis = call.world.application.emojis.values()
    return Reply({"items": [shapes.emoji(item, call.bot) for item in emojis]})


def _emoji(call: Call) -> Emoji:
    _own(call)
    emoji = call.world.application.emojis.get(call.id("emoji_id") or 0)
    if emoji is None:
        raise Refused.because(Code.UNKNOWN_EMOJI)
    return emoji


@ROUTES.on("GET", EMOJIS + "/{emoji_id}")
def get_emoji(call: Call) -> Reply:
    """Show an emoji."""
    return Reply(shapes.emoji(_emoji(call), call.bot))


@ROUTES.on("POST", EMOJIS)
def create_emoji(call: Call) -> Reply:
    """Upload an emoji (a picture of at most 256 KiB as a data URI)."""
    _own(call)
    emojis, body = call.world.application.emojis, call.json
    checks.check_emoji(body, count=len(emojis))
    content, kind = _picture(str(body["image"]))
    _free_name(call, str(body["name"]))
    number = call.world.ids.next()
    emoji = Emoji(number, str(body["name"]), content, kind, animated=kind == "image/gif")
    emojis[number] = emoji
    return created(shapes.emoji(emoji, call.bot))


@ROUTES.on("PATCH", EMOJIS + "/{emoji_id}")
def rename_emoji(call: Call) -> Reply:
    """Rename an emoji."""
    emoji = _emoji(call)
    checks.check_emoji(call.body, edit=True)
    name = str(call.json["name"])
    if name != emoji.name:
        _free_name(call, name)
    emoji.name = name
    return Reply(shapes.emoji(emoji, call.bot))


@ROUTES.on("DELETE", EMOJIS + "/{emoji_id}")
def delete_emoji(call: Call) -> Reply:
    """Delete an emoji."""
    del call.world.application.emojis[_emoji(call).id]
    return NOTHING


def _free_name(call: Call, name: str) -> None:
    if any(item.name == name for item in call.world.application.emojis.values()):
        code = "APPLICATION_EMOJI_NAME_ALREADY_TAKEN"
        raise bad_field("name", code, "An emoji with that name already exists.")


def _picture(uri: str) -> tuple[bytes, str]:
    head, _, packed = uri.partition(",")
    try:
        content = base64.b64decode(packed, validate=True)
    except binascii.Error as error:
        raise bad_field("image", "IMAGE_INVALID", "Invalid image data") from error
    if len(content) > MOST_EMOJI_BYTES:
        raise bad_field("image", "BINARY_TYPE_MAX_SIZE", "File cannot be larger than 256.0 kb.")
    return content, head.removeprefix("data:").partition(";")[0]
