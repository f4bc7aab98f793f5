"""What the commands of tournaments print: plan, details, rounds, pairings, standings and crosstable."""

from collections.abc import Sequence
from typing import Final

from rich.console import Group, RenderableType

from arena.cli.framework.output import Columns, facts, plain, table, table_of
from arena.drawings.wording import counted
from arena.v1 import tournament_pb2
from arena.wire.tournament_wording import (
    PLANNED_AT_ONCE,
    format_parameters,
    format_results,
    part_of,
    points,
)
from arena.wire.wording import (
    enum_word,
    format_clock,
    format_milli,
    format_options,
    format_rank,
    format_seed_policy,
    format_time,
    short,
)

_PAIRINGS_SHOWN: Final = 20
_SECONDS_PER_HOUR: Final = 3_600


def plan_details(planned: tournament_pb2.CreateTournamentResponse, *, dry_run: bool) -> RenderableType:
    """Return the plan before anything runs: its size and the first pairings."""
    tournament = planned.tournament
    longest = tournament.seats * tournament.time_control.seat_limit_ms // 1_000
    most = max(tournament.matches, planned.size.most_matches)
    bound = (
        f"By the clock, a match takes at most about {_duration(longest)}, and all of them one after the "
        f"other at most {_duration(most * longest)}; usually far less."
    )
    shown: list[RenderableType] = [plain(_size(planned)), plain(bound)]
    if planned.pairings:
        shown.append(table_of(PAIRINGS, planned.pairings[:_PAIRINGS_SHOWN]))
    if left := len(planned.pairings) - _PAIRINGS_SHOWN:
        shown += [f"... and {left} more."] * (left > 0)
    if planned.byes:
        shown.append(plain(f"Byes: {', '.join(map(short, planned.byes))}."))
    name = short(tournament.name)
    by_rounds = tournament.format not in PLANNED_AT_ONCE
    shown.append(
        (
            "Nothing was created. "
            + (_FIRST_ROUND if by_rounds else "Seats are drawn when the tournament is created.")
        )
        if dry_run
        else plain(f"Created the tournament {name}. To start it: arena tournament run {name}")
    )
    return Group(*shown)


def _size(planned: tournament_pb2.CreateTournamentResponse) -> str:
    """Return how large the tournament becomes."""
    tournament, size = planned.tournament, planned.size
    each = f"each played {counted(tournament.seats, 'time')} so that every bot sits on every seat"
    if tournament.format in PLANNED_AT_ONCE:
        matches = tournament.matches * tournament.seats // len(tournament.bots)
        return (
            f"{counted(tournament.pairings, 'pairing')} of {tournament.seats} bots, {each}: "
            f"{counted(tournament.matches, 'match', 'matches')}. Each bot plays {matches}."
        )
    return (
        f"{_range(size.fewest_rounds, size.most_rounds, 'round', 'rounds')} with "
        f"{_range(size.fewest_pairings, size.most_pairings, 'pairing', 'pairings')} of {tournament.seats} bots, "
        f"{each}: {_range(size.fewest_matches, size.most_matches, 'match', 'matches')}."
    )


def _range(least: int, most: int, one: str, many: str) -> str:
    return counted(most, one, many) if least == most else f"{least} to {most} {many}"


_FIRST_ROUND: Final = (
    "The first round is planned when the tournament begins to run; drawn seeds and seats will be others."
)


def tournament_details(tournament: tournament_pb2.Tournament) -> RenderableType:
    """Return all about one tournament but its standings."""
    pairings = counted(tournament.pairings, "pairing")
    matches = counted(tournament.matches, "match", "matches")
    unplayed = f", {tournament.unplayed_matches} of them without a result" * bool(tournament.unplayed_matches)
    return facts(
        ("tournament", short(tournament.name)),
        ("title", tournament.title),
        ("hidden", "yes" if tournament.hidden else ""),
        ("format", _format(tournament)),
        ("game", f"{tournament.game}, rules version {tournament.rules_version}"),
        ("parameters", format_parameters(tournament)),
        ("bots", ", ".join(short(bot) for bot in tournament.bots)),
        ("seeded by", short(tournament.seeded_by)),
        ("withdrawn", ", ".join(map(_withdrawal, tournament.withdrawals))),
        ("round", str(tournament.current_round or "")),
        ("plan", f"{pairings}, {matches} of {tournament.seats} seats"),
        ("options", format_options(tournament.game, [(tournament.seats, tournament.options)])),
        ("clock", format_clock(tournament.time_control)),
        ("matches are", _visibility(tournament)),
        ("seeds", format_seed_policy(tournament.seed_policy, hosted_only=tournament.hosted_only)),
        ("state", _state(tournament)),
        ("waiting for", tournament.waiting_for),
        ("matches", f"{tournament.ended_matches} ended{unplayed}, {tournament.running_matches} running"),
        ("created", format_time(tournament.create_time)),
        ("ended", format_time(tournament.end_time)),
        ("commitment", tournament.secret_commitment.hex()),
        ("secret", tournament.secret.hex()),
    )


def _visibility(tournament: tournament_pb2.Tournament) -> str:
    if not tournament.visibility:
        return ""  # of an older arena
    return enum_word(tournament_pb2.Tournament.Visibility, tournament.visibility)


def _withdrawal(withdrawal: tournament_pb2.Withdrawal) -> str:
    after = f" after round {withdrawal.after_round}" if withdrawal.after_round else ""
    return f"{short(withdrawal.bot)}{after}"


def round_lines(rounds: Sequence[tournament_pb2.Round]) -> RenderableType:
    """Return a table of the rounds with their byes."""
    return table_of(_ROUNDS, rounds)


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
        table_of(STANDINGS, answer.standings),
        "Score of the row against the column / matches:",
        table(columns, rows),
        *missing,
    )


def _cell(cell: tournament_pb2.CrosstableCell) -> str:
    return f"{points(cell.score_milli)}/{cell.matches}" if cell.matches else "-"


def _format(tournament: tournament_pb2.Tournament) -> str:
    return enum_word(tournament_pb2.Tournament.Format, tournament.format).replace("_", "-")


def _state(tournament: tournament_pb2.Tournament) -> str:
    return enum_word(tournament_pb2.Tournament.State, tournament.state)


PAIRINGS: Final[Columns[tournament_pb2.Pairing]] = {
    ">pairing": lambda pairing: pairing.number,
    ">round": lambda pairing: pairing.round,
    "part": part_of,
    "~bots": lambda pairing: ", ".join(short(bot) for bot in pairing.bots),
    "group": lambda pairing: pairing.group,
    "matches": lambda pairing: ",".join(short(match) for match in pairing.matches),
    "state": lambda pairing: "ended" if pairing.ended else "playing" if pairing.matches else "to come",
    "~points": lambda pairing: format_results(pairing.results),
}

_ROUNDS: Final[Columns[tournament_pb2.Round]] = {
    ">round": lambda each: each.number,
    ">pairings": lambda each: each.pairings,
    ">ended": lambda each: each.ended_pairings,
    "~byes": lambda each: ", ".join(map(short, each.byes)),
    "planned": lambda each: format_time(each.create_time),
}


TOURNAMENTS: Final[Columns[tournament_pb2.Tournament]] = {
    "tournament": lambda tournament: short(tournament.name) + (" (hidden)" if tournament.hidden else ""),
    "format": _format,
    "game": lambda tournament: tournament.game,
    ">bots": lambda tournament: len(tournament.bots),
    "state": _state,
    ">ended": lambda tournament: tournament.ended_matches,
    ">of": lambda tournament: tournament.matches,
    "~waiting for": lambda tournament: tournament.waiting_for,
}

STANDINGS: Final[Columns[tournament_pb2.TournamentStanding]] = {
    ">rank": lambda line: format_rank(line.rank),
    "~bot": lambda line: f"{short(line.bot)} (withdrawn)" if line.withdrawn else short(line.bot),
    ">score": lambda line: f"{points(line.score_milli)}/{line.pairs}",
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
