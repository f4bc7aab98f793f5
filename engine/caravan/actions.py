"""Actions as ints: a public packing whose ascending order is the order of C22.

::

    bits 22-24  kind: PASS, PLACE, MOVE, PICK_UP, STEAL, MOVE_GOOD
    bits 14-21  the square the action starts on (MOVE, MOVE_GOOD: from; PICK_UP, STEAL: at)
    bits 12-13  the seat that is stolen from
    bits  9-11  the good, numbered in the order of C4
    bit   8     whether the good is protected
    bits  0-7   the target square

Fields that a kind does not have are 0. The three fields of a laden camel (square, good, protected) keep their
places, so that `MOVE_GOOD << 22 | laden camel | target` is an action.
"""

import re
from typing import Final

from engine.caravan.goods import GOODS, Good
from engine.game import UnreadableActionError

PASS: Final = 0
PLACE: Final = 1
MOVE: Final = 2
PICK_UP: Final = 3
STEAL: Final = 4
MOVE_GOOD: Final = 5

KIND_NAMES: Final = ("PASS", "PLACE", "MOVE", "PICK_UP", "STEAL", "MOVE_GOOD")

KIND_SHIFT: Final = 22
AT_SHIFT: Final = 14
VICTIM_SHIFT: Final = 12
GOOD_SHIFT: Final = 9
PROTECTED: Final = 1 << 8
SQUARE_MASK: Final = 0xFF
VICTIM_MASK: Final = 0b11
GOOD_MASK: Final = 0b111

PASS_ACTION: Final = PASS << KIND_SHIFT

_AT: Final = SQUARE_MASK << AT_SHIFT
_VICTIM: Final = VICTIM_MASK << VICTIM_SHIFT
_GOOD: Final = GOOD_MASK << GOOD_SHIFT

LADEN_CAMEL: Final = _AT | _GOOD | PROTECTED
"""The bits of a laden camel in MOVE_GOOD."""

FIELDS: Final = (
    0,
    SQUARE_MASK,
    _AT | SQUARE_MASK,
    _AT,
    _AT | _VICTIM | _GOOD,
    _AT | _GOOD | PROTECTED | SQUARE_MASK,
)
"""By kind, the bits that its fields take."""

_NUMBER: Final = "(0|[1-9][0-9]{0,2})"
_GOOD_NAME: Final = f"({'|'.join(good.name.lower() for good in GOODS)})"
_NOTATION: Final = (
    re.compile(r"PASS"),
    re.compile(rf"PLACE\({_NUMBER}\)"),
    re.compile(rf"MOVE\({_NUMBER},{_NUMBER}\)"),
    re.compile(rf"PICK_UP\({_NUMBER}\)"),
    re.compile(rf"STEAL\({_NUMBER},{_NUMBER},{_GOOD_NAME}\)"),
    re.compile(rf"MOVE_GOOD\({_NUMBER},{_GOOD_NAME}(,protected)?,{_NUMBER}\)"),
)


def place(to: int) -> int:
    """PLACE(to)."""
    return PLACE << KIND_SHIFT | to


def move(origin: int, to: int) -> int:
    """MOVE(from, to)."""
    return MOVE << KIND_SHIFT | origin << AT_SHIFT | to


def pick_up(at: int) -> int:
    """PICK_UP(at)."""
    return PICK_UP << KIND_SHIFT | at << AT_SHIFT


def steal(at: int, victim: int, good: int) -> int:
    """STEAL(at, victim, good)."""
    return STEAL << KIND_SHIFT | at << AT_SHIFT | victim << VICTIM_SHIFT | good << GOOD_SHIFT


def move_good(origin: int, good: int, to: int, *, protected: bool = False) -> int:
    """MOVE_GOOD(from, good, protected?, to)."""
    return MOVE_GOOD << KIND_SHIFT | laden_camel(origin, good, protected=protected) | to


def laden_camel(square: int, good: int, *, protected: bool = False) -> int:
    """Return a laden camel with its fields at their places in MOVE_GOOD."""
    return square << AT_SHIFT | good << GOOD_SHIFT | (PROTECTED if protected else 0)


def kind_of(action: int) -> int:
    """PASS ... MOVE_GOOD; greater for what is no action."""
    return action >> KIND_SHIFT


def at_of(action: int) -> int:
    """Return the square an action starts on, or a laden camel's."""
    return action >> AT_SHIFT & SQUARE_MASK


def victim_of(action: int) -> int:
    """Return the seat that is stolen from."""
    return action >> VICTIM_SHIFT & VICTIM_MASK


def good_of(action: int) -> int:
    """Return the number of the good of an action or a laden camel."""
    return action >> GOOD_SHIFT & GOOD_MASK


def is_protected(action: int) -> bool:
    """Return whether the good of an action or a laden camel is protected."""
    return action & PROTECTED != 0


def to_of(action: int) -> int:
    """Return the target square."""
    return action & SQUARE_MASK


def format_action(action: int) -> str:
    """Return the notation of docs/rules/caravan.md, for example `MOVE_GOOD(9,ivory,protected,3)`."""
    kind = kind_of(action)
    if kind == PASS:
        return "PASS"
    at, to = at_of(action), to_of(action)
    good = GOODS[good_of(action)].name.lower()
    fields = (
        f"{to}",
        f"{at},{to}",
        f"{at}",
        f"{at},{victim_of(action)},{good}",
        f"{at},{good}{',protected' if is_protected(action) else ''},{to}",
    )
    return f"{KIND_NAMES[kind]}({fields[kind - 1]})"


def parse_action(text: str, *, squares: int, seats: int) -> int:
    """Parse the text of `format_action`, on a board of so many squares with so many seats.

    Raises UnreadableActionError: the text is no action, or a field is out of its range.
    """
    for kind, notation in enumerate(_NOTATION):
        match = notation.fullmatch(text)
        if match:
            return _from_fields(kind, match.groups(), squares, seats)
    raise UnreadableActionError(
        f'"{text[:80]}" is no action of Caravan: write PASS, PLACE(to), MOVE(from,to), PICK_UP(at), '
        "STEAL(at,victim,good), MOVE_GOOD(from,good,to) or MOVE_GOOD(from,good,protected,to)."
    )


def _from_fields(kind: int, fields: tuple[str | None, ...], squares: int, seats: int) -> int:
    numbers = [int(field) for field in fields if field and field.isdigit()]
    goods = [Good[field.upper()] for field in fields if field and field.upper() in Good.__members__]
    if kind == STEAL:
        at, victim = numbers
        return steal(check_square("at", at, squares), check_victim("victim", victim, seats), goods[0])
    on_board = [check_square("square", number, squares) for number in numbers]
    if kind == PASS:
        return PASS_ACTION
    if kind == PLACE:
        return place(on_board[0])
    if kind == MOVE:
        return move(on_board[0], on_board[1])
    if kind == PICK_UP:
        return pick_up(on_board[0])
    return move_good(on_board[0], goods[0], on_board[1], protected=",protected" in fields)


def check_square(field: str, square: int, squares: int) -> int:
    """Return the square, if the board has it. Raises UnreadableActionError, naming the field."""
    if not 0 <= square < squares:
        raise UnreadableActionError(
            f"The field {field} is {square}: the board has squares 0 to {squares - 1}."
        )
    return square


def check_victim(field: str, victim: int, seats: int) -> int:
    """Return the seat, if it is one of the match. Raises UnreadableActionError, naming the field."""
    if not 0 <= victim < seats:
        raise UnreadableActionError(f"The field {field} is {victim}: the match has seats 0 to {seats - 1}.")
    return victim
