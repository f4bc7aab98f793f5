"""Fair play reports: made one at a time, each in its own process, and kept while its matches stay the same."""

from __future__ import annotations

import asyncio
import pickle
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from arena.core.errors import ArenaError, ErrorReason, FailedPreconditionError
from arena.core.fair_play.report import Report
from arena.core.match_record import MatchRecord
from arena.fair_play.material import Material, StoredMatch
from arena.fair_play.reading import PAGE, EventMatches, finished_matches, participants, result_of, usable
from arena.match_log.files import LogStorage
from arena.sandbox.child_process import ChildProcess
from arena.store.database import Database

_KEPT: Final = 8
"""How many reports are kept."""


@dataclass(frozen=True, slots=True)
class ReportRequest:
    """A request for a report."""

    field: EventMatches
    name: str
    """The resource name of the ladder or tournament."""
    bots: frozenset[str]
    matches: int
    findings: int


class FairPlayReports:
    """The reports of one arena."""

    def __init__(self, database: Database, logs: LogStorage) -> None:
        self._database = database
        self._logs = logs
        self._one_at_a_time = asyncio.Lock()
        self._kept: dict[ReportRequest, tuple[tuple[int, ...], Report]] = {}

    async def of(self, question: ReportRequest) -> Report:
        """Return the report on the present matches. Cancelling it stops the work.

        Raises FailedPreconditionError (TOO_FEW_MATCHES): there is no match, or none of a named bot.
        """
        async with self._one_at_a_time:
            matches = await self._matches(question)
            # All of them: one may end after younger ones have, or be made void long after it has ended.
            looked_at = tuple(match.id for match in matches)
            kept = self._kept.get(question)
            if kept is None or kept[0] != looked_at:
                kept = self._kept[question] = (looked_at, await self._made(question, matches))
                if len(self._kept) > _KEPT:
                    self._kept.pop(next(iter(self._kept)))
            return kept[1]

    async def _matches(self, question: ReportRequest) -> Sequence[MatchRecord]:
        """Return the newest matches that may be compared, newest first."""
        found: list[MatchRecord] = []
        before: int | None = None
        while len(found) < question.matches:
            page = await self._database.read(partial(finished_matches, field=question.field, before=before))
            found += [match for match in page if usable(match)]
            if len(page) < PAGE:
                break
            before = page[-1].id
        if not found:
            raise FailedPreconditionError(
                ErrorReason.TOO_FEW_MATCHES,
                f"{question.name} has no finished match of two seats or more to look at; let some be played.",
                name=question.name,
            )
        found = found[: question.matches]
        _check_played(question, found)
        return found

    async def _made(self, question: ReportRequest, matches: Sequence[MatchRecord]) -> Report:
        bots = await self._database.read(lambda tx: participants(tx, matches))

        def order() -> bytes:
            stored = tuple(StoredMatch(result_of(match), self._log_of(match), match.log) for match in matches)
            return pickle.dumps(Material(bots, stored, question.bots, question.findings))

        made = await _run(await asyncio.to_thread(order))
        report = await asyncio.to_thread(pickle.loads, made)
        if not isinstance(report, Report):
            raise TypeError(f"a report was expected, not {type(report).__name__}")
        return report

    def _log_of(self, match: MatchRecord) -> bytes:
        try:
            return self._logs.read(match.id) if match.log else b""
        except ArenaError:
            return b""  # pruned, lost or unreadable: the report says how many


def _check_played(question: ReportRequest, matches: Sequence[MatchRecord]) -> None:
    """Raise FailedPreconditionError (TOO_FEW_MATCHES) if a named bot played none of the matches."""
    absent = sorted(question.bots.difference(*(match.bots for match in matches)))
    if absent:
        raise FailedPreconditionError(
            ErrorReason.TOO_FEW_MATCHES,
            f"{', '.join(absent)} played in none of the {len(matches)} matches of {question.name} that are looked at, "
            "so there is nothing to say; leave it out, or look at more matches.",
            name=question.name,
        )


async def _run(order: bytes) -> bytes:
    """Run the worker and return its output; end it if the caller cancels."""
    worker = await ChildProcess.start(sys.executable, "-m", "arena.fair_play.worker")
    try:
        made, complaint = await worker.communicate(order)
    finally:
        if worker.returncode is None:
            worker.kill()
            await worker.wait()
    if worker.returncode != 0:
        last = complaint.decode(errors="replace").strip().rpartition("\n")[2]
        raise RuntimeError(f"the worker of the fair play report ended with {worker.returncode}: {last}")
    return made
