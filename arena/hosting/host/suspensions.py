"""Suspension of versions that keep failing, until they pass a trial again."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

import structlog

from arena.core.endings.arena_faults import Facts, facts_of
from arena.core.errors import UnavailableError
from arena.core.units import NS_PER_US
from arena.hosting.background_tasks import BackgroundTasks
from arena.hosting.host.hosted_bot import FIRST_PAUSE_US, HostedBot, pause_us
from arena.runner.timers import Timers
from arena.store.audit.entries import AuditEntry, AuditKind
from arena.store.database import Database
from arena.store.store import Transaction
from arena.store.webhooks.notifications import suspended_data
from arena.store.webhooks.outbox import NotificationType

_TRIED_AGAIN: Final = " Tried again: "

_log = structlog.get_logger(__name__)

Trial = Callable[[str, str], Awaitable[str]]
"""Tries a suspended version (bot, version) again: why it has not passed; empty: it has."""


class Suspensions:
    """All versions that are suspended, or may be soon."""

    def __init__(
        self,
        database: Database,
        timers: Timers,
        background_tasks: BackgroundTasks,
        *,
        trial: Trial,
        wall_us: Callable[[], int],
        changed: Callable[[], None],
    ) -> None:
        """`wall_us`: the time of day; `changed`: called when a bot comes or goes."""
        self.count = 0
        """How many times a version was suspended."""
        self._database = database
        self._timers = timers
        self._background_tasks = background_tasks
        self._trial = trial
        self._wall_us = wall_us
        self._changed = changed
        self._one_at_a_time = asyncio.Lock()

    def note_failure(self, hosted: HostedBot, why: str) -> None:
        """Count a failure; suspend the version if it was one too many."""
        if hosted.row.suspended:
            return
        _log.warning("hosted program failed", bot=hosted.bot, version=hosted.version[:12], why=why)
        if hosted.note_failure():
            self.suspend(hosted, f"it failed {hosted.failures} times, at last so: {why}")

    def note_played(self, hosted: HostedBot) -> None:
        """Count a match played to its end."""
        if hosted.note_played() and hosted.row.suspensions:
            hosted.row = replace(hosted.row, suspensions=0)
            self._store(lambda tx: tx.hosting.forgive(hosted.bot, hosted.version))

    def recall(self, hosted: HostedBot, left: HostedBot) -> None:
        """Restore the failures and the suspension of a version that plays again, as they were when it was `left`."""
        before = left.row
        hosted.failures, hosted.played = left.failures, left.played
        hosted.row = replace(
            hosted.row, suspended=before.suspended, retry_us=before.retry_us, suspensions=before.suspensions
        )
        if before.suspended:
            retry_us = before.retry_us or 0
            self._store(lambda tx: tx.hosting.suspend(hosted.bot, hosted.version, before.suspended, retry_us))

    def try_later(self, hosted: HostedBot) -> None:
        """Try a suspended version again when its pause is over."""
        retry_us = hosted.row.retry_us or 0

        def due() -> None:
            if not hosted.dropped:
                self._background_tasks.begin(self._try_again(hosted), optional=True)

        wait_ns = max(0, retry_us - self._wall_us()) * NS_PER_US
        self._timers.call_at(self._timers.now() + wait_ns, due)

    def suspend(self, hosted: HostedBot, why: str) -> None:
        """Suspend the version for a while. `why`: a sentence part, put behind the first reason."""
        retry_us = self._wall_us() + pause_us(hosted.row.suspensions)
        if first := hosted.row.suspended.partition(_TRIED_AGAIN)[0]:
            why = f"{first}{_TRIED_AGAIN}{why}"
        hosted.row = replace(
            hosted.row, suspended=why, retry_us=retry_us, suspensions=hosted.row.suspensions + 1
        )
        self.count += 1
        if hosted.current is not None:
            hosted.current.retire()
        facts = facts_of(failures=hosted.failures, suspensions=hosted.row.suspensions)
        data = suspended_data(hosted.bot, hosted.version, hosted.row.suspensions, retry_us)

        def store(tx: Transaction) -> None:
            tx.hosting.suspend(hosted.bot, hosted.version, why, retry_us)
            self._audit(
                tx, hosted, f"suspended; `arena bot show {hosted.bot}` says why, and until when", facts
            )
            tx.outbox.put(NotificationType.VERSION_SUSPENDED, data, self._wall_us())

        self._store(store)
        _log.warning("version suspended", bot=hosted.bot, version=hosted.version[:12], why=why)
        self.try_later(hosted)
        self._changed()

    async def _try_again(self, hosted: HostedBot) -> None:
        try:
            async with self._one_at_a_time:
                why = await self._trial(hosted.bot, hosted.version)
        # Whatever it is, it is the arena's fault: the version is tried again, and not suspended for longer.
        except Exception as error:  # noqa: BLE001
            _log.error("a suspended version could not be tried", bot=hosted.bot, why=str(error))
            hosted.row = replace(hosted.row, retry_us=self._wall_us() + FIRST_PAUSE_US)
            self.try_later(hosted)
            return
        if hosted.dropped:
            return
        if why:
            self.suspend(hosted, why)
            return
        hosted.row = replace(hosted.row, suspended="", retry_us=None)
        hosted.failures = hosted.played = 0

        def store(tx: Transaction) -> None:
            tx.hosting.resume(hosted.bot, hosted.version)
            self._audit(tx, hosted, "no longer suspended", ())

        self._store(store)
        _log.info("suspended version passed again", bot=hosted.bot, version=hosted.version[:12])
        self._changed()

    def _audit(self, tx: Transaction, hosted: HostedBot, state: str, facts: Facts) -> None:
        """Note the state in the audit trail; nothing that a bot has written is in it."""
        sentence = f"Version {hosted.version[:12]} of {hosted.bot} is {state}."
        about = (f"bots/{hosted.bot}", f"bots/{hosted.bot}/versions/{hosted.version}")
        tx.audit.add(AuditEntry(AuditKind.VERSION, self._wall_us(), sentence, about, facts))

    def _store(self, change: Callable[[Transaction], object]) -> None:
        """Store it soon. If that fails it holds until the next start, and the failures come again."""

        async def write() -> None:
            try:
                await self._database.write(change)
            except UnavailableError as error:
                _log.error("the state of a hosted bot could not be stored", why=error.sentence)

        self._background_tasks.begin(write())
