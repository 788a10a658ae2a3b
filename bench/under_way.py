"""A database full of matches that are under way, each at another point."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random

from db.ids import ChannelId, PersonId, ServerId
from db.rows import NewEntry, NewMatch
from db.store import Store
from gin import (
    DECK,
    Card,
    Cut,
    Deal,
    Discard,
    Draw,
    Knock,
    LayOff,
    Match,
    Needs,
    Pass,
    Phase,
    Pile,
    Play,
    Rules,
    best_arrangement,
    best_layoff,
    best_sheds,
    knock_options,
    view,
)
from gin.actions import Action
from gin.cut import cut_from
from gin.events import Event
from gin.notation import dump_event
from playground.acting.people import Person
from playground.state.model import Channel

RULES = Rules()


@dataclass(frozen=True, slots=True)
class Seated:
    """Two people at a table, and where it stands."""

    channel: Channel
    people: tuple[Person, Person]


async def write(url: str, tables: Sequence[Seated], random: Random, most: int) -> None:
    """Write a match for every table, with up to ``most`` acts done; all is known of its people."""
    store = await Store.open(url)
    now = datetime.now(UTC)
    async with store.transaction() as tx:
        for seated in tables:
            assert seated.channel.guild is not None
            people = tuple(PersonId(person.id) for person in seated.people)
            for person, seat in zip(seated.people, people, strict=True):
                await tx.people.seen(seat, person.name, now)
                await tx.people.set_dm(seat, ChannelId(person.dm().id), closed=False)
            match = await tx.matches.create(
                NewMatch(
                    server_id=ServerId(seated.channel.guild.id),
                    channel_id=ChannelId(seated.channel.id),
                    rules=RULES.dump(),
                    people=people,
                    created_at=now,
                )
            )
            entries = [
                NewEntry(dump_event(event), *by_whom(event, people))
                for event in _played(random, random.randrange(most))
            ]
            await tx.matches.append(match, 0, entries, now)
    await store.close()


def by_whom(event: Event, people: tuple[PersonId, ...]) -> tuple[int | None, PersonId | None]:
    """The seat and the person that made an event; nobody for a cut and a deal."""
    return (event.seat, people[event.seat]) if isinstance(event, Play) else (None, None)


def _played(random: Random, acts: int) -> list[Event]:
    """The first events of a match: so many acts, and never the last one."""
    events: list[Event] = []
    for event in whole_match(random):
        if isinstance(event, Play):
            acts -= 1
        if acts < 0:
            return events
        events.append(event)
    return events[:-1]


def whole_match(random: Random, *, attentive: bool = False) -> Iterator[Event]:
    """The events of a match from the cut to its end.

    Attentive players look at the discard pile before they draw, which makes shorter matches.
    """
    match = Match.start(RULES)
    while match.outcome is None:
        event: Event
        deck = tuple(random.sample(DECK, len(DECK)))
        if match.needs is Needs.CUT:
            event = Cut(cut_from(deck, 2))
        elif match.needs is Needs.DEAL:
            event = Deal(deck)
        else:
            assert match.to_move is not None
            event = Play(match.to_move, _next_act(match, attentive=attentive))
        match = match.after(event)
        yield event


def _next_act(match: Match, *, attentive: bool) -> Action:
    """What the scripted players of `bench.playing` would do."""
    hand = view(match, match.to_move).hand
    assert hand is not None
    assert hand.cards is not None
    match hand.phase:
        case Phase.UPCARD | Phase.DRAW if attentive and _helps(hand.cards, hand.upcard):
            return Draw(Pile.DISCARD)
        case Phase.UPCARD | Phase.FIFTIETH:
            return Pass()
        case Phase.DRAW:
            return Draw(Pile.STOCK)
        case Phase.LAYOFF:
            assert hand.knock is not None
            plan = best_layoff(hand.knock.melds, hand.cards)
            return LayOff(plan.melds, plan.cards)
        case _discard:
            knocks = knock_options(hand.cards, hand.knock_limit, hand.taken)
            if knocks:
                return Knock(knocks[0].discard, knocks[0].arrangement.melds)
            return Discard(best_sheds(hand.cards, hand.taken)[0].discard)


def _helps(cards: Sequence[Card], upcard: Card | None) -> bool:
    """Whether a hand has less deadwood with this card."""
    if upcard is None:
        return False
    return (
        best_sheds((*cards, upcard), upcard)[0].arrangement.deadwood
        < best_arrangement(cards).deadwood
    )
