"""Asking which match is meant, when several fit, and completing the command in the chosen one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from bot.desk import fairness, knocking, leave, play, record, whereabouts
from bot.desk.finding import WhichMatch
from bot.front.reply import Reply
from bot.front.visit import Visit
from bot.house import House
from bot.ui.pages import which_page
from db.ids import MatchId
from gin import DECK, Card, Pile

Completion = Callable[[House, Visit, MatchId, str], Awaitable[Reply]]

COMPLETIONS: Final[Mapping[str, Completion]] = {
    "draw": lambda h, v, m, arg: play.draw(h, v, m, Pile(arg)),
    "pass": lambda h, v, m, _arg: play.refuse(h, v, m),
    "discard": lambda h, v, m, arg: play.discard(h, v, m, Card.parse(arg)),
    "knock": lambda h, v, m, arg: knocking.typed(h, v, m, Card.parse(arg), None),
    "resign": lambda h, v, m, _arg: leave.resign_menu(h, v, m),
    "cancel": lambda h, v, m, _arg: leave.cancel(h, v, m),
    "status": lambda h, v, m, _arg: record.status(h, v, str(m)),
    "sheet": lambda h, v, m, _arg: record.sheet(h, v, m),
    "verify": lambda h, v, m, _arg: fairness.verify(h, v, str(m)),
    "look": lambda h, v, m, _arg: play.look(h, v, m),
    "take-back": lambda h, v, m, _arg: play.take_back(h, v, m),
}
"""What can be completed with one short argument; anything else opens the hand."""


async def ask(house: House, visit: Visit, which: WhichMatch) -> Reply:
    """A private select of the matches that fit; choosing one does what was asked for there."""
    shown = [await house.shown(table, None) for table in which.tables]
    places: dict[int, str] = {
        table.id: whereabouts.in_plain_words(house, visit, table.row) for table in which.tables
    }
    return Reply(page=which_page(shown, which.sentence, which.asked, places), in_place=False)


async def complete(house: House, visit: Visit, match: MatchId, asked: tuple[str, ...]) -> Reply:
    """Do what was asked for, in the match that was chosen."""
    verb = asked[0] if asked else ""
    arg = asked[1] if len(asked) > 1 else ""
    completion = COMPLETIONS.get(verb)
    if completion is None or not _fits(verb, arg):
        return await play.show_hand(house, visit, match)
    return await completion(house, visit, match, arg)


def _fits(verb: str, arg: str) -> bool:
    """Whether the argument is one that we have written (faults.md, row 9)."""
    if verb == "draw":
        return arg in set(Pile)
    return verb not in ("discard", "knock") or arg in {str(card) for card in DECK}
