"""What a seat, or the public, may know of a match (docs/rules.md, who sees what).

The only way from a match to anything that people see. A view is built from the open facts and the
viewer's own cards; no hidden card enters it.
"""

from __future__ import annotations

from gin import legal
from gin.actions import Move, Phase, Seat
from gin.cards import Card
from gin.match import Match
from gin.position import Hand
from gin.rules import Scoring
from gin.schedule import decided, rotation_pairing
from gin.scoring import factors
from gin.views import HandView, MatchView, OpenKnock


def view(match: Match, seat: Seat | None) -> MatchView:
    """The match as ``seat`` may see it; None is the public.

    A seat that sits the hand out sees of that hand what the public sees.
    """
    hand = match.hand
    dealer, out = _next(match)
    return MatchView(
        viewer=seat,
        rules=match.rules,
        seats=match.seats,
        hand=None if hand is None else hand_view(hand, seat),
        last_result=match.results[-1] if match.results else None,
        voids_in_a_row=match.voids_in_a_row,
        sheet=match.sheet,
        outcome=match.outcome,
        needs=match.needs,
        cut=match.cut,
        first_dealer=match.first_dealer,
        results=match.results,
        next_dealer=dealer,
        next_out=out,
    )


def hand_view(hand: Hand, seat: Seat | None) -> HandView:
    """One hand as ``seat`` may see it; None is the public."""
    player = seat if seat in hand.players else None
    is_own_turn = player is not None and player is hand.to_move
    holds_eleven = is_own_turn and hand.phase is Phase.DISCARD
    may_knock = is_own_turn and legal.may_knock(hand)
    may_big_gin = is_own_turn and legal.may_big_gin(hand)
    return HandView(
        number=hand.number,
        viewer=seat,
        dealer=hand.dealer,
        players=hand.players,
        sitting_out=_sitting_out(hand),
        phase=hand.phase,
        to_move=hand.to_move,
        starter=hand.starter,
        knock_limit=hand.knock_limit,
        doubled=factors(hand.rules, hand.starter)[0] == 2,
        upcard=hand.upcard,
        pile_count=len(hand.pile),
        stock_count=len(hand.stock),
        draws=hand.draws,
        cards=None if player is None else hand.cards(player),
        drawn=_drawn(hand, player),
        taken=hand.taken,
        held=tuple((one, hand.mask(one).bit_count()) for one in hand.players),
        legal=_moves(hand, may_knock, may_big_gin) if is_own_turn else (),
        piles=legal.piles(hand) if is_own_turn else (),
        discards=legal.discards(hand) if holds_eleven else (),
        may_knock=may_knock,
        moves=hand.moves,
        knock=_open_knock(hand),
        open_hand=_open_hand(hand),
        looked_at=hand.looked[1] if hand.looked and hand.looked[0] is player else None,
        exposed_by=hand.exposed_by,
        result=hand.result,
        face_down=_face_down(hand, player),
        may_big_gin=may_big_gin,
        must_knock=hand.must_knock,
        last_chance=hand.last_chance,
    )


def _next(match: Match) -> tuple[Seat | None, Seat | None]:
    """Who deals the next hand and who sits it out, as far as that is known."""
    if match.outcome is not None or match.first_dealer is None:
        return None, None
    pairing = match.next_pairing
    if pairing is None and match.rules.scoring is Scoring.ROTATION:
        pairing = rotation_pairing(decided(match.results) + 1)
    return (None, None) if pairing is None else (pairing.dealer, pairing.out)


def _sitting_out(hand: Hand) -> Seat | None:
    if hand.rules.scoring is not Scoring.ROTATION:
        return None
    return next(seat for seat in Seat if seat not in hand.players)


def _drawn(hand: Hand, player: Seat | None) -> Card | None:
    """The card that the viewer has just drawn; also while the opponent answers an exposed knock."""
    if player is None or hand.drawn is None:
        return None
    holder = hand.exposed_by if hand.phase is Phase.EXPOSED else hand.to_move
    return hand.drawn if player is holder else None


def _moves(hand: Hand, may_knock: bool, may_big_gin: bool) -> tuple[Move, ...]:
    """The kinds of move that the player to move has."""
    match hand.phase:
        case Phase.UPCARD:
            return (Move.DRAW, Move.PASS)
        case Phase.FIFTIETH:
            return (Move.DRAW, Move.PASS) if legal.piles(hand) else (Move.PASS,)
        case Phase.DRAW:
            return (Move.DRAW,)
        case Phase.EXPOSED:
            return (Move.LOOK, Move.TAKE_BACK)
        case Phase.LAYOFF:
            return (Move.LAY_OFF,)
        case _:
            offered = (
                (Move.DISCARD, not hand.must_knock),
                (Move.KNOCK, may_knock),
                (Move.BIG_GIN, may_big_gin),
            )
            return tuple(move for move, is_offered in offered if is_offered)


def _open_knock(hand: Hand) -> OpenKnock | None:
    knock = hand.knock
    if knock is None:
        return None
    points = knock.deadwood
    return OpenKnock(knock.seat, knock.melds, knock.loose, points, points == 0)


def _open_hand(hand: Hand) -> tuple[Card, ...] | None:
    """The defender's cards, open once somebody has knocked."""
    return None if hand.knock is None else hand.cards(hand.opponent(hand.knock.seat))


def _face_down(hand: Hand, player: Seat | None) -> Card | None:
    """The knocker's own discard, for himself."""
    knock = hand.knock
    return knock.discard if knock is not None and knock.seat is player else None
