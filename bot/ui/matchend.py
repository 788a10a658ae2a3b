"""The end of a game and of a match in words: each settlement spelled out, who is where and why."""

from __future__ import annotations

from collections.abc import Sequence

from bot.ui.language import _, ngettext
from bot.ui.parts import lines, listed
from bot.ui.scoresheet import closed_by
from gin.actions import Seat
from gin.results import Decision, HandResult, MatchOutcome, Reason
from gin.rules import BoxTiming, Rules, Scoring, Shutout, Winner
from gin.sheet import GameSheet, Settlement
from gin.views import MatchView


def match_over(view: MatchView, names: Sequence[str]) -> str:
    """How the match ended: who won and why, every settlement spelled out."""
    outcome = view.outcome
    if outcome is None:
        return ""
    if outcome.reason is Reason.CANCELLED:
        return _("The match was called off. It counts for nobody.")
    said: list[str] = []
    if outcome.gave_up is not None:
        said.append(_gave_up(view, outcome, names[outcome.gave_up]))
    said += [game_over(view, place, names) for place in range(len(view.sheet.games))]
    if len(view.sheet.games) > 1:
        totals = zip(names, outcome.totals, strict=True)
        said.append(
            _("Together: {totals}.").format(
                totals=", ".join(f"{name} **{total}**" for name, total in totals)
            )
        )
    if view.rules.scoring is Scoring.ROTATION:
        said += _order(view, outcome, names)
    else:
        said.append(_decision(view, outcome, names))
    return lines(*said)


def outcome_headline(outcome: MatchOutcome, names: Sequence[str]) -> str:
    """Who won, in a few words."""
    if outcome.reason is Reason.CANCELLED:
        return _("Match called off")
    if outcome.winner is None:
        first = [names[seat] for seat, place in enumerate(outcome.places) if place == 1]
        return _("Drawn between {names}").format(names=listed(first))
    return _("{name} wins the match!").format(name=names[outcome.winner])


def games_closed(view: MatchView, results: Sequence[HandResult], names: Sequence[str]) -> str:
    """Hollywood: the settlement of each game that one of these hands closed; else empty."""
    if view.rules.scoring is not Scoring.HOLLYWOOD:
        return ""
    return lines(*(game_over(view, place, names) for place in closed_by(view.sheet, results)))


def game_over(view: MatchView, place: int, names: Sequence[str]) -> str:
    """The settlement of one game (from 0), a line for each player; empty while it runs."""
    game = view.sheet.games[place]
    if game.settlement is None:
        return ""
    title = ""
    if len(view.sheet.games) > 1:
        title = f"**{_game_title(place + 1, game, names)}**"
    return lines(title, *(settlement_words(part, names, view.rules) for part in game.settlement))


def settlement_words(part: Settlement, names: Sequence[str], rules: Rules) -> str:
    """One player's total in one game: ``Anna: 104 in hands + 100 game bonus = 204``.

    Where there is nothing to add up: ``Anna: 104 in hands``.
    """
    terms = [_("{points} in hands").format(points=part.hand_points)]
    if part.game_bonus:
        terms.append(_("{points} game bonus").format(points=part.game_bonus))
    if part.box_points:
        boxes = ngettext(
            "{points} for {boxes} box",
            "{points} for {boxes} boxes",
            part.boxes,
        ).format(boxes=part.boxes, points=part.box_points)
        at_once = _("{boxes}, added at once").format(boxes=boxes)
        terms.append(at_once if rules.box_timing is BoxTiming.AT_ONCE else boxes)
    if part.shutout_bonus:
        said = _("{points} for the shutout")
        if rules.shutout is Shutout.DOUBLE:
            said = _("{points} for the shutout, which doubles it")
        terms.append(said.format(points=part.shutout_bonus))
    if len(terms) == 1:
        return _("{name}: **{total}** in hands").format(name=names[part.seat], total=part.total)
    return _("{name}: {terms} = **{total}**").format(
        name=names[part.seat], terms=" + ".join(terms), total=part.total
    )


def _gave_up(view: MatchView, outcome: MatchOutcome, name: str) -> str:
    gone = _("{name} resigned.") if outcome.reason is Reason.RESIGNED else _("{name} forfeited.")
    if view.rules.players > 2:
        gone = (
            _("{name} resigned, and so is last.")
            if outcome.reason is Reason.RESIGNED
            else _("{name} forfeited, and so is last.")
        )
    return gone.format(name=name)


def _game_title(number: int, game: GameSheet, names: Sequence[str]) -> str:
    if game.scorer is None or game.winner is None:
        return _("Game {number}, as it stood").format(number=number)
    if game.winner is game.scorer:
        said = _("Game {number}, closed and won by {winner}")
    else:
        said = _("Game {number}, closed by {scorer}, won by {winner}")
    return said.format(number=number, winner=names[game.winner], scorer=names[game.scorer])


def _is_overtaken(view: MatchView, outcome: MatchOutcome) -> bool:
    """Whether the one game of a match was won by another than who reached the target."""
    games = view.sheet.games
    scorer = games[0].scorer if len(games) == 1 else None
    return scorer is not None and scorer is not outcome.winner


def _decision(view: MatchView, outcome: MatchOutcome, names: Sequence[str]) -> str:
    """What settled a match of two, where it isn't the higher total."""
    winner = names[outcome.winner] if outcome.winner is not None else ""
    numbers = scorer = ""
    match outcome.decided_by:
        case Decision.GAVE_UP:
            said = _("{name} wins, whatever the totals.")
        case Decision.TOTAL if _is_overtaken(view, outcome):
            said = _("{scorer} reached the target, but {name}'s total is higher.")
            scorer = names[next(seat for seat in view.seats if seat is not outcome.winner)]
        case Decision.REACHED_TARGET:
            said = _("The totals are level; {name} wins for having reached the target.")
        case Decision.FIRST_TO_TARGET if view.rules.scoring is Scoring.HOLLYWOOD:
            said = _("{name} closed two games or more, and so wins.")
        case Decision.FIRST_TO_TARGET:
            said = _("{name} got to the target first, and so wins.")
        case Decision.GAMES_CLOSED:
            said = _("The totals are level; {name} wins for closing more games ({numbers}).")
            closed = [game.scorer for game in view.sheet.games]
            numbers = " – ".join(str(closed.count(seat)) for seat in view.seats)
        case Decision.HANDS_WON:
            said = _("The totals are level; {name} wins for winning more hands ({numbers}).")
            numbers = " – ".join(map(str, outcome.hands_won))
        case Decision.LEVEL:
            said = _("The totals are level, and nothing else tells the two apart.")
        case _other:
            return ""
    return said.format(name=winner, scorer=scorer, numbers=numbers)


def _order(view: MatchView, outcome: MatchOutcome, names: Sequence[str]) -> list[str]:
    """A rotation's places, and what put those with level totals in their order."""
    by_place = sorted(view.seats, key=lambda seat: (outcome.places[seat], seat))
    said = [
        " · ".join(
            f"**{outcome.places[seat]}.** {names[seat]} {outcome.totals[seat]}" for seat in by_place
        )
    ]
    staying = [seat for seat in view.seats if seat is not outcome.gave_up]
    scorer = view.sheet.games[0].scorer
    if view.rules.winner is Winner.FIRST_TO_TARGET and scorer in staying and scorer is not None:
        first = _("{name} got to the target first, and so is first; the others by their totals.")
        said.append(first.format(name=names[scorer]))
        staying = [seat for seat in staying if seat is not scorer]
    elif (
        scorer in staying
        and scorer is not None
        and outcome.winner is not None
        and outcome.totals[scorer] < outcome.totals[outcome.winner]
    ):
        overtaken = _("{scorer} reached the target, but {name}'s total is higher.")
        said.append(overtaken.format(scorer=names[scorer], name=names[outcome.winner]))
    for level in _alike(staying, outcome.totals):
        said.append(
            _("Level totals: hands won {list}.").format(
                list=_listed(level, names, [outcome.hands_won[seat] for seat in level])
            )
        )
        still_level = _alike(level, outcome.hands_won)
        said += [_against(view, outcome, still, names) for still in still_level]
    return said


def _against(
    view: MatchView, outcome: MatchOutcome, level: Sequence[Seat], names: Sequence[str]
) -> str:
    """Those level in totals and hands won: what they scored against each other."""
    points = [
        sum(one.points for one in view.results if one.winner is seat and one.loser in level)
        for seat in level
    ]
    said = _("Level in hands won too: against each other {list}.").format(
        list=_listed(level, names, points)
    )
    shared = [seat for seat in level if list(outcome.places).count(outcome.places[seat]) > 1]
    if not shared:
        return said
    both = listed([names[seat] for seat in shared])
    return f"{said} " + _("{names} share the place.").format(names=both)


def _alike(seats: Sequence[Seat], counts: Sequence[int]) -> list[list[Seat]]:
    """The seats whose counts are level with another's, together."""
    found: list[list[Seat]] = []
    for count in sorted({counts[seat] for seat in seats}, reverse=True):
        level = [seat for seat in seats if counts[seat] == count]
        if len(level) > 1:
            found.append(level)
    return found


def _listed(seats: Sequence[Seat], names: Sequence[str], counts: Sequence[int]) -> str:
    return ", ".join(f"{names[seat]} {count}" for seat, count in zip(seats, counts, strict=True))
