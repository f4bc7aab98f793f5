"""`arena tournament` and `arena challenge`."""

import uuid
from collections.abc import Mapping
from typing import Annotated, Final

import typer
from rich.console import Group, RenderableType

from arena.cli.framework.commands import NO_OPTIONS, CommandContext, arena_command, group, only_command
from arena.cli.framework.connection import ArenaClient, fetch_all
from arena.cli.framework.errors import print_error
from arena.cli.framework.names import EVENT_ID_HELP, pairs, resource, resource_id
from arena.cli.framework.output import enum_value, json_fields, listing_table
from arena.cli.ladder.fair_play import MATCHES, BotsOption, MatchesOption, show_report
from arena.cli.ladder.settings import ArchivedOption, HiddenOption, table_with_titles
from arena.cli.rules import (
    FIRST_GAME,
    ClockValues,
    GameOption,
    OptionValues,
    SeedPolicyOption,
    clock_values,
    padding_warnings,
    print_warnings,
    time_control,
)
from arena.cli.suites import SuiteOption, suite_file, suite_named
from arena.cli.tournament.bracket import bracket_text
from arena.cli.tournament.export import (
    ExportFormat,
    WhatOption,
    nothing_planned,
    print_export,
    rounds_of,
)
from arena.cli.tournament.options import (
    AdvanceOption,
    BestOfOption,
    ChallengersOption,
    KindOption,
    RoundsOption,
    SeededByOption,
    SeedingOption,
    StageOption,
    ThirdPlaceOption,
    VisibilityOption,
    check_format,
    check_visibility,
    format_named,
    stage_of,
)
from arena.cli.tournament.settings import (
    NameArgument,
    archive_tournament,
    delete_tournament,
    hide_tournament,
    rename_tournament,
)
from arena.cli.tournament.tables import (
    PAIRINGS,
    TOURNAMENTS,
    crosstable_tables,
    first_round,
    plan_details,
    round_lines,
    tournament_details,
    withdrawal_lines,
)
from arena.cli.tournament.waiting import exit_code, tournament_named, wait_for_end
from arena.v1 import bot_pb2, match_pb2, time_control_pb2, tournament_pb2
from arena.wire.owner_wording import describe_unavailable
from arena.wire.wording import short

app = group("Create and run tournaments: closed events of many formats.")
challenge_app = only_command()

_FINISHED: Final = tournament_pb2.Tournament.STATE_FINISHED

WaitOption = Annotated[bool, typer.Option("--wait", help="Wait until all matches have ended.")]


@arena_command(app, "create", example="arena tournament create spring --bots amber,basalt,cedar --rounds 2")
def create_tournament(
    context: CommandContext,
    name: Annotated[str, typer.Argument(metavar="TOURNAMENT", help=EVENT_ID_HELP)],
    bots: Annotated[str, typer.Option(metavar="BOT,BOT...", help="The bots, separated by commas.")],
    game: GameOption = FIRST_GAME,
    kind: KindOption = "round-robin",
    seats: Annotated[int, typer.Option(min=1, help="Seats per match, at least 2.")] = 2,
    rounds: RoundsOption = 0,
    best_of: BestOfOption = 0,
    challengers: ChallengersOption = 0,
    third_place: ThirdPlaceOption = False,
    advance: AdvanceOption = 0,
    stage: StageOption = None,
    seeding: SeedingOption = None,
    seeded_by: SeededByOption = None,
    option: OptionValues = None,
    clock: ClockValues = None,
    seed_policy: SeedPolicyOption = None,
    visibility: VisibilityOption = None,
    suite: SuiteOption = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the plan without creating the tournament.")
    ] = False,
) -> None:
    """Create a tournament, by default a round-robin: all combinations of bots meet. It does not start yet."""
    parameters = tournament_pb2.FormatParameters(
        best_of=best_of,
        challengers=challengers,
        third_place=third_place,
        advance=advance,
        seeding=enum_value(tournament_pb2.FormatParameters.Seeding, seeding),
        stages=map(stage_of, stage or ()),
    )
    request = tournament_pb2.CreateTournamentRequest(
        tournament_id=resource_id("tournaments", name),
        format=format_named(kind),
        game=resource_id("games", game),
        bots=[resource("bots", bot.strip()) for bot in bots.split(",")],
        seats=seats,
        rounds=rounds,
        options=pairs(option or (), "--option"),
        time_control=_clock(clock),
        validate_only=dry_run,
        request_id="" if dry_run else str(uuid.uuid4()),
        seed_policy=enum_value(match_pb2.SeedPolicy, seed_policy),
        parameters=parameters if parameters.ListFields() else None,
        seeded_by="" if seeded_by is None else resource("ladders", seeded_by),
        visibility=enum_value(tournament_pb2.Tournament.Visibility, visibility),
        suite=None if suite is None else suite_file(suite_named(suite)),
    )
    check_format(request)
    check_visibility(request)
    with context.connect() as arena:
        planned = arena.tournaments.CreateTournament(request)
    planned.warnings.extend(padding_warnings(planned.tournament.game, planned.tournament.time_control))
    context.show(planned, lambda: plan_details(planned, dry_run=dry_run))
    print_warnings(planned.warnings)


@arena_command(app, "run", example="arena tournament run spring --wait")
def run_tournament(context: CommandContext, name: NameArgument, wait: WaitOption = False) -> None:
    """Start a tournament, or resume it after a pause. The arena continues on its own."""
    request = tournament_pb2.RunTournamentRequest(name=resource("tournaments", name))
    with context.connect() as arena:
        # It may have ended before the caller waits again: then there is nothing to start.
        if not (wait and tournament_named(arena, request.name).state == _FINISHED):
            arena.tournaments.RunTournament(request)
        _show_run(context, arena, request.name, wait=wait)


@arena_command(app, "wait", example="arena tournament wait spring")
def wait_for_tournament(context: CommandContext, name: NameArgument) -> None:
    """Wait until a tournament, challenge or gate has ended, and show its standings, of a gate its verdict.

    The exit code is 0 at its end, of a gate that of `arena gate --wait`; 1 if it is paused or has not begun.
    """
    with context.connect() as arena:
        ended = wait_for_end(arena, resource("tournaments", name))
        if ended.HasField("gate"):
            context.show(ended, lambda: tournament_details(ended))
        else:
            _show_standings(context, arena, ended)
    if ended.state != _FINISHED:
        why = "has not begun" if ended.state == tournament_pb2.Tournament.STATE_PLANNED else "is paused"
        print_error(f"{short(ended.name)} {why}. To run it: arena tournament run {short(ended.name)}.")
    if code := exit_code(ended):
        raise typer.Exit(int(code))


@arena_command(app, "pause", example="arena tournament pause spring")
def pause_tournament(context: CommandContext, name: NameArgument) -> None:
    """Pause a tournament. Running matches are finished."""
    request = tournament_pb2.PauseTournamentRequest(name=resource("tournaments", name))
    context.call(lambda arena: arena.tournaments.PauseTournament(request).tournament, tournament_details)


@arena_command(app, "list", example="arena tournament list")
def list_tournaments(
    context: CommandContext, hidden: HiddenOption = False, archived: ArchivedOption = False
) -> None:
    """List tournaments, newest first."""
    request = tournament_pb2.ListTournamentsRequest(show_hidden=hidden, show_archived=archived)
    context.call(
        lambda arena: fetch_all(arena.tournaments.ListTournaments, request),
        lambda listing: table_with_titles(
            TOURNAMENTS,
            listing.tournaments,
            "No tournaments: `arena tournament create` makes one, `--archived` lists archived ones.",
        ),
    )


@arena_command(app, "show", example="arena tournament show spring")
def show_tournament(context: CommandContext, name: NameArgument) -> None:
    """Show a tournament: rules, state, rounds, brackets and seed commitments."""
    request = tournament_pb2.GetBracketRequest(name=resource("tournaments", name))
    with context.connect() as arena:
        answer = arena.tournaments.GetTournament(tournament_pb2.GetTournamentRequest(name=request.name))
        tournament = answer.tournament
        rounds = rounds_of(arena, request.name) if tournament.current_round else []
        ties = arena.tournaments.GetBracket(request).ties if tournament.current_round else ()
    shown: list[RenderableType] = [tournament_details(tournament, answer.size)]
    shown += [first_round(answer)] if answer.first_round else []
    shown += [round_lines(rounds)] if rounds else []
    shown += [bracket_text(ties)] if ties else []
    more = json_fields(answer, "size", "first_round", "first_byes") if answer.HasField("size") else {}
    context.show(tournament, lambda: Group(*shown), more)


@arena_command(app, "withdraw", example="arena tournament withdraw spring greedy")
def withdraw_bot(
    context: CommandContext,
    name: NameArgument,
    bot: Annotated[str, typer.Argument(metavar="BOT", help="The bot; organisers may name any.")],
) -> None:
    """Withdraw a bot: it is in no later round, and its matches that are not made yet are not played."""
    request = tournament_pb2.WithdrawFromTournamentRequest(
        name=resource("tournaments", name), bot=resource("bots", bot)
    )
    with context.connect() as arena:
        answer = arena.tournaments.WithdrawFromTournament(request)
    more = json_fields(answer, "dropped_pairings", "open_matches", "unchanged")
    context.show(answer.tournament, lambda: withdrawal_lines(answer, request.bot), more)


@arena_command(
    app,
    "export",
    example="arena tournament export spring --what bracket --format markdown > bracket.md",
    formats=False,
)
def export_tournament(
    context: CommandContext,
    name: NameArgument,
    what: WhatOption = "standings",
    format_: Annotated[ExportFormat, typer.Option("--format", help="How it is written.")] = "table",
) -> None:
    """Export standings, crosstable, bracket or schedule."""
    with context.connect() as arena:
        print_export(arena, resource("tournaments", name), what, format_)


@arena_command(app, "standings", example="arena tournament standings spring")
def show_standings(context: CommandContext, name: NameArgument) -> None:
    """Show current standings and crosstable."""
    context.call(lambda arena: _crosstable(arena, resource("tournaments", name)), crosstable_tables)


arena_command(app, "rename", example="arena tournament rename spring 'Spring cup'")(rename_tournament)
arena_command(app, "archive", example="arena tournament archive spring")(archive_tournament)
arena_command(app, "delete", example="arena tournament delete mistyped")(delete_tournament)
arena_command(app, "hide", example="arena tournament hide spring")(hide_tournament)


@arena_command(app, "fair-play", example="arena tournament fair-play spring")
def fair_play(
    context: CommandContext, name: NameArgument, bots: BotsOption = None, matches: MatchesOption = MATCHES
) -> None:
    """Show bots that decide alike, favour each other or may be the same (organisers). This is no verdict."""
    show_report(context, resource("tournaments", name), bots, matches)


@arena_command(app, "pairings", example="arena tournament pairings spring")
def list_pairings(context: CommandContext, name: NameArgument) -> None:
    """List the pairings planned so far in their order, with their matches and points."""
    request = tournament_pb2.ListPairingsRequest(name=resource("tournaments", name))
    context.call(
        lambda arena: fetch_all(arena.tournaments.ListPairings, request),
        lambda listing: listing_table(PAIRINGS, listing.pairings, nothing_planned(request.name)),
    )


@arena_command(challenge_app, "challenge", example="arena challenge mine greedy --rounds 3 --wait")
def challenge(
    context: CommandContext,
    bots: Annotated[list[str], typer.Argument(metavar="BOT BOT...", help="The bots; one of them is yours.")],
    rounds: Annotated[
        int, typer.Option(min=1, help="Number of rounds; in each, every bot plays every seat once.")
    ] = 1,
    game: GameOption = FIRST_GAME,
    option: OptionValues = None,
    clock: ClockValues = None,
    seed_policy: SeedPolicyOption = None,
    visibility: VisibilityOption = None,
    wait: WaitOption = False,
) -> None:
    """Challenge bots to unrated matches that start at once: a tournament of one pairing."""
    request = tournament_pb2.CreateTournamentRequest(
        format=tournament_pb2.Tournament.FORMAT_CHALLENGE,
        game=resource_id("games", game),
        bots=[resource("bots", bot) for bot in bots],
        rounds=rounds,
        options=pairs(option or (), "--option"),
        time_control=_clock(clock),
        request_id=str(uuid.uuid4()),
        seed_policy=enum_value(match_pb2.SeedPolicy, seed_policy),
        visibility=enum_value(tournament_pb2.Tournament.Visibility, visibility),
    )
    check_visibility(request)
    with context.connect() as arena:
        created = arena.tournaments.CreateTournament(request)
        warnings = print_warnings(created.warnings)
        for bot in request.bots:
            if why := describe_unavailable(arena.bots.GetBot(bot_pb2.GetBotRequest(name=bot)).bot):
                print_error(f"{short(bot)} {why}: its matches wait for it for at most ten minutes.")
        _show_run(context, arena, created.tournament.name, wait=wait, more={"warnings": warnings})


def _clock(values: list[str] | None) -> time_control_pb2.TimeControl | None:
    return time_control(clock_values(values)) if values else None


def _crosstable(arena: ArenaClient, name: str) -> tournament_pb2.GetCrosstableResponse:
    return arena.tournaments.GetCrosstable(tournament_pb2.GetCrosstableRequest(name=name))


def _show_run(
    context: CommandContext,
    arena: ArenaClient,
    name: str,
    *,
    wait: bool,
    more: Mapping[str, object] = NO_OPTIONS,
) -> None:
    """Show the tournament; with `wait`, when it has ended, with its standings. `more`: further fields of the JSON."""
    if wait:
        _show_standings(context, arena, wait_for_end(arena, name), more)
        return
    tournament = tournament_named(arena, name)
    context.show(tournament, lambda: tournament_details(tournament), more)


def _show_standings(
    context: CommandContext,
    arena: ArenaClient,
    tournament: tournament_pb2.Tournament,
    more: Mapping[str, object] = NO_OPTIONS,
) -> None:
    """Show a tournament with its standings; in JSON only these."""
    table = _crosstable(arena, tournament.name)
    context.show(table, lambda: Group(tournament_details(tournament), crosstable_tables(table)), more)
