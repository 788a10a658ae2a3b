"""The table message: what everybody may see, and the controls for those who sit there."""

from __future__ import annotations

from collections.abc import Sequence

from bot.clock import TimeUp
from bot.ui import drawn
from bot.ui.clocks import threat_to_another
from bot.ui.controls import Verb
from bot.ui.language import _
from bot.ui.page import MatchShown, Page
from bot.ui.pages import facts, moments, turns
from bot.ui.pages.panel import finished
from bot.ui.parts import SUBTLE, Accent, Composer, Press, Style, against, lines
from gin.actions import Move, Phase, Pile, Seat
from gin.views import HandView


def table_page(shown: MatchShown) -> Page:
    """The table as the public sees it, at any moment of the match.

    Raise ValueError for a player's view: what stands in a channel is made from the public one.
    """
    view = shown.view
    if view.viewer is not None:
        raise ValueError("the table is shown from the public view")
    if view.outcome is not None:
        return finished(shown)
    hand = view.hand
    page = Composer(Accent.TABLE)
    page.text(f"## {against(facts.names(shown))}\n{facts.subtitle(shown)}")
    if hand is None or hand.to_move is None:
        return _between(page, shown)
    result = facts.fresh_result(shown, until_seat=None)
    if result:
        page.picture(drawn.showdown_picture(shown)).text(result).rule()
    page.picture(drawn.table_picture(shown))
    page.text(_situation(shown, hand))
    return _controls(page, shown, hand).page()


def ping_page(shown: MatchShown, seat: Seat, *, says_why: bool = False) -> Page:
    """A short message that calls a player whose direct messages are closed to his turn.

    It names him by a mention; the sender allows that one to notify. ``says_why`` tells him why he
    is called here, and what to do if he would rather not be.
    """
    page = Composer(Accent.TURN)
    page.text(
        _("<@{person}>, it's your turn. Your hand is behind the button.").format(
            person=shown.people[seat].id
        )
    )
    if says_why:
        page.text(
            SUBTLE
            + _(
                "I can't write you direct messages. If you want your hand there, allow them for "
                "this server and type `/gin hand`."
            )
        )
    return page.buttons(_my_hand(shown), facts.table_link(shown)).page()


def gone_page(shown: MatchShown, seat: Seat, called: Sequence[int] = ()) -> Page:
    """Tell the others that the player who is to act has left the server, and what they can do.

    ``called`` (Discord ids) are named by mentions; the sender allows these to notify. It stands
    until he is back, also over turns that his clock ends, so it says nothing of this turn alone.
    """
    name = facts.names(shown)[seat]
    page = Composer(Accent.WARNING)
    title = _("{name} has left the server").format(name=name)
    page.text(f"## {title}\n{facts.which_match(shown)}")
    page.text(
        lines(
            " ".join(f"<@{person}>" for person in called),
            _waits_for(shown, name),
            _("`/gin cancel` ends it without a result: whoever has left isn't asked."),
        )
    )
    return page.buttons(facts.table_link(shown)).page()


def _waits_for(shown: MatchShown, name: str) -> str:
    then = None if shown.clock is None else shown.clock.then
    if then is None or then is TimeUp.WAIT:
        return _("It is {name}'s turn, so the match waits.").format(name=name)
    waits = _("In each turn of {name} the match waits until the time is up.")
    return f"{waits} {threat_to_another(then)}".format(name=name)


def _situation(shown: MatchShown, hand: HandView) -> str:
    said = [f"**{turns.turn(shown)}**", turns.stood_in(shown), facts.last_move(shown)]
    said.append(moments.all_of(shown, hand))
    said += [facts.knock_lines(shown), facts.pile_line(hand, shown.view.rules)]
    said += [facts.score(shown), moments.hollywood(shown), moments.rotation(shown)]
    said.append(facts.voids(shown))
    if hand.number == 1 and not hand.moves:
        said.append(facts.cut(shown))
    return lines(*said)


def _controls(page: Composer, shown: MatchShown, hand: HandView) -> Composer:
    stock, take = public_piles(hand)
    passing = hand.phase in (Phase.UPCARD, Phase.FIFTIETH)
    page.buttons(
        _my_hand(shown),
        facts.draw_press(shown, Pile.STOCK, _("Draw from stock")) if stock else None,
        facts.draw_press(shown, Pile.DISCARD, facts.take_label(hand)) if take else None,
        Press(facts.control(shown, Verb.PASS), _("Pass")) if passing else None,
        *(facts.exposed_presses(shown) if hand.phase is Phase.EXPOSED else ()),
    )
    return _footer(page, shown)


def public_piles(hand: HandView) -> tuple[bool, bool]:
    """Whether the player to move may draw from the stock, and from the discard pile.

    The public's view lists no one's moves; the phase and the moves made say as much. After both
    have refused the up-card only the stock is left (rules.md, first turn).
    """
    refused = bool(hand.moves) and hand.moves[-1].move is Move.PASS
    stock = hand.phase is Phase.DRAW
    take = hand.phase in (Phase.UPCARD, Phase.FIFTIETH) or (stock and not refused)
    return stock, take and hand.upcard is not None


def _between(page: Composer, shown: MatchShown) -> Page:
    view = shown.view
    if view.last_result is not None:
        page.picture(drawn.showdown_picture(shown))
        page.text(facts.ended(shown, view.last_result))
    page.text(
        lines(
            _("The cards are being dealt."),
            facts.cut(shown),
            facts.score(shown),
            moments.hollywood(shown),
            moments.rotation(shown),
        )
    )
    page.buttons(_my_hand(shown))
    return _footer(page, shown).page()


def _my_hand(shown: MatchShown) -> Press:
    return Press(facts.control(shown, Verb.MY_HAND), _("My hand"), Style.success)


def _footer(page: Composer, shown: MatchShown) -> Composer:
    return page.buttons(
        Press(facts.control(shown, Verb.SHEET), _("Score sheet")),
        Press(facts.control(shown, Verb.RULES_PICK), _("Rules")),
        facts.help_press(shown),
    )
