"""`arena data export`: matches of an arena as tables, in steps that neither skip nor repeat."""

import json
import os
import re
import secrets
from collections.abc import Callable, Iterable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.framework.commands import CommandContext
from arena.cli.framework.connection import HISTORY_SECONDS, ArenaClient
from arena.cli.framework.errors import CliError, server_packages
from arena.cli.framework.names import resource
from arena.cli.framework.output import print_line, print_note, progress_bar
from arena.cli.match_data import BotFilter, LadderFilter, TournamentFilter
from arena.dataset.schema import DECISIONS, MATCHES, OBSERVATIONS, RATINGS, SEATS, DataFormat
from arena.drawings.wording import counted
from arena.v1 import export_pb2

if TYPE_CHECKING:
    from arena.dataset.export import ExportWriter, Line
    from arena.dataset.exported import CallEnd
    from arena.dataset.folder import DatasetFolder
    from arena.dataset.pseudonyms import Pseudonyms

_CURSOR_DIGITS = 10
_EXPORT = re.compile(r"[0-9]{10}-[0-9]{10}")
"""The name of a folder: the cursors at which an export began and ended."""


class Addition(StrEnum):
    """What can be added to a data set."""

    OBSERVATIONS = "observations"
    """What the acting seats see, as numbers."""


def export_data(
    context: CommandContext,
    to: Annotated[Path, typer.Option("--to", metavar="DIR", help="Where to put the folder of this export.")],
    since: Annotated[
        int, typer.Option(min=0, metavar="CURSOR", help="Continue after the export that printed this cursor.")
    ] = 0,
    ladder: LadderFilter = None,
    tournament: TournamentFilter = None,
    game: Annotated[str | None, typer.Option(help="Only matches of this game.")] = None,
    bot: BotFilter = None,
    format: Annotated[
        DataFormat, typer.Option("--format", help="Format of the tables; parquet needs the extra \\[data].")
    ] = DataFormat.JSONL,
    with_: Annotated[
        list[Addition] | None,
        typer.Option("--with", help="Add the features that acting seats see; needs the extra \\[research]."),
    ] = None,
    anonymous: Annotated[
        bool, typer.Option("--anonymous", help="Replace names and numbers by pseudonyms.")
    ] = False,
    key: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Key of the pseudonyms, made if it is missing. Default: one for this export alone.",
        ),
    ] = None,
    licence: Annotated[str, typer.Option(help="The licence of the data, for the data card.")] = "",
    limit: Annotated[
        int, typer.Option(min=0, help="Stop after this many positions; 0: at the newest one.")
    ] = 0,
) -> None:
    """Export final matches, decisions and ratings as tables, and print the cursor to continue with."""
    if key is not None and not anonymous:
        raise typer.BadParameter("a key is used with --anonymous only.", param_hint="--key")
    if ladder and tournament:
        raise typer.BadParameter("a match has a ladder or a tournament: name one.", param_hint="--tournament")
    request = export_pb2.ExportMatchesRequest(
        ladder=resource("ladders", ladder) if ladder else "",
        tournament=resource("tournaments", tournament) if tournament else "",
        game=game or "",
        bot=resource("bots", bot) if bot else "",
    )
    from arena.dataset.export import ExportWriter
    from arena.dataset.folder import DatasetFolder

    _check_continues(to, since, is_anonymous=anonymous)
    observer = _observer() if with_ else None
    tables = (MATCHES, SEATS, DECISIONS, RATINGS, *([OBSERVATIONS] if with_ else []))
    pseudonyms = _pseudonyms(key) if anonymous else None
    with context.connect() as arena, server_packages("data"), DatasetFolder(to, tables, format) as folder:
        writer = ExportWriter(folder, pseudonyms, observer)
        cursor = _write_all(_caller(arena, request), writer, since, limit)
        selected = None if anonymous else _filter(request)
        card = {"kind": "export", "anonymous": anonymous, "licence": licence or None, "filter": selected}
        _finish(folder, since, cursor, card | {"since": since, "cursor": cursor, **writer.card()})
    print_line(str(cursor))


def _check_continues(to: Path, since: int, *, is_anonymous: bool) -> None:
    """Raise CliError if the folder has exports that this one does not continue: readers would count matches twice."""
    exports = [path for path in to.glob("*-*") if _EXPORT.fullmatch(path.name) and path.is_dir()]
    ends = [int(path.name.partition("-")[2]) for path in exports]
    for path in exports:
        if _is_anonymous(path) not in (None, is_anonymous):
            others = "names" if is_anonymous else "pseudonyms"
            raise CliError(f"{to} has exports with {others} already. Name another folder with --to.")
    if ends and since < max(ends):
        raise CliError(
            f"{to} has an export up to the cursor {max(ends)} already, and this one would repeat a part of it. "
            f"Continue with --since {max(ends)}, or name another folder with --to."
        )


def _is_anonymous(export: Path) -> bool | None:
    """Return what the data card of an export says; None: nothing."""
    try:
        return bool(json.loads((export / "data_card.json").read_text(encoding="utf-8"))["anonymous"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _finish(folder: "DatasetFolder", since: int, cursor: int, card: dict[str, Any]) -> None:
    """Complete the folder, unless it is empty, and say what it has."""
    if not folder.counts.total():
        print_note(f"Nothing new after {since}; no folder was written.")
        return
    path = folder.finish(f"{since:0{_CURSOR_DIGITS}}-{cursor:0{_CURSOR_DIGITS}}", card)
    matches, plies = folder.counts[MATCHES.name], folder.counts[DECISIONS.name]
    print_note(f"{path}: {counted(matches, 'match', 'matches')}, {counted(plies, 'decision')}.")


def _caller(
    arena: ArenaClient, request: export_pb2.ExportMatchesRequest
) -> "Callable[[int, int, int], Iterable[Line | CallEnd]]":
    """Return what makes a call for the next positions."""
    from arena.dataset.exported import assembled

    def call(cursor: int, until: int, size: int) -> "Iterable[Line | CallEnd]":
        request.cursor, request.until, request.max_positions = cursor, until, size
        return assembled(arena.exports.ExportMatches(request, timeout=HISTORY_SECONDS))

    return call


def _write_all(
    call: "Callable[[int, int, int], Iterable[Line | CallEnd]]",
    writer: "ExportWriter",
    since: int,
    limit: int,
) -> int:
    """Write all that is exported; return the cursor to continue with. Raises CliError: a log cannot be read."""
    from arena.dataset.export import read_steps
    from arena.dataset.exported import CallEnd, ExportError

    cursor = since
    with progress_bar(unit="lines") as bar:
        for line in bar.track(read_steps(call, since, limit), total=None, description="exporting"):
            if isinstance(line, CallEnd):
                cursor = line.cursor
                continue
            try:
                writer.add(line)
            except ExportError as error:
                raise CliError(str(error)) from error
    return cursor


def _observer() -> Any:
    with server_packages("research"):
        from arena.dataset.observations import Observer

        return Observer()


def _pseudonyms(key: Path | None) -> "Pseudonyms":
    """Return pseudonyms with the key of a file, which is made if it is missing. Raises CliError, OSError."""
    from arena.dataset.pseudonyms import KEY_BYTES, Pseudonyms

    if key is None:
        return Pseudonyms(secrets.token_bytes(KEY_BYTES))
    if not key.exists():
        handle = os.open(key, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(KEY_BYTES) + "\n")
    try:
        secret = bytes.fromhex(key.read_text(encoding="ascii"))
    except ValueError:
        secret = b""
    if len(secret) != KEY_BYTES:
        raise CliError(f"{key} is no key of pseudonyms: it must hold {2 * KEY_BYTES} hex digits.")
    return Pseudonyms(secret)


def _filter(request: export_pb2.ExportMatchesRequest) -> dict[str, str]:
    """Return the filters that were set."""
    named = {name: str(getattr(request, name)) for name in ("ladder", "tournament", "game", "bot")}
    return {name: value for name, value in named.items() if value}
