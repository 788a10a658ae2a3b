"""``/gin verify``: the proof of a match's shuffles, and the file to check it elsewhere."""

from __future__ import annotations

from typing import Final

import structlog

from bot.desk.finding import any_match
from bot.desk.invite import mixed_in
from bot.front.reply import Reply
from bot.front.visit import Visit
from bot.house import House
from bot.play.dealing import contributions
from bot.play.table import Table
from bot.refusals import NoSuchMatch
from bot.ui.language import _
from bot.ui.page import UnusedPromise, VerifyShown
from bot.ui.pages import verify_page
from db.ids import PersonId, has_gone
from db.rows import LogEntry, PromiseRow, WordRow
from gin import Cut, Deal
from gin.errors import GinError
from gin.fair import hand_key, seed_of
from gin.notation import parse_event
from gin.proof import DealtHand, Proof, check

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

ABANDONED_COUNTED: Final = 1000
"""The page shows the newest few of them and says how many more there are."""


async def verify(house: House, visit: Visit, named: str | None) -> Reply:
    """Show how a match's shuffles came about, as far as it tells nothing of cards to come."""
    table = await any_match(house, visit, named, ("verify",))
    async with house.store.reading() as tx:
        promise = await tx.promises.of_match(table.id)
        if promise is None or table.row.challenge_id is None:
            raise NoSuchMatch(_("No promise was kept for that match's shuffles."))
        words = await tx.promises.words(promise.challenge_id)
        challenge = await tx.challenges.get(promise.challenge_id)
        entries = await tx.matches.log(table.id)
        abandoned = await tx.promises.abandoned(table.row.server_id, ABANDONED_COUNTED)
    if any(has_gone(person) for person in table.people):
        raise NoSuchMatch(
            _(
                "A player of that match had their data deleted, and with it what they mixed into "
                "the shuffles. Only a file that was saved before can be checked."
            )
        )
    if challenge is None:
        raise NoSuchMatch(_("No promise was kept for that match's shuffles."))
    people = (challenge.challenger, *challenge.opponents)
    proof = prove(table, promise, words, people, entries)
    try:
        findings = check(proof)
    except GinError:
        log.exception("shuffles not checked", match=table.id)
        findings = None
    shown = VerifyShown(
        match_id=table.id,
        people=await house.people.shown(table.people),
        commitment=promise.commitment,
        is_over=table.is_over,
        contributions=await mixed_in(house, challenge),
        findings=findings,
        hands=sum(isinstance(event, Deal) for event in table.match.events),
        abandoned=tuple(
            UnusedPromise(row.commitment, row.status.value, row.settled_at) for row in abandoned
        ),
        file_name=f"ginhouse-{table.id}.json",
        file=proof.dump().encode(),
    )
    return Reply(page=verify_page(shown), in_place=False)


def prove(
    table: Table,
    promise: PromiseRow,
    words: dict[PersonId, WordRow],
    people: tuple[PersonId, ...],
    entries: tuple[LogEntry, ...],
) -> Proof:
    """The record of what was dealt: with the secret once the match is over.

    While it runs: the keys of hands that have ended, and nothing of the hand in play.
    """
    mixed_in = contributions(people, words)
    seed = seed_of(promise.secret, mixed_in)
    events = [parse_event(entry.text) for entry in entries]
    decks = [event.deck for event in events if isinstance(event, Deal)]
    cuts = [event.cards for event in events if isinstance(event, Cut)]
    ended = len(table.match.results)
    return Proof(
        match=table.id,
        players=len(people),
        commitment=promise.commitment,
        secret=promise.secret if table.is_over else None,
        contributions=mixed_in,
        cut=cuts[0],
        hands=tuple(
            DealtHand(number, deck, hand_key(seed, number))
            for number, deck in enumerate(decks, start=1)
            if number <= ended
        ),
        ended=min(ended, len(decks)),
    )
