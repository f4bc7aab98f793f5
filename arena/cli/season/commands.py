"""`arena season`: close the seasons of ladders, and show and verify their final standings."""

import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final

import typer
from google.protobuf.json_format import Parse, ParseError
from rich.console import Group, RenderableType

from arena.cli.framework.commands import CommandContext, arena_command, group
from arena.cli.framework.connection import ArenaClient, fetch_all
from arena.cli.framework.errors import CliError, CommandExit
from arena.cli.framework.names import resource
from arena.cli.framework.output import (
    Columns,
    Format,
    facts,
    listing_table,
    plain,
    print_json,
    show,
    table_of,
)
from arena.cli.framework.terminal import confirm, has_terminal
from arena.core.rating.seasons import DEFAULT_KEEP_PERCENT, PERCENT
from arena.core.seasons import FinalLine, read_document
from arena.core.versions import shown_version
from arena.drawings.wording import counted
from arena.v1 import ladder_pb2, match_pb2, season_pb2
from arena.wire.wording import format_milli, format_rank, format_season, format_time, short

app = group("Close the seasons of ladders; list, show and verify their final standings.")

LadderArgument = Annotated[str, typer.Argument(metavar="LADDER", help="The ladder, for example main.")]
SeasonArgument = Annotated[
    int | None,
    typer.Argument(metavar="[SEASON]", min=1, help="The season, for example 1. Default: the newest."),
]


@arena_command(app, "close", example="arena season close main --keep 75")
def close_season(
    context: CommandContext,
    name: LadderArgument,
    keep: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=PERCENT,
            metavar="PERCENT",
            help="How much of its distance from 1500 points a rating keeps. "
            f"Default: {DEFAULT_KEEP_PERCENT}; not for solo ladders.",
        ),
    ] = None,
    lower: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LADDER",
            help="A division below, the upper one first: close its season too. Needs --swap.",
        ),
    ] = None,
    swap: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="N",
            help="With --lower: promote the best N of each division, relegate as many of the one above.",
        ),
    ] = 0,
    event: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Take --keep, --lower and --swap from the ladder's season in this event file.",
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask on a terminal.")] = False,
) -> None:
    """Close the season of a ladder for good: sign its final standings and begin the next season."""
    if event is not None:
        if lower or swap or keep is not None:
            raise typer.BadParameter(
                "the file says --keep, --lower and --swap: leave them out.", param_hint="--event"
            )
        request = _season_of_file(event, resource("ladders", name))
    else:
        if bool(lower) != bool(swap):
            raise typer.BadParameter("--lower and --swap need each other.", param_hint="--swap")
        request = season_pb2.CloseSeasonRequest(
            ladder=resource("ladders", name),
            keep_percent=keep,
            lower_ladders=[resource("ladders", each) for each in lower or ()],
            swap=swap,
        )
    request.request_id = str(uuid.uuid4())
    with context.connect() as arena:
        if not yes and has_terminal():
            seasons = [_current(arena, each) for each in (request.ladder, *request.lower_ladders)]
            confirm(
                f"Close {' and '.join(seasons)} for good? It cannot be undone.", refused="Nothing was closed."
            )
        answer = arena.seasons.CloseSeason(request)
    context.show(answer, lambda: _closed(answer))


@arena_command(app, "list", example="arena season list main")
def list_seasons(context: CommandContext, name: LadderArgument) -> None:
    """List the closed seasons of a ladder, newest first."""
    request = season_pb2.ListSeasonsRequest(ladder=resource("ladders", name))
    none = f"No closed seasons yet: `arena season close {short(request.ladder)}` closes the first."
    context.call(
        lambda arena: fetch_all(arena.seasons.ListSeasons, request),
        lambda listing: listing_table(_SEASONS, listing.seasons, none),
    )


@arena_command(app, "show", example="arena season show main 1 --format json > season.json")
def show_season(context: CommandContext, name: LadderArgument, season: SeasonArgument = None) -> None:
    """Show the final standings of a closed season. As JSON with document and signature, for `verify`."""
    ladder = resource("ladders", name)
    with context.connect() as arena:
        shown = _season(arena, f"{ladder}/seasons/{season or _newest(arena, ladder)}")
    context.show(shown, lambda: _details(shown))


@arena_command(app, "verify", example="arena season verify season.json --key arena.pub")
def verify(
    context: CommandContext,
    target: Annotated[
        str,
        typer.Argument(metavar="LADDER|FILE", help="A ladder, or a file of `show --format json` (*.json)."),
    ],
    key: Annotated[
        Path | None,
        typer.Option("--key", metavar="FILE", help="The arena's public key. Default: the keys it publishes."),
    ] = None,
) -> None:
    """Verify final standings: signature, canonical form and ranks; of a ladder, all its seasons and their chain."""
    from arena.cli.season.verification import verify_seasons
    from arena.match_log.keys import PublicKey, read_public_key

    file = Path(target) if target.endswith(".json") else None
    seasons = [] if file is None else [_read(file)]
    keys = [] if key is None else [read_public_key(key)]
    if file is None or key is None:
        with context.connect() as arena:
            if file is None:
                seasons = list(_all(arena, resource("ladders", target)))
            if key is None:
                published = arena.matches.ListLogKeys(match_pb2.ListLogKeysRequest()).keys
                keys = [PublicKey(each.public_key) for each in published]
    if not seasons:
        raise CliError(f"The ladder {target} has no closed season to verify.")
    verdicts = verify_seasons(seasons, keys)
    if context.format is Format.JSON:
        print_json({"seasons": [verdict.document() for verdict in verdicts]})
    else:
        lines = [
            f"{each.title}: {'FAILED' if each.problem else 'verified'}: {each.problem or each.proven}"
            for each in verdicts
        ]
        show(Group(*map(plain, lines)))
    if any(verdict.problem for verdict in verdicts):
        raise typer.Exit(int(CommandExit.FAILED))


def _season_of_file(file: Path, ladder: str) -> season_pb2.CloseSeasonRequest:
    """Return how an event file has the season of a ladder closed. Raises CliError: the file is wrong, or has none."""
    from arena.cli.event.file import read_event_file

    wanted = {season.name: season for season in read_event_file(file).seasons}
    if ladder not in wanted:
        known = f"it has those of {', '.join(map(short, wanted))}" if wanted else "it has none"
        raise CliError(
            f"{file} has no season of {short(ladder)}, {known}: add a table [season.{short(ladder)}] (docs/events.md).",
            CommandExit.USAGE,
        )
    season = wanted[ladder]
    return season_pb2.CloseSeasonRequest(
        ladder=ladder,
        keep_percent=season.keep_percent,
        lower_ladders=season.divisions[1:],
        swap=season.swap,
    )


def _season(arena: ArenaClient, name: str) -> season_pb2.Season:
    """Return the season of this resource name."""
    return arena.seasons.GetSeason(season_pb2.GetSeasonRequest(name=name)).season


def _current(arena: ArenaClient, ladder: str) -> str:
    """Return the season that this ladder plays, "season 2 of main"."""
    found = arena.ladders.GetLadder(ladder_pb2.GetLadderRequest(name=ladder)).ladder
    return f"season {found.season} of {short(ladder)}"


def _newest(arena: ArenaClient, ladder: str) -> int:
    """Return the number of the newest closed season. Raises CliError."""
    page = arena.seasons.ListSeasons(season_pb2.ListSeasonsRequest(ladder=ladder, page_size=1))
    if not page.seasons:
        raise CliError(
            f"The ladder {short(ladder)} has no closed season; `arena season close` closes the first."
        )
    return page.seasons[0].number


def _all(arena: ArenaClient, ladder: str) -> Iterator[season_pb2.Season]:
    """Yield all closed seasons of a ladder."""
    listing = fetch_all(arena.seasons.ListSeasons, season_pb2.ListSeasonsRequest(ladder=ladder))
    for season in listing.seasons:
        yield _season(arena, season.name)


def _read(file: Path) -> season_pb2.Season:
    """Return the season in a file. Raises CliError."""
    season = season_pb2.Season()
    try:
        Parse(file.read_text(encoding="utf-8"), season, ignore_unknown_fields=True)
    except OSError as error:
        raise CliError(f"{file} cannot be read: {error.strerror}.") from error
    except (ParseError, UnicodeDecodeError):
        season.Clear()
    if not season.document:
        raise CliError(
            f"{file} holds no season: write it with `arena season show LADDER SEASON --format json`."
        )
    return season


def _closed(answer: season_pb2.CloseSeasonResponse) -> RenderableType:
    closed = (answer.season, *answer.lower_seasons)
    parts: list[RenderableType] = [plain(_what_was_closed(season)) for season in closed]
    parts += map(_details, closed)
    if answer.lower_seasons:
        parts.append(table_of(_MOVES, answer.moves) if answer.moves else "Nobody moves.")
    return Group(*parts)


def _what_was_closed(season: season_pb2.Season) -> str:
    ladder = season.name.split("/")[1]
    return (
        f"Closed season {season.number} of {ladder}: final standings of {counted(season.bots, 'bot')}, signed. Season "
        f"{season.number + 1} has begun. To read them again: arena season show {ladder} {season.number}"
    )


_MOVES: Final[Columns[season_pb2.SeasonMove]] = {
    "bot": lambda move: short(move.bot),
    "moves from": lambda move: short(move.from_ladder),
    "to": lambda move: short(move.to_ladder),
}


def _details(season: season_pb2.Season) -> RenderableType:
    standings = read_document(season.document)
    kept = "" if standings.solo else f"ratings kept {season.keep_percent} % of their distance from 1500"
    about = facts(
        ("season", format_season(season.name)),
        ("game", f"{standings.game}, rules version {standings.rules_version}"),
        ("from", format_time(season.start_time)),
        ("to", format_time(season.close_time)),
        ("at its close", kept),
        ("signed with", f"key {season.key_id}"),
    )
    return Group(about, table_of(_SOLO if standings.solo else _RATED, standings.lines))


_SEASONS: Final[Columns[season_pb2.Season]] = {
    ">season": lambda season: season.number,
    "from": lambda season: format_time(season.start_time),
    "to": lambda season: format_time(season.close_time),
    ">bots": lambda season: season.bots,
    ">kept %": lambda season: season.keep_percent,
    "key": lambda season: season.key_id,
}


def _uncertainty(line: FinalLine, digits: int) -> str:
    return "-" if line.uncertainty_milli is None else format_milli(line.uncertainty_milli, digits)


_RATED: Final[Columns[FinalLine]] = {
    ">rank": lambda line: format_rank(line.rank),
    "bot": lambda line: line.bot,
    "version": lambda line: shown_version(line.version),
    ">rating": lambda line: format_milli(line.value_milli),
    ">+-": lambda line: "fixed" if line.anchor else _uncertainty(line, 0),
    ">matches": lambda line: line.matches,
    ">mean placing": lambda line: format_milli(line.placing_sum * 1000 // line.matches, 2),
    ">forfeits": lambda line: line.forfeits,
}

_SOLO: Final[Columns[FinalLine]] = {
    ">rank": lambda line: format_rank(line.rank),
    "bot": lambda line: line.bot,
    "version": lambda line: shown_version(line.version),
    ">adjusted": lambda line: format_milli(line.value_milli, 2),
    ">+-": lambda line: _uncertainty(line, 2),
    ">boards": lambda line: line.matches,
    ">forfeits": lambda line: line.forfeits,
}
