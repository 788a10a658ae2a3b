"""Random players and random house options for the property tests.

Two players: one picks any legal act; one that half the time lowers its deadwood and ends a hand
when it may, so that its matches end. Whole matches are played from a seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random

from hypothesis import strategies as st

from gin import (
    DECK,
    Action,
    BigGin,
    Cancel,
    Card,
    Cut,
    Deal,
    Discard,
    Draw,
    Event,
    Forfeit,
    ForfeitHand,
    Hand,
    Knock,
    LayOff,
    Limit,
    Match,
    Needs,
    Phase,
    Pile,
    Play,
    Resign,
    Rules,
    Scoring,
    best_sheds,
    cut_from,
    deadwood,
    legal_actions,
)
from gin.rules import (
    BoxTiming,
    IllegalKnock,
    NextDealer,
    OklahomaAce,
    Shutout,
    SpadesDouble,
    Tie,
    Winner,
)

Player = Callable[[Random, Hand], Action]


def uniform(rng: Random, hand: Hand) -> Action:
    """Any of the legal acts."""
    return rng.choice(legal_actions(hand))


def lowering(rng: Random, hand: Hand) -> Action:
    """Half the time anything, else what lowers the deadwood; a knock as soon as one is legal."""
    actions = legal_actions(hand)
    if rng.random() < 0.5:
        return rng.choice(actions)
    for ends in (BigGin, Knock, LayOff):
        for action in actions:
            if isinstance(action, ends):
                return action
    seat = hand.to_move
    assert seat is not None
    if hand.phase is Phase.DISCARD:
        return Discard(best_sheds(hand.cards(seat), hand.taken)[0].discard)
    take = Draw(Pile.DISCARD)
    if take in actions and hand.upcard is not None:
        mask = hand.mask(seat)
        taken = mask | 1 << hand.upcard
        if min(deadwood(taken ^ 1 << card) for card in hand.cards(seat)) < deadwood(mask):
            return take
    return actions[0] if Draw(Pile.STOCK) not in actions else Draw(Pile.STOCK)


def shuffled(rng: Random) -> tuple[Card, ...]:
    """A deck in random order."""
    deck = list(DECK)
    rng.shuffle(deck)
    return tuple(deck)


def over_limit(rng: Random, hand: Hand) -> Action | None:
    """A knock over the limit, for a house that has it announced; None if there is none to make."""
    seat = hand.to_move
    announces = hand.rules.illegal_knock is IllegalKnock.EXPOSE
    if seat is None or not announces or hand.phase is not Phase.DISCARD:
        return None
    knock = Knock(rng.choice([card for card in hand.cards(seat) if card != hand.taken]), ())
    is_free = hand.exposed_by is None and not hand.must_knock
    return knock if is_free else None


@dataclass(frozen=True)
class Style:
    """How a random match goes: who plays, and how often (0 to 1, per event) what else happens."""

    player: Player = lowering
    bluff: float = 0.02
    """An illegal knock that is announced."""
    leave: float = 0.0
    """Somebody resigns, forfeits match or hand, or the match is called off."""


def next_event(rng: Random, match: Match, style: Style) -> Event:
    """One more event of a random match."""
    if rng.random() < style.leave:
        seat = rng.choice(match.seats)
        leaving: tuple[Event, ...] = (Resign(seat), Forfeit(seat), Cancel())
        if match.to_move is not None:
            leaving += (ForfeitHand(match.to_move),)
        return rng.choice(leaving)
    if match.needs is Needs.CUT:
        return Cut(cut_from(shuffled(rng), len(match.seats)))
    if match.needs is Needs.DEAL:
        return Deal(shuffled(rng))
    assert match.hand is not None
    assert match.to_move is not None
    bluff = over_limit(rng, match.hand) if rng.random() < style.bluff else None
    return Play(match.to_move, bluff or style.player(rng, match.hand))


def states(
    rng: Random, rules: Rules, style: Style | None = None, most: int = 20_000
) -> Iterator[Match]:
    """Every state of a random match, from its start to its end or to ``most`` events."""
    match = Match.start(rules)
    yield match
    while match.needs is not None and len(match.events) < most:
        match = match.after(next_event(rng, match, style or Style()))
        yield match


def played(rng: Random, rules: Rules, style: Style | None = None, most: int = 20_000) -> Match:
    """The last of :func:`states`."""
    for match in states(rng, rules, style, most):
        last = match
    return last


LIMITS: tuple[int | Limit, ...] = (0, 10, Limit.UPCARD)
_BONUS = st.sampled_from((0, 10, 25, 100, 500))


@st.composite
def any_rules(draw: st.DrawFn) -> Rules:
    """Any valid house options, all of their range."""
    rules = Rules(
        knock_limit=draw(st.sampled_from(LIMITS)),
        oklahoma_ace=draw(st.sampled_from(OklahomaAce)),
        spades_double=draw(st.sampled_from(SpadesDouble)),
        big_gin=draw(st.one_of(st.none(), _BONUS)),
        strict_bridge=draw(st.booleans()),
        gin_bonus=draw(_BONUS),
        undercut_bonus=draw(_BONUS),
        tie=draw(st.sampled_from(Tie)),
        fiftieth_card=draw(st.booleans()),
        draw_cap=draw(st.integers(30, 500)),
        illegal_knock=draw(st.sampled_from(IllegalKnock)),
        target=draw(st.integers(50, 1000)),
        game_bonus=draw(_BONUS),
        box_bonus=draw(_BONUS),
        box_timing=draw(st.sampled_from(BoxTiming)),
        winner=draw(st.sampled_from(Winner)),
        scoring=draw(st.sampled_from(Scoring)),
    )
    if rules.scoring is Scoring.ROTATION:
        return replace(rules, finish_rotation=draw(st.booleans()))
    return replace(
        rules,
        shutout=draw(st.sampled_from(Shutout)),
        next_dealer=draw(st.sampled_from(NextDealer)),
    )


def playable_rules() -> st.SearchStrategy[Rules]:
    """Any valid house options with a target that a random match reaches in reasonable time.

    Where only gin counts most hands of random players are void, so there the target is low.
    """
    return any_rules().map(
        lambda rules: replace(
            rules, target=50 if rules.knock_limit == 0 else 50 + rules.target % 76
        )
    )
