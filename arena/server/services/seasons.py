"""SeasonService: the seasons of ladders, and their final standings."""
# ruff: noqa: N802 - the methods are named as in the .proto

from arena.core.errors import invalid_field
from arena.core.rating.seasons import DEFAULT_KEEP_PERCENT, PERCENT
from arena.core.seasons import signed_message
from arena.server.auth.permissions import current_caller
from arena.server.context import Context
from arena.server.services.paging import PageRequest
from arena.server.services.service_context import Service, record_decision
from arena.store.audit.entries import AuditKind
from arena.store.ladders.seasons import SeasonRow, Signature
from arena.store.store import Transaction
from arena.v1 import season_pb2 as pb
from arena.v1 import season_pb2_grpc
from arena.wire.messages.season import season_message
from arena.wire.resource_names import ladder_name, parse_ladder, parse_season


class SeasonService(Service, season_pb2_grpc.SeasonServiceServicer):
    """Closes seasons, and shows those that are closed."""

    async def CloseSeason(self, request: pb.CloseSeasonRequest, _: Context) -> pb.CloseSeasonResponse:
        """Close the season of a ladder and begin the next one."""
        ladder, caller = parse_ladder("ladder", request.ladder), current_caller()
        asked = request.keep_percent if request.HasField("keep_percent") else None
        if asked is not None and asked > PERCENT:
            raise invalid_field("keep_percent", f"keep_percent is {asked}, but must be 0 to {PERCENT}.")

        def close(tx: Transaction) -> pb.CloseSeasonResponse:
            if tx.ladders.get(ladder).solo and asked is not None:
                raise invalid_field(
                    "keep_percent",
                    f"The solo ladder {ladder} has no ratings to be pulled to the mean: leave keep_percent out.",
                )
            now_us = self._platform.now_us()
            keep_percent = DEFAULT_KEEP_PERCENT if asked is None else asked
            closed = tx.seasons.close(ladder, keep_percent, self._signature, now_us)
            what = f"Season {closed.number} of the ladder {ladder} was closed."
            record_decision(tx, AuditKind.EVENT, caller, now_us, what, ladder_name(ladder))
            return pb.CloseSeasonResponse(season=season_message(closed, whole=True))

        return await self._platform.create_once(request, close, pb.CloseSeasonResponse)

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
