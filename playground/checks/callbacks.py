"""What a bot may answer to an interaction."""

from collections.abc import Container, Mapping

from playground.checks.commands import choices_faults
from playground.checks.fields import Body, Tree, fault, merged, not_one_of
from playground.checks.files import NO_FILES, Files, check_files, listed_files, names_after
from playground.checks.messages import (
    EPHEMERAL,
    NO_ATTACHMENTS,
    Route,
    check_storable,
    empty_message,
    flags_for,
    is_empty,
    message_faults,
    refused_form,
)
from playground.checks.modals import modal_faults

COMMAND, COMPONENT, AUTOCOMPLETE, SUBMIT = 2, 3, 4, 5
REPLY, THINKING, QUIET_DEFER, UPDATE, CHOICES, MODAL = 4, 5, 6, 7, 8, 9

_ANSWERS: Mapping[int, tuple[int, ...]] = {
    COMMAND: (REPLY, THINKING, MODAL),
    COMPONENT: (REPLY, THINKING, QUIET_DEFER, UPDATE, MODAL),
    AUTOCOMPLETE: (CHOICES,),
    SUBMIT: (REPLY, THINKING),
}


def answers_to(interaction_type: int, *, from_message: bool) -> tuple[int, ...]:
    """Give the callback types that an interaction takes.

    A submitted modal may update a message only if it was opened from a component of one, and
    no modal follows a modal.
    """
    if interaction_type == SUBMIT and from_message:
        return (REPLY, THINKING, QUIET_DEFER, UPDATE)
    return _ANSWERS.get(interaction_type, ())


def check_callback(
    body: Body,
    *,
    interaction_type: int,
    from_message: bool = False,
    files: Files = NO_FILES,
    v2: bool = False,
    attachments_kept: Mapping[str, str] = NO_ATTACHMENTS,
    option_type: int | None = None,
    emojis: Container[str] | None = None,
) -> None:
    """Refuse an answer to an interaction that Discord would refuse.

    `interaction_type` is 2 command, 3 component, 4 autocomplete or 5 modal submit;
    `from_message` says for 3 and 5 that there is a message to update, `v2` and
    `attachments_kept` (id to name) what that message is now. `option_type` is the type of the
    option being completed, if known. Raises Refused like `check_message`.
    """
    kind = body.get("type")
    allowed = answers_to(interaction_type, from_message=from_message)
    if type(kind) is not int or kind not in allowed:
        raise refused_form({"type": not_one_of(allowed)})
    check_files(files)
    data = body.get("data")
    if kind == MODAL:
        _refuse(modal_faults(data))
    elif kind == CHOICES:
        _refuse(choices_faults(data, option_type))
    else:
        message = {} if data is None else data
        if not isinstance(message, dict):
            _refuse(fault("MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType"))
        else:
            kept = attachments_kept if kind == UPDATE else NO_ATTACHMENTS
            _check_answer(kind, message, files, v2=v2, kept=kept, emojis=emojis)


def _refuse(faults: Tree | None) -> None:
    if faults:
        raise refused_form({"data": faults})


def _check_answer(
    kind: int,
    message: Body,
    files: Files,
    *,
    v2: bool,
    kept: Mapping[str, str],
    emojis: Container[str] | None,
) -> None:
    edit = kind in (QUIET_DEFER, UPDATE)
    allowed = EPHEMERAL if kind == THINKING else flags_for(edit=edit, allow_ephemeral=True)
    faults = message_faults(
        message,
        way=Route.EDIT if edit else Route.WEBHOOK,
        v2=v2 and kind == UPDATE,
        names=names_after(message, files, kept),
        allowed_flags=allowed,
        emojis=emojis,
    )
    _refuse(merged(faults, listed_files(message, files, kept)))
    if kind == REPLY and is_empty(message, files):
        raise empty_message()
    check_storable(message)
