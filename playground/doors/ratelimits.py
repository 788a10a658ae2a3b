"""Rate limits as Discord has them: buckets by route, and so many requests a second in all."""

import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass

_MAJOR = ("channel_id", "guild_id", "webhook_id", "application_id", "webhook_token")
_MOST_WINDOWS = 20_000


@dataclass(frozen=True, slots=True)
class Bucket:
    """So many requests in so many seconds."""

    limit: int
    seconds: float


DEFAULT = Bucket(50, 1.0)
# Discord publishes no numbers; these are what its headers have been seen to say.
BUCKETS: dict[str, Bucket] = {
    "POST /channels/{channel_id}/messages": Bucket(5, 5.0),
    "PATCH /channels/{channel_id}/messages/{message_id}": Bucket(5, 5.0),
    "DELETE /channels/{channel_id}/messages/{message_id}": Bucket(5, 1.0),
    "PUT /channels/{channel_id}/messages/{message_id}/reactions/{emoji}/@me": Bucket(1, 0.25),
    "POST /webhooks/{webhook_id}/{webhook_token}": Bucket(5, 2.0),
    "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/{message_id}": Bucket(5, 2.0),
    "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/@original": Bucket(5, 2.0),
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the limits say to a request: the headers, and how long to wait if it is too much."""

    headers: Mapping[str, str]
    retry_after: float | None = None
    is_global: bool = False


@dataclass(slots=True)
class _Window:
    ends: float
    left: int


class RateLimits:
    """Counts requests in real time; `enabled` and the numbers may be changed at any moment."""

    def __init__(self) -> None:
        self.enabled = True
        self.global_a_second = 50
        self.buckets = dict(BUCKETS)
        self.default = DEFAULT
        self._windows: dict[tuple[str, ...], _Window] = {}
        self._global = _Window(0.0, 0)
        self._hashes: dict[str, str] = {}

    def take(
        self, method: str, template: str, params: Mapping[str, str], *, counted: bool
    ) -> Verdict:
        """Count a request; `counted` ones count against the requests a second, too."""
        if not self.enabled or template.endswith("/callback"):
            return Verdict({})
        now = time.monotonic()
        if counted and self.global_a_second:
            if now >= self._global.ends:
                self._global = _Window(now + 1.0, self.global_a_second)
            if self._global.left <= 0:
                wait = self._global.ends - now
                return Verdict(self.too_much(wait, is_global=True), wait, is_global=True)
            self._global.left -= 1
        route = f"{method} {template}"
        bucket = self.buckets.get(route, self.default)
        key = (route, *(params[name] for name in _MAJOR if name in params))
        window = self._windows.get(key)
        if window is None or now >= window.ends:
            if len(self._windows) > _MOST_WINDOWS:
                self._windows = {k: w for k, w in self._windows.items() if w.ends > now}
            window = self._windows[key] = _Window(now + bucket.seconds, bucket.limit)
        wait = window.ends - now
        refused = window.left <= 0
        window.left = max(0, window.left - 1)
        headers = {
            "X-RateLimit-Limit": str(bucket.limit),
            "X-RateLimit-Remaining": str(window.left),
            "X-RateLimit-Reset": f"{time.time() + wait:.3f}",
            "X-RateLimit-Reset-After": f"{wait:.3f}",
            "X-RateLimit-Bucket": self._hash(route),
        }
        if refused:
            return Verdict({**headers, **self.too_much(wait)}, wait)
        return Verdict(headers)

    def too_much(
        self, seconds: float, *, is_global: bool = False, scope: str = "user"
    ) -> dict[str, str]:
        """Make the headers of a 429.

        They have `Via`, as everything that comes through Discord's edge does; without it clients
        take a 429 for a ban by the edge itself.
        """
        headers = {
            "Retry-After": str(max(1, -int(-seconds // 1))),
            "X-RateLimit-Scope": "global" if is_global else scope,
            "Via": "1.1 playground",
        }
        if is_global:
            headers["X-RateLimit-Global"] = "true"
        return headers

    def _hash(self, route: str) -> str:
        known = self._hashes.get(route)
        if known is None:
            known = hashlib.sha256(route.encode()).hexdigest()[:32]
            self._hashes[route] = known
        return known
