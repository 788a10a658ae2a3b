"""What a bot may ask of threads and channels."""

from playground.checks.fields import (
    Check,
    Tree,
    boolean,
    integer,
    listing,
    one_of,
    record,
    snowflake,
    words,
)

_ARCHIVE = one_of(60, 1_440, 4_320, 10_080)
_SLOW = integer(0, 21_600)
_SETTINGS: dict[str, Check] = {"auto_archive_duration": _ARCHIVE, "rate_limit_per_user": _SLOW}

_FROM_MESSAGE = record({"name": words(100)}, _SETTINGS)
_THREAD = record(
    {"name": words(100)}, {**_SETTINGS, "type": one_of(10, 11, 12), "invitable": boolean}
)
_POST = record({"name": words(100)}, {**_SETTINGS, "applied_tags": listing(snowflake, 5)})
_EDITED = record(
    {},
    {
        **_SETTINGS,
        "name": words(100),
        "archived": boolean,
        "locked": boolean,
        "invitable": boolean,
        "flags": integer(),
        "applied_tags": listing(snowflake, 5),
    },
)
_DM = record({"recipient_id": snowflake}, {})


def thread_faults(body: object, *, from_message: bool, forum: bool) -> Tree | None:
    """Find what is wrong with a new thread; of a forum's post the message is checked apart."""
    if from_message:
        return _FROM_MESSAGE(body)
    return _POST(body) if forum else _THREAD(body)


def thread_edit_faults(body: object) -> Tree | None:
    """Find what is wrong with the edit of a thread."""
    return _EDITED(body)


def dm_faults(body: object) -> Tree | None:
    """Find what is wrong with a request to open a direct message channel."""
    return _DM(body)
