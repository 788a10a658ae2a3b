"""Matches to show: positions from notation, random matches, awkward names; and looking at pages."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

import discord

from bot.ui import choices
from bot.ui.page import MatchShown, Page, PersonShown
from gin import (
    DECK,
    BigGin,
    Cut,
    Deal,
    Discard,
    Knock,
    LayOff,
    Match,
    Play,
    Rules,
    Seat,
    deadwood,
    mask_of,
    view,
)
from gin.actions import Action
from gin.cut import cut_from
from gin.events import Needs
from gin.rules import IllegalKnock
from tests.gin import table

URL = "https://discord.com/channels/1/2/3"
LATER = datetime(2026, 9, 1, 12, 0, tzinfo=UTC)
ANN, BOB, CAT = PersonShown(101, "Ann"), PersonShown(102, "Bob"), PersonShown(103, "Cat")

AWKWARD_NAMES = {
    "everyone": "@everyone" * 4,
    "markdown": "**_~~||`# > - [x](http://e.vil)`||~~_**"[:32],
    "backticks": "```" * 10 + "``",
    "right to left": "\u202egnp.exe\u202d\u2066abc\u2069",
    "zalgo": "Z" + "\u0336\u0488\u0301\u0302\u0303" * 6,
    "emoji": "👨‍👩‍👧‍👦🏳️‍🌈🇩🇪👍🏽🎲🃏🤹🏿‍♀️",
    "empty": "\u3164\u200b\u2800",
    "wide": "漢字" * 16,
    "arabic": "محمد " * 6,
    "mention": "<@123456789012345678><#1></a:1>",
    "all escapes": "*" * 32,
}
"""Names as people choose them, at most 32 characters as Discord has them."""


def shown(
    match: Match,
    seat: Seat | None = None,
    *,
    version: int = 7,
    match_id: int = 17,
    people: tuple[PersonShown, ...] = (ANN, BOB, CAT),
    deadline: datetime | None = None,
) -> MatchShown:
    """The match as a seat, or the public, is shown it."""
    sitting = people[: match.rules.players]
    return MatchShown(match_id, version, view(match, seat), sitting, URL, deadline)


def named(name: str) -> tuple[PersonShown, ...]:
    """Three people of this name."""
    return tuple(PersonShown(101 + place, name) for place in range(3))


def knocked() -> Match:
    """A (the non-dealer) has knocked with 5 on the plain position; B is to lay off."""
    return table.play(may_knock(), f"A knock KD {table.SPREAD}")


def may_knock() -> Match:
    """A has drawn the king of diamonds and may knock with five points."""
    deal = table.stacked(table.KNOCKER, table.DEFENDER, "TS", "KD")
    return table.play(table.started().after(deal), "A pass", "B pass", "A draw stock")


def may_gin() -> Match:
    """A has drawn the seven of hearts: 4567 of hearts, nines, JQK of clubs and the king: gin."""
    hand = "4H 5H 6H 9S 9D 9C JC QC KC KD"
    deal = table.stacked(hand, table.DEFENDER.replace("7H", "QH"), "TS", "7H")
    return table.play(table.started().after(deal), "A pass", "B pass", "A draw stock")


def has_eleven() -> Match:
    """A holds eleven cards far from any knock; he took the ten of spades."""
    return table.play(
        table.started().after(table.stacked(table.ODD, table.DEFENDER, "TS")), "A draw discard"
    )


@dataclass(frozen=True, slots=True)
class Step:
    """One moment of a random match."""

    match: Match
    version: int


def random_match(seed: int, rules: Rules | None = None, most_hands: int = 1000) -> Iterator[Step]:
    """Every moment of a match between players who lower their deadwood and knock when they may."""
    chance = random.Random(seed)
    match = Match.start(rules or Rules())
    for version in range(1, 5000):
        yield Step(match, version)
        if match.outcome is not None or len(match.results) >= most_hands:
            return
        deck = list(DECK)
        chance.shuffle(deck)
        if match.needs is Needs.CUT:
            match = match.after(Cut(cut_from(deck, match.rules.players)))
        elif match.needs is Needs.DEAL:
            match = match.after(Deal(tuple(deck)))
        else:
            assert match.to_move is not None
            match = match.after(Play(match.to_move, _choose(match, match.to_move, chance)))


def _choose(match: Match, seat: Seat, chance: random.Random) -> Action:
    acts = match.legal_actions()
    if match.rules.illegal_knock is IllegalKnock.EXPOSE and chance.random() < 0.1:
        tried = _over_limit(match, seat)
        if tried is not None:
            return tried
    ends = [act for act in acts if isinstance(act, Knock | BigGin)]
    if ends and chance.random() < 0.7:
        return ends[0]
    seen = view(match, seat)
    if any(isinstance(act, LayOff) for act in acts):
        plan = choices.layoffs(seen)[0]
        return LayOff(plan.melds, plan.cards)
    drops = [act for act in acts if isinstance(act, Discard)]
    if drops and seen.hand is not None and seen.hand.cards is not None:
        held = mask_of(seen.hand.cards)
        return min(drops, key=lambda act: deadwood(held ^ 1 << act.card))
    return chance.choice(acts)


def _over_limit(match: Match, seat: Seat) -> Knock | None:
    """A knock without a meld, where it would be announced as over the limit."""
    held = view(match, seat).hand
    if held is None or not held.discards:
        return None
    knock = Knock(held.discards[0], ())
    return knock if match.can(Play(seat, knock)) else None


# ------------------------------------------------------------------------- looking at a page


def items(page: Page) -> list[discord.ui.Item[discord.ui.LayoutView]]:
    return list(page.layout.walk_children())


def text(page: Page) -> str:
    """All that is read on a page: text displays, one after another.

    To the eye a no-break space is a space.
    """
    return "\n".join(
        item.content for item in items(page) if isinstance(item, discord.ui.TextDisplay)
    ).replace("\u00a0", " ")


def buttons(page: Page) -> dict[str, str]:
    """Labels of the buttons that can be pressed, with their custom ids."""
    return {
        item.label or "": item.custom_id
        for item in items(page)
        if isinstance(item, discord.ui.Button) and item.custom_id and not item.disabled
    }


def selects(page: Page) -> dict[str, list[discord.SelectOption]]:
    """Custom ids of the selects, with their options."""
    return {
        item.custom_id: item.options for item in items(page) if isinstance(item, discord.ui.Select)
    }


def everything(page: Page) -> str:
    """Every character of a page that leaves the house: texts, labels, ids, values, alt texts."""
    parts = [repr(page.layout.to_components())]
    parts += [f"{picture.name} {picture.alt}" for picture in page.pictures]
    return "\n".join(parts)


PageMaker = Callable[[MatchShown], Page]
