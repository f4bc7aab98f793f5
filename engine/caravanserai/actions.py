"""Actions as ints: a public packing whose ascending order is the order of S46.

::

    bits 25-27  kind: OPEN, CAMEL, CONTINUE, START, LYING, STEAL, SEED
    bits 22-24  the direction of a step
    bits 19-21  the colour: of the block that starts, or of the good that goes to the board
    bits 14-18  the size of the block that starts
    bit  13     whether a loose good is declined
    bits 10-12  the seat that is stolen from
    bits  5-9   q + 16 of the cell
    bits  0-4   r + 16 of the cell

Fields that a kind does not have are 0.
"""

import re
from typing import Final

from engine.caravanserai.hexes import DIRECTIONS, Cell
from engine.caravanserai.options import MAX_SEATS
from engine.caravanserai.pieces import COLOUR_COUNT, COLOUR_LETTERS
from engine.game import UnreadableActionError

OPEN: Final = 0
CAMEL_STEP: Final = 1
CONTINUE: Final = 2
START: Final = 3
LYING_STEP: Final = 4
STEAL: Final = 5
SEED: Final = 6

KIND_NAMES: Final = ("OPEN", "CAMEL", "CONTINUE", "START", "LYING", "STEAL", "SEED")

KIND_SHIFT: Final = 25
DIRECTION_SHIFT: Final = 22
COLOUR_SHIFT: Final = 19
SIZE_SHIFT: Final = 14
DECLINE: Final = 1 << 13
SEAT_SHIFT: Final = 10
Q_SHIFT: Final = 5
ORIGIN: Final = 16
"""What is added to a coordinate, so that it is not negative."""

DIRECTION_MASK: Final = 0b111
COLOUR_MASK: Final = 0b111
SEAT_MASK: Final = 0b111
SIZE_MASK: Final = 0b11111
COORDINATE_MASK: Final = 0b11111

_DIRECTION: Final = DIRECTION_MASK << DIRECTION_SHIFT
_COLOUR: Final = COLOUR_MASK << COLOUR_SHIFT
_SIZE: Final = SIZE_MASK << SIZE_SHIFT
_SEAT: Final = SEAT_MASK << SEAT_SHIFT
CELL_FIELDS: Final = COORDINATE_MASK << Q_SHIFT | COORDINATE_MASK
"""The bits of the cell."""

FIELDS: Final = (
    CELL_FIELDS,
    _DIRECTION,
    _DIRECTION | DECLINE,
    _DIRECTION | _COLOUR | _SIZE | DECLINE,
    _DIRECTION,
    _SEAT,
    _COLOUR | CELL_FIELDS,
)
"""By kind, the bits that its fields take."""

_NUMBER: Final = "(0|[1-9][0-9]?)"
_COORDINATE: Final = "(0|-?[1-9][0-9]?)"
_LETTER: Final = f"([{COLOUR_LETTERS}])"
_NOTATION: Final = (
    re.compile(rf"OPEN\({_COORDINATE},{_COORDINATE}\)"),
    re.compile(rf"CAMEL\({_NUMBER}\)"),
    re.compile(rf"CONTINUE\({_NUMBER}(,decline)?\)"),
    re.compile(rf"START\({_NUMBER},{_LETTER},{_NUMBER}(,decline)?\)"),
    re.compile(rf"LYING\({_NUMBER}\)"),
    re.compile(rf"STEAL\({_NUMBER}\)"),
    re.compile(rf"SEED\({_LETTER},{_COORDINATE},{_COORDINATE}\)"),
)


def open_cell(cell: Cell) -> int:
    """OPEN(q,r)."""
    return OPEN << KIND_SHIFT | cell_fields(cell)


def camel_step(direction: int) -> int:
    """CAMEL(direction)."""
    return CAMEL_STEP << KIND_SHIFT | direction << DIRECTION_SHIFT


def continue_step(direction: int, *, decline: bool = False) -> int:
    """CONTINUE(direction, decline?)."""
    return CONTINUE << KIND_SHIFT | direction << DIRECTION_SHIFT | (DECLINE if decline else 0)


def start_step(direction: int, colour: int, size: int, *, decline: bool = False) -> int:
    """START(direction, colour, size, decline?)."""
    fields = direction << DIRECTION_SHIFT | colour << COLOUR_SHIFT | size << SIZE_SHIFT
    return START << KIND_SHIFT | fields | (DECLINE if decline else 0)


def lying_step(direction: int) -> int:
    """LYING(direction)."""
    return LYING_STEP << KIND_SHIFT | direction << DIRECTION_SHIFT


def steal(victim: int) -> int:
    """STEAL(victim)."""
    return STEAL << KIND_SHIFT | victim << SEAT_SHIFT


def seed(colour: int, cell: Cell) -> int:
    """SEED(colour,q,r); the colour is that of the cell."""
    return SEED << KIND_SHIFT | colour << COLOUR_SHIFT | cell_fields(cell)


def cell_fields(cell: Cell) -> int:
    """Return the fields q and r of a cell."""
    return cell.q + ORIGIN << Q_SHIFT | cell.r + ORIGIN


def kind_of(action: int) -> int:
    """OPEN ... SEED; greater, or negative, for what is no action."""
    return action >> KIND_SHIFT


def direction_of(action: int) -> int:
    """Return the direction of a step."""
    return action >> DIRECTION_SHIFT & DIRECTION_MASK


def colour_of(action: int) -> int:
    """Return the number of the colour of START and SEED."""
    return action >> COLOUR_SHIFT & COLOUR_MASK


def size_of(action: int) -> int:
    """Return the size of the block that starts."""
    return action >> SIZE_SHIFT & SIZE_MASK


def is_declining(action: int) -> bool:
    """Return whether a loose good is declined (S26)."""
    return action & DECLINE != 0


def victim_of(action: int) -> int:
    """Return the seat that is stolen from."""
    return action >> SEAT_SHIFT & SEAT_MASK


def cell_of(action: int) -> Cell:
    """Return the cell of OPEN and SEED, on the board or not."""
    return Cell((action >> Q_SHIFT & COORDINATE_MASK) - ORIGIN, (action & COORDINATE_MASK) - ORIGIN)


def is_action(action: int) -> bool:
    """Return whether the int has a kind, only fields of this kind, and a direction and colour that exist."""
    kind = kind_of(action)
    return (
        0 <= kind < len(FIELDS)
        and not action & ((1 << KIND_SHIFT) - 1) & ~FIELDS[kind]
        and direction_of(action) < len(DIRECTIONS)
        and colour_of(action) < COLOUR_COUNT
    )


def format_action(action: int) -> str:
    """Return the notation of docs/rules/caravanserai.md, for example `START(2,P,1)`. `is_action(action)` holds."""
    kind, direction = kind_of(action), direction_of(action)
    cell, letter = cell_of(action), COLOUR_LETTERS[colour_of(action)]
    declined = ",decline" if is_declining(action) else ""
    fields = (
        f"{cell.q},{cell.r}",
        f"{direction}",
        f"{direction}{declined}",
        f"{direction},{letter},{size_of(action)}{declined}",
        f"{direction}",
        f"{victim_of(action)}",
        f"{letter},{cell.q},{cell.r}",
    )
    return f"{KIND_NAMES[kind]}({fields[kind]})"


def parse_action(text: str) -> int:
    """Parse the text of `format_action`.

    Raises UnreadableActionError: the text is no action, or a field is out of its range.
    """
    for kind, notation in enumerate(_NOTATION):
        match = notation.fullmatch(text)
        if match:
            return _from_fields(kind, match.groups(""))
    raise UnreadableActionError(
        f'"{text[:80]}" is no action of Caravanserai: write OPEN(q,r), CAMEL(direction), CONTINUE(direction), '
        "START(direction,colour,size), LYING(direction), STEAL(seat) or SEED(colour,q,r); "
        'CONTINUE and START may end with ",decline".'
    )


def _from_fields(kind: int, fields: tuple[str, ...]) -> int:
    if kind == OPEN:
        return open_cell(_cell(fields[0], fields[1]))
    if kind == SEED:
        return seed(COLOUR_LETTERS.index(fields[0]), _cell(fields[1], fields[2]))
    first = int(fields[0])
    if kind == STEAL:
        return steal(check_field("seat", first, MAX_SEATS - 1))
    direction = check_field("direction", first, len(DIRECTIONS) - 1)
    if kind == CONTINUE:
        return continue_step(direction, decline=bool(fields[1]))
    if kind == START:
        size = check_field("size", int(fields[2]), SIZE_MASK)
        return start_step(direction, COLOUR_LETTERS.index(fields[1]), size, decline=bool(fields[3]))
    return camel_step(direction) if kind == CAMEL_STEP else lying_step(direction)


def _cell(q: str, r: str) -> Cell:
    return check_cell("cell", Cell(int(q), int(r)))


def check_field(name: str, value: int, most: int) -> int:
    """Return the value, if it is 0 to `most`. Raises UnreadableActionError, naming the field."""
    if not 0 <= value <= most:
        raise UnreadableActionError(f"The field {name} is {value}: it goes from 0 to {most}.")
    return value


def check_cell(name: str, cell: Cell) -> Cell:
    """Return the cell, if it fits into an action. Raises UnreadableActionError, naming the field."""
    if not all(0 <= coordinate + ORIGIN <= COORDINATE_MASK for coordinate in cell):
        raise UnreadableActionError(
            f"The field {name} is {cell}: no board reaches beyond {-ORIGIN} and {COORDINATE_MASK - ORIGIN}."
        )
    return cell
