"""The text of the rules for people: one hand. Every sentence follows from the ``Rules`` in force.

Each function gives the lines of one topic (docs/rules.md has the same rules in full).
"""

from __future__ import annotations

from bot.ui.examples import level_words
from bot.ui.language import _
from bot.ui.terms import doubling_words
from gin.rules import IllegalKnock, Limit, OklahomaAce, Rules, Scoring, SpadesDouble, Tie

Lines = tuple[str, ...]


def deal(rules: Rules) -> Lines:
    """The cut, the deal, the first turn and every other."""
    cut = _(
        "Each player cuts a card; the higher one deals first (ace is low; level ones cut again)."
    )
    if rules.scoring is Scoring.ROTATION:
        cut = _(
            "The three cut for their seats: the highest card sits first and deals first (ace is "
            "low; level ones cut again)."
        )
    return (
        cut,
        _(
            "Ten cards each, one at a time, the non-dealer first. The next card is turned up, the "
            "other 31 are the **stock**."
        ),
        _(
            "**First turn:** the non-dealer may take the up-card or pass; then the dealer may. If "
            "both pass, the non-dealer draws from the stock."
        ),
        _(
            "**Every turn:** draw one card, from the stock or from the top of the discard pile, "
            "then discard one, or knock. A card just taken from the discard pile can't be "
            "discarded in the same turn; one drawn from the stock can."
        ),
        _("Who drew what from the stock, nobody else sees. What is taken or discarded, all see."),
    )


def melds(_rules: Rules) -> Lines:
    """Melds and deadwood."""
    return (
        _("A **set** is three or four cards of one rank."),
        _(
            "A **run** is three or more cards of one suit in a row. The ace is low: A 2 3 is a "
            "run, Q K A is none."
        ),
        _("A card is in one meld only."),
        _(
            "What is in no meld is **deadwood**: the ace counts 1; 10, J, Q and K count 10; the "
            "others as they say."
        ),
    )


def knock(rules: Rules) -> Lines:
    """The knock, its limit, gin, big gin, and a knock over the limit."""
    said: list[str] = [*_limit(rules)]
    if rules.knock_limit != 0:
        said += [
            _(
                "A knock is one act: a discard, laid face down, and your melds. You may lay them "
                "as you like, as long as what is left is within the limit. The face-down card "
                "stays hidden until the hand has ended."
            ),
            _("**Gin** is a knock with no deadwood. You are never forced to it."),
        ]
    else:
        said.append(
            _(
                "**Gin**: discard one card, and the other ten lie in melds. You are never forced "
                "to it: you may play on, say for big gin."
            )
            if rules.big_gin is not None
            else _("**Gin**: discard one card, and the other ten lie in melds. It is never forced.")
        )
    if rules.big_gin is None:
        said.append(
            _("**Big gin** isn't played here: with eleven melded cards, shed one and go gin.")
        )
    else:
        said.append(
            _(
                "**Big gin** is played: all eleven cards melded, nothing discarded, after any "
                "draw. It brings {bonus} in place of the gin bonus."
            ).format(bonus=rules.big_gin)
        )
    said.append(_over_limit(rules))
    return tuple(said)


def _limit(rules: Rules) -> Lines:
    if rules.knock_limit == 0:
        return (_("**Only gin ends a hand** here; nobody knocks with deadwood."),)
    if rules.knock_limit is not Limit.UPCARD:
        return (
            _(
                "After drawing you may **knock** if the ten cards you keep have at most {limit} "
                "deadwood."
            ).format(limit=rules.knock_limit),
        )
    ace = _("an ace allows 1")
    if rules.oklahoma_ace is OklahomaAce.GIN:
        ace = _("an ace allows only gin")
    return (
        _(
            "After drawing you may **knock** if the ten cards you keep have no more deadwood than "
            "the first up-card of the hand counts: a 7 allows 7; 10, J, Q and K allow 10; {ace}. "
            "That holds for the whole hand, also when the card has been taken."
        ).format(ace=ace),
        _spade(rules),
    )


def _spade(rules: Rules) -> str:
    if rules.spades_double is SpadesDouble.OFF:
        return _("A spade as first up-card doubles nothing here.")
    return _(
        "If the first up-card is a **spade**, in that hand {doubling}; boxes never do."
    ).format(doubling=doubling_words(rules))


def _over_limit(rules: Rules) -> str:
    if rules.knock_limit == 0:
        if rules.illegal_knock is IllegalKnock.REFUSE:
            return _("**Gin declared without having it** is refused: only you are told.")
        return _(
            "**Gin declared without having it** is announced to all. The other player chooses: to "
            "*look* at your eleven cards, alone, until the next draw; or to have them *taken back* "
            "unseen. Then you discard, and can't go gin in this turn."
        )
    if rules.illegal_knock is IllegalKnock.REFUSE:
        return _(
            "A knock **over the limit** is refused: only you are told, nothing is shown, nothing "
            "changes."
        )
    return _(
        "A knock **over the limit** is announced to all. The other player chooses: to *look* at "
        "your eleven cards, alone, until the next draw; or to have them *taken back* unseen. Then "
        "you discard, and can't knock in this turn."
    )


def lay_off(rules: Rules) -> Lines:
    """Laying off."""
    if rules.knock_limit == 0:
        return (
            _("Only gin ends a hand here, and nothing is laid off on gin. So nobody lays off."),
        )
    bridge = _("A card between two of the knocker's runs may extend one; the two never join.")
    if rules.strict_bridge:
        bridge = _(
            "A card next to the ends of two of the knocker's runs may not be laid off. With 3-4-5 "
            "and 8-9-10 of a suit, the 6 or the 7 may go, not both."
        )
    return (
        _(
            "After a knock both hands lie open. The other player, the **defender**, lays down "
            "their own melds and may add loose cards to the knocker's."
        ),
        _(
            "A set takes its fourth card; a run grows at both ends, card after card: 5-6-7 takes "
            "the 8, then the 9."
        ),
        bridge,
        _("Nothing goes on deadwood, nothing on gin; the knocker lays off nothing."),
        _(
            "You choose your own melds together with what you lay off; the best way is worked out "
            "for you, and you may choose another."
        ),
    )


def scoring(rules: Rules) -> Lines:
    """What a hand brings."""
    said: list[str] = []
    if rules.knock_limit != 0:
        said += [
            _("**Knock**, with less deadwood than the other: the difference."),
            _(
                "**Undercut**, the defender has less: they score the difference plus {bonus}."
            ).format(bonus=rules.undercut_bonus),
            level_words(rules),
        ]
    said.append(
        _(
            "**Gin**: the other's deadwood, at its least, plus {bonus}. Gin can't be undercut, not "
            "even by no deadwood."
        ).format(bonus=rules.gin_bonus)
    )
    if rules.big_gin is not None:
        said.append(
            _("**Big gin**: the other's deadwood plus {bonus}.").format(bonus=rules.big_gin)
        )
    if rules.knock_limit is Limit.UPCARD:
        said.append(_spade(rules))
    return tuple(said)


def void(rules: Rules) -> Lines:
    """Hands that count for nothing."""
    stock = _(
        "**The stock:** who draws the third-last card, so that two are left, may still end the "
        "hand with it; if they discard instead, it is void."
    )
    if rules.fiftieth_card:
        stock = _(
            "**The fiftieth card:** when the stock is down to two and the player discards, the "
            "other may take that discard, but only to knock with it at once, with another discard. "
            "Else they pass, and the hand is void."
        )
    if rules.fiftieth_card and rules.knock_limit == 0:
        stock = _(
            "**The fiftieth card:** when the stock is down to two and the player discards, the "
            "other may take that discard, but only to go gin with it at once, with another "
            "discard. Else they pass, and the hand is void."
        )
    if rules.fiftieth_card and rules.big_gin is not None:
        stock += " " + _("Big gin with that card, all eleven melded, ends the hand too.")
    said = [
        _("A void hand brings no points and no box; the same player deals again."),
        stock,
        _(
            "**Too many draws:** after {draws} draws by both together, from both piles, the hand "
            "is void unless the last one ends it."
        ).format(draws=rules.draw_cap),
    ]
    if rules.tie is Tie.DRAW and rules.knock_limit != 0:
        said.append(_("**Level deadwood** after a knock makes the hand void here."))
    said.append(_("After five void hands in a row you are asked whether to call the match off."))
    return tuple(said)
