"""The policy of docs/bots/caravanserai.md once more, written from that page alone on the engine's positions.

The bot reckons what a placement is worth; here it is played, and the position is looked at.
"""

from collections import Counter
from collections.abc import Iterator

from engine.caravanserai.actions import cell_of, victim_of
from engine.caravanserai.hexes import OFFSETS, Cell, moved
from engine.caravanserai.observation import Decision
from engine.caravanserai.pieces import COLOUR_LETTERS, NO_COLOUR
from engine.caravanserai.plans import Plan, steps_of
from engine.caravanserai.state import CaravanseraiState

CAMELS = [-60, -18, -8, -3]
ROOM = [-80, -6, -2]


def answer_by_the_page(state: CaravanseraiState) -> tuple[int, ...]:
    """Return what is played for the decision; not for a step in the middle of a placement."""
    listed = list(state.legal_actions())
    match state.decision:
        case Decision.OPEN_CELL:
            return (max(listed, key=lambda action: inns_around(state, cell_of(action))),)
        case Decision.STEAL_FROM:
            return (max(listed, key=lambda action: len(state.cells[victim_of(action)])),)
        case Decision.SEED_GOOD:
            head = state.setup.tables.cells[state.cells[state.seat_to_act][-1]]
            return (min(listed, key=lambda action: apart(cell_of(action), head)),)
    placements = [steps_of(plan, state) for plan in Page(state).placements()]
    return max(placements, key=lambda steps: worth(state, steps))


def apart(one: Cell, other: Cell) -> int:
    q, r = one.q - other.q, one.r - other.r
    return max(abs(q), abs(r), abs(q + r))


def inns_around(state: CaravanseraiState, cell: Cell) -> int:
    cells, setup = state.setup.tables.cells, state.setup
    taken = b"".join(state.cells)
    return sum(
        setup.inn_colour[number] != NO_COLOUR and number not in taken and apart(cell, cells[number]) <= 3
        for number in range(len(cells))
    )


def worth(state: CaravanseraiState, steps: tuple[int, ...]) -> int:
    after, seat = state.clone(), state.seat_to_act
    for step in steps:
        after.apply(step)
    if after.decision is Decision.STEAL_FROM and after.seat_to_act == seat:
        after.apply(after.legal_actions()[0])
    head = after.setup.tables.cells[after.cells[seat][-1]]
    taken = b"".join(after.cells)
    room = 0
    for offset in OFFSETS:
        beside = after.setup.tables.numbers.get(moved(head, offset))
        room += beside is not None and beside not in taken
    camels = after.camels[seat]
    return (
        10 * len(after.cells[seat])
        + 6 * sum(after.goods_of(seat))
        + (CAMELS[camels] if camels < 4 else 0)
        + (ROOM[room] if room < 3 else 0)
    )


class Page:
    """The placements it looks at, in their order."""

    def __init__(self, state: CaravanseraiState) -> None:
        tables = state.setup.tables
        self.expert = state.setup.options.expert
        self.head = tables.cells[state.cells[state.seat_to_act][-1]]
        taken = {tables.cells[number] for number in b"".join(state.cells)}
        self.empty = set(tables.cells) - taken
        inns = zip(tables.cells, state.setup.inn_colour, strict=False)
        self.inn = {cell: COLOUR_LETTERS[colour] for cell, colour in inns if colour != NO_COLOUR}
        self.loose = {cell for cell in tables.cells if state.loose & tables.bits[tables.numbers[cell]]}
        goods = state.goods_of(state.seat_to_act)
        self.goods = Counter(dict(zip(COLOUR_LETTERS, goods, strict=True)))

    def placements(self) -> Iterator[Plan]:
        nothing, every = Plan((), ""), list(range(6))
        yield from self.with_camel(nothing, every)
        for size in [1] if self.expert else [1, 2]:
            yield from self.with_block(nothing, every, size, self.goods, filled=False)

    def head_of(self, laid: Plan) -> Cell:
        return laid.cells[-1] if laid.cells else self.head

    def with_camel(self, laid: Plan, ways: list[int]) -> Iterator[Plan]:
        for way in ways:
            target = moved(self.head_of(laid), OFFSETS[way])
            if target in self.empty and target not in laid.cells:
                yield Plan((*laid.cells, target), laid.pieces + "c")

    def with_block(
        self, laid: Plan, ways: list[int], size: int, left: Counter[str], *, filled: bool
    ) -> Iterator[Plan]:
        before = laid.pieces[-1:]
        for path, onward in self.paths(list(laid.cells), self.head_of(laid), ways, size):
            colours = {self.inn[each] for each in path if each in self.inn}
            only = colours.pop() if len(colours) == 1 else ""
            takes = sum(each not in self.loose for each in path)
            blocks = []
            if only and only != before and left[only] >= takes:
                blocks.append((only, takes, filled))
            choice = [colour for colour in COLOUR_LETTERS if colour not in {before, only}]
            filler = min(choice, key=lambda colour: (-left[colour], COLOUR_LETTERS.index(colour)))
            if not filled and left[filler] >= size:
                blocks.append((filler, size, True))
            for colour, cost, now_filled in blocks:
                longer = Plan((*laid.cells, *path), laid.pieces + colour * size)
                rest = left - Counter({colour: cost})
                yield from self.with_camel(longer, onward)
                yield from self.with_block(longer, onward, size + 1, rest, filled=now_filled)

    def paths(
        self, laid: list[Cell], cell: Cell, ways: list[int], size: int
    ) -> Iterator[tuple[list[Cell], list[int]]]:
        if size == 0:
            yield [], ways
            return
        for way in ways:
            first = moved(cell, OFFSETS[way])
            if first in self.empty and first not in laid:
                onward = list(range(6)) if first in self.inn else [way]
                for rest, last in self.paths([*laid, first], first, onward, size - 1):
                    yield [first, *rest], last
