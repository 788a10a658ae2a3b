"""Times in storage are aware, exact, and the same whatever zone they came in."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone, tzinfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import StatementError

from db import Store
from db.types import Moment
from tests.db.house import CLUB, a_challenge, a_match

DIALECT = sqlite.dialect()


async def test_a_time_comes_back_in_utc_to_the_microsecond(store: Store) -> None:
    # In Kathmandu, 5:45 ahead, just after midnight of a leap day.
    local = datetime(2024, 2, 29, 0, 10, 0, 7, tzinfo=timezone(timedelta(hours=5, minutes=45)))
    async with store.transaction() as tx:
        match_id = await tx.matches.create(a_match(at=local))
        row = await tx.matches.get(match_id)
        assert row is not None
        assert row.created_at == datetime(2024, 2, 28, 18, 25, 0, 7, tzinfo=UTC)
        assert row.created_at.tzinfo is UTC


async def test_a_time_without_its_zone_is_refused_wherever_it_comes_in(store: Store) -> None:
    naive = datetime(2024, 2, 29)  # noqa: DTZ001 - that is what is refused
    async with store.transaction() as tx:
        with pytest.raises((StatementError, ValueError), match="without its zone"):
            await tx.matches.create(a_match(at=naive))
        with pytest.raises((StatementError, ValueError), match="without its zone"):
            await tx.challenges.create(a_challenge(expires_at=naive))
        with pytest.raises((StatementError, ValueError), match="without its zone"):
            await tx.challenges.expired(naive)
        with pytest.raises((StatementError, ValueError), match="without its zone"):
            await tx.servers.seen(CLUB, "The Club", naive)


def times(zones: st.SearchStrategy[tzinfo]) -> st.SearchStrategy[datetime]:
    # A time of the year 1 or 9999 may not exist in another zone.
    first, last = datetime(1900, 1, 1), datetime(2200, 1, 1)  # noqa: DTZ001 - asked for like that
    return st.datetimes(first, last, timezones=zones)


@given(times(st.timezones()))
def test_any_aware_time_survives_storage(time: datetime) -> None:
    kept = Moment().process_bind_param(time, DIALECT)
    assert isinstance(kept, int)
    assert Moment().process_result_value(kept, DIALECT) == time.astimezone(UTC)


@given(times(st.just(UTC)), times(st.just(UTC)))
def test_stored_times_sort_as_the_times_do(one: datetime, other: datetime) -> None:
    moment = Moment()
    stored = [moment.process_bind_param(time, DIALECT) for time in (one, other)]
    assert stored[0] is not None
    assert stored[1] is not None
    assert (stored[0] < stored[1]) == (one < other)
