"""Column types that mean the same in SQLite and PostgreSQL."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import BigInteger, Integer
from sqlalchemy.types import TypeDecorator

if TYPE_CHECKING:
    from sqlalchemy import Dialect

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

OwnId = BigInteger().with_variant(Integer(), "sqlite")
"""An id that the database hands out: 64 bits in both, SQLite numbers only its ``INTEGER`` keys."""


def microseconds(moment: datetime) -> int:
    """An aware time as it is kept: whole microseconds since 1970 UTC."""
    return (moment - _EPOCH) // _MICROSECOND


class Moment(TypeDecorator[datetime]):
    """An aware time, kept as whole microseconds since 1970 UTC.

    A naive time is refused with `ValueError`: nobody could say when it was.
    """

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:  # noqa: ARG002
        """Turn an aware time of any zone into microseconds."""
        if value is None:
            return None
        if value.utcoffset() is None:
            raise ValueError(f"a time without its zone cannot be stored: {value!r}")
        return microseconds(value)

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Turn stored microseconds into an aware time, in UTC."""
        return None if value is None else _EPOCH + value * _MICROSECOND
