"""What is legal in a hand, and which rule forbids what is not (docs/rules.md, one hand).

:func:`verify` asks in a fixed order: is the hand over? is it your turn? is it the moment for this
act? do you hold the cards? and then the rule itself. The first that fails is what it raises.
"""

from __future__ import annotations

from collections.abc import Iterable

from gin.actions import (
    Action,
    BigGin,
    Discard,
    Draw,
    Knock,
    LayOff,
    Look,
    Pass,
    Phase,
    Pile,
    Seat,
    TakeBack,
)
from gin.arrange import big_gin, deadwood, knock_options
from gin.cards import Card, cards_of, format_cards, points_of
from gin.errors import (
    IllegalAction,
    JustTaken,
    KnockForbidden,
    MalformedMeld,
    MatchOver,
    MustKnock,
    NotAMeld,
    NotInHand,
    NotYourTurn,
    OverLimit,
    UpcardNotSettled,
    UpcardRefused,
    UsedTwice,
    WrongPhase,
)
from gin.layoffs import lay, layoff_plans
from gin.melds import Meld
from gin.position import Hand
from gin.rules import IllegalKnock


def can(hand: Hand, seat: Seat, action: Action) -> bool:
    """Whether :func:`verify` accepts the act."""
    try:
        verify(hand, seat, action)
    except IllegalAction:
        return False
    return True


def verify(hand: Hand, seat: Seat, action: Action) -> None:
    """Raise the :class:`IllegalAction` that says which rule ``action`` breaks; else return.

    A knock over the limit is accepted where the house plays ``illegal_knock = expose``: it is then
    the act of announcing it (:func:`exposes` tells them apart).
    """
    if hand.is_over:
        raise MatchOver("the hand is over")
    if seat is not hand.to_move:
        raise NotYourTurn(f"it is {hand.to_move}'s turn")
    match action:
        case Pass():
            _need(hand, Phase.UPCARD, Phase.FIFTIETH)
        case Draw(pile):
            _verify_draw(hand, pile)
        case Discard(card):
            _verify_discard(hand, seat, card)
        case Knock():
            _verify_knock(hand, seat, action)
        case BigGin(melds):
            _verify_big_gin(hand, seat, melds)
        case LayOff():
            _verify_layoff(hand, seat, action)
        case Look() | TakeBack():
            _need(hand, Phase.EXPOSED)


def legal_actions(hand: Hand) -> tuple[Action, ...]:
    """Every kind of act that the player to move has, in a fixed order; empty when the hand is over.

    Passes, draws, discards, looking and taking back are complete. Knocks are listed once for each
    discard and each sensible arrangement within the limit, lowest deadwood first; lay-offs as the
    best plans, best first. A player may declare otherwise (a run of six as two of three, a meld
    held back): whatever :func:`verify` accepts is legal.
    """
    seat = hand.to_move
    if seat is None:
        return ()
    match hand.phase:
        case Phase.UPCARD:
            return (Draw(Pile.DISCARD), Pass())
        case Phase.DRAW:
            return tuple(Draw(pile) for pile in piles(hand))
        case Phase.FIFTIETH:
            return (*(Draw(pile) for pile in piles(hand)), Pass())
        case Phase.EXPOSED:
            return (Look(), TakeBack())
        case Phase.LAYOFF:
            assert hand.knock is not None  # noqa: S101 - this phase exists only after a knock
            plans = layoff_plans(hand.knock.melds, hand.cards(seat), hand.rules.strict_bridge)
            return tuple(LayOff(plan.melds, plan.cards) for plan in plans)
        case _:
            return (*map(Discard, discards(hand)), *knocks(hand), *big_gins(hand))


def piles(hand: Hand) -> tuple[Pile, ...]:
    """The piles that the player to move may draw from now."""
    match hand.phase:
        case Phase.UPCARD:
            return (Pile.DISCARD,)
        case Phase.DRAW:
            return (Pile.STOCK,) if hand.refused else (Pile.STOCK, Pile.DISCARD)
        case Phase.FIFTIETH:
            return (Pile.DISCARD,) if _fiftieth_knocks(hand) else ()
        case _:
            return ()


def discards(hand: Hand) -> tuple[Card, ...]:
    """The cards that the player to move may discard now without knocking, sorted."""
    if hand.phase is not Phase.DISCARD or hand.to_move is None or hand.must_knock:
        return ()
    return tuple(card for card in hand.cards(hand.to_move) if card != hand.taken)


def may_knock(hand: Hand) -> bool:
    """Whether the player to move has a knock within the limit (gin included) now."""
    if hand.phase is not Phase.DISCARD or hand.to_move is None or hand.exposed_by is not None:
        return False
    return _has_knock(hand.mask(hand.to_move), hand.knock_limit, hand.taken)


def may_big_gin(hand: Hand) -> bool:
    """Whether the player to move may lay eleven melded cards now, where the house plays it."""
    if hand.rules.big_gin is None or hand.phase is not Phase.DISCARD:
        return False
    if hand.to_move is None or hand.exposed_by is not None:
        return False
    return deadwood(hand.mask(hand.to_move)) == 0


def knocks(hand: Hand) -> tuple[Knock, ...]:
    """The sensible knocks of the player to move, lowest deadwood first (:func:`legal_actions`)."""
    if not may_knock(hand) or hand.to_move is None:
        return ()
    options = knock_options(hand.cards(hand.to_move), hand.knock_limit, hand.taken)
    return tuple(Knock(option.discard, option.arrangement.melds) for option in options)


def big_gins(hand: Hand) -> tuple[BigGin, ...]:
    """The big gin of the player to move, if he has one."""
    if not may_big_gin(hand) or hand.to_move is None:
        return ()
    arrangement = big_gin(hand.cards(hand.to_move))
    return () if arrangement is None else (BigGin(arrangement.melds),)


def loose_after(hand: Hand, seat: Seat, knock: Knock) -> tuple[Card, ...]:
    """The cards that a knock of ``seat`` leaves as deadwood, sorted."""
    mask = hand.mask(seat) & ~(1 << knock.discard)
    for meld in knock.melds:
        mask &= ~meld.mask
    return cards_of(mask)


def exposes(hand: Hand, seat: Seat, action: Action) -> bool:
    """Whether a legal ``action`` is a knock over the limit, which would only be announced."""
    if not isinstance(action, Knock):
        return False
    return points_of(loose_after(hand, seat, action)) > hand.knock_limit


def _has_knock(mask: int, limit: int, banned: Card | None) -> bool:
    return any(card != banned and deadwood(mask ^ 1 << card) <= limit for card in cards_of(mask))


def _fiftieth_knocks(hand: Hand) -> bool:
    """Whether the fiftieth card would give the player to move a knock with another discard."""
    if hand.to_move is None or hand.upcard is None:
        return False
    return _has_knock(hand.mask(hand.to_move) | 1 << hand.upcard, hand.knock_limit, hand.upcard)


def _need(hand: Hand, *phases: Phase) -> None:
    if hand.phase not in phases:
        raise WrongPhase(_MOMENTS[hand.phase])


_MOMENTS = {
    Phase.UPCARD: "take the up-card or pass first",
    Phase.DRAW: "draw a card first",
    Phase.DISCARD: "a card has been drawn: discard or knock",
    Phase.EXPOSED: "an illegal knock was announced: look, or have it taken back",
    Phase.LAYOFF: "there was a knock: arrange the melds and lay off",
    Phase.FIFTIETH: "the stock is used up: take the last discard to knock, or pass",
}
"""What each phase waits for, in words."""


def _verify_draw(hand: Hand, pile: Pile) -> None:
    _need(hand, Phase.UPCARD, Phase.DRAW, Phase.FIFTIETH)
    if pile is Pile.STOCK:
        if hand.phase is Phase.UPCARD:
            raise UpcardNotSettled("no stock draw before both have refused the up-card")
        _need(hand, Phase.DRAW)
    elif hand.refused:
        raise UpcardRefused("both refused the up-card: draw from the stock")
    elif hand.phase is Phase.FIFTIETH and not _fiftieth_knocks(hand):
        raise MustKnock("the fiftieth card is taken only for a knock with another discard")


def _verify_discard(hand: Hand, seat: Seat, card: Card) -> None:
    _need(hand, Phase.DISCARD)
    _need_held(hand.mask(seat), (card,))
    if hand.must_knock:
        raise MustKnock("the fiftieth card was taken: knock with another discard")
    _need_not_taken(hand, card)


def _verify_knock(hand: Hand, seat: Seat, knock: Knock) -> None:
    _need(hand, Phase.DISCARD)
    _need_unexposed(hand)
    _need_held(hand.mask(seat), (knock.discard,))
    _need_not_taken(hand, knock.discard)
    _need_melds(hand.mask(seat), knock.melds, knock.discard)
    points = points_of(loose_after(hand, seat, knock))
    if points > hand.knock_limit:
        announced = hand.rules.illegal_knock is IllegalKnock.EXPOSE and not hand.must_knock
        if not announced:
            raise OverLimit(points, hand.knock_limit)


def _verify_big_gin(hand: Hand, seat: Seat, melds: tuple[Meld, ...]) -> None:
    _need(hand, Phase.DISCARD)
    if hand.rules.big_gin is None:
        raise KnockForbidden("big gin is not played here: discard a card and go gin")
    _need_unexposed(hand)
    loose = points_of(cards_of(_need_melds(hand.mask(seat), melds)))
    if loose:
        raise OverLimit(loose, 0)


def _verify_layoff(hand: Hand, seat: Seat, action: LayOff) -> None:
    _need(hand, Phase.LAYOFF)
    assert hand.knock is not None  # noqa: S101 - this phase exists only after a knock
    rest = _need_melds(hand.mask(seat), action.melds)
    if len(set(action.cards)) != len(action.cards):
        twice = tuple(card for card in action.cards if action.cards.count(card) > 1)
        raise UsedTwice(f"a card stands twice in {format_cards(action.cards)}", twice[:1])
    _need_held(hand.mask(seat), action.cards)
    _need_free(rest, action.cards)
    lay(hand.knock.melds, action.cards, hand.rules.strict_bridge)


def _need_held(mask: int, cards: Iterable[Card]) -> None:
    for card in cards:
        if not mask >> card & 1:
            raise NotInHand(f"{card} is not in the player's hand", (card,))


def _need_free(rest: int, cards: Iterable[Card]) -> None:
    """Cards that the player holds are in no meld of this act, nor its discard."""
    used = tuple(card for card in cards if not rest >> card & 1)
    if used:
        raise UsedTwice(f"{format_cards(used)}: used elsewhere in this act", used)


def _need_not_taken(hand: Hand, card: Card) -> None:
    if card == hand.taken:
        raise JustTaken(f"{card} was just taken from the discard pile")


def _need_unexposed(hand: Hand) -> None:
    if hand.exposed_by is not None:
        raise KnockForbidden("no knock in the turn of an illegal knock")


def _need_melds(mask: int, melds: tuple[Meld, ...], discard: Card | None = None) -> int:
    """Check melds declared from the cards of ``mask``, without the discard; what is left."""
    free = mask if discard is None else mask ^ 1 << discard
    rest = free
    for meld in melds:
        try:
            cards = Meld.of(meld.cards).mask
        except MalformedMeld as error:
            raise NotAMeld(str(error)) from error
        if cards & mask != cards:
            missing = cards_of(cards & ~mask)
            raise NotInHand(f"{meld} is not all in the player's hand", missing)
        _need_free(free, meld.cards)
        if cards & rest != cards:
            raise NotAMeld(f"a card of {meld} stands in another meld")
        rest ^= cards
    return rest
