"""MatchService: matches, their logs, and the organiser's rulings."""
# ruff: noqa: N802 - the methods are named as in the .proto

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Final

from arena.core.errors import DataLossError, ErrorReason, FailedPreconditionError, invalid_field
from arena.core.match import MatchState
from arena.core.match_record import MatchRecord
from arena.match_log.files import LogStorage
from arena.match_log.keys import PublicKey
from arena.scheduling.debug_lines import DebugLines
from arena.scheduling.result_recorder import event_and_bots, replay_of
from arena.server.auth.limiters import CallSlots
from arena.server.auth.permissions import current_caller
from arena.server.context import Context
from arena.server.limits import LOGS_READ, STORED_LOGS, STORED_LOGS_OF_ONE
from arena.server.services.debug_lines import DebugLineReader
from arena.server.services.service_context import ServiceContext, bots_shown, record_decision
from arena.server.services.watching import MatchStreams, recorded_log
from arena.store.audit.entries import AuditKind
from arena.store.matches.matches import MatchFilter
from arena.store.store import Transaction
from arena.v1 import match_pb2 as pb
from arena.v1 import match_pb2_grpc
from arena.wire.fields import enum_of
from arena.wire.messages.match import match_message
from arena.wire.resource_names import match_name, parse_bot, parse_ladder, parse_match, parse_tournament

CHUNK_BYTES: Final = 64 * 1024
MAX_REASON: Final = 200


class MatchService(match_pb2_grpc.MatchServiceServicer):
    """Shows matches and their logs."""

    def __init__(
        self, platform: ServiceContext, logs: LogStorage, keys: Sequence[PublicKey], debug_lines: DebugLines
    ) -> None:
        """`keys`: every key that logs were ever signed with, the present one first."""
        self._platform = platform
        self._logs = logs
        self._keys = keys
        self._debug_lines = DebugLineReader(platform, debug_lines.read)
        self._stored_logs = CallSlots("stored logs", STORED_LOGS, STORED_LOGS_OF_ONE)
        self._logs_read = asyncio.Semaphore(LOGS_READ)
        self._streams = MatchStreams(platform, logs, self._stored_logs, self._logs_read)

    async def GetMatch(self, request: pb.GetMatchRequest, context: Context) -> pb.GetMatchResponse:
        """Return one match."""
        caller, number = current_caller(), parse_match("name", request.name)
        match, own = await self._platform.database.read(
            lambda tx: (tx.matches.get(number), bots_shown(tx, caller))
        )
        return pb.GetMatchResponse(match=match_message(match, self._platform.catalogue, own_bots=own))

    async def ListMatches(self, request: pb.ListMatchesRequest, context: Context) -> pb.ListMatchesResponse:
        """Return matches, newest first. A filter by another owner's bot leaves out those that have not begun."""
        pages, which, caller = self._platform.pages, _filter(request), current_caller()
        wanted = pages.read(request)

        def question(tx: Transaction) -> pb.ListMatchesResponse:
            own = bots_shown(tx, caller)
            begun = own is not None and which.bot is not None and which.bot not in own
            rows = tx.matches.page(replace(which, begun=begun), before=wanted.first, limit=wanted.fetch)
            page = pages.cut(wanted, rows, lambda match: (match.id,))
            return pb.ListMatchesResponse(
                matches=[match_message(match, self._platform.catalogue, own_bots=own) for match in page.rows],
                next_page_token=page.next_token,
            )

        return await self._platform.database.read(question)

    async def ListDebugLines(
        self, request: pb.ListDebugLinesRequest, context: Context
    ) -> pb.ListDebugLinesResponse:
        """Return the debug lines of the caller's bots."""
        return await self._debug_lines.page(request, current_caller())

    async def WatchMatch(
        self, request: pb.WatchMatchRequest, context: Context
    ) -> AsyncGenerator[pb.WatchMatchResponse]:
        """Yield the public view of the match as it is played."""
        caller = current_caller()
        own = await self._platform.database.read(lambda tx: bots_shown(tx, caller))
        responses = self._streams.responses(
            parse_match("name", request.name), request.cursor, from_start=request.from_start, own_bots=own
        )
        async with aclosing(responses):
            async for response in responses:
                yield response

    async def DownloadMatchLog(
        self, request: pb.DownloadMatchLogRequest, context: Context
    ) -> AsyncIterator[pb.DownloadMatchLogResponse]:
        """Yield the log file in pieces."""
        number = parse_match("name", request.name)
        match = await self._platform.database.read(lambda tx: tx.matches.get(number))
        _check_log(match)
        with self._stored_logs.taken(current_caller().owner):
            async with self._logs_read:
                data = await asyncio.to_thread(recorded_log, self._logs, match)
            for start in range(0, len(data), CHUNK_BYTES):
                yield pb.DownloadMatchLogResponse(chunk=data[start : start + CHUNK_BYTES])

    async def ReplayMatch(self, request: pb.ReplayMatchRequest, context: Context) -> pb.ReplayMatchResponse:
        """Replay a void match that is left to the organiser."""
        number, caller, now_us = parse_match("name", request.name), current_caller(), self._platform.now_us()

        def change(tx: Transaction) -> MatchRecord:
            match = tx.matches.get(number)
            again = tx.rulings.replay(match, replay_of(tx, match), now_us)
            sentence = f"Match {number} is played again as match {again}."
            about = match_name(number), match_name(again), *event_and_bots(match)
            record_decision(tx, AuditKind.RULING, caller, now_us, sentence, *about)
            return tx.matches.get(again)

        row = await self._platform.database.write(change)
        self._platform.runtime.wake_scheduler()
        return pb.ReplayMatchResponse(match=match_message(row, self._platform.catalogue))

    async def VoidMatch(self, request: pb.VoidMatchRequest, context: Context) -> pb.VoidMatchResponse:
        """Void a match for good, and take back its group's rating changes."""
        number, caller, now_us = parse_match("name", request.name), current_caller(), self._platform.now_us()
        reason = _reason(request.reason)

        def change(tx: Transaction) -> tuple[MatchRecord, str]:
            match = tx.matches.get(number)
            consequence = _consequence(number, tx.rulings.void(match, reason, now_us))
            sentence = f"Match {number} does not count: {reason.rstrip('.')}. {consequence}".rstrip()
            about = match_name(number), *event_and_bots(match)
            record_decision(tx, AuditKind.RULING, caller, now_us, sentence, *about)
            return tx.matches.get(number), consequence

        row, consequence = await self._platform.database.write(change)
        self._platform.runtime.wake_scheduler()
        message = match_message(row, self._platform.catalogue)
        return pb.VoidMatchResponse(match=message, consequence=consequence)

    async def ListLogKeys(self, request: pb.ListLogKeysRequest, context: Context) -> pb.ListLogKeysResponse:
        """Return the public keys, the present one first."""
        return pb.ListLogKeysResponse(
            keys=[pb.LogKey(key_id=key.key_id, public_key=key.raw) for key in self._keys]
        )


def _filter(request: pb.ListMatchesRequest) -> MatchFilter:
    """Return the filter. Raises InvalidArgumentError (FIELD_INVALID)."""
    return MatchFilter(
        ladder=parse_ladder("ladder", request.ladder) if request.ladder else None,
        tournament=parse_tournament("tournament", request.tournament) if request.tournament else None,
        bot=parse_bot("bot", request.bot) if request.bot else None,
        state=enum_of(MatchState, "state", request.state, "a MatchState") if request.state else None,
    )


def _check_log(match: MatchRecord) -> None:
    """Raise FailedPreconditionError (LOG_SEALED) or DataLossError (LOG_MISSING)."""
    if match.sealed:
        raise FailedPreconditionError(
            ErrorReason.LOG_SEALED,
            f"The log of match {match.id} is not public yet: its match or match group is still running.",
            match=str(match.id),
        )
    if not match.log:
        raise DataLossError(
            ErrorReason.LOG_MISSING,
            f"Match {match.id} has no log: it was void before it could be written.",
            match=str(match.id),
        )


def _consequence(number: int, unrated: Sequence[int]) -> str:
    """Return the effect on ratings. `unrated`: the matches of the group that no longer count."""
    if not unrated:
        return ""
    others = [str(match) for match in unrated if match != number]
    if not others:
        return "What it had changed of ratings is taken back."
    return (
        "What its match group had changed of ratings is taken back: other matches of the group "
        f"({', '.join(others)}) keep their results, but count for no rating any more."
    )


def _reason(text: str) -> str:
    if not text.strip() or len(text) > MAX_REASON or not text.isprintable():
        raise invalid_field(
            "reason",
            f"reason must be one line of 1 to {MAX_REASON} characters: everybody reads it beside the match.",
        )
    return text.strip()
