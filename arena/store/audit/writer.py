"""Audit entries that belong to no transaction, stored as soon as the storage takes them.

What a transaction itself does is entered by that transaction, with `tx.audit`.
"""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Callable
from typing import Final, Protocol, Unpack

import structlog

from arena.core.errors import UnavailableError
from arena.core.units import NS_PER_S
from arena.store.audit.aggregation import AuditAggregator, Incident, IncidentDetails
from arena.store.audit.entries import AuditEntry, AuditKind
from arena.store.database import Database
from arena.store.store import Transaction

MOST_WAITING: Final = 256
"""Entries that may wait for a storage that refuses; further ones are counted and left out."""

TRY_AGAIN_S: Final = 1.0


_log = structlog.get_logger(__name__)


class AuditSink(Protocol):
    """Takes incidents for the audit trail; `AuditWriter.record` in a real arena."""

    def __call__(self, kind: AuditKind, what: str, /, **details: Unpack[IncidentDetails]) -> None:
        """See `AuditWriter.record`."""


def tell_nobody(_kind: AuditKind, _what: str, **_details: object) -> None:
    """Do nothing: there is no audit trail."""


class AuditWriter:
    """Takes incidents and stores them, summed up. All on one event loop; `run` has to be running."""

    def __init__(
        self, database: Database, wall_us: Callable[[], int], now: Callable[[], int] = time.monotonic_ns
    ) -> None:
        """`wall_us`: the time of day; `now`: monotonic nanoseconds."""
        self._database = database
        self._wall_us = wall_us
        self._now = now
        self._summaries = AuditAggregator()
        self._waiting: deque[AuditEntry] = deque()
        self._woken = asyncio.Event()
        self._one_at_a_time = asyncio.Lock()
        self.dropped = 0
        """Entries that were left out since the last one was stored."""

    def record(self, kind: AuditKind, what: str, /, **details: Unpack[IncidentDetails]) -> None:
        """Enter what has happened now. `what`: a sentence part without a full stop."""
        self._summaries.note(Incident(kind, what, self._wall_us(), **details))
        self._woken.set()

    def put(self, entry: AuditEntry) -> None:
        """Store the entry as it is, for what cannot happen often."""
        self._take([entry])
        self._woken.set()

    async def run(self) -> None:
        """Store what is due, for ever."""
        while True:
            self._woken.clear()
            self._take(self._summaries.due(self._now()))
            if self._waiting and not await self._store():
                await asyncio.sleep(TRY_AGAIN_S)
                continue
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._quiet_s()):
                    await self._woken.wait()

    async def close(self) -> None:
        """Store everything, in one attempt; what the storage refuses now goes to the service log alone."""
        self._take(self._summaries.all())
        if self._waiting and not await self._store():
            for entry in self._waiting:
                _log.error("an audit entry is lost", kind=entry.kind.name, sentence=entry.sentence)

    def _quiet_s(self) -> float | None:
        """Return the seconds until the next entry is due; None if none will be."""
        due = self._summaries.next_due()
        return None if due is None else max(0, due - self._now()) / NS_PER_S

    def _take(self, entries: list[AuditEntry]) -> None:
        free = max(0, MOST_WAITING - len(self._waiting))
        self._waiting.extend(entries[:free])
        self.dropped += len(entries[free:])

    async def _store(self) -> bool:
        """Store what waits, without what comes meanwhile; return False if the storage refuses.

        If this is cancelled, what was sent counts as stored: it must not be stored twice.
        """
        async with self._one_at_a_time:
            entries, dropped = list(self._waiting), self.dropped
            sent = [*entries, self._dropped_entry()] if dropped else entries

            def add(tx: Transaction) -> None:
                for entry in sent:
                    tx.audit.add(entry)

            self._waiting.clear()
            self.dropped = 0
            try:
                await self._database.write(add)
            except UnavailableError:
                self._waiting.extendleft(reversed(entries))
                self.dropped += dropped
                return False
            # A failure to write the audit trail must not end the arena.
            except Exception:  # noqa: BLE001
                _log.exception("audit entries are lost", entries=len(sent))
            return True

    def _dropped_entry(self) -> AuditEntry:
        return AuditEntry(
            AuditKind.STORAGE,
            self._wall_us(),
            f"{self.dropped} more entries of the audit trail were left out while the storage refused them.",
            evidence=(("left_out", str(self.dropped)),),
        )
