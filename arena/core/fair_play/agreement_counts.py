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

    def sums(self) -> tuple[Floats, dict[int, Floats]]:
        """Return the sums over everything, and by block, over everything without that block.

        Three matrices, bots x bots: weighted comparisons with the same answer, all weighted comparisons, and what the
        first would be if all answers were drawn from the legal actions, each with the same chance. The diagonal is a
        bot compared with itself in other matches. No sum is below 0, which rounding might cause.
        """
        whole, within = self._tables(np.ones(len(self.bot), dtype=bool)), self._within_matches()
        nothing = np.zeros((3, len(self.bots), len(self.bots)))
        every = sum(within.values(), nothing)
        left = {}
        for block in map(int, np.unique(self.block)):
            rest = [
                all_of - part for all_of, part in zip(whole, self._tables(self.block == block), strict=True)
            ]
            elsewhere = np.maximum(every - within.get(block, nothing), 0)
            left[block] = np.maximum(_product(*rest) - elsewhere, 0)
        return np.maximum(_product(*whole) - every, 0), left

    def _tables(self, kept: NDArray[np.bool_]) -> list[Floats]:
        """Return bots x cells, bots x situations, and the latter with the weights times the shares."""
        bot, weight, bots = self.bot[kept], self.weight[kept], len(self.bots)
        cells, situations = int(self.cell.max(initial=-1)) + 1, int(self.situation.max(initial=-1)) + 1
        return [
            _binned(bot, self.cell[kept], weight, bots, cells),
            _binned(bot, self.situation[kept], weight, bots, situations),
            _binned(bot, self.situation[kept], weight * self.share[kept], bots, situations),
        ]

    def _within_matches(self) -> dict[int, Floats]:
        """Return by block the comparisons within one match, which are to be left out: each choice with itself, too."""
        found: dict[int, Floats] = {}
        order = np.argsort(self.match, kind="stable")
        bounds = np.flatnonzero(np.diff(self.match[order], prepend=-1))
        for places in np.split(order, bounds[1:]) if len(order) else []:
            block = int(self.block[places[0]])
            sums = found.setdefault(block, np.zeros((3, len(self.bots), len(self.bots))))
            bots, bot = np.unique(self.bot[places], return_inverse=True)
            cells, cell = np.unique(self.cell[places], return_inverse=True)
            situations, situation = np.unique(self.situation[places], return_inverse=True)
            weight = self.weight[places]
            sums[:, bots[:, None], bots] += _product(
                _binned(bot, cell, weight, len(bots), len(cells)),
                _binned(bot, situation, weight, len(bots), len(situations)),
                _binned(bot, situation, weight * self.share[places], len(bots), len(situations)),
            )
        return found


def _binned(bot: Ints, column: Ints, weight: Floats, bots: int, columns: int) -> Floats:
    """Return the sums of the weights, bots x columns."""
    flat: Any = np.bincount(bot * columns + column, weight, minlength=bots * columns)
    binned: Floats = flat.reshape(bots, columns)
    return binned


def _product(cells: Floats, situations: Floats, shared: Floats) -> Floats:
    half = shared @ situations.T / 2
    return np.stack([cells @ cells.T, situations @ situations.T, half + half.T])


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
