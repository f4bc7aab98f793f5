"""SeasonService: the seasons of ladders, and their final standings."""
# ruff: noqa: N802 - the methods are named as in the .proto

from typing import Final

from arena.core.errors import invalid_field
from arena.core.rating.seasons import DEFAULT_KEEP_PERCENT, PERCENT
from arena.core.seasons import signed_message
from arena.server.auth.permissions import current_caller
from arena.server.context import Context
from arena.server.services.freezes import check_all_revealed
from arena.server.services.ladders import check_contained
from arena.server.services.paging import PageRequest
from arena.server.services.service_context import Service, record_decision
from arena.store.audit.entries import AuditKind
from arena.store.ladders.ladders import LadderRow
from arena.store.ladders.seasons import SeasonRow, Signature
from arena.store.store import Transaction
from arena.v1 import season_pb2 as pb
from arena.v1 import season_pb2_grpc
from arena.wire.messages.season import season_message, season_move_message
from arena.wire.resource_names import bot_name, ladder_name, parse_ladder, parse_season

MAX_LOWER: Final = 20
"""Divisions below the first that are closed with it."""

MAX_SWAP: Final = 100
"""Bots that move up, and as many down, between two divisions."""


def _lower(request: pb.CloseSeasonRequest, upper: str) -> tuple[str, ...]:
    """Return the ids of the divisions below. Raises InvalidArgumentError (FIELD_INVALID)."""
    lower = tuple(parse_ladder("lower_ladders", name) for name in request.lower_ladders)
    if not lower and request.swap:
        raise invalid_field("swap", "swap needs lower_ladders: name the ladders that bots are promoted from.")
    if len(lower) > MAX_LOWER:
        raise invalid_field(
            "lower_ladders", f"lower_ladders has {len(lower)} ladders, but at most {MAX_LOWER}."
        )
    if len({upper, *lower}) <= len(lower):
        raise invalid_field(
            "lower_ladders", "lower_ladders has a ladder twice, or the upper one: name each once."
        )
    if lower and not 1 <= request.swap <= MAX_SWAP:
        raise invalid_field(
            "swap", f"swap is {request.swap}, but must be 1 to {MAX_SWAP} with lower_ladders."
        )
    return lower


def _check_divisions(upper: LadderRow, lower: LadderRow) -> None:
    """Raise InvalidArgumentError (FIELD_INVALID) if bots cannot move between the two."""
    if (upper.game, upper.solo) != (lower.game, lower.solo):
        raise invalid_field(
            "lower_ladders",
            f"The ladders {upper.id} and {lower.id} are no divisions of each other: they must be of one game, and both"
            " rated or both solo.",
        )


class SeasonService(Service, season_pb2_grpc.SeasonServiceServicer):
    """Closes seasons, and shows those that are closed."""

    async def CloseSeason(self, request: pb.CloseSeasonRequest, _: Context) -> pb.CloseSeasonResponse:
        """Close the season of a ladder and begin the next one."""
        ladder, caller = parse_ladder("ladder", request.ladder), current_caller()
        asked = request.keep_percent if request.HasField("keep_percent") else None
        if asked is not None and asked > PERCENT:
            raise invalid_field("keep_percent", f"keep_percent is {asked}, but must be 0 to {PERCENT}.")

        divisions = (ladder, *_lower(request, ladder))
        now_us = self._platform.now_us()

        def close(tx: Transaction) -> pb.CloseSeasonResponse:
            first, *others = rows = [tx.ladders.get(name) for name in divisions]
            if first.solo and asked is not None:
                raise invalid_field(
                    "keep_percent",
                    f"The solo ladder {ladder} has no ratings to be pulled to the mean: leave keep_percent out.",
                )
            for row in rows:
                check_all_revealed(row)
            for other in others:
                _check_divisions(first, other)
            keep_percent = DEFAULT_KEEP_PERCENT if asked is None else asked
            closed = [tx.seasons.close(row.id, keep_percent, self._signature, now_us) for row in rows]
            for each in closed:
                what = f"Season {each.number} of the ladder {each.ladder} was closed."
                record_decision(tx, AuditKind.EVENT, caller, now_us, what, ladder_name(each.ladder))
            moves = tx.seasons.swap(divisions, request.swap, now_us)
            for move in moves:
                check_contained(tx, move.target, move.bot)
                what = f"The bot {move.bot} moved from the ladder {move.source} to {move.target} at a season's close."
                about = (bot_name(move.bot), ladder_name(move.source), ladder_name(move.target))
                record_decision(tx, AuditKind.EVENT, caller, now_us, what, *about)
            season, *lower = [season_message(each, whole=True) for each in closed]
            return pb.CloseSeasonResponse(
                season=season, lower_seasons=lower, moves=[season_move_message(move) for move in moves]
            )

        response = await self._platform.create_once(request, close, pb.CloseSeasonResponse)
        self._platform.runtime.wake_scheduler()
        return response

    async def GetSeason(self, request: pb.GetSeasonRequest, _: Context) -> pb.GetSeasonResponse:
        """Return a closed season with its final standings."""
        ladder, number = parse_season("name", request.name)

        def question(tx: Transaction) -> SeasonRow:
            tx.ladders.get(ladder)
            return tx.seasons.get(ladder, number)

        row = await self._platform.database.read(question)
        return pb.GetSeasonResponse(season=season_message(row, whole=True))

    async def ListSeasons(self, request: pb.ListSeasonsRequest, _: Context) -> pb.ListSeasonsResponse:
        """Return the closed seasons of a ladder, the newest first."""
        ladder = parse_ladder("ladder", request.ladder)

        def rows(tx: Transaction, wanted: PageRequest) -> tuple[SeasonRow, ...]:
            tx.ladders.get(ladder)
            return tx.seasons.page(ladder, before=wanted.first, limit=wanted.fetch)

        page = await self._platform.page(request, rows, lambda season: (season.number,))
        seasons = [season_message(row, whole=False) for row in page.rows]
        return pb.ListSeasonsResponse(seasons=seasons, next_page_token=page.next_token)

    def _signature(self, document: str) -> Signature:
        key = self._platform.keys.signing
        return Signature(key.public.key_id, key.sign(signed_message(document)))
