"""Actions and plans of Caravanserai on the wire."""

from functools import lru_cache
from typing import assert_never

from arena.codecs.caravanserai.pieces import COLOUR, PIECE, cell_message, cell_of, cells_of
from arena.codecs.validation import no_kind
from arena.games.caravanserai.v1 import caravanserai_pb2
from arena.v1 import games_pb2
from engine.caravanserai import actions as packing
from engine.caravanserai.hexes import DIRECTIONS
from engine.caravanserai.pieces import PIECE_LETTERS
from engine.caravanserai.plans import Plan, steps_of
from engine.caravanserai.state import CaravanseraiState
from engine.game import UnreadableActionError


@lru_cache(maxsize=65536)
def action_bytes(action: int) -> bytes:
    """Return a serialised `arena.v1.Action`."""
    return games_pb2.Action(caravanserai=_action_message(action)).SerializeToString()


def _action_message(action: int) -> caravanserai_pb2.Action:
    direction, declined = packing.direction_of(action), packing.is_declining(action)
    match packing.kind_of(action):
        case packing.OPEN:
            cell = cell_message(packing.cell_of(action))
            return caravanserai_pb2.Action(open=caravanserai_pb2.Open(cell=cell))
        case packing.CAMEL_STEP:
            return caravanserai_pb2.Action(camel=caravanserai_pb2.Camel(direction=direction))
        case packing.CONTINUE:
            step = caravanserai_pb2.ContinueBlock(direction=direction, decline=declined)
            return caravanserai_pb2.Action(continue_block=step)
        case packing.START:
            start = caravanserai_pb2.StartBlock(
                direction=direction,
                colour=COLOUR.value(packing.colour_of(action)),
                size=packing.size_of(action),
                decline=declined,
            )
            return caravanserai_pb2.Action(start_block=start)
        case packing.LYING_STEP:
            return caravanserai_pb2.Action(lying_camel=caravanserai_pb2.LyingCamel(direction=direction))
        case packing.STEAL:
            return caravanserai_pb2.Action(steal=caravanserai_pb2.Steal(victim=packing.victim_of(action)))
        case packing.SEED:
            seed = caravanserai_pb2.Seed(
                colour=COLOUR.value(packing.colour_of(action)), cell=cell_message(packing.cell_of(action))
            )
            return caravanserai_pb2.Action(seed=seed)
        case _:
            raise ValueError(f"{action} is no action of Caravanserai")


def actions_of(wire: caravanserai_pb2.Action, state: CaravanseraiState) -> tuple[int, ...]:
    """Return the packed action, or the steps of a plan. Raises UnreadableActionError, naming the wrong field."""
    match wire.WhichOneof("kind"):
        case "open":
            return (packing.open_cell(packing.check_cell("open.cell", cell_of(wire.open.cell))),)
        case "camel":
            return (packing.camel_step(_direction("camel", wire.camel.direction)),)
        case "continue_block":
            step = wire.continue_block
            return (
                packing.continue_step(_direction("continue_block", step.direction), decline=step.decline),
            )
        case "start_block":
            return (_start(wire.start_block),)
        case "lying_camel":
            return (packing.lying_step(_direction("lying_camel", wire.lying_camel.direction)),)
        case "steal":
            last = state.setup.seats - 1
            return (packing.steal(packing.check_field("steal.victim", wire.steal.victim, last)),)
        case "seed":
            colour = COLOUR.member("seed.colour", wire.seed.colour)
            return (packing.seed(colour, packing.check_cell("seed.cell", cell_of(wire.seed.cell))),)
        case "plan":
            return steps_of(_plan(wire.plan, state), state)
        case None:
            raise no_kind(
                ("open", "camel", "continue_block", "start_block", "lying_camel", "steal", "seed", "plan")
            )
        case unknown:
            assert_never(unknown)


def _start(wire: caravanserai_pb2.StartBlock) -> int:
    return packing.start_step(
        _direction("start_block", wire.direction),
        COLOUR.member("start_block.colour", wire.colour),
        packing.check_field("start_block.size", wire.size, packing.SIZE_MASK),
        decline=wire.decline,
    )


def _direction(kind: str, direction: int) -> int:
    return packing.check_field(f"{kind}.direction", direction, len(DIRECTIONS) - 1)


def _plan(wire: caravanserai_pb2.Plan, state: CaravanseraiState) -> Plan:
    most = state.setup.tables.off
    for field, values in (("pieces", wire.pieces), ("cells", wire.cells), ("declined", wire.declined)):
        if len(values) > most:
            raise UnreadableActionError(
                f"The field plan.{field} has {len(values)} entries: the board has {most} cells."
            )
    return Plan(
        cells=cells_of(wire.cells),
        pieces="".join(PIECE_LETTERS[PIECE.member("plan.pieces", piece)] for piece in wire.pieces),
        declined=tuple(wire.declined),
        victim=wire.victim if wire.HasField("victim") else None,
    )
