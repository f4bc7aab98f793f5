"""`arena log`: list, download, show, verify, replay and export match logs."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import grpc
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
from arena.cli.data import size_of
from arena.cli.explain.seat_summary import debug_lines, debug_table, fetch_owner_debug
from arena.cli.framework.commands import CommandContext, arena_command, group
from arena.cli.framework.connection import ArenaClient
from arena.cli.framework.errors import CliError, CommandExit, call_of, print_error
from arena.cli.framework.names import resource, resource_id
from arena.cli.framework.output import Columns, Format, err, plain, print_json, progress_bar, show, table_of
from arena.cli.match_data import (
    KEY_SUFFIX,
    SUFFIX,
    BotFilter,
    LadderFilter,
    LimitOption,
    LogSource,
    as_file,
    download,
    fetch_log,
    find_matches,
    log_of,
    log_of_match,
    match_filter,
    read,
)
from arena.cli.program_files import OutputOption, read_program_lines
from arena.drawings.drawing import drawing_for
from arena.drawings.narration import BoardFrequency
from arena.drawings.wording import counted
from arena.pictures.style import Theme
from arena.v1 import match_pb2
from arena.wire.error_info import error_info
from arena.wire.wording import format_placings, format_time, short
from engine.game import SPECTATOR

if TYPE_CHECKING:
    from arena.cli.log.verification import Verifier

app = group("List, download, show, verify, replay and export match logs.")

TargetArgument = Annotated[
    str, typer.Argument(metavar="MATCH|FILE", help="A match, for example 17, or a log file.")
]
BoardOption = Annotated[BoardFrequency, typer.Option("--board", help="When to draw the board.")]

KeyOption = Annotated[
    Path | None,
    typer.Option("--key", metavar="FILE", help="The arena's public key. Default: the keys it publishes."),
]


STDOUT: Final = Path("-")
"""As a file to write: standard output."""

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
    context.show(readable, lambda: table_of(_COLUMNS, readable.matches) if readable.matches else "No logs.")


@arena_command(app, "download", example="arena log download 17 -o lost.arenalog", formats=False)
def download_log(
    context: CommandContext,
    match: Annotated[str, typer.Argument(metavar="MATCH", help="The match, for example 17.")],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help=f"Default: MATCH{SUFFIX}; -: standard output."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
) -> None:
    """Download the log file of a match."""
    path = output or Path(resource_id("matches", match) + SUFFIX)
    _check_free(path, force=force)
    with context.connect() as arena, err().status("downloading"):
        data = download(arena, match)
    _write(path, data, force=True)


def _check_free(path: Path, *, force: bool) -> None:
    if path != STDOUT and path.exists() and not force:
        raise CliError(f"{path} exists. Name another file with --output, or use --force.")


def _write(path: Path, data: bytes, *, force: bool, opens: str = "") -> None:
    """Write a whole file, or standard output. `opens`: what to do with the file. Raises CliError."""
    if path == STDOUT:
        sys.stdout.buffer.write(data)
        return
    _check_free(path, force=force)
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:
        raise CliError(f"{path} cannot be written: {error.strerror}.") from error
    err().print(f"Wrote {plain(str(path))}, {size_of(len(data))}.{opens}", highlight=False)


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


@arena_command(app, "picture", example="arena log picture 17 --ply 40 -o 17.svg", formats=False)
def draw_picture(
    context: CommandContext,
    target: TargetArgument,
    ply: Annotated[
        int | None,
        typer.Option("--ply", min=0, help="After so many plies; 0: the beginning. Default: the end."),
    ] = None,
    seat: Annotated[
        int | None, typer.Option("--seat", min=0, help="As this seat sees it. Default: as spectators see it.")
    ] = None,
    whole: Annotated[bool, typer.Option("--whole", help="Draw the hands of all seats.")] = False,
    theme: Annotated[
        Theme, typer.Option("--theme", help="Colours; auto: as the reader's system prefers.")
    ] = "auto",
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Default: MATCH-PLY.svg; -: standard output."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
) -> None:
    """Draw a position of a match as an SVG picture, with what the last ply has changed."""
    from arena.cli.log.reading import read_match
    from arena.match_report.pictures import picture_after

    source = fetch_log(context, target)
    log, codec = read_match(source)
    plies = len(log.plies) if ply is None else ply
    try:
        picture = picture_after(
            log, codec.game, plies, viewer=SPECTATOR if seat is None else seat, whole=whole
        )
    except ValueError as error:
        raise CliError(f"{source.title}: {error}") from None
    if picture is None:
        raise _other_rules(source)
    path = output or Path(f"{log.setup.match}-{plies}.svg")
    _write(path, picture.svg(theme).encode(), force=force, opens=" Open it in a browser.")


@arena_command(app, "render", example="arena log render 17 -o 17.html", formats=False)
def render_page(
    context: CommandContext,
    target: TargetArgument,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Default: MATCH.html; -: standard output."),
    ] = None,
    analysis: Annotated[
        Path | None,
        typer.Option("--analysis", metavar="FILE", help="Mark the decisions of `analyse --format json`."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
) -> None:
    """Write a match as one HTML page that plays it: positions, turns in words, times, and how each seat ended."""
    from arena.cli.analyse.analysis_file import costly_decisions
    from arena.cli.log.reading import read_match
    from arena.viewer.page import replay_page
    from arena.viewer.replay import UnfitLogError

    source = fetch_log(context, target)
    log, codec = read_match(source)
    path = output or Path(f"{log.setup.match}.html")
    _check_free(path, force=force)
    costly = [] if analysis is None else costly_decisions(analysis, log)
    try:
        page = replay_page(log, codec, costly)
    except UnfitLogError:
        raise _other_rules(source) from None
    _write(path, page.encode(), force=True, opens=" Open it in a browser.")


def _other_rules(source: LogSource) -> CliError:
    return CliError(
        f"{source.title} follows other rules than this software, so its positions cannot be drawn. "
        "Use the version of the software that the log names (arena log show)."
    )


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


@arena_command(app, "verify", example="arena log verify 17.arenalog --key arena.pub")
def verify_logs(
    context: CommandContext,
    targets: Annotated[
        list[str] | None, typer.Argument(metavar="MATCH|FILE...", help="Matches, or log files.")
    ] = None,
    ladder: Annotated[
        str | None, typer.Option("--ladder", help="Every finished match of this ladder.")
    ] = None,
    tournament: Annotated[
        str | None, typer.Option("--tournament", help="Every finished match of this tournament.")
    ] = None,
    key: KeyOption = None,
    source: Annotated[
        Path | None,
        typer.Option("--source", metavar="FILE", help="The log of the match that they play on from."),
    ] = None,
) -> None:
    """Verify logs - chain, signature, seed, clocks, placings - and replay the matches by the rules.

    Of a tournament also every round: pairings, byes and seats, recomputed from the results and the published secret.
    """
    from arena.cli.log.reading import read_match
    from arena.cli.log.verification import print_verdicts, prove_tournament, worst

    asked = (match_filter(ladder), match_filter(tournament=tournament))
    events = [which for which in asked if which.ListFields()]
    if not targets and not events:
        raise typer.BadParameter("name matches or files, or use --ladder or --tournament.")
    verdicts, missing, pruned = [], list[str](), 0
    with _verifier(context, targets or (), events, key) as (verifier, logs), progress_bar(unit="logs") as bar:
        verifier.source = None if source is None else read_match(read(source))[0]
        for is_listed, fetch in bar.track(logs, description="verifying"):
            try:
                log = fetch()
            except (CliError, grpc.RpcError) as error:
                known = context.describe(error)
                if known.code is CommandExit.UNREACHABLE:
                    raise
                if is_listed and _is_pruned(error):
                    pruned += 1
                else:
                    missing.append(known.sentence)
            else:
                verdicts.append(verifier.verify(log))
        proof = (
            None if tournament is None else prove_tournament(verifier, resource("tournaments", tournament))
        )
    print_verdicts(context.format, verdicts, complete=not missing, proof=proof)
    skipped = [f"Skipped {counted(pruned, 'log')} that the organiser has pruned."] if pruned else []
    for sentence in [*skipped, *missing]:
        print_error(sentence)
    refuted = proof is not None and proof.failed
    if code := CommandExit.FAILED if missing or refuted else worst(verdicts):
        raise typer.Exit(int(code))


def _is_pruned(error: Exception) -> bool:
    """Return whether the organiser has removed the log."""
    return isinstance(error, grpc.RpcError) and "pruned" in error_info(call_of(error).trailing_metadata())[1]


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


@contextmanager
def _verifier(
    context: CommandContext,
    targets: Sequence[str],
    events: Sequence[match_pb2.ListMatchesRequest],
    key: Path | None,
) -> Iterator[tuple[Verifier, list[tuple[bool, Callable[[], LogSource]]]]]:
    """Yield a verifier, and whether each log is one of an event, with a function that fetches it.

    With a key and only files, no arena is needed.
    """
    from arena.cli.log.verification import Verifier

    files = {target: as_file(target) for target in targets}
    if key is not None and not events and None not in files.values():
        yield Verifier.of_file(key), [(False, partial(read, path)) for path in files.values() if path]
        return
    with _key_suggested(key, files.values(), context), context.connect() as arena:
        verifier = Verifier.of_arena(arena) if key is None else Verifier(Verifier.of_file(key).keys, arena)
        logs: list[tuple[bool, Callable[[], LogSource]]] = [
            (False, partial(log_of, arena, target) if path is None else partial(read, path))
            for target, path in files.items()
        ]
        for event in events:
            logs += [(True, partial(log_of_match, arena, match)) for match in with_logs(arena, event)]
        yield verifier, logs


@contextmanager
def _key_suggested(key: Path | None, files: Iterable[Path | None], context: CommandContext) -> Iterator[None]:
    """Suggest --key if no arena answers inside: with a key, files verify without one."""
    try:
        yield
    except (CliError, grpc.RpcError) as error:
        known = context.describe(error)
        if key is not None or known.code is not CommandExit.UNREACHABLE:
            raise
        beside = (path.with_suffix(KEY_SUFFIX) for path in files if path is not None)
        name = next((str(path) for path in beside if path.exists()), "FILE")
        raise CliError(
            f"{known.sentence} To verify log files without an arena, use --key {name}.", known.code
        ) from error


def with_logs(arena: ArenaClient, which: match_pb2.ListMatchesRequest) -> list[match_pb2.Match]:
    """Return the finished matches whose log can be read, oldest first."""
    which.state = match_pb2.MATCH_STATE_FINISHED
    found = find_matches(arena, which, limit=0)
    return [match for match in reversed(found.matches) if match.log]


_COLUMNS: Final[Columns[match_pb2.Match]] = {
    ">match": lambda match: short(match.name),
    "ladder": lambda match: short(match.ladder),
    "~placings": format_placings,
    "ended": lambda match: format_time(match.end_time),
    "log": lambda match: match.log[:12],
}
