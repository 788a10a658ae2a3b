"""Clocks in words, both ways: what a match's clock means, and what somebody types for one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Final

from bot.clock import Clock, MalformedClock, Pace, TimeUp
from bot.ui import escape, limits
from bot.ui.language import _, ngettext
from bot.ui.limits import clip
from bot.ui.typed import NotUnderstood

CLOCK: Final = "clock"
"""The name of the option of a house set."""
NO_CLOCK: Final = "none"
"""What is typed for a match in which nobody's time is counted."""
_NONE: Final = frozenset(
    {"none", "no", "off", "nothing", "never", "without", "no clock", "none no clock"}
)
_SECONDS: Final[Mapping[str, int]] = {
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), 1),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes"), 60),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), 3600),
    **dict.fromkeys(("d", "day", "days"), 86400),
    **dict.fromkeys(("w", "week", "weeks"), 604800),
}
_AMOUNT: Final = re.compile(r"(?<!\d)(\d{1,5}) ?([a-z]+)")
_BELOW: Final = re.compile(r"[-\u2010-\u2015\u2212] ?\d")
"""A number below nothing, or the end of a range: a hyphen, a dash or a minus before a digit."""
_SAID: Final = (
    (TimeUp.FORFEIT_HAND, frozenset({"hand"})),
    (TimeUp.FORFEIT_MATCH, frozenset({"match", "forfeit", "lose", "lost", "loses"})),
    (TimeUp.WAIT, frozenset({"wait", "waits", "nothing", "told"})),
    (TimeUp.PLAY_ON, frozenset({"house", "play", "plays"})),
)
"""What word means which end; the first that is found counts."""
_IDLE: Final = frozenset(
    ("live", "correspondence", "a", "an", "the", "then", "and", "per", "each", "every", "turn",
     "turns", "is", "if", "for", "on", "by", "clock", "only", "everybody", "up", "time", "when")
)  # fmt: skip
"""Words that change nothing."""
_USUAL: Final = (
    *(timedelta(minutes=minutes) for minutes in (1, 2, 5, 10)),
    *(timedelta(days=days) for days in (1, 2, 3, 7)),
)
_MINUTE, _HOUR, _DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def option_choices(typed: str) -> list[tuple[str, str]]:
    """Autocomplete for the name of the one option of a house set that isn't of the rules."""
    fits = any(_plain(typed) in _plain(name) for name in (CLOCK, clock_title()))
    return [(clock_title(), CLOCK)] if fits else []


def is_option(typed: str) -> bool:
    """Whether somebody means the clock by the name of an option."""
    return _plain(typed) in (_plain(CLOCK), _plain(clock_title()))


def clock_title() -> str:
    """The option's name for people."""
    return _("Clock")


def span_words(span: timedelta) -> str:
    """A turn's time: ``2 minutes``, ``1 hour 30 minutes``, ``3 days``."""
    left, said = span, []
    days, left = divmod(left, _DAY)
    if days:
        said.append(ngettext("{count} day", "{count} days", days).format(count=days))
    hours, left = divmod(left, _HOUR)
    if hours:
        said.append(ngettext("{count} hour", "{count} hours", hours).format(count=hours))
    minutes, left = divmod(left, _MINUTE)
    if minutes:
        words = ngettext("{count} minute", "{count} minutes", minutes)
        said.append(words.format(count=minutes))
    seconds = left // timedelta(seconds=1)
    if seconds:
        words = ngettext("{count} second", "{count} seconds", seconds)
        said.append(words.format(count=seconds))
    return " ".join(said)


def turn_time(clock: Clock) -> str:
    """A clock in a few words: ``2 minutes a turn``."""
    return _("{time} a turn").format(time=span_words(clock.turn))


def turn_terms(clock: Clock) -> str:
    """The same with what is at stake: ``2 minutes a turn, then the house plays on``."""
    then = {
        TimeUp.PLAY_ON: _("then the house plays on"),
        TimeUp.WAIT: _("then everybody waits"),
        TimeUp.FORFEIT_HAND: _("then the hand is lost"),
        TimeUp.FORFEIT_MATCH: _("then the match is lost"),
    }
    return f"{turn_time(clock)}, {then[clock.then]}"


def clock_name(clock: Clock | None) -> str:
    """A clock as it is picked: ``live · 2 minutes a turn, then the house plays on``."""
    if clock is None:
        return _("no clock")
    pace = _("live") if clock.pace is Pace.LIVE else _("correspondence")
    return f"{pace} · {turn_terms(clock)}"


def clock_terms(clock: Clock | None) -> str:
    """What the players agree to, in a sentence or two."""
    if clock is None:
        return _(
            "**No clock**: take your time. After 14 idle days either player may close the match."
        )
    then = {
        TimeUp.PLAY_ON: _(
            "When it is up, the house plays that turn: it draws from the stock, lays that card "
            "away, and never knocks."
        ),
        TimeUp.WAIT: _(
            "When it is up, everybody is told, and waits; after 14 idle days either player may "
            "close the match."
        ),
        TimeUp.FORFEIT_HAND: _("When it is up, the hand is lost: the opponent scores as for gin."),
        TimeUp.FORFEIT_MATCH: _("When it is up, the match is lost."),
    }
    said = _("**Clock**: {time} a turn.").format(time=span_words(clock.turn))
    if clock.pace is Pace.CORRESPONDENCE:
        said += " " + _("It stands still on vacation (`/gin settings`).")
    said += " " + then[clock.then]
    if clock.then in (TimeUp.PLAY_ON, TimeUp.FORFEIT_HAND):
        said += " " + _(
            "Once both who play a hand have let three turns in a row run out, the match is called "
            "off, whoever leads."
        )
    return said


def threat(then: TimeUp) -> str:
    """What happens when a player's time is up, told to him."""
    return {
        TimeUp.PLAY_ON: _("Then the house plays this turn for you."),
        TimeUp.WAIT: _("Then the others are told, and wait for you."),
        TimeUp.FORFEIT_HAND: _("Then you lose this hand."),
        TimeUp.FORFEIT_MATCH: _("Then you lose the match."),
    }[then]


def threat_to_another(then: TimeUp) -> str:
    """The same, told to those who wait for him; ``{name}`` stands for his name."""
    return {
        TimeUp.PLAY_ON: _("Then the house plays that turn."),
        TimeUp.WAIT: _("Then you are told."),
        TimeUp.FORFEIT_HAND: _("Then {name} loses this hand."),
        TimeUp.FORFEIT_MATCH: _("Then {name} loses the match."),
    }[then]


def read_clock(text: str) -> Clock | None:
    """Read a clock as people type it: ``3m``, ``2d forfeit``, ``live 2 minutes, hand``, ``none``.

    What isn't said of the end means that the house plays on. Raise :class:`NotUnderstood` with a
    sentence that says what can be chosen.
    """
    wanted = _plain(text)
    if wanted in _NONE or wanted == _plain(clock_name(None)):
        return None
    try:
        return Clock.parse(text.strip())
    except MalformedClock:
        pass
    turn, words = _turn_and_words(wanted)
    if (
        _BELOW.search(text)
        or turn is None
        or not words <= _IDLE.union(*(said for _then, said in _SAID))
    ):
        raise _not_understood(text)
    try:
        return Clock(turn, _then(words) or TimeUp.PLAY_ON)
    except MalformedClock:
        raise NotUnderstood(
            _(
                "A live clock gives 30 seconds to 10 minutes a turn, one for correspondence "
                "1 hour to 7 days."
            ),
            text,
        ) from None


def clock_choices(typed: str) -> list[tuple[str, str]]:
    """Autocomplete for a clock: (what it means, what :func:`read_clock` reads)."""
    if _BELOW.search(typed):
        return []
    wanted = _plain(typed)
    turn, words = _turn_and_words(wanted)
    if turn is not None:
        chosen = _then(words)
        return _offered(_allowed([turn]), [chosen] if chosen else list(TimeUp))
    if wanted.isascii() and wanted.isdigit() and len(wanted) < 4:
        turns = _allowed(int(wanted) * unit for unit in (_MINUTE, _HOUR, _DAY))
        return _offered(turns, [TimeUp.PLAY_ON]) + _offered(turns, list(TimeUp)[1:])
    offered = [(clock_name(None), NO_CLOCK), *_offered(_USUAL, [TimeUp.PLAY_ON])]
    offered += _offered(_USUAL, list(TimeUp)[1:])
    fitting = [one for one in offered if all(word in _plain(one[0]) for word in wanted.split())]
    return fitting[: limits.CHOICES]


def _offered(turns: Iterable[timedelta], ends: Iterable[TimeUp]) -> list[tuple[str, str]]:
    every = tuple(turns)
    clocks = [Clock(turn, then) for then in ends for turn in every]
    return [(clip(clock_name(clock), limits.CHOICE_NAME), clock.dump()) for clock in clocks]


def _allowed(turns: Iterable[timedelta]) -> list[timedelta]:
    found = []
    for turn in turns:
        try:
            found.append(Clock(turn).turn)
        except MalformedClock:
            continue
    return found


def _turn_and_words(wanted: str) -> tuple[timedelta | None, set[str]]:
    """The time that is named, all its parts together, and the words beside it."""
    turn = None
    for amount, unit in _AMOUNT.findall(wanted):
        if unit in _SECONDS:
            turn = (turn or timedelta(0)) + timedelta(seconds=int(amount) * _SECONDS[unit])
    rest = _AMOUNT.sub(lambda found: " " if found[2] in _SECONDS else found[0], wanted)
    return turn, set(rest.split())


def _then(words: set[str]) -> TimeUp | None:
    return next((then for then, said in _SAID if words & said), None)


def _not_understood(text: str) -> NotUnderstood:
    return NotUnderstood(
        _(
            "“{typed}” is no clock that I know. Type a turn's time and what happens then, such as "
            "`3m`, `2d forfeit`, `5 minutes hand`, `1d wait`, or `none`."
        ).format(typed=escape.text(text)),
        text,
    )


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[^\w]+|_", " ", escape.legible(text[:200]).casefold()).split())
