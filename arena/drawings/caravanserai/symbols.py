"""Marks of colours, pieces and cells in drawings of Caravanserai."""

from typing import Final

from rich.text import Text

from arena.drawings.colours import badge_style
from engine import game
from engine.caravanserai import position
from engine.caravanserai.game import CARAVANSERAI
from engine.caravanserai.hexes import OFFSETS, Cell
from engine.caravanserai.observation import Observation
from engine.caravanserai.pieces import COLOUR_COUNT, COLOURS, NO_COLOUR, PIECE_LETTERS, Colour, Piece
from engine.caravanserai.position import Setup

_CHIPS: Final = (
    "grey7 on grey89",
    "grey93 on grey19",
    "grey100 on dark_magenta",
    "grey100 on red3",
    "grey7 on gold1",
)
"""By colour; their backgrounds differ on every terminal."""

_ARROWS: Final = "→↘↙←↖↗"
"""By direction, as the rows of the board lie."""

HEAD: Final = "*"
"""The mark behind the last piece of a caravan, in place of an arrow."""


def own(observation: object) -> Observation:
    """Return the observation, if it is one of Caravanserai. Raises TypeError."""
    return game.own(observation, Observation)


def lengths(observation: object) -> list[int]:
    """Return the lengths of the caravans by seat (S42), without a placement under way: most of it is taken back."""
    seen = own(observation)
    found = [len(seat.caravan) for seat in seen.seats]
    if seen.placement is not None and seen.seat_to_act is not None:
        found[seen.seat_to_act] -= len(seen.placement.pieces)
    return found


def colour_name(colour: Colour) -> Text:
    """Return the colour in small letters."""
    return Text.assemble((colour.name.lower(), _CHIPS[colour]))


def good_mark(colour: Colour, prefix: str = "") -> Text:
    """Return the capital letter of a good."""
    return Text.assemble((prefix + PIECE_LETTERS[colour], f"bold {_CHIPS[colour]}"))


def inn_mark(colour: Colour) -> Text:
    """Return the small letter of an inn."""
    return Text.assemble((PIECE_LETTERS[colour].lower(), f"not bold {_CHIPS[colour]}"))


def piece_mark(piece: Piece, seat: int) -> Text:
    """Return a piece of that seat's caravan: a good's capital letter, or a camel's c or l."""
    if piece < COLOUR_COUNT:
        return good_mark(COLOURS[piece])
    return Text.assemble((PIECE_LETTERS[piece], badge_style(seat)))


def arrow(origin: Cell, to: Cell) -> str:
    """Return the arrow from a cell to the one beside it."""
    return arrow_of(OFFSETS.index(Cell(to.q - origin.q, to.r - origin.r)))


def arrow_of(direction: int) -> str:
    """Return the arrow of a direction."""
    return _ARROWS[direction]


def setup_of(observation: Observation) -> Setup:
    """Return the board with its inns."""
    return position.setup_of(
        len(observation.seats), observation.options, observation.first, observation.tiles
    )


def inn_at(setup: Setup, cell: Cell) -> Colour | None:
    """Return the colour of the inn on a cell of the board; None if there is none."""
    colour = setup.inn_colour[setup.tables.numbers[cell]]
    return None if colour == NO_COLOUR else COLOURS[colour]


def place(setup: Setup, cell: Cell) -> Text:
    """Return where a cell is: "at (3,-2)" or "on the black inn at (3,-2)"."""
    inn = inn_at(setup, cell)
    if inn is None:
        return Text(f"at {cell}")
    return Text("on the ").append_text(colour_name(inn)).append(f" inn at {cell}")


def level_of(observation: Observation) -> str:
    """Return the level that the first seat has reached; it counts in solo alone (S43)."""
    return CARAVANSERAI.level(lengths(observation)[0])


def is_last_round(observation: Observation) -> bool:
    """Return whether the market was emptied before this round, or in it in solo (S37)."""
    return observation.trigger is not None and observation.round >= last_round(observation)


def last_round(observation: Observation) -> int:
    """Return the last round, once the market was emptied (S37)."""
    return (observation.trigger or 0) + (1 if len(observation.seats) > 1 else 0)
