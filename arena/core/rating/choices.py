"""A history of matches as the choices it consists of: who is placed next, among those not placed yet.

A match of n seats is at most n - 1 choices; a tie is a choice of several seats at once. Equal matches are counted,
not repeated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.core.finished_match import FinishedMatch

Ints = NDArray[np.int64]
Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class ModelLayout:
    """Where each unknown of the model stands: players, then the seats of each seat count, then the sizes of ties."""

    players: tuple[str, ...]
    """By name."""
    seat_counts: tuple[int, ...]
    """Ascending."""
    tie_sizes: tuple[int, ...]
    """How many seats shared a placing, where that has happened; ascending."""

    @property
    def size(self) -> int:
        """How many unknowns there are."""
        return len(self.players) + sum(self.seat_counts) + len(self.tie_sizes)

    @property
    def ties(self) -> slice:
        """One for each of `tie_sizes`."""
        return slice(self.size - len(self.tie_sizes), self.size)

    def seats(self, count: int) -> slice:
        """Return one for each seat of the matches with so many seats."""
        start = len(self.players) + sum(each for each in self.seat_counts if each < count)
        return slice(start, start + count)


@dataclass(frozen=True, slots=True, eq=False)
class ChoiceBatch:
    """Choices of one shape, one a row: of the seats that are left, those in the first columns are placed next."""

    players: Ints
    """rows x left: the unknown of each player."""
    seats: Ints
    """rows x left: the unknown of each seat."""
    chosen: int
    """How many are placed next; more than one is a tie."""
    matches: Ints
    """By row: which of the distinct matches it belongs to."""
    placed: int
    """How many were placed before."""


@dataclass(frozen=True, slots=True, eq=False)
class Choices:
    """A whole history."""

    layout: ModelLayout
    batches: tuple[ChoiceBatch, ...]
    matches: tuple[FinishedMatch, ...]
    distinct: Ints
    """By match: which of the distinct matches it is."""
    times: Floats
    """By distinct match: how often it happened."""
    in_order: Ints
    """By distinct match: the unknowns of its players, best first, -1 where it has fewer seats than others."""


def choices_of(history: Iterable[FinishedMatch]) -> Choices:
    """Return the history, of at least one match, as choices. Raises ValueError for a match that cannot be rated."""
    matches = tuple(history)
    for match in matches:
        match.check_meeting()
    distinct = list(dict.fromkeys((match.bots, match.placings) for match in matches))
    numbers = {what: number for number, what in enumerate(distinct)}
    layout = ModelLayout(
        players=tuple(sorted({player for players, _ in distinct for player in players})),
        seat_counts=tuple(sorted({len(players) for players, _ in distinct})),
        tie_sizes=tuple(
            sorted({size for _, placings in distinct for size in Counter(placings).values() if size > 1})
        ),
    )
    which = np.array([numbers[match.bots, match.placings] for match in matches], dtype=np.int64)
    in_order = np.full((len(distinct), max(layout.seat_counts)), -1, dtype=np.int64)
    batches: list[ChoiceBatch] = []
    for count in layout.seat_counts:
        rows = [number for number, (players, _) in enumerate(distinct) if len(players) == count]
        players, choices = _batches(layout, [distinct[row] for row in rows], np.array(rows, dtype=np.int64))
        in_order[rows, :count] = players
        batches += choices
    times = np.bincount(which).astype(np.float64)
    return Choices(layout, tuple(batches), matches, which, times, in_order)


def _batches(
    layout: ModelLayout, distinct: Sequence[tuple[tuple[str, ...], tuple[int, ...]]], rows: Ints
) -> tuple[Ints, list[ChoiceBatch]]:
    """Return the players of these distinct matches of one seat count, best first, and their choices.

    Those made after 0, 1, 2, ... seats were placed; the last seat alone is no choice.
    """
    index = {player: number for number, player in enumerate(layout.players)}
    # Number by number: a hundred thousand lists turned into an array at once would stop all other threads.
    seated = np.fromiter((index[player] for each, _ in distinct for player in each), dtype=np.int64)
    placed_at = np.fromiter((placing for _, each in distinct for placing in each), dtype=np.int64)
    players, placings = seated.reshape(len(rows), -1), placed_at.reshape(len(rows), -1)
    order = np.argsort(placings, axis=1, kind="stable")
    players, placings = (np.take_along_axis(each, order, axis=1) for each in (players, placings))
    seats = order + layout.seats(players.shape[1]).start
    found: list[ChoiceBatch] = []
    for placed in range(players.shape[1] - 1):
        here = placings[:, placed]
        begins = (placings[:, placed - 1] != here) | (placed == 0)
        sizes = np.where(begins, (placings == here[:, None]).sum(axis=1), 0)
        for size in np.unique(sizes[begins]):
            of_size = np.flatnonzero(sizes == size)
            found.append(
                ChoiceBatch(
                    players[of_size, placed:], seats[of_size, placed:], int(size), rows[of_size], placed
                )
            )
    return players, found
