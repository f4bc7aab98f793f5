"""Plans, standings and crosstables of tournaments."""

from collections.abc import Iterable
from typing import Final

from rich.console import Group, RenderableType

from arena.cli.framework.output import (
    Columns,
    enum_word,
    facts,
    format_milli,
    format_rank,
    format_time,
    plain,
    short,
    table,
    table_of,
)
from arena.cli.rules import format_clock, format_options, format_seed_policy
from arena.drawings.wording import counted
from arena.v1 import tournament_pb2

_PAIRINGS_SHOWN: Final = 20
_SECONDS_PER_HOUR: Final = 3_600


def plan_details(planned: tournament_pb2.CreateTournamentResponse, *, dry_run: bool) -> RenderableType:
    """Return the plan before anything runs: its size and the first pairings."""
    tournament = planned.tournament
    size = (
        f"{counted(tournament.pairings, 'pairing')} of {tournament.seats} bots, each played "
        f"{counted(tournament.seats, 'time')} so that every bot sits on every seat: "
        f"{counted(tournament.matches, 'match', 'matches')}."
    )
    each = tournament.matches * tournament.seats // len(tournament.bots)
    left = tournament.pairings - min(len(planned.pairings), _PAIRINGS_SHOWN)
    longest = tournament.seats * tournament.time_control.seat_limit_ms // 1_000
    bound = (
        f"By the clock, a match takes at most about {_duration(longest)}, and all of them one after the "
        f"other at most {_duration(tournament.matches * longest)}; usually far less."
    )
    shown: list[RenderableType] = [
        plain(f"{size} Each bot plays {each}."),
        plain(bound),
        pairings_table(planned.pairings[:_PAIRINGS_SHOWN]),
    ]
    if left:
        shown.append(f"... and {left} more.")
    name = short(tournament.name)
    shown.append(
        "Nothing was created. Seats are drawn when the tournament is created."
        if dry_run
        else plain(f"Created the tournament {name}. To start it: arena tournament run {name}")
    )
    return Group(*shown)


def pairings_table(pairings: Iterable[tournament_pb2.Pairing]) -> RenderableType:
    """Return the pairings; bots by seat of the first match."""
    return table_of(_PAIRINGS, pairings)


def tournament_details(tournament: tournament_pb2.Tournament) -> RenderableType:
    """Return all about one tournament but its standings."""
    pairings = counted(tournament.pairings, "pairing")
    matches = counted(tournament.matches, "match", "matches")
    unplayed = f", {tournament.unplayed_matches} of them without a result" * bool(tournament.unplayed_matches)
    return facts(
        (
            ("tournament", short(tournament.name)),
            ("format", _format(tournament)),
            ("game", f"{tournament.game}, rules version {tournament.rules_version}"),
            ("bots", ", ".join(short(bot) for bot in tournament.bots)),
            ("plan", f"{pairings}, {matches} of {tournament.seats} seats"),
            ("options", format_options(tournament.game, [(tournament.seats, tournament.options)])),
            ("clock", format_clock(tournament.time_control)),
            ("seeds", format_seed_policy(tournament.seed_policy, hosted_only=tournament.hosted_only)),
            ("state", _state(tournament)),
            ("waiting for", tournament.waiting_for),
            ("matches", f"{tournament.ended_matches} ended{unplayed}, {tournament.running_matches} running"),
            ("created", format_time(tournament.create_time)),
            ("ended", format_time(tournament.end_time)),
            ("commitment", tournament.secret_commitment.hex()),
            ("secret", tournament.secret.hex()),
        )
    )


def crosstable_tables(answer: tournament_pb2.GetCrosstableResponse) -> RenderableType:
    """Return standings and crosstable: what each row scored against each column, by rank."""
    rows = (
        (place, short(row.bot), *(_cell(cell) for cell in row.cells))
        for place, row in enumerate(answer.rows, start=1)
    )
    columns = [">", "~bot", *(f">{place}" for place in range(1, len(answer.rows) + 1))]
    missing = (
        plain(f"{short(line.bot)}: {counted(line.not_played, 'match', 'matches')} without a result.")
        for line in answer.standings
        if line.not_played
    )
    return Group(
        table_of(_STANDINGS, answer.standings),
        "Score of the row against the column / matches:",
        table(columns, rows),
        *missing,
    )


def _cell(cell: tournament_pb2.CrosstableCell) -> str:
    return f"{_points(cell.score_milli)}/{cell.matches}" if cell.matches else "-"


def _points(score_milli: int) -> str:
    """Format whole and half points: "3" or "3.5"."""
    return f"{score_milli / 1000:g}"


def _format(tournament: tournament_pb2.Tournament) -> str:
    return enum_word(tournament_pb2.Tournament.Format, tournament.format).replace("_", "-")


def _state(tournament: tournament_pb2.Tournament) -> str:
    return enum_word(tournament_pb2.Tournament.State, tournament.state)


_PAIRINGS: Final[Columns[tournament_pb2.Pairing]] = {
    ">pairing": lambda pairing: pairing.number,
    ">round": lambda pairing: pairing.round,
    "~bots": lambda pairing: ", ".join(short(bot) for bot in pairing.bots),
    "group": lambda pairing: pairing.group,
    "matches": lambda pairing: ",".join(short(match) for match in pairing.matches),
    "state": lambda pairing: "ended" if pairing.ended else "playing" if pairing.matches else "to come",
}

TOURNAMENTS: Final[Columns[tournament_pb2.Tournament]] = {
    "tournament": lambda tournament: short(tournament.name),
    "format": _format,
    "game": lambda tournament: tournament.game,
    ">bots": lambda tournament: len(tournament.bots),
    "state": _state,
    ">ended": lambda tournament: tournament.ended_matches,
    ">of": lambda tournament: tournament.matches,
    "~waiting for": lambda tournament: tournament.waiting_for,
}

_STANDINGS: Final[Columns[tournament_pb2.TournamentStanding]] = {
    ">rank": lambda line: format_rank(line.rank),
    "~bot": lambda line: short(line.bot),
    ">score": lambda line: f"{_points(line.score_milli)}/{line.pairs}",
    ">%": lambda line: f"{line.score_milli / line.pairs / 10:.1f}" if line.pairs else "",
    ">firsts": lambda line: line.firsts,
    ">matches": lambda line: line.matches,
    ">forfeits": lambda line: line.forfeits,
    ">rating": lambda line: format_milli(line.rating_milli) if line.rating_milli else "",
    ">+-": lambda line: format_milli(line.uncertainty_milli) if line.rating_milli else "",
}


def _duration(seconds: int) -> str:
    if seconds < _SECONDS_PER_HOUR:
        return counted(max(1, round(seconds / 60)), "minute", "minutes")
    return counted(round(seconds / _SECONDS_PER_HOUR), "hour")
