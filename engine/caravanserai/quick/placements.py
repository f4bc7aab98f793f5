"""The placements of a turn that are worth a look, best first."""

from heapq import nlargest
from operator import itemgetter
from typing import Final

from engine.caravanserai.actions import camel_step, continue_step, start_step
from engine.caravanserai.pieces import CAMEL, COLOUR_NUMBERS, LYING, NO_COLOUR, PIECE_LETTERS
from engine.caravanserai.plans import Plan
from engine.caravanserai.position import NEVER, WAYS, Position
from engine.caravanserai.quick.paths import FREE, MIXED, Path, Paths
from engine.caravanserai.quick.worth import worth

FILLERS: Final = 2
"""Colours that are tried for a block that is not omitted."""

_COLOURS: Final = [bytes((colour,)) for colour in COLOUR_NUMBERS]
"""By colour: it as a byte string."""

MOST_LOOSE: Final = 3
"""A block is not expected to find more loose goods of its colour than that."""


class Placement:
    """Blocks with a camel behind them; loose goods are never declined."""

    __slots__ = ("camel", "cells", "colours")

    def __init__(self, cells: tuple[int, ...], colours: bytes, camel: int) -> None:
        """`cells`: of the goods, in order; `colours`: theirs; `camel`: its cell."""
        self.cells: tuple[int, ...] = cells
        self.colours: bytes = colours
        self.camel: int = camel

    def plan(self, position: Position) -> Plan:
        """Return the placement as one answer (S48)."""
        names = position.setup.tables.cells
        letters = "".join([PIECE_LETTERS[colour] for colour in self.colours])
        return Plan(
            tuple([names[cell] for cell in (*self.cells, self.camel)]), letters + PIECE_LETTERS[CAMEL]
        )

    def steps(self, position: Position) -> tuple[int, ...]:
        """Return the actions that the plan stands for, for the seat to act."""
        beside, cell = position.setup.tables.beside, position.cells[position.seat_to_act][-1]
        found: list[int] = []
        before = -1
        for place, colour in enumerate(self.colours):
            way = _way(beside, cell, self.cells[place])
            if colour != before:
                size = 1
                while place + size < len(self.colours) and self.colours[place + size] == colour:
                    size += 1
                found.append(start_step(way, colour, size))
            else:
                found.append(continue_step(way))
            cell, before = self.cells[place], colour
        found.append(camel_step(_way(beside, cell, self.camel)))
        return tuple(found)


def _way(beside: list[int], cell: int, other: int) -> int:
    """Return the direction from one cell to its neighbour."""
    way = 0
    while beside[WAYS * cell + way] != other:
        way += 1
    return way


class _Chain:
    """What is laid of a placement."""

    __slots__ = ("cell", "cells", "colours", "laid", "occupied", "omitted", "onward", "returned", "used")

    def __init__(self, cell: int, onward: int, occupied: int) -> None:
        """Nothing but the caravan as it was, up to that cell."""
        self.cells: tuple[int, ...] = ()
        self.colours: bytes = b""
        self.cell: int = cell
        """The last one."""
        self.onward: int = onward
        """The direction of the next piece, or FREE."""
        self.occupied: int = occupied
        self.omitted: int = 0
        """Pieces of omitted blocks (S33)."""
        self.laid: int = 0
        self.used: int = 0
        """Loose goods that were laid in place of own ones (S26)."""
        self.returned: int = 0
        """The set of colours of loose goods that went back to the market (S27)."""


class Finder:
    """Looks for the placements of a seat as if it were its turn; lying camels are left out."""

    def __init__(self, position: Position, seat: int, paths: Paths, *, most_counted: int) -> None:
        """`most_counted`: at most so many pieces of a placement are in blocks that are not omitted."""
        setup = position.setup
        self._setup, self._tables, self._paths = setup, setup.tables, paths
        self._most_counted = most_counted
        self._last = NEVER < position.trigger < position.round
        """Whether nobody has another turn (S37)."""
        self._loose = position.loose
        self._goods = position.goods_of(seat)
        self._stock, self._camels = sum(self._goods), position.camels[seat]
        self._sources = 0
        """The set of colours that a camel can earn from the market or another seat (S30, S31)."""
        for colour in COLOUR_NUMBERS:
            if position.market[colour] or position.robbable(seat, colour):
                self._sources |= 1 << colour
        self._back, self._vacated = [0], [0]
        """By number of pieces taken back from the tail: the camels among them, and the set of their cells."""
        for cell, piece in zip(position.cells[seat], position.pieces[seat], strict=True):
            self._back.append(self._back[-1] + (piece >= LYING))
            self._vacated.append(self._vacated[-1] | self._tables.bits[cell])
        self._start = _Chain(position.cells[seat][-1], FREE, position.occupied)
        self._found: list[tuple[int, Placement]] = []

    def best(self, most: int) -> list[tuple[int, Placement]]:
        """Return the placements that are worth most, with their worth; there is one if the seat can lay (S16)."""
        self._found = []
        self._end(self._start)
        for size in (1,) if self._setup.options.expert else (1, 2):
            self._go_on(self._start, size)
        return nlargest(most, self._found, key=itemgetter(0))

    def _end(self, chain: _Chain) -> None:
        """Lay a camel next, and count the turn (S32 to S34)."""
        tables = self._tables
        count = chain.laid + 1 - chain.omitted
        length = len(self._back) - 1
        old = min(count, length)
        back = self._back[old]
        goods = self._stock - chain.laid + chain.used + count - back
        taken = chain.occupied & ~self._vacated[old]
        if count > old:
            taken &= ~self._vacated_by(chain, count - old)
        for way in range(WAYS) if chain.onward == FREE else (chain.onward,):
            camel = tables.beside[WAYS * chain.cell + way]
            if not tables.bits[camel] & chain.occupied:
                room = (tables.near[camel] & ~taken).bit_count()
                value = worth(
                    length + chain.omitted,
                    goods + self._earned(chain, camel),
                    self._camels - 1 + back,
                    room,
                    last=self._last,
                )
                self._found.append((value, Placement(chain.cells, chain.colours, camel)))

    def _vacated_by(self, chain: _Chain, count: int) -> int:
        """Return the set of the first cells of the placement itself."""
        vacated = 0
        for cell in chain.cells[:count]:
            vacated |= self._tables.bits[cell]
        return vacated

    def _earned(self, chain: _Chain, camel: int) -> int:
        """Return how many goods the camel brings (S30, S31)."""
        colour = self._setup.inn_colour[camel]
        if colour == NO_COLOUR:
            return 0
        lies = self._tables.bits[camel] & self._loose != 0
        return lies + ((self._sources | chain.returned) >> colour & 1)

    def _go_on(self, chain: _Chain, size: int) -> None:
        """Lay a block of that size next."""
        goods = self._goods
        before = chain.colours[-1] if chain.laid else NO_COLOUR
        filling = chain.laid - chain.omitted + size <= self._most_counted
        for path in self._paths.of(chain.cell, chain.onward, size):
            if path.mask & chain.occupied:
                continue
            colour = path.colour
            if colour not in (NO_COLOUR, MIXED, before):
                used = (path.mask & self._loose).bit_count()
                if goods[colour] + used >= size:
                    self._lay(chain, path, colour, used)
            if filling:
                for filler in self._fillers(size, before, colour):
                    lies = path.mask & self._loose & self._setup.inns_of[filler]
                    self._lay(chain, path, filler, lies.bit_count())

    def _fillers(self, size: int, before: int, colour: int) -> list[int]:
        """Return the colours with the most goods that differ from both."""
        goods = self._goods
        fillers = [one for one in COLOUR_NUMBERS if goods[one] >= size and one not in (before, colour)]
        if len(fillers) > FILLERS:
            fillers.sort(key=goods.__getitem__, reverse=True)
        return fillers[:FILLERS]

    def _lay(self, chain: _Chain, path: Path, colour: int, used: int) -> None:
        """Find all that continues with a block of the colour; `used`: loose goods of its colour on it."""
        size = path.size
        omitted = size if path.colour == colour else 0
        longer = _Chain(path.cells[-1], path.onward, chain.occupied | path.mask)
        longer.cells = chain.cells + path.cells
        longer.colours = chain.colours + _COLOURS[colour] * size
        longer.omitted = chain.omitted + omitted
        longer.laid = chain.laid + size
        longer.used = chain.used + used
        longer.returned = chain.returned if omitted else chain.returned | self._returned(path, colour)
        self._goods[colour] -= size - used
        self._end(longer)
        if size < max(self._goods) + MOST_LOOSE:
            self._go_on(longer, size + 1)
        self._goods[colour] += size - used

    def _returned(self, path: Path, colour: int) -> int:
        """Return the set of colours of the loose goods on it that are not its own."""
        lies = path.mask & self._loose
        returned = 0
        if lies:
            inns_of = self._setup.inns_of
            for other in COLOUR_NUMBERS:
                if other != colour and lies & inns_of[other]:
                    returned |= 1 << other
        return returned
