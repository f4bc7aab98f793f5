"""Actions and plans of Caravanserai on the wire."""

from functools import lru_cache
from typing import Final

from arena.codecs.action_table import ActionTable, Field, packed
from arena.codecs.caravanserai.pieces import CELL, CELLS, COLOUR, PIECE
from arena.codecs.record import Convert, number, wire_enum
from arena.games.caravanserai.v1 import caravanserai_pb2
from engine.caravanserai import actions as packing
from engine.caravanserai.hexes import DIRECTIONS
from engine.caravanserai.options import MAX_SEATS
from engine.caravanserai.pieces import PIECE_LETTERS
from engine.caravanserai.plans import Plan, steps_of
from engine.caravanserai.state import CaravanseraiState
from engine.game import UnreadableActionError


def answered(wire: caravanserai_pb2.Action, state: CaravanseraiState) -> tuple[int, ...]:
    """Return the packed action, or the steps of a plan. Raises UnreadableActionError, naming the wrong field."""
    if wire.WhichOneof("kind") == "plan":
        return steps_of(_plan(wire.plan, state), state)
    return (_actions(state.setup.seats).action_of(wire),)


@lru_cache(maxsize=8)
def _actions(seats: int) -> ActionTable:
    """Return the actions of matches with so many seats, which answers are checked against."""
    direction = Field("direction", packing.direction_of, number(0, len(DIRECTIONS) - 1))
    colour = Field("colour", packing.colour_of, wire_enum(COLOUR))
    decline = Field("decline", packing.is_declining)
    cell = Field(
        "cell",
        packing.cell_of,
        Convert(CELL.write, lambda field, wire: packing.check_cell(field, CELL.read(field, wire))),
    )
    return ActionTable(
        "Caravanserai",
        caravanserai_pb2.Action,
        packing.KIND_SHIFT,
        [
            packed("open", packing.open_cell, cell),
            packed("camel", packing.camel_step, direction),
            packed(
                "continue_block",
                lambda way, declined: packing.continue_step(way, decline=declined),
                direction,
                decline,
            ),
            packed(
                "start_block",
                lambda way, good, size, declined: packing.start_step(way, good, size, decline=declined),
                direction,
                colour,
                Field("size", packing.size_of, number(0, packing.SIZE_MASK)),
                decline,
            ),
            packed("lying_camel", packing.lying_step, direction),
            packed("steal", packing.steal, Field("victim", packing.victim_of, number(0, seats - 1))),
            packed("seed", packing.seed, colour, cell),
        ],
        unnumbered="plan",
    )


ACTIONS: Final = _actions(MAX_SEATS)
"""For writing, which checks nothing."""


def _plan(wire: caravanserai_pb2.Plan, state: CaravanseraiState) -> Plan:
    most = state.setup.tables.off
    for field, values in (("pieces", wire.pieces), ("cells", wire.cells), ("declined", wire.declined)):
        if len(values) > most:
            raise UnreadableActionError(
                f"The field plan.{field} has {len(values)} entries: the board has {most} cells."
            )
    return Plan(
        cells=CELLS.read("plan.cells", wire.cells),
        pieces="".join(PIECE_LETTERS[PIECE.member("plan.pieces", piece)] for piece in wire.pieces),
        declined=tuple(wire.declined),
        victim=wire.victim if wire.HasField("victim") else None,
    )
