"""Lays the placement that leaves it best at the end of the turn, and looks no further.

docs/bots/caravanserai.md states its policy exactly. It needs nothing but the messages of the wire, and all of its
arithmetic is on integers.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import arena.sdk
from arena.sdk import caravanserai

ROW: Final = 64
"""A cell is one number, ROW * q + r: ascending numbers are in the order of S4, and directions are differences."""

STEPS: Final = (ROW, 1, 1 - ROW, -ROW, -1, ROW - 1)
"""By direction (S3)."""

WORTH_OF_PIECE: Final = 10
WORTH_OF_GOOD: Final = 6
WORTH_OF_CAMELS: Final = (-60, -18, -8, -3, 0)
"""By camels in the reserve; the last number also for more."""
WORTH_OF_ROOM: Final = (-80, -6, -2, 0)
"""By empty cells beside the leading camel; the last number also for more."""
NEARBY: Final = 3
"""Inns so many steps away count for an opening cell."""


class Path(NamedTuple):
    """Cells in a row, as pieces can be laid on them."""

    cells: tuple[int, ...]
    onward: tuple[int, ...]
    """The steps that are possible after it (S19)."""
    colours: frozenset[int]
    """Of its inns."""
    loose: int
    """How many loose goods lie on it."""

    @property
    def colour(self) -> int | None:
        """Of a block that is omitted here (S33)."""
        return next(iter(self.colours)) if len(self.colours) == 1 else None


class Block(NamedTuple):
    """Goods of one colour on a path."""

    path: Path
    colour: int
    """0 to 4, as in lists by colour."""


class Placement(NamedTuple):
    """Blocks, and a camel behind them."""

    blocks: tuple[Block, ...]
    camel: int
    """Its cell."""


class Table:
    """The position before a turn, as the policy needs it."""

    def __init__(self, view: caravanserai.Observation) -> None:
        """Numbers the cells."""
        self.view = view
        self.own = view.seats[view.seat_to_act]
        self.inns = {number(inn): tile.colour - 1 for tile in view.board.tiles for inn in tile.inns}
        """By cell, its colour."""
        self.loose = {number(cell) for cell in view.loose_goods}
        board = {number(tile.centre) + step for tile in view.board.tiles for step in (0, *STEPS)}
        self.empty = board - {number(piece.cell) for seat in view.seats for piece in seat.caravan}
        self.caravan = [number(piece.cell) for piece in self.own.caravan]
        """From tail to head."""
        self.sources = {colour for colour in range(5) if self._has_source(colour)}
        """The colours of which somebody else or the market has a good."""
        self._paths: dict[tuple[int, tuple[int, ...], int], tuple[Path, ...]] = {}

    def _has_source(self, colour: int) -> bool:
        seats = enumerate(self.view.seats)
        others = any(seat.goods[colour] for other, seat in seats if other != self.view.seat_to_act)
        return others or self.view.market[colour] > 0

    def paths(self, cell: int, steps: tuple[int, ...], size: int) -> tuple[Path, ...]:
        """Return all paths of so many cells that leave the cell by one of the steps, the lowest directions first."""
        key = cell, steps, size
        if key not in self._paths:
            self._paths[key] = tuple(self._find(cell, steps, size))
        return self._paths[key]

    def _find(self, cell: int, steps: tuple[int, ...], size: int) -> Iterator[Path]:
        if size == 0:
            yield Path((), steps, frozenset(), 0)
            return
        for step in steps:
            first = cell + step
            if first not in self.empty:
                continue
            colours = frozenset((self.inns[first],)) if first in self.inns else frozenset()
            for rest in self.paths(first, STEPS if colours else (step,), size - 1):
                if first not in rest.cells:
                    loose = rest.loose + (first in self.loose)
                    yield Path((first, *rest.cells), rest.onward, rest.colours | colours, loose)


class Placements:
    """All placements in which every block but one at most is omitted."""

    def __init__(self, table: Table) -> None:
        """Nothing is laid yet."""
        self._table = table
        self._goods = list(table.own.goods)
        self._laid: set[int] = set()
        self._blocks: tuple[Block, ...] = ()

    def all(self) -> Iterator[Placement]:
        """In the order that decides between equally good ones."""
        head = self._table.caravan[-1]
        yield from self._camels(head, STEPS)
        for size in (1,) if self._table.view.options.expert else (1, 2):
            yield from self._with_block(head, STEPS, size, filled=False)

    def _camels(self, cell: int, steps: tuple[int, ...]) -> Iterator[Placement]:
        for step in steps:
            if cell + step in self._table.empty and cell + step not in self._laid:
                yield Placement(self._blocks, cell + step)

    def _with_block(
        self, cell: int, steps: tuple[int, ...], size: int, *, filled: bool
    ) -> Iterator[Placement]:
        """Return those that go on with a block; `filled`: one is there already that is not omitted."""
        before = self._blocks[-1].colour if self._blocks else None
        if size > max(self._goods) + len(self._table.loose):
            return
        for path in self._table.paths(cell, steps, size):
            if not self._laid.isdisjoint(path.cells):
                continue
            colour = path.colour
            if colour is not None and colour != before and self._goods[colour] >= size - path.loose:
                yield from self._beyond(Block(path, colour), cost=size - path.loose, filled=filled)
            if not filled:
                filler = self._filler({before, colour})
                if self._goods[filler] >= size:
                    yield from self._beyond(Block(path, filler), cost=size, filled=True)

    def _filler(self, excluded: set[int | None]) -> int:
        """Return the colour of which most goods are left."""
        colours = [colour for colour in range(5) if colour not in excluded]
        return max(colours, key=self._goods.__getitem__)

    def _beyond(self, block: Block, *, cost: int, filled: bool) -> Iterator[Placement]:
        """Return those that have the block next."""
        path, blocks = block.path, self._blocks
        self._goods[block.colour] -= cost
        self._laid.update(path.cells)
        self._blocks = (*blocks, block)
        yield from self._camels(path.cells[-1], path.onward)
        yield from self._with_block(path.cells[-1], path.onward, len(path.cells) + 1, filled=filled)
        self._blocks = blocks
        self._laid.difference_update(path.cells)
        self._goods[block.colour] += cost


def worth(table: Table, placement: Placement) -> int:
    """Return how the seat stands once the turn is counted and the tail is taken back (S32 to S34)."""
    laid = [(cell, block.colour) for block in placement.blocks for cell in block.path.cells]
    omitted = sum(len(block.path.cells) for block in placement.blocks if block.colour == block.path.colour)
    count = len(laid) + 1 - omitted
    old = min(count, len(table.caravan))
    back = sum(piece.piece >= caravanserai.PIECE_LYING_CAMEL for piece in table.own.caravan[:old])
    camels = table.own.camels - 1 + back
    goods = sum(table.own.goods) - len(laid) + count - back + _brought(table, placement.camel, laid)
    remaining = {cell for cell, _ in laid[count - old :]}
    open_cells = table.empty.union(table.caravan[:old]) - remaining
    room = sum(placement.camel + step in open_cells for step in STEPS)
    return (
        WORTH_OF_PIECE * (len(table.caravan) + omitted)
        + WORTH_OF_GOOD * goods
        + WORTH_OF_CAMELS[min(camels, 4)]
        + WORTH_OF_ROOM[min(room, 3)]
    )


def _brought(table: Table, camel: int, laid: Sequence[tuple[int, int]]) -> int:
    """Return goods that are used on the way (S26), and that the camel earns (S30, S31)."""
    covered = [(table.inns[cell], colour) for cell, colour in laid if cell in table.loose]
    brought = sum(lies == colour for lies, colour in covered)
    if camel in table.inns:
        earned = table.inns[camel]
        brought += camel in table.loose
        brought += earned in table.sources or any(lies == earned != colour for lies, colour in covered)
    return brought


def best_placement(view: caravanserai.Observation) -> Placement:
    """Return the first of those that are worth most."""
    table = Table(view)
    return max(Placements(table).all(), key=lambda placement: worth(table, placement))


def opening(view: caravanserai.Observation, cells: Sequence[caravanserai.Cell]) -> int:
    """Return the place in the list of the first cell with the most unoccupied inns nearby."""
    occupied = {number(piece.cell) for seat in view.seats for piece in seat.caravan}
    inns = [inn for tile in view.board.tiles for inn in tile.inns if number(inn) not in occupied]
    nearby = [sum(distance(cell, inn) <= NEARBY for inn in inns) for cell in cells]
    return nearby.index(max(nearby))


def number(cell: caravanserai.Cell) -> int:
    """Return the cell as one number."""
    return ROW * cell.q + cell.r


def cell_of(cell: int) -> caravanserai.Cell:
    """Return the cell that has this number."""
    q, r = divmod(cell + ROW // 2, ROW)
    return caravanserai.Cell(q=q, r=r - ROW // 2)


def distance(one: caravanserai.Cell, other: caravanserai.Cell) -> int:
    """Return how many steps two cells are apart."""
    q, r = one.q - other.q, one.r - other.r
    return max(abs(q), abs(r), abs(q + r))


def plan_of(placement: Placement) -> caravanserai.Action:
    """Return the placement as one answer (S48)."""
    laid = [(cell, block.colour) for block in placement.blocks for cell in block.path.cells]
    plan = caravanserai.Plan(
        pieces=[caravanserai.Piece.ValueType(colour + 1) for _, colour in laid],
        cells=[cell_of(cell) for cell, _ in laid],
    )
    plan.pieces.append(caravanserai.PIECE_CAMEL)
    plan.cells.append(cell_of(placement.camel))
    return caravanserai.Action(plan=plan)


class Greedy(caravanserai.Bot):
    """Answers each turn with a plan."""

    name = "greedy"
    matches = 4

    def choose(
        self,
        observation: caravanserai.Observation,
        legal_actions: Sequence[caravanserai.Action],
        clock: arena.sdk.Clock,
    ) -> int | caravanserai.Action:
        """Return the same answer whenever the position is the same."""
        match observation.decision:
            case caravanserai.DECISION_OPEN_CELL:
                return opening(observation, [action.open.cell for action in legal_actions])
            case caravanserai.DECISION_STEP if not observation.placement.pieces:
                return plan_of(best_placement(observation))
            case caravanserai.DECISION_STEAL_FROM:
                lengths = [len(observation.seats[action.steal.victim].caravan) for action in legal_actions]
                return lengths.index(max(lengths))
            case caravanserai.DECISION_SEED_GOOD:
                head = observation.seats[observation.seat_to_act].caravan[-1].cell
                ways = [distance(action.seed.cell, head) for action in legal_actions]
                return ways.index(min(ways))
        return 0


if __name__ == "__main__":
    arena.sdk.run(Greedy)
