"""`arena gate`: have an arena find out whether a version of a bot is better than the one that plays now."""

import uuid
from typing import Annotated, Final

import typer

from arena.cli.framework.commands import CommandContext, arena_command, only_command
from arena.cli.framework.names import BotArgument, pairs, resource, resource_id
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
from arena.cli.ladder.watch import ladder_named
from arena.cli.rules import (
    ClockValues,
    OptionValues,
    clock_values,
    padding_warnings,
    print_warnings,
    time_control,
)
from arena.cli.suites import SuiteOption, suite_file, suite_named
from arena.cli.tournament.tables import tournament_details
from arena.cli.tournament.waiting import exit_code, tournament_named, wait_for_end
from arena.codecs.codec import codec_for
from arena.v1 import ladder_pb2, tournament_pb2
from engine.registry import GAMES

_RISK: Final = 0.05

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
    suite: SuiteOption = None,
    option: OptionValues = None,
    clock: ClockValues = None,
    wait: Annotated[bool, typer.Option("--wait", help="Wait for the verdict.")] = False,
) -> None:
    """Find out whether a version of your bot is better than the one that plays now: on the arena, against a field.

    With --wait the exit code is 0 if it is, 5 if it is not, and 6 if that stays undecided.
    """
    if (ladder is None) == (game is None):
        raise typer.BadParameter(
            "name a ladder or a game: one of the two, not both or neither.", param_hint="--ladder"
        )
    named, best = field_of(against)
    if best and ladder is None:
        raise typer.BadParameter("field:N takes bots of a ladder: name it.", param_hint="--ladder")
    bot_name = resource("bots", bot)
    request = tournament_pb2.CreateTournamentRequest(
        format=tournament_pb2.Tournament.FORMAT_GATE,
        game=resource_id("games", game or ""),
        bots=named,
        options=pairs(option or (), "--option"),
        time_control=time_control(clock_values(clock)) if clock else None,
        seats=seats,
        request_id=str(uuid.uuid4()),
        suite=None if suite is None else suite_file(suite_named(suite)),
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
        gate = (wait_for_end if wait else tournament_named)(arena, gate.name)
    context.show(gate, lambda: tournament_details(gate), {"warnings": warnings})
    if wait:
        raise typer.Exit(int(exit_code(gate)))


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
