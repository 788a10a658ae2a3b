"""A whole match counted again from its text.

It imports nothing of ``gin``: it follows the cards by their texts, counts with the naive solver
and keeps the sheets in its own way. It trusts the text to be a legal match; what it checks is the
count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tests.gin import naive

Options = dict[str, str]


@dataclass
class Won:
    """A hand that was won."""

    winner: str
    loser: str
    points: int


@dataclass
class Count:
    """What the recount finds; seats are letters, in order."""

    hands: list[Won | None] = field(default_factory=list)
    """Each hand that ended, None for a void one."""
    totals: list[int] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    """Empty for a match that is called off or in play."""
    is_over: bool = False


def recount(text: str) -> Count:
    """Count the match of this text."""
    lines = text.splitlines()
    options = dict(word.split("=") for word in lines[1].split()[2:])
    seats = "ABC" if options["scoring"] == "rotation" else "AB"
    hands: list[Won | None] = []
    dealer = "A"
    table: _Table | None = None
    gave_up, is_cancelled = "", False
    for line in lines[2:]:
        words = line.split()
        match words:
            case ["cut", *cut]:
                dealer = _higher(cut)
            case ["deal", deck]:
                dealer, other = _pair(options, hands, dealer)
                table = _Table(options, _split(deck), dealer, other)
            case ["cancel"]:
                is_cancelled = True
                hands += [] if table is None else [None]
            case [seat, "resign" | "forfeit"]:
                gave_up = seat
                hands += [] if table is None else [table.given_up()]
            case [seat, "forfeit-hand"]:
                assert table is not None
                hands.append(table.forfeited(seat))
                dealer = _next_dealer(options, table.won, dealer)
                table = None
            case [seat, *act]:
                assert table is not None
                if table.act(seat, act):
                    hands.append(table.won)
                    dealer = _next_dealer(options, table.won, dealer)
                    table = None
    return _settle(options, seats, hands, gave_up, is_cancelled)


def _split(cards: str) -> list[str]:
    return [cards[at : at + 2] for at in range(0, len(cards), 2)]


def _higher(cut: Sequence[str]) -> str:
    """Who of two cut higher (of three it doesn't matter: they are seated by the cut)."""
    for first, second in zip(cut[::2], cut[1::2], strict=False):
        if first[0] != second[0]:
            return "A" if naive.RANKS.index(first[0]) > naive.RANKS.index(second[0]) else "B"
    return "A"


def _pair(options: Options, hands: list[Won | None], dealer: str) -> tuple[str, str]:
    if options["scoring"] != "rotation":
        return dealer, "B" if dealer == "A" else "A"
    turn = len([hand for hand in hands if hand is not None])
    return "ABC"[turn % 3], "BCA"[turn % 3]


def _next_dealer(options: Options, won: Won | None, dealer: str) -> str:
    if won is None:
        return dealer
    if options["next_dealer"] == "alternate":
        return "B" if dealer == "A" else "A"
    return won.winner if options["next_dealer"] == "winner" else won.loser


class _Table:
    """The cards of one hand, and what it brings."""

    def __init__(self, options: Options, deck: list[str], dealer: str, other: str) -> None:
        self.options = options
        self.held = {other: set(deck[0:20:2]), dealer: set(deck[1:20:2])}
        self.pile, self.stock = [deck[20]], deck[21:]
        self.starter = deck[20]
        self.draws = 0
        self.won: Won | None = None
        self.knock: tuple[str, list[frozenset[str]], int] | None = None

    def act(self, seat: str, words: list[str]) -> bool:
        """Follow one act; whether the hand has ended with it."""
        held = self.held[seat]
        match words:
            case ["pass"]:
                return self.draws > 0
            case ["draw", pile]:
                held.add(self.stock.pop(0) if pile == "stock" else self.pile.pop())
                self.draws += 1
            case ["discard", card]:
                held.remove(card)
                self.pile.append(card)
                is_out = len(self.stock) == 2 and self.options["fiftieth_card"] == "off"
                return is_out or self.draws == int(self.options["draw_cap"])
            case ["big-gin", _]:
                self._score(seat, self._least(seat), int(self.options["big_gin"]))
                return True
            case ["knock", card, *spread]:
                return self._knock(seat, card, spread)
            case ["layoff", *rest]:
                cards = [card for text in rest if text != "-" for card in _split_spread(text)]
                self._answer(naive.count(held - set(cards)))
                return True
        return False

    def given_up(self) -> Won | None:
        """The hand when somebody gives the match up."""
        if self.knock is not None:
            seat, melds, _ = self.knock
            defender = frozenset(self.held[self._other(seat)])
            strict = self.options["strict_bridge"] == "on"
            self._answer(naive.deadwood_after_layoffs(melds, defender, strict))
        return self.won

    def forfeited(self, seat: str) -> Won | None:
        """The hand when its player to act loses it by order of the house."""
        other = self._other(seat)
        self._score(other, self._least(other), int(self.options["gin_bonus"]))
        return self.won

    def _knock(self, seat: str, card: str, spread: list[str]) -> bool:
        melds = [frozenset(_split(meld)) for text in spread for meld in text.split("/")]
        loose = naive.count(self.held[seat] - {card} - set().union(*melds))
        if loose > self._limit():
            return False
        self.held[seat].remove(card)
        if loose == 0:
            self._score(seat, self._least(seat), int(self.options["gin_bonus"]))
            return True
        self.knock = seat, melds, loose
        return False

    def _limit(self) -> int:
        if self.options["knock_limit"] != "upcard":
            return int(self.options["knock_limit"])
        if self.starter[0] == "A" and self.options["oklahoma_ace"] == "gin":
            return 0
        return naive.VALUES[self.starter[0]]

    def _other(self, seat: str) -> str:
        return next(one for one in self.held if one != seat)

    def _least(self, seat: str) -> int:
        return naive.deadwood(frozenset(self.held[self._other(seat)]))

    def _answer(self, left: int) -> None:
        assert self.knock is not None
        knocker, _, loose = self.knock
        defender = self._other(knocker)
        if left > loose:
            self._score(knocker, left - loose, 0)
        elif left < loose or self.options["tie"] == "undercut":
            self._score(defender, loose - left, int(self.options["undercut_bonus"]))
        elif self.options["tie"] == "no_bonus":
            self._score(defender, 0, 0)

    def _score(self, winner: str, difference: int, bonus: int) -> None:
        is_spade = self.options["knock_limit"] == "upcard" and self.starter[1] == "S"
        doubles = self.options["spades_double"] if is_spade else "off"
        points = difference * (1 if doubles == "off" else 2) + bonus * (
            2 if doubles == "all" else 1
        )
        self.won = Won(winner, self._other(winner), points)


def _split_spread(text: str) -> Iterator[str]:
    for meld in text.split("/"):
        yield from _split(meld)


@dataclass
class _Game:
    """One game on the sheet: the wins entered in it."""

    wins: list[Won] = field(default_factory=list)
    closer: str = ""

    def points(self, seat: str, box: int) -> int:
        return sum(win.points + box for win in self.wins if win.winner == seat)


def _settle(
    options: Options, seats: str, hands: list[Won | None], gave_up: str, is_cancelled: bool
) -> Count:
    wins = [hand for hand in hands if hand is not None]
    target, box = int(options["target"]), int(options["box_bonus"])
    counted = box if options["box_timing"] == "at_once" else 0
    games = [_Game() for _ in range(3 if options["scoring"] == "hollywood" else 1)]
    for win in wins:
        for game in _entered(games, win.winner, closes=seats == "AB"):
            game.wins.append(win)
            if not game.closer and game.points(win.winner, counted) >= target:
                game.closer = win.winner
    is_over = all(game.closer for game in games)
    if options["finish_rotation"] == "on" and len(wins) % 3:
        is_over = False
    if is_cancelled or not (is_over or gave_up):
        return Count(hands, is_over=is_cancelled)
    totals = {seat: sum(_total(options, game, seat) for game in games) for seat in seats}
    return Count(
        hands=hands,
        totals=[totals[seat] for seat in seats],
        places=_places(options, seats, totals, games, wins, gave_up),
        is_over=True,
    )


def _entered(games: list[_Game], winner: str, *, closes: bool) -> list[_Game]:
    """The games that a win goes to: all running ones that the winner is in, and the next."""
    running = [game for game in games if not (game.closer and closes)]
    mine = [game for game in running if any(win.winner == winner for win in game.wins)]
    others = [game for game in running if all(win.winner != winner for win in game.wins)]
    return mine + others[:1]


def _total(options: Options, game: _Game, seat: str) -> int:
    total = game.points(seat, int(options["box_bonus"]))
    if game.closer != seat:
        return total
    total += int(options["game_bonus"])
    if all(win.winner == seat for win in game.wins):
        total = {"none": total, "double": total * 2, "plus_100": total + 100}[options["shutout"]]
    return total


def _places(
    options: Options,
    seats: str,
    totals: dict[str, int],
    games: list[_Game],
    wins: list[Won],
    gave_up: str,
) -> list[int]:
    closed = {seat: sum(game.closer == seat for game in games) for seat in seats}
    won = {seat: sum(win.winner == seat for win in wins) for seat in seats}
    is_first_home = options["winner"] == "first_to_target"
    home = {seat: closed[seat] > len(games) / 2 for seat in seats}

    def beats(one: str, two: str) -> bool:
        """Whether ``one`` is placed before ``two``."""
        if gave_up in (one, two):
            return two == gave_up
        if is_first_home and home[one] != home[two]:
            return home[one]
        if totals[one] != totals[two]:
            return totals[one] > totals[two]
        if options["scoring"] == "game":
            return closed[one] > closed[two]
        if options["scoring"] == "hollywood" and closed[one] != closed[two]:
            return closed[one] > closed[two]
        if won[one] != won[two]:
            return won[one] > won[two]
        if options["scoring"] == "hollywood":
            return False
        level = [
            seat
            for seat in seats
            if (totals[seat], won[seat]) == (totals[one], won[one])
            and seat != gave_up
            and not (is_first_home and home[seat] != home[one])
        ]
        return _against(wins, one, level) > _against(wins, two, level)

    return [1 + sum(beats(other, seat) for other in seats if other != seat) for seat in seats]


def _against(wins: list[Won], seat: str, level: Sequence[str]) -> int:
    return sum(win.points for win in wins if win.winner == seat and win.loser in level)
