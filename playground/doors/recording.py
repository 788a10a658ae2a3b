"""Everything the bot asked for, kept so that tests can look at what went out."""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from playground.doors.routing import Facts
from playground.state.files import Upload
from playground.wire import Json


@dataclass(frozen=True, slots=True)
class SentRequest:
    """One request of the bot, with what it was answered."""

    at: float
    """When, in Unix seconds of the world's clock."""
    method: str
    path: str
    """What follows /api/v10, without the query."""
    template: str
    query: tuple[tuple[str, str], ...]
    body: object
    """The JSON body (of a multipart request its payload_json); None when there was none."""
    files: tuple[Upload, ...]
    facts: Facts
    status: int
    """0 when the answer was dropped and the work not done."""
    answer: object
    """What was answered; of answers that weren't refusals only if the recording keeps them."""
    counted: bool
    """Whether it counts against Discord's requests a second."""

    @property
    def code(self) -> int:
        """Discord's code when it was refused, else 0."""
        body = self.answer
        return int(body.get("code", 0)) if isinstance(body, dict) and self.status >= 400 else 0

    @property
    def parts(self) -> dict[str, tuple[str, int]]:
        """The files by part: name and size in bytes."""
        return {item.part: (item.filename, len(item.content)) for item in self.files}

    @property
    def data(self) -> Json:
        """The message, modal or choices in the body: a callback's data, else the body itself."""
        body = self.body if isinstance(self.body, dict) else {}
        if self.template.endswith("/callback"):
            body = body.get("data") or {}
        return dict(body)

    def matches(self, pattern: str) -> bool:
        """Tell whether `METHOD /path` or `METHOD /template` fits a pattern with `*`."""
        return fits(pattern, self.method, self.path, self.template)


def fits(pattern: str, method: str, path: str, template: str) -> bool:
    """Tell whether a request fits a pattern such as `POST /channels/*/messages` or `*`."""
    if pattern == "*":
        return True
    return fnmatchcase(f"{method} {path}", pattern) or fnmatchcase(f"{method} {template}", pattern)


class Recording:
    """The requests in order; the newest are kept when there are too many."""

    def __init__(self, most: int = 100_000) -> None:
        self._requests: deque[SentRequest] = deque(maxlen=most)
        self.keep_files = True
        """Off, the files' bytes are let go (sizes and names with them): for load tests."""
        self.keep_answers = False
        """On, what was answered is kept, too; refusals always are."""
        self.on = True
        self.total = 0
        self.counted = 0
        """How many counted against the requests a second, over all time."""
        self._watchers: list[Callable[[SentRequest], None]] = []

    def __len__(self) -> int:
        return len(self._requests)

    def __iter__(self) -> Iterator[SentRequest]:
        return iter(tuple(self._requests))

    def watch(self, watcher: Callable[[SentRequest], None]) -> Callable[[], None]:
        """Show every request, whole, to a function as it comes; returns how to stop that."""
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher)

    def add(self, request: SentRequest) -> None:
        """Note a request."""
        self.total += 1
        self.counted += request.counted
        for watcher in tuple(self._watchers):
            watcher(request)
        if not self.on:
            return
        if request.status < 400 and not self.keep_answers:
            request = replace(request, answer=None)
        if not self.keep_files:
            request = replace(request, files=())
        self._requests.append(request)

    def of(self, pattern: str) -> list[SentRequest]:
        """List the requests that fit `METHOD /path` with `*` (`POST /channels/*/messages`)."""
        return [request for request in self._requests if request.matches(pattern)]

    def failed(self) -> list[SentRequest]:
        """List the requests that were refused or met an error."""
        return [request for request in self._requests if request.status >= 400]

    def clear(self) -> None:
        """Forget everything so far."""
        self._requests.clear()
