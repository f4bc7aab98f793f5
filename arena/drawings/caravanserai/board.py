"""The board of Caravanserai on a terminal: one row of text for each r, four columns for each cell.

A cell that is drawn half a cell further right in the next row has the same q: down and right adds 1 to r, right adds 1
to q. The first and the last cell of each row are written beside it.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Final, NamedTuple

from rich.text import Text

from arena.drawings.caravanserai.symbols import (
    HEAD,
    arrow,
    arrow_of,
    good_mark,
    inn_at,
    inn_mark,
    piece_mark,
    setup_of,
)
from arena.drawings.colours import badge_style, seat_style
from arena.drawings.wording import QUIET
from engine.caravanserai.actions import cell_of
from engine.caravanserai.hexes import DIRECTIONS, Cell
from engine.caravanserai.observation import Decision, Observation
from engine.caravanserai.pieces import COLOURS, Piece
from engine.caravanserai.tables import BoardTables

_HALF: Final = 2
"""Columns for half a cell."""

_MARGIN: Final = 8
"""Columns to the left of the board, for the longest name of a cell and a space."""

_COMPASS: Final = 78
"""The column at which the directions end. They stand beside the first rows, which are short."""


class _Standing(NamedTuple):
    """A piece as it stands in a caravan."""

    seat: int
    piece: Piece
    onward: str
    """The way to the next piece, or HEAD."""


def board_lines(observation: Observation) -> list[Text]:
    """Return the board, at most 80 columns wide."""
    tables = setup_of(observation).tables
    cells = _Cells(observation)
    rows = _rows(tables)
    edge = min(_column(row[0]) for row in rows)
    lines = []
    for row in rows:
        start = _MARGIN + _column(row[0]) - edge
        line = Text.assemble((f"{f'{row[0]} ':>{start}}", QUIET))
        for cell in row:
            line.append_text(cells.drawn(cell))
        lines.append(line.append(f" {row[-1]}", style=QUIET))
    # The directions as the rules number them.
    way = [f"{direction}{arrow_of(direction)}" for direction in DIRECTIONS]
    compass = (f"{way[4]} {way[5]} ", f"directions  {way[3]}   {way[0]}", f"{way[2]} {way[1]} ")
    for line, directions in zip(lines, compass, strict=False):
        line.append(f"{directions:>{_COMPASS - len(line)}}".rstrip(), style=QUIET)
    return lines


def legend_lines(observation: Observation) -> list[Text]:
    """Return the meaning of the marks on the board."""
    seat = observation.seat_to_act or 0
    open_on = "◆r to open on   " if _is_opening(observation) else ""
    marks = Text.assemble((f"◇r inn   {open_on}●R loose good  ", QUIET))
    for colour in COLOURS:
        marks.append(" ").append_text(good_mark(colour)).append(f" {colour.name.lower()}", style=QUIET)
    goods = f"{seat}R→ good of seat {seat}   {seat}Rw↘ on a white inn"
    return [marks, Text(f"{goods}   c camel   l lying camel   {HEAD} head", style=QUIET)]


def _column(cell: Cell) -> int:
    """Return where a cell is drawn, from the column of (0,0)."""
    return _HALF * (2 * cell.q + cell.r)


@lru_cache(maxsize=4)
def _rows(tables: BoardTables) -> tuple[tuple[Cell, ...], ...]:
    """Return the cells of each row, from left to right; no row has a gap."""
    ordered = sorted(tables.cells, key=lambda cell: (cell.r, cell.q))
    return tuple(tuple(row) for _, row in groupby(ordered, key=lambda cell: cell.r))


def _is_opening(observation: Observation) -> bool:
    return observation.decision is Decision.OPEN_CELL


class _Cells:
    """What is on the cells."""

    def __init__(self, observation: Observation) -> None:
        self._setup = setup_of(observation)
        self._loose = frozenset(observation.loose)
        self._pieces = dict(_pieces(observation))
        openings = self._setup.openings if _is_opening(observation) else []
        self._openings = frozenset(cell_of(action) for _, action in openings)

    def drawn(self, cell: Cell) -> Text:
        """Return the four columns of a cell."""
        inn = inn_at(self._setup, cell)
        if cell in self._pieces:
            seat, piece, onward = self._pieces[cell]
            text = Text.assemble((str(seat), badge_style(seat)), piece_mark(piece, seat))
            text.append_text(inn_mark(inn) if inn is not None else Text(" "))
            return text.append(onward, style=seat_style(seat))
        if inn is None:
            text = Text.assemble(("·", QUIET))
        elif cell in self._loose:
            text = good_mark(inn, "●")
        else:
            text = Text.assemble(("◆" if cell in self._openings else "◇", QUIET), inn_mark(inn))
        text.pad_right(2 * _HALF - len(text))
        return text


def _pieces(observation: Observation) -> Iterator[tuple[Cell, _Standing]]:
    for seat, view in enumerate(observation.seats):
        cells: Sequence[Cell] = [cell for cell, _ in view.caravan]
        onward = [*map(arrow, cells, cells[1:]), HEAD]
        for (cell, piece), way in zip(view.caravan, onward, strict=False):
            yield cell, _Standing(seat, piece, way)
