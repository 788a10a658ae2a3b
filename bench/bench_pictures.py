"""Pictures: processor time a picture, against the 15 ms that an action may cost on average."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from functools import partial

from bot.ui.drawn import kept_hand
from bot.ui.page import MatchShown, PersonShown
from bot.ui.pages import panel_page, sheet_page, table_page
from bot.ui.pictures import warm
from gin import Deal, Match, Play, Rules, Seat, best_sheds, parse_cards, view
from gin.actions import Action, Discard, Draw, Knock, LayOff, Pass, Pile
from gin.cards import DECK
from gin.events import Cut, Needs
from gin.rules import Scoring

BUDGET_MS = 15.0
REPEATS = 200
PEOPLE = (PersonShown(1, "Ann"), PersonShown(2, "Bob"))


def main() -> None:
    """Print medians of processor time for a hand, a table and both pages, and their ratios."""
    started = time.process_time()
    warm()
    print(f"sprites at start-up: {(time.process_time() - started) * 1000:.0f} ms once")
    match = _position()
    table = MatchShown(1, 7, view(match, None), PEOPLE, None)
    hand = MatchShown(1, 7, view(match, Seat.A), PEOPLE, None)
    sheet = _sheet()
    render = panel_page(hand).pictures[0].render
    assert isinstance(render, partial)
    drawing = render.args[0]
    for name, work in (
        ("hand picture", lambda: kept_hand.__wrapped__(drawing)),
        ("table picture", table_page(table).pictures[0].render),
        ("hand page, no picture", partial(panel_page, hand)),
        ("table page, no picture", partial(table_page, table)),
        ("sheet of 20 hands, picture", sheet_page(sheet).pictures[0].render),
        ("sheet page, no picture", partial(sheet_page, sheet)),
    ):
        spent = _median_ms(work)
        print(f"{name}: {spent:.2f} ms of processor time, {spent / BUDGET_MS:.2f} of 15 ms")
    for name, page in (("hand", panel_page(hand)), ("table", table_page(table))):
        print(f"{name} picture: {len(page.pictures[0].render()) / 1024:.1f} KiB")


def _median_ms(work: Callable[[], object]) -> float:
    spent = []
    for _repeat in range(REPEATS):
        before = time.process_time()
        work()
        spent.append((time.process_time() - before) * 1000)
    return statistics.median(spent)


def _position() -> Match:
    """A hand of one meld and loose cards, eleven held, some cards in the pile."""
    match = Match.start(Rules()).after(Cut(parse_cards("7H KD")))
    deck = [DECK[place * 11 % 52] for place in range(52)]
    match = match.after(Deal(tuple(deck)))
    for action in (Pass(), Pass(), Draw(Pile.STOCK)):
        assert match.to_move is not None
        match = match.after(Play(match.to_move, action))
    for _turn in range(4):
        hand = match.hand
        assert hand is not None
        assert hand.to_move is not None
        drawn = hand.drawn
        assert drawn is not None
        match = match.after(Play(hand.to_move, Discard(drawn)))
        assert match.to_move is not None
        match = match.after(Play(match.to_move, Draw(Pile.STOCK)))
    return match


def _sheet() -> MatchShown:
    """The sheet of a long Hollywood match: twenty hands, each knocked as soon as may be."""
    chance = random.Random(1)
    match = Match.start(Rules(scoring=Scoring.HOLLYWOOD, target=1000))
    match = match.after(Cut(parse_cards("7H KD")))
    while len(match.results) < 20:
        if match.needs is Needs.DEAL:
            match = match.after(Deal(tuple(chance.sample(DECK, len(DECK)))))
        else:
            assert match.to_move is not None
            match = match.after(Play(match.to_move, _choose(match)))
    return MatchShown(1, 7, view(match, None), PEOPLE, None)


def _choose(match: Match) -> Action:
    acts = match.legal_actions()
    for act in acts:
        if isinstance(act, Knock | LayOff | Pass):
            return act
    hand = match.hand
    assert hand is not None
    assert hand.to_move is not None
    if isinstance(acts[0], Discard):
        return Discard(best_sheds(hand.cards(hand.to_move), hand.taken)[0].discard)
    return Draw(Pile.STOCK)
