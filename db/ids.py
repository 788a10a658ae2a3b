"""The kinds of ids that storage speaks of, so that one is never passed for another.

Discord's ids (people, servers, channels, messages, interactions) are its snowflakes; matches and
challenges are numbered by the database, never twice with the same number.
"""

from __future__ import annotations

from typing import NewType

PersonId = NewType("PersonId", int)
ServerId = NewType("ServerId", int)
ChannelId = NewType("ChannelId", int)
"""A channel, a thread or a direct-message channel."""
MessageId = NewType("MessageId", int)
InteractionId = NewType("InteractionId", int)
MatchId = NewType("MatchId", int)
ChallengeId = NewType("ChallengeId", int)


def has_gone(person: PersonId) -> bool:
    """Whether this is the number of a former player: his data was deleted, so nobody is there.

    Discord knows no such id: nothing that is sent may mention it or be addressed to it.
    """
    return person < 0
