"""Whose turn it is, how long he has for it, and what happens when his time is up."""

from __future__ import annotations

from bot.clock import TimeUp
from bot.ui.clocks import threat, threat_to_another
from bot.ui.language import _
from bot.ui.moves import turn_words
from bot.ui.page import MatchShown
from bot.ui.pages import facts
from bot.ui.times import until
from gin.results import Reason


def awaited(shown: MatchShown) -> str:
    """Whose act is awaited, and which; empty between two hands."""
    hand = shown.view.hand
    if hand is None or hand.to_move is None:
        return ""
    return turn_words(hand, facts.names(shown))


def turn(shown: MatchShown) -> str:
    """Whose act is awaited, with the deadline if there is one, in one line."""
    said = awaited(shown)
    return with_time(shown, said) if said else ""


def with_time(shown: MatchShown, said: str, *, yours: bool = False) -> str:
    """Whose turn it is, as ``said``, and until when; the same without a clock.

    ``yours``: the reader is the one who is awaited.
    """
    if shown.server_away:
        return _("{turn} · the clock stands still while I can't reach the server").format(turn=said)
    if shown.back_by is not None:
        stopped = _(
            "{turn} · {name} is on vacation, so the clock stands still; it goes on {until} at the "
            "latest"
        )
        if yours:
            stopped = _(
                "{turn} · you are on vacation, so the clock stands still; it goes on {until} at "
                "the latest"
            )
        return stopped.format(turn=said, name=_mover(shown), until=until(shown.back_by))
    if shown.deadline is None:
        return said
    timed = _("{turn} · deadline {until}")
    if shown.time_is_up:
        timed = _("{turn} · the time was up {until}")
    elif shown.vacation_over:
        timed = _("{turn} · {name}'s vacation is over, deadline {until}")
        if yours:
            timed = _("{turn} · your vacation is over, deadline {until}")
    return timed.format(turn=said, name=_mover(shown), until=until(shown.deadline))


def time_left(shown: MatchShown) -> str:
    """Until when the player to act has time, and what happens then, in sentences of their own.

    Empty without a clock. The viewer is addressed as "you".
    """
    hand = shown.view.hand
    if hand is None or hand.to_move is None:
        return ""
    yours = hand.to_move is shown.view.viewer
    if shown.server_away:
        said = _("I can't reach the server at present, so the clock stands still until I can.")
        return f"{said} {_('You may play on here.')}" if yours else said
    if shown.back_by is not None:
        said = (
            _(
                "You are on vacation, so your clock stands still; it goes on **{until}** at the "
                "latest."
            )
            if yours
            else _(
                "{name} is on vacation, so the clock stands still; it goes on **{until}** at the "
                "latest."
            )
        )
        return said.format(name=_mover(shown), until=until(shown.back_by))
    if shown.deadline is None:
        return ""
    then = ""
    if shown.time_is_up:
        said = (
            _("Your time was up **{until}**. The others wait for you.")
            if yours
            else _("{name}'s time was up **{until}**.")
        )
    else:
        said = _("Your time ends **{until}**.") if yours else _("{name}'s time ends **{until}**.")
        if shown.vacation_over:
            over = (
                _("Your vacation is over, so your clock runs again.")
                if yours
                else _("{name}'s vacation is over, so the clock runs again.")
            )
            said = f"{over} {said}"
        if shown.clock is not None:
            then = (threat if yours else threat_to_another)(shown.clock.then)
    return f"{said} {then}".rstrip().format(name=_mover(shown), until=until(shown.deadline))


def stood_in(shown: MatchShown) -> str:
    """That somebody's time was up, and what the house did; empty where it did nothing last."""
    if shown.stood_in is None:
        return ""
    outcome = shown.view.outcome
    if outcome is not None and outcome.reason is Reason.CANCELLED:
        return _("The time was up turn after turn, and nobody came back to the table.")
    you = shown.stood_in is shown.view.viewer
    said = _("Your time was up.") if you else _("{name}'s time was up.")
    if shown.clock is not None and shown.clock.then is TimeUp.PLAY_ON:
        said = (
            _("Your time was up, so the house played that turn for you.")
            if you
            else _("{name}'s time was up, so the house played that turn.")
        )
    return said.format(name=facts.names(shown)[shown.stood_in])


def _mover(shown: MatchShown) -> str:
    """The name of the player who is awaited."""
    hand = shown.view.hand
    if hand is None or hand.to_move is None:
        return _("somebody")
    return facts.names(shown)[hand.to_move]
