"""FairPlayService: the fair play report, for organisers."""
# ruff: noqa: N802 - the methods are named as in the .proto

from __future__ import annotations

from typing import Final

from arena.core.errors import invalid_field
from arena.fair_play.reading import EventMatches
from arena.match_log.files import LogStorage
from arena.server.context import Context
from arena.server.services.fair_play_reports import FairPlayReports, ReportRequest
from arena.server.services.service_context import ServiceContext
from arena.server.services.standings import check_rated
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


class FairPlayService(fair_play_pb2_grpc.FairPlayServiceServicer):
    """Makes fair play reports."""

    def __init__(self, platform: ServiceContext, logs: LogStorage) -> None:
        self._platform = platform
        self._reports = FairPlayReports(platform.database, logs)

    async def GetFairPlayReport(
        self, request: pb.GetFairPlayReportRequest, context: Context
    ) -> pb.GetFairPlayReportResponse:
        """Return the report on the newest matches."""
        question = _question(request)
        await self._platform.database.read(lambda tx: _check_there(tx, question))
        report = await self._reports.of(question)
        return pb.GetFairPlayReportResponse(report=report_message(question.name, report))


def _question(request: pb.GetFairPlayReportRequest) -> ReportRequest:
    """Return the checked request. Raises InvalidArgumentError (FIELD_INVALID)."""
    if request.name.startswith("tournaments/"):
        tournament = parse_tournament("name", request.name)
        field, name = EventMatches(tournament=tournament), tournament_name(tournament)
    else:
        ladder = parse_ladder("name", request.name)
        field, name = EventMatches(ladder=ladder), ladder_name(ladder)
    if len(request.bots) > MOST_BOTS:
        raise invalid_field(
            "bots",
            f"bots has {len(request.bots)} names, but {MOST_BOTS} is the most; name fewer, or none for all.",
        )
    return ReportRequest(
        field,
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
    if question.field.ladder is not None:
        check_rated(tx.ladders.get(question.field.ladder))
    if question.field.tournament is not None:
        tx.tournaments.get(question.field.tournament)
    for bot in sorted(question.bots):
        tx.bots.get(bot)
