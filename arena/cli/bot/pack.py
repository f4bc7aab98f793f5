"""`arena bot pack`: pack a bot's folder as the archive to submit."""

from pathlib import Path
from typing import Annotated, Final

import typer

from arena.cli.data import size_of
from arena.cli.framework.errors import CliError
from arena.cli.framework.output import print_line, progress_bar
from arena.drawings.wording import counted
from arena.submissions.content import FolderScan, hash_of_scan
from arena.submissions.errors import too_large
from arena.submissions.limits import DEFAULT_BOUNDS
from arena.submissions.manifest import NAME
from arena.submissions.packing import SUFFIX, scan_folder, write_archive

_HASH_SHOWN: Final = 12
"""Hex digits of a version in messages."""


def pack_bot(
    path: Annotated[Path, typer.Argument(metavar="PATH", help=f"The bot's folder, with {NAME} in it.")],
    to: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help=f"The archive. Default: PATH{SUFFIX}.")
    ] = None,
) -> None:
    """Pack a bot's folder as `arena bot submit` does, and print its version."""
    if path.is_file():
        raise CliError(f"{path} is a file. Name the folder with {NAME} in it.")
    if not path.is_dir():
        raise CliError(f"{path} does not exist. Name the folder with {NAME} in it.")
    folder = path.resolve()
    target = (folder.with_name(folder.name + SUFFIX) if to is None else to).absolute()
    if target.is_dir():
        raise CliError(f"--out {target} is a folder. Name a file.")
    if target.resolve().is_relative_to(folder):
        raise CliError(f"{target} is in the packed folder and would be part of the bot. Use another --out.")
    found = scan_folder(path)
    _write(found, target)
    print_line(
        f"{target}: {counted(len(found.files), 'file')}, {size_of(found.bytes)} packed to "
        f"{size_of(target.stat().st_size)}: version {hash_of_scan(found)[:_HASH_SHOWN]}. "
        f"Submit it with `arena bot submit BOT {target}`."
    )


def _write(found: FolderScan, target: Path) -> None:
    """Write the archive completely or not at all."""
    unfinished = target.with_name(target.name + ".unfinished")
    try:
        with unfinished.open("wb") as file, progress_bar(unit="KiB") as bar:
            task = bar.add_task("packing", total=found.bytes // 1024)
            write_archive(found, file, lambda size: bar.advance(task, size / 1024))
        if unfinished.stat().st_size > DEFAULT_BOUNDS.archive_bytes:
            raise too_large("The archive has", DEFAULT_BOUNDS.archive_bytes)
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)
