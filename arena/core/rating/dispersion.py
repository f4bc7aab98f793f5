"""Whether the matches of a group go together more than chance does, and by how much that widens the intervals.

Were all matches independent, the squares of what a group says beyond the expected would add up to the variances of its
choices. Bots that remember, or luck that a group shares, make them larger. Their ratio scales all variances, as the
dispersion of P. McCullagh and J. A. Nelder, *Generalized Linear Models* (2nd ed. 1989, 4.5), with the group as unit.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from arena.core.rating.choices import Choices, Ints
from arena.core.rating.likelihood import Slopes

_DOUBT: Final = 10
"""A ratio of 1 is believed as if so many observations had shown it: a few groups prove nothing."""


def dispersion(choices: Choices, there: Slopes) -> float:
    """The factor for all variances, at least 1: shared luck may also cancel, but on that no interval relies."""
    layout = choices.layout
    players = choices.in_order[choices.distinct]
    groups = _groups(choices)
    seated = players >= 0
    cells = (groups[:, None] * len(layout.players) + players)[seated]
    pairs, where = np.unique(cells, return_inverse=True)
    sums = np.bincount(where, there.residuals[choices.distinct][seated])
    observed = len(pairs) - (int(groups.max()) + 1)
    free = observed - (len(layout.players) - 1 + sum(layout.seat_counts) - len(layout.seat_counts))
    variances = float(np.trace(there.information[: len(layout.players), : len(layout.players)]))
    if free <= 0 or variances <= 0:
        return 1.0
    ratio = float(np.sum(sums**2)) / variances
    return max(1.0, (_DOUBT + observed * ratio) / (_DOUBT + free))


def _groups(choices: Choices) -> Ints:
    """By match: the number of its group, from 0 on; a match that stands alone has one of its own."""
    numbers: dict[tuple[bool, int], int] = {}
    groups = [
        numbers.setdefault((True, place) if match.group is None else (False, match.group), len(numbers))
        for place, match in enumerate(choices.matches)
    ]
    return np.array(groups, dtype=np.int64)
