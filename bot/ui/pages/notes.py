"""Short private pages: a sentence, a question, a choice of match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.ui import escape
from bot.ui.controls import Control, Verb
from bot.ui.language import _
from bot.ui.page import MatchShown, Page
from bot.ui.pages import facts
from bot.ui.parts import (
    Accent,
    Composer,
    Option,
    Press,
    Style,
    against,
    dotted,
    lines,
    listed,
)
from bot.ui.results import score_line
from bot.ui.terms import short_terms


def note_page(text: str, controls: Sequence[Press] = (), *, warning: bool = False) -> Page:
    """A sentence or a few (markdown: escape what people typed), with buttons to go on."""
    page = Composer(Accent.WARNING if warning else Accent.TABLE)
    return page.text(text or "…").buttons(*controls).page()


def confirm_page(question: str, yes: Press, no: Press | None = None) -> Page:
    """A question before something that can't be undone."""
    return Composer(Accent.WARNING).text(question).buttons(yes, no).page()


def resign_page(shown: MatchShown, *, typed: bool = False) -> Page:
    """Ask whether the viewer really gives the match up; offer to call it off instead.

    ``typed``: say that the command, typed again, does it.
    """
    names = facts.names(shown)
    rest = [name for seat, name in enumerate(names) if seat != shown.view.viewer]
    page = Composer(Accent.WARNING)
    page.text("## " + _("Give the match up?"))
    page.text(
        lines(
            _("{names} would win it. Points and boxes so far stand on the sheet.").format(
                names=listed(rest)
            )
            if len(rest) == 1
            else _("The match would end, with you in the last place."),
            _hand_broken_off(shown, names),
            facts.score(shown),
            _("Type `/gin resign` again, or press *Resign*, if you mean it.") if typed else "",
            _("Or call it off: if everybody agrees, it counts for nobody."),
        )
    )
    return page.buttons(
        Press(facts.control(shown, Verb.RESIGN), _("Resign"), Style.danger),
        Press(facts.control(shown, Verb.CANCEL_MENU), _("Ask to call it off")),
        Press(facts.control(shown, Verb.HAND), _("Play on"), Style.primary),
    ).page()


def _hand_broken_off(shown: MatchShown, names: tuple[str, ...]) -> str:
    """What becomes of the hand in play when somebody resigns."""
    hand = shown.view.hand
    if hand is None or hand.result is not None:
        return ""
    if hand.knock is None:
        return _("The hand in play would be broken off.")
    return _(
        "{name} has knocked, so that hand would be scored first, with the best lay-offs there are."
    ).format(name=names[hand.knock.seat])


def cancel_page(shown: MatchShown, called: int | None = None) -> Page:
    """Ask the others at the table to agree; ``shown.view.viewer`` is the one who asks.

    ``called`` (a Discord id) is named by a mention, where the question stands in a channel.
    """
    view = shown.view
    names = facts.names(shown)
    asker = names[view.viewer] if view.viewer is not None else _("Somebody")
    page = Composer(Accent.WARNING)
    title = _("{name} asks to call the match off").format(name=asker)
    page.text(f"## {title}\n{facts.which_match(shown)}")
    page.text(
        lines(
            "" if called is None else _("<@{person}>, do you agree?").format(person=called),
            _("If everybody at the table agrees, it ends without a result."),
            _("The question stands until {name}'s next move.").format(name=asker),
            facts.score(shown),
        )
    )
    return page.buttons(
        Press(facts.control(shown, Verb.CANCEL), _("Agree"), Style.danger),
        Press(facts.control(shown, Verb.PLAY_ON), _("Play on"), Style.primary),
        facts.table_link(shown),
    ).page()


def which_page(
    shown: Sequence[MatchShown],
    sentence: str,
    asked: Sequence[str] = (),
    places: Mapping[int, str] | None = None,
) -> Page:
    """Ask which of several matches is meant.

    Choosing sends ``which`` with the match's id as value and ``asked`` as the control's args.
    ``places`` says of matches, by their ids, where they are played (plain words).
    """
    page = Composer(Accent.TABLE).text(sentence)
    return page.select(
        Control(Verb.WHICH, 0, 0, tuple(asked), shown[0].generation),
        _("Choose a match…"),
        [_option(one, (places or {}).get(one.match_id, "")) for one in shown],
    ).page()


def _option(shown: MatchShown, place: str) -> Option:
    plain = facts.plain_names(shown)
    house = None if shown.house is None else escape.plain(shown.house)
    score = score_line(shown.view, plain).replace("**", "")
    about = dotted(place, score, short_terms(shown.view.rules, house))
    return Option(str(shown.match_id), against(plain), about)
