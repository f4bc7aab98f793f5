"""What may be seen of a position: everything (S52).

The parts are named tuples: they are made for every decision and serve as keys of caches, and C does both.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from engine.caravanserai.events import Ending
from engine.caravanserai.hexes import Cell
from engine.caravanserai.options import Options
from engine.caravanserai.pieces import COLOUR_COUNT, Colour, Piece
from engine.caravanserai.tiles import LaidTile


class Decision(IntEnum):
    """What a seat is asked (S44)."""

    OPEN_CELL = 1
    STEP = 2
    STEAL_FROM = 3
    SEED_GOOD = 4


class CaravanPiece(NamedTuple):
    """A piece of a caravan and where it is."""

    cell: Cell
    piece: Piece


class SeatView(NamedTuple):
    """Everything that a seat has."""

    camels: int
    """In the reserve."""
    goods: tuple[int, ...]
    """In the reserve, by colour."""
    caravan: tuple[CaravanPiece, ...]
    """From tail to head; its length is the score (S42)."""


class Placement(NamedTuple):
    """A placement that is under way; its pieces are the head of the caravan."""

    pieces: tuple[Piece, ...]
    """In the order in which they were laid; none before the first step."""
    size: int
    """Of the block laid last or being laid; of a lying camel, what it stands for (S24); 0 before the first step."""
    direction: int | None
    """Of the last step; None before the first."""
    declined: tuple[int, ...]
    """The indices of the pieces for which a loose good was declined, ascending (S26)."""

    @property
    def missing(self) -> int:
        """What the last block still lacks: blocks of one colour never touch, so its pieces are the last equal ones."""
        if not self.pieces or self.pieces[-1] >= COLOUR_COUNT:
            return 0
        last = self.pieces[-1]
        block = next(
            (index for index, piece in enumerate(reversed(self.pieces)) if piece != last), len(self.pieces)
        )
        return self.size - block


@dataclass(frozen=True, slots=True)
class Observation:
    """The whole position."""

    options: Options
    tiles: tuple[LaidTile, ...]
    """By position (S5); the number of seats says where the positions are."""
    first: int
    """The seat that begins each round (S8)."""
    round: int
    """0 in the opening (S15)."""
    trigger: int | None
    """The round in which the market was emptied for the first time (S36); None before."""
    seat_to_act: int | None
    """None when the match is over."""
    decision: Decision | None
    """What this seat is asked; None when the match is over."""
    ending: Ending | None
    """Why the match has ended; None while it runs."""
    market: tuple[int, ...]
    """Goods by colour."""
    loose: tuple[Cell, ...]
    """The cells with a loose good, ascending; it has the colour of its cell (S7)."""
    seats: tuple[SeatView, ...]
    placement: Placement | None
    """None outside a placement; it ends with its count."""
    steal: Colour | None
    """The colour of the good to be stolen, while STEAL_FROM is asked."""
    seeds: int
    """How many goods are still to go to the board while SEED_GOOD is asked, this one included; else 0."""
    viewer: int
    """The seat this view was made for, or SPECTATOR."""
