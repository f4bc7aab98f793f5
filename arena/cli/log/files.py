"""`arena log download`, and the writing of files that log commands make."""

import sys
from pathlib import Path
from typing import Annotated, Final

import typer

from arena.cli.data import size_of
from arena.cli.framework.commands import CommandContext
from arena.cli.framework.errors import CliError
from arena.cli.framework.names import resource_id
from arena.cli.framework.output import err, plain
from arena.cli.match_data import SUFFIX, download

STDOUT: Final = Path("-")
"""As a file to write: standard output."""


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
    check_free(path, force=force)
    with context.connect() as arena, err().status("downloading"):
        data = download(arena, match)
    write_file(path, data, force=True)


def check_free(path: Path, *, force: bool) -> None:
    """Raise CliError if the file exists, unless it may be overwritten."""
    if path != STDOUT and path.exists() and not force:
        raise CliError(f"{path} exists. Name another file with --output, or use --force.")


def write_file(path: Path, data: bytes, *, force: bool, opens: str = "") -> None:
    """Write a whole file, or standard output. `opens`: what to do with the file. Raises CliError."""
    if path == STDOUT:
        sys.stdout.buffer.write(data)
        return
    check_free(path, force=force)
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:
        raise CliError(f"{path} cannot be written: {error.strerror}.") from error
    err().print(f"Wrote {plain(str(path))}, {size_of(len(data))}.{opens}", highlight=False)
