"""`arena tournament` and `arena challenge`."""

import time
import uuid
from collections.abc import Mapping
from typing import Annotated, Final

import typer
from rich.console import Group, RenderableType

from arena.cli.framework.commands import NO_OPTIONS, CommandContext, arena_command, group
from arena.cli.framework.connection import ArenaClient, fetch_all
from arena.cli.framework.errors import print_error
from arena.cli.framework.names import EVENT_ID_HELP, pairs, resource, resource_id
from arena.cli.framework.output import Columns, enum_value, facts, plain, table, table_of
from arena.cli.framework.signals import Interrupted, interruptible
from arena.cli.ladder.fair_play import MATCHES, BotsOption, MatchesOption, show_report
from arena.cli.ladder.watch import POLL_SECONDS, MatchProgress
from arena.cli.rules import (
    FIRST_GAME,
    ClockValues,
    GameOption,
    OptionValues,
    SeedPolicyOption,
    padding_warnings,
    print_warnings,
    time_control,
)
from arena.drawings.wording import counted
from arena.v1 import bot_pb2, match_pb2, time_control_pb2, tournament_pb2
from arena.wire.owner_wording import absence_reason
from arena.wire.wording import (
    enum_word,
    format_clock,
    format_milli,
    format_options,
    format_rank,
    format_seed_policy,
    format_time,
    short,
)


def tournament_named(arena: ArenaClient, name: str) -> tournament_pb2.Tournament:
    """Return the tournament of this resource name."""
    return arena.tournaments.GetTournament(tournament_pb2.GetTournamentRequest(name=name)).tournament


def _watch_to_end(arena: ArenaClient, name: str) -> None:
    """Wait until the tournament ("tournaments/{tournament}") has finished or is paused."""
    with MatchProgress() as progress:
        while True:
            now = tournament_named(arena, name)
            progress.show(now.ended_matches, now.matches, "" if now.running_matches else now.waiting_for)
            if now.state != tournament_pb2.Tournament.STATE_RUNNING and not now.running_matches:
                return
            time.sleep(POLL_SECONDS)


app = group("Create and run tournaments: events with all pairings planned in advance.")

_FINISHED: Final = tournament_pb2.Tournament.STATE_FINISHED

NameArgument = Annotated[
    str, typer.Argument(metavar="TOURNAMENT", help="The tournament, for example spring.")
]
RoundsOption = Annotated[int, typer.Option(min=1, help="How often to play each pairing.")]
WaitOption = Annotated[bool, typer.Option("--wait", help="Wait until all matches have ended.")]


@arena_command(app, "create", example="arena tournament create spring --bots amber,basalt,cedar --rounds 2")
def create_tournament(
    context: CommandContext,
    name: Annotated[str, typer.Argument(metavar="TOURNAMENT", help=EVENT_ID_HELP)],
    bots: Annotated[str, typer.Option(metavar="BOT,BOT...", help="The bots, separated by commas.")],
    game: GameOption = FIRST_GAME,
    seats: Annotated[int, typer.Option(min=1, help="Seats per match, at least 2.")] = 2,
    rounds: RoundsOption = 1,
    option: OptionValues = None,
    clock: ClockValues = None,
    seed_policy: SeedPolicyOption = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the plan without creating the tournament.")
    ] = False,
) -> None:
    """Plan a round-robin: every combination of bots meets on every seat. It does not start yet."""
    request = tournament_pb2.CreateTournamentRequest(
        tournament_id=resource_id("tournaments", name),
        format=tournament_pb2.Tournament.FORMAT_ROUND_ROBIN,
        game=resource_id("games", game),
        bots=[resource("bots", bot.strip()) for bot in bots.split(",")],
        seats=seats,
        rounds=rounds,
        options=pairs(option or (), "--option"),
        time_control=_clock(clock),
        validate_only=dry_run,
        request_id="" if dry_run else str(uuid.uuid4()),
        seed_policy=enum_value(match_pb2.SeedPolicy, seed_policy),
    )
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


@arena_command(app, "pause", example="arena tournament pause spring")
def pause_tournament(context: CommandContext, name: NameArgument) -> None:
    """Pause a tournament. Running matches are finished."""
    request = tournament_pb2.PauseTournamentRequest(name=resource("tournaments", name))
    context.call(lambda arena: arena.tournaments.PauseTournament(request).tournament, tournament_details)


@arena_command(app, "list", example="arena tournament list")
def list_tournaments(context: CommandContext) -> None:
    """List tournaments, newest first."""
    request = tournament_pb2.ListTournamentsRequest()
    context.call(
        lambda arena: fetch_all(arena.tournaments.ListTournaments, request),
        lambda listing: (
            table_of(TOURNAMENTS, listing.tournaments) if listing.tournaments else "No tournaments."
        ),
    )


@arena_command(app, "show", example="arena tournament show spring")
def show_tournament(context: CommandContext, name: NameArgument) -> None:
    """Show a tournament: rules, state and seed commitments."""
    context.call(lambda arena: tournament_named(arena, resource("tournaments", name)), tournament_details)


@arena_command(app, "standings", example="arena tournament standings spring")
def show_standings(context: CommandContext, name: NameArgument) -> None:
    """Show current standings and crosstable."""
    context.call(lambda arena: _crosstable(arena, resource("tournaments", name)), crosstable_tables)


@arena_command(app, "fair-play", example="arena tournament fair-play spring")
def fair_play(
    context: CommandContext, name: NameArgument, bots: BotsOption = None, matches: MatchesOption = MATCHES
) -> None:
    """Show bots that decide alike, favour each other or may be the same (organisers). This is no verdict."""
    show_report(context, resource("tournaments", name), bots, matches)


@arena_command(app, "pairings", example="arena tournament pairings spring")
def list_pairings(context: CommandContext, name: NameArgument) -> None:
    """List the pairings in the order of the plan, with their matches."""
    request = tournament_pb2.ListPairingsRequest(name=resource("tournaments", name))
    context.call(
        lambda arena: fetch_all(arena.tournaments.ListPairings, request),
        lambda listing: table_of(_PAIRINGS, listing.pairings),
    )


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
    )
    with context.connect() as arena:
        created = arena.tournaments.CreateTournament(request)
        warnings = print_warnings(created.warnings)
        for bot in request.bots:
            if why := absence_reason(arena.bots.GetBot(bot_pb2.GetBotRequest(name=bot)).bot):
                print_error(f"{short(bot)} {why}: its matches wait for it for at most ten minutes.")
        _show_run(context, arena, created.tournament.name, wait=wait, more={"warnings": warnings})


def _clock(values: list[str] | None) -> time_control_pb2.TimeControl | None:
    return time_control(pairs(values, "--clock")) if values else None


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
    if not wait:
        tournament = tournament_named(arena, name)
        context.show(tournament, lambda: tournament_details(tournament), more)
        return
    with interruptible():
        try:
            _watch_to_end(arena, name)
        except Interrupted:
            left = tournament_named(arena, name)
            print_error(
                f"No longer waiting. {left.ended_matches} of {left.matches} matches have ended; the tournament "
                f"continues. To pause it: arena tournament pause {short(name)}."
            )
            raise
    tournament, table = tournament_named(arena, name), _crosstable(arena, name)
    context.show(table, lambda: Group(tournament_details(tournament), crosstable_tables(table)), more)


_PAIRINGS_SHOWN: Final = 20
_SECONDS_PER_HOUR: Final = 3_600


def plan_details(planned: tournament_pb2.CreateTournamentResponse, *, dry_run: bool) -> RenderableType:
    """Return the plan before anything runs: its size and the first pairings."""
    tournament = planned.tournament
    size = (
        f"{counted(tournament.pairings, 'pairing')} of {tournament.seats} bots, each played "
        f"{counted(tournament.seats, 'time')} so that every bot sits on every seat: "
        f"{counted(tournament.matches, 'match', 'matches')}."
    )
    each = tournament.matches * tournament.seats // len(tournament.bots)
    left = tournament.pairings - min(len(planned.pairings), _PAIRINGS_SHOWN)
    longest = tournament.seats * tournament.time_control.seat_limit_ms // 1_000
    bound = (
        f"By the clock, a match takes at most about {_duration(longest)}, and all of them one after the "
        f"other at most {_duration(tournament.matches * longest)}; usually far less."
    )
    shown: list[RenderableType] = [
        plain(f"{size} Each bot plays {each}."),
        plain(bound),
        table_of(_PAIRINGS, planned.pairings[:_PAIRINGS_SHOWN]),
    ]
    if left:
        shown.append(f"... and {left} more.")
    name = short(tournament.name)
    shown.append(
        "Nothing was created. Seats are drawn when the tournament is created."
        if dry_run
        else plain(f"Created the tournament {name}. To start it: arena tournament run {name}")
    )
    return Group(*shown)


def tournament_details(tournament: tournament_pb2.Tournament) -> RenderableType:
    """Return all about one tournament but its standings."""
    pairings = counted(tournament.pairings, "pairing")
    matches = counted(tournament.matches, "match", "matches")
    unplayed = f", {tournament.unplayed_matches} of them without a result" * bool(tournament.unplayed_matches)
    return facts(
        ("tournament", short(tournament.name)),
        ("format", _format(tournament)),
        ("game", f"{tournament.game}, rules version {tournament.rules_version}"),
        ("bots", ", ".join(short(bot) for bot in tournament.bots)),
        ("plan", f"{pairings}, {matches} of {tournament.seats} seats"),
        ("options", format_options(tournament.game, [(tournament.seats, tournament.options)])),
        ("clock", format_clock(tournament.time_control)),
        ("seeds", format_seed_policy(tournament.seed_policy, hosted_only=tournament.hosted_only)),
        ("state", _state(tournament)),
        ("waiting for", tournament.waiting_for),
        ("matches", f"{tournament.ended_matches} ended{unplayed}, {tournament.running_matches} running"),
        ("created", format_time(tournament.create_time)),
        ("ended", format_time(tournament.end_time)),
        ("commitment", tournament.secret_commitment.hex()),
        ("secret", tournament.secret.hex()),
    )


def crosstable_tables(answer: tournament_pb2.GetCrosstableResponse) -> RenderableType:
    """Return standings and crosstable: what each row scored against each column, by rank."""
    rows = (
        (place, short(row.bot), *(_cell(cell) for cell in row.cells))
        for place, row in enumerate(answer.rows, start=1)
    )
    columns = [">", "~bot", *(f">{place}" for place in range(1, len(answer.rows) + 1))]
    missing = (
        plain(f"{short(line.bot)}: {counted(line.not_played, 'match', 'matches')} without a result.")
        for line in answer.standings
        if line.not_played
    )
    return Group(
        table_of(_STANDINGS, answer.standings),
        "Score of the row against the column / matches:",
        table(columns, rows),
        *missing,
    )


def _cell(cell: tournament_pb2.CrosstableCell) -> str:
    return f"{_points(cell.score_milli)}/{cell.matches}" if cell.matches else "-"


def _points(score_milli: int) -> str:
    """Format whole and half points: "3" or "3.5"."""
    return f"{score_milli / 1000:g}"


def _format(tournament: tournament_pb2.Tournament) -> str:
    return enum_word(tournament_pb2.Tournament.Format, tournament.format).replace("_", "-")


def _state(tournament: tournament_pb2.Tournament) -> str:
    return enum_word(tournament_pb2.Tournament.State, tournament.state)


_PAIRINGS: Final[Columns[tournament_pb2.Pairing]] = {
    ">pairing": lambda pairing: pairing.number,
    ">round": lambda pairing: pairing.round,
    "~bots": lambda pairing: ", ".join(short(bot) for bot in pairing.bots),
    "group": lambda pairing: pairing.group,
    "matches": lambda pairing: ",".join(short(match) for match in pairing.matches),
    "state": lambda pairing: "ended" if pairing.ended else "playing" if pairing.matches else "to come",
}

TOURNAMENTS: Final[Columns[tournament_pb2.Tournament]] = {
    "tournament": lambda tournament: short(tournament.name),
    "format": _format,
    "game": lambda tournament: tournament.game,
    ">bots": lambda tournament: len(tournament.bots),
    "state": _state,
    ">ended": lambda tournament: tournament.ended_matches,
    ">of": lambda tournament: tournament.matches,
    "~waiting for": lambda tournament: tournament.waiting_for,
}

_STANDINGS: Final[Columns[tournament_pb2.TournamentStanding]] = {
    ">rank": lambda line: format_rank(line.rank),
    "~bot": lambda line: short(line.bot),
    ">score": lambda line: f"{_points(line.score_milli)}/{line.pairs}",
    ">%": lambda line: f"{line.score_milli / line.pairs / 10:.1f}" if line.pairs else "",
    ">firsts": lambda line: line.firsts,
    ">matches": lambda line: line.matches,
    ">forfeits": lambda line: line.forfeits,
    ">rating": lambda line: format_milli(line.rating_milli) if line.rating_milli else "",
    ">+-": lambda line: format_milli(line.uncertainty_milli) if line.rating_milli else "",
}


def _duration(seconds: int) -> str:
    if seconds < _SECONDS_PER_HOUR:
        return counted(max(1, round(seconds / 60)), "minute", "minutes")
    return counted(round(seconds / _SECONDS_PER_HOUR), "hour")
