"""The share of the arena's time that the calls of one user get while matches are in play; the rest are delayed."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from arena.core.errors import ErrorReason, ResourceExhaustedError
from arena.server.errors import RETRY_AFTER
from arena.server.limits import CALL_S, DELAYED_CALLS, LONGEST_DELAY_S, WORK_AHEAD_S, WORK_SHARE

_MOST_KEPT = 1_000


@dataclass(slots=True)
class _Budget:
    """What one caller has used."""

    earned_at: float = 0.0
    """When all work done will have been earned, by the loop's clock."""
    delayed: int = 0


class TimeBudgets:
    """Delays the calls of users that have used up their share."""

    def __init__(self, in_play: Callable[[], bool]) -> None:
        """`in_play`: whether there is a match that calls could slow down."""
        self._in_play = in_play
        self._of: dict[str, _Budget] = {}

    async def turn(self, who: str) -> None:
        """Return when a call of this user may run.

        Raises ResourceExhaustedError (RATE_LIMITED): too many of the user's calls are delayed already.
        """
        if not self._in_play():
            return
        now = asyncio.get_running_loop().time()
        budget = self._budget(who, now)
        wait_s = budget.earned_at - now
        if wait_s > 0 and budget.delayed >= DELAYED_CALLS:
            raise ResourceExhaustedError(
                ErrorReason.RATE_LIMITED,
                f"{budget.delayed} calls wait already, since matches are in play and calls before these have used up "
                "the share of time that they may take. Wait for the answers.",
                **{RETRY_AFTER: "1"},
            )
        budget.earned_at = max(budget.earned_at, now - WORK_AHEAD_S / WORK_SHARE)
        self.charge(who, CALL_S)
        if wait_s > 0:
            budget.delayed += 1
            try:
                await asyncio.sleep(wait_s)
            finally:
                budget.delayed -= 1

    def charge(self, who: str, work_s: float) -> None:
        """Charge the user for `work_s` seconds; they are earned back before the next call."""
        budget = self._of.get(who)
        if budget is not None:
            latest = asyncio.get_running_loop().time() + LONGEST_DELAY_S
            budget.earned_at = min(budget.earned_at + work_s / WORK_SHARE, latest)

    def _budget(self, who: str, now: float) -> _Budget:
        if who not in self._of and len(self._of) >= _MOST_KEPT:
            self._of = {key: each for key, each in self._of.items() if each.delayed or each.earned_at > now}
        return self._of.setdefault(who, _Budget(now - WORK_AHEAD_S / WORK_SHARE))
