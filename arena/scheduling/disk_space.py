"""Room on the disk: watched, so that there is always enough for the results of the matches in play."""

from collections.abc import Callable
from enum import Enum
from typing import Final

import structlog

from arena.core.endings.arena_faults import facts_of
from arena.store.audit.entries import AuditKind
from arena.store.audit.writer import AuditSink, tell_nobody

BYTES_PER_MB: Final = 1_000_000

LOW_FACTOR: Final = 5
"""Below so many times what has to stay free the operator is warned."""

_log = structlog.get_logger(__name__)


class DiskLevel(Enum):
    """How much room there is."""

    PLENTY = "plenty"
    LOW = "low"
    NONE = "none"
    """No new match may begin: what is left is for the results of those in play."""


def level_of(free: int, keep_free: int) -> DiskLevel:
    """Return what so many free bytes mean if `keep_free` have to stay."""
    if free < keep_free:
        return DiskLevel.NONE
    return DiskLevel.LOW if free < LOW_FACTOR * keep_free else DiskLevel.PLENTY


class DiskSpace:
    """The free space where the arena stores everything."""

    def __init__(self, measure: Callable[[], int], keep_free: int, audit: AuditSink = tell_nobody) -> None:
        """`measure`: the bytes that are free now, or OSError; `keep_free`: bytes that no new match may touch.

        `audit`: for the audit trail, that the disk is full, and that it is not any more.
        """
        self._audit = audit
        self._measure = measure
        self.keep_free = keep_free
        self._level = DiskLevel.PLENTY

    def why_full(self, wanted: int = 0) -> str:
        """Return why no new match may begin for want of room; empty if one may. Log a change.

        `wanted`: likewise for something that takes so many bytes.
        """
        free = self.free_bytes()
        if free < 0:
            return ""  # the first result that cannot be stored will say why
        self._note(level_of(free, self.keep_free), free)
        if free - wanted >= self.keep_free:
            return ""
        kept = f"{_mb(self.keep_free)} MB are kept for matches in play"
        needed = f", and {_mb(wanted)} MB are needed for this" if wanted else ""
        return f"only {_mb(free)} MB of disk are free, and {kept}{needed}"

    def free_bytes(self) -> int:
        """Return how much is free; -1 where that cannot be found out."""
        try:
            return self._measure()
        except OSError:
            return -1

    def _note(self, level: DiskLevel, free: int) -> None:
        before, self._level = self._level, level
        if level is before:
            return
        log, what = {
            DiskLevel.PLENTY: (_log.info, "there is room on the disk again"),
            DiskLevel.LOW: (_log.warning, "the disk is filling up; see docs/operations.md"),
            DiskLevel.NONE: (_log.error, "the disk is full; no match begins until there is room again"),
        }[level]
        fields = {"free_mb": _mb(free), "keep_free_mb": _mb(self.keep_free)}
        log(what, **fields)
        if DiskLevel.NONE in (level, before):
            told = "there is a little room on the disk again" if level is DiskLevel.LOW else what
            self._audit(AuditKind.STORAGE, told, facts=facts_of(**fields))


def _mb(count: int) -> int:
    return count // BYTES_PER_MB
