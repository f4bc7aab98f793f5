"""Rate limits, and bans of callers that exceed them (docs/bad_inputs.md rows 2 and 25)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import structlog

from arena.core.errors import ErrorReason, ResourceExhaustedError
from arena.core.units import NS_PER_S
from arena.server.errors import RETRY_AFTER
from arena.server.limits import BAN_S, Allowance
from arena.store.audit.entries import AuditKind
from arena.store.audit.writer import AuditSink, tell_nobody

_MOST_KEPT: Final = 10_000

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
        self._earned_at: dict[tuple[str, Allowance], int] = {}
        self._banned_until: dict[str, int] = {}

    def check(self, source: CallSource) -> None:
        """Raise ResourceExhaustedError (RATE_LIMITED) if the source is banned."""
        left = self._banned_until.get(source.key, 0) - self._now()
        if left > 0:
            raise _banned(left)

    def take(self, source: CallSource, allowance: Allowance) -> None:
        """Take one from the allowance, or ban the source. Raises ResourceExhaustedError (RATE_LIMITED)."""
        now, key = self._now(), (source.key, allowance)
        period = NS_PER_S // allowance.per_s
        earned_at = max(now, self._earned_at.get(key, now)) + period
        if earned_at - now > allowance.burst * period:
            self._ban(source, allowance, now)
        self._forget_earned(now)
        self._earned_at[key] = earned_at

    def give_back(self, source: CallSource, allowance: Allowance) -> None:
        """Give back one that was taken."""
        key = (source.key, allowance)
        if key in self._earned_at:
            self._earned_at[key] -= NS_PER_S // allowance.per_s

    def _ban(self, source: CallSource, allowance: Allowance, now: int) -> None:
        self._banned_until[source.key] = now + BAN_S * NS_PER_S
        self._earned_at.pop((source.key, allowance), None)
        _log.warning("banned", who=source.label, too_many=allowance.what, for_s=BAN_S)
        self._audit(
            AuditKind.BAN,
            f"{source.label} is banned for {BAN_S} s: too many {allowance.what}",
            facts=(("who", source.label), ("too_many", allowance.what)),
        )
        raise _banned(BAN_S * NS_PER_S)

    def _forget_earned(self, now: int) -> None:
        """Bound the memory: forget sources that have earned everything back."""
        if len(self._earned_at) + len(self._banned_until) >= _MOST_KEPT:
            self._earned_at = {key: at for key, at in self._earned_at.items() if at > now}
            self._banned_until = {key: at for key, at in self._banned_until.items() if at > now}


def _banned(left_ns: int) -> ResourceExhaustedError:
    seconds = -(-left_ns // NS_PER_S)
    return ResourceExhaustedError(
        ErrorReason.RATE_LIMITED,
        f"Too many calls from here: none is accepted for {seconds} s. Wait, then call less often (docs/limits.md).",
        **{RETRY_AFTER: str(seconds)},
    )
