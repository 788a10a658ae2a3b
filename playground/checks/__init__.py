"""Discord's documented limits: each function refuses what Discord would refuse.

They take the JSON of a request and what the server knows besides, return nothing when the
request is good, and raise `Refused` with Discord's status, code and tree of errors when not.
The limits come from Discord's documentation and its OpenAPI description, none from a bot.
"""

from playground.checks.callbacks import answers_to, check_callback
from playground.checks.channels import dm_faults, thread_edit_faults, thread_faults
from playground.checks.commands import choices_faults, command_faults, commands_faults
from playground.checks.emoji import NEW_EMOJI, OF_ONE_APPLICATION, RENAMED_EMOJI
from playground.checks.fields import Body, Tree
from playground.checks.files import Files
from playground.checks.messages import check_message, refused_form
from playground.checks.modals import modal_faults
from playground.errors import Code, Refused

__all__ = [
    "Files",
    "answers_to",
    "check_callback",
    "check_choices",
    "check_command",
    "check_commands",
    "check_dm",
    "check_emoji",
    "check_message",
    "check_modal",
    "check_thread",
    "check_thread_edit",
]


def _refuse(faults: Tree | None) -> None:
    if faults:
        raise refused_form(faults)


def check_modal(modal: object) -> None:
    """Refuse a modal (the `data` of a callback of type 9) that Discord would refuse."""
    _refuse(modal_faults(modal))


def check_choices(data: object, *, option_type: int | None = None) -> None:
    """Refuse suggestions (the `data` of a callback of type 8) that Discord would refuse."""
    _refuse(choices_faults(data, option_type))


def check_command(command: object) -> None:
    """Refuse one application command that Discord would refuse."""
    _refuse(command_faults(command))


def check_commands(commands: object) -> None:
    """Refuse a whole list of application commands (a bulk overwrite) that Discord would refuse."""
    _refuse(commands_faults(commands))


def check_emoji(body: object, *, edit: bool = False, count: int = 0) -> None:
    """Refuse a new or renamed application emoji; `count` is how many there are already."""
    _refuse((RENAMED_EMOJI if edit else NEW_EMOJI)(body))
    if not edit and count >= OF_ONE_APPLICATION:
        raise Refused.because(Code.TOO_MANY_EMOJIS)


def check_thread(
    body: Body, *, from_message: bool = False, forum: bool = False, files: Files | None = None
) -> None:
    """Refuse a new thread; a forum's post brings its first message with it."""
    _refuse(thread_faults(body, from_message=from_message, forum=forum))
    if forum and not from_message:
        message = body.get("message")
        check_message(message if isinstance(message, dict) else {}, files=files or {})


def check_thread_edit(body: object) -> None:
    """Refuse the edit of a thread that Discord would refuse."""
    _refuse(thread_edit_faults(body))


def check_dm(body: object) -> None:
    """Refuse a request to open a direct message channel that names nobody."""
    _refuse(dm_faults(body))
