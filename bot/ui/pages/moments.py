"""Special moments in words: the stock's end, an exposed knock, who sits out, Hollywood's games."""

from __future__ import annotations

from typing import Final

from bot.ui import cardwords
from bot.ui.language import _, ngettext
from bot.ui.page import MatchShown
from bot.ui.pages.facts import names
from bot.ui.parts import lines, listed
from bot.ui.scoresheet import win_goes_to
from gin.actions import Phase, Seat
from gin.rules import Rules, Scoring
from gin.views import HandView

DRAWS_TO_SAY: Final = 10
"""With fewer draws left than this before a hand is void, it is said."""


def stock_end(shown: MatchShown, hand: HandView, *, mine: bool = False) -> str:
    """What is near the end of the stock, or of the draws; ``mine``: the reader is on turn."""
    rules = shown.view.rules
    if hand.phase is Phase.FIFTIETH:
        return _fiftieth(shown, hand, mine=mine)
    if hand.must_knock:
        said = _("{card} was the fiftieth card: it has to be knocked with, with another discard.")
        return said.format(card=_taken(hand))
    if hand.phase is Phase.DISCARD and hand.last_chance:
        if hand.draws >= rules.draw_cap:
            cause = _("That was the last draw of the hand: without a knock it is void.")
        else:
            cause = _("The stock is down to two: without a knock the hand is void.")
        return cause
    return _draws_left(hand, rules)


def _fiftieth(shown: MatchShown, hand: HandView, *, mine: bool) -> str:
    upcard = cardwords.card(hand.upcard) if hand.upcard is not None else ""
    if mine and not hand.piles:
        said = _(
            "The stock is down to two. {upcard} would give you no knock, so you can only pass, "
            "and the hand is void."
        )
        return said.format(upcard=upcard)
    if mine:
        said = _(
            "The stock is down to two. Take {upcard} only if you knock with it at once, with "
            "another discard; if you pass, the hand is void."
        )
        return said.format(upcard=upcard)
    said = _(
        "The stock is down to two. {name} may take {upcard} to knock with it at once, or pass; "
        "then the hand is void."
    )
    return said.format(name=_mover(shown, hand), upcard=upcard)


def _draws_left(hand: HandView, rules: Rules) -> str:
    left = rules.draw_cap - hand.draws
    if hand.to_move is None or hand.knock is not None or not 0 < left < DRAWS_TO_SAY:
        return ""
    said = ngettext(
        "{count} draw is left before the hand is void.",
        "{count} draws are left before the hand is void.",
        left,
    )
    return said.format(count=left)


def exposed(shown: MatchShown, hand: HandView) -> str:
    """A knock over the limit that was announced, told to whoever reads; empty without one."""
    if hand.exposed_by is None:
        return ""
    by = names(shown)
    other = hand.opponent(hand.exposed_by)
    viewer = shown.view.viewer
    said = [_what_was_wrong(hand, is_own=viewer is hand.exposed_by)]
    if hand.phase is not Phase.EXPOSED:
        said.append(
            _("You can't knock this turn.")
            if viewer is hand.exposed_by
            else _("{name} can't knock this turn.")
        )
    elif viewer is hand.exposed_by:
        said.append(
            _(
                "{other} may look at your cards or have them taken back; then you discard, and "
                "can't knock this turn."
            )
        )
    elif viewer is other:
        said.append(
            _(
                "**Look**, and you alone see those eleven cards until your next draw; **have them "
                "taken back**, and nobody sees them. Either way {name} then discards, and can't "
                "knock this turn."
            )
        )
    else:
        said.append(
            _(
                "{other} may look at those eleven cards until the next draw, or have them taken "
                "back unseen. Then {name} discards, and can't knock this turn."
            )
        )
    return " ".join(said).format(name=by[hand.exposed_by], other=by[other])


def _what_was_wrong(hand: HandView, *, is_own: bool) -> str:
    """Why an announced knock doesn't count; where only gin ends a hand, it was meant as gin."""
    if hand.knock_limit == 0:
        return (
            _("What you declared wasn't gin, so it doesn't count.")
            if is_own
            else _("{name} declared gin without having it, so it doesn't count.")
        )
    return (
        _("Your knock was over the limit, so it doesn't count.")
        if is_own
        else _("{name} knocked over the limit, so it doesn't count.")
    )


def looked_at(hand: HandView) -> str:
    """The exposed cards, for the one who chose to look, until his next draw."""
    if hand.looked_at is None:
        return ""
    return _("The exposed cards: {cards}\nYou alone may look at them, until you draw.").format(
        cards=cardwords.cards(hand.looked_at)
    )


def rotation(shown: MatchShown) -> str:
    """Three players: who sits out now, and who next; whether the last round is being completed."""
    hand = shown.view.hand
    if hand is None or hand.sitting_out is None or shown.view.outcome is not None:
        return ""
    scorer = shown.view.sheet.games[0].scorer
    last = ""
    if scorer is not None:
        last = _("{name} has reached {target}; the round of three is completed first.").format(
            name=names(shown)[scorer], target=shown.view.rules.target
        )
    return lines(_seats(shown, hand, hand.sitting_out), last)


def _seats(shown: MatchShown, hand: HandView, out: Seat) -> str:
    by = names(shown)
    after = shown.view.next_out
    if hand.phase is Phase.OVER:
        if after is None:
            return ""
        return _("{name} sits the next hand out.").format(name=by[after])
    if after is None:
        return _("{name} sits this hand out.").format(name=by[out])
    return _("{name} sits this hand out, {next} the next one.").format(name=by[out], next=by[after])


def hollywood(shown: MatchShown) -> str:
    """Hollywood: which games are closed, and into which the next win of each player goes."""
    view = shown.view
    if view.rules.scoring is not Scoring.HOLLYWOOD or view.outcome is not None:
        return ""
    closed = [place for place, game in enumerate(view.sheet.games, 1) if game.settlement]
    state = _("Closed: {games}.").format(games=_games(closed)) if closed else ""
    goes = [
        _("{name}'s in {games}").format(
            name=names(shown)[seat], games=_games(win_goes_to(view.sheet, seat))
        )
        for seat in view.seats
    ]
    counts = _("The next win counts: {list}.").format(list=", ".join(goes))
    return f"{state} {counts}".lstrip()


def _games(numbers: list[int] | tuple[int, ...]) -> str:
    said = ngettext("game {numbers}", "games {numbers}", len(numbers))
    return said.format(numbers=listed([str(number) for number in numbers]))


def _taken(hand: HandView) -> str:
    return cardwords.card(hand.taken) if hand.taken is not None else ""


def _mover(shown: MatchShown, hand: HandView) -> str:
    mover: Seat | None = hand.to_move
    return names(shown)[mover] if mover is not None else ""


def all_of(shown: MatchShown, hand: HandView, *, mine: bool = False) -> str:
    """Everything of this file that is to be said now, one a line."""
    return lines(
        exposed(shown, hand),
        stock_end(shown, hand, mine=mine),
        looked_at(hand),
    )
