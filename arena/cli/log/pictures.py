"""`arena log picture` and `arena log render`: a position as SVG, a match as one HTML page."""

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.framework.commands import CommandContext
from arena.cli.framework.errors import CliError
from arena.cli.log.files import check_free, write_file
from arena.cli.match_data import LogSource, TargetArgument, fetch_log
from arena.pictures.style import Theme
from engine.game import SPECTATOR


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
    write_file(path, picture.svg(theme).encode(), force=force, opens=" Open it in a browser.")


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
    check_free(path, force=force)
    costly = [] if analysis is None else costly_decisions(analysis, log)
    try:
        page = replay_page(log, codec, costly)
    except UnfitLogError:
        raise _other_rules(source) from None
    write_file(path, page.encode(), force=True, opens=" Open it in a browser.")


def _other_rules(source: LogSource) -> CliError:
    return CliError(
        f"{source.title} follows other rules than this software, so its positions cannot be drawn. "
        "Use the version of the software that the log names (arena log show)."
    )
