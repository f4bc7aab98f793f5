"""Choices counted by pair of bots: how often two of them answered alike, of how many comparisons.

Every choice of one bot is compared with every choice of the other in the same situation, except within one match. A
situation that comes often would drown the others, so each choice has a weight: 1 over how many the bot has in that
situation, so that a situation counts once however often it came; for habits 1 over the root of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from arena.core.fair_play.choice import Choice

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

MOST_BLOCKS: Final = 40
"""Match groups are left out in so many lots, to see how much hangs on each."""


@dataclass(frozen=True, slots=True, eq=False)
class AgreementSums:
    """Bots x bots; the diagonal is a bot compared with itself in other matches."""

    alike: Floats
    """Weighted comparisons with the same answer."""
    compared: Floats
    """Weighted comparisons."""
    uniform: Floats
    """What `alike` would be if all answers were drawn from the legal actions, each with the same chance."""

    def without(self, other: AgreementSums) -> AgreementSums:
        """Return these sums less others, never below 0 (which rounding might cause)."""
        return AgreementSums(
            np.maximum(self.alike - other.alike, 0),
            np.maximum(self.compared - other.compared, 0),
            np.maximum(self.uniform - other.uniform, 0),
        )


@dataclass(frozen=True, slots=True, eq=False)
class AgreementCounts:
    """The choices of one likeness as arrays, one place a choice; only situations that came in two matches or more."""

    bots: tuple[str, ...]
    """By name."""
    bot: Ints
    situation: Ints
    cell: Ints
    """Situation and answer together."""
    match: Ints
    """Its id."""
    group: Ints
    """Its id."""
    block: Ints
    """The lot that its match group is in."""
    share: Floats
    weight: Floats

    @staticmethod
    def of(choices: Sequence[Choice], power: float) -> AgreementCounts:
        """Make the counts. `power`: a choice weighs 1 over this power of the bot's choices in the situation."""
        kept = _recurring(choices)
        bots = tuple(sorted({choice.bot for choice in kept}))
        bot_of = {bot: number for number, bot in enumerate(bots)}
        groups = {group: place for place, group in enumerate(sorted({choice.group for choice in kept}))}
        bot = np.array([bot_of[choice.bot] for choice in kept], dtype=np.int64)
        situation = _numbered([choice.situation for choice in kept])
        own = bot * (int(situation.max(initial=0)) + 1) + situation
        _, which, times = np.unique(own, return_inverse=True, return_counts=True)
        return AgreementCounts(
            bots=bots,
            bot=bot,
            situation=situation,
            cell=_numbered([(choice.situation, choice.answer) for choice in kept]),
            match=np.array([choice.match for choice in kept], dtype=np.int64),
            group=np.array([choice.group for choice in kept], dtype=np.int64),
            block=np.array([groups[choice.group] % MOST_BLOCKS for choice in kept], dtype=np.int64),
            share=np.array([choice.share for choice in kept], dtype=np.float64),
            weight=times[which] ** -power if kept else np.zeros(0),
        )

    def blocks(self) -> list[int]:
        """Return the blocks in use."""
        return [int(block) for block in np.unique(self.block)]

    def sums(self) -> tuple[AgreementSums, dict[int, AgreementSums]]:
        """Return the sums over everything, and by block, over everything without that block."""
        whole, within = self._table(np.ones(len(self.bot), dtype=bool)), self._within_matches()
        nothing = self._empty()
        every = AgreementSums(
            sum((each.alike for each in within.values()), nothing.alike),
            sum((each.compared for each in within.values()), nothing.compared),
            sum((each.uniform for each in within.values()), nothing.uniform),
        )
        left = {
            block: self._product(self._less(whole, self._table(self.block == block))).without(
                every.without(within.get(block, nothing))
            )
            for block in self.blocks()
        }
        return self._product(whole).without(every), left

    def _empty(self) -> AgreementSums:
        square = np.zeros((len(self.bots), len(self.bots)))
        return AgreementSums(square, square, square)

    def _table(self, kept: NDArray[np.bool_]) -> tuple[Floats, Floats, Floats]:
        """Return bots x cells, bots x situations, and the latter with the weights times the shares."""
        bot, weight = self.bot[kept], self.weight[kept]
        return (
            self._binned(bot, self.cell[kept], weight, self.cell),
            self._binned(bot, self.situation[kept], weight, self.situation),
            self._binned(bot, self.situation[kept], weight * self.share[kept], self.situation),
        )

    def _binned(self, bot: Ints, column: Ints, weight: Floats, columns: Ints) -> Floats:
        wide = int(columns.max(initial=-1)) + 1
        flat: Any = np.bincount(bot * wide + column, weight, minlength=len(self.bots) * wide)
        binned: Floats = flat.reshape(len(self.bots), wide)
        return binned

    @staticmethod
    def _less(
        whole: tuple[Floats, Floats, Floats], part: tuple[Floats, Floats, Floats]
    ) -> tuple[Floats, Floats, Floats]:
        return whole[0] - part[0], whole[1] - part[1], whole[2] - part[2]

    @staticmethod
    def _product(table: tuple[Floats, Floats, Floats]) -> AgreementSums:
        cells, situations, shared = table
        half = shared @ situations.T / 2
        return AgreementSums(cells @ cells.T, situations @ situations.T, half + half.T)

    def _within_matches(self) -> dict[int, AgreementSums]:
        """Return by block the comparisons within one match, which are to be left out."""
        found: dict[int, AgreementSums] = {}
        order = np.argsort(self.match, kind="stable")
        bounds = np.flatnonzero(np.diff(self.match[order], prepend=-1))
        for places in np.split(order, bounds[1:]) if len(order) else []:
            block = int(self.block[places[0]])
            sums = found.setdefault(block, self._fresh())
            self._add_match(sums, places)
        return found

    def _fresh(self) -> AgreementSums:
        return AgreementSums(*(np.zeros((len(self.bots), len(self.bots))) for _ in range(3)))

    def _add_match(self, sums: AgreementSums, places: Ints) -> None:
        """Add what the choices of one match have in common with each other, and each with itself."""
        bots = np.unique(self.bot[places])
        local = np.searchsorted(bots, self.bot[places])
        weight = self.weight[places]

        def table(column: Ints, of: Floats) -> Floats:
            _, number = np.unique(column[places], return_inverse=True)
            wide = int(number.max()) + 1
            flat: Any = np.bincount(local * wide + number, of, minlength=len(bots) * wide)
            shaped: Floats = flat.reshape(len(bots), wide)
            return shaped

        cells, situations = table(self.cell, weight), table(self.situation, weight)
        half = table(self.situation, weight * self.share[places]) @ situations.T / 2
        square = np.ix_(bots, bots)
        sums.alike[square] += cells @ cells.T
        sums.compared[square] += situations @ situations.T
        sums.uniform[square] += half + half.T


def _recurring(choices: Sequence[Choice]) -> list[Choice]:
    """Return the choices in situations that occur in two matches or more, sorted: the given order changes no bit."""
    matches: dict[object, set[int]] = defaultdict(set)
    for choice in choices:
        matches[choice.situation].add(choice.match)
    kept = [choice for choice in choices if len(matches[choice.situation]) > 1]
    return sorted(kept, key=lambda each: (each.match, each.bot, repr(each.situation), repr(each.answer)))


def _numbered(values: Sequence[Any]) -> Ints:
    """Return numbers for the values, from 0 as they first occur; equal values have equal numbers."""
    numbers: dict[Any, int] = {}
    return np.array([numbers.setdefault(value, len(numbers)) for value in values], dtype=np.int64)
