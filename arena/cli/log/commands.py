"""`arena log`: list, download, show, verify, replay and export match logs."""

import json
from pathlib import Path
from typing import Annotated, Final, Literal

import typer

from arena.cli.analyse.options import (
    DEFAULT_TOP,
    AnalysisRequest,
    AsOption,
    BudgetOption,
    ForceOption,
    JobsOption,
    PlayoutsOption,
    RenderOption,
    SeatOption,
    SeedOption,
    TopOption,
)
from arena.cli.explain.seat_summary import debug_lines, debug_table, fetch_owner_debug
from arena.cli.framework.commands import CommandContext, arena_command, group
from arena.cli.framework.errors import CliError
from arena.cli.framework.names import resource_id
from arena.cli.framework.output import Columns, Format, listing_table, print_json, print_note, show
from arena.cli.log.files import download_log
from arena.cli.log.pictures import draw_picture, render_page
from arena.cli.log.verify import verify_logs
from arena.cli.match_data import (
    BotFilter,
    LadderFilter,
    LimitOption,
    TargetArgument,
    as_file,
    fetch_log,
    find_matches,
    log_of,
    match_filter,
    read,
)
from arena.cli.program_files import OutputOption, read_program_lines
from arena.drawings.drawing import drawing_for
from arena.drawings.narration import BoardFrequency
from arena.v1 import match_pb2
from arena.wire.wording import format_placings, format_time, short

app = group("List, download, show, verify, replay and export match logs.")

BoardOption = Annotated[BoardFrequency, typer.Option("--board", help="When to draw the board.")]

ExportFormat = Literal["jsonl"]
"""What logs are exported as."""


@arena_command(app, "list", example="arena log list --ladder main --limit 20")
def list_logs(
    context: CommandContext, ladder: LadderFilter = None, bot: BotFilter = None, limit: LimitOption = 50
) -> None:
    """List finished matches whose log can be read, newest first."""
    which = match_filter(ladder, None, bot, match_pb2.MATCH_STATE_FINISHED)
    with context.connect() as arena:
        matches = find_matches(arena, which, limit=limit)
    readable = match_pb2.ListMatchesResponse(
        matches=(match for match in matches.matches if match.log), next_page_token=matches.next_page_token
    )
    context.show(readable, lambda: listing_table(_COLUMNS, readable.matches, _NONE))


arena_command(app, "download", example="arena log download 17 -o lost.arenalog", formats=False)(download_log)


@arena_command(app, "show", example="arena log show 17")
def show_log(
    context: CommandContext,
    target: TargetArgument,
    board: BoardOption = BoardFrequency.MOMENTS,
    plies: Annotated[
        bool, typer.Option("--plies", help="Show every action in the game's notation, with its time.")
    ] = False,
) -> None:
    """Show a match turn by turn from its log, with the board, clock events and the result."""
    from arena.cli.log.reading import read_match
    from arena.match_report.export import export_lines
    from arena.match_report.story import story

    log, codec = read_match(fetch_log(context, target))
    if context.format is Format.JSON:
        print_json({"records": [json.loads(line) for line in export_lines(log, codec)]})
        return
    for part in story(log, codec, None if plies else drawing_for(log.setup.game), board):
        show(part)


arena_command(app, "picture", example="arena log picture 17 --ply 40 -o 17.svg", formats=False)(draw_picture)
arena_command(app, "render", example="arena log render 17 -o 17.html", formats=False)(render_page)


@arena_command(app, "explain", example="arena log explain 17.arenalog")
def explain_log(context: CommandContext, target: TargetArgument) -> None:
    """Explain a match from its log: endings, strikes, near misses, thinking times, network and stalls."""
    from arena.cli.explain.explain import document, explanation
    from arena.cli.log.reading import read_match

    path = as_file(target)
    file = None if path is None else str(path)
    if path is not None:
        source, own = read(path), read_program_lines(path)
    else:
        with context.connect() as arena:
            source, own = log_of(arena, target), fetch_owner_debug(arena, target)
    log, _ = read_match(source)
    if own.trouble:
        print_note(own.trouble)
    if context.format is Format.JSON:
        print_json(document(log, own, file=file))
        return
    for part in explanation(log, own, file=file):
        show(part)


@arena_command(app, "debug", example="arena log debug 17 --decision 12")
def show_debug_lines(
    context: CommandContext,
    match: TargetArgument,
    bot: Annotated[str | None, typer.Option("--bot", help="The bot, if several of yours played.")] = None,
    decision: Annotated[
        int | None,
        typer.Option("--decision", min=0, help="Only lines of this decision; 0: of the whole match."),
    ] = None,
) -> None:
    """Show the private debug lines that your bot sent in a match. Only its owner can read them."""
    path = as_file(match)
    if path is None:
        context.call(lambda arena: debug_lines(arena, match, bot, decision), debug_table)
        return
    found = _lines_beside(path, bot, decision)
    context.show(found, lambda: debug_table(found))


def _lines_beside(path: Path, bot: str | None, decision: int | None) -> match_pb2.ListDebugLinesResponse:
    """Return the lines that `arena play --output` has kept beside a log. Raises CliError."""
    from arena.cli.log.reading import read_match

    kept = read_program_lines(path)
    if kept.trouble:
        raise CliError(kept.trouble)
    log, _ = read_match(read(path))
    wanted = resource_id("bots", bot) if bot else None
    if wanted is not None and wanted not in [holder.bot for holder in log.setup.seats]:
        raise typer.BadParameter(f"{wanted!r} has no seat in it.", param_hint="--bot")
    return match_pb2.ListDebugLinesResponse(
        lines=(
            line
            for line in kept.lines
            if decision in (None, line.decision)
            and (wanted is None or log.setup.seats[line.seat].bot == wanted)
        )
    )


arena_command(app, "verify", example="arena log verify 17.arenalog --key arena.pub")(verify_logs)


@arena_command(app, "replay", example='arena log replay 17.arenalog --as my-bot --bot "python my_bot.py"')
def replay_a_log(
    context: CommandContext,
    target: TargetArgument,
    bot: Annotated[
        str, typer.Option("--bot", metavar="COMMAND", help="Your bot's command, in quotes, or a sample bot.")
    ],
    seat: Annotated[int | None, typer.Option("--seat", min=0, help="The seat to replay. Default: 0.")] = None,
    as_: Annotated[
        str | None, typer.Option("--as", metavar="BOT", help="Replay the seat of this bot.")
    ] = None,
    from_ply: Annotated[int, typer.Option("--from-ply", min=0, help="Start at this ply.")] = 0,
    every: Annotated[
        bool, typer.Option("--all", help="List all decisions, not only different or late ones.")
    ] = False,
    patience: Annotated[
        float,
        typer.Option(
            metavar="SECONDS",
            min=1,
            max=600,
            help="How long to wait for an answer after the bot's time has run out.",
        ),
    ] = 20.0,
    output: OutputOption = None,
    debug: Annotated[
        bool, typer.Option("--debug", help="Give the bot the terminal, and all the time that it takes.")
    ] = False,
) -> None:
    """Replay a recorded seat against your bot and show where its decisions differ."""
    from arena.cli.log.replay import ReplayRequest, replay_log

    if debug and context.format is Format.JSON:
        raise typer.BadParameter(
            "the bot has the standard output, so no JSON fits there.", param_hint="--debug"
        )
    request = ReplayRequest(seat, as_, from_ply, patience, every, context.format, debug, output)
    raise typer.Exit(int(replay_log(fetch_log(context, target), bot, request)))


@arena_command(app, "analyse", example="arena log analyse 17.arenalog --seat 1 --render 17.html")
def analyse_log(
    context: CommandContext,
    target: TargetArgument,
    seat: SeatOption = None,
    as_: AsOption = None,
    budget: BudgetOption = None,
    playouts: PlayoutsOption = None,
    jobs: JobsOption = None,
    top: TopOption = DEFAULT_TOP,
    seed: SeedOption = 0,
    render: RenderOption = None,
    force: ForceOption = False,
) -> None:
    """Find the costliest decisions of a seat, by the search of the strongest sample bot."""
    from arena.cli.analyse.analyse import analyse

    request = AnalysisRequest(seat, as_, budget, playouts, jobs, top, seed, render, force, context.format)
    analyse(fetch_log(context, target), target, request)


@arena_command(app, "export", example="arena log export 17 18 --format jsonl > matches.jsonl", formats=False)
def export_logs(
    context: CommandContext,
    targets: Annotated[list[str], typer.Argument(metavar="MATCH|FILE...", help="Matches, or log files.")],
    _format: Annotated[
        ExportFormat, typer.Option("--format", help="JSON Lines: one object per record.")
    ] = "jsonl",
) -> None:
    """Export logs for programs."""
    from arena.cli.log.reading import read_match
    from arena.match_report.export import export_lines

    for target in targets:
        for line in export_lines(*read_match(fetch_log(context, target))):
            print(line)


_NONE: Final = "No logs: a match has one that can be read when it has ended (`arena match list`)."

_COLUMNS: Final[Columns[match_pb2.Match]] = {
    ">match": lambda match: short(match.name),
    "ladder": lambda match: short(match.ladder),
    "~placings": format_placings,
    "ended": lambda match: format_time(match.end_time),
    "log": lambda match: match.log[:12],
}
