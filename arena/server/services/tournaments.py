"""TournamentService: closed events with a plan of pairings, and challenges."""
# ruff: noqa: N802 - the methods are named as in the .proto

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from arena.codecs.shared_messages import time_control_of
from arena.core.clock.clock_fit import check_clock_fits, clock_warnings
from arena.core.clock.time_control import CHALLENGE_CLOCK, TimeControl
from arena.core.errors import ErrorReason, FailedPreconditionError, invalid_field
from arena.core.match import SeedPolicy
from arena.core.pairing.groups import check_seed_policy, default_seed_policy
from arena.core.pairing.round_robin import PlannedPairing, check_size, round_robin
from arena.core.seeds import SECRET_BYTES, secret_commitment
from arena.core.tournaments import TournamentFormat, TournamentState, crosstable
from arena.server.auth.permissions import Caller, current_caller
from arena.server.auth.quotas import check_pace
from arena.server.context import Context
from arena.server.services.ladders import asked_seed_policy
from arena.server.services.paging import PageRequest
from arena.server.services.service_context import Service, ServiceContext, record_decision
from arena.store.accounts.tokens import Scope
from arena.store.audit.entries import AuditKind
from arena.store.store import Transaction
from arena.store.tournaments.pairings import TournamentHistory
from arena.store.tournaments.tournaments import TournamentRow
from arena.v1 import tournament_pb2 as pb
from arena.v1 import tournament_pb2_grpc
from arena.wire.fields import enum_of
from arena.wire.messages import tournament as messages
from arena.wire.messages.tournament import TournamentView, read_tournament
from arena.wire.resource_names import bot_name, check_id, parse_bot, parse_tournament, tournament_name
from engine.game import Chance, GameSpec

FEWEST_SEATS: Final = 2

MOST_CHALLENGE_MATCHES: Final = 100
"""The most matches of an owner's challenge."""

MOST_CHALLENGES: Final = 3
"""The most unfinished challenges of one owner."""


@dataclass(frozen=True, slots=True)
class NewTournament:
    """A checked request for a tournament."""

    row: TournamentRow
    """Its id is empty if the arena is to choose one; its seed policy assumes that no bot is hosted."""
    plan: tuple[PlannedPairing, ...]
    asked_policy: SeedPolicy | None
    """None: the arena chooses."""
    chance: Chance
    """Of the game."""
    warnings: tuple[str, ...]
    """Sentences for its creator."""


def new_tournament(
    request: pb.CreateTournamentRequest, caller: Caller, platform: ServiceContext
) -> NewTournament:
    """Return the requested tournament with all options filled in and a new secret.

    Raises NotFoundError (GAME_NOT_FOUND), InvalidArgumentError (FIELD_INVALID), InvalidOptionsError,
    FailedPreconditionError (TOO_FEW_BOTS, PLAN_TOO_LARGE), PermissionDeniedError (ROLE_REQUIRED).
    """
    kind = enum_of(TournamentFormat, "format", request.format, "a round-robin or a challenge")
    if kind is TournamentFormat.ROUND_ROBIN:
        caller.check_organiser("A round-robin", Scope.ORGANISE)
    challenge = kind is TournamentFormat.CHALLENGE
    unnamed = challenge and not request.tournament_id
    tournament = "" if unnamed else check_id("tournament_id", request.tournament_id, event=True)
    game = platform.catalogue.game(request.game)
    bots = _bots(request)
    seats = _seats(request, kind, game.spec)
    rounds = request.rounds or 1
    plan = round_robin(bots, seats=seats, rounds=rounds)
    if not caller.is_organiser:
        check_size(len(plan) * seats, MOST_CHALLENGE_MATCHES)
    asked = asked_seed_policy(request.seed_policy, game.spec)
    secret = platform.random_bytes(SECRET_BYTES)
    control = time_control_of(request.time_control) if request.HasField("time_control") else TimeControl()
    if not caller.is_organiser:
        _check_clock(control)
    check_clock_fits(control)
    options = game.options(seats, dict(request.options))
    row = TournamentRow(
        id=tournament,
        owner=caller.owner,
        format=kind,
        game=game.spec.id,
        rules_version=game.spec.rules_version,
        options=game.option_values(options),
        time_control=control,
        bots=bots,
        seats=seats,
        rounds=rounds,
        seed_policy=asked or default_seed_policy(game.spec.chance, isolated=False),
        state=TournamentState.RUNNING if challenge else TournamentState.PLANNED,
        pairings=len(plan),
        secret=secret,
        commitment=secret_commitment(secret),
        created_us=platform.now_us(),
    )
    return NewTournament(row, plan, asked, game.spec.chance, clock_warnings(control, game, {seats: options}))


def check_possible(tx: Transaction, new: NewTournament, caller: Caller) -> TournamentRow:
    """Return the tournament as it may be stored now, with an id.

    Raises:
        AlreadyExistsError: TOURNAMENT_EXISTS.
        NotFoundError: BOT_NOT_FOUND.
        PermissionDeniedError: NOT_OWNER, none of the bots is the caller's.
        FailedPreconditionError: TOURNAMENT_STATE, an owner has too many challenges that have not finished;
            SHARED_SEED_REFUSED; CHALLENGE_REFUSED.
    """
    bots = [tx.bots.get(bot) for bot in new.row.bots]
    owners = {bot.id: bot.owner for bot in bots}
    if caller.owner not in owners.values():
        caller.check_owns("", f"Each of {', '.join(bot_name(bot) for bot in owners)}")
    if not caller.is_organiser and tx.tournaments.count_open_challenges(caller.owner) >= MOST_CHALLENGES:
        raise FailedPreconditionError(
            ErrorReason.TOURNAMENT_STATE,
            f"You have {MOST_CHALLENGES} challenges that have not finished, and may have no more: wait for one to"
            " end, see `arena tournament list`.",
        )
    others = [bot for bot in bots if bot.owner != caller.owner]
    refusing = next((bot for bot in others if bot.refuses_challenges), None)
    if refusing is not None and not caller.is_organiser:
        raise FailedPreconditionError(
            ErrorReason.CHALLENGE_REFUSED,
            f"{bot_name(refusing.id)} takes no challenges of other owners: name another bot, or ask its owner,"
            f" {refusing.owner}.",
            bot=refusing.id,
        )
    row = replace(new.row, seed_policy=_seed_policy(tx, new), yields=bool(others) and not caller.is_organiser)
    if not row.id:
        return replace(row, id=tx.tournaments.next_challenge_id())
    tx.tournaments.check_free(row.id)
    return row


def _check_clock(control: TimeControl) -> None:
    """Raise InvalidArgumentError (FIELD_INVALID) if the clock is too long for an owner's challenge."""
    for field, most in CHALLENGE_CLOCK.items():
        value = getattr(control, field)
        if value > most:
            raise invalid_field(
                f"time_control.{field}",
                f"time_control.{field} is {value}, but at most {most} in a challenge that an owner makes: lower it, or"
                " ask an organiser to make the challenge.",
            )


def _seed_policy(tx: Transaction, new: NewTournament) -> SeedPolicy:
    """Return the requested seed policy, or the one that bots and game allow."""
    hosted = tx.hosting.of(new.row.bots)
    isolated = all(bot in hosted and hosted[bot].version is not None for bot in new.row.bots)
    policy = new.asked_policy or default_seed_policy(new.chance, isolated=isolated)
    check_seed_policy(policy, new.chance, isolated=isolated)
    return policy


def _bots(request: pb.CreateTournamentRequest) -> tuple[str, ...]:
    bots = tuple(parse_bot("bots", name) for name in request.bots)
    twice = next((bot for bot, times in Counter(bots).items() if times > 1), None)
    if twice is not None:
        raise invalid_field("bots", f"bots has {bot_name(twice)} twice: name each bot once.")
    return bots


def _seats(request: pb.CreateTournamentRequest, kind: TournamentFormat, spec: GameSpec) -> int:
    allowed = range(max(FEWEST_SEATS, spec.min_seats), spec.max_seats + 1)
    challenge = kind is TournamentFormat.CHALLENGE
    if challenge and len(request.bots) < allowed[0]:
        raise FailedPreconditionError(
            ErrorReason.TOO_FEW_BOTS, f"A challenge is between {allowed[0]} bots or more: name more."
        )
    seats = request.seats or (len(request.bots) if challenge else allowed[0])
    if seats not in allowed:
        why = "; who plays alone is ranked on a solo ladder" if seats == spec.min_seats == 1 else ""
        allowed_words = f"{allowed[0]} to {allowed[-1]} seats in {spec.title}"
        raise invalid_field("seats", f"A match of a tournament has {allowed_words}, not {seats}{why}.")
    if challenge and seats != len(request.bots):
        raise invalid_field("seats", f"A challenge seats all its {len(request.bots)} bots: leave seats out.")
    return seats


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
        """Create a tournament with its plan; a challenge starts at once."""
        caller = current_caller()
        new = await asyncio.to_thread(new_tournament, request, caller, self._platform)
        if request.validate_only:
            row = await self._platform.database.read(lambda tx: check_possible(tx, new, caller))
            preview = self._message(TournamentView(row))
            for unknown in ("secret_commitment", "create_time", "state"):
                preview.ClearField(unknown)
            plan = [messages.planned_message(pairing) for pairing in new.plan[:PAIRINGS_SHOWN]]
            return pb.CreateTournamentResponse(tournament=preview, pairings=plan, warnings=new.warnings)

        def create(tx: Transaction) -> pb.CreateTournamentResponse:
            row = check_possible(tx, new, caller)
            check_pace(tx, caller, row.created_us)
            tx.tournaments.add(row, new.plan)
            what = f"The tournament {row.id} was created."
            record_decision(tx, AuditKind.EVENT, caller, row.created_us, what, tournament_name(row.id))
            first = tx.pairings.page(row.id, after=0, limit=PAIRINGS_SHOWN)
            return pb.CreateTournamentResponse(
                tournament=self._message(TournamentView(row)),
                pairings=[messages.pairing_message(row, pairing) for pairing in first],
                warnings=new.warnings,
            )

        response = await self._platform.create_once(request, create, pb.CreateTournamentResponse)
        self._platform.runtime.wake_scheduler()
        return response

    async def GetTournament(self, request: pb.GetTournamentRequest, _: Context) -> pb.GetTournamentResponse:
        """Return one tournament."""
        name = parse_tournament("name", request.name)
        view = await self._platform.database.read(lambda tx: read_tournament(tx, tx.tournaments.get(name)))
        return pb.GetTournamentResponse(tournament=self._message(view))

    async def ListTournaments(
        self, request: pb.ListTournamentsRequest, _: Context
    ) -> pb.ListTournamentsResponse:
        """Return tournaments, newest first."""

        def rows(tx: Transaction, wanted: PageRequest) -> list[TournamentView]:
            tournaments = tx.tournaments.page(before=wanted.after, limit=wanted.fetch)
            return [read_tournament(tx, row) for row in tournaments]

        page = await self._platform.page(request, rows, lambda view: (view.row.created_us, view.row.id))
        tournaments = map(self._message, page.rows)
        return pb.ListTournamentsResponse(tournaments=tournaments, next_page_token=page.next_token)

    async def ListPairings(self, request: pb.ListPairingsRequest, _: Context) -> pb.ListPairingsResponse:
        """Return the plan in its order."""
        name = parse_tournament("name", request.name)

        def rows(tx: Transaction, wanted: PageRequest) -> list[pb.Pairing]:
            row = tx.tournaments.get(name)
            pairings = tx.pairings.page(name, after=wanted.first or 0, limit=wanted.fetch)
            return [messages.pairing_message(row, pairing) for pairing in pairings]

        page = await self._platform.page(request, rows, lambda pairing: (pairing.number,))
        return pb.ListPairingsResponse(pairings=page.rows, next_page_token=page.next_token)

    async def RunTournament(self, request: pb.RunTournamentRequest, _: Context) -> pb.RunTournamentResponse:
        """Begin its matches; it may be running already."""
        return pb.RunTournamentResponse(tournament=await self._change(request.name, "started", _run))

    async def PauseTournament(
        self, request: pb.PauseTournamentRequest, _: Context
    ) -> pb.PauseTournamentResponse:
        """Begin no more of its matches; running ones are finished."""
        return pb.PauseTournamentResponse(tournament=await self._change(request.name, "paused", _pause))

    async def GetCrosstable(self, request: pb.GetCrosstableRequest, _: Context) -> pb.GetCrosstableResponse:
        """Return present standings and crosstable."""
        name = parse_tournament("name", request.name)

        def question(tx: Transaction) -> tuple[TournamentRow, TournamentHistory]:
            return tx.tournaments.get(name), tx.pairings.history(name)

        async with self._one_table_at_a_time:
            row, history = await self._platform.database.read(question)
            table = await asyncio.to_thread(crosstable, row.bots, history.played, history.not_played)
        return messages.crosstable_message(table, history.played)

    async def _change(
        self, name: str, how: str, change: Callable[[Transaction, TournamentRow], None]
    ) -> pb.Tournament:
        """Change the tournament, record it, and wake the scheduler."""
        caller, tournament = current_caller(), parse_tournament("name", name)

        def work(tx: Transaction) -> TournamentView:
            change(tx, tx.tournaments.get(tournament))
            what = f"The tournament {tournament} was {how}."
            record_decision(
                tx, AuditKind.EVENT, caller, self._platform.now_us(), what, tournament_name(tournament)
            )
            return read_tournament(tx, tx.tournaments.get(tournament))

        view = await self._platform.database.write(work)
        self._platform.runtime.wake_scheduler()
        return self._message(view)

    def _message(self, view: TournamentView) -> pb.Tournament:
        waiting_for = self._platform.runtime.tournament_waiting_for(view.row.id)
        return messages.tournament_message(view, self._platform.catalogue, waiting_for)


def _run(tx: Transaction, row: TournamentRow) -> None:
    """Run it. Raises FailedPreconditionError (TOURNAMENT_STATE)."""
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
