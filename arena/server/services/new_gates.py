"""What is asked for when a gate is created: two versions of a bot, and a field for them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from arena.core.errors import ErrorReason, FailedPreconditionError, invalid_field
from arena.core.match import SeedPolicy
from arena.core.pairing.formats.formats import format_of
from arena.core.pairing.formats.gate import LOWER_LIMIT
from arena.core.pairing.formats.parameters import GateParameters
from arena.core.pairing.round_robin import check_size
from arena.core.suites import Suite
from arena.core.tournaments import TournamentFormat, TournamentState, matches_of_pairing
from arena.server.auth.permissions import Caller
from arena.server.services.deadlines import check_version_open
from arena.server.services.freezes import check_all_revealed
from arena.server.services.new_tournaments import (
    NewTournament,
    asked_rules,
    asked_suite,
    check_takes_challenges,
    named_bots,
    number_of_seats,
    suite_warnings,
    takes_challenges,
)
from arena.server.services.service_context import ServiceContext
from arena.store.accounts.tokens import Scope
from arena.store.bots.hosting import HostedRow
from arena.store.store import Transaction
from arena.store.tournaments.tournaments import GateRow, TournamentRow, gate_bot_ids
from arena.v1 import match_pb2
from arena.v1 import tournament_pb2 as pb
from arena.wire.messages.tournament_format import parameters_of
from arena.wire.resource_names import bot_name, parse_bot, parse_ladder, parse_version

MOST_GATE_MATCHES: Final = 4_000
"""The most matches of an owner's gate."""

MOST_GATES: Final = 1
"""The most unfinished gates of one owner."""

MOST_FIELD: Final = 100
"""The most bots that a gate takes from a ladder."""

DEFAULT_MATCHES: Final = 2_000
"""At most so many matches are played if nothing else is asked for."""


@dataclass(frozen=True, slots=True)
class NewGate(NewTournament):
    """A checked request for a gate. Its row has no bots yet, and of the versions what the request has."""

    bot: str
    candidate: str
    """The first digits of the hash."""
    named: tuple[str, ...]
    """Bots of the field."""
    best: int
    """How many more come from the ladder."""
    apply: bool


def new_gate(request: pb.CreateTournamentRequest, caller: Caller, platform: ServiceContext) -> NewGate:
    """Return the requested gate with all options filled in and a new secret.

    Raises NotFoundError (GAME_NOT_FOUND), InvalidArgumentError (FIELD_INVALID), InvalidOptionsError,
    FailedPreconditionError (PLAN_TOO_LARGE), PermissionDeniedError (SCOPE_REQUIRED).
    """
    asked = request.gate
    if not request.HasField("gate"):
        raise invalid_field("gate", "A gate compares two versions of a bot: set gate.bot and gate.candidate.")
    if request.tournament_id:
        raise invalid_field("tournament_id", "A gate gets its id from the arena: leave tournament_id empty.")
    if request.rounds:
        raise invalid_field("rounds", "A gate has no number of rounds, but parameters.gate.set_ups.")
    if request.seed_policy not in (match_pb2.SEED_POLICY_UNSPECIFIED, match_pb2.SEED_POLICY_SHARED):
        raise invalid_field("seed_policy", "The matches of a set-up share a seed: leave seed_policy out.")
    if request.visibility not in (pb.Tournament.VISIBILITY_UNSPECIFIED, pb.Tournament.VISIBILITY_SEALED):
        raise invalid_field(
            "visibility", "A set-up is sealed until it has been played: leave visibility out."
        )
    if asked.apply:
        caller.check_scope("A gate that lets the candidate play", Scope.BOTS)
    bot = parse_bot("gate.bot", asked.bot)
    of_bot, beginning = parse_version("gate.candidate", asked.candidate)
    if of_bot != bot:
        raise invalid_field("gate.candidate", f"gate.candidate is of {of_bot}, but must be one of {bot}.")
    named = named_bots(request)
    if bot in named:
        raise invalid_field("bots", f"{bot_name(bot)} is compared, and cannot be its own opponent.")
    ladder = _ladder(request)
    if not named and not asked.field:
        raise invalid_field("bots", "A gate needs opponents: name bots, or set gate.field and seeded_by.")
    game = platform.catalogue.game(request.game)
    seats = number_of_seats(request, TournamentFormat.GATE, game.spec)
    size = matches_of_pairing(TournamentFormat.GATE, seats)
    parameters = parameters_of(request.parameters, 0)
    gate = parameters.gate or GateParameters(set_ups=0)
    suite = asked_suite(request, TournamentFormat.GATE, seats)
    set_ups = gate.set_ups or DEFAULT_MATCHES // size
    if suite is not None:
        set_ups = _set_ups_of(suite, gate.set_ups, set_ups)
    parameters = replace(parameters, gate=replace(gate, set_ups=set_ups))
    form = format_of(TournamentFormat.GATE, seats, parameters)
    assert parameters.gate is not None
    if not caller.is_organiser:
        check_size(parameters.gate.set_ups * size, MOST_GATE_MATCHES, LOWER_LIMIT)
    row, warnings = asked_rules(request, caller, platform, game, seats)
    row = replace(
        row,
        format=TournamentFormat.GATE,
        seed_policy=SeedPolicy.SHARED,
        state=TournamentState.RUNNING,
        parameters=parameters,
        seeded_by=ladder,
        suite=suite,
    )
    warnings = (*warnings, *suite_warnings(row, game.spec))
    return NewGate(
        row,
        form,
        (),
        SeedPolicy.SHARED,
        game.spec.chance,
        warnings,
        bot=bot,
        candidate=beginning,
        named=named,
        best=asked.field,
        apply=asked.apply,
    )


def check_gate(tx: Transaction, new: NewGate, caller: Caller) -> TournamentRow:
    """Return the gate as it may be stored now, with its id and bots.

    Raises:
        NotFoundError: BOT_NOT_FOUND, LADDER_NOT_FOUND, VERSION_NOT_FOUND.
        InvalidArgumentError: FIELD_INVALID, the candidate plays already or not this game, or the ladder is of another.
        PermissionDeniedError: NOT_OWNER.
        FailedPreconditionError: TOURNAMENT_STATE, the owner has an open gate, or no version of the bot plays;
            TOO_FEW_BOTS; SHARED_SEED_REFUSED, not all of the field is run by the arena; CHALLENGE_REFUSED.
    """
    bot = tx.bots.get(new.bot)
    caller.check_owns(bot.owner, bot_name(bot.id))
    if not caller.is_organiser and tx.tournaments.count_open_gates(caller.owner) >= MOST_GATES:
        raise FailedPreconditionError(
            ErrorReason.TOURNAMENT_STATE,
            "You have a gate that has not finished, and may have no more: wait for its end, see `arena tournament"
            " list`, or withdraw its candidate.",
        )
    if new.apply:
        check_version_open(tx, bot.id, caller, new.row.created_us)
    hosted = tx.hosting.get(bot.id)
    incumbent = None if hosted is None else hosted.version
    if incumbent is None:
        raise FailedPreconditionError(
            ErrorReason.TOURNAMENT_STATE,
            f"The arena runs no version of {bot.id} that the candidate could be compared with: submit and host one.",
            bot=bot.id,
        )
    candidate = tx.bots.submitted_version(bot.id, new.candidate)
    if candidate.label == incumbent:
        raise invalid_field(
            "gate.candidate",
            f"The candidate is the version of {bot.id} that plays now: name another, or pin another to compare it"
            " with.",
        )
    if candidate.program is None or new.row.game not in candidate.program.games:
        raise invalid_field("gate.candidate", f"The candidate does not play {new.row.game}.")
    field = _field(tx, new, caller)
    gate = tx.tournaments.next_gate_id()
    bots = (*gate_bot_ids(gate), *field)
    new.form.check(bots)
    owners = {tx.bots.get(each).owner for each in field}
    return replace(
        new.row,
        id=gate,
        bots=bots,
        yields=owners != {caller.owner} and not caller.is_organiser,
        gate=GateRow(bot.id, candidate.label, incumbent, new.apply),
    )


def _set_ups_of(suite: Suite, asked: int, usual: int) -> int:
    """Return how many set-ups of a suite are played at most: each once, since a second time would be no new result.

    `asked`: 0 for the usual number. Raises InvalidArgumentError (FIELD_INVALID): more than it has.
    """
    if asked > len(suite.entries):
        raise invalid_field(
            "parameters.gate.set_ups",
            f"The suite {suite.name} has {len(suite.entries)} set-ups, and each is played once: lower --matches "
            f"(set_ups is {asked}).",
        )
    return asked or min(usual, len(suite.entries))


def _ladder(request: pb.CreateTournamentRequest) -> str:
    """Return the ladder that bots of the field are taken from; empty if none are. Raises as `new_gate` does."""
    if request.gate.field > MOST_FIELD:
        raise invalid_field(
            "gate.field", f"gate.field is {request.gate.field}, and must be at most {MOST_FIELD}."
        )
    if bool(request.seeded_by) != bool(request.gate.field):
        raise invalid_field(
            "seeded_by",
            "The best bots of a ladder are taken with gate.field and seeded_by: set both, or neither.",
        )
    return parse_ladder("seeded_by", request.seeded_by) if request.seeded_by else ""


def _field(tx: Transaction, new: NewGate, caller: Caller) -> tuple[str, ...]:
    """Return the bots of the field: those that are named, then the best of the ladder. Raises as `check_gate` does."""
    hosted = tx.hosting.of(new.named)
    for name in new.named:
        bot = tx.bots.get(name)
        if name not in hosted or hosted[name].version is None:
            raise FailedPreconditionError(
                ErrorReason.SHARED_SEED_REFUSED,
                f"{bot_name(name)} is not run by the arena, and so could remember a set-up: name bots that are hosted.",
                bot=name,
            )
        check_takes_challenges(bot, caller)
    best = _best(tx, new, caller) if new.row.seeded_by else iter(())
    return (*new.named, *(bot for _, bot in zip(range(new.best), best, strict=False)))


def _best(tx: Transaction, new: NewGate, caller: Caller) -> Iterator[str]:
    """Yield the bots of the ladder that could be in the field, best first, those without a rated match last."""
    ladder = tx.ladders.get(new.row.seeded_by)
    check_all_revealed(ladder)
    if ladder.solo or ladder.game != new.row.game:
        why = "ranks solo play, without ratings" if ladder.solo else f"is one of {ladder.game}"
        raise invalid_field(
            "seeded_by", f"The ladder {ladder.id} {why}: name a rated ladder of {new.row.game}."
        )
    entries = [each for each in tx.entries.all(ladder.id) if each.active]
    hosted, idle = tx.hosting.of([each.bot for each in entries]), tx.users.idle_bots()
    for entry in sorted(entries, key=lambda each: (not each.matches, -each.rating_milli, each.bot)):
        bot = entry.bot
        if bot in idle or bot in (new.bot, *new.named) or bot not in hosted:
            continue
        row = tx.bots.get(bot)
        if not row.hidden and takes_challenges(row, caller) and _can_play(tx, hosted[bot], new.row.game):
            yield bot


def _can_play(tx: Transaction, hosted: HostedRow, game: str) -> bool:
    """Return whether the arena runs the bot for a game, and its version is not suspended."""
    if hosted.version is None or hosted.suspended:
        return False
    program = tx.bots.version(hosted.bot, hosted.version).program
    return program is not None and game in program.games
