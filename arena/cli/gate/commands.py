"""`arena gate`: have an arena find out whether a version of a bot is better than the one that plays now."""

import time
import uuid
from typing import Annotated, Final

import typer

from arena.cli.framework.commands import CommandContext, arena_command, only_command
from arena.cli.framework.connection import ArenaClient
from arena.cli.framework.errors import CommandExit, print_error
from arena.cli.framework.names import BotArgument, pairs, resource, resource_id
from arena.cli.framework.output import err, plain
from arena.cli.framework.signals import Interrupted, interruptible
from arena.cli.gate.options import (
    AgainstOption,
    AlphaOption,
    ApplyOption,
    BetaOption,
    CandidateOption,
    GameOfGateOption,
    LadderOption,
    MatchesOption,
    SeatsOption,
    SprtOption,
    field_of,
    gate_parameters,
)
from arena.cli.ladder.watch import MatchProgress, ladder_named
from arena.cli.rules import ClockValues, OptionValues, padding_warnings, print_warnings, time_control
from arena.cli.tournament.tables import tournament_details
from arena.codecs.codec import codec_for
from arena.drawings.wording import counted
from arena.v1 import ladder_pb2, tournament_pb2
from arena.wire.gate_wording import format_elo, format_ratio
from arena.wire.wording import short
from engine.registry import GAMES

_POLL_SECONDS: Final = 1.0
_RUNNING: Final = tournament_pb2.Tournament.STATE_RUNNING
_RISK: Final = 0.05

_EXITS: Final = {
    tournament_pb2.Gate.VERDICT_BETTER: CommandExit.OK,
    tournament_pb2.Gate.VERDICT_NOT_BETTER: CommandExit.NOT_BETTER,
}
"""The exit codes of the verdicts; of all others `UNDECIDED`."""


app = only_command()


@arena_command(
    app, "gate", example="arena gate mine --candidate 3f6c1d --against field:10 --ladder main --wait"
)
def open_gate(
    context: CommandContext,
    bot: BotArgument,
    candidate: CandidateOption,
    against: AgainstOption,
    ladder: LadderOption = None,
    game: GameOfGateOption = None,
    seats: SeatsOption = 0,
    sprt: SprtOption = "0,20",
    alpha: AlphaOption = _RISK,
    beta: BetaOption = _RISK,
    matches: MatchesOption = 0,
    apply: ApplyOption = False,
    option: OptionValues = None,
    clock: ClockValues = None,
    wait: Annotated[bool, typer.Option("--wait", help="Wait for the verdict.")] = False,
) -> None:
    """Find out whether a version of your bot is better than the one that plays now: on the arena, against a field.

    With --wait the exit code is 0 if it is, 5 if it is not, and 6 if that stays undecided.
    """
    if (ladder is None) == (game is None):
        raise typer.BadParameter("name a ladder, or a game.", param_hint="--ladder")
    named, best = field_of(against)
    if best and ladder is None:
        raise typer.BadParameter("field:N takes bots of a ladder: name it.", param_hint="--ladder")
    bot_name = resource("bots", bot)
    request = tournament_pb2.CreateTournamentRequest(
        format=tournament_pb2.Tournament.FORMAT_GATE,
        game=resource_id("games", game or ""),
        bots=named,
        options=pairs(option or (), "--option"),
        time_control=time_control(pairs(clock, "--clock")) if clock else None,
        seats=seats,
        request_id=str(uuid.uuid4()),
        parameters=tournament_pb2.FormatParameters(gate=gate_parameters(sprt, alpha, beta)),
        gate=tournament_pb2.NewGate(
            bot=bot_name, candidate=f"{bot_name}/versions/{candidate}", field=best, apply=apply
        ),
    )
    with context.connect() as arena:
        if ladder is not None:
            _take_rules(request, ladder_named(arena, resource("ladders", ladder)))
            request.seeded_by = resource("ladders", ladder) if best else ""
        if matches:
            request.parameters.gate.set_ups = _set_ups(matches, request.seats or 2)
        created = arena.tournaments.CreateTournament(request)
        gate = created.tournament
        warnings = print_warnings([*created.warnings, *padding_warnings(gate.game, gate.time_control)])
        if wait:
            _watch_to_end(arena, gate.name)
        gate = _gate_named(arena, gate.name)
    context.show(gate, lambda: tournament_details(gate), {"warnings": warnings})
    if wait:
        raise typer.Exit(int(_EXITS.get(gate.gate.verdict, CommandExit.UNDECIDED)))


def _set_ups(matches: int, seats: int) -> int:
    """Return how many set-ups have at most so many matches. Raises BadParameter: not even one."""
    size = 2 * seats
    if matches < size:
        raise typer.BadParameter(f"a set-up has {size} matches here.", param_hint="--matches")
    return matches // size


def _take_rules(request: tournament_pb2.CreateTournamentRequest, ladder: ladder_pb2.Ladder) -> None:
    """Fill in the game of the ladder and, unless they are given, its seats, options and clock."""
    request.game = ladder.game
    request.seats = request.seats or min((each for each in ladder.seat_counts if each > 1), default=0)
    if not request.options and request.seats in ladder.seat_counts and ladder.game in GAMES:
        place = list(ladder.seat_counts).index(request.seats)
        options = codec_for(ladder.game).decode_options(ladder.options[place], request.seats)
        request.options.update(GAMES[ladder.game].option_values(options))
    if not request.HasField("time_control"):
        request.time_control.CopyFrom(ladder.time_control)


def _gate_named(arena: ArenaClient, name: str) -> tournament_pb2.Tournament:
    """Return the gate of this resource name."""
    return arena.tournaments.GetTournament(tournament_pb2.GetTournamentRequest(name=name)).tournament


def _watch_to_end(arena: ArenaClient, name: str) -> None:
    """Wait until the gate has finished or is paused, and show how it stands after each round."""
    try:
        with interruptible(), MatchProgress() as progress:
            shown = 0
            while (now := _gate_named(arena, name)).state == _RUNNING or now.running_matches:
                expected = now.matches + 2 * now.seats * now.gate.set_ups_left
                progress.show(now.ended_matches, expected, "" if now.running_matches else now.waiting_for)
                if now.gate.set_ups > shown:
                    shown = now.gate.set_ups
                    err().print(plain(_line(now)), highlight=False, soft_wrap=True)
                time.sleep(_POLL_SECONDS)
    except Interrupted:
        gate = short(name)
        print_error(
            f"No longer waiting; the gate continues. To see how it stands: arena tournament show {gate}. "
            f"To stop it: arena tournament withdraw {gate} {gate}-candidate."
        )
        raise


def _line(now: tournament_pb2.Tournament) -> str:
    """Return how a gate stands, as one line."""
    left = f"; about {now.gate.set_ups_left} more" * bool(now.gate.set_ups_left)
    return (
        f"{counted(now.gate.set_ups, 'set-up')}; Elo {format_elo(now.gate)}; LLR {format_ratio(now)}{left}."
    )
