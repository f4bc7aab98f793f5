"""`arena data`: back up, restore and prune a data folder on this machine; export matches as a data set.

All but `arena data export` work on the files of the folder, not through an arena's services.
"""

import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.data_export import export_data
from arena.cli.framework.commands import arena_command, command, group
from arena.cli.framework.errors import print_error, server_packages
from arena.cli.framework.output import print_line, progress_bar
from arena.cli.framework.target import DEFAULT_DATA, check_data_folder
from arena.core.units import US_PER_S
from arena.drawings.wording import counted

app = group("Back up, restore and prune the data folder of a local arena; export matches as a data set.")

DataOption = Annotated[
    Path,
    typer.Option(
        "--data",
        metavar="DIR",
        envvar="ARENA_DATA",
        callback=check_data_folder,
        help="The data folder of a local arena.",
    ),
]

_UNITS_S = {"h": 3_600, "d": 86_400, "w": 7 * 86_400}
_FEW = 5


@command(app, "backup", example="arena data backup /var/backups/arena/ --data data")
def back_up_data(
    destination: Annotated[
        str,
        typer.Argument(
            metavar="DEST",
            help="The new file; or a folder, in which the name of the file has the time. With / at the end it is a "
            "folder, created if it is missing.",
        ),
    ],
    data: DataOption = DEFAULT_DATA,
) -> None:
    """Write a backup to one file and verify it. The arena may be running."""
    with server_packages():
        from arena.server.data_folder import DataFolder
        from arena.server.maintenance.backup import back_up
        from arena.server.software import software
    target = Path(destination)
    if destination.endswith(os.sep):
        target.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _progress("copying") as progress:
        backup = back_up(DataFolder(data), target, software=software(), progress=progress)
    print_line(
        f"{backup.path} contains {counted(backup.logs, 'match log')} and everything else of {data}: "
        f"{size_of(backup.bytes)}, verified."
    )
    if missing := backup.manifest.missing:
        few = ", ".join(str(match) for match in missing[:_FEW]) + (", ..." if len(missing) > _FEW else "")
        print_error(f"The logs of {counted(len(missing), 'match', 'matches')} were missing ({few}).")
    print_error(
        "The file contains the signing key, the organiser's token and secrets of future seeds. Keep it as private "
        "as the data folder."
    )


@command(app, "restore", example="arena data restore arena-20261121T093005Z.tar.zst --data data")
def restore_data(
    archive: Annotated[Path, typer.Argument(metavar="ARCHIVE", help="A backup made by `arena data backup`.")],
    data: DataOption = DEFAULT_DATA,
) -> None:
    """Restore a data folder from a backup after checking it. The folder must be empty."""
    with server_packages():
        from arena.server.maintenance.restore import restore
    with _progress("checking") as progress:
        manifest = restore(archive, data, progress=progress)
    created = time.strftime("%Y-%m-%d %H:%M:%SZ", time.gmtime(manifest.created_us // US_PER_S))
    print_line(
        f"Restored {data} as of {created}: {counted(len(manifest.files), 'file')}. "
        f"Start it with `arena serve --data {data}`."
    )


@command(app, "prune", example="arena data prune --older-than 90d --keep-last 1000 --dry-run")
def prune_data(
    older_than: Annotated[
        str,
        typer.Option(metavar="TIME", help="Delete logs of matches that ended longer ago: 90d, 12w or 36h."),
    ],
    keep_last: Annotated[int, typer.Option(min=0, help="Keep at least this many of the newest logs.")] = 0,
    archive: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Move the logs to this folder instead of deleting them."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be deleted.")] = False,
    data: DataOption = DEFAULT_DATA,
) -> None:
    """Delete logs and debug lines of old matches; results and ratings stay. The arena may be running."""
    with server_packages():
        from arena.server.data_folder import DataFolder
        from arena.server.maintenance.backup import open_for_reading
        from arena.server.maintenance.prune import Retention, prune
    now_us = time.time_ns() // 1_000
    retention = Retention(now_us - seconds_of(older_than) * US_PER_S, keep_last, archive)
    folder = DataFolder(data)
    with closing(open_for_reading(folder)) as store, _progress("removing") as progress:
        pruned = prune(folder, store, retention, now_us=now_us, dry_run=dry_run, progress=progress)
    done = "would be deleted" if dry_run else "deleted" if archive is None else f"moved to {archive}"
    print_line(f"{counted(len(pruned.matches), 'match log')} {done}, {size_of(pruned.bytes)}.")


@command(app, "move", example="arena data move --to postgresql://arena@localhost/arena --data data")
def move_data(
    to: Annotated[
        str, typer.Option("--to", metavar="URL", help="An empty database, postgresql://USER@HOST/NAME.")
    ],
    data: DataOption = DEFAULT_DATA,
) -> None:
    """Move the database from the data folder to a PostgreSQL server, and compare every row. Stop the arena before."""
    with server_packages():
        from arena.server.data_folder import DataFolder
        from arena.server.maintenance.move import move
    with _progress("copying", unit="rows") as progress:
        moved = move(DataFolder(data), to, progress=progress)
    print_line(f"{counted(moved.rows, 'row')} of {data} are now in {moved.url}, compared one by one.")
    print_line(f"Start the arena as before, `arena serve --data {data}`. The old file is {moved.kept}.")


arena_command(
    app, "export", example="arena data export --ladder main --to data-set --since 812", formats=False
)(export_data)


def seconds_of(text: str) -> int:
    """Return the seconds of "90d", "12w" or "36h". Raises BadParameter."""
    found = re.fullmatch(r"([1-9][0-9]{0,5})([hdw])", text)
    if found is None:
        raise typer.BadParameter(
            f"invalid time {text!r}: expected 90d, 12w or 36h.", param_hint="--older-than"
        )
    return int(found[1]) * _UNITS_S[found[2]]


def size_of(count: int) -> str:
    """Format a number of bytes: "812 B", "3.4 MB"."""
    size, units = float(count), ["B", "kB", "MB", "GB"]
    while size >= 1000 and len(units) > 1:
        size, units = size / 1000, units[1:]
    return f"{count} B" if units[0] == "B" else f"{size:.1f} {units[0]}"


@contextmanager
def _progress(what: str, unit: str = "logs") -> Iterator[Callable[[int, int], None]]:
    with progress_bar(unit=unit) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
