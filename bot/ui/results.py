"""A hand's end and the score so far in words, every number explained."""

from __future__ import annotations

from collections.abc import Sequence

from bot.ui import cardwords
from bot.ui.language import _
from bot.ui.parts import against, lines, listed
from bot.ui.scoresheet import is_closed
from gin.actions import Seat
from gin.arrange import best_arrangement
from gin.cards import points_of
from gin.results import Ending, HandResult, Reason
from gin.rules import BoxTiming, Scoring
from gin.views import MatchView


def hand_over(
    result: HandResult, names: Sequence[str], view: MatchView, *, is_last: bool = False
) -> str:
    """How a hand ended: who scored what and why, both hands open. Markdown, four to seven lines.

    ``is_last``: the match is over and its settlement, with the boxes, stands below.
    """
    return lines(
        f"### {headline(result, names)}",
        *_spreads(result, names),
        _count(result, names),
        "" if is_last else _box(result, names, view),
    )


def headline(result: HandResult, names: Sequence[str]) -> str:
    """The hand's end in one sentence."""
    winner = names[result.winner] if result.winner is not None else ""
    loser = names[result.loser] if result.loser is not None else ""
    match result.ending:
        case Ending.KNOCK:
            said = _("Hand {number}: {winner} knocks and scores {points}")
        case Ending.UNDERCUT:
            said = _("Hand {number}: {winner} undercuts {loser} and scores {points}")
        case Ending.GIN:
            said = _("Hand {number}: {winner} goes gin and scores {points}")
        case Ending.BIG_GIN:
            said = _("Hand {number}: {winner} has big gin and scores {points}")
        case Ending.TIE_DRAWN:
            said = _("Hand {number} is void: level deadwood")
        case Ending.TIE_NO_BONUS:
            said = _("Hand {number}: level deadwood, {winner} wins the hand with no points")
        case Ending.STOCK_OUT:
            said = _("Hand {number} is void: only two cards were left in the stock")
        case Ending.DRAW_CAP:
            said = _("Hand {number} is void: too many draws")
        case Ending.ABANDONED:
            said = _("Hand {number} was broken off")
        case Ending.FORFEITED:
            said = _("Hand {number}: {loser} forfeits it, and {winner} scores {points}")
    return said.format(number=result.number, winner=winner, loser=loser, points=result.points)


def formula(result: HandResult) -> str:
    """The points as a sum: ``25 − 5``, ``(22 + 25) × 2``; empty for a void hand."""
    if result.winner is None:
        return ""
    difference = str(result.difference)
    if result.ending in (Ending.KNOCK, Ending.UNDERCUT, Ending.TIE_NO_BONUS):
        low, high = sorted((_knockers(result), _defenders(result)))
        difference = f"{high} − {low}"
    both = result.difference_factor > 1 and result.bonus_factor > 1
    if result.bonus == 0:
        inner = (
            f"({difference})" if result.difference_factor > 1 and "−" in difference else difference
        )
        return inner + _times(result.difference_factor)
    if both or result.difference_factor == result.bonus_factor:
        inner = f"{difference} + {result.bonus}"
        return f"({inner})" + _times(result.bonus_factor) if both else inner
    inner = f"({difference})" if "−" in difference and result.difference_factor > 1 else difference
    return (
        f"{inner}{_times(result.difference_factor)} + {result.bonus}{_times(result.bonus_factor)}"
    )


def score_line(view: MatchView, names: Sequence[str]) -> str:
    """The score so far: ``Anna 45 – 30 Bob``; in Hollywood game by game."""
    games = view.sheet.games
    if view.rules.scoring is Scoring.HOLLYWOOD:
        parts = []
        for place, game in enumerate(games, start=1):
            said = _("game {number}: {points}").format(
                number=place, points=" – ".join(f"**{points}**" for points in game.points)
            )
            parts.append(_("{game} (closed)").format(game=said) if is_closed(game) else said)
        return f"{against(names)} · " + " · ".join(parts)
    return _standing(games[0].points if games else (0,) * len(names), names)


def final_line(view: MatchView, names: Sequence[str]) -> str:
    """What a match came to, with all that its settlement added: ``Anna 324 – 121 Bob``.

    Of one that runs, or was called off, it is the score as it stands.
    """
    outcome = view.outcome
    if outcome is None or outcome.reason is Reason.CANCELLED:
        return score_line(view, names)
    return _standing(outcome.totals, names)


def _standing(points: Sequence[int], names: Sequence[str]) -> str:
    if len(names) == 2:
        return f"{names[0]} **{points[0]}** – **{points[1]}** {names[1]}"
    return " · ".join(f"{name} **{own}**" for name, own in zip(names, points, strict=True))


def ending_words(result: HandResult) -> str:
    """How a hand ended, in a word or two: ``knock``, ``undercut``, ``void``, ``broken off``."""
    words = {
        Ending.KNOCK: _("knock"),
        Ending.UNDERCUT: _("undercut"),
        Ending.GIN: _("gin"),
        Ending.BIG_GIN: _("big gin"),
        Ending.TIE_NO_BONUS: _("level"),
        Ending.FORFEITED: _("forfeit"),
        Ending.ABANDONED: _("broken off"),
    }
    return words.get(result.ending, _("void"))


def doubled_word(result: HandResult) -> str:
    """How a hand ended where there is no room for a sum; ``knock ×2`` where a spade doubled it."""
    return f"{ending_words(result)}{_times(result.difference_factor).replace('× ', '×')}"


def _spreads(result: HandResult, names: Sequence[str]) -> list[str]:
    """Both hands, each in one line, the knocker's first."""
    if result.knocker is None or result.defender is None:
        return [
            f"{names[seat]}: {cardwords.spread(best_arrangement(cards))}"
            for seat, cards in result.hands
        ]
    knocker = cardwords.spread_of(result.knocker_melds, result.knocker_deadwood, _knockers(result))
    if result.knock_discard is not None:
        knocker = _("{spread} (discard {card})").format(
            spread=knocker, card=cardwords.card(result.knock_discard)
        )
    defender = cardwords.spread_of(
        result.defender_melds, result.defender_deadwood, _defenders(result)
    )
    if result.laid_off:
        laid = cardwords.cards(sorted(card for card, _meld in result.laid_off))
        said = _("laid off {cards} · {spread}")
        if result.by_house:
            said = _("laid off by the house {cards} · {spread}")
        defender = said.format(cards=laid, spread=defender)
    return [f"{names[result.knocker]}: {knocker}", f"{names[result.defender]}: {defender}"]


def _count(result: HandResult, names: Sequence[str]) -> str:
    """The score of the hand as a sum with its reasons."""
    if result.winner is None:
        if result.ending is Ending.ABANDONED:
            return _("Nobody scores.")
        return _("Nobody scores. {name} deals again.").format(name=names[result.dealer])
    if result.ending is Ending.TIE_NO_BONUS:
        reason = _("level deadwood, no bonus")
    elif result.ending in (Ending.KNOCK, Ending.UNDERCUT):
        reason = _("difference of the deadwoods")
    else:
        reason = _("{name}'s deadwood").format(name=names[result.loser or Seat.A])
    doubled = _("doubled by the spade {card}").format(card=cardwords.card(result.starter))
    between = ", "
    reasons = [reason]
    if result.difference_factor > result.bonus_factor:
        between = "; "  # what is doubled ends here
        reasons = [f"{reason}, {doubled}"]
    if result.bonus:
        bonus = {
            Ending.GIN: _("gin bonus"),
            Ending.BIG_GIN: _("big gin bonus"),
            Ending.UNDERCUT: _("undercut bonus"),
            Ending.FORFEITED: _("the gin bonus, for the forfeit"),
        }
        reasons.append(bonus.get(result.ending, _("bonus")))
    if result.bonus_factor > 1:
        reasons.append(_("all of it {doubled}").format(doubled=doubled))
    return _("{formula} = **{points}** for {name} ({reasons})").format(
        formula=formula(result),
        points=result.points,
        name=names[result.winner],
        reasons=between.join(reasons),
    )


def _box(result: HandResult, names: Sequence[str], view: MatchView) -> str:
    """The box that a win brings, in Hollywood one in each game in which it was entered."""
    rules = view.rules
    if result.winner is None or not rules.box_bonus:
        return ""
    at_once = rules.box_timing is BoxTiming.AT_ONCE
    games = [
        str(place)
        for place, game in enumerate(view.sheet.games, start=1)
        if any(entry.hand == result.number for entry in game.entries)
    ]
    if len(games) > 1:
        said = _("And a box for {name} in each of the games {games}: {points} more at their ends.")
        if at_once:
            said = _("And a box for {name} in each of the games {games}: {points} more at once.")
    elif rules.scoring is Scoring.HOLLYWOOD:
        said = _("And a box for {name} in game {games}: {points} more at its end.")
        if at_once:
            said = _("And a box for {name} in game {games}: {points} more at once.")
    else:
        said = _("And a box for {name}: {points} more at the end.")
        if at_once:
            said = _("And a box for {name}: {points} more at once.")
    return said.format(name=names[result.winner], points=rules.box_bonus, games=listed(games))


def _knockers(result: HandResult) -> int:
    return points_of(result.knocker_deadwood)


def _defenders(result: HandResult) -> int:
    return points_of(result.defender_deadwood)


def _times(factor: int) -> str:
    return f" × {factor}" if factor > 1 else ""
