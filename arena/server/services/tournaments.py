"""TournamentService: closed events with a plan of pairings, and challenges."""
# ruff: noqa: N802 - the methods are named as in the .proto

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from arena.core.crosstable import crosstable
from arena.core.errors import ErrorReason, FailedPreconditionError
from arena.core.tournaments import TournamentState
from arena.server.auth.permissions import Caller, current_caller
from arena.server.auth.quotas import check_pace
from arena.server.context import Context
from arena.server.services.decisions import decided
from arena.server.services.idempotency import create_once
from arena.server.services.new_tournament import NewTournament, check_possible, new_tournament
from arena.server.services.service_context import ServiceContext
from arena.store.audit.entries import AuditKind
from arena.store.store import Transaction
from arena.store.tournaments.pairings import TournamentHistory
from arena.store.tournaments.tournaments import TournamentPlace, TournamentRow
from arena.v1 import tournament_pb2, tournament_pb2_grpc
from arena.wire.messages.tournament import (
    TournamentView,
    crosstable_message,
    fitted_ratings,
    pairing_message,
    planned_message,
    read_tournament,
    tournament_message,
)
from arena.wire.resource_names import parse_tournament, tournament_name

PAIRINGS_TOLD: Final = 1_000
"""Of a new plan the first so many are told; ListPairings shows all."""


class TournamentService(tournament_pb2_grpc.TournamentServiceServicer):
    """Keeps the tournaments."""

    def __init__(self, platform: ServiceContext, random_bytes: Callable[[int], bytes]) -> None:
        """`random_bytes` makes the secrets of seeds: `secrets.token_bytes` in a real arena."""
        self._platform = platform
        self._random_bytes = random_bytes
        # Ratings are fitted for each: many who ask at once must not crowd out the matches.
        self._one_table_at_a_time = asyncio.Lock()

    async def CreateTournament(
        self, request: tournament_pb2.CreateTournamentRequest, context: Context
    ) -> tournament_pb2.CreateTournamentResponse:
        """The tournament exists with its plan; a challenge runs."""
        caller = current_caller()
        new = await asyncio.to_thread(
            new_tournament,
            request,
            caller,
            self._platform.catalogue,
            self._random_bytes,
            self._platform.now_us(),
        )
        if request.validate_only:
            return await self._platform.database.read(lambda tx: self._preview(tx, new, caller))

        def create(tx: Transaction) -> tournament_pb2.CreateTournamentResponse:
            row = check_possible(tx, new, caller)
            check_pace(tx, caller, row.created_us)
            tx.tournaments.add(row, new.plan)
            what = f"The tournament {row.id} was created."
            decided(tx, AuditKind.EVENT, caller, row.created_us, what, tournament_name(row.id))
            first = tx.pairings.page(row.id, after=0, limit=PAIRINGS_TOLD)
            return tournament_pb2.CreateTournamentResponse(
                tournament=self._message(TournamentView(row)),
                pairings=[pairing_message(row, pairing) for pairing in first],
            )

        kind = tournament_pb2.CreateTournamentResponse
        response = await create_once(self._platform, caller.owner, request, create, kind)
        self._platform.live.wake_scheduler()
        return response

    def _preview(
        self, tx: Transaction, new: NewTournament, caller: Caller
    ) -> tournament_pb2.CreateTournamentResponse:
        """The tournament as it would be; its secret, and what follows from it, does not exist yet."""
        tournament = self._message(TournamentView(check_possible(tx, new, caller)))
        for unknown in ("secret_commitment", "create_time", "state"):
            tournament.ClearField(unknown)
        plan = [planned_message(pairing) for pairing in new.plan[:PAIRINGS_TOLD]]
        return tournament_pb2.CreateTournamentResponse(tournament=tournament, pairings=plan)

    async def GetTournament(
        self, request: tournament_pb2.GetTournamentRequest, context: Context
    ) -> tournament_pb2.GetTournamentResponse:
        """One tournament."""
        name = parse_tournament("name", request.name)
        view = await self._platform.database.read(lambda tx: read_tournament(tx, tx.tournaments.get(name)))
        return tournament_pb2.GetTournamentResponse(tournament=self._message(view))

    async def ListTournaments(
        self, request: tournament_pb2.ListTournamentsRequest, context: Context
    ) -> tournament_pb2.ListTournamentsResponse:
        """Tournaments, newest first."""
        pages = self._platform.pages
        wanted = pages.read(request.page_size, request.page_token, "ListTournaments")
        before = None if wanted.after is None else TournamentPlace(int(wanted.after[0]), str(wanted.after[1]))
        views = await self._platform.database.read(
            lambda tx: [
                read_tournament(tx, row) for row in tx.tournaments.page(before=before, limit=wanted.fetch)
            ]
        )
        page = pages.cut(wanted, views, lambda view: (view.row.created_us, view.row.id))
        return tournament_pb2.ListTournamentsResponse(
            tournaments=[self._message(view) for view in page.rows], next_page_token=page.next_token
        )

    async def ListPairings(
        self, request: tournament_pb2.ListPairingsRequest, context: Context
    ) -> tournament_pb2.ListPairingsResponse:
        """The plan in its order."""
        name, pages = parse_tournament("name", request.name), self._platform.pages
        wanted = pages.read(request.page_size, request.page_token, "ListPairings", name)
        after = 0 if wanted.after is None else int(wanted.after[0])

        def question(tx: Transaction) -> tournament_pb2.ListPairingsResponse:
            row = tx.tournaments.get(name)
            rows = tx.pairings.page(name, after=after, limit=wanted.fetch)
            page = pages.cut(wanted, rows, lambda pairing: (pairing.number,))
            return tournament_pb2.ListPairingsResponse(
                pairings=[pairing_message(row, pairing) for pairing in page.rows],
                next_page_token=page.next_token,
            )

        return await self._platform.database.read(question)

    async def RunTournament(
        self, request: tournament_pb2.RunTournamentRequest, context: Context
    ) -> tournament_pb2.RunTournamentResponse:
        """Its matches are begun; running one that runs is no error."""
        view = await self._change(request.name, "set going", _run)
        return tournament_pb2.RunTournamentResponse(tournament=self._message(view))

    async def PauseTournament(
        self, request: tournament_pb2.PauseTournamentRequest, context: Context
    ) -> tournament_pb2.PauseTournamentResponse:
        """No more of its matches begin; running ones are finished."""
        view = await self._change(request.name, "paused", _pause)
        return tournament_pb2.PauseTournamentResponse(tournament=self._message(view))

    async def GetCrosstable(
        self, request: tournament_pb2.GetCrosstableRequest, context: Context
    ) -> tournament_pb2.GetCrosstableResponse:
        """Standings and crosstable as they are now."""
        name = parse_tournament("name", request.name)

        def question(tx: Transaction) -> tuple[TournamentRow, TournamentHistory]:
            return tx.tournaments.get(name), tx.pairings.history(name)

        async with self._one_table_at_a_time:
            row, history = await self._platform.database.read(question)
            return await asyncio.to_thread(_crosstable, row, history)

    async def _change(
        self, name: str, how: str, change: Callable[[Transaction, TournamentRow], None]
    ) -> TournamentView:
        """The tournament after a change, which is put on record, and of which the scheduler is told."""
        caller, tournament = current_caller(), parse_tournament("name", name)

        def work(tx: Transaction) -> TournamentView:
            change(tx, tx.tournaments.get(tournament))
            what = f"The tournament {tournament} was {how}."
            decided(tx, AuditKind.EVENT, caller, self._platform.now_us(), what, tournament_name(tournament))
            return read_tournament(tx, tx.tournaments.get(tournament))

        view = await self._platform.database.write(work)
        self._platform.live.wake_scheduler()
        return view

    def _message(self, view: TournamentView) -> tournament_pb2.Tournament:
        waiting_for = self._platform.live.tournament_waiting_for(view.row.id)
        return tournament_message(view, self._platform.catalogue, waiting_for)


def _crosstable(row: TournamentRow, history: TournamentHistory) -> tournament_pb2.GetCrosstableResponse:
    table = crosstable(row.bots, history.played, history.not_played)
    return crosstable_message(table, fitted_ratings(history.played))


def _run(tx: Transaction, row: TournamentRow) -> None:
    """Raises FailedPreconditionError (TOURNAMENT_STATE)."""
    if row.state is TournamentState.FINISHED:
        raise FailedPreconditionError(
            ErrorReason.TOURNAMENT_STATE,
            f"The tournament {row.id} has finished: all its matches have ended; create another one to play again.",
            tournament=row.id,
        )
    tx.tournaments.set_state(row.id, TournamentState.RUNNING)


def _pause(tx: Transaction, row: TournamentRow) -> None:
    """Raises FailedPreconditionError (TOURNAMENT_STATE)."""
    if row.state not in (TournamentState.RUNNING, TournamentState.PAUSED):
        raise FailedPreconditionError(
            ErrorReason.TOURNAMENT_STATE,
            f"The tournament {row.id} is {row.state.name.lower()}: only one that runs can be paused.",
            tournament=row.id,
        )
    tx.tournaments.set_state(row.id, TournamentState.PAUSED)
