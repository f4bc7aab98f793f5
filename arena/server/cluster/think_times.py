"""Whether bots think longer on one machine than on the others."""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

_MOST_PAIRINGS: Final = 2_000

Pairing = tuple[tuple[str, str], ...]
"""The bots and versions of a match, in one order for all orders of seats."""


@dataclass(slots=True)
class _Times:
    decisions: int = 0
    seconds: float = 0.0
    matches: int = 0


class ThinkTimes:
    """Think times of the same pairings of bots, by machine."""

    def __init__(self) -> None:
        self._pairings: OrderedDict[Pairing, dict[str, _Times]] = OrderedDict()

    def add(self, machine: str, pairing: Pairing, decisions: int, seconds: float) -> None:
        """Add a match. `seconds`: that its bots have thought together, over all decisions."""
        times = self._pairings.setdefault(pairing, {}).setdefault(machine, _Times())
        times.decisions += decisions
        times.seconds += seconds
        times.matches += 1
        self._pairings.move_to_end(pairing)
        if len(self._pairings) > _MOST_PAIRINGS:
            self._pairings.popitem(last=False)

    def forget(self, machine: str) -> None:
        """Forget a machine's times: it may have changed."""
        for by_machine in self._pairings.values():
            by_machine.pop(machine, None)

    def ratio(self, machine: str, least_matches: int) -> float | None:
        """Return how long bots think on a machine, over how long the same ones think on all others.

        None if there are fewer than `least_matches` matches on either side to compare.
        """
        here = expected = 0.0
        matches = others_matches = 0
        for by_machine in self._pairings.values():
            own = by_machine.get(machine)
            others = [times for name, times in by_machine.items() if name != machine]
            decisions = sum(times.decisions for times in others)
            if own is None or not own.decisions or not decisions:
                continue
            here += own.seconds
            expected += own.decisions * sum(times.seconds for times in others) / decisions
            matches += own.matches
            others_matches += sum(times.matches for times in others)
        if min(matches, others_matches) < least_matches or expected <= 0:
            return None
        return here / expected
