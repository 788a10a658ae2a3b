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
        return _has_to(hand, rules)
    if hand.phase in (Phase.DISCARD, Phase.EXPOSED) and hand.last_chance:
        return _last_chance(shown, hand)
    if is_before_fiftieth(hand, rules):
        return _before_fiftieth(shown, hand)
    return _draws_left(hand, rules)


def is_before_fiftieth(hand: HandView, rules: Rules) -> bool:
    """Whether a discard now becomes the fiftieth card, on which the opponent goes out or passes."""
    is_due = hand.phase in (Phase.DISCARD, Phase.EXPOSED) and not hand.must_knock
    return rules.fiftieth_card and is_due and hand.stock_count == 2 and not hand.last_chance


def _has_to(hand: HandView, rules: Rules) -> str:
    """What has to be done with the fiftieth card, once it was taken."""
    said = _("{card} was the fiftieth card: it has to be knocked with, with another discard.")
    if rules.big_gin is not None:
        said = _(
            "{card} was the fiftieth card: it has to be knocked with, with another discard, or be "
            "in big gin."
        )
    if hand.knock_limit == 0:
        said = _("{card} was the fiftieth card: it has to make gin, with another discard.")
        if rules.big_gin is not None:
            said = _(
                "{card} was the fiftieth card: it has to make gin, with another discard, or big "
                "gin."
            )
    return said.format(card=_taken(hand))


def _last_chance(shown: MatchShown, hand: HandView) -> str:
    """That the hand is void with this turn's discard; no more than that after an exposed knock."""
    is_cap = hand.draws >= shown.view.rules.draw_cap
    if hand.exposed_by is None and hand.knock_limit == 0:
        return (
            _("That was the last draw of the hand: without gin it is void.")
            if is_cap
            else _("The stock is down to two: without gin the hand is void.")
        )
    if hand.exposed_by is None:
        return (
            _("That was the last draw of the hand: without a knock it is void.")
            if is_cap
            else _("The stock is down to two: without a knock the hand is void.")
        )
    if hand.exposed_by is shown.view.viewer:
        return (
            _("That was the last draw of the hand: with your discard it is void.")
            if is_cap
            else _("The stock is down to two: with your discard the hand is void.")
        )
    said = (
        _("That was the last draw of the hand: with {name}'s discard it is void.")
        if is_cap
        else _("The stock is down to two: with {name}'s discard the hand is void.")
    )
    return said.format(name=names(shown)[hand.exposed_by])


def _before_fiftieth(shown: MatchShown, hand: HandView) -> str:
    holder = hand.exposed_by if hand.exposed_by is not None else hand.to_move
    other = hand.opponent(holder)
    said = _(
        "The stock is down to two: after this discard {name} may only end the hand with that card "
        "at once, or pass, and then it is void."
    )
    if other is shown.view.viewer:
        said = _(
            "The stock is down to two: after this discard you may only end the hand with that "
            "card at once, or pass, and then it is void."
        )
    return said.format(name=names(shown)[other])


def _fiftieth(shown: MatchShown, hand: HandView, *, mine: bool) -> str:
    upcard = cardwords.card(hand.upcard) if hand.upcard is not None else ""
    only_gin = hand.knock_limit == 0
    if mine and not hand.piles:
        said = _(
            "The stock is down to two. {upcard} would give you no knock, so you can only pass, "
            "and the hand is void."
        )
        if only_gin:
            said = _(
                "The stock is down to two. {upcard} wouldn't make you gin, so you can only pass, "
                "and the hand is void."
            )
        return said.format(upcard=upcard)
    if mine:
        said = _(
            "The stock is down to two. Take {upcard} only if you knock with it at once, with "
            "another discard; if you pass, the hand is void."
        )
        if only_gin:
            said = _(
                "The stock is down to two. Take {upcard} only if you go gin with it at once, with "
                "another discard; if you pass, the hand is void."
            )
        if shown.view.rules.big_gin is not None:
            said += " " + _("Eleven cards all in melds are big gin, without a discard.")
        return said.format(upcard=upcard)
    said = _(
        "The stock is down to two. {name} may take {upcard} to knock with it at once, or pass; "
        "then the hand is void."
    )
    if only_gin:
        said = _(
            "The stock is down to two. {name} may take {upcard} to go gin with it at once, or "
            "pass; then the hand is void."
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
    is_own = shown.view.viewer is hand.exposed_by
    said = [_what_was_wrong(hand, is_own=is_own)]
    if hand.phase is Phase.EXPOSED:
        said.append(_choice(hand, is_own=is_own, is_mine=shown.view.viewer is other))
    said.append(_cannot(hand, is_own=is_own))
    return " ".join(said).format(name=by[hand.exposed_by], other=by[other])


def _choice(hand: HandView, *, is_own: bool, is_mine: bool) -> str:
    """What may be done with the eleven cards; until the hand is over where no draw comes."""
    if is_own:
        return _("{other} may look at your cards or have them taken back.")
    if is_mine:
        return (
            _(
                "**Look**, and you alone see those eleven cards until the hand is over; **have "
                "them taken back**, and nobody sees them before."
            )
            if hand.last_chance
            else _(
                "**Look**, and you alone see those eleven cards until your next draw; **have them "
                "taken back**, and nobody sees them."
            )
        )
    return (
        _(
            "{other} may look at those eleven cards until the hand is over, or have them taken "
            "back unseen."
        )
        if hand.last_chance
        else _(
            "{other} may look at those eleven cards until the next draw, or have them taken back "
            "unseen."
        )
    )


def _cannot(hand: HandView, *, is_own: bool) -> str:
    """What the offender can't do any more this turn: knock, or go gin where nobody knocks."""
    only_gin = hand.knock_limit == 0
    if hand.phase is Phase.EXPOSED and is_own:
        return (
            _("Then you discard, and can't go gin this turn.")
            if only_gin
            else _("Then you discard, and can't knock this turn.")
        )
    if hand.phase is Phase.EXPOSED:
        return (
            _("Then {name} discards, and can't go gin this turn.")
            if only_gin
            else _("Then {name} discards, and can't knock this turn.")
        )
    if is_own:
        return _("You can't go gin this turn.") if only_gin else _("You can't knock this turn.")
    return _("{name} can't go gin this turn.") if only_gin else _("{name} can't knock this turn.")


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
    said = _("The exposed cards: {cards}\nYou alone may look at them, until you draw.")
    if hand.last_chance:
        said = _("The exposed cards: {cards}\nYou alone may look at them, until the hand is over.")
        if hand.piles:
            said = _(
                "The exposed cards: {cards}\nYou alone may look at them, until you take or pass."
            )
    return said.format(cards=cardwords.cards(hand.looked_at))


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
