"""The legal actions of a position once more, slowly, straight from the rules' text and from what a spectator sees.

Nothing here is an int of cells or a table: cells are pairs of coordinates, and whether a block can be completed is
found by laying its pieces one by one.
"""

from collections import Counter
from typing import NamedTuple

from engine.caravanserai import actions
from engine.caravanserai.hexes import Cell
from engine.caravanserai.observation import Decision, Observation
from engine.caravanserai.tiles import shapes

STEPS = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
INNS = {"A": "01", "B": "12", "C": "13", "D": "14", "E": "01", "F": "13"}
"""By category: 0 is the centre, 1 to 6 are the rim cells in the order of the directions (3.4, before rotation)."""

LETTERS = "WKPRY"


class Table(NamedTuple):
    """The position as sets and counts."""

    cells: set[Cell]
    inns: dict[Cell, str]
    """Their colours."""
    loose: set[Cell]
    taken: set[Cell]
    goods: Counter[str]
    """The reserve of the seat to act."""


def naive_legal_actions(seen: Observation) -> list[int]:
    """All legal actions in the order of S46; the order comes from tuples of fields, not from packed ints."""
    table = _table(seen)
    match seen.decision:
        case Decision.OPEN_CELL:
            cells = sorted(_outer_inns(seen) - table.taken)
            return [actions.open_cell(cell) for cell in cells]
        case Decision.STEAL_FROM:
            assert seen.steal is not None
            return [actions.steal(seat) for seat in _others(seen) if seen.seats[seat].goods[seen.steal]]
        case Decision.SEED_GOOD:
            free = {cell for cell in table.inns if cell not in table.loose | table.taken}
            wanted = {(LETTERS.index(table.inns[cell]), cell) for cell in free}
            return [actions.seed(colour, cell) for colour, cell in sorted(wanted) if seen.market[colour]]
        case Decision.STEP:
            return [_packed(fields) for fields in sorted(_steps(seen, table))]
        case None:
            return []


def board_of(seen: Observation) -> dict[Cell, str]:
    """All cells with the colour of the inn there, or "" (S6)."""
    board: dict[Cell, str] = {}
    for place, tile in zip(shapes()[len(seen.seats)].places, seen.tiles, strict=True):
        centre = Cell(2 * place.q - place.r, place.q + 3 * place.r)
        rim = [Cell(centre.q + q, centre.r + r) for q, r in STEPS]
        turned = [centre, *rim[tile.rotation :], *rim[: tile.rotation]]
        inns = [turned[int(number)] for number in INNS["ABCDEF"[tile.category]]]
        board |= {cell: LETTERS[tile.colour] if cell in inns else "" for cell in (centre, *rim)}
    return board


def _table(seen: Observation) -> Table:
    board = board_of(seen)
    assert seen.seat_to_act is not None
    counts = zip(LETTERS, seen.seats[seen.seat_to_act].goods, strict=True)
    return Table(
        cells=set(board),
        inns={cell: colour for cell, colour in board.items() if colour},
        loose=set(seen.loose),
        taken={cell for seat in seen.seats for cell, _ in seat.caravan},
        goods=Counter(dict(counts)),
    )


def _outer_inns(seen: Observation) -> set[Cell]:
    board = board_of(seen)
    centres = [
        Cell(2 * place.q - place.r, place.q + 3 * place.r) for place in shapes()[len(seen.seats)].outer
    ]
    near = {Cell(c.q + q, c.r + r) for c in centres for q, r in (*STEPS, (0, 0))}
    return {cell for cell, colour in board.items() if colour and cell in near}


def _others(seen: Observation) -> list[int]:
    return [seat for seat in range(len(seen.seats)) if seat != seen.seat_to_act]


def _beside(cell: Cell, direction: int) -> Cell:
    q, r = STEPS[direction]
    return Cell(cell.q + q, cell.r + r)


def _free(table: Table, cell: Cell) -> bool:
    return cell in table.cells and cell not in table.taken


def _steps(seen: Observation, table: Table) -> set[tuple[int, ...]]:
    """(rank of `put`, direction, colour, size, decline) of every legal step; 0 for what a step does not have."""
    assert seen.placement is not None
    assert seen.seat_to_act is not None
    own = seen.seats[seen.seat_to_act]
    letters = "".join("WKPRYlc"[piece] for piece in seen.placement.pieces)
    head = own.caravan[-1].cell
    anywhere = not letters or letters[-1] == "l" or head in table.inns
    found: set[tuple[int, ...]] = set()
    for direction in range(6) if anywhere else [seen.placement.direction or 0]:
        target = _beside(head, direction)
        if not _free(table, target):
            continue
        lacking = _lacking(letters, seen.placement.size)
        if lacking:
            found |= {
                (2, direction, 0, 0, d) for d in _ways_to_lay(table, letters[-1], target, direction, lacking)
            }
            continue
        found.add((1, direction))
        for size in _sizes(letters, seen):
            for colour in set(LETTERS) - set(letters[-1:]):
                found |= {
                    (3, direction, LETTERS.index(colour), size, d)
                    for d in _ways_to_lay(table, colour, target, direction, size)
                }
        if seen.options.expert and "l" not in letters and own.camels >= 2:
            table.taken.add(target)
            if any(_free(table, _beside(target, way)) for way in range(6)):
                found.add((4, direction))
            table.taken.remove(target)
    return found


def _lacking(letters: str, size: int) -> int:
    """Return how many goods the block that is being laid still needs."""
    if not letters or letters[-1] not in LETTERS:
        return 0
    return size - (len(letters) - len(letters.rstrip(letters[-1])))


def _sizes(letters: str, seen: Observation) -> list[int]:
    assert seen.placement is not None
    if letters:
        return [seen.placement.size + 1]
    return [1] if seen.options.expert else [1, 2]


def _ways_to_lay(table: Table, colour: str, target: Cell, direction: int, lacking: int) -> set[int]:
    """Of decline 0 and 1, those with which the good can be laid and the placement still be ended."""
    found = set()
    lies = target in table.loose and table.inns[target] == colour
    for decline in (0, 1) if lies else (0,):
        after = table.goods.copy()
        if decline or not lies:
            after[colour] -= 1
        if after[colour] >= 0 and _ends(table, colour, target, direction, lacking - 1, after[colour]):
            found.add(decline)
    return found


def _ends(table: Table, colour: str, cell: Cell, direction: int, lacking: int, own: int) -> bool:
    """Return whether the block and a camel can follow the good just laid on the cell (S28)."""
    table.taken.add(cell)
    try:
        for way in range(6) if cell in table.inns else [direction]:
            target = _beside(cell, way)
            if not _free(table, target):
                continue
            if lacking == 0:
                return True
            helped = target in table.loose and table.inns[target] == colour
            left = own if helped else own - 1
            if left >= 0 and _ends(table, colour, target, way, lacking - 1, left):
                return True
        return False
    finally:
        table.taken.remove(cell)


def _packed(fields: tuple[int, ...]) -> int:
    match fields:
        case (1, direction):
            return actions.camel_step(direction)
        case (2, direction, _, _, decline):
            return actions.continue_step(direction, decline=bool(decline))
        case (3, direction, colour, size, decline):
            return actions.start_step(direction, colour, size, decline=bool(decline))
        case _:
            return actions.lying_step(fields[1])
