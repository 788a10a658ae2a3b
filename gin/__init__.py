"""The rules of Gin Rummy as a library: pure values and functions.

A match is an immutable value. Events go in one at a time, each shuffle as data; the same events
always give the same match. Players see views, never the match itself.

>>> from gin import DECK, STANDARD, Cut, Deal, Draw, Discard, Match, Pass, Pile, Play, Seat
>>> from gin import Card, dump_match, parse_match, view
>>> match = Match.start(STANDARD)
>>> match = match.after(Cut((Card.parse("7H"), Card.parse("KD"))))
>>> match.first_dealer
<Seat.B: 1>
>>> match = match.after(Deal(DECK))          # unshuffled: spades first, ace to king
>>> match.to_move, match.legal_actions()
(<Seat.A: 0>, (Draw(pile=<Pile.DISCARD: 'discard'>), Pass()))
>>> match.after(Play(Seat.A, Draw(Pile.STOCK)))
Traceback (most recent call last):
...
gin.errors.UpcardNotSettled: no stock draw before both have refused the up-card
>>> match = match.after(Play(Seat.A, Draw(Pile.DISCARD)))
>>> match = match.after(Play(Seat.A, Discard(Card.parse("KS"))))
>>> table = view(match, None)
>>> table.hand.upcard, table.hand.stock_count, table.hand.cards
(Card('KS'), 31, None)
>>> parse_match(dump_match(match)) == match
True

Variants are values of :class:`Rules` (``STANDARD``, ``OKLAHOMA``, ``STRAIGHT``, or one's own).
The rules themselves stand in docs/rules.md, which docstrings cite.
"""

from gin.actions import (
    Action,
    BigGin,
    Discard,
    Draw,
    Knock,
    LayOff,
    Look,
    Move,
    Pass,
    Phase,
    Pile,
    Seat,
    TakeBack,
)
from gin.arrange import (
    Arrangement,
    Shed,
    arrangements,
    best_arrangement,
    best_sheds,
    big_gin,
    deadwood,
    knock_options,
)
from gin.cards import (
    DECK,
    RANKS,
    SUITS,
    Card,
    Suit,
    cards_of,
    format_cards,
    mask_of,
    parse_cards,
    points_of,
)
from gin.cut import CutRound, cut_from, cut_order, cut_rounds
from gin.errors import (
    BetweenRuns,
    DoesNotFit,
    GinError,
    IllegalAction,
    JustTaken,
    KnockForbidden,
    Malformed,
    MalformedCard,
    MalformedCut,
    MalformedDeck,
    MalformedMeld,
    MalformedNotation,
    MalformedRules,
    MatchOver,
    MustKnock,
    NotAMeld,
    NotInHand,
    NotSeated,
    NotYourTurn,
    OverLimit,
    UpcardNotSettled,
    UpcardRefused,
    UsedTwice,
    WrongPhase,
)
from gin.events import Cancel, Cut, Deal, Event, Forfeit, ForfeitHand, Needs, Play, Resign
from gin.hand import Hand, apply, can, deal, legal_actions, verify
from gin.layoffs import LayOffPlan, best_layoff, lay, layoff_plans
from gin.match import Match
from gin.melds import Meld
from gin.notation import dump_event, dump_match, parse_event, parse_match
from gin.results import Decision, Ending, HandResult, MatchOutcome, Reason
from gin.rules import (
    OKLAHOMA,
    PRESETS,
    RANGES,
    STANDARD,
    STRAIGHT,
    BoxTiming,
    IllegalKnock,
    Limit,
    NextDealer,
    Note,
    OklahomaAce,
    Rules,
    Scoring,
    Shutout,
    SpadesDouble,
    Tie,
    Winner,
)
from gin.sheet import Entry, GameSheet, Settlement, Sheet
from gin.view import view
from gin.views import HandView, MatchView, OpenKnock, PublicMove

__all__ = [
    "DECK",
    "OKLAHOMA",
    "PRESETS",
    "RANGES",
    "RANKS",
    "STANDARD",
    "STRAIGHT",
    "SUITS",
    "Action",
    "Arrangement",
    "BetweenRuns",
    "BigGin",
    "BoxTiming",
    "Cancel",
    "Card",
    "Cut",
    "CutRound",
    "Deal",
    "Decision",
    "Discard",
    "DoesNotFit",
    "Draw",
    "Ending",
    "Entry",
    "Event",
    "Forfeit",
    "ForfeitHand",
    "GameSheet",
    "GinError",
    "Hand",
    "HandResult",
    "HandView",
    "IllegalAction",
    "IllegalKnock",
    "JustTaken",
    "Knock",
    "KnockForbidden",
    "LayOff",
    "LayOffPlan",
    "Limit",
    "Look",
    "Malformed",
    "MalformedCard",
    "MalformedCut",
    "MalformedDeck",
    "MalformedMeld",
    "MalformedNotation",
    "MalformedRules",
    "Match",
    "MatchOutcome",
    "MatchOver",
    "MatchView",
    "Meld",
    "Move",
    "MustKnock",
    "Needs",
    "NextDealer",
    "NotAMeld",
    "NotInHand",
    "NotSeated",
    "NotYourTurn",
    "Note",
    "OklahomaAce",
    "OpenKnock",
    "OverLimit",
    "Pass",
    "Phase",
    "Pile",
    "Play",
    "PublicMove",
    "Reason",
    "Resign",
    "Rules",
    "Scoring",
    "Seat",
    "Settlement",
    "Shed",
    "Sheet",
    "Shutout",
    "SpadesDouble",
    "Suit",
    "TakeBack",
    "Tie",
    "UpcardNotSettled",
    "UpcardRefused",
    "UsedTwice",
    "Winner",
    "WrongPhase",
    "apply",
    "arrangements",
    "best_arrangement",
    "best_layoff",
    "best_sheds",
    "big_gin",
    "can",
    "cards_of",
    "cut_from",
    "cut_order",
    "cut_rounds",
    "deadwood",
    "deal",
    "dump_event",
    "dump_match",
    "format_cards",
    "knock_options",
    "lay",
    "layoff_plans",
    "legal_actions",
    "mask_of",
    "parse_cards",
    "parse_event",
    "parse_match",
    "points_of",
    "verify",
    "view",
]
