"""Score sheets: how won hands are entered, when a game closes, and what it settles at.

One game, Hollywood's three and a rotation's columns are the same thing with one or three games
and two or three seats (docs/rules.md, the game, Hollywood, three players).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from gin.actions import Seat
from gin.results import HandResult
from gin.rules import BoxTiming, Rules, Scoring, Shutout, Winner
from gin.schedule import seats
from gin.sheet import Entry, GameSheet, Settlement, Sheet


def blank(rules: Rules) -> Sheet:
    """The sheet before the first hand."""
    nothing = (0,) * rules.players
    game = GameSheet(
        entries=(),
        points=nothing,
        boxes=nothing,
        opened=(False,) * rules.players,
        scorer=None,
        settlement=None,
    )
    games = 3 if rules.scoring is Scoring.HOLLYWOOD else 1
    return Sheet(games=(game,) * games, totals=nothing)


def enter(rules: Rules, sheet: Sheet, result: HandResult) -> Sheet:
    """The sheet after a hand; a void hand enters nothing.

    The win goes into every game that is still running and that the winner has opened, and opens
    the lowest-numbered running game that he has not. A game whose target is reached closes and is
    settled, except in a rotation, which :func:`close` settles when it has ended.
    """
    if result.winner is None:
        return sheet
    games: list[GameSheet] = []
    may_open = True
    for game in sheet.games:
        is_open = game.opened[result.winner]
        if game.settlement is None and (is_open or may_open):
            may_open = may_open and is_open
            games.append(_entered(rules, game, result, result.winner))
        else:
            games.append(game)
    return _sheet(tuple(games))


def close(rules: Rules, sheet: Sheet) -> Sheet:
    """The sheet when the match is over: games that still run are settled as they stand."""
    return _sheet(
        tuple(
            game if game.settlement is not None else _settled(rules, game) for game in sheet.games
        )
    )


def _sheet(games: tuple[GameSheet, ...]) -> Sheet:
    columns = (
        game.points if game.settlement is None else tuple(line.total for line in game.settlement)
        for game in games
    )
    return Sheet(games, tuple(map(sum, zip(*columns, strict=True))))


def _entered(rules: Rules, game: GameSheet, result: HandResult, winner: Seat) -> GameSheet:
    box = rules.box_bonus if rules.box_timing is BoxTiming.AT_ONCE else 0
    points = result.points + box
    running = game.points[winner] + points
    entry = Entry(hand=result.number, seat=winner, points=points, box=box, running=running)
    after = replace(
        game,
        entries=(*game.entries, entry),
        points=_with(game.points, winner, running),
        boxes=_with(game.boxes, winner, game.boxes[winner] + 1),
        opened=_with(game.opened, winner, True),
    )
    if game.scorer is not None or running < rules.target:
        return after
    after = replace(after, scorer=winner)
    return after if rules.scoring is Scoring.ROTATION else _settled(rules, after)


T = TypeVar("T")


def _with(values: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    """The same tuple with another value for one seat."""
    return (*values[:seat], value, *values[seat + 1 :])


def _settled(rules: Rules, game: GameSheet) -> GameSheet:
    lines = tuple(_settlement(rules, game, seat) for seat in seats(rules))
    settled = replace(game, settlement=lines)
    if rules.scoring is Scoring.ROTATION or game.scorer is None:
        return settled
    return replace(settled, winner=_game_winner(rules, lines, game.scorer))


def _settlement(rules: Rules, game: GameSheet, seat: Seat) -> Settlement:
    boxes = game.boxes[seat]
    at_once = sum(entry.box for entry in game.entries if entry.seat is seat)
    hand_points = game.points[seat] - at_once
    game_bonus = rules.game_bonus if game.scorer is seat else 0
    box_points = boxes * rules.box_bonus
    subtotal = hand_points + game_bonus + box_points
    shutout_bonus = 0
    if game.scorer is seat and sum(game.boxes) == boxes:
        shutout_bonus = {Shutout.NONE: 0, Shutout.DOUBLE: subtotal, Shutout.PLUS_100: 100}[
            rules.shutout
        ]
    return Settlement(
        seat=seat,
        hand_points=hand_points,
        game_bonus=game_bonus,
        boxes=boxes,
        box_points=box_points,
        shutout_bonus=shutout_bonus,
        total=subtotal + shutout_bonus,
    )


def _game_winner(rules: Rules, lines: tuple[Settlement, ...], scorer: Seat) -> Seat:
    """Who won a closed game of two: the higher total, level the scorer; or always the scorer."""
    if rules.winner is Winner.FIRST_TO_TARGET:
        return scorer
    return max(lines, key=lambda line: (line.total, line.seat is scorer)).seat
