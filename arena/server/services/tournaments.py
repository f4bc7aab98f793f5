"""TournamentService: closed events of many formats, and challenges."""
# ruff: noqa: N802 - the methods are named as in the .proto

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from arena.core.errors import ErrorReason, FailedPreconditionError, NotFoundError
from arena.core.pairing.formats.formats import format_of
from arena.core.pairing.formats.gate import gate_of
from arena.core.pairing.formats.plan import History, NextRound
from arena.core.pairing.formats.progress import progress_of
from arena.core.pairing.formats.ties import ties_of
from arena.core.tournaments import PLANNED_AT_ONCE, TournamentState
from arena.scheduling.gates import add_gate_bots
from arena.server.auth.permissions import current_caller
from arena.server.auth.quotas import check_pace
from arena.server.context import Context
from arena.server.services.archiving import check_not_archived, not_empty
from arena.server.services.new_gates import NewGate, check_gate, new_gate
from arena.server.services.new_tournaments import check_possible, new_tournament
from arena.server.services.paging import PageRequest
from arena.server.services.service_context import (
    Service,
    ServiceContext,
    check_may_list_hidden,
    record_decision,
)
from arena.server.tournament_results import TournamentResults, read_results
from arena.store.audit.entries import AuditKind
from arena.store.store import Transaction
from arena.store.tournaments.rounds import RoundRow
from arena.store.tournaments.tournaments import TournamentRow
from arena.v1 import tournament_pb2 as pb
from arena.v1 import tournament_pb2_grpc
from arena.wire.fields import title_of
from arena.wire.messages import tournament as messages
from arena.wire.messages.tournament import TournamentView, read_tournament
from arena.wire.messages.tournament_format import size_message
from arena.wire.resource_names import bot_name, match_name, parse_bot, parse_tournament, tournament_name

PAIRINGS_SHOWN: Final = 1_000
"""How many pairings of a new plan are shown; ListPairings shows all."""


class TournamentService(Service, tournament_pb2_grpc.TournamentServiceServicer):
    """Manages tournaments."""

    def __init__(self, platform: ServiceContext) -> None:
        super().__init__(platform)
        # Ratings are fitted for each: many calls at once must not slow down the matches.
        self._one_table_at_a_time = asyncio.Lock()

    async def CreateTournament(
        self, request: pb.CreateTournamentRequest, _: Context
    ) -> pb.CreateTournamentResponse:
        """Create a tournament; a challenge starts at once."""
        caller = current_caller()
        make = new_gate if request.format == pb.Tournament.FORMAT_GATE else new_tournament
        new = await asyncio.to_thread(make, request, caller, self._platform)

        def check(tx: Transaction) -> TournamentRow:
            return (
                check_gate(tx, new, caller) if isinstance(new, NewGate) else check_possible(tx, new, caller)
            )

        size = size_message(new.form.expected_size(len(new.row.bots)))
        if request.validate_only:
            row = await self._platform.database.read(check)
            whole = row.format in PLANNED_AT_ONCE
            first = History(row.bots, secret=row.secret)
            drawn = NextRound(()) if whole else await asyncio.to_thread(new.form.next_round, first)
            preview = self._message(TournamentView(row))
            for unknown in ("secret_commitment", "create_time", "state"):
                preview.ClearField(unknown)
            plan = messages.planned_messages(new.plan, drawn)[:PAIRINGS_SHOWN]
            byes = map(bot_name, drawn.byes)
            return pb.CreateTournamentResponse(
                tournament=preview, pairings=plan, warnings=new.warnings, byes=byes, size=size
            )

        def create(tx: Transaction) -> pb.CreateTournamentResponse:
            row = check(tx)
            check_pace(tx, caller, row.created_us)
            tx.tournaments.add(row, new.plan)
            if row.gate is not None:
                add_gate_bots(tx, row)
            what = f"The tournament {row.id} was created."
            record_decision(tx, AuditKind.EVENT, caller, row.created_us, what, tournament_name(row.id))
            first = tx.pairings.page(row.id, after=0, limit=PAIRINGS_SHOWN)
            return pb.CreateTournamentResponse(
                tournament=self._message(TournamentView(row)),
                pairings=map(messages.pairing_message, first),
                warnings=new.warnings,
                size=size,
            )

        response = await self._platform.create_once(request, create, pb.CreateTournamentResponse)
        if isinstance(new, NewGate):
            self._platform.runtime.hosting_changed()
        self._platform.runtime.wake_scheduler()
        return response

    async def GetTournament(self, request: pb.GetTournamentRequest, _: Context) -> pb.GetTournamentResponse:
        """Return one tournament."""
        name = parse_tournament("name", request.name)

        def question(tx: Transaction) -> tuple[TournamentView, History | None]:
            row = tx.tournaments.get(name)
            return read_tournament(tx, row), None if row.gate is None else tx.rounds.history(row)

        view, history = await self._platform.database.read(question)
        if history is not None:
            async with self._one_table_at_a_time:
                view = await asyncio.to_thread(_with_test, view, history)
        answer = pb.GetTournamentResponse(tournament=self._message(view))
        if (row := view.row).format not in PLANNED_AT_ONCE:
            form = format_of(row.format, row.seats, row.parameters)
            answer.size.CopyFrom(size_message(form.expected_size(len(row.bots))))
            if not row.current_round and row.state is not TournamentState.FINISHED:
                before = History(row.bots, withdrawals=row.withdrawals, secret=row.secret)
                first = await asyncio.to_thread(form.next_round, before)
                answer.first_round.extend(messages.planned_messages((), first)[:PAIRINGS_SHOWN])
                answer.first_byes.extend(map(bot_name, first.byes))
        return answer

    async def ListTournaments(
        self, request: pb.ListTournamentsRequest, _: Context
    ) -> pb.ListTournamentsResponse:
        """Return tournaments, newest first."""
        check_may_list_hidden(request.show_hidden)

        def rows(tx: Transaction, wanted: PageRequest) -> list[TournamentView]:
            tournaments = tx.tournaments.page(
                show_hidden=request.show_hidden,
                show_archived=request.show_archived,
                before=wanted.after,
                limit=wanted.fetch,
            )
            return [read_tournament(tx, row) for row in tournaments]

        page = await self._platform.page(request, rows, lambda view: (view.row.created_us, view.row.id))
        tournaments = map(self._message, page.rows)
        return pb.ListTournamentsResponse(tournaments=tournaments, next_page_token=page.next_token)

    async def ListPairings(self, request: pb.ListPairingsRequest, _: Context) -> pb.ListPairingsResponse:
        """Return the pairings in the order of the plan."""
        name = parse_tournament("name", request.name)

        def rows(tx: Transaction, wanted: PageRequest) -> list[pb.Pairing]:
            row = tx.tournaments.get(name)
            pairings = tx.pairings.page(
                name, after=wanted.first or 0, limit=wanted.fetch, withdrawals=row.withdrawals
            )
            return list(map(messages.pairing_message, pairings))

        page = await self._platform.page(request, rows, lambda pairing: (pairing.number,))
        return pb.ListPairingsResponse(pairings=page.rows, next_page_token=page.next_token)

    async def ListRounds(self, request: pb.ListRoundsRequest, _: Context) -> pb.ListRoundsResponse:
        """Return the rounds planned so far, with their byes."""
        name = parse_tournament("name", request.name)

        def rows(tx: Transaction, wanted: PageRequest) -> tuple[RoundRow, ...]:
            row = tx.tournaments.get(name)
            return tx.rounds.page(row.id, after=wanted.first or 0, limit=wanted.fetch)

        page = await self._platform.page(request, rows, lambda row: (row.number,))
        rounds = map(messages.round_message, page.rows)
        return pb.ListRoundsResponse(rounds=rounds, next_page_token=page.next_token)

    async def GetBracket(self, request: pb.GetBracketRequest, _: Context) -> pb.GetBracketResponse:
        """Return the ties of the brackets as far as they are known."""
        name = parse_tournament("name", request.name)

        def question(tx: Transaction) -> tuple[TournamentRow, History]:
            row = tx.tournaments.get(name)
            return row, tx.rounds.history(row)

        async with self._one_table_at_a_time:
            row, history = await self._platform.database.read(question)
            if row.format in PLANNED_AT_ONCE:
                return pb.GetBracketResponse()
            form = format_of(row.format, row.seats, row.parameters)
            ties = await asyncio.to_thread(ties_of, form, history)
        return pb.GetBracketResponse(ties=map(messages.tie_message, ties))

    async def WithdrawFromTournament(
        self, request: pb.WithdrawFromTournamentRequest, _: Context
    ) -> pb.WithdrawFromTournamentResponse:
        """Withdraw a bot from the rounds to come, and from the pairings whose matches are not made yet."""
        caller, bot = current_caller(), parse_bot("bot", request.bot)
        answer = pb.WithdrawFromTournamentResponse()

        def withdraw(tx: Transaction, row: TournamentRow) -> None:
            if bot not in row.bots:
                sentence = f"{bot_name(bot)} is not in the tournament {row.id}; see `arena tournament show {row.id}`."
                raise NotFoundError(ErrorReason.BOT_NOT_FOUND, sentence, bot=bot)
            caller.check_owns(tx.bots.get_any(bot).owner, bot_name(bot))
            if row.state is TournamentState.FINISHED:
                raise FailedPreconditionError(
                    ErrorReason.TOURNAMENT_STATE,
                    f"The tournament {row.id} has finished: no bot can withdraw from it.",
                    tournament=row.id,
                )
            answer.unchanged = bot in row.withdrawn
            if not answer.unchanged:
                answer.dropped_pairings = tx.tournaments.withdraw(row, bot, self._platform.now_us())
            answer.open_matches[:] = map(match_name, tx.tournaments.open_matches(row.id, bot))

        tournament = await self._change(request.name, f"left by {bot_name(bot)}", withdraw, bot_name(bot))
        answer.tournament.CopyFrom(tournament)
        return answer

    async def RunTournament(self, request: pb.RunTournamentRequest, _: Context) -> pb.RunTournamentResponse:
        """Begin its matches; it may be running already."""
        return pb.RunTournamentResponse(tournament=await self._change(request.name, "started", _run))

    async def PauseTournament(
        self, request: pb.PauseTournamentRequest, _: Context
    ) -> pb.PauseTournamentResponse:
        """Begin no more of its matches; running ones are finished."""
        return pb.PauseTournamentResponse(tournament=await self._change(request.name, "paused", _pause))

    async def RenameTournament(
        self, request: pb.RenameTournamentRequest, _: Context
    ) -> pb.RenameTournamentResponse:
        """Set the title of a tournament."""
        title = title_of(request.title)
        how = f"given the title {title!r}" if title else "left without a title"
        tournament = await self._change(
            request.name, how, lambda tx, row: tx.tournaments.set_title(row.id, title)
        )
        return pb.RenameTournamentResponse(tournament=tournament)

    async def SetTournamentHidden(
        self, request: pb.SetTournamentHiddenRequest, _: Context
    ) -> pb.SetTournamentHiddenResponse:
        """Hide the tournament, or show it again."""
        how = "hidden" if request.hidden else "shown again"
        tournament = await self._change(
            request.name, how, lambda tx, row: tx.tournaments.set_hidden(row.id, request.hidden)
        )
        return pb.SetTournamentHiddenResponse(tournament=tournament)

    async def SetTournamentArchived(
        self, request: pb.SetTournamentArchivedRequest, _: Context
    ) -> pb.SetTournamentArchivedResponse:
        """Archive the tournament, or take it out of the archive."""

        def archive(tx: Transaction, row: TournamentRow) -> None:
            if request.archived and row.state is TournamentState.RUNNING:
                raise FailedPreconditionError(
                    ErrorReason.TOURNAMENT_STATE,
                    f"The tournament {row.id} is running. Wait for its end, or pause it first: "
                    f"`arena tournament pause {row.id}`.",
                    tournament=row.id,
                )
            tx.tournaments.set_archived(row.id, request.archived)

        how = "archived" if request.archived else "taken out of the archive"
        tournament = await self._change(request.name, how, archive)
        return pb.SetTournamentArchivedResponse(tournament=tournament)

    async def DeleteTournament(
        self, request: pb.DeleteTournamentRequest, _: Context
    ) -> pb.DeleteTournamentResponse:
        """Delete a tournament of which no match was made."""
        caller, tournament = current_caller(), parse_tournament("name", request.name)

        def delete(tx: Transaction) -> TournamentView:
            row = tx.tournaments.get(tournament)
            if row.gate is not None:
                raise not_empty("tournament", row.id, "it is a gate, whose bots stay")
            if tx.tournaments.has_matches(row.id):
                raise not_empty("tournament", row.id, "matches of it were made")
            view = read_tournament(tx, row)
            tx.tournaments.remove(row.id)
            what, now_us = f"The tournament {row.id} was deleted.", self._platform.now_us()
            record_decision(tx, AuditKind.EVENT, caller, now_us, what, tournament_name(row.id))
            return view

        view = await self._platform.database.write(delete)
        self._platform.runtime.wake_scheduler()
        return pb.DeleteTournamentResponse(tournament=self._message(view))

    async def GetCrosstable(self, request: pb.GetCrosstableRequest, _: Context) -> pb.GetCrosstableResponse:
        """Return present standings and crosstable."""
        name = parse_tournament("name", request.name)

        def message(results: TournamentResults) -> pb.GetCrosstableResponse:
            table = results.crosstable()
            progress = {} if results.rounds is None else progress_of(results.form, results.rounds)
            return messages.crosstable_message(table, results.matches.played, results.row, progress)

        async with self._one_table_at_a_time:
            results = await self._platform.database.read(lambda tx: read_results(tx, name))
            return await asyncio.to_thread(message, results)

    async def _change(
        self, name: str, how: str, change: Callable[[Transaction, TournamentRow], None], *about: str
    ) -> pb.Tournament:
        """Change the tournament, record it, and wake the scheduler. `about`: what else the audit entry is about."""
        caller, tournament = current_caller(), parse_tournament("name", name)

        def work(tx: Transaction) -> TournamentView:
            change(tx, tx.tournaments.get(tournament))
            what = f"The tournament {tournament} was {how}."
            record_decision(
                tx,
                AuditKind.EVENT,
                caller,
                self._platform.now_us(),
                what,
                tournament_name(tournament),
                *about,
            )
            return read_tournament(tx, tx.tournaments.get(tournament))

        view = await self._platform.database.write(work)
        self._platform.runtime.wake_scheduler()
        return self._message(view)

    def _message(self, view: TournamentView) -> pb.Tournament:
        waiting_for = self._platform.runtime.tournament_waiting_for(view.row.id)
        return messages.tournament_message(view, self._platform.catalogue, waiting_for)


def _with_test(view: TournamentView, history: History) -> TournamentView:
    """Return a gate with the test of its complete rounds."""
    parameters = view.row.parameters.gate
    assert parameters is not None
    return replace(view, test=gate_of(view.row.seats, parameters).test(history))


def _run(tx: Transaction, row: TournamentRow) -> None:
    """Run it. Raises FailedPreconditionError (TOURNAMENT_STATE, EVENT_ARCHIVED)."""
    check_not_archived("tournament", row)
    if row.state is TournamentState.FINISHED:
        raise FailedPreconditionError(
            ErrorReason.TOURNAMENT_STATE,
            f"The tournament {row.id} has finished: all its matches have ended; create another one to play again.",
            tournament=row.id,
        )
    tx.tournaments.set_state(row.id, TournamentState.RUNNING)


def _pause(tx: Transaction, row: TournamentRow) -> None:
    """Pause it. Raises FailedPreconditionError (TOURNAMENT_STATE)."""
    if row.state not in (TournamentState.RUNNING, TournamentState.PAUSED):
        raise FailedPreconditionError(
            ErrorReason.TOURNAMENT_STATE,
            f"The tournament {row.id} is {row.state.name.lower()}: only one that runs can be paused.",
            tournament=row.id,
        )
    tx.tournaments.set_state(row.id, TournamentState.PAUSED)
