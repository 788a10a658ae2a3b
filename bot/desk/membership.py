"""Membership: who of some people is still on a server, learnt when it matters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bot.house import House
from bot.refusals import ChallengeRefused
from bot.ui.escape import name as escaped
from bot.ui.language import _
from bot.ui.parts import listed
from db.ids import PersonId, ServerId


async def still_here(house: House, server: ServerId, people: Iterable[PersonId]) -> list[PersonId]:
    """Those who are on the server; also those of whom Discord doesn't say it just now."""
    return [person for person in people if not await house.people.has_left(server, person)]


async def need_members(house: House, server: ServerId, names: Mapping[PersonId, str]) -> None:
    """Raise :class:`ChallengeRefused` where one of these people isn't there to answer.

    ``names`` are by person, not escaped.
    """
    here = await still_here(house, server, names)
    left = [escaped(name) for person, name in names.items() if person not in here]
    if left:
        raise ChallengeRefused(
            _(
                "{names}: not on this server, so nobody could answer there. `/gin challenge` asks "
                "somebody else."
            ).format(names=listed(left))
        )
