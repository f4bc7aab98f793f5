"""ExportService: finished matches with their logs, and rating ledgers, in the order in which they became final."""
# ruff: noqa: N802 - the methods are named as in the .proto

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Final

from arena.core.errors import DataLossError, invalid_field
from arena.core.match_record import MatchRecord
from arena.server.auth.permissions import current_caller
from arena.server.context import Context
from arena.server.services.service_context import Service, ServiceContext
from arena.server.services.stored_logs import StoredLogs
from arena.store.matches.export_order import FinalEntry, FinalMatch
from arena.store.store import Transaction
from arena.v1 import export_pb2 as pb
from arena.v1 import export_pb2_grpc
from arena.wire import resource_names as names
from arena.wire.messages.export import ledger_entry_message
from arena.wire.messages.match import match_message

CHUNK_BYTES: Final = 64 * 1024
DEFAULT_SIZE: Final = 100
MAX_SIZE: Final = 1_000
_READ_TOGETHER: Final = 50
"""Positions that one transaction reads: encoding as many matches takes some ten milliseconds."""

_LogState = pb.ExportedMatch.LogState


@dataclass(frozen=True, slots=True)
class _Filter:
    """What is exported; None for all."""

    ladder: str | None
    tournament: str | None
    game: str | None
    bot: str | None
    public: bool
    """Whether to leave out what is for organisers while standings are frozen."""

    def has_match(self, match: MatchRecord) -> bool:
        is_of_game = self.game is None or match.terms.game == self.game
        is_shown = not (self.public and match.frozen)
        return is_shown and is_of_game and (self.bot is None or self.bot in match.bots)

    def has_entry(self, tx: Transaction, final: FinalEntry) -> bool:
        seq = tx.ladders.get(final.ladder).frozen_seq
        if self.public and seq is not None and final.entry.seq > seq:
            return False
        is_of_game = self.game is None or tx.ladders.get(final.ladder).game == self.game
        return is_of_game and (
            self.bot is None or any(change.bot == self.bot for change in final.entry.changes)
        )


@dataclass(frozen=True, slots=True)
class _Piece:
    """What was read in one transaction."""

    lines: Sequence[tuple[int, MatchRecord | FinalEntry]]
    """The position of each match and entry that the filter has."""
    read: int
    """The number of positions read."""
    cursor: int
    """The last position read."""


class ExportService(Service, export_pb2_grpc.ExportServiceServicer):
    """Exports matches and ledger entries."""

    def __init__(self, platform: ServiceContext, stored_logs: StoredLogs) -> None:
        super().__init__(platform)
        self._stored_logs = stored_logs

    async def ExportMatches(
        self, request: pb.ExportMatchesRequest, _: Context
    ) -> AsyncIterator[pb.ExportMatchesResponse]:
        """Yield what comes after the cursor. What is read in one transaction is sent before the next one begins."""
        which, cursor = self._filter(request), request.cursor
        left = min(request.max_positions or DEFAULT_SIZE, MAX_SIZE)
        newest = await self._platform.database.read(lambda tx: _newest(tx, which))
        if cursor > newest:
            raise invalid_field(
                "cursor",
                f"cursor is {cursor}, but this arena has come to {newest}. It is the cursor of another arena, or the "
                "arena was restored from a backup: it is valid again when the next match group has ended.",
            )
        end = max(cursor, min(request.until or newest, newest))
        with self._stored_logs.taken(current_caller().owner):
            while cursor < end and left:
                limit = min(left, _READ_TOGETHER)
                piece = await self._platform.database.read(
                    lambda tx, after=cursor, limit=limit: _read(tx, which, after, end, limit)  # type: ignore[misc]
                )
                for position, line in piece.lines:
                    async for response in self._responses(position, line, request.without_logs):
                        yield response
                left -= piece.read
                cursor = piece.cursor if piece.read == limit else end
        yield pb.ExportMatchesResponse(cursor=cursor, end=end)

    def _filter(self, request: pb.ExportMatchesRequest) -> _Filter:
        """Return the filter. Raises InvalidArgumentError (FIELD_INVALID), NotFoundError (GAME_NOT_FOUND)."""
        if request.ladder and request.tournament:
            raise invalid_field(
                "tournament", "A match belongs to a ladder or to a tournament: name one of them."
            )
        game = names.check_id("game", request.game) if request.game else None
        if game is not None:
            self._platform.catalogue.game(game)
        return _Filter(
            ladder=names.parse_ladder("ladder", request.ladder) if request.ladder else None,
            tournament=names.parse_tournament("tournament", request.tournament)
            if request.tournament
            else None,
            game=game,
            bot=names.parse_bot("bot", request.bot) if request.bot else None,
            public=not current_caller().is_organiser,
        )

    async def _responses(
        self, position: int, line: MatchRecord | FinalEntry, without_logs: bool
    ) -> AsyncIterator[pb.ExportMatchesResponse]:
        """Yield one match with its log, or one entry; the last response has the position as cursor."""
        if isinstance(line, FinalEntry):
            entry = ledger_entry_message(line.ladder, line.entry, line.created_us)
            yield pb.ExportMatchesResponse(ledger_entry=entry, cursor=position)
            return
        state, log = (_LogState.LOG_STATE_UNSPECIFIED, b"") if without_logs else await self._log(line)
        message = pb.ExportedMatch(match=match_message(line, self._platform.catalogue), log_state=state)
        yield pb.ExportMatchesResponse(match=message, cursor=0 if log else position)
        for start in range(0, len(log), CHUNK_BYTES):
            is_last = start + CHUNK_BYTES >= len(log)
            chunk = log[start : start + CHUNK_BYTES]
            yield pb.ExportMatchesResponse(log_chunk=chunk, cursor=position if is_last else 0)

    async def _log(self, match: MatchRecord) -> tuple[pb.ExportedMatch.LogState.ValueType, bytes]:
        """Return what there is of the log of a match, and its bytes. Raises UnavailableError (STORAGE)."""
        if not match.log:
            return _LogState.LOG_STATE_NONE, b""
        try:
            return _LogState.LOG_STATE_PRESENT, await self._stored_logs.read(match)
        except DataLossError as error:
            is_removed = "pruned" in error.metadata
            return _LogState.LOG_STATE_REMOVED if is_removed else _LogState.LOG_STATE_DAMAGED, b""


def _newest(tx: Transaction, which: _Filter) -> int:
    """Return the newest position. Raises NotFoundError for a filter by what is not there."""
    if which.ladder is not None:
        tx.ladders.get(which.ladder)
    if which.tournament is not None:
        tx.tournaments.get(which.tournament)
    if which.bot is not None:
        tx.bots.get_any(which.bot)
    return tx.export_order.newest()


def _read(tx: Transaction, which: _Filter, after: int, end: int, limit: int) -> _Piece:
    """Read the next positions, at most to `end`, and what the filter has of them."""
    page = tx.export_order.page(
        ladder=which.ladder, tournament=which.tournament, after=after, until=end, limit=limit
    )
    lines: list[tuple[int, MatchRecord | FinalEntry]] = []
    for final in page:
        if isinstance(final, FinalMatch):
            match = tx.matches.get(final.match)
            if which.has_match(match):
                lines.append((final.position, match))
        elif which.has_entry(tx, final):
            lines.append((final.position, final))
    return _Piece(lines, len(page), page[-1].position if page else after)
