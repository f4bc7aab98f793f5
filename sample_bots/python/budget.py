"""How long a search bot may think about a decision: its own wish, and what the clock of the match allows."""

import os
import time
from collections.abc import Callable
from typing import Final

import arena.sdk

MOST_WISH_MS: Final = 2_000
"""The most that a share of the clock comes to: nobody wants to wait longer, whatever the clock."""

_MS_PER_S: Final = 1000


def allowed_ms(clock: arena.sdk.Clock) -> float:
    """Return the wall time: half of the free time and a fiftieth of the bank, but at most half of all that is left.

    The other half is a margin for a machine that is busy elsewhere.
    """
    return min(clock.per_decision_ms / 2 + clock.bank_ms / 50, clock.time_left_ms / 2)


def wish_ms(clock: arena.sdk.Clock, share: float) -> float:
    """Return the processor time: this share of the wall time that is allowed, or what ARENA_THINK_MS says.

    A share well below 1 leaves room for other programs: then the processor time decides, and the strength of a bot
    follows from the clock of the match.
    """
    told = os.environ.get("ARENA_THINK_MS")
    return float(told) if told else min(share * allowed_ms(clock), MOST_WISH_MS)


class Budget:
    """The thinking time of one decision; it runs from when the object is made.

    The wish is counted in processor time of this thread, so that the bot plays equally well beside other programs;
    the clock of the match counts wall time.
    """

    def __init__(
        self,
        clock: arena.sdk.Clock,
        wish_ms: float,
        *,
        wall: Callable[[], float] = time.monotonic,
        processor: Callable[[], float] = time.thread_time,
    ) -> None:
        """`wish_ms`: processor time; infinite if only the clock counts. `wall` and `processor` tell seconds."""
        self._wall, self._processor = wall, processor
        self._wish = wish_ms / _MS_PER_S
        self._began = processor()
        self._allowed = allowed_ms(clock) / _MS_PER_S
        self._arrived = clock.deadline - clock.time_left_ms / _MS_PER_S

    def spent(self) -> float:
        """Return the share of the time that is used up, by whichever of the two is more; 1 or above: answer now."""
        wall = (self._wall() - self._arrived) / self._allowed if self._allowed else 1.0
        processor = (self._processor() - self._began) / self._wish if self._wish else 1.0
        return max(wall, processor)
