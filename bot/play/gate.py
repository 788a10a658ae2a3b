"""The gate: whether these people may sit down together here, before anything is written.

Blocks of the server and of people, limits, and the channels that the server wants tables in. A
sentence never says who has blocked whom: only the person's own blocks are named to him.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from bot.play import patience
from bot.refusals import ChallengeRefused
from bot.ui.escape import name as escaped
from bot.ui.language import _, ngettext
from bot.ui.times import until
from db.ids import ChannelId, PersonId, ServerId, has_gone
from db.rows import Limits
from db.store import Transaction


@dataclass(frozen=True, slots=True)
class Seating:
    """Who wants to sit down with whom."""

    server: ServerId
    you: PersonId
    """Who asks now, and is told why not."""
    others: tuple[PersonId, ...]
    names: Mapping[PersonId, str]
    """Not escaped."""
    accepts: bool = False
    """Whether you were asked, and can't pick somebody else."""

    def name(self, person: PersonId) -> str:
        """A person's name for a sentence."""
        return escaped(self.names.get(person, ""))


async def may_sit(tx: Transaction, seating: Seating) -> None:
    """Raise :class:`ChallengeRefused` where a block or a limit of matches is in the way.

    A former player can't sit down: nobody is there whom an invitation could reach.
    """
    await _blocks(tx, seating)
    allowed = await tx.admin.limits(seating.server)
    for person in (seating.you, *seating.others):
        running = len(await tx.matches.running_of(person, seating.server))
        # A match whose channel was deleted keeps nobody from beginning another.
        if running - await tx.lost_places.parked(person, seating.server) >= allowed.matches:
            raise ChallengeRefused(_busy(seating, person, allowed))


async def may_challenge(
    tx: Transaction, seating: Seating, now: datetime, place: tuple[ChannelId, ...] = ()
) -> None:
    """The same for a challenge: also the limit of open ones, pauses, and the channels for tables.

    ``place`` is the channel of the table, and its parent for a thread; nothing where that is
    settled already.
    """
    wanted = await tx.admin.channels(seating.server) if place else ()
    if wanted and not set(place) & set(wanted):
        raise ChallengeRefused(
            _("This server wants its tables elsewhere. Challenge in {places}.").format(
                places=", ".join(f"<#{channel}>" for channel in wanted)
            )
        )
    await may_sit(tx, seating)
    allowed = await tx.admin.limits(seating.server)
    mine = [
        row
        for row in await tx.challenges.open_of(seating.you)
        if row.challenger == seating.you
        and row.server_id == seating.server
        and row.expires_at > now
    ]
    if len(mine) >= allowed.challenges:
        raise ChallengeRefused(
            ngettext(
                "You have {count} open challenge here, as many as this server allows. Wait for "
                "the answer, or take it back with `/gin respond withdraw`.",
                "You have {count} open challenges here, as many as this server allows. Wait for "
                "an answer, or take one back with `/gin respond withdraw`.",
                len(mine),
            ).format(count=len(mine))
        )
    for other in seating.others:
        between = await tx.challenges.between(seating.you, other, since=now - patience.LONGEST)
        rest = patience.rests_until(between, seating.you, other, now)
        if rest is not None:
            raise ChallengeRefused(
                _(
                    "You have asked {name} a few times lately, and no match came of it. You can "
                    "ask again {until}. Meanwhile {name} can challenge you, and you anybody else."
                ).format(name=seating.name(other), until=until(rest))
            )


async def _blocks(tx: Transaction, seating: Seating) -> None:
    you = seating.you
    if any(has_gone(person) for person in (you, *seating.others)):
        raise ChallengeRefused(
            _(
                "A player of that match has had their data deleted, so it can't be played again. "
                "`/gin challenge` asks somebody else."
            )
        )
    kept_out = set(await tx.admin.blocked(seating.server))
    if you in kept_out:
        raise ChallengeRefused(
            _("You can't play on this server at present. Its moderators can tell you more.")
        )
    between = set(await tx.wishes.among((you, *seating.others)))
    for other in seating.others:
        if (you, other) in between:
            raise ChallengeRefused(
                _(
                    "You have {name} on your list of people not to play with. `/gin settings` "
                    "takes them off it."
                ).format(name=seating.name(other))
            )
        if other in kept_out or (other, you) in between:
            said = _("{name} can't be challenged here just now. Pick somebody else.")
            if seating.accepts:
                said = _(
                    "{name} can't sit down here just now. *Decline* clears the challenge away."
                )
            raise ChallengeRefused(said.format(name=seating.name(other)))
    if between:
        said = _("These people can't be seated at one table just now. Pick others.")
        if seating.accepts:
            said = _(
                "These people can't be seated at one table just now. *Decline* clears the "
                "challenge away."
            )
        raise ChallengeRefused(said)


def _busy(seating: Seating, person: PersonId, allowed: Limits) -> str:
    if person == seating.you:
        return ngettext(
            "You play {count} match here, as many as this server allows. Finish it first: "
            "`/gin status`.",
            "You play {count} matches here, as many as this server allows. Finish one first: "
            "`/gin status`.",
            allowed.matches,
        ).format(count=allowed.matches)
    said = _("{name} plays as many matches as this server allows. Pick somebody else.")
    if seating.accepts:
        said = _("{name} plays as many matches as this server allows. Accept when one has ended.")
    return said.format(name=seating.name(person))
