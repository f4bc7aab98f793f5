"""`arena tournament export`: standings, crosstable, bracket and schedule as table, JSON, CSV or Markdown."""

import csv
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import typer

from arena.cli.framework.connection import ArenaClient, fetch_all
from arena.cli.framework.output import print_json, print_message, printable, show, table
from arena.cli.tournament.bracket import parts
from arena.v1 import tournament_pb2
from arena.wire.tournament_wording import format_results, part_of, points
from arena.wire.wording import format_milli, format_rank, short

ExportFormat = Literal["table", "json", "csv", "markdown"]
"""How a part of a tournament is written."""

What = Literal["standings", "crosstable", "bracket", "schedule"]
"""The parts of a tournament that can be exported."""

WhatOption = Annotated[What, typer.Option("--what", help="What is exported.")]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table of texts."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


def print_export(arena: ArenaClient, name: str, what: What, format_: ExportFormat) -> None:
    """Print a part of the tournament of this resource name."""
    if format_ == "json":
        _print_json(arena, name, what)
        return
    sheet = _sheet(arena, name, what)
    if format_ == "table":
        show(table(sheet.columns, sheet.rows))
    elif format_ == "csv":
        csv.writer(sys.stdout, lineterminator="\n").writerows([sheet.columns, *sheet.rows])
    else:
        for line in _markdown(sheet):
            print(line)


def rounds_of(arena: ArenaClient, name: str) -> Sequence[tournament_pb2.Round]:
    """Return all rounds of a tournament."""
    return fetch_all(arena.tournaments.ListRounds, tournament_pb2.ListRoundsRequest(name=name)).rounds


def _print_json(arena: ArenaClient, name: str, what: What) -> None:
    """Print the messages that the part is made of."""
    if what in ("standings", "crosstable"):
        print_message(_crosstable(arena, name))
    elif what == "bracket":
        print_message(arena.tournaments.GetBracket(tournament_pb2.GetBracketRequest(name=name)))
    else:
        from google.protobuf.json_format import MessageToDict

        pairings, rounds = _pairings(arena, name), rounds_of(arena, name)
        print_json(
            {
                "pairings": [MessageToDict(each) for each in pairings],
                "rounds": [MessageToDict(each) for each in rounds],
            }
        )


def _crosstable(arena: ArenaClient, name: str) -> tournament_pb2.GetCrosstableResponse:
    return arena.tournaments.GetCrosstable(tournament_pb2.GetCrosstableRequest(name=name))


def _pairings(arena: ArenaClient, name: str) -> Sequence[tournament_pb2.Pairing]:
    return fetch_all(arena.tournaments.ListPairings, tournament_pb2.ListPairingsRequest(name=name)).pairings


def _sheet(arena: ArenaClient, name: str, what: What) -> Sheet:
    match what:
        case "standings":
            return _standings(_crosstable(arena, name).standings)
        case "crosstable":
            return _cells(_crosstable(arena, name).rows)
        case "bracket":
            ties = arena.tournaments.GetBracket(tournament_pb2.GetBracketRequest(name=name)).ties
            rows = [(title, *row) for title, of_part in parts(ties) for row in of_part]
            return Sheet(("part", "round", "tie", "advances", "bot", "points", "decided by"), rows)
        case "schedule":
            return _schedule(_pairings(arena, name), rounds_of(arena, name))


def _standings(lines: Iterable[tournament_pb2.TournamentStanding]) -> Sheet:
    columns = ("rank", "bot", "score", "pairs", "matches", "firsts", "forfeits", "rating", "+-", "withdrawn")
    rows = [
        (
            format_rank(line.rank),
            short(line.bot),
            points(line.score_milli),
            *map(str, (line.pairs, line.matches, line.firsts, line.forfeits)),
            format_milli(line.rating_milli) if line.rating_milli else "",
            format_milli(line.uncertainty_milli) if line.rating_milli else "",
            "yes" if line.withdrawn else "",
        )
        for line in lines
    ]
    return Sheet(columns, rows)


def _cells(rows: Sequence[tournament_pb2.CrosstableRow]) -> Sheet:
    """Return the crosstable: what the bot of a row scored against that of a column, "3.5/4" of the matches."""
    columns = ("bot", *(short(row.bot) for row in rows))
    return Sheet(
        columns,
        [
            (
                short(row.bot),
                *(f"{points(cell.score_milli)}/{cell.matches}" if cell.matches else "" for cell in row.cells),
            )
            for row in rows
        ],
    )


def _schedule(pairings: Sequence[tournament_pb2.Pairing], rounds: Sequence[tournament_pb2.Round]) -> Sheet:
    """Return all pairings; after those of a round its byes."""
    byes = {each.number: each.byes for each in rounds}
    rows: list[tuple[str, ...]] = []
    for place, pairing in enumerate(pairings):
        state = "ended" if pairing.ended else "playing" if pairing.matches else "to come"
        bots = ", ".join(map(short, pairing.bots))
        matches = ",".join(map(short, pairing.matches))
        rows.append(
            (
                str(pairing.round),
                part_of(pairing),
                str(pairing.table),
                bots,
                state,
                format_results(pairing.results),
                matches,
            )
        )
        following = pairings[place + 1].round if place + 1 < len(pairings) else 0
        if following != pairing.round:
            rows += [
                (str(pairing.round), "", "", short(bot), "bye", "", "") for bot in byes.get(pairing.round, ())
            ]
    return Sheet(("round", "part", "table", "bots", "state", "points", "matches"), rows)


def _markdown(sheet: Sheet) -> Iterable[str]:
    """Yield the lines of a Markdown table."""
    for number, row in enumerate([sheet.columns, *sheet.rows]):
        yield f"| {' | '.join(_escaped(cell) for cell in row)} |"
        if number == 0:
            yield "|" + "---|" * len(row)


def _escaped(cell: str) -> str:
    return printable(cell).replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")
