"""Challenges: made, answered once, expired; an accepted one becomes a match in one transaction."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

import structlog

from bot.clock import Clock, MalformedClock
from bot.mail.people import People
from bot.now import Now
from bot.play import deed, gate
from bot.play.dealing import new_secret
from bot.play.patience import SHOWN_WITHIN
from bot.play.table import Table
from bot.play.tables import NewTable, Tables
from bot.refusals import ChallengeRefused
from bot.ui.escape import name as escaped
from bot.ui.language import _
from bot.ui.page import ChallengeShown
from db.ids import ChallengeId, ChannelId, MatchId, PersonId, ServerId
from db.rows import ChallengeRow, ChallengeStatus, NewChallenge, WordRow
from db.store import Store, Transaction
from gin.errors import MalformedRules
from gin.rules import Rules

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

OPEN_FOR: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Invitation:
    """What a challenger proposes."""

    server: ServerId
    channel: ChannelId
    challenger: PersonId
    opponents: tuple[PersonId, ...]
    rules: Rules
    word: WordRow
    """What the challenger mixes into the shuffles, unless he types a word of his own later."""
    house: str | None = None
    """The name of the house set whose rules these are."""
    clock: Clock | None = None
    rematch_of: MatchId | None = None
    parent: ChannelId | None = None
    """The channel to which the thread belongs in which this is."""
    place_is_settled: bool = False
    """Whether the table goes where one stood before, so that no list of channels is asked."""


Joins = Callable[[Transaction], Awaitable[None]]
"""What is written of whoever accepts, together with that."""


class Challenges:
    """Every open invitation, and what becomes of it."""

    def __init__(self, store: Store, tables: Tables, people: People, now: Now) -> None:
        self._store = store
        self._now = now
        self._tables = tables
        self._people = people
        self.changed = asyncio.Event()
        """Set when another challenge is to be watched."""

    async def propose(self, invitation: Invitation) -> ChallengeRow:
        """Write a challenge; raise :class:`ChallengeRefused` when one stands between the two.

        With it goes a promise: a fresh secret whose SHA-256 the challenge shows, so that the
        house can't choose the shuffles once it knows the players' words.
        """
        secret, commitment = new_secret()
        now = self._now()
        async with self._store.transaction() as tx:
            await self._check(tx, invitation, {}, now)
            for opponent in invitation.opponents:
                for other in await tx.challenges.open_between(
                    invitation.challenger, opponent, invitation.server
                ):
                    if other.expires_at > now and not await self._lost(tx, other, now):
                        raise ChallengeRefused(_open_already(other, invitation.challenger))
            challenge = await tx.challenges.create(
                NewChallenge(
                    server_id=invitation.server,
                    channel_id=invitation.channel,
                    challenger=invitation.challenger,
                    opponents=invitation.opponents,
                    rules=invitation.rules.dump(),
                    created_at=now,
                    expires_at=now + OPEN_FOR,
                    rematch_of=invitation.rematch_of,
                    house=invitation.house,
                    clock=None if invitation.clock is None else invitation.clock.dump(),
                    parent_id=invitation.parent,
                )
            )
            tx.then.append(partial(deed.challenge_changed, challenge))
            await tx.promises.make(challenge, secret, commitment)
            await tx.promises.put_word(challenge, invitation.word)
            row = await tx.challenges.get(challenge)
        if row is None:
            raise ChallengeRefused(_("The challenge could not be written. Please try again."))
        self.changed.set()
        log.info("challenge", challenge=challenge)
        return row

    @staticmethod
    async def _lost(tx: Transaction, row: ChallengeRow, now: datetime) -> bool:
        """Withdraw a challenge that nobody has seen: it keeps no pair from challenging anew."""
        if row.message_id is not None or now - row.created_at < SHOWN_WITHIN:
            return False
        return await tx.challenges.settle(row.id, ChallengeStatus.WITHDRAWN, now)

    async def check(self, invitation: Invitation, names: Mapping[PersonId, str]) -> None:
        """Raise :class:`ChallengeRefused` where no such challenge may be made."""
        async with self._store.reading() as tx:
            await self._check(tx, invitation, names, self._now())

    async def _check(
        self, tx: Transaction, new: Invitation, names: Mapping[PersonId, str], now: datetime
    ) -> None:
        place = (new.channel, *([] if new.parent is None else [new.parent]))
        seating = await self._seating(tx, new.server, new.challenger, new.opponents, names)
        await gate.may_challenge(tx, seating, now, () if new.place_is_settled else place)

    @staticmethod
    async def _seating(
        tx: Transaction,
        server: ServerId,
        you: PersonId,
        others: Iterable[PersonId],
        names: Mapping[PersonId, str],
    ) -> gate.Seating:
        rest = tuple(person for person in others if person != you)
        known = {} if names else await tx.people.get_many(rest)
        told = names or {person: row.name for person, row in known.items()}
        return gate.Seating(server, you, rest, told)

    async def get(self, challenge: ChallengeId) -> ChallengeRow:
        """The challenge; raise :class:`ChallengeRefused` for an unknown one."""
        async with self._store.reading() as tx:
            row = await tx.challenges.get(challenge)
        if row is None:
            raise ChallengeRefused(_("That challenge doesn't exist any more."))
        return row

    async def accept(
        self, challenge: ChallengeId, word: WordRow, joins: Joins | None = None
    ) -> Table | None:
        """Accept, mixing a word in; the last to accept opens the match.

        The match is opened and the challenge settled in one transaction. None while somebody
        else has still to accept.
        """
        row = await self.get(challenge)
        person = word.person_id
        if person == row.challenger:
            raise ChallengeRefused(
                _("It's your own challenge: the other one accepts. *Withdraw* takes it back.")
            )
        if person not in row.opponents:
            raise ChallengeRefused(_("This challenge is for somebody else."))
        await self._need_unsettled(row)
        now = self._now()
        async with self._store.transaction() as tx:
            row = await self._open_row(tx, row, now)
            if person in row.accepted:
                raise ChallengeRefused(_("You have accepted already; the others are asked too."))
            people = (row.challenger, *row.opponents)
            seating = await self._seating(tx, row.server_id, person, people, {})
            await gate.may_sit(tx, replace(seating, accepts=True))
            await self._put_word(tx, row.id, word)
            if joins is not None:
                await joins(tx)
            tx.then.append(partial(deed.challenge_changed, challenge))
            if await tx.challenges.accept_seat(challenge, person) < len(row.opponents):
                return None
            table = await self._tables.open(
                tx,
                NewTable(
                    server=row.server_id,
                    channel=row.parent_id or row.channel_id,
                    thread=None if row.parent_id is None else row.channel_id,
                    people=(row.challenger, *row.opponents),
                    rules=_rules_of(row),
                    challenge=row.id,
                    rematch_of=row.rematch_of,
                    house=row.house,
                    clock=_clock_of(row),
                ),
            )
            if not await tx.challenges.settle(
                challenge, ChallengeStatus.ACCEPTED, now, match_id=table.id
            ):
                raise ChallengeRefused(settled_already(ChallengeStatus.ACCEPTED))
        log.info("accepted", challenge=challenge, match=table.id)
        return table

    async def add_word(self, challenge: ChallengeId, word: WordRow) -> ChallengeRow:
        """Let a player of an open challenge put a word of his own in place of the default."""
        row = await self.get(challenge)
        if word.person_id not in (row.challenger, *row.opponents):
            raise ChallengeRefused(
                _("Only the players of this challenge add words to its shuffles.")
            )
        await self._need_unsettled(row)
        async with self._store.transaction() as tx:
            row = await self._open_row(tx, row, self._now())
            tx.then.append(partial(deed.challenge_changed, challenge))
            await self._put_word(tx, row.id, word)
        return row

    async def _need_unsettled(self, row: ChallengeRow) -> None:
        """Raise :class:`ChallengeRefused`, with who declined, for a challenge that was settled."""
        if row.status is not ChallengeStatus.OPEN:
            raise ChallengeRefused(await self.became(row))

    @staticmethod
    async def _open_row(tx: Transaction, row: ChallengeRow, now: datetime) -> ChallengeRow:
        row = await tx.challenges.get(row.id) or row
        if row.status is not ChallengeStatus.OPEN:
            raise ChallengeRefused(settled_already(row.status))
        if row.expires_at <= now:
            raise ChallengeRefused(settled_already(ChallengeStatus.EXPIRED))
        return row

    @staticmethod
    async def _put_word(tx: Transaction, challenge: ChallengeId, word: WordRow) -> None:
        """A default never takes the place of a word that was typed."""
        known = (await tx.promises.words(challenge)).get(word.person_id)
        if word.is_own or known is None or not known.is_own:
            await tx.promises.put_word(challenge, word)

    async def decline(self, challenge: ChallengeId, person: PersonId) -> ChallengeRow:
        """Decline a challenge to this person."""
        row = await self.get(challenge)
        if person not in row.opponents:
            raise ChallengeRefused(
                _("It's your own challenge: use *Withdraw* to take it back.")
                if person == row.challenger
                else _("This challenge is for somebody else.")
            )
        return await self.settle(row, ChallengeStatus.DECLINED, declined_by=person)

    async def withdraw(self, challenge: ChallengeId, person: PersonId) -> ChallengeRow:
        """Take back one's own challenge."""
        row = await self.get(challenge)
        if person != row.challenger:
            raise ChallengeRefused(
                _("You are the one challenged: use *Decline* if you'd rather not play.")
                if person in row.opponents
                else _("This challenge is for somebody else.")
            )
        return await self.settle(row, ChallengeStatus.WITHDRAWN)

    async def settle(
        self, row: ChallengeRow, status: ChallengeStatus, declined_by: PersonId | None = None
    ) -> ChallengeRow:
        """Settle an open challenge; raise :class:`ChallengeRefused` for one that was settled."""
        async with self._store.transaction() as tx:
            tx.then.append(partial(deed.challenge_changed, row.id))
            settled = await tx.challenges.settle(
                row.id, status, self._now(), declined_by=declined_by
            )
            now = await tx.challenges.get(row.id) or row
        if not settled:
            raise ChallengeRefused(await self.became(now))
        log.info("settled", challenge=row.id, status=status.value)
        return now

    async def became(self, row: ChallengeRow) -> str:
        """What became of a challenge, in a sentence; of three people, who of them declined."""
        if row.declined_by is None or len(row.opponents) == 1:
            return settled_already(row.status)
        (who,) = await self._people.shown((row.declined_by,))
        return _("{name} declined this challenge.").format(name=escaped(who.name))

    async def shown(self, row: ChallengeRow) -> ChallengeShown:
        """The challenge as pages show it."""
        challenger, *opponents = await self._people.shown((row.challenger, *row.opponents))
        async with self._store.reading() as tx:
            promise = await tx.promises.get(row.id)
            words = await tx.promises.words(row.id)
        return ChallengeShown(
            challenge_id=row.id,
            challenger=challenger,
            opponents=tuple(opponents),
            rules=_rules_of(row),
            expires_at=row.expires_at,
            accepted=tuple(row.accepted),
            commitment="" if promise is None else promise.commitment,
            words=tuple(person for person, word in words.items() if word.is_own),
            house=row.house,
            clock=_clock_of(row),
            note=_("A rematch.") if row.rematch_of is not None else None,
        )

    async def expire_due(self) -> AsyncIterator[ChallengeRow]:
        """Settle every challenge that has passed its time; give each as it is then, at once."""
        now = self._now()
        async with self._store.reading() as tx:
            due = await tx.challenges.expired(now)
        for row in due:
            async with self._store.transaction() as tx:
                settled = await tx.challenges.settle(row.id, ChallengeStatus.EXPIRED, now)
                newest = await tx.challenges.get(row.id) or row
            if settled:
                log.info("expired", challenge=row.id)
                yield newest


def _clock_of(row: ChallengeRow) -> Clock | None:
    """The clock of a challenge; one of another version is refused, never guessed at."""
    try:
        return None if row.clock is None else Clock.parse(row.clock)
    except MalformedClock as error:
        raise _unreadable(row, error) from error


def _rules_of(row: ChallengeRow) -> Rules:
    """The rules of a challenge, likewise."""
    try:
        return Rules.parse(row.rules)
    except MalformedRules as error:
        raise _unreadable(row, error) from error


def _unreadable(row: ChallengeRow, error: Exception) -> ChallengeRefused:
    log.error("challenge not readable", challenge=row.id, error=repr(error))
    return ChallengeRefused(
        _("This challenge was made by another version of this program. Please challenge anew.")
    )


def _open_already(row: ChallengeRow, person: PersonId) -> str:
    """What somebody can do about a challenge that stands in the way of his own."""
    if row.challenger == person:
        return _(
            "Your challenge is still open. Wait for the answer, or take it back with "
            "`/gin respond withdraw`."
        )
    return _(
        "You are challenged already. Answer that first: `/gin respond accept` or "
        "`/gin respond decline`."
    )


def settled_already(status: ChallengeStatus) -> str:
    """What became of a challenge, in a sentence."""
    match status:
        case ChallengeStatus.ACCEPTED:
            return _("This challenge was accepted: the match is on.")
        case ChallengeStatus.DECLINED:
            return _("This challenge was declined.")
        case ChallengeStatus.WITHDRAWN:
            return _("This challenge was withdrawn.")
        case ChallengeStatus.EXPIRED:
            return _("This challenge has expired. Make a new one with `/gin challenge`.")
        case ChallengeStatus.OPEN:
            return _("This challenge is still open.")
