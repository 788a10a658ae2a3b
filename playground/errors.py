"""What Discord says when it refuses a request: status, code, sentence, and the field at fault."""

from collections.abc import Iterable
from enum import Enum
from typing import Self

from playground.wire import Json


class Code(Enum):
    """The refusals that a bot meets: (HTTP status, JSON code, sentence)."""

    NOT_FOUND = (404, 0, "404: Not Found")
    METHOD_NOT_ALLOWED = (405, 0, "405: Method Not Allowed")
    UNAUTHORIZED = (401, 0, "401: Unauthorized")
    UNKNOWN_APPLICATION = (404, 10002, "Unknown Application")
    UNKNOWN_CHANNEL = (404, 10003, "Unknown Channel")
    UNKNOWN_GUILD = (404, 10004, "Unknown Guild")
    UNKNOWN_MEMBER = (404, 10007, "Unknown Member")
    UNKNOWN_MESSAGE = (404, 10008, "Unknown Message")
    UNKNOWN_ROLE = (404, 10011, "Unknown Role")
    UNKNOWN_USER = (404, 10013, "Unknown User")
    UNKNOWN_EMOJI = (404, 10014, "Unknown Emoji")
    UNKNOWN_WEBHOOK = (404, 10015, "Unknown Webhook")
    UNKNOWN_INTERACTION = (404, 10062, "Unknown interaction")
    UNKNOWN_COMMAND = (404, 10063, "Unknown application command")
    MISSING_ACCESS = (403, 50001, "Missing Access")
    DM_CHANNEL = (403, 50003, "Cannot execute action on a DM channel")
    NOT_AUTHOR = (403, 50005, "Cannot edit a message authored by another user")
    EMPTY_MESSAGE = (400, 50006, "Cannot send an empty message")
    CANNOT_MESSAGE_USER = (403, 50007, "Cannot send messages to this user")
    NOT_A_TEXT_CHANNEL = (400, 50008, "Cannot send messages in a non-text channel")
    MISSING_PERMISSIONS = (403, 50013, "Missing Permissions")
    WRONG_CHANNEL_TYPE = (400, 50024, "Cannot execute action on this channel type")
    INVALID_WEBHOOK_TOKEN = (401, 50027, "Invalid Webhook Token")
    INVALID_RECIPIENTS = (400, 50033, "Invalid Recipient(s)")
    INVALID_BODY = (400, 50035, "Invalid Form Body")
    INVALID_FILE = (400, 50046, "Invalid Asset")
    THREAD_ARCHIVED = (400, 50083, "Thread is archived")
    INVALID_JSON = (400, 50109, "The request body contains invalid JSON.")
    NO_MUTUAL_GUILDS = (403, 50278, "Cannot send messages to this user")
    TOO_MANY_PINS = (400, 30003, "Maximum number of pins reached for the channel (50)")
    TOO_MANY_EMOJIS = (400, 30008, "Maximum number of emojis reached (2000)")
    TOO_MANY_REACTIONS = (400, 30010, "Maximum number of reactions reached (20)")
    TOO_MANY_OLD_EDITS = (
        429,
        30046,
        "Maximum number of edits to messages older than 1 hour reached. Try again later",
    )
    OPENING_DMS_TOO_FAST = (403, 40003, "You are opening direct messages too fast")
    TOO_LARGE = (
        413,
        40005,
        "Request entity too large. Try sending something smaller in size",
    )
    ALREADY_ACKNOWLEDGED = (400, 40060, "Interaction has already been acknowledged.")
    SYSTEM_MESSAGE = (403, 50021, "Cannot execute action on a system message")
    NO_HISTORY_TO_REPLY = (
        400,
        160002,
        "Cannot reply without permission to read message history",
    )
    THREAD_EXISTS = (400, 160004, "A thread has already been created for this message")
    THREAD_LOCKED = (403, 160005, "Thread is locked")

    def __init__(self, status: int, number: int, sentence: str) -> None:
        self.status = status
        self.number = number
        self.sentence = sentence


class Refused(Exception):
    """A request that Discord would not take.

    `status` is the HTTP status, `code` Discord's own number, `errors` the nested tree that names
    the fields (only with 50035).
    """

    def __init__(self, status: int, code: int, message: str, errors: Json | None = None) -> None:
        super().__init__(f"{status} {code} {message}")
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors
        self.retry_after: float | None = None

    @classmethod
    def because(cls, reason: Code, *, retry_after: float | None = None) -> Self:
        """Refuse for one of the known reasons."""
        refused = cls(reason.status, reason.number, reason.sentence)
        refused.retry_after = retry_after
        return refused

    def body(self) -> Json:
        """Say it as Discord's JSON: code, message, and errors where fields are at fault."""
        body: Json = {"message": self.message, "code": self.code}
        if self.errors is not None:
            body["errors"] = self.errors
        if self.retry_after is not None:
            body["retry_after"] = self.retry_after
        return body


class FieldErrors:
    """Gathers what is wrong with the fields of one body, then refuses it with 50035."""

    def __init__(self) -> None:
        self.tree: Json = {}

    def __bool__(self) -> bool:
        return bool(self.tree)

    def add(self, path: str | Iterable[str | int], code: str, message: str) -> None:
        """Note one fault; `path` is `data/components/0/custom_id` or the same as parts."""
        parts = path.split("/") if isinstance(path, str) else [str(part) for part in path]
        node = self.tree
        for part in parts:
            if part:
                node = node.setdefault(part, {})
        node.setdefault("_errors", []).append({"code": code, "message": message})

    def refusal(self) -> Refused:
        """Make the refusal that holds everything noted so far."""
        reason = Code.INVALID_BODY
        return Refused(reason.status, reason.number, reason.sentence, self.tree)


def bad_field(path: str, code: str, message: str) -> Refused:
    """Make the refusal for one field."""
    errors = FieldErrors()
    errors.add(path, code, message)
    return errors.refusal()
