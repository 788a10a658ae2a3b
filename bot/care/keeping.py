"""Keeping: for how long what is kept."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Keeping:
    """Times in days."""

    unplayed: int = 30
    """Settled challenges that led to no match, with their promises and words."""
    acts: int = 365
    """What administrators did."""
    absent: int = 730
    """People who haven't played since; 0 keeps them until they go themselves."""
