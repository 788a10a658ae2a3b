"""The knock page: what one is about to lay down and give away, before it is done."""

from __future__ import annotations

from collections.abc import Iterable

from bot.ui import cardwords, choices, drawn
from bot.ui.controls import Verb, pack_melds
from bot.ui.language import _
from bot.ui.limits import clip
from bot.ui.page import Form, MatchShown, Page
from bot.ui.pages import facts, moments, turns
from bot.ui.pages.forms import field
from bot.ui.parts import SUBTLE, Accent, Composer, Option, Press, Style, lines
from bot.ui.terms import doubling_words
from gin.arrange import Arrangement, Shed, best_arrangement
from gin.cards import Card, cards_of, mask_of
from gin.melds import EXTENSIONS, Meld
from gin.rules import IllegalKnock, Rules, Tie
from gin.views import HandView


def knock_page(shown: MatchShown, index: int = 0, note: str | None = None) -> Page:
    """Ask before knocking (faults.md, row 36): the count, the spread, what could be laid off.

    ``index`` points into ``choices.knocks(shown.view)``; one out of range is taken as 0. Raise
    ValueError when the viewer can't knock now.
    """
    options = choices.knocks(shown.view)
    hand = shown.view.hand
    if not options or hand is None or hand.cards is None:
        raise ValueError("no knock is possible in this view")
    index = index if index < len(options) else 0
    shed = options[index]
    points = shed.arrangement.deadwood
    page = Composer(Accent.TURN)
    page.text(facts.headed(shown, _asked(hand, points))).note(note).text(turns.time_left(shown))
    page.picture(drawn.knock_picture(shown, shed))
    page.text(_spread(shed, hand))
    page.text(_consequences(shown, shed, hand))
    page.select(
        facts.control(shown, Verb.KNOCK_PICK),
        _("Another way…"),
        [_option(place, way) for place, way in enumerate(options) if place != index],
    )
    return page.buttons(
        Press(facts.control(shown, Verb.BIG_GIN), _("Big gin with all eleven"), Style.success)
        if hand.may_big_gin
        else None,
        Press(
            facts.control(shown, Verb.KNOCK, index),
            _("Go gin") if points == 0 else _("Knock with {points}").format(points=points),
            Style.primary if hand.may_big_gin else Style.success,
        ),
        Press(facts.control(shown, Verb.KNOCK_TEXT), _("Arrange it myself")),
        Press(facts.control(shown, Verb.HAND), _("Back")),
    ).page()


def arranged_page(shown: MatchShown, shed: Shed, *, is_over: bool = False) -> Page:
    """Ask before knocking as arranged in the form; ``is_over`` says that it is over the limit.

    Tells of a better arrangement of the same cards, where there is one.
    """
    hand = shown.view.hand
    if hand is None or hand.cards is None:
        raise ValueError("no knock is possible in this view")
    points = shed.arrangement.deadwood
    page = Composer(Accent.WARNING if is_over else Accent.TURN)
    asked = _("Go gin?") if points == 0 else _("Knock with {points}?")
    if points and hand.knock_limit == 0:
        asked = _("Declare gin with {points} in deadwood?")
    page.text(facts.headed(shown, asked.format(points=points))).text(turns.time_left(shown))
    page.picture(drawn.knock_picture(shown, shed))
    page.text(_spread(shed, hand))
    best = best_arrangement(card for card in hand.cards if card != shed.discard)
    if best.deadwood < points:
        page.text(
            _("These cards can lie better, with {points}: {spread}").format(
                points=best.deadwood, spread=cardwords.spread(best)
            )
        )
    page.text(_over_said(shown, hand) if is_over else _consequences(shown, shed, hand))
    label = _("Go gin") if points == 0 else _("Knock with {points}").format(points=points)
    return page.buttons(
        Press(
            facts.control(
                shown,
                Verb.KNOCK_ARRANGED,
                str(shed.discard),
                pack_melds(shed.arrangement.melds),
            ),
            _("Announce it all the same") if is_over else label,
            Style.danger if is_over else Style.success,
        ),
        Press(facts.control(shown, Verb.KNOCK_TEXT), _("Arrange it anew")),
        Press(facts.control(shown, Verb.HAND), _("Back")),
    ).page()


def _asked(hand: HandView, points: int) -> str:
    """What is asked: whether this way out is meant, or the big gin that is there as well."""
    asked = _("Go gin?") if points == 0 else _("Knock with {points}?")
    if hand.may_big_gin:
        asked = _("Big gin, or gin?") if points == 0 else _("Big gin, or knock with {points}?")
    return asked.format(points=points)


def _over_said(shown: MatchShown, hand: HandView) -> str:
    """What becomes of a knock over the limit, where the house lets it be announced."""
    said = _(
        "That is over the limit of {limit}. It is announced as an illegal knock: {name} may look "
        "at your cards, then you discard, and you may not knock this turn."
    )
    if hand.knock_limit == 0:
        said = _(
            "That isn't gin. It is announced all the same: {name} may look at your cards, then you "
            "discard, and you may not go gin this turn."
        )
    if hand.last_chance:
        said += " " + _("With that discard the hand is void.")
    return said.format(
        limit=hand.knock_limit, name=facts.names(shown)[hand.opponent(shown.view.viewer)]
    )


def knock_modal(shown: MatchShown) -> Form:
    """A form for a knock of one's own: fields ``discard`` and ``melds``, the best filled in."""
    options = choices.knocks(shown.view)
    best = options[0] if options else Shed(_any_card(shown), Arrangement((), (), 0))
    hand = shown.view.hand
    only_gin = hand is not None and hand.knock_limit == 0
    form = Form(
        title=_("Go gin your own way") if only_gin else _("Knock your own way"),
        custom_id=facts.control(shown, Verb.KNOCK_TYPED).encode(),
    )
    form.add_item(
        field("discard", _("Discard"), _("One card, such as 7h"), str(best.discard).lower(), 40)
    )
    form.add_item(
        field(
            "melds",
            _("Melds"),
            _over_limit(shown.view.rules, hand)
            or _("Such as 7h 8h 9h / kc kd ks; the rest is deadwood. Empty for the best"),
            cardwords.typed_melds(best.arrangement.melds),
            400,
            required=False,
        )
    )
    return form


def _over_limit(rules: Rules, hand: HandView | None) -> str:
    """Where the house plays it so: what becomes of a knock over the limit."""
    if rules.illegal_knock is not IllegalKnock.EXPOSE or hand is None or hand.must_knock:
        return ""
    if hand.knock_limit == 0:
        return _(
            "Such as 7h 8h 9h / kc kd ks. Empty for the best. What isn't gin is announced, and may "
            "be seen"
        )
    return _(
        "Such as 7h 8h 9h / kc kd ks. Empty for the best. Over the limit it is announced, and may "
        "be seen"
    )


def fitting(
    melds: tuple[Meld, ...], known: Iterable[Card], *, strict_bridge: bool = False
) -> tuple[Card, ...]:
    """The cards that would fit melds as they are laid down, but for those that are ``known``.

    Known are those that the other player can't hold: one's own, and the discard pile. With
    ``strict_bridge`` a card next to the ends of two runs fits neither.
    """
    takes = between = runs = 0
    for meld in melds:
        takes |= EXTENSIONS[meld.mask]
        if not meld.is_set:
            between |= runs & EXTENSIONS[meld.mask]
            runs |= EXTENSIONS[meld.mask]
    if strict_bridge:
        takes &= ~between
    return cards_of(takes & ~mask_of(known))


def _any_card(shown: MatchShown) -> Card:
    hand = shown.view.hand
    if hand is None or not hand.cards:
        raise ValueError("the viewer holds no cards")
    return hand.cards[-1]


def _spread(shed: Shed, hand: HandView) -> str:
    way = shed.arrangement
    deadwood = _("Your deadwood: {sum} · limit {limit}")
    if hand.knock_limit == 0:
        deadwood = _("Your deadwood: {sum} · only gin")
    return lines(
        cardwords.spread(way),
        _("Face-down discard: **{card}**").format(card=cardwords.card(shed.discard)),
        deadwood.format(sum=cardwords.sum_of(way.loose), limit=hand.knock_limit),
    )


def _instead(hand: HandView, rules: Rules, name: str) -> str:
    """What else can be done with the hand; empty where nothing else can."""
    if hand.must_knock:
        return ""
    if hand.last_chance:
        return SUBTLE + _("You don't have to, but if you discard instead, the hand is void.")
    if moments.is_before_fiftieth(hand, rules):
        said = _(
            "You don't have to, but if you discard instead, {name} may only end the hand with that "
            "card at once, or pass, and then it is void."
        )
        return SUBTLE + said.format(name=name)
    return SUBTLE + _("You don't have to: you may also discard and play on.")


def _consequences(shown: MatchShown, shed: Shed, hand: HandView) -> str:
    """What a knock gives the other player, and what it may cost."""
    rules = shown.view.rules
    name = facts.names(shown)[hand.opponent(shown.view.viewer)]
    way = shed.arrangement
    doubled = ""
    if hand.doubled:
        doubled = _("The first up-card is a spade: {doubling}.").format(
            doubling=doubling_words(rules)
        )
    if way.deadwood == 0:
        gin = _("Nothing can be laid off on gin. You score {name}'s deadwood plus {bonus}.")
        return lines(
            _big_gin(shown, hand, name),
            gin.format(name=name, bonus=rules.gin_bonus),
            doubled,
            _instead(hand, rules, name),
        )
    known = {*(hand.cards or ()), *hand.discarded}
    fits = fitting(way.melds, known, strict_bridge=rules.strict_bridge)
    if fits:
        gives = _("{name} may lay off loose cards on your melds. These would fit: {cards}.")
    else:
        gives = _("{name} may lay off on your melds, but can hold no card that fits them.")
    risk = _(
        "If that leaves {name} with {points} or less, you are undercut: {name} scores the "
        "difference plus {bonus}."
    )
    if rules.tie is Tie.DRAW:
        risk = _(
            "If that leaves {name} with less than {points}, you are undercut: {name} scores the "
            "difference plus {bonus}. With {points}, the hand is void."
        )
    if rules.tie is Tie.NO_BONUS:
        risk = _(
            "If that leaves {name} with less than {points}, you are undercut: {name} scores the "
            "difference plus {bonus}. With {points}, {name} wins the hand with no points."
        )
    return lines(
        gives.format(name=name, cards=cardwords.cards(fits)),
        risk.format(name=name, points=way.deadwood, bonus=rules.undercut_bonus),
        doubled,
        _instead(hand, rules, name) if hand.last_chance else "",
    )


def _big_gin(shown: MatchShown, hand: HandView, name: str) -> str:
    """What big gin scores, where all eleven cards are melded."""
    if not hand.may_big_gin:
        return ""
    said = _("All eleven cards are melded. **Big gin** scores {name}'s deadwood plus {bonus}.")
    return said.format(name=name, bonus=shown.view.rules.big_gin)


def _option(place: int, shed: Shed) -> Option:
    points = shed.arrangement.deadwood
    label = (
        _("Gin, discard {card}") if points == 0 else _("Knock with {points}, discard {card}")
    ).format(points=points, card=cardwords.card(shed.discard))
    return Option(str(place), label, clip(cardwords.spread(shed.arrangement), 100))
