"""What the commands of tournaments print: plan, details, rounds, pairings, standings and crosstable."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from rich.console import Group, RenderableType

from arena.cli.framework.output import Columns, facts, plain, table, table_of
from arena.cli.ladder.settings import event_name
from arena.drawings.wording import counted
from arena.v1 import tournament_pb2
from arena.wire.gate_wording import (
    compared_bots,
    format_compared,
    format_elo,
    format_ratio,
    format_scores,
    format_superiority,
    format_verdict,
    format_winner,
)
from arena.wire.tournament_wording import (
    PLANNED_AT_ONCE,
    format_kind,
    format_pairing_state,
    format_parameters,
    format_progress,
    format_results,
    format_size,
    format_suite,
    part_of,
    points,
    seed_lines,
    visibility_lines,
)
from arena.wire.wording import (
    enum_word,
    format_clock,
    format_milli,
    format_options,
    format_rank,
    format_time,
    short,
)

_PAIRINGS_SHOWN: Final = 20
_SECONDS_PER_HOUR: Final = 3_600
_FINISHED: Final = tournament_pb2.Tournament.STATE_FINISHED


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
    if suite := format_suite(tournament.suite):
        shown.append(plain(f"Set-ups of the suite {suite}."))
    if planned.pairings:
        shown.append(table_of(PAIRINGS, planned.pairings[:_PAIRINGS_SHOWN]))
    if left := len(planned.pairings) - _PAIRINGS_SHOWN:
        shown += [f"... and {left} more."] * (left > 0)
    shown += _byes(planned.byes)
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
    played = f"played {counted(tournament.seats, 'time')} so that every bot sits on every seat"
    if tournament.format in PLANNED_AT_ONCE:
        matches = tournament.matches * tournament.seats // len(tournament.bots)
        return (
            f"{counted(tournament.pairings, 'pairing')} of {tournament.seats} bots, each {played}: "
            f"{counted(tournament.matches, 'match', 'matches')}. Each bot plays {matches}."
        )
    return f"{format_size(size)} of {tournament.seats} seats. Each pairing is {played}."


_FIRST_ROUND: Final = (
    "The first round is planned when the tournament begins to run; drawn seeds and seats will be others."
)


def tournament_details(
    tournament: tournament_pb2.Tournament, size: tournament_pb2.PlanSize | None = None
) -> RenderableType:
    """Return all about one tournament but its standings. `size`: how large it becomes, if that is known."""
    unplayed = f", {tournament.unplayed_matches} of them without a result" * bool(tournament.unplayed_matches)
    return facts(
        ("tournament", short(tournament.name)),
        ("title", tournament.title),
        ("hidden", "yes" if tournament.hidden else ""),
        ("archived", "yes" if tournament.archived else ""),
        ("format", _format(tournament)),
        ("game", f"{tournament.game}, rules version {tournament.rules_version}"),
        ("parameters", format_parameters(tournament)),
        *_compared(tournament),
        ("bots", ", ".join(short(bot) for bot in tournament.bots)),
        ("seeded by", short(tournament.seeded_by)),
        ("withdrawn", ", ".join(map(_withdrawal, tournament.withdrawals))),
        ("round", _round(tournament, size)),
        ("plan", _plan(tournament, size)),
        ("options", format_options(tournament.game, [(tournament.seats, tournament.options)])),
        ("clock", format_clock(tournament.time_control)),
        *_lines("matches are", visibility_lines(tournament)),
        ("suite", format_suite(tournament.suite)),
        *_lines("seeds", seed_lines(tournament)),
        ("state", _state(tournament)),
        ("waiting for", tournament.waiting_for),
        ("matches", f"{tournament.ended_matches} ended{unplayed}, {tournament.running_matches} running"),
        ("created", format_time(tournament.create_time)),
        ("ended", format_time(tournament.end_time)),
        ("commitment", tournament.secret_commitment.hex()),
        ("secret", tournament.secret.hex()),
    )


def _round(tournament: tournament_pb2.Tournament, size: tournament_pb2.PlanSize | None) -> str:
    """Return the newest round and how many there are, "2 of 6", without these at the end; empty before the first."""
    over = tournament.state == _FINISHED
    if over or not tournament.current_round or not (size and size.most_rounds):
        return str(tournament.current_round or "")
    most = "" if size.fewest_rounds == size.most_rounds else f" to {size.most_rounds}"
    return f"{tournament.current_round} of {size.fewest_rounds}{most}"


def _plan(tournament: tournament_pb2.Tournament, size: tournament_pb2.PlanSize | None) -> str:
    """Return what is planned, or what will be before the first of several rounds."""
    seats = f"of {tournament.seats} seats"
    if tournament.format in PLANNED_AT_ONCE or tournament.current_round:
        whole = tournament.format in PLANNED_AT_ONCE or tournament.state == _FINISHED
        pairings = counted(tournament.pairings, "pairing")
        return f"{pairings}, {counted(tournament.matches, 'match', 'matches')} {seats}{'' if whole else ' so far'}"
    if size and size.most_rounds:
        return f"{format_size(size)} {seats}"
    return f"round by round, matches {seats}"


def first_round(answer: tournament_pb2.GetTournamentResponse) -> RenderableType:
    """Return the pairings and byes of a first round that is not planned yet."""
    drawn = table_of(_FIRST_PAIRINGS, answer.first_round[:_PAIRINGS_SHOWN])
    left = len(answer.first_round) - _PAIRINGS_SHOWN
    more = [f"... and {left} more."] * (left > 0)
    return Group("First round, if no bot withdraws before it:", drawn, *more, *_byes(answer.first_byes))


def _byes(bots: Sequence[str]) -> Iterator[str]:
    """Yield a line with the bots that have a bye, if there are any."""
    if bots:
        yield plain(f"Byes: {', '.join(map(short, bots))}.")


def withdrawal_lines(answer: tournament_pb2.WithdrawFromTournamentResponse, bot: str) -> RenderableType:
    """Return what has become of a bot ("bots/{bot}") and its matches, then all about the tournament."""
    tournament = answer.tournament
    named = f"{short(bot)} has withdrawn from {short(tournament.name)}"
    after = next((each.after_round for each in tournament.withdrawals if each.bot == bot), 0)
    when = f"after round {after}: it is in no later round" if after else "before the first round"
    whole = tournament.format in PLANNED_AT_ONCE
    lines = [f"{named}." if whole else f"{named} {when}."]
    if tournament.HasField("gate") and bot in compared_bots(tournament):
        lines = [f"{named}. So the gate ends: no set-up is begun any more."]
    if answer.unchanged:
        lines = [f"{short(bot)} had withdrawn from {short(tournament.name)} before: nothing has changed."]
    if answer.dropped_pairings:
        dropped = counted(answer.dropped_pairings, "pairing")
        lines.append(f"{dropped} of it had no matches yet and ended without any.")
    if answer.open_matches:
        numbers = ", ".join(map(short, answer.open_matches))
        lines.append(f"Open matches are played on, or end as no-shows if it stays away: {numbers}.")
    else:
        lines.append("It has no open matches.")
    return Group(*map(plain, lines), tournament_details(tournament))


def _compared(tournament: tournament_pb2.Tournament) -> Iterator[tuple[str, str]]:
    """Yield what a gate compares and how it stands; nothing for other formats."""
    if not tournament.HasField("gate"):
        return
    gate = tournament.gate
    yield "candidate", f"{short(gate.bot)} {format_compared(gate.candidate)}"
    yield "incumbent", f"{short(gate.bot)} {format_compared(gate.incumbent)}"
    if gate.verdict:
        yield "set-ups that count", str(gate.set_ups)
        yield "score", format_scores(gate)
        yield "Elo difference", format_elo(gate)
        yield "superiority", format_superiority(gate)
        yield "LLR", format_ratio(tournament)
        yield "expected", f"{counted(gate.set_ups_left, 'more set-up')}" if gate.set_ups_left else ""
        yield "verdict", format_verdict(tournament)
    yield "pin", format_winner(tournament)


def _lines(name: str, lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield a fact of several lines."""
    for number, line in enumerate(lines):
        yield "" if number else name, line


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
    columns = [">", "!bot", *(f">{place}" for place in range(1, len(answer.rows) + 1))]
    missing = (
        plain(f"{short(line.bot)}: {counted(line.not_played, 'match', 'matches')} without a result.")
        for line in answer.standings
        if line.not_played
    )
    return Group(
        standings_table(answer.standings),
        "Score of the row against the column / matches:",
        table(columns, rows),
        *missing,
    )


def standings_table(lines: Sequence[tournament_pb2.TournamentStanding]) -> RenderableType:
    """Return the standings, with points and how far bots came where the format has them."""
    left_out = {
        ">points": not any(line.HasField("points_milli") for line in lines),
        "reached": not any(line.HasField("progress") for line in lines),
    }
    return table_of({title: cell for title, cell in STANDINGS.items() if not left_out.get(title)}, lines)


def _cell(cell: tournament_pb2.CrosstableCell) -> str:
    return f"{points(cell.score_milli)}/{cell.matches}" if cell.matches else "-"


def _format(tournament: tournament_pb2.Tournament) -> str:
    return format_kind(tournament.format)


def _state(tournament: tournament_pb2.Tournament) -> str:
    return enum_word(tournament_pb2.Tournament.State, tournament.state)


PAIRINGS: Final[Columns[tournament_pb2.Pairing]] = {
    ">pairing": lambda pairing: pairing.number,
    ">round": lambda pairing: pairing.round,
    "part": part_of,
    "!bots": lambda pairing: ", ".join(short(bot) for bot in pairing.bots),
    "?group": lambda pairing: pairing.group,
    "matches": lambda pairing: ",".join(short(match) for match in pairing.matches),
    "state": format_pairing_state,
    "!points": lambda pairing: format_results(pairing.results),
}

_FIRST_PAIRINGS: Final[Columns[tournament_pb2.Pairing]] = {
    ">pairing": lambda pairing: pairing.number,
    "part": part_of,
    "!bots": lambda pairing: ", ".join(short(bot) for bot in pairing.bots),
}

_ROUNDS: Final[Columns[tournament_pb2.Round]] = {
    ">round": lambda each: each.number,
    ">pairings": lambda each: each.pairings,
    ">ended": lambda each: each.ended_pairings,
    "!byes": lambda each: ", ".join(map(short, each.byes)),
    "?planned": lambda each: format_time(each.create_time),
}


TOURNAMENTS: Final[Columns[tournament_pb2.Tournament]] = {
    "tournament": event_name,
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
    "!bot": lambda line: f"{short(line.bot)} (withdrawn)" if line.withdrawn else short(line.bot),
    ">points": lambda line: points(line.points_milli) if line.HasField("points_milli") else "",
    "reached": lambda line: format_progress(line.progress),
    ">score": lambda line: f"{points(line.score_milli)}/{line.pairs}",
    ">%": lambda line: f"{line.score_milli / line.pairs / 10:.1f}" if line.pairs else "",
    "?>firsts": lambda line: line.firsts,
    ">matches": lambda line: line.matches,
    "?>forfeits": lambda line: line.forfeits,
    "?>rating": lambda line: format_milli(line.rating_milli) if line.rating_milli else "",
    "?>+-": lambda line: format_milli(line.uncertainty_milli) if line.rating_milli else "",
}


def _duration(seconds: int) -> str:
    if seconds < _SECONDS_PER_HOUR:
        return counted(max(1, round(seconds / 60)), "minute", "minutes")
    return counted(round(seconds / _SECONDS_PER_HOUR), "hour")
