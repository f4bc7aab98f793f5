"""Standings, crosstable, bracket and schedule of a tournament as tables of texts, which commands and pages write."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from arena.v1 import tournament_pb2
from arena.wire.tournament_wording import (
    format_pairing_state,
    format_progress,
    format_results,
    format_tie_end,
    part_of,
    points,
)
from arena.wire.wording import format_milli, format_rank, short


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table of texts."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    optional: Collection[str] = ()
    """Columns that only some formats fill."""

    def for_people(self) -> "Sheet":
        """Return it without optional columns that are empty in all rows."""
        kept = [
            place
            for place, name in enumerate(self.columns)
            if name not in self.optional or any(row[place] for row in self.rows)
        ]
        return Sheet(
            [self.columns[place] for place in kept], [[row[place] for place in kept] for row in self.rows]
        )

    def markdown(self) -> Iterator[str]:
        """Yield the lines of a Markdown table."""
        for number, row in enumerate([self.columns, *self.rows]):
            yield f"| {' | '.join(map(_escaped, row))} |"
            if number == 0:
                yield "|" + "---|" * len(row)


def standings_sheet(lines: Iterable[tournament_pb2.TournamentStanding]) -> Sheet:
    """Return the standings; the last two columns are empty where the format has no points or no elimination."""
    optional = ("points", "reached")
    columns = (
        *("rank", "bot", "score", "pairs", "matches", "firsts", "forfeits", "rating", "+-", "withdrawn"),
        *optional,
    )
    rows = [
        (
            format_rank(line.rank),
            short(line.bot),
            points(line.score_milli),
            *map(str, (line.pairs, line.matches, line.firsts, line.forfeits)),
            format_milli(line.rating_milli) if line.rating_milli else "",
            format_milli(line.uncertainty_milli) if line.rating_milli else "",
            "yes" if line.withdrawn else "",
            points(line.points_milli) if line.HasField("points_milli") else "",
            format_progress(line.progress),
        )
        for line in lines
    ]
    return Sheet(columns, rows, optional)


def crosstable_sheet(rows: Sequence[tournament_pb2.CrosstableRow]) -> Sheet:
    """Return the crosstable: what the bot of a row scored against that of a column, "3.5/4" of the matches."""
    cells = [
        (
            short(row.bot),
            *(f"{points(cell.score_milli)}/{cell.matches}" if cell.matches else "" for cell in row.cells),
        )
        for row in rows
    ]
    return Sheet(("bot", *(short(row.bot) for row in rows)), cells)


def bracket_rows(ties: Sequence[tournament_pb2.Tie]) -> Iterator[tuple[str, list[tuple[str, ...]]]]:
    """Yield the title of each part of the brackets, and its rows: round, tie, mark, bot, points, what decided."""
    order = sorted(ties, key=lambda tie: (tie.stage, tie.pool, tie.bracket, tie.level, tie.number))
    for title, of_part in groupby(order, key=part_of):
        yield title.capitalize(), [row for tie in of_part for row in _places(tie)]


def bracket_sheet(ties: Sequence[tournament_pb2.Tie]) -> Sheet:
    """Return the brackets, a row for each place of a tie."""
    rows = [(title, *row) for title, of_part in bracket_rows(ties) for row in of_part]
    return Sheet(("part", "round", "tie", "advances", "bot", "points", "decided by"), rows)


def schedule_sheet(
    pairings: Sequence[tournament_pb2.Pairing], rounds: Sequence[tournament_pb2.Round]
) -> Sheet:
    """Return all pairings; after those of a round its byes."""
    byes = {each.number: each.byes for each in rounds}
    rows: list[tuple[str, ...]] = []
    for number, of_round in groupby(pairings, key=lambda pairing: pairing.round):
        rows += map(_pairing, of_round)
        rows += [(str(number), "", "", short(bot), "bye", "", "") for bot in byes.get(number, ())]
    return Sheet(("round", "part", "table", "bots", "state", "points", "matches"), rows)


_NOT_NEEDED: Final = tournament_pb2.Tie.END_NOT_NEEDED
"""Its winner has advanced by the tie before. An older arena does not say who advances: then it is the first."""


def _places(tie: tournament_pb2.Tie) -> Iterator[tuple[str, ...]]:
    for place in tie.places:
        yield (
            str(tie.level),
            str(tie.number),
            ">" if place.advances or (place.rank == 1 and tie.end != _NOT_NEEDED) else "",
            short(place.bot) if place.bot else "-" if tie.end else "?",
            points(place.points_milli) if tie.ended_pairings else "",
            format_tie_end(tie),
        )


def _pairing(pairing: tournament_pb2.Pairing) -> tuple[str, ...]:
    return (
        str(pairing.round),
        part_of(pairing),
        str(pairing.table),
        ", ".join(map(short, pairing.bots)),
        format_pairing_state(pairing),
        format_results(pairing.results),
        ",".join(map(short, pairing.matches)),
    )


def _escaped(cell: str) -> str:
    shown = "".join(c if c.isprintable() else " " for c in cell)
    return shown.replace("\\", "\\\\").replace("|", "\\|")
