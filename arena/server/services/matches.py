"""MatchService: matches, their logs, and the organiser's rulings."""
# ruff: noqa: N802 - the methods are named as in the .proto

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from arena.core import errors
from arena.core.errors import ErrorReason
from arena.core.match import DebugLine, MatchState
from arena.core.match_record import MatchRecord
from arena.scheduling.isolation import is_isolated
from arena.scheduling.result_recorder import event_and_bots, replay_of
from arena.server.auth.permissions import Caller, current_caller
from arena.server.context import Context
from arena.server.services.freezes import check_match_shown
from arena.server.services.paging import PageRequest
from arena.server.services.service_context import (
    Service,
    ServiceContext,
    bots_shown,
    record_decision,
)
from arena.server.services.stored_logs import StoredLogs
from arena.server.services.watching import MatchStreams
from arena.store.audit.entries import AuditKind
from arena.store.matches.matches import MatchFilter
from arena.store.store import Transaction
from arena.v1 import match_pb2 as pb
from arena.v1 import match_pb2_grpc
from arena.wire import resource_names as names
from arena.wire.fields import enum_of, one_line, time_us
from arena.wire.messages.match import match_message

CHUNK_BYTES: Final = 64 * 1024
MAX_REASON: Final = 200
VOID_TOGETHER: Final = 20
"""Matches voided in one transaction: results of running matches wait no longer than for so many."""
_SCANNED_TOGETHER: Final = 500


class MatchService(Service, match_pb2_grpc.MatchServiceServicer):
    """Shows matches and their logs."""

    def __init__(self, platform: ServiceContext, stored_logs: StoredLogs) -> None:
        super().__init__(platform)
        self._stored_logs = stored_logs
        self._streams = MatchStreams(platform, stored_logs)

    async def GetMatch(self, request: pb.GetMatchRequest, _: Context) -> pb.GetMatchResponse:
        """Return one match."""
        caller, number = current_caller(), names.parse_match("name", request.name)
        match, own = await self._platform.database.read(
            lambda tx: (_shown(tx, number, caller), bots_shown(tx, caller))
        )
        return pb.GetMatchResponse(match=match_message(match, self._platform.catalogue, own_bots=own))

    async def ListMatches(self, request: pb.ListMatchesRequest, _: Context) -> pb.ListMatchesResponse:
        """Return matches, newest first. A filter by another owner's bot leaves out those that have not begun."""
        which, caller = _filter(request), current_caller()

        def rows(tx: Transaction, wanted: PageRequest) -> list[tuple[int, pb.Match]]:
            own = bots_shown(tx, caller)
            begun = own is not None and which.bot is not None and which.bot not in own
            asked = replace(which, begun=begun, public=not caller.is_organiser)
            found = tx.matches.page(asked, before=wanted.first, limit=wanted.fetch)
            return [(row.id, match_message(row, self._platform.catalogue, own_bots=own)) for row in found]

        page = await self._platform.page(request, rows, lambda line: line[:1])
        return pb.ListMatchesResponse(
            matches=(match for _, match in page.rows), next_page_token=page.next_token
        )

    async def ListDebugLines(
        self, request: pb.ListDebugLinesRequest, _: Context
    ) -> pb.ListDebugLinesResponse:
        """Return a page of the lines of the caller's bots in a match, or of the named one.

        Raises:
            NotFoundError: MATCH_NOT_FOUND; BOT_NOT_FOUND, there is no such bot, or it has no seat in the match.
            PermissionDeniedError: NOT_OWNER, the lines are somebody else's; organisers are no exception.
            InvalidArgumentError: FIELD_INVALID, a name; PAGE_TOKEN_INVALID.
            FailedPreconditionError: LOG_SEALED, the bot's next version could use them in the same group;
                STANDINGS_FROZEN.
        """
        pages, caller = self._platform.pages, current_caller()
        wanted = pages.read(request)
        number = names.parse_match("name", request.name)
        named = names.parse_bot("bot", request.bot) if request.bot else None

        def question(tx: Transaction) -> tuple[MatchRecord, list[str]]:
            match = _shown(tx, number, caller)
            own = _own_bots(tx, match, named, caller)
            _check_lines_open(match)
            return match, own

        match, bots = await self._platform.database.read(question)
        lines = await self._lines(match, bots)
        lines = [line for line in lines if wanted.after is None or line[:2] > wanted.after]
        page = pages.cut(wanted, lines[: wanted.fetch], lambda line: line[:2])
        return pb.ListDebugLinesResponse(
            lines=[
                pb.DebugLine(
                    seat=seat,
                    decision=line.decision,
                    text=line.text,
                    source=pb.DebugLine.Source.ValueType(line.source.value),
                )
                for seat, _, line in page.rows
            ],
            next_page_token=page.next_token,
        )

    async def _lines(self, match: MatchRecord, bots: Sequence[str]) -> list[tuple[int, int, DebugLine]]:
        """Return (seat, index in the seat, line) of all seats of these bots, in this order."""
        lines: list[tuple[int, int, DebugLine]] = []
        for seat, holder in enumerate(match.seats):
            if holder.bot in bots:
                said = await self._platform.runtime.debug_lines(match.id, seat)
                if said is None:
                    said = await asyncio.to_thread(self._platform.debug_lines.read, match.id, seat)
                lines += [(seat, place, line) for place, line in enumerate(said)]
        return lines

    def WatchMatch(self, request: pb.WatchMatchRequest, _: Context) -> AsyncGenerator[pb.WatchMatchResponse]:
        """Return the public view of the match as it is played, response by response."""
        return self._streams.responses(request, current_caller())

    async def DownloadMatchLog(
        self, request: pb.DownloadMatchLogRequest, _: Context
    ) -> AsyncIterator[pb.DownloadMatchLogResponse]:
        """Yield the log file in pieces."""
        number, caller = names.parse_match("name", request.name), current_caller()
        match = await self._platform.database.read(lambda tx: _shown(tx, number, caller))
        _check_log(match)
        with self._stored_logs.taken(caller.owner):
            data = await self._stored_logs.read(match)
            for start in range(0, len(data), CHUNK_BYTES):
                yield pb.DownloadMatchLogResponse(chunk=data[start : start + CHUNK_BYTES])

    async def ReplayMatch(self, request: pb.ReplayMatchRequest, _: Context) -> pb.ReplayMatchResponse:
        """Replay a void match that is left to the organiser."""
        number, caller = names.parse_match("name", request.name), current_caller()
        now_us = self._platform.now_us()

        def change(tx: Transaction) -> MatchRecord:
            match = tx.matches.get(number)
            again = tx.rulings.replay(match, replay_of(tx, match), now_us)
            sentence = f"Match {number} is played again as match {again}."
            about = names.match_name(number), names.match_name(again), *event_and_bots(match)
            record_decision(tx, AuditKind.RULING, caller, now_us, sentence, *about)
            return tx.matches.get(again)

        row = await self._platform.database.write(change)
        self._platform.runtime.wake_scheduler()
        return pb.ReplayMatchResponse(match=match_message(row, self._platform.catalogue))

    async def VoidMatch(self, request: pb.VoidMatchRequest, _: Context) -> pb.VoidMatchResponse:
        """Void a match for good, and take back its group's rating changes."""
        number, caller = names.parse_match("name", request.name), current_caller()
        now_us = self._platform.now_us()
        reason = one_line("reason", request.reason, MAX_REASON, least=1).strip()

        def change(tx: Transaction) -> tuple[MatchRecord, str]:
            unrated = _void(tx, tx.matches.get(number), reason, caller, now_us)
            return tx.matches.get(number), _consequence(number, unrated)

        row, consequence = await self._platform.database.write(change)
        self._platform.runtime.wake_scheduler()
        message = match_message(row, self._platform.catalogue)
        return pb.VoidMatchResponse(match=message, consequence=consequence)

    async def VoidBotMatches(
        self, request: pb.VoidBotMatchesRequest, _: Context
    ) -> pb.VoidBotMatchesResponse:
        """Void all matches of a bot that can be, a few in each transaction."""
        caller, bot = current_caller(), names.parse_bot("bot", request.bot)
        reason = one_line("reason", request.reason, MAX_REASON, least=1).strip()
        ended_since_us = time_us("since", request.since) if request.HasField("since") else None
        found = await self._platform.database.read(lambda tx: _voidable(tx, bot, ended_since_us))
        if request.validate_only:
            return pb.VoidBotMatchesResponse(matches=map(names.match_name, found))
        void: list[int] = []
        unrated: set[int] = set()

        def change(tx: Transaction, numbers: Sequence[int]) -> tuple[list[int], set[int]]:
            matches = [match for match in map(tx.matches.get, numbers) if _is_voidable(tx, match)]
            now_us = self._platform.now_us()
            others = (_void(tx, match, reason, caller, now_us) for match in matches)
            return [match.id for match in matches], {each for lost in others for each in lost}

        for start in range(0, len(found), VOID_TOGETHER):
            numbers = found[start : start + VOID_TOGETHER]
            done, lost = await self._platform.database.write(partial(change, numbers=numbers))
            void += done
            unrated |= lost
        self._platform.runtime.wake_scheduler()
        return pb.VoidBotMatchesResponse(
            matches=map(names.match_name, void),
            unrated_matches=map(names.match_name, sorted(unrated.difference(void))),
        )

    async def ListLogKeys(self, request: pb.ListLogKeysRequest, _: Context) -> pb.ListLogKeysResponse:
        """Return the public keys, the present one first."""
        return pb.ListLogKeysResponse(
            keys=[pb.LogKey(key_id=key.key_id, public_key=key.raw) for key in self._platform.keys.public]
        )


def _filter(request: pb.ListMatchesRequest) -> MatchFilter:
    """Return the filter. Raises InvalidArgumentError (FIELD_INVALID)."""
    return MatchFilter(
        ladder=names.parse_ladder("ladder", request.ladder) if request.ladder else None,
        tournament=names.parse_tournament("tournament", request.tournament) if request.tournament else None,
        bot=names.parse_bot("bot", request.bot) if request.bot else None,
        state=enum_of(MatchState, "state", request.state, "a MatchState") if request.state else None,
    )


def _shown(tx: Transaction, number: int, caller: Caller) -> MatchRecord:
    """Return the match. Raises NotFoundError (MATCH_NOT_FOUND), FailedPreconditionError (STANDINGS_FROZEN)."""
    match = tx.matches.get(number)
    check_match_shown(match, caller)
    return match


def _check_log(match: MatchRecord) -> None:
    """Raise FailedPreconditionError (LOG_SEALED) or DataLossError (LOG_MISSING)."""
    if match.sealed:
        raise errors.FailedPreconditionError(
            ErrorReason.LOG_SEALED,
            f"The log of match {match.id} is not public yet: its match or match group is still running.",
            match=str(match.id),
        )
    if not match.log:
        raise errors.DataLossError(
            ErrorReason.LOG_MISSING,
            f"Match {match.id} has no log: it was void before it could be written.",
            match=str(match.id),
        )


def _voidable(tx: Transaction, bot: str, ended_since_us: int | None) -> list[int]:
    """Return the matches of a bot that an organiser may void, oldest first. Raises NotFoundError (BOT_NOT_FOUND)."""
    tx.bots.get_any(bot)
    found: list[int] = []
    for state in (MatchState.FINISHED, MatchState.ABORTED):
        which = MatchFilter(bot=bot, state=state, ended_since_us=ended_since_us)
        before: int | None = None
        while rows := tx.matches.page(which, before=before, limit=_SCANNED_TOGETHER):
            found += [row.id for row in rows if _is_voidable(tx, row)]
            before = rows[-1].id
    return sorted(found)


def _is_voidable(tx: Transaction, match: MatchRecord) -> bool:
    if match.state is not MatchState.FINISHED:
        return match.left_to_organiser
    return match.terms.tournament is None or not tx.tournaments.was_planned_from(match.group)


def _void(tx: Transaction, match: MatchRecord, reason: str, caller: Caller, now_us: int) -> tuple[int, ...]:
    """Void a match and record the decision. Return the matches that no longer count for ratings, as `Rulings.void`."""
    unrated = tx.rulings.void(match, reason, now_us)
    consequence = _consequence(match.id, unrated)
    sentence = f"Match {match.id} does not count: {reason.rstrip('.')}. {consequence}".rstrip()
    about = names.match_name(match.id), *event_and_bots(match)
    record_decision(tx, AuditKind.RULING, caller, now_us, sentence, *about)
    return unrated


def _consequence(number: int, unrated: Sequence[int]) -> str:
    """Return the effect on ratings. `unrated`: the matches of the group that no longer count."""
    if not unrated:
        return ""
    others = [str(match) for match in unrated if match != number]
    if not others:
        return "Its rating changes are reverted."
    return (
        "The rating changes of its match group are reverted. The other matches of the group "
        f"({', '.join(others)}) keep their results, but no longer count for ratings."
    )


def _check_lines_open(match: MatchRecord) -> None:
    """Raise FailedPreconditionError (LOG_SEALED) if the lines are still sealed."""
    if is_isolated(match.terms.game, match.seed_policy) and not match.group_complete:
        raise errors.FailedPreconditionError(
            ErrorReason.LOG_SEALED,
            f"The debug lines of match {match.id} are sealed until all matches of its group have ended, because they "
            "have the same hidden draws.",
            match=str(match.id),
        )


def _own_bots(tx: Transaction, match: MatchRecord, named: str | None, caller: Caller) -> list[str]:
    """Return the caller's bots whose lines are asked for. Raises like `ListDebugLines`."""
    seated = list(dict.fromkeys(holder.bot for holder in match.seats))
    asked = seated if named is None else [named]
    own = [bot for bot in asked if tx.bots.get_any(bot).owner == caller.owner]
    if not own:
        raise errors.PermissionDeniedError(
            ErrorReason.NOT_OWNER,
            "Debug lines are for the owner of their bot alone, and not for organisers; use its owner's token.",
            resource=names.match_name(match.id) if named is None else names.bot_name(named),
        )
    if own[0] not in seated:
        raise errors.NotFoundError(
            ErrorReason.BOT_NOT_FOUND, f"The bot {own[0]} has no seat in match {match.id}.", bot=own[0]
        )
    return own
