"""The text of the rules for people: the match, giving up, the shuffle."""

from __future__ import annotations

from dataclasses import replace

from bot.ui.language import _
from gin.rules import BoxTiming, NextDealer, Rules, Scoring, Shutout, Winner

Lines = tuple[str, ...]


def match(rules: Rules) -> Lines:
    """How hands add up: one game, Hollywood's three, or a rotation."""
    said: list[str] = []
    match rules.scoring:
        case Scoring.GAME:
            said.append(
                _("The match is one game: it ends when a player reaches **{target}** points.")
            )
        case Scoring.HOLLYWOOD:
            said += _hollywood()
        case Scoring.ROTATION:
            said += _rotation(rules)
    said += [_bonus(rules), *_boxes(rules)]
    if rules.scoring is not Scoring.ROTATION:
        said += [_shutout(rules), _dealer(rules)]
    said.append(_winner(rules))
    return tuple(
        line.format(target=rules.target, bonus=rules.game_bonus, box=rules.box_bonus)
        for line in said
    )


def hollywood(rules: Rules) -> Lines:
    """Hollywood's three games, by what else is played here."""
    how = _("Chosen for two players with `/gin challenge`, `scoring`: *hollywood*.")
    if rules.scoring is Scoring.HOLLYWOOD:
        how = _("That is how it is scored here.")
    return (how, *match(replace(rules, scoring=Scoring.HOLLYWOOD, finish_rotation=False)))


def three(rules: Rules) -> Lines:
    """A rotation of three, by what else is played here; shutout and next dealer aren't offered."""
    if rules.scoring is Scoring.ROTATION:
        return (_("That is how it is played here."), *match(rules))
    by_three = replace(
        rules,
        scoring=Scoring.ROTATION,
        shutout=Shutout.NONE,
        next_dealer=NextDealer.ALTERNATE,
    )
    return (_("Name a `third` in `/gin challenge`, and three play."), *match(by_three))


def _hollywood() -> Lines:
    return (
        _("Three games are scored at once, each to **{target}** points."),
        _(
            "Your first win counts in game 1, your second in games 1 and 2, from the third on in "
            "all three. If a game closed before you had a win in it, your wins go on to the next "
            "one that is running."
        ),
        _(
            "A game closes when a player reaches the target in it; what is over stays. A closed "
            "game takes nothing more. The match is over when all three are closed."
        ),
    )


def _rotation(rules: Rules) -> Lines:
    end = _("The match ends at once when one of you reaches **{target}** points.")
    if rules.finish_rotation:
        end = _(
            "When one of you reaches **{target}** points, the round of three hands is completed; "
            "then the match is over."
        )
    return (
        _(
            "Three play in turn: two play each hand, the third sits out and sees what everybody "
            "sees. The third seat sits out the first hand, then the first, then the second, and so "
            "on; the deal goes round too. A void hand is dealt again to the same two."
        ),
        _("Everybody keeps their own points."),
        end,
    )


def _bonus(rules: Rules) -> str:
    if not rules.game_bonus:
        return _("There is no game bonus.")
    if rules.scoring is Scoring.HOLLYWOOD:
        return _("Who closes a game adds a **game bonus** of {bonus} to it.")
    if rules.scoring is Scoring.ROTATION:
        return _("The first to reach the target adds a **game bonus** of {bonus}.")
    return _("Who reaches the target adds a **game bonus** of {bonus}.")


def _boxes(rules: Rules) -> Lines:
    if not rules.box_bonus:
        return (_("Hands won bring no boxes here."),)
    boxes = _("Every hand won is a **box** of {box}; so is an undercut.")
    if rules.scoring is Scoring.HOLLYWOOD:
        boxes = _("Every entry in a game is a **box** of {box} there; so is an undercut.")
    if rules.box_timing is BoxTiming.AT_ONCE:
        return (boxes, _("Boxes are added as they are won, and count towards the target."))
    return (boxes, _("Boxes are added at the end, for everybody; they don't count to the target."))


def _shutout(rules: Rules) -> str:
    loser = _("**Shutout**, the loser won no hand:")
    if rules.scoring is Scoring.HOLLYWOOD:
        loser = _("**Shutout**, the loser has no win entered in a game:")
    brings = {
        Shutout.NONE: _("it brings nothing more."),
        Shutout.DOUBLE: _("the winner's total in it is doubled."),
        Shutout.PLUS_100: _("the winner adds 100."),
    }
    return f"{loser} {brings[rules.shutout]}"


def _dealer(rules: Rules) -> str:
    deals = {
        NextDealer.ALTERNATE: _("After a hand that was won, the other player deals."),
        NextDealer.LOSER: _("After a hand that was won, its loser deals."),
        NextDealer.WINNER: _("After a hand that was won, its winner deals."),
    }
    return deals[rules.next_dealer]


def _winner(rules: Rules) -> str:
    first = rules.winner is Winner.FIRST_TO_TARGET
    match rules.scoring:
        case Scoring.GAME if first:
            return _("**Who reaches the target wins**, whatever the totals.")
        case Scoring.GAME:
            return _(
                "**The higher total wins**: with more boxes you can win though the other reached "
                "the target. Level totals go to the one who reached it."
            )
        case Scoring.HOLLYWOOD if first:
            return _("**Who closes two of the games wins.**")
        case Scoring.HOLLYWOOD:
            return _(
                "**The higher sum of the three totals wins.** Level: who closed more games, then "
                "who won more hands; else it is drawn."
            )
        case Scoring.ROTATION if first:
            return _("**The first to reach the target is first**, the others by their totals.")
        case Scoring.ROTATION:
            return _(
                "**The order is by total.** Level: hands won, then the points scored against each "
                "other; else the place is shared."
            )


def leaving(rules: Rules) -> Lines:
    """Resigning and calling off."""
    last = _("Who resigns loses, whatever the totals.")
    if rules.scoring is Scoring.ROTATION:
        last = _("Who resigns is last, and the match ends; the others stand by their totals.")
    bonus = _("No game bonus is given that wasn't earned.")
    if rules.scoring is Scoring.HOLLYWOOD:
        bonus = _("Games that were still running settle as they stand, without a game bonus.")
    return (
        last,
        _(
            "A hand in which nobody has knocked is broken off then, and nobody scores; after a "
            "knock it is scored with the defender's best play. Points and boxes stand."
        ),
        bonus,
        _("Called off by agreement of all, a match has no result and counts for nobody."),
        _("`/gin resign` and `/gin cancel` do it, or the buttons under your hand."),
    )


def shuffle(_rules: Rules) -> Lines:
    """How the cards are shuffled, and checked."""
    return (
        _(
            "Before you accept a challenge, the house draws a secret and publishes its "
            "fingerprint. It can't change the secret any more."
        ),
        _(
            "Then each player adds something: a word of your own, or else the number of your "
            "press. Every deck follows from the secret and these, card by card."
        ),
        _(
            "If you type a word, the house alone can't have chosen the deck; only together with "
            "the player who adds the last word, and that can be you. The numbers of presses "
            "prove less."
        ),
        _(
            "After the match the secret is revealed. `/gin verify` shows the check and gives a "
            "file with which anybody can repeat it."
        ),
    )
