"""The board of Caravanserai: where its cells lie, tiles and inns, and the caravans and loose goods on them."""

import itertools
import math
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final, NamedTuple

from arena.drawings.caravanserai.symbols import inn_at, setup_of
from arena.pictures.picture import WIDTH, Layer, Part
from arena.pictures.svg import SMALLEST, circle, element, number, rectangle, text, tooltip
from engine.caravanserai.hexes import DIRECTIONS, OFFSETS, Cell, centre, moved
from engine.caravanserai.observation import Observation
from engine.caravanserai.pieces import COLOUR_COUNT, COLOUR_LETTERS, COLOURS, LYING, Colour, Piece
from engine.caravanserai.position import Setup
from engine.caravanserai.tables import BoardTables

KINDS: Final = (2, 7, 5, 0, 4)
"""By colour: the kind of counter in `arena.pictures.style` that looks like it."""

BOARD_TOP: Final = 84

_LEGEND: Final = ("small letter: inn", "capital: good", "number: camel")
"""In the upper right corner, where no shape has a cell."""
_EDGE: Final = 8
_CORNERS: Final = tuple((math.sin(turn * math.pi / 3), -math.cos(turn * math.pi / 3)) for turn in range(6))
"""Of a cell whose corners lie 1 from its centre; the first one is the upper one."""
_OUTLINE: Final = 0.5
"""Opacity of outlines that are less important than what they surround."""
_INN: Final = (0.93, 0.66)
"""Outer and inner edge of the frame of an inn. This and the following are shares of the size of a cell."""
_GOOD: Final = 0.94
"""Sides of a good of a caravan."""
_LOOSE: Final = 1.2
"""Sides of a loose good."""
_HOLD: Final = 1.24
"""Sides of what holds a good of a caravan."""
_BADGE: Final = 0.6
"""Radius of a camel."""
_LEADING: Final = 0.78
"""Radius of the disc below a leading camel."""


class Cells(NamedTuple):
    """Where the cells of a shape lie in a picture."""

    size: float
    """From the centre of a cell to a corner."""
    left: float
    top: float
    """Of the centre of the cell (0,0)."""
    bottom: int
    """Lower edge of the board."""

    def at(self, cell: Cell) -> tuple[float, float]:
        """Return the centre of a cell. Direction 0 goes to the right, direction 1 to the right and down."""
        x, y = _from_origin(cell)
        return self.left + self.size * x, self.top + self.size * y


@cache
def cells_of(tables: BoardTables) -> Cells:
    """Return where the cells lie if the board is as wide as the picture."""
    places = [_from_origin(cell) for cell in tables.cells]
    left, right = min(x for x, _ in places), max(x for x, _ in places)
    top, bottom = min(y for _, y in places), max(y for _, y in places)
    size = (WIDTH - 2 * _EDGE) / (right - left + math.sqrt(3))
    middle = WIDTH / 2 - size * (left + right) / 2
    return Cells(
        size, middle, BOARD_TOP + size * (1 - top), math.ceil(BOARD_TOP + size * (bottom - top + 2) + 8)
    )


def _from_origin(cell: Cell) -> tuple[float, float]:
    return math.sqrt(3) * (cell.q + cell.r / 2), 1.5 * cell.r


def board(seen: Observation) -> str:
    """Return tiles and inns, which never change in a match."""
    return _board(setup_of(seen))


@lru_cache(maxsize=64)
def _board(setup: Setup) -> str:
    shape, cells = setup.tables.shape, cells_of(setup.tables)
    hexagon = _hexagon(cells.size)
    drawn = []
    for places, style in ((shape.core + shape.intermediate, "place line"), (shape.outer, "field line")):
        tiles = (_cell(setup, cell, cells, hexagon) for place in places for cell in _tile(place))
        drawn.append(element("g", *tiles, class_=style))
    rims = "".join(_rim(place, cells) for place in shape.places)
    drawn.append(element("path", d=rims, class_="edge", fill="none", stroke_opacity=_OUTLINE))
    for cell in setup.tables.cells:
        colour = inn_at(setup, cell)
        if colour is not None:
            drawn.append(_inn(colour, cell, cells))
    lines = enumerate(_LEGEND)
    drawn += [
        text(WIDTH - 12, BOARD_TOP + 16 + 22 * row, line, 16, style="quiet", anchor="end")
        for row, line in lines
    ]
    return "".join(drawn)


def _tile(place: Cell) -> list[Cell]:
    middle = centre(place)
    return [middle, *(moved(middle, offset) for offset in OFFSETS)]


def _hexagon(size: float) -> str:
    """Return the path of a hexagon around the point where it begins."""
    corners = [(size * x, size * y) for x, y in _CORNERS]
    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in itertools.pairwise(corners)]
    lines = "".join(f"l{number(x)} {number(y)}" for x, y in steps)
    return f"m{number(corners[0][0])} {number(corners[0][1])}{lines}z"


def _cell(setup: Setup, cell: Cell, cells: Cells, hexagon: str) -> str:
    """Return a cell, with its coordinates as a tooltip unless an inn above it has them."""
    x, y = cells.at(cell)
    path = f"M{number(x)} {number(y)}{hexagon}"
    return element("path", *([] if inn_at(setup, cell) is not None else [tooltip(str(cell))]), d=path)


def _rim(place: Cell, cells: Cells) -> str:
    """Return the path around the seven cells of a tile."""
    corners = []
    middle = centre(place)
    for direction in DIRECTIONS:
        x, y = cells.at(moved(middle, OFFSETS[direction]))
        for turn in range(direction, direction + 4):
            dx, dy = _CORNERS[turn % 6]
            corners.append((x + cells.size * dx, y + cells.size * dy))
    path = "L".join(f"{number(x)} {number(y)}" for x, y in corners)
    return f"M{path}z"


def _inn(colour: Colour, cell: Cell, cells: Cells) -> str:
    """Return a frame in the colour of the inn, with its small letter."""
    x, y = cells.at(cell)
    frame = "".join(f"M0 0{_hexagon(share * cells.size)}" for share in _INN)
    size = _letter(cells)
    return element(
        "g",
        tooltip(f"{cell}, {colour.name.lower()} inn"),
        element(
            "path", d=frame, fill_rule="evenodd", class_=f"kind-{KINDS[colour]} edge", stroke_opacity=_OUTLINE
        ),
        text(0, size * 0.28, COLOUR_LETTERS[colour].lower(), size, style="quiet", anchor="middle"),
        transform=f"translate({number(x)} {number(y)})",
    )


def _letter(cells: Cells) -> int:
    return max(SMALLEST, round(cells.size * 0.7))


def pieces(seen: Observation) -> Iterator[Part]:
    """Yield the loose goods, and each piece of a caravan with its link to the one before it."""
    setup = setup_of(seen)
    cells = cells_of(setup.tables)
    for cell in seen.loose:
        colour = inn_at(setup, cell)
        if colour is not None:
            yield Part(f"loose-{cell.q}-{cell.r}", *cells.at(cell), loose_good(colour, cells))
    for seat, view in enumerate(seen.seats):
        for place, (cell, piece) in enumerate(view.caravan):
            x, y = cells.at(cell)
            leads = cell == view.caravan[-1].cell
            body = piece_body(seat, piece, cells, inn_at(setup, cell), leads=leads)
            yield Part(f"piece-{cell.q}-{cell.r}", x, y, body)
            if place:
                before = view.caravan[place - 1].cell
                direction = OFFSETS.index(Cell(before.q - cell.q, before.r - cell.r))
                yield Part(f"link-{cell.q}-{cell.r}", x, y, _link(seat, direction, cells), Layer.TRACES)


def loose_good(colour: Colour, cells: Cells) -> str:
    """Return a loose good around the origin."""
    return element("g", tooltip(f"{colour.name.lower()} good"), _good(colour, cells, _LOOSE))


def _good(colour: Colour, cells: Cells, share: float) -> str:
    side, size, kind = share * cells.size, _letter(cells), KINDS[colour]
    return rectangle(-side / 2, -side / 2, side, side, f"kind-{kind} edge", 4) + text(
        0, size * 0.36, COLOUR_LETTERS[colour], size, style=f"on-kind-{kind} bold", anchor="middle"
    )


def piece_body(seat: int, piece: Piece, cells: Cells, inn: Colour | None, *, leads: bool = False) -> str:
    """Return a piece of a seat's caravan around the origin; it covers the letter of the inn below it."""
    size, side = _letter(cells), _HOLD * cells.size
    letter = text(0, size * 0.36, str(seat), size, style=f"on-seat-{seat} bold", anchor="middle")
    if piece < COLOUR_COUNT:
        colour = COLOURS[piece]
        what = f"{colour.name.lower()} good"
        hold = rectangle(-side / 2, -side / 2, side, side, f"seat-{seat} edge", 8)
        drawn = element("g", hold, stroke_opacity=_OUTLINE) + _good(colour, cells, _GOOD)
    elif piece == LYING:
        what = "lying camel"
        drawn = rectangle(-side / 2, -side / 3, side, side / 1.5, f"seat-{seat} edge", side / 3) + letter
    else:
        what = "leading camel" if leads else "camel"
        below = circle(0, 0, _LEADING * cells.size, "paper edge") if leads else ""
        drawn = below + circle(0, 0, _BADGE * cells.size, f"seat-{seat} edge") + letter
    on = f" on a {inn.name.lower()} inn" if inn is not None else ""
    return element("g", tooltip(f"seat {seat}, {what}{on}"), drawn)


def _link(seat: int, direction: int, cells: Cells) -> str:
    """Return the ribbon to the cell beside the origin."""
    width = 0.36 * cells.size
    ribbon = rectangle(0, -width / 2, math.sqrt(3) * cells.size, width, f"seat-{seat} edge")
    return element("g", ribbon, transform=f"rotate({60 * direction})", stroke_opacity=_OUTLINE)
