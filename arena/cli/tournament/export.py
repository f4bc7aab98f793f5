"""`arena tournament export`: standings, crosstable, bracket and schedule as table, JSON, CSV or Markdown."""

import csv
import sys
from collections.abc import Sequence
from typing import Annotated, Final, Literal

import typer

from arena.cli.framework.connection import ArenaClient, fetch_all
from arena.cli.framework.output import json_fields, print_json, print_line, print_message, show, table
from arena.v1 import tournament_pb2
from arena.wire.tournament_sheets import (
    Sheet,
    bracket_sheet,
    crosstable_sheet,
    schedule_sheet,
    standings_sheet,
)
from arena.wire.tournament_wording import has_bracket, why_no_bracket
from arena.wire.wording import short

ExportFormat = Literal["table", "json", "csv", "markdown"]
"""How a part of a tournament is written."""

What = Literal["standings", "crosstable", "bracket", "schedule"]
"""The parts of a tournament that can be exported."""

WhatOption = Annotated[What, typer.Option("--what", help="What is exported.")]


def print_export(arena: ArenaClient, name: str, what: What, format_: ExportFormat) -> None:
    """Print a part of the tournament of this resource name. Raises BadParameter: it has no bracket."""
    if format_ == "json":
        _print_json(arena, name, what)
        return
    sheet = _sheet(arena, name, what)
    if format_ == "csv":
        csv.writer(sys.stdout, lineterminator="\n").writerows([sheet.columns, *sheet.rows])
        return
    shown = sheet.for_people()
    if format_ == "markdown":
        for line in shown.markdown():
            print(line)
    elif shown.rows:
        show(table([_MARKS.get(name, "!") + name for name in shown.columns], shown.rows))
    else:
        print_line(_NO_BRACKET_YET if what == "bracket" else nothing_planned(name))


_MARKS: Final = {"forfeits": "?", "firsts": "?", "rating": "?", "+-": "?", "reached": "", "decided by": ""}
"""Columns of tables that are left out, or broken between words, on a narrow terminal; all others stay whole."""

_NO_BRACKET_YET: Final = "No bracket yet: it is drawn when its stage begins."


def nothing_planned(name: str) -> str:
    """Return what is shown of a tournament ("tournaments/{tournament}") without pairings."""
    return f"No pairings yet: `arena tournament run {short(name)}` plans the first round."


def rounds_of(arena: ArenaClient, name: str) -> Sequence[tournament_pb2.Round]:
    """Return all rounds of a tournament."""
    return fetch_all(arena.tournaments.ListRounds, tournament_pb2.ListRoundsRequest(name=name)).rounds


def _print_json(arena: ArenaClient, name: str, what: What) -> None:
    """Print the messages that the part is made of."""
    if what in ("standings", "crosstable"):
        print_message(_crosstable(arena, name))
    elif what == "bracket":
        print_message(_bracket(arena, name))
    else:
        pairings, rounds = _pairings(arena, name), rounds_of(arena, name)
        print_json(
            {
                "pairings": [json_fields(each) for each in pairings],
                "rounds": [json_fields(each) for each in rounds],
            }
        )


def _crosstable(arena: ArenaClient, name: str) -> tournament_pb2.GetCrosstableResponse:
    return arena.tournaments.GetCrosstable(tournament_pb2.GetCrosstableRequest(name=name))


def _bracket(arena: ArenaClient, name: str) -> tournament_pb2.GetBracketResponse:
    """Return the bracket. Raises BadParameter: a tournament of this kind has none."""
    tournament = arena.tournaments.GetTournament(tournament_pb2.GetTournamentRequest(name=name)).tournament
    if not has_bracket(tournament):
        raise typer.BadParameter(
            f"{why_no_bracket(tournament)}. Ask for standings, crosstable or schedule.", param_hint="--what"
        )
    return arena.tournaments.GetBracket(tournament_pb2.GetBracketRequest(name=name))


def _pairings(arena: ArenaClient, name: str) -> Sequence[tournament_pb2.Pairing]:
    return fetch_all(arena.tournaments.ListPairings, tournament_pb2.ListPairingsRequest(name=name)).pairings


def _sheet(arena: ArenaClient, name: str, what: What) -> Sheet:
    match what:
        case "standings":
            return standings_sheet(_crosstable(arena, name).standings)
        case "crosstable":
            return crosstable_sheet(_crosstable(arena, name).rows)
        case "bracket":
            return bracket_sheet(_bracket(arena, name).ties)
        case "schedule":
            return schedule_sheet(_pairings(arena, name), rounds_of(arena, name))
