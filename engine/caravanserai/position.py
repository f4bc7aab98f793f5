"""A position as flat ints and lists, and what can be asked of it without knowing the rules of actions."""

from __future__ import annotations

from array import array
from functools import lru_cache
from typing import Final

from engine.caravanserai.actions import COLOUR_SHIFT, KIND_SHIFT, OPEN, SEED
from engine.caravanserai.events import Ending
from engine.caravanserai.hexes import DIRECTIONS
from engine.caravanserai.observation import Decision, SeatView
from engine.caravanserai.options import Options
from engine.caravanserai.pieces import (
    CAMEL,
    CAMELS,
    COLOUR_COUNT,
    COLOUR_NUMBERS,
    LYING,
    NO_COLOUR,
    OWN_GOODS,
    SHARED_GOODS,
    SHARED_GOODS_EXPERT,
)
from engine.caravanserai.tables import BoardTables, tables_for
from engine.caravanserai.tiles import INNS_ON_TILE, ROTATIONS, LaidTile
from engine.game import State

_STEP: Final = Decision.STEP
_STEAL_FROM: Final = Decision.STEAL_FROM
"""Members of an enum are slow to look up."""

NEVER: Final = -1
"""The trigger before the market was emptied."""

WAYS: Final = len(DIRECTIONS)
"""A *way* is WAYS * cell + direction: a step out of the cell."""


class Setup:
    """What never changes in a match, shared by all copies of its position."""

    __slots__ = (
        "_seed_rows",
        "first",
        "inn_colour",
        "inns",
        "inns_of",
        "openings",
        "options",
        "seats",
        "seedings",
        "tables",
        "text",
        "tiles",
    )

    def __init__(self, seats: int, options: Options, first: int, tiles: tuple[LaidTile, ...]) -> None:
        """Set up a match of so many seats on those tiles, by position; `first` begins."""
        self.seats: int = seats
        self.options: Options = options
        self.first: int = first
        self.tiles: tuple[LaidTile, ...] = tiles
        self.tables: BoardTables = tables_for(seats)
        tables = self.tables
        self.inn_colour: list[int] = [NO_COLOUR] * (tables.off + 1)
        """By cell: the colour of the inn there."""
        self.inns_of: list[int] = [0] * COLOUR_COUNT
        """By colour: the set of its inns."""
        inns: list[int] = []
        for position, tile in enumerate(tiles):
            colour = tile.tile % COLOUR_COUNT
            for cell in self.inns_on(position):
                inns.append(cell)
                self.inn_colour[cell] = colour
                self.inns_of[colour] |= tables.bits[cell]
        self.inns: int = sum(self.inns_of)
        outer = sorted(inns[-INNS_ON_TILE * len(tables.shape.outer) :])
        self.openings: list[tuple[int, int]] = [
            (tables.bits[cell], OPEN << KIND_SHIFT | tables.fields[cell]) for cell in outer
        ]
        """For each inn on an outer tile, by cell: its bit and the action that opens there (S14)."""
        self.seedings: list[list[tuple[int, int]]] = [[] for _ in COLOUR_NUMBERS]
        """By colour, for each of its inns by cell: its bit and the action that puts a good there (S35)."""
        for cell in sorted(inns):
            colour = self.inn_colour[cell]
            action = SEED << KIND_SHIFT | colour << COLOUR_SHIFT | tables.fields[cell]
            self.seedings[colour].append((tables.bits[cell], action))
        self._seed_rows: list[dict[int, bytes]] = [{} for _ in COLOUR_NUMBERS]
        """By colour, then by a set of its inns: the actions that put a good there, packed, once they were asked for."""
        self.text: bytes = b""
        """What a digest says of it, once one was asked for."""

    def inns_on(self, position: int) -> tuple[int, ...]:
        """Return the cells of the inns number 0 and 1 of the tile on that position (S6)."""
        tile, rotation = self.tiles[position]
        return self.tables.inns_on[position][ROTATIONS * (tile // COLOUR_COUNT) + rotation]

    def seeds(self, colour: int, free: int) -> bytes:
        """Return the actions that put a good of the colour on one of those inns, packed (S35).

        From one good to the next most colours have the same free inns. A colour has twelve inns at most.
        """
        rows = self._seed_rows[colour]
        row = rows.get(free)
        if row is None:
            actions = [action for bit, action in self.seedings[colour] if bit & free]
            row = rows[free] = array("I", actions).tobytes()
        return row


@lru_cache(maxsize=64)
def setup_of(seats: int, options: Options, first: int, tiles: tuple[LaidTile, ...]) -> Setup:
    """Return the set-up, the same object again for the same match: a search bot asks for it with every decision."""
    return Setup(seats, options, first, tiles)


class Position(State):
    """All that a match of Caravanserai consists of at one moment. Lists by seat unless said otherwise.

    A caravan is two byte strings, from tail to head: the numbers of its cells and those of its pieces. They are
    replaced as a whole, so that a copy shares them.
    """

    __slots__ = (
        "camels",
        "cells",
        "decision",
        "declined",
        "direction",
        "ending",
        "events",
        "goods",
        "laid",
        "legal",
        "loose",
        "market",
        "missing",
        "occupied",
        "pieces",
        "round",
        "seat_to_act",
        "seat_views",
        "seeds",
        "setup",
        "size",
        "steal",
        "trigger",
    )

    setup: Setup
    round: int
    """0 in the opening (S15)."""
    trigger: int
    """The round in which the market was emptied for the first time, or NEVER (S36)."""
    seat_to_act: int
    decision: Decision | None
    ending: Ending | None
    market: list[int]
    """By colour."""
    loose: int
    """The set of cells with a loose good."""
    occupied: int
    """The set of cells with a piece, and what lies beyond the board."""
    camels: list[int]
    """In the reserve."""
    goods: list[int]
    """In the reserve, by seat and colour: COLOUR_COUNT * seat + colour."""
    cells: list[bytes]
    pieces: list[bytes]
    laid: int
    """Pieces laid in this placement; 0 outside a placement, as are the next four."""
    size: int
    """Of the block laid last or being laid, or what a lying camel stands for (S24)."""
    missing: int
    """Pieces that the block being laid still lacks (S21)."""
    direction: int
    """Of the last step."""
    declined: bytes
    """The indices of the pieces for which a loose good was declined."""
    steal: int
    """The colour of the good to be stolen while STEAL_FROM is asked, else NO_COLOUR."""
    seeds: int
    """Goods to go to the board while SEED_GOOD is asked, else 0."""
    legal: memoryview | None
    """The legal list, once it was asked for."""
    seat_views: list[SeatView | None]
    """What was shown of a seat, while it is still true."""

    def __init__(self, setup: Setup) -> None:
        """Make a position of which only the setup is known: `clear` or `copy_from` comes next."""
        self.setup = setup

    def clear(self) -> None:
        """Clear the board; no seat was asked yet (S13)."""
        seats, expert = self.setup.seats, self.setup.options.expert
        self.round, self.trigger = 0, NEVER
        self.seat_to_act, self.decision, self.ending = self.setup.first, None, None
        self.market = [SHARED_GOODS_EXPERT if expert else SHARED_GOODS] * COLOUR_COUNT
        self.loose, self.occupied = 0, self.setup.tables.bits[self.setup.tables.off]
        self.camels = [CAMELS] * seats
        self.goods = [OWN_GOODS] * (COLOUR_COUNT * seats)
        self.cells, self.pieces = [b""] * seats, [b""] * seats
        self.clear_placement()
        self.steal, self.seeds = NO_COLOUR, 0
        self.events, self.legal = [], None
        self.seat_views = [None] * seats

    def clear_placement(self) -> None:
        """Clear the placement: nothing was laid yet."""
        self.laid = self.size = self.missing = self.direction = 0
        self.declined = b""

    def copy_from(self, other: Position) -> None:
        """Become an independent copy of `other`, of the same setup, with no events waiting."""
        self.round = other.round
        self.trigger = other.trigger
        self.seat_to_act = other.seat_to_act
        self.decision = other.decision
        self.ending = other.ending
        self.market = other.market[:]
        self.loose = other.loose
        self.occupied = other.occupied
        self.camels = other.camels[:]
        self.goods = other.goods[:]
        self.cells = other.cells[:]
        self.pieces = other.pieces[:]
        self.laid = other.laid
        self.size = other.size
        self.missing = other.missing
        self.direction = other.direction
        self.declined = other.declined
        self.steal = other.steal
        self.seeds = other.seeds
        self.events = []
        self.legal = other.legal
        self.seat_views = other.seat_views[:]

    @property
    def in_placement(self) -> bool:
        """Whether a placement is under way: from before its first step until its count."""
        return self.round > 0 and (self.decision is _STEP or self.decision is _STEAL_FROM)

    def can_lay(self, seat: int) -> bool:
        """Return whether the seat has a camel and room beside its leading camel (S16). It has opened."""
        return self.camels[seat] > 0 and self.has_room_beside(self.cells[seat][-1])

    def has_room_beside(self, cell: int) -> bool:
        """Return whether a neighbour of the cell is on the board and not occupied."""
        near = self.setup.tables.near[cell]
        return near & self.occupied != near

    def goods_of(self, seat: int) -> list[int]:
        """Return the goods in the reserve, by colour."""
        return self.goods[COLOUR_COUNT * seat : COLOUR_COUNT * (seat + 1)]

    def laid_pieces(self) -> bytes:
        """Return the pieces of this placement, in the order in which they were laid."""
        pieces = self.pieces[self.seat_to_act]
        return pieces[len(pieces) - self.laid :]

    def may_turn(self) -> bool:
        """Return whether the next step may go in any direction (S19)."""
        seat = self.seat_to_act
        return (
            self.laid == 0
            or self.pieces[seat][-1] == LYING
            or self.setup.inn_colour[self.cells[seat][-1]] != NO_COLOUR
        )

    def next_sizes(self) -> tuple[int, ...]:
        """Return the sizes that the next block may have, ascending (S22, S24)."""
        if self.size:
            return (self.size + 1,)
        return (1,) if self.setup.options.expert else (1, 2)

    def colour_before(self) -> int:
        """Return the colour that the next block must not have, or NO_COLOUR (S23)."""
        last = self.pieces[self.seat_to_act][-1]
        return last if self.laid and last not in (LYING, CAMEL) else NO_COLOUR

    def may_lay_lying(self) -> bool:
        """Return whether a lying camel may be among the next pieces, wherever it goes (S24)."""
        return (
            self.setup.options.expert
            and self.camels[self.seat_to_act] >= 2
            and LYING not in self.laid_pieces()
        )

    def loose_colour(self, cell: int) -> int:
        """Return the colour of the loose good there, or NO_COLOUR."""
        colour = self.setup.inn_colour[cell]
        if colour == NO_COLOUR or not self.loose & self.setup.tables.bits[cell]:
            return NO_COLOUR
        return colour

    def robbable(self, seat: int, colour: int) -> list[int]:
        """Return the other seats with a good of the colour in their reserve, ascending (S31)."""
        return [
            other
            for other in range(self.setup.seats)
            if other != seat and self.goods[COLOUR_COUNT * other + colour]
        ]

    def free_inns(self, colour: int) -> int:
        """Return the set of inns of the colour with neither a piece nor a loose good (S7)."""
        inns = self.setup.inns_of[colour]
        return inns ^ inns & (self.occupied | self.loose)

    def can_seed(self) -> bool:
        """Return whether the market has a good for a free inn (S35)."""
        return any(self.market[colour] and self.free_inns(colour) for colour in COLOUR_NUMBERS)

    def place_in_turn_order(self, seat: int) -> int:
        """From 0 (S8)."""
        return (seat - self.setup.first) % self.setup.seats
