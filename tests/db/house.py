"""People, places and times that the tests of storage share."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from db import (
    ChannelId,
    InteractionId,
    MatchId,
    MatchStatus,
    NewChallenge,
    NewEntry,
    NewMatch,
    PersonId,
    SeatResult,
    ServerId,
    Store,
)

# Snowflakes: larger than 2^32, as real ones are.
ANN = PersonId(1_100_000_000_000_000_001)
BOB = PersonId(1_100_000_000_000_000_002)
CAT = PersonId(1_100_000_000_000_000_003)
DAN = PersonId(1_100_000_000_000_000_004)
EVE = PersonId(1_100_000_000_000_000_005)
CLUB = ServerId(1_200_000_000_000_000_001)
PUB = ServerId(1_200_000_000_000_000_002)
LOUNGE = ChannelId(1_300_000_000_000_000_001)
CELLAR = ChannelId(1_300_000_000_000_000_002)
THREAD = ChannelId(1_300_000_000_000_000_003)
NOW = datetime(2025, 3, 30, 0, 59, 59, 123456, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def a_match(
    *people: PersonId,
    server: ServerId = CLUB,
    channel: ChannelId = LOUNGE,
    at: datetime = NOW,
) -> NewMatch:
    return NewMatch(server, channel, "rules standard", people or (ANN, BOB), at)


def a_challenge(
    challenger: PersonId = ANN,
    *opponents: PersonId,
    server: ServerId = CLUB,
    expires_at: datetime = NOW + 5 * MINUTE,
) -> NewChallenge:
    return NewChallenge(
        server_id=server,
        channel_id=LOUNGE,
        challenger=challenger,
        opponents=opponents or (BOB,),
        rules="rules standard",
        created_at=NOW,
        expires_at=expires_at,
    )


def a_move(text: str, interaction: int | None = None) -> NewEntry:
    return NewEntry(text, 0, ANN, None if interaction is None else InteractionId(interaction))


def won(seat: int, person: PersonId, total: int) -> SeatResult:
    return SeatResult(seat, person, 1, 100, total, 4, 6, won=True)


def lost(seat: int, person: PersonId, total: int) -> SeatResult:
    return SeatResult(seat, person, 2, 40, total, 2, 6, won=False)


async def new_match(store: Store, *people: PersonId, server: ServerId = CLUB) -> MatchId:
    async with store.transaction() as tx:
        return await tx.matches.create(a_match(*people, server=server))


async def play_to_the_end(
    store: Store, results: Sequence[SeatResult], server: ServerId = CLUB
) -> MatchId:
    match_id = await new_match(store, *(line.person_id for line in results), server=server)
    async with store.transaction() as tx:
        await tx.matches.append(match_id, 0, [a_move("A resign")], NOW)
        await tx.matches.finish(match_id, MatchStatus.FINISHED, NOW, results)
    return match_id
