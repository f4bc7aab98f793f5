"""FairPlayService: fair play reports, for organisers.

They are made one at a time, each in its own process, and kept while its matches stay the same.
"""
# ruff: noqa: N802 - the methods are named as in the .proto

import asyncio
import pickle
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from arena.core.errors import ArenaError, ErrorReason, FailedPreconditionError, invalid_field
from arena.core.fair_play.report import Report
from arena.core.match import MatchState
from arena.core.match_record import MatchRecord
from arena.fair_play.material import Material, StoredMatch
from arena.fair_play.reading import participants, result_of, usable
from arena.sandbox.child_process import ChildProcess
from arena.server.context import Context
from arena.server.services.service_context import Service, ServiceContext
from arena.server.services.standings import check_rated
from arena.store.matches.matches import MatchFilter
from arena.store.store import Transaction
from arena.v1 import fair_play_pb2 as pb
from arena.v1 import fair_play_pb2_grpc
from arena.wire.messages.fair_play import report_message
from arena.wire.resource_names import ladder_name, parse_bot, parse_ladder, parse_tournament, tournament_name

DEFAULT_MATCHES: Final = 500
"""The newest matches that are compared by default, a quarter of a minute of one core."""

MOST_MATCHES: Final = 2_000
DEFAULT_FINDINGS: Final = 100
MOST_FINDINGS: Final = 1_000
MOST_BOTS: Final = 100
"""How many bots may be named."""


_PAGE: Final = 200
"""Matches that are read at a time."""

_KEPT: Final = 8
"""How many reports are kept."""


@dataclass(frozen=True, slots=True)
class ReportRequest:
    """A request for a report."""

    which: MatchFilter
    """The finished matches of a ladder or tournament."""
    name: str
    """The resource name of the ladder or tournament."""
    bots: frozenset[str]
    matches: int
    findings: int


class FairPlayService(Service, fair_play_pb2_grpc.FairPlayServiceServicer):
    """Makes fair play reports."""

    def __init__(self, platform: ServiceContext) -> None:
        super().__init__(platform)
        self._one_at_a_time = asyncio.Lock()
        self._kept: dict[ReportRequest, tuple[tuple[int, ...], Report]] = {}

    async def GetFairPlayReport(
        self, request: pb.GetFairPlayReportRequest, _: Context
    ) -> pb.GetFairPlayReportResponse:
        """Return the report on the newest matches."""
        question = _question(request)
        await self._platform.database.read(lambda tx: _check_there(tx, question))
        report = await self._report(question)
        return pb.GetFairPlayReportResponse(report=report_message(question.name, report))

    async def _report(self, question: ReportRequest) -> Report:
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

        def next_page(tx: Transaction) -> tuple[MatchRecord, ...]:
            return tx.matches.page(question.which, before=before, limit=_PAGE)

        while len(found) < question.matches:
            page = await self._platform.database.read(next_page)
            found += [match for match in page if usable(match)]
            if len(page) < _PAGE:
                break
            before = page[-1].id
        if not found:
            raise FailedPreconditionError(
                ErrorReason.TOO_FEW_MATCHES,
                f"{question.name} has no finished match of two seats or more to look at; let some be played.",
                name=question.name,
            )
        found = found[: question.matches]
        absent = sorted(question.bots.difference(*(match.bots for match in found)))
        if absent:
            raise FailedPreconditionError(
                ErrorReason.TOO_FEW_MATCHES,
                f"{', '.join(absent)} played in none of the {len(found)} matches of {question.name} that are looked "
                "at, so there is nothing to say; leave it out, or look at more matches.",
                name=question.name,
            )
        return found

    async def _made(self, question: ReportRequest, matches: Sequence[MatchRecord]) -> Report:
        bots = await self._platform.database.read(lambda tx: participants(tx, matches))

        def order() -> bytes:
            stored = tuple(StoredMatch(result_of(match), self._log_of(match), match.log) for match in matches)
            return pickle.dumps(Material(bots, stored, question.bots, question.findings))

        made = await _run(await asyncio.to_thread(order))
        report: Report = await asyncio.to_thread(pickle.loads, made)
        return report

    def _log_of(self, match: MatchRecord) -> bytes:
        try:
            return self._platform.logs.read(match.id) if match.log else b""
        except ArenaError:
            return b""  # pruned, lost or unreadable: the report says how many


def _question(request: pb.GetFairPlayReportRequest) -> ReportRequest:
    """Return the checked request. Raises InvalidArgumentError (FIELD_INVALID)."""
    if request.name.startswith("tournaments/"):
        tournament = parse_tournament("name", request.name)
        which, name = MatchFilter(tournament=tournament), tournament_name(tournament)
    else:
        ladder = parse_ladder("name", request.name)
        which, name = MatchFilter(ladder=ladder), ladder_name(ladder)
    if len(request.bots) > MOST_BOTS:
        raise invalid_field(
            "bots",
            f"bots has {len(request.bots)} names, but {MOST_BOTS} is the most; name fewer, or none for all.",
        )
    return ReportRequest(
        replace(which, state=MatchState.FINISHED),
        name,
        frozenset(parse_bot("bots", bot) for bot in request.bots),
        _bounded("matches", request.matches, DEFAULT_MATCHES, MOST_MATCHES),
        _bounded("findings", request.findings, DEFAULT_FINDINGS, MOST_FINDINGS),
    )


def _bounded(field: str, value: int, default: int, most: int) -> int:
    """Return the value, or the default for 0. Raises InvalidArgumentError (FIELD_INVALID)."""
    if value > most:
        raise invalid_field(field, f"{field} is {value}, but {most} is the most; ask for fewer.")
    return value or default


def _check_there(tx: Transaction, question: ReportRequest) -> None:
    """Raise NotFoundError, or FailedPreconditionError (LADDER_UNRATED)."""
    if question.which.ladder is not None:
        check_rated(tx.ladders.get(question.which.ladder))
    if question.which.tournament is not None:
        tx.tournaments.get(question.which.tournament)
    for bot in sorted(question.bots):
        tx.bots.get(bot)


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
