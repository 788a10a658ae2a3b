"""Who won a match, and what decided it (docs/rules.md, the game, Hollywood, three players)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gin.actions import Seat
from gin.results import Decision, HandResult, MatchOutcome, Reason
from gin.rules import Rules, Scoring, Winner
from gin.schedule import decided, seats
from gin.sheet import Sheet

Key = tuple[tuple[Decision, int], ...]
"""What ranks a seat, the weightiest first; each number with what it decides. More is better."""


def is_played_out(rules: Rules, sheet: Sheet, results: Sequence[HandResult]) -> bool:
    """Whether the match has ended by its own score."""
    if rules.scoring is not Scoring.ROTATION:
        return all(game.settlement is not None for game in sheet.games)
    if sheet.games[0].scorer is None:
        return False
    return not rules.finish_rotation or decided(results) % 3 == 0


def decide(
    rules: Rules,
    sheet: Sheet,
    results: Sequence[HandResult],
    reason: Reason,
    gave_up: Seat | None = None,
) -> MatchOutcome:
    """The outcome of a match whose sheet is closed (:func:`gin.settling.close`).

    Who gave up is last, whatever the totals; the others keep their order. Places are competition
    ranks: level players share the better one.
    """
    points, won, played = _counts(rules, results)
    if reason is Reason.CANCELLED:
        return MatchOutcome(
            reason=reason,
            winner=None,
            places=(),
            totals=sheet.totals,
            points=points,
            hands_won=won,
            hands_played=played,
        )
    staying = [seat for seat in seats(rules) if seat is not gave_up]
    key = _ranking(rules, sheet, results, won)
    keys = {seat: key(seat, staying) for seat in staying}
    ranked = sorted(staying, key=lambda seat: _numbers(keys[seat]), reverse=True)
    places = [len(seats(rules))] * len(seats(rules))
    for seat in staying:
        places[seat] = 1 + sum(_numbers(keys[other]) > _numbers(keys[seat]) for other in staying)
    decision = _decision([keys[seat] for seat in ranked])
    return MatchOutcome(
        reason=reason,
        winner=None if decision is Decision.LEVEL else ranked[0],
        places=tuple(places),
        totals=sheet.totals,
        gave_up=gave_up,
        decided_by=decision,
        points=points,
        hands_won=won,
        hands_played=played,
    )


def _counts(
    rules: Rules, results: Sequence[HandResult]
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """By seat: hand points, hands won, and hands played that were not void."""
    valid = [result for result in results if result.winner is not None]
    return (
        tuple(sum(r.points for r in valid if r.winner is seat) for seat in seats(rules)),
        tuple(sum(r.winner is seat for r in valid) for seat in seats(rules)),
        tuple(sum(seat in r.players for r in valid) for seat in seats(rules)),
    )


def _ranking(
    rules: Rules, sheet: Sheet, results: Sequence[HandResult], won: tuple[int, ...]
) -> Callable[[Seat, Sequence[Seat]], Key]:
    """What ranks the seats under these rules."""
    match rules.scoring:
        case Scoring.GAME:
            return lambda seat, _: _game_key(rules, sheet, seat)
        case Scoring.HOLLYWOOD:
            return lambda seat, _: _hollywood_key(rules, sheet, won, seat)
        case Scoring.ROTATION:
            return lambda seat, staying: _rotation_key(rules, sheet, results, won, seat, staying)


def _game_key(rules: Rules, sheet: Sheet, seat: Seat) -> Key:
    is_scorer = int(sheet.games[0].scorer is seat)
    total = (Decision.TOTAL, sheet.totals[seat])
    if rules.winner is Winner.FIRST_TO_TARGET:
        return ((Decision.FIRST_TO_TARGET, is_scorer), total)
    return (total, (Decision.REACHED_TARGET, is_scorer))


def _hollywood_key(rules: Rules, sheet: Sheet, won: tuple[int, ...], seat: Seat) -> Key:
    closed = sum(game.scorer is seat for game in sheet.games)
    key: Key = (
        (Decision.TOTAL, sheet.totals[seat]),
        (Decision.GAMES_CLOSED, closed),
        (Decision.HANDS_WON, won[seat]),
    )
    if rules.winner is Winner.FIRST_TO_TARGET:
        return ((Decision.FIRST_TO_TARGET, int(closed >= 2)), *key)
    return key


def _rotation_key(
    rules: Rules,
    sheet: Sheet,
    results: Sequence[HandResult],
    won: tuple[int, ...],
    seat: Seat,
    staying: Sequence[Seat],
) -> Key:
    def before(one: Seat) -> Key:
        key: Key = ((Decision.TOTAL, sheet.totals[one]), (Decision.HANDS_WON, won[one]))
        if rules.winner is Winner.FIRST_TO_TARGET:
            return ((Decision.FIRST_TO_TARGET, int(sheet.games[0].scorer is one)), *key)
        return key

    level = [other for other in staying if before(other) == before(seat)]
    against = sum(r.points for r in results if r.winner is seat and r.loser in level)
    return (*before(seat), (Decision.HEAD_TO_HEAD, against))


def _numbers(key: Key) -> tuple[int, ...]:
    return tuple(number for _, number in key)


def _decision(ranked: Sequence[Key]) -> Decision:
    """What put the first key before the second."""
    if len(ranked) == 1:
        return Decision.GAVE_UP
    for (decision, first), (_, second) in zip(ranked[0], ranked[1], strict=True):
        if first != second:
            return decision
    return Decision.LEVEL
