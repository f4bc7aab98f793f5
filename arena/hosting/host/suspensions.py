"""Puts versions that keep failing on the bench, and has them tried again until they may come back."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

import structlog

from arena.core.errors import UnavailableError
from arena.core.units import NS_PER_US
from arena.hosting.background_tasks import BackgroundTasks
from arena.hosting.host.hosted_bot import FIRST_PAUSE_US, HostedBot, Probation, pause_us
from arena.hosting.version_audit import back_entry, benched_entry
from arena.runner.timers import Timers
from arena.store.database import Database
from arena.store.store import Transaction

_TRIED_AGAIN: Final = " Tried again: "

_log = structlog.get_logger(__name__)

Trial = Callable[[str, str], Awaitable[str]]
"""Tries a benched version (bot, version) again: why it has not passed; empty: it has."""


class Suspensions:
    """All versions that are on the bench, or on their way there."""

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
        """How many times a version was benched."""
        self._database = database
        self._timers = timers
        self._background_tasks = background_tasks
        self._trial = trial
        self._wall_us = wall_us
        self._changed = changed
        self._one_at_a_time = asyncio.Lock()

    def note_failure(self, kept: HostedBot, why: str) -> None:
        """The program has failed; if that was once too often its version is benched."""
        if kept.row.benched:
            return
        _log.warning("hosted program failed", bot=kept.bot, version=kept.version[:12], why=why)
        if kept.probation.failed():
            self.bench(kept, f"it failed {kept.probation.failures} times, at last so: {why}")

    def note_played(self, kept: HostedBot) -> None:
        """The program has played a match to its end."""
        if kept.probation.played() and kept.row.benchings:
            kept.row = replace(kept.row, benchings=0)
            self._store(lambda tx: tx.hosting.forgive(kept.bot, kept.version))

    def recall(self, kept: HostedBot, left: HostedBot) -> None:
        """The version plays again, and has failed as often as it had when it was `left`; on the bench it still is."""
        before = left.row
        kept.probation = left.probation
        kept.row = replace(
            kept.row, benched=before.benched, retry_us=before.retry_us, benchings=before.benchings
        )
        if before.benched:
            retry_us = before.retry_us or 0
            self._store(lambda tx: tx.hosting.bench(kept.bot, kept.version, before.benched, retry_us))

    def try_later(self, kept: HostedBot) -> None:
        """A benched version is tried again when its pause is over."""
        retry_us = kept.row.retry_us or 0

        def due() -> None:
            if not kept.dropped:
                self._background_tasks.begin(self._try_again(kept), optional=True)

        wait_ns = max(0, retry_us - self._wall_us()) * NS_PER_US
        self._timers.call_at(self._timers.now() + wait_ns, due)

    def bench(self, kept: HostedBot, why: str) -> None:
        """The version plays nothing for a while. `why`: a sentence part, put behind the first reason."""
        retry_us = self._wall_us() + pause_us(kept.row.benchings)
        if first := kept.row.benched.partition(_TRIED_AGAIN)[0]:
            why = f"{first}{_TRIED_AGAIN}{why}"
        kept.row = replace(kept.row, benched=why, retry_us=retry_us, benchings=kept.row.benchings + 1)
        self.count += 1
        if kept.current is not None:
            kept.current.retire()
        failures, times = kept.probation.failures, kept.row.benchings

        def store(tx: Transaction) -> None:
            tx.hosting.bench(kept.bot, kept.version, why, retry_us)
            tx.audit.add(benched_entry(kept.bot, kept.version, failures, times, self._wall_us()))

        self._store(store)
        _log.warning("version benched", bot=kept.bot, version=kept.version[:12], why=why)
        self.try_later(kept)
        self._changed()

    async def _try_again(self, kept: HostedBot) -> None:
        try:
            async with self._one_at_a_time:
                why = await self._trial(kept.bot, kept.version)
        # Whatever it is, it is the arena's fault: the version is tried again, and not benched for longer.
        except Exception as error:  # noqa: BLE001
            _log.error("a benched version could not be tried", bot=kept.bot, why=str(error))
            kept.row = replace(kept.row, retry_us=self._wall_us() + FIRST_PAUSE_US)
            self.try_later(kept)
            return
        if kept.dropped:
            return
        if why:
            self.bench(kept, why)
            return
        kept.row = replace(kept.row, benched="", retry_us=None)
        kept.probation = Probation()

        def store(tx: Transaction) -> None:
            tx.hosting.unbench(kept.bot, kept.version)
            tx.audit.add(back_entry(kept.bot, kept.version, self._wall_us()))

        self._store(store)
        _log.info("version back from the bench", bot=kept.bot, version=kept.version[:12])
        self._changed()

    def _store(self, change: Callable[[Transaction], object]) -> None:
        """It is stored soon. If that fails it holds until the next start, and the failures come again."""

        async def write() -> None:
            try:
                await self._database.write(change)
            except UnavailableError as error:
                _log.error("the state of a hosted bot could not be stored", why=error.sentence)

        self._background_tasks.begin(write())
