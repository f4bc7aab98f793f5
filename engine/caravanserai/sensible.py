"""A quick policy that makes for plausible matches: blocks over inns of their own colour, camels on inns.

It is no strong player. It looks at a few of the legal actions and takes the one that promises the longest caravan.
"""

from typing import Final

from engine.caravanserai.actions import (
    CAMEL_STEP,
    LYING_STEP,
    START,
    colour_of,
    direction_of,
    kind_of,
    size_of,
)
from engine.caravanserai.observation import Decision
from engine.caravanserai.pieces import NO_COLOUR
from engine.caravanserai.position import WAYS, Position
from engine.game import TERMINAL, IllegalActionError
from engine.randomness import Stream

_STEP: Final = Decision.STEP
_LOOKS: Final = 12
"""Legal actions that are compared."""

_NOISE: Final = 3
_WORTH_OF_INN: Final = 2
_DEAD_END: Final = -20
_LAST_CAMEL: Final = -10


def sensible_action(position: Position, stream: Stream) -> int:
    """Return a legal action, at random but for the steps of a placement."""
    if position.seat_to_act == TERMINAL:
        raise IllegalActionError("No action may be chosen: the match is over.")
    listed = position.legal_actions()
    if position.decision is not _STEP:
        return listed[stream.uniform(len(listed))]
    best, best_worth = listed[0], _DEAD_END - 1
    for _ in range(min(_LOOKS, len(listed))):
        action = listed[stream.uniform(len(listed))]
        worth = _worth(position, action) + stream.uniform(_NOISE)
        if worth > best_worth:
            best, best_worth = action, worth
    return best


def _worth(position: Position, action: int) -> int:
    """About how many pieces longer the caravan becomes."""
    kind, direction = kind_of(action), direction_of(action)
    head = position.cells[position.seat_to_act][-1]
    if kind == START:
        return _worth_of_block(position, colour_of(action), WAYS * head + direction, size_of(action))
    cell = position.setup.tables.beside[WAYS * head + direction]
    if kind == CAMEL_STEP:
        return _worth_of_camel(position, cell)
    if kind == LYING_STEP:
        scarce = _LAST_CAMEL if position.camels[position.seat_to_act] <= 3 else 0
        return scarce + _worth_of_camel(position, cell)
    colour = position.pieces[position.seat_to_act][-1]
    return _worth_of_block(position, colour, WAYS * head + direction, position.missing)


def _worth_of_camel(position: Position, cell: int) -> int:
    if not position.has_room_beside(cell):
        return _DEAD_END
    return _WORTH_OF_INN if position.setup.inn_colour[cell] != NO_COLOUR else 0


def _worth_of_block(position: Position, colour: int, way: int, pieces: int) -> int:
    """Its goods if it is omitted (S33) when it goes straight on; what it costs to lay it otherwise."""
    tables, inn_colour = position.setup.tables, position.setup.inn_colour
    own, direction = False, way % WAYS
    for _ in range(pieces):
        cell = tables.beside[way]
        if cell == tables.off:
            break
        inn = inn_colour[cell]
        if inn == colour:
            own = True
        elif inn != NO_COLOUR:
            return 0
        way = WAYS * cell + direction
    return _WORTH_OF_INN * pieces if own else 1
