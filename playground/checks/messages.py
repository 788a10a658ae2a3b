"""What a bot may send as a message, or as the edit of one."""

from collections.abc import Collection, Container, Mapping
from enum import StrEnum
from types import MappingProxyType

from playground.checks.components import LAYOUT, ROWS, components_together, flatten, text_bytes
from playground.checks.embeds import EMBEDS, embeds_together, is_blank
from playground.checks.fields import (
    Body,
    Check,
    Tree,
    boolean,
    fault,
    integer,
    listing,
    merged,
    not_one_of,
    nothing_or,
    number,
    objects,
    one_of,
    record,
    snowflake,
    string,
    text,
    whole,
)
from playground.checks.files import NO_FILES, Files, check_files, listed_files, names_after
from playground.errors import Code, Refused

SUPPRESS_EMBEDS, EPHEMERAL, QUIET, VOICE, V2 = 1 << 2, 1 << 6, 1 << 12, 1 << 13, 1 << 15
CONTENT = 2_000
STORED_BYTES = 10_170

NO_ATTACHMENTS: Mapping[str, str] = MappingProxyType({})
_LEGACY = ("content", "embeds", "poll", "sticker_ids")


def refused_form(errors: Tree) -> Refused:
    """Give the refusal of a body whose fields are wrong, named by the tree."""
    return Refused(400, 50035, "Invalid Form Body", errors)


def empty_message() -> Refused:
    """Give the refusal of a message that shows nothing."""
    return Refused.because(Code.EMPTY_MESSAGE)


def _exclusive(mentions: Body) -> Tree | None:
    parse = mentions.get("parse")
    for kind in ("users", "roles"):
        if mentions.get(kind) and isinstance(parse, list) and kind in parse:
            return fault(
                "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
                f'parse:["{kind}"] and {kind}: [ids...] are mutually exclusive.',
            )
    return None


_MENTIONED = listing(nothing_or(snowflake), 100, unique=True)
ALLOWED_MENTIONS = record(
    {},
    {
        "parse": listing(nothing_or(one_of("users", "roles", "everyone")), 1_521, unique=True),
        "users": _MENTIONED,
        "roles": _MENTIONED,
        "replied_user": boolean,
    },
    _exclusive,
)
_ATTACHMENT = record(
    {"id": snowflake},
    {
        "filename": text(1024, 1),
        "description": text(1024),
        "title": text(1024),
        "duration_secs": number(0, 2_147_483_647),
        "waveform": text(400),
        "is_spoiler": boolean,
    },
)
_POLL_MEDIA = record(
    {}, {"text": text(300, 1), "emoji": record({}, {"id": snowflake, "name": text(32)})}
)
_POLL = record(
    {"question": _POLL_MEDIA, "answers": listing(record({"poll_media": _POLL_MEDIA}, {}), 10, 1)},
    {"allow_multiselect": boolean, "layout_type": one_of(1), "duration": integer(1, 768)},
)
_REFERENCE = record(
    {"message_id": snowflake},
    {
        "guild_id": snowflake,
        "channel_id": snowflake,
        "fail_if_not_exists": boolean,
        "type": one_of(0),
    },
)


def _nonce(value: object) -> Tree | None:
    if isinstance(value, str):
        return text(25)(value)
    return integer(-(2**63), 2**63 - 1)(value)


_EDITED: dict[str, Check] = {
    "content": text(CONTENT),
    "embeds": EMBEDS,
    "allowed_mentions": ALLOWED_MENTIONS,
    "attachments": listing(_ATTACHMENT, 10),
    "flags": integer(),
}
_BY_WEBHOOK: dict[str, Check] = {**_EDITED, "poll": _POLL, "tts": boolean}
_NEW: dict[str, Check] = {
    **_BY_WEBHOOK,
    "sticker_ids": listing(snowflake, 3),
    "message_reference": _REFERENCE,
    "nonce": _nonce,
    "enforce_nonce": boolean,
}


class Route(StrEnum):
    """The way by which a message comes; each knows its own fields and ignores all others."""

    CHANNEL = "channel"
    WEBHOOK = "webhook"
    EDIT = "edit"


_KNOWN = {Route.CHANNEL: _NEW, Route.WEBHOOK: _BY_WEBHOOK, Route.EDIT: _EDITED}
_WITH_ROWS = {way: record({}, {**fields, "components": ROWS}) for way, fields in _KNOWN.items()}
_WITH_LAYOUT = {way: record({}, {**fields, "components": LAYOUT}) for way, fields in _KNOWN.items()}


def message_faults(
    body: Body,
    *,
    way: Route,
    v2: bool,
    names: frozenset[str],
    allowed_flags: int,
    emojis: Container[str] | None = None,
) -> Tree | None:
    """Find what is wrong with the fields of a message; see `check_message`.

    `way` is how it comes, `names` are the file names that the message will have,
    `allowed_flags` the bits that may be set here, `v2` whether the message has Components V2
    already.
    """
    sent = body.get("flags")
    flags = sent if isinstance(sent, int) and not isinstance(sent, bool) else 0
    layout = v2 or bool(flags & V2)
    faults = (_WITH_LAYOUT if layout else _WITH_ROWS)[way](body)
    if faults:
        return faults
    if flags & ~allowed_flags:
        faults = {"flags": not_one_of(1 << n for n in range(32) if allowed_flags >> n & 1)}
    together = components_together(flatten(body.get("components")), names, emojis)
    if together:
        faults = merged(faults, {"components": together})
    embedded = embeds_together(body.get("embeds"), names) if body.get("embeds") else None
    if embedded:
        faults = merged(faults, {"embeds": embedded})
    if layout:
        legacy: Tree = {name: _not_with_layout(name) for name in _LEGACY if body.get(name)}
        faults = merged(faults, legacy)
        if way is Route.EDIT and body.get("components") == []:
            raise empty_message()
    return faults


def _not_with_layout(name: str) -> Tree:
    return fault(
        "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
        f"The '{name}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2",
    )


def is_empty(body: Body, files: Files) -> bool:
    """Tell whether a new message would show nothing at all."""
    if files or body.get("components") or body.get("poll") or body.get("sticker_ids"):
        return False
    if string(body, "content").strip():
        return False
    return all(is_blank(embed) for embed in objects(body.get("embeds")))


def flags_for(*, edit: bool, allow_ephemeral: bool) -> int:
    """Give the bits that a bot may set on a new or an edited message."""
    flags = SUPPRESS_EMBEDS | V2 | (EPHEMERAL if allow_ephemeral else 0)
    return flags if edit else flags | QUIET | VOICE


def check_storable(body: Body) -> None:
    """Refuse text that Discord's own storage breaks on, with the 500 that it answers then.

    Seen with layouts whose text fits into 4,000 characters and yet is long in UTF-8
    (discord-api-docs, issue 8554): card and suit symbols take three or four bytes each.
    """
    if text_bytes(body.get("components")) > STORED_BYTES:
        raise Refused(500, 0, "500: Internal Server Error", None)


def check_message(
    body: Body,
    *,
    edit: bool = False,
    v2: bool = False,
    files: Files = NO_FILES,
    allow_ephemeral: bool = False,
    attachments_kept: Mapping[str, str] = NO_ATTACHMENTS,
    standing: Collection[str] | None = None,
    followup: bool = False,
    emojis: Container[str] | None = None,
) -> None:
    """Refuse a message that Discord would refuse.

    `edit` and `v2` say whether a message is edited, and whether that one has Components V2
    already (which no edit takes back). `files` are the uploaded parts as `files[0]` to (name,
    bytes). `attachments_kept` are the files of the edited message, id to name. `standing`, if
    known, names the fields that the edited message has now (`content`, `embeds`, `components`,
    `poll`, `sticker_ids`), so that an edit to nothing is noticed. `followup` is a message by an
    interaction's webhook. `emojis` are the ids of the custom emoji that the bot may use.

    Raises Refused: 50035 with the fields, 50006 for an empty message, 40005 for too large files.
    """
    check_files(files)
    names = names_after(body, files, attachments_kept)
    allowed = flags_for(edit=edit, allow_ephemeral=allow_ephemeral)
    way = Route.WEBHOOK if followup else Route.EDIT if edit else Route.CHANNEL
    faults = message_faults(body, way=way, v2=v2, names=names, allowed_flags=allowed, emojis=emojis)
    faults = merged(faults, listed_files(body, files, attachments_kept))
    if followup:
        unused: Tree = {
            key: fault("WEBHOOK_FIELD_UNSUPPORTED", "Not supported for interactions")
            for key in ("username", "avatar_url")
            if body.get(key)
        }
        faults = merged(faults, unused)
    if edit and standing is not None:
        faults = merged(faults, _left_standing(body, v2=v2, standing=standing, names=names))
    if faults:
        raise refused_form(faults)
    if not edit and is_empty(body, files):
        raise empty_message()
    check_storable(body)


def _left_standing(
    body: Body, *, v2: bool, standing: Collection[str], names: frozenset[str]
) -> Tree | None:
    """Find what an edit leaves of the old message that can't stay, or that nothing stays."""
    left = {name for name in standing if name not in body}
    if not v2 and whole(body, "flags", 0) & V2:
        return {name: _not_with_layout(name) for name in _LEGACY if name in left} or None
    given = [*_LEGACY, "components"]
    if not left and not names and not any(body.get(name) for name in given):
        raise empty_message()
    return None
