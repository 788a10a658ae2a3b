"""What several pages say about a match: names, score, the hand's facts."""

from __future__ import annotations

from bot.ui import cardwords, escape
from bot.ui.clocks import turn_terms
from bot.ui.controls import Control, Verb
from bot.ui.language import _, ngettext
from bot.ui.matchend import games_closed, outcome_headline
from bot.ui.moves import last_turn
from bot.ui.page import MatchShown
from bot.ui.pages.help import help_topic
from bot.ui.parts import SUBTLE, Link, Press, Style, against, dotted, lines, listed
from bot.ui.pictures.lettering import drawable
from bot.ui.results import hand_over, score_line
from bot.ui.terms import doubling_words, limit_words, short_terms
from gin.actions import Phase, Pile, Seat
from gin.results import HandResult
from gin.rules import Limit, Rules
from gin.views import HandView

REASON_MOST = 150
"""Characters of a moderator's reason that are shown."""
VOIDS_TO_ASK = 5
"""After so many void hands in a row the players are asked whether to go on (rules.md)."""


def names(shown: MatchShown) -> tuple[str, ...]:
    """The players' names by seat, safe in a text display."""
    return tuple(escape.name(person.name) for person in shown.people)


def plain_names(shown: MatchShown) -> tuple[str, ...]:
    """The players' names by seat, for labels and alt texts."""
    return tuple(escape.plain(person.name) for person in shown.people)


def control(shown: MatchShown, verb: Verb, *args: str | int) -> Control:
    """A control of this match at this version."""
    return Control(verb, shown.match_id, shown.version, tuple(map(str, args)), shown.generation)


def subtitle(shown: MatchShown) -> str:
    """The terms and the hand's number, small."""
    hand = shown.view.hand
    house = None if shown.house is None else escape.name(shown.house)
    parts = [short_terms(shown.view.rules, house)]
    if shown.clock is not None:
        parts.append(turn_terms(shown.clock))
    if hand is not None:
        parts.append(_("hand {number}").format(number=hand.number))
        parts.append(_("{name} deals").format(name=names(shown)[hand.dealer]))
    return SUBTLE + " · ".join([*parts, *_lettered(shown)])


def _lettered(shown: MatchShown) -> list[str]:
    """Who is who in the pictures, where a name's letters can't be drawn there."""
    found = [
        f"{seat} = {name}"
        for seat, name, person in zip(shown.view.seats, names(shown), shown.people, strict=True)
        if drawable(escape.plain(person.name), str(seat)) == str(seat) != person.name
    ]
    said = _("in the pictures {letters}")
    return [said.format(letters=", ".join(found))] if found else []


def others(shown: MatchShown, viewer: Seat) -> str:
    """Against whom a player plays here, and the match's number: he may sit at several tables."""
    by = names(shown)
    return _("Against {names} · match {number}").format(
        names=listed([name for seat, name in enumerate(by) if seat != viewer]),
        number=shown.match_id,
    )


def which_match(shown: MatchShown) -> str:
    """The match's players and number, small: for a word that stands away from its table."""
    number = _("match {number}").format(number=shown.match_id)
    return SUBTLE + dotted(against(names(shown)), number)


def headed(shown: MatchShown, title: str) -> str:
    """The heading of a private page: what it is about, and in which of one's matches."""
    viewer = shown.view.viewer
    return lines(f"## {title}", "" if viewer is None else SUBTLE + others(shown, viewer))


def pile_line(hand: HandView, rules: Rules) -> str:
    """Up-card, stock count and knock limit; in Oklahoma with the starter that sets it."""
    said = _("Up-card **{upcard}** · stock **{stock}** · {limit}")
    if hand.upcard is None:
        said = _("Discard pile empty · stock **{stock}** · {limit}")
    return said.format(
        upcard=cardwords.card(hand.upcard) if hand.upcard is not None else "",
        stock=hand.stock_count,
        limit=hand_limit(hand, rules),
    )


def limit_line(hand: HandView, rules: Rules) -> str:
    """The knock limit alone, which stays as it is for the whole hand."""
    limit = hand_limit(hand, rules)
    return limit[:1].upper() + limit[1:]


def hand_limit(hand: HandView, rules: Rules) -> str:
    """The knock limit of a hand; in Oklahoma with the starter, and what a spade doubles."""
    limit = limit_words(hand.knock_limit)
    if rules.knock_limit is not Limit.UPCARD:
        return limit
    starter = cardwords.card(hand.starter)
    said = _("{limit}, by the {starter}").format(limit=limit, starter=starter)
    if not hand.doubled:
        return said
    return _("{limit} · a spade: {doubling}").format(limit=said, doubling=doubling_words(rules))


def score(shown: MatchShown) -> str:
    """The score so far in one line."""
    return _("Score: {score}").format(score=score_line(shown.view, names(shown)))


def last_move(shown: MatchShown) -> str:
    """What was done last; the viewer's own card of this turn is named."""
    view = shown.view
    hand = view.hand
    if hand is None or hand.phase is Phase.EXPOSED:
        return ""
    if hand.drawn is not None and hand.taken is None and hand.to_move is view.viewer:
        return _("You drew **{card}** from the stock.").format(card=cardwords.card(hand.drawn))
    if hand.taken is not None and hand.to_move is view.viewer:
        return _("You took **{card}**, so it can't be discarded this turn.").format(
            card=cardwords.card(hand.taken)
        )
    return last_turn(hand, names(shown), view.viewer)


def knock_lines(shown: MatchShown) -> str:
    """Both hands as they lie after a knock; empty before it."""
    hand = shown.view.hand
    if hand is None or hand.knock is None:
        return ""
    by = names(shown)
    knock = hand.knock
    defender = hand.opponent(knock.seat)
    spread = cardwords.spread_of(knock.melds, knock.deadwood, knock.points)
    said = [f"{by[knock.seat]}: {spread}"]
    if hand.open_hand is not None:
        said.append(f"{by[defender]}: {cardwords.cards(hand.open_hand)}")
    return lines(*said)


def headline(shown: MatchShown) -> str:
    """How a match that is over ended, in a few words: a moderator's ruling before the result."""
    if shown.view.outcome is None:
        raise ValueError("the match is still running")
    if shown.ruling is None:
        return outcome_headline(shown.view.outcome, names(shown))
    return _("Result taken out") if shown.ruling.is_void else _("Match ended by a moderator")


def ended_early(shown: MatchShown) -> str:
    """What a moderator made of the match, or who closed or called it off without the others.

    Empty where everybody at the table ended it, or the game did.
    """
    if shown.ruling is not None:
        said = _("A moderator ended this match. It counts for nobody.")
        if shown.ruling.is_void:
            said = _("A moderator took this result out: it counts for nobody.")
        return lines(f"**{said}**", reason_line(shown.ruling.reason))
    if shown.closed_idle is not None:
        said = _("Nobody had played for two weeks, so {name} closed the match.")
        return said.format(name=names(shown)[shown.closed_idle])
    if shown.left:
        by = names(shown)
        stayed = [by[seat] for seat in shown.view.seats if seat not in shown.left]
        said = _("{names} called the match off, since {left} had left the server.")
        return said.format(names=listed(stayed), left=listed([by[seat] for seat in shown.left]))
    return ""


def reason_line(reason: str) -> str:
    """A moderator's reason as the players read it; empty for none. It is not escaped yet."""
    return _("Reason: {reason}").format(reason=escape.text(reason, REASON_MOST)) if reason else ""


def cut(shown: MatchShown) -> str:
    """The cut for the deal, until the first hand has ended."""
    view = shown.view
    if not view.cut or view.first_dealer is None or view.results:
        return ""
    by = names(shown)
    rounds = "; ".join(
        ", ".join(f"{by[seat]} {cardwords.card(card)}" for seat, card in one.cards)
        for one in view.cut
    )
    said = _("The cut: {cards}. {name} deals first.")
    return said.format(cards=rounds, name=by[view.first_dealer])


def fresh_result(shown: MatchShown, *, until_seat: Seat | None) -> str:
    """The last hand's result while the next one is young, else nothing.

    A player sees it until he has made his first move (``until_seat``), the table for the first
    two moves.
    """
    view = shown.view
    hand = view.hand
    result = view.last_result
    if result is None or hand is None or hand.result is not None:
        return ""
    if until_seat is None and len(hand.moves) > 1:
        return ""
    if any(move.seat is until_seat for move in hand.moves):
        return ""
    return ended(shown, result)


def ended(shown: MatchShown, result: HandResult) -> str:
    """How a hand ended, where Hollywood enters it, and the games that it closed."""
    view = shown.view
    by = names(shown)
    return lines(
        hand_over(result, by, view),
        _entered(shown, result),
        games_closed(view, [result], by),
    )


def _entered(shown: MatchShown, result: HandResult) -> str:
    games = shown.view.sheet.games
    if len(games) == 1 or result.winner is None:
        return ""
    entered = [
        str(place)
        for place, game in enumerate(games, 1)
        if any(entry.hand == result.number for entry in game.entries)
    ]
    said = ngettext("Entered in game {games}.", "Entered in games {games}.", len(entered))
    return said.format(games=", ".join(entered))


def voids(shown: MatchShown) -> str:
    """A word on void hands in a row, from five on."""
    count = shown.view.voids_in_a_row
    if count < VOIDS_TO_ASK:
        return ""
    said = ngettext(
        "{count} void hand in a row. You can call the match off if everybody agrees.",
        "{count} void hands in a row. You can call the match off if everybody agrees.",
        count,
    )
    return said.format(count=count)


def take_label(hand: HandView) -> str:
    """``Take 7♥``."""
    return _("Take {card}").format(
        card=cardwords.card(hand.upcard) if hand.upcard is not None else ""
    )


def draw_press(shown: MatchShown, pile: Pile, label: str) -> Press:
    """A button that draws from a pile."""
    return Press(control(shown, Verb.DRAW, pile), label, style=Style.primary)


def exposed_presses(shown: MatchShown) -> tuple[Press, ...]:
    """The two answers to an exposed knock over the limit."""
    return (
        Press(control(shown, Verb.LOOK), _("Look"), Style.primary),
        Press(control(shown, Verb.TAKE_BACK), _("Have them taken back")),
    )


def footer(shown: MatchShown) -> tuple[Press | Link | None, ...]:
    """The buttons below every private page of a running match."""
    return (
        Press(control(shown, Verb.HAND), _("Refresh")),
        Press(control(shown, Verb.SHEET), _("Score sheet")),
        help_press(shown),
        *_ways_out(shown),
        table_link(shown),
    )


def help_press(shown: MatchShown) -> Press:
    """A button to the help on the moment of the match."""
    return Press(control(shown, Verb.HELP, help_topic(shown.view)), _("Help"))


def close_press(shown: MatchShown) -> Press:
    """A button that closes a match in which nobody has played for long."""
    return Press(control(shown, Verb.CLOSE), _("Close the match"), Style.danger)


def _ways_out(shown: MatchShown) -> tuple[Press, ...]:
    """How to leave the match early, as things stand."""
    if shown.may_close:
        return (close_press(shown),)
    resign = Press(control(shown, Verb.RESIGN_MENU), _("Resign…"))
    if shown.view.voids_in_a_row >= VOIDS_TO_ASK:
        return (Press(control(shown, Verb.CANCEL_MENU), _("Ask to call it off")), resign)
    return (resign,)


def table_link(shown: MatchShown) -> Link | None:
    """A button to the table message, if there is one."""
    return Link(shown.table_url, _("Table")) if shown.table_url else None
