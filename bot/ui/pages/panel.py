"""The private panel: a player's own hand with every control that he needs."""

from __future__ import annotations

from bot.ui import cardwords, choices, drawn
from bot.ui.controls import Verb
from bot.ui.language import _
from bot.ui.matchend import match_over
from bot.ui.page import MatchShown, Page
from bot.ui.pages import facts, moments, turns
from bot.ui.pages.knock import knock_page
from bot.ui.pages.layoff import layoff_page
from bot.ui.pages.places import no_table_words
from bot.ui.parts import SUBTLE, Accent, Composer, Option, Press, Style, lines
from bot.ui.results import hand_over
from gin.actions import Move, Phase, Pile, Seat
from gin.views import HandView, MatchView

__all__ = ["finished", "knock_page", "layoff_page", "panel_page"]


def panel_page(shown: MatchShown, note: str | None = None) -> Page:
    """The viewer's panel at any moment of the match.

    ``note`` is a remark on what he just did ("already done"), shown above the rest; markdown, so
    escape what people typed. Raise ValueError for a public view: panels are private.
    """
    view = shown.view
    if view.viewer is None:
        raise ValueError("a panel belongs to a player; the public has the table page")
    if view.outcome is not None:
        return finished(shown, note)
    hand = view.hand
    if hand is None or hand.to_move is None:
        return _between(shown, note)
    if hand.cards is None:
        return _sitting_out(shown, note)
    if hand.phase is Phase.LAYOFF and hand.to_move is view.viewer:
        return layoff_page(shown, 0, note)
    return _playing(shown, view.viewer, hand, note)


def finished(shown: MatchShown, note: str | None = None) -> Page:
    """The end of the match: result, settlement, rematch. For a player and for the table."""
    view = shown.view
    names = facts.names(shown)
    if view.outcome is None:
        raise ValueError("the match is still running")
    page = Composer(Accent.WON if view.viewer in (None, view.outcome.winner) else Accent.LOST)
    page.text(facts.headed(shown, facts.headline(shown))).note(note)
    page.text(facts.ended_early(shown))
    page.text(facts.subtitle(shown))
    if view.hand is not None and view.hand.result is not None:
        page.picture(drawn.showdown_picture(shown))
        page.text(hand_over(view.hand.result, names, view, is_last=True))
        page.rule()
    page.text(lines(turns.stood_in(shown), match_over(view, names)))
    checked = _("`/gin verify` shows how the cards were shuffled.")
    are_all_here = not any(person.has_gone for person in shown.people)
    if not are_all_here:  # a word of the shuffles went with him
        checked = _("A player's data was deleted, so the shuffles can't be checked any more.")
    page.text(SUBTLE + checked)
    return page.buttons(
        Press(facts.control(shown, Verb.REMATCH), _("Rematch"), Style.success)
        if are_all_here
        else None,
        Press(facts.control(shown, Verb.SHEET), _("Score sheet")),
        facts.help_press(shown),
        facts.table_link(shown) if view.viewer is not None else None,
    ).page()


def _playing(shown: MatchShown, viewer: Seat, hand: HandView, note: str | None) -> Page:
    mine = hand.to_move is viewer
    page = Composer(Accent.TURN if mine else Accent.TABLE)
    page.text(facts.headed(shown, _headline(shown, hand, mine))).note(note)
    page.text(turns.time_left(shown))
    page.picture(drawn.hand_picture(shown))
    page.picture(drawn.looked_picture(shown))
    if hand.cards is not None and hand.knock is None:
        page.text(cardwords.hand(hand.cards, hand.taken))
    page.text(_situation(shown, hand, mine))
    if mine:
        _acts(page, shown, hand)
    page.buttons(*facts.footer(shown))
    result = facts.fresh_result(shown, until_seat=viewer)
    if result:  # below, so that nobody takes the old cards for his own
        page.rule().text(_("### The hand before")).text(result)
        page.picture(drawn.showdown_picture(shown))
    return page.page()


def _headline(shown: MatchShown, hand: HandView, mine: bool) -> str:
    """What to do now, or who is awaited."""
    if not mine:
        name = facts.names(shown)[hand.to_move] if hand.to_move is not None else ""
        return _("Waiting for {name}").format(name=name)
    upcard = cardwords.card(hand.upcard) if hand.upcard is not None else ""
    match hand.phase:
        case Phase.UPCARD:
            said = _("Your turn: take the {upcard} or pass")
        case Phase.DRAW:
            said = _("Your turn: draw a card")
        case Phase.FIFTIETH:
            said = _("Your turn: take the {upcard} to knock, or pass")
            if hand.knock_limit == 0:
                said = _("Your turn: take the {upcard} to go gin, or pass")
            if not hand.piles:
                said = _("Your turn: you can only pass")
        case Phase.EXPOSED:
            said = _("Your turn: look at the cards, or have them taken back")
        case _discard:
            said = _discard_headline(shown.view, hand)
    return said.format(upcard=upcard)


def _discard_headline(view: MatchView, hand: HandView) -> str:
    best = choices.knocks(view)
    if hand.may_big_gin:
        return _("Your turn: you have big gin!")
    if hand.must_knock and hand.knock_limit == 0:
        return _("Your turn: you have to go gin")
    if hand.must_knock:
        return _("Your turn: you have to knock")
    if best and best[0].arrangement.deadwood == 0:
        return _("Your turn: you can go gin!")
    if best:
        return _("Your turn: discard, or knock")
    return _("Your turn: discard a card")


def _situation(shown: MatchShown, hand: HandView, mine: bool) -> str:
    """Everything about the hand that isn't in one's cards."""
    view = shown.view
    elsewhere = shown.has_table and _changes_elsewhere(hand, mine=mine)
    said = [turns.stood_in(shown)]
    said.append("" if elsewhere and hand.cards is None else facts.last_move(shown))
    said += [moments.all_of(shown, hand, mine=mine), facts.knock_lines(shown)]
    said.append(
        facts.limit_line(hand, view.rules) if elsewhere else facts.pile_line(hand, view.rules)
    )
    said += [facts.score(shown), moments.hollywood(shown)]
    if elsewhere:
        said.append(SUBTLE + _("The table shows what is played meanwhile."))
    elif not mine:
        said.append(SUBTLE + turns.awaited(shown))
    said += [moments.rotation(shown), facts.voids(shown)]
    if hand.number == 1 and not any(move.seat is view.viewer for move in hand.moves):
        said.append(SUBTLE + facts.cut(shown) if facts.cut(shown) else "")
    if not shown.has_table:
        said.append(SUBTLE + no_table_words())
    said.append(facts.subtitle(shown))
    return lines(*said)


def _changes_elsewhere(hand: HandView, *, mine: bool) -> bool:
    """Whether the table goes on while this panel stays as it is, until its owner's next turn.

    Such a panel says nothing that somebody else's draw or discard would make untrue.
    """
    return not mine and hand.phase in (Phase.UPCARD, Phase.DRAW, Phase.DISCARD, Phase.FIFTIETH)


def _acts(page: Composer, shown: MatchShown, hand: HandView) -> None:
    """The controls of one's turn."""
    page.buttons(
        facts.draw_press(shown, Pile.STOCK, _("Draw from stock"))
        if Pile.STOCK in hand.piles
        else None,
        facts.draw_press(shown, Pile.DISCARD, facts.take_label(hand))
        if Pile.DISCARD in hand.piles
        else None,
        Press(facts.control(shown, Verb.PASS), _("Pass")) if Move.PASS in hand.legal else None,
        *(facts.exposed_presses(shown) if Move.LOOK in hand.legal else ()),
    )
    if hand.phase is Phase.DISCARD:
        page.select(facts.control(shown, Verb.DISCARD), _("Discard…"), _discard_options(hand))
        page.buttons(_knock_press(shown))


def _discard_options(hand: HandView) -> list[Option]:
    options = []
    for card, points in choices.discards(hand):
        about = _("just drawn") if card == hand.drawn else ""
        options.append(Option(str(card), choices.discard_label(card, points), about))
    return options


def _knock_press(shown: MatchShown) -> Press | None:
    best = choices.knocks(shown.view)
    if not best:
        return None
    points = best[0].arrangement.deadwood
    menu = facts.control(shown, Verb.KNOCK_MENU)
    if shown.view.hand is not None and shown.view.hand.may_big_gin:
        return Press(menu, _("Big gin, or gin…"), Style.success)
    if points == 0:
        return Press(menu, _("Go gin…"), Style.success)
    return Press(menu, _("Knock with {points}…").format(points=points), Style.primary)


def _between(shown: MatchShown, note: str | None) -> Page:
    """Before the first deal and between two hands."""
    view = shown.view
    page = Composer().text(facts.headed(shown, _("The cards are being dealt"))).note(note)
    if view.last_result is not None:
        page.picture(drawn.showdown_picture(shown))
        page.text(facts.ended(shown, view.last_result))
    page.text(
        lines(
            facts.cut(shown),
            facts.score(shown),
            moments.hollywood(shown),
            moments.rotation(shown),
            facts.subtitle(shown),
        )
    )
    return page.buttons(*facts.footer(shown)).page()


def _resting(shown: MatchShown, hand: HandView) -> str:
    """A friendly word for the one who waits: who plays, and when he is back."""
    by = facts.names(shown)
    first, second = (by[seat] for seat in hand.players)
    said = _("Lean back and watch: {first} and {second} play this one.")
    if shown.view.next_out is not None:
        said = _(
            "Lean back and watch: {first} and {second} play this one, and you are back for the "
            "next."
        )
    return said.format(first=first, second=second)


def _sitting_out(shown: MatchShown, note: str | None) -> Page:
    """A rotation's third player sees what the public sees."""
    hand = shown.view.hand
    page = Composer().text(facts.headed(shown, _("You sit this hand out"))).note(note)
    if hand is not None:
        page.text(_resting(shown, hand)).text(turns.time_left(shown))
    result = facts.fresh_result(shown, until_seat=None)
    if result:
        page.picture(drawn.showdown_picture(shown)).text(result).rule()
    if hand is not None:
        if not _changes_elsewhere(hand, mine=False):
            page.picture(drawn.table_picture(shown))
        page.text(_situation(shown, hand, mine=False))
    return page.buttons(*facts.footer(shown)).page()
