"""Limits on callers: calls a second, with bans (docs/bad_inputs.md rows 2 and 25), calls at once, and time."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import structlog

from arena.core.errors import ErrorReason, ResourceExhaustedError
from arena.core.units import NS_PER_S
from arena.server import limits
from arena.server.errors import RETRY_AFTER
from arena.store.audit.entries import AuditKind
from arena.store.audit.writer import AuditSink, tell_nobody

_MOST_KEPT: Final = 10_000
_MOST_BUDGETS: Final = 1_000

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class CallSource:
    """What calls are counted for: a token, or an address."""

    key: str
    """Unique; never shown."""
    label: str
    """For people, for example "token 3fa0..."; not secret."""


class RateLimiter:
    """Counts what each source uses of its allowances, and bans a source that exceeds one.

    Each count is one moment (the generic cell rate algorithm, ITU-T I.371): when everything taken will have been earned
    back.
    """

    def __init__(self, now: Callable[[], int], audit: AuditSink = tell_nobody) -> None:
        """`now`: monotonic nanoseconds; `audit`: for the audit trail."""
        self._audit = audit
        self._now = now
        self._earned_at: dict[tuple[str, limits.Allowance], int] = {}
        self._banned_until: dict[str, int] = {}

    def check(self, source: CallSource) -> None:
        """Raise ResourceExhaustedError (RATE_LIMITED) if the source is banned."""
        left = self._banned_until.get(source.key, 0) - self._now()
        if left > 0:
            raise _banned(left)

    def take(self, source: CallSource, allowance: limits.Allowance) -> None:
        """Take one from the allowance, or ban the source. Raises ResourceExhaustedError (RATE_LIMITED)."""
        now, key = self._now(), (source.key, allowance)
        period = NS_PER_S // allowance.per_s
        earned_at = max(now, self._earned_at.get(key, now)) + period
        if earned_at - now > allowance.burst * period:
            self._ban(source, allowance, now)
        # Bound the memory: forget sources that have earned everything back.
        if len(self._earned_at) + len(self._banned_until) >= _MOST_KEPT:
            self._earned_at = {each: at for each, at in self._earned_at.items() if at > now}
            self._banned_until = {each: at for each, at in self._banned_until.items() if at > now}
        self._earned_at[key] = earned_at

    def give_back(self, source: CallSource, allowance: limits.Allowance) -> None:
        """Give back one that was taken."""
        key = (source.key, allowance)
        if key in self._earned_at:
            self._earned_at[key] -= NS_PER_S // allowance.per_s

    def _ban(self, source: CallSource, allowance: limits.Allowance, now: int) -> None:
        self._banned_until[source.key] = now + limits.BAN_S * NS_PER_S
        self._earned_at.pop((source.key, allowance), None)
        _log.warning("banned", who=source.label, too_many=allowance.what, for_s=limits.BAN_S)
        self._audit(
            AuditKind.BAN,
            f"{source.label} is banned for {limits.BAN_S} s: too many {allowance.what}",
            facts=(("who", source.label), ("too_many", allowance.what)),
        )
        raise _banned(limits.BAN_S * NS_PER_S)


def _banned(left_ns: int) -> ResourceExhaustedError:
    seconds = -(-left_ns // NS_PER_S)
    return ResourceExhaustedError(
        ErrorReason.RATE_LIMITED,
        f"Too many calls from here: none is accepted for {seconds} s. Wait, then call less often (docs/limits.md).",
        **{RETRY_AFTER: str(seconds)},
    )


class CallSlots:
    """The running calls of one kind."""

    def __init__(self, what: str, most: int, most_of_one: int) -> None:
        """Start without calls. `what`: the calls, in the plural; `most`: of all users; `most_of_one`: of one user."""
        self._what = what
        self._most = most
        self._most_of_one = most_of_one
        self._of: Counter[str] = Counter()

    @contextmanager
    def taken(self, user: str) -> Iterator[None]:
        """Count one more call of the user inside. Raises ResourceExhaustedError (RATE_LIMITED) at the limit."""
        if self._of.total() >= self._most or self._of[user] >= self._most_of_one:
            raise ResourceExhaustedError(
                ErrorReason.RATE_LIMITED,
                f"{self._of[user]} {self._what} of this user are under way and {self._of.total()} of all; there may be "
                f"{self._most_of_one} and {self._most}. Wait for one to end.",
                **{RETRY_AFTER: "5"},
            )
        self._of[user] += 1
        try:
            yield
        finally:
            self._of[user] -= 1
            if not self._of[user]:
                del self._of[user]


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
        if who not in self._of and len(self._of) >= _MOST_BUDGETS:
            self._of = {key: each for key, each in self._of.items() if each.delayed or each.earned_at > now}
        budget = self._of.setdefault(who, _Budget(now - limits.WORK_AHEAD_S / limits.WORK_SHARE))
        wait_s = budget.earned_at - now
        if wait_s > 0 and budget.delayed >= limits.DELAYED_CALLS:
            raise ResourceExhaustedError(
                ErrorReason.RATE_LIMITED,
                f"{budget.delayed} calls wait already, since matches are in play and calls before these have used up "
                "the share of time that they may take. Wait for the answers.",
                **{RETRY_AFTER: "1"},
            )
        budget.earned_at = max(budget.earned_at, now - limits.WORK_AHEAD_S / limits.WORK_SHARE)
        self.charge(who, limits.CALL_S)
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
            latest = asyncio.get_running_loop().time() + limits.LONGEST_DELAY_S
            budget.earned_at = min(budget.earned_at + work_s / limits.WORK_SHARE, latest)
