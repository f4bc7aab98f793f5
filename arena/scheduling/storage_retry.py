"""Retries while a disk is full or a database is locked."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import structlog

from arena.core.errors import UnavailableError
from arena.core.units import NS_PER_MS
from arena.store.audit.entries import AuditKind
from arena.store.audit.writer import AuditSink, tell_nobody

TRY_AGAIN_S: Final = 1.0

T = TypeVar("T")
_log = structlog.get_logger(__name__)


class StorageRefusals:
    """The matches that wait for the storage, and since when. An outage is logged once, when it is over."""

    def __init__(self, audit: AuditSink = tell_nobody, now: Callable[[], int] = time.monotonic_ns) -> None:
        """`now`: monotonic nanoseconds."""
        self._audit = audit
        self._now = now
        self._waiting: set[int] = set()
        self._matches: dict[int, None] = {}
        self._since = 0
        self._why = ""

    def refused(self, match: int, why: str) -> None:
        """Note that the storage has refused something of this match. `why`: a sentence."""
        if not self._waiting:
            self._since, self._why, self._matches = self._now(), why, {}
        self._waiting.add(match)
        self._matches[match] = None

    def over(self, match: int, *, stored: bool) -> None:
        """Note that the storage has accepted it, or is no longer asked."""
        self._waiting.discard(match)
        if self._waiting:
            return
        length_ns = self._now() - self._since
        then = "took it after" if stored else "had not taken it after"
        self._audit(
            AuditKind.STORAGE,
            f"the storage refused what {len(self._matches)} matches had to store, and {then} "
            f"{length_ns // NS_PER_MS} ms: {self._why.rstrip('.')}",
            about=tuple(f"matches/{each}" for each in self._matches),
            facts=(("matches", str(len(self._matches))),),
            length_ns=length_ns,
        )


async def until_stored(match: int, step: Callable[[], Awaitable[T]], refusals: StorageRefusals) -> T:
    """Return what the step returns once the storage accepts it; log why a match has to wait."""
    said = ""
    stored = False
    try:
        while True:
            try:
                done = await step()
            except UnavailableError as error:
                if error.sentence != said:
                    _log.error("a match cannot be stored yet", match=match, why=error.sentence)
                said = error.sentence
                refusals.refused(match, said)
                await asyncio.sleep(TRY_AGAIN_S)
                continue
            stored = True
            return done
    finally:
        if said:
            _log.info("stored after all" if stored else "not stored", match=match)
            refusals.over(match, stored=stored)
