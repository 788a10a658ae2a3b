"""Discord's bad days, driven from tests and the page: what breaks, for whom, and how often."""

import asyncio
import random
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from playground.doors.recording import fits
from playground.errors import Code, Refused
from playground.state.events import Event
from playground.state.interactions import Interaction
from playground.state.model import Channel, Guild, Message, Role, User
from playground.state.permissions import Permission
from playground.tabs.switches import Switches
from playground.wire import Json

if TYPE_CHECKING:
    from playground.doors.gateway import Gateway
    from playground.state.world import World


class Trouble(StrEnum):
    """What can happen to a request."""

    SLOW = "slow"
    """It takes a while."""
    ERROR = "error"
    """The server answers 5xx."""
    RATE_LIMIT = "rate_limit"
    """429."""
    REFUSE = "refuse"
    """Refused with a code of one's choice."""
    DROP = "drop"
    """The connection ends without an answer."""


@dataclass(slots=True, eq=False)
class Rule:
    """Trouble for the requests that fit a pattern.

    `after` lets the work be done first, so that only the answer is late, wrong or lost. `rate` is
    the share of fitting requests that it befalls, `times` how many it still may befall (None: no
    end).
    """

    trouble: Trouble
    pattern: str = "*"
    rate: float = 1.0
    after: bool = False
    times: int | None = None
    seconds: float = 0.0
    status: int = 500
    is_global: bool = False
    refusal: Refused | None = None


class Faults:
    """The switches; all off at first, `clear()` turns all off again."""

    def __init__(self, world: "World", gateway: "Gateway", *, seed: int = 0) -> None:
        self._world = world
        self._gateway = gateway
        self.rules: list[Rule] = []
        self.random = random.Random(seed)
        self.late_seconds = 0.0
        """How long interactions are on their way to the bot."""
        self.lost_rate = 0.0
        """The share of interactions that never reach the bot."""
        self.twice_rate = 0.0
        """The share of interactions that reach the bot twice."""
        self._straight = world.interactions.courier
        world.interactions.courier = self._carry
        self._switches = Switches(self, world)

    # ------------------------------------------------------------------ requests

    def _add(self, rule: Rule) -> Rule:
        self.rules.append(rule)
        self._tell()
        return rule

    def slow(
        self,
        seconds: float,
        pattern: str = "*",
        *,
        after: bool = False,
        rate: float = 1.0,
        times: int | None = None,
    ) -> Rule:
        """Let requests wait before (or, `after`, once) they are handled."""
        rule = Rule(Trouble.SLOW, pattern, rate, after, times, seconds=seconds)
        return self._add(rule)

    def http_errors(
        self,
        status: int = 500,
        pattern: str = "*",
        *,
        rate: float = 1.0,
        after: bool = False,
        times: int | None = None,
    ) -> Rule:
        """Answer 5xx; with `after` the work was done all the same."""
        return self._add(Rule(Trouble.ERROR, pattern, rate, after, times, status=status))

    def rate_limit(
        self,
        pattern: str = "*",
        seconds: float = 1.0,
        *,
        is_global: bool = False,
        rate: float = 1.0,
        times: int | None = None,
    ) -> Rule:
        """Answer 429 with this time to wait."""
        rule = Rule(Trouble.RATE_LIMIT, pattern, rate, False, times, seconds, is_global=is_global)
        return self._add(rule)

    def refuse(self, pattern: str, reason: Code | Refused, *, times: int | None = None) -> Rule:
        """Refuse requests with a code of one's choice."""
        refusal = Refused.because(reason) if isinstance(reason, Code) else reason
        return self._add(Rule(Trouble.REFUSE, pattern, times=times, refusal=refusal))

    def drop_answers(
        self,
        pattern: str = "*",
        *,
        after: bool = True,
        rate: float = 1.0,
        times: int | None = None,
    ) -> Rule:
        """End the connection without an answer; the work is done unless `after` is off."""
        return self._add(Rule(Trouble.DROP, pattern, rate, after, times))

    def remove_all(self, trouble: str) -> None:
        """Take all rules of one kind away."""
        self.rules = [rule for rule in self.rules if rule.trouble != trouble]
        self._tell()

    def remove(self, rule: Rule) -> None:
        """Take one rule away."""
        if rule in self.rules:
            self.rules.remove(rule)
            self._tell()

    def clear(self) -> None:
        """Make everything work again."""
        self.rules.clear()
        self.late_seconds = self.lost_rate = self.twice_rate = 0.0
        self._gateway.answers_heartbeats = True
        self._gateway.refused_until = 0.0
        self._tell()

    def befalling(self, method: str, path: str, template: str, *, after: bool) -> list[Rule]:
        """List the rules that strike this request now, and count them down."""
        if not self.rules:
            return []
        struck = []
        for rule in tuple(self.rules):
            if rule.after is not after or not fits(rule.pattern, method, path, template):
                continue
            if rule.rate < 1.0 and self.random.random() >= rule.rate:
                continue
            struck.append(rule)
            if rule.times is not None:
                rule.times -= 1
                if rule.times <= 0:
                    self.rules.remove(rule)
        return struck

    # ------------------------------------------------------------------ the gateway

    def cut_gateway(self, seconds: float = 0.0, *, code: int = 1006) -> None:
        """Break the bot's connections and turn new ones away for so long; it may resume then."""
        self._gateway.cut(code=code, seconds=seconds)

    def reconnect(self) -> None:
        """Ask the bot to connect anew (op 7)."""
        self._gateway.ask_to_reconnect()

    def invalid_session(self, *, resumable: bool = False) -> None:
        """Tell the bot that its session is invalid (op 9)."""
        self._gateway.invalidate(resumable=resumable)

    def ignore_heartbeats(self, *, on: bool = True) -> None:
        """Stop acknowledging heartbeats: a connection that is dead and doesn't know it."""
        self._gateway.answers_heartbeats = not on

    # ------------------------------------------------------------------ interactions

    def _carry(self, event: Event) -> None:
        if self.lost_rate and self.random.random() < self.lost_rate:
            return
        rounds = 2 if self.twice_rate and self.random.random() < self.twice_rate else 1
        for _ in range(rounds):
            if self.late_seconds:
                loop = asyncio.get_running_loop()
                loop.call_later(self.late_seconds, self._straight, event)
            else:
                self._straight(event)

    def redeliver(self, interaction: Interaction) -> None:
        """Bring the bot an interaction once more, with the same id and token."""
        self._world.interactions.deliver(interaction)

    def expire_tokens(self) -> None:
        """Let the tokens of all interactions so far be as good as 15 minutes old."""
        for interaction in self._world.interactions.by_id.values():
            interaction.token_expired = True

    def move_clock(self, seconds: float) -> None:
        """Move the world's clock, and let what is due happen."""
        self._world.clock.move(seconds)

    def reset_clock(self) -> None:
        """Let the world's clock tell the real time again."""
        self._world.clock.move(-self._world.clock.offset)

    # ------------------------------------------------------------------ people and places

    def close_dms(self, user: User, *, closed: bool = True) -> None:
        """Close a person's direct messages (50007), or open them."""
        self._world.close_dms(user, closed=closed)

    def delete_message(self, message: Message) -> None:
        """Delete a message behind the bot's back."""
        self._world.delete_message(message)

    def delete_channel(self, channel: Channel) -> None:
        """Delete a channel or thread."""
        self._world.remove_channel(channel)

    def archive(self, thread: Channel, *, archived: bool = True) -> None:
        """Archive a thread, or bring it back."""
        self._world.threads.set_state(thread, archived=archived)

    def lock(self, thread: Channel, *, locked: bool = True) -> None:
        """Lock a thread (archived with it), or unlock it."""
        self._world.threads.set_state(thread, archived=locked, locked=locked)

    def permission(
        self, target: User | Role, channel: Channel, name: str | Permission, allowed: bool | None
    ) -> None:
        """Give, take or leave open (None) a permission in a channel."""
        which = name if isinstance(name, Permission) else Permission[name.upper()]
        self._world.set_permission(target, channel, which, allowed)

    def kick_bot(self, guild: Guild) -> None:
        """Throw the bot out of a server."""
        self._world.leave(guild, self._world.bot)

    def invite_bot(self, guild: Guild) -> None:
        """Invite it again."""
        self._world.invite_bot(guild)

    def outage(self, guild: Guild, *, on: bool = True) -> None:
        """Let a server be unavailable for a while, which is no removal."""
        self._world.set_outage(guild, unavailable=on)

    def leave(self, guild: Guild, user: User) -> None:
        """Let somebody leave a server."""
        self._world.leave(guild, user)

    def delete_user(self, user: User) -> None:
        """Let somebody delete his account (10013, and 10007 in every server)."""
        user.deleted = True
        for guild in self._world.guilds_of(user):
            self._world.leave(guild, user)

    # ------------------------------------------------------------------ the page's panel

    def state(self) -> Json:
        """Show the switches as they are."""
        return {
            "slow": sum(rule.seconds for rule in self._by(Trouble.SLOW)),
            "errors": max((rule.rate for rule in self._by(Trouble.ERROR)), default=0.0),
            "rate_limit": max((rule.seconds for rule in self._by(Trouble.RATE_LIMIT)), default=0.0),
            "late": self.late_seconds,
            "twice": self.twice_rate,
            "lost": self.lost_rate,
            "gateway": bool(self._gateway.connections),
            "clock": round(self._world.clock.offset, 3),
            "rules": [
                {"trouble": rule.trouble.value, "pattern": rule.pattern, "rate": rule.rate}
                for rule in self.rules
            ],
        }

    def _by(self, trouble: Trouble) -> list[Rule]:
        return [rule for rule in self.rules if rule.trouble is trouble]

    def _tell(self) -> None:
        self._world.emit(Event("FAULTS", self.state()))

    def set(self, name: str, value: object = None) -> None:
        """Turn a switch by its name, with ids in `value` instead of objects.

        Raises KeyError for a name, id or field that isn't there, ValueError or TypeError for a
        value that doesn't fit.
        """
        self._switches.set(name, value)
        self._tell()
