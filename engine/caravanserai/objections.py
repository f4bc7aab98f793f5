"""Why an action may not be played: the rules of single actions, and their sentences for people."""

from engine.caravanserai.actions import (
    CAMEL_STEP,
    CONTINUE,
    KIND_NAMES,
    LYING_STEP,
    OPEN,
    SEED,
    START,
    STEAL,
    cell_of,
    colour_of,
    direction_of,
    is_action,
    is_declining,
    kind_of,
    open_cell,
    size_of,
    victim_of,
)
from engine.caravanserai.chains import can_end
from engine.caravanserai.observation import Decision
from engine.caravanserai.pieces import COLOUR_COUNT, COLOURS
from engine.caravanserai.position import WAYS, Position

_ANSWERS = {OPEN: Decision.OPEN_CELL, STEAL: Decision.STEAL_FROM, SEED: Decision.SEED_GOOD}
"""By kind; all others answer STEP."""

_ASKED = {
    Decision.OPEN_CELL: "an opening cell",
    Decision.STEP: "a step of a placement",
    Decision.STEAL_FROM: "a seat to steal from",
    Decision.SEED_GOOD: "a good for the board",
}


def objection(position: Position, action: int) -> str:
    """Return why the action may not be played now, a sentence part with its clause; empty if it may."""
    if position.decision is None:
        return "the match is over"
    if not is_action(action):
        return "it is no action of Caravanserai"
    kind = kind_of(action)
    if _ANSWERS.get(kind, Decision.STEP) is not position.decision:
        return f"{_ASKED[position.decision]} is asked for (S44)"
    if kind == OPEN:
        return _to_open(position, action)
    if kind == STEAL:
        return _to_steal(position, victim_of(action))
    if kind == SEED:
        return _to_seed(position, action)
    return _to_step(position, kind, action)


def _to_open(position: Position, action: int) -> str:
    cell = cell_of(action)
    for bit, opening in position.setup.openings:
        if opening == open_cell(cell):
            return f"a camel is on {cell} (S14)" if bit & position.occupied else ""
    return f"{cell} is no inn of an outer tile (S14)"


def _to_steal(position: Position, victim: int) -> str:
    seat = position.seat_to_act
    if victim == seat or victim >= position.setup.seats:
        return f"there is no other seat {victim} (S31)"
    if victim not in position.robbable(seat, position.steal):
        return f"seat {victim} has no {_name(position.steal)} good in its reserve (S31)"
    return ""


def _to_seed(position: Position, action: int) -> str:
    setup, cell, colour = position.setup, cell_of(action), colour_of(action)
    number = setup.tables.numbers.get(cell, setup.tables.off)
    if setup.inn_colour[number] != colour:
        return f"{cell} is no {_name(colour)} inn (S35)"
    if not position.market[colour]:
        return f"the market has no {_name(colour)} good (S35)"
    if not position.free_inns(colour) & setup.tables.bits[number]:
        return f"{cell} is not free (S7, S35)"
    return ""


def _to_step(position: Position, kind: int, action: int) -> str:
    direction = direction_of(action)
    if direction != position.direction and not position.may_turn():
        return f"the placement goes on in direction {position.direction} and turns only on inns (S19)"
    if (kind == CONTINUE) != (position.missing > 0):
        return _wrong_time(position, kind)
    tables = position.setup.tables
    cell = tables.beside[WAYS * position.cells[position.seat_to_act][-1] + direction]
    if cell == tables.off:
        return "the board ends there (S20)"
    if position.occupied & tables.bits[cell]:
        return f"{tables.cells[cell]} is occupied (S20)"
    if kind == CAMEL_STEP:
        return ""
    if kind == LYING_STEP:
        return _to_lay_lying(position, cell)
    return _to_lay_good(position, action, cell)


def _wrong_time(position: Position, kind: int) -> str:
    if position.missing:
        return f"the block lacks {position.missing} more, so only CONTINUE is possible (S21)"
    return f"no block is unfinished, so {KIND_NAMES[kind]} is not possible (S21)"


def _to_lay_lying(position: Position, cell: int) -> str:
    if not position.setup.options.expert:
        return "lying camels belong to the expert rules (S24)"
    if not position.may_lay_lying():
        return "a placement has one lying camel, and its seat needs two camels for it (S24)"
    if not position.has_room_beside(cell):
        return "no camel could be laid behind it (S29)"
    return ""


def _to_lay_good(position: Position, action: int, cell: int) -> str:
    seat, declined = position.seat_to_act, is_declining(action)
    if kind_of(action) == START:
        colour, missing = colour_of(action), size_of(action) - 1
        if missing + 1 not in position.next_sizes():
            sizes = " or ".join(map(str, position.next_sizes()))
            return f"the size of this block is {sizes}, not {missing + 1} (S22)"
        if colour == position.colour_before():
            return f"the block before it is {_name(colour)}, too (S23)"
    else:
        colour, missing = position.pieces[seat][-1], position.missing - 1
    lies = position.loose_colour(cell) == colour
    if declined and not lies:
        return f"there is no loose {_name(colour)} good to decline (S26)"
    stock = position.goods[COLOUR_COUNT * seat + colour] - (0 if lies and not declined else 1)
    if stock < 0:
        return f"the reserve has no {_name(colour)} good (S25)"
    if not can_end(position, colour, cell, WAYS * cell + direction_of(action), missing, stock):
        return "the block could not be completed with a camel behind it (S28)"
    return ""


def _name(colour: int) -> str:
    return COLOURS[colour].name.lower()
