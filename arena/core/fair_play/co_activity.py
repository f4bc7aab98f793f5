"""Whether two bots are in play at the same times: never together, or always.

Only the time counts in which some match was in play. The times of one bot are moved along that line, round its end, by
every possible length; how many of these moves give as little (or as much) common time is what chance makes of it. Such
moves keep how busy each bot was and for how long at a stretch. The count begins at one, so that no chance is ever 0
(B. Phipson and G. K. Smyth, *Statistical Applications in Genetics and Molecular Biology* 9 (2010), article 39).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from arena.core.fair_play.significance import holm
from arena.core.finished_match import FinishedMatch

STRETCHES: Final = 4096
"""The time in play is cut into so many stretches of equal length."""

ENOUGH_MATCHES: Final = 8
"""With fewer matches of either bot nothing is said."""

_ROUNDING: Final = 0.5
"""Counts come out of a Fourier transform, a little off their integers."""


@dataclass(frozen=True, slots=True)
class CoActivity:
    """When two bots were in play, as shares of the time in which either was."""

    one: str
    other: str
    """The later name of the two."""
    matches: int
    """Of the bot with fewer matches."""
    together: float
    """How much of the time in which the less busy one was in play the other one was, too; 0 to 1."""
    expected: float
    """The mean over all moves."""
    apart_chance: float
    """How often chance gives so little common time, or less."""
    together_chance: float
    """How often chance gives so much, or more."""
    apart_adjusted: float = 1.0
    """The chances, corrected for all pairs looked at."""
    together_adjusted: float = 1.0

    @property
    def rarer(self) -> float:
        """The smaller one of the corrected chances."""
        return min(self.apart_adjusted, self.together_adjusted)


def presences(results: Sequence[FinishedMatch]) -> tuple[CoActivity, ...]:
    """Return every pair of bots that have played enough and never met: bots that met were active together anyway."""
    timed = [each for each in results if each.ended_us > each.started_us]
    bots = sorted({bot for each in timed for bot in each.bots})
    played = {bot: sum(bot in each.bots for each in timed) for bot in bots}
    met = {pair for each in timed for pair in combinations(sorted(each.bots), 2)}
    pairs = [
        pair
        for pair in combinations([bot for bot in bots if played[bot] >= ENOUGH_MATCHES], 2)
        if pair not in met
    ]
    lines = _lines(timed, {bot for pair in pairs for bot in pair})
    found = [_presence(pair, lines, min(played[bot] for bot in pair)) for pair in pairs]
    adjusted = iter(holm([chance for each in found for chance in (each.apart_chance, each.together_chance)]))
    return tuple(
        replace(each, apart_adjusted=next(adjusted), together_adjusted=next(adjusted)) for each in found
    )


def _lines(timed: Sequence[FinishedMatch], bots: set[str]) -> dict[str, NDArray[np.bool_]]:
    """Return by bot in which stretches of the time in play it was in play."""
    if not bots:
        return {}
    edges = np.unique([edge for each in timed for edge in (each.started_us, each.ended_us)])
    starts, busy = edges[:-1], np.zeros(len(edges) - 1, dtype=bool)
    spans = {id(each): np.searchsorted(edges, (each.started_us, each.ended_us)) for each in timed}
    for begin, end in spans.values():
        busy[begin:end] = True
    lengths = np.where(busy, np.diff(edges), 0)
    ends = np.cumsum(lengths)
    middles = (np.arange(STRETCHES) + 0.5) * (ends[-1] / STRETCHES)
    where = np.minimum(np.searchsorted(ends, middles), len(starts) - 1)
    lines = {bot: np.zeros(STRETCHES, dtype=bool) for bot in bots}
    for each in timed:
        begin, end = spans[id(each)]
        for bot in bots.intersection(each.bots):
            lines[bot] |= (where >= begin) & (where < end)
    return lines


def _presence(pair: tuple[str, str], lines: dict[str, NDArray[Any]], matches: int) -> CoActivity:
    one, other = (lines[bot].astype(np.float64) for bot in pair)
    common = np.fft.irfft(np.fft.rfft(one) * np.conj(np.fft.rfft(other)), STRETCHES)
    seen = float(one @ other)
    least = max(float(min(one.sum(), other.sum())), 1.0)
    return CoActivity(
        *pair,
        matches,
        seen / least,
        float(common.mean()) / least,
        (1 + int((common <= seen + _ROUNDING).sum())) / (1 + STRETCHES),
        (1 + int((common >= seen - _ROUNDING).sum())) / (1 + STRETCHES),
    )
