"""Which bots rated play could use: their last free place is kept for it, and no challenge of others takes it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from arena.scheduling.availability import Availability
from arena.store.store import Transaction


@dataclass(frozen=True, slots=True)
class RatedPlay:
    """A running ladder, or a running tournament that yields to none."""

    seats: int
    """The fewest bots that play together in it."""
    bots: tuple[str, ...]


def rated_play(tx: Transaction) -> tuple[RatedPlay, ...]:
    """Return all rated play if a running challenge yields to it; otherwise nothing."""
    tournaments = tx.tournaments.running()
    if not any(each.yields for each in tournaments):
        return ()
    ladders = (
        RatedPlay(min(ladder.seat_counts), tuple(entry.bot for entry in tx.entries.active(ladder.id)))
        for ladder in tx.ladders.running()
    )
    return (*ladders, *(RatedPlay(each.seats, each.bots) for each in tournaments if not each.yields))


def bots_wanted(play: Iterable[RatedPlay], availability: Availability) -> frozenset[str]:
    """Return the bots that are there for it, where those are enough for a match."""
    found: set[str] = set()
    for each in play:
        there = [bot for bot in each.bots if availability.is_there(bot)]
        if len(there) >= each.seats:
            found.update(there)
    return frozenset(found)
