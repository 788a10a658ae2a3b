"""Help, one short page a topic."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Final

from bot.ui import escape
from bot.ui.controls import Control, Verb
from bot.ui.language import _
from bot.ui.page import Page
from bot.ui.parts import Accent, Composer, Option
from gin.actions import Phase
from gin.views import MatchView


class Topic(StrEnum):
    """What can be explained."""

    START = "start"
    PLAY = "play"
    KNOCK = "knock"
    LAYOFF = "layoff"
    SCORING = "scoring"
    CLOCK = "clock"
    COMMANDS = "commands"


def help_page(topic: str = Topic.START) -> Page:
    """One topic's page with a select of the others; an unknown topic gets the first."""
    chosen = Topic(topic) if topic in set(Topic) else Topic.START
    return (
        Composer(Accent.TABLE)
        .text(f"## {topic_title(chosen)}")
        .text(_TEXTS[chosen]())
        .select(
            Control(Verb.HELP_PICK, 0),
            _("More topics: playing, knocking, scoring…"),
            [Option(one, topic_title(one)) for one in Topic if one is not chosen],
        )
        .page()
    )


def help_topic(view: MatchView) -> Topic:
    """What a player asks about who asks at this moment of a match."""
    hand = view.hand
    if view.outcome is not None:
        return Topic.SCORING
    if hand is not None and hand.phase is Phase.LAYOFF:
        return Topic.LAYOFF
    if hand is not None and (hand.may_knock or hand.phase in (Phase.FIFTIETH, Phase.EXPOSED)):
        return Topic.KNOCK
    return Topic.PLAY


def help_choices(typed: str) -> list[tuple[str, str]]:
    """Autocomplete for ``/gin help topic``: (title, topic)."""
    wanted = escape.legible(typed).strip().casefold()
    return [
        (topic_title(topic), str(topic))
        for topic in Topic
        if wanted in topic_title(topic).casefold() or topic.startswith(wanted)
    ]


def help_titles() -> dict[str, str]:
    """Every topic of help with its title."""
    return {str(topic): topic_title(topic) for topic in Topic}


def topic_title(topic: Topic) -> str:
    """A topic's title."""
    titles = {
        Topic.START: _("Starting a match"),
        Topic.PLAY: _("Playing a hand"),
        Topic.KNOCK: _("Knocking and gin"),
        Topic.LAYOFF: _("Laying off"),
        Topic.SCORING: _("Scoring"),
        Topic.CLOCK: _("The clock"),
        Topic.COMMANDS: _("Commands"),
    }
    return titles[topic]


def _start() -> str:
    return _(
        "New to gin? Choose **Playing a hand** below: that is enough to begin.\n\n"
        "Challenge somebody with `/gin challenge`. When they accept, the table appears in "
        "the channel and both of you get your cards by direct message.\n"
        "- Your direct messages are closed? Press **My hand** on the table: only you see "
        "what it shows, and you can play the whole match from there.\n"
        "- Name a `third` and you play by three, one sitting out each hand. `variant`, "
        "`scoring`, `target` and `house` choose the rules, `clock` a turn's time; the "
        "challenge tells them all before anybody accepts.\n"
        "- Everything can be done with buttons or by typing, whichever you like.\n"
        "- Lost the message? `/gin hand` shows your cards, `/gin status` your matches."
    )


def _play() -> str:
    return _(
        "You hold ten cards. Make **melds** of them: three or four of a rank "
        "(9♠ 9♦ 9♣), or three or more in a row of one suit (4♥ 5♥ 6♥; the ace is low). "
        "What is left over is **deadwood**: ace 1, J Q K 10, the others as they say.\n"
        "- At the start the non-dealer may take the up-card or pass, then the dealer. "
        "If both pass, the non-dealer draws from the stock.\n"
        "- On your turn draw one card, from the stock or the top of the discard pile, "
        "then discard one. A card just taken from the discard pile can't go back at once.\n"
        "- When only two cards are left in the stock, the hand is void and dealt again."
    )


def _knock() -> str:
    return _(
        "After drawing, when the cards that you keep have little enough deadwood (usually "
        "10 or less), you may **knock**: lay your hand open and end the play. You are "
        "asked before it happens, and may choose how to lay your melds.\n"
        "- With no deadwood at all it is **gin**: a bonus, and nothing can be laid off. "
        "You are never forced to go gin; the button waits for you.\n"
        "- Knocking is a risk: whoever has as little deadwood as you, or less, "
        "**undercuts** you and takes the points with a bonus.\n"
        "- In Straight nobody knocks: only gin ends a hand. `/gin rules` tells what your match "
        "plays."
    )


def _layoff() -> str:
    return _(
        "When your opponent has knocked, you may add your loose cards to their melds: a "
        "fourth to three of a rank, the next card to either end of a run, and so on as "
        "the runs grow. What you lay off is no longer your deadwood.\n"
        "- The best way is worked out for you; press it, or choose another.\n"
        "- After gin nothing can be laid off."
    )


def _scoring() -> str:
    return _(
        "- **Knock**: the knocker scores the difference of the deadwoods.\n"
        "- **Undercut**: the other scores the difference plus 25.\n"
        "- **Gin**: your opponent's deadwood plus 25.\n"
        "- Whoever reaches the target (usually 100) ends the game and adds 100. Then each "
        "player adds a **box** of 25 for each hand won. The higher total wins, so boxes "
        "count!\n"
        "`/gin sheet` shows how a match stands. These are the plain game's numbers; "
        "`/gin rules` tells those of your match."
    )


def _clock() -> str:
    return _(
        "A challenge may set a `clock`: `2m`, `1d`, `3 days forfeit`, `5m wait` or `none`. "
        "Live, a turn has 30 seconds to 10 minutes; by correspondence, 1 hour to 7 days. "
        "A draw and the discard are one turn.\n"
        "- When the time is up, the **house plays** that turn: it draws from the stock, "
        "lays that card away, and never knocks. Or, if the challenge says so, everybody "
        "waits, or the **hand** or the **match** is lost.\n"
        "- You are reminded once, shortly before.\n"
        "- Time in which I was down is given back. On **vacation** (`/gin settings`) your "
        "correspondence clocks stand still.\n"
        "- Without a clock, either of you may close a match that nobody played for 14 "
        "days: `/gin cancel`."
    )


def _commands() -> str:
    return _(
        "- `/gin challenge` · `/gin respond` · `/gin rematch`\n"
        "- `/gin hand` · `/gin status` · `/gin sheet` · `/gin leaderboard`\n"
        "- `/gin draw` · `/gin pass` · `/gin discard` · `/gin knock` · `/gin layoff`\n"
        "- `/gin resign` · `/gin cancel` · `/gin verify`\n"
        "- `/gin rules` · `/gin help` · `/gin settings` · `/gin privacy`\n"
        "Cards are typed as you like: `7h`, `7♥`, `10d`, `td`, `queen of spades`. Melds "
        "like `7h 8h 9h / kc kd ks`. In `/gin layoff` type `none` to lay off nothing."
    )


_TEXTS: Final[Mapping[Topic, Callable[[], str]]] = {
    Topic.START: _start,
    Topic.PLAY: _play,
    Topic.KNOCK: _knock,
    Topic.LAYOFF: _layoff,
    Topic.SCORING: _scoring,
    Topic.CLOCK: _clock,
    Topic.COMMANDS: _commands,
}
"""What is said of each topic, in the reader's language."""
