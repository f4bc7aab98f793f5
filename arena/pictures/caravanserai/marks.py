"""The marks of what has changed in a position of Caravanserai."""

import math
from collections.abc import Iterator

from arena.drawings.caravanserai.symbols import setup_of
from arena.pictures.caravanserai.board import cells_of, loose_good, piece_body
from arena.pictures.caravanserai.table import goods_at, seat_at
from arena.pictures.picture import Layer, Moment, Part
from arena.pictures.svg import arrow, circle, element
from engine.caravanserai.events import (
    Counted,
    Opened,
    PieceLaid,
    Returned,
    Seeded,
    Skipped,
    Stolen,
    TakenBack,
)
from engine.caravanserai.observation import Observation


def marks(moment: Moment, seen: Observation) -> Iterator[Part]:
    """Yield what an action and its events have changed on the board, and whom they concern."""
    setup = setup_of(seen)
    cells = cells_of(setup.tables)
    ring = circle(0, 0, 0.94 * cells.size, "ring")
    if moment.acts:
        yield _row(seen, moment.step.seat)
    for event in moment.events:
        if isinstance(event, Opened | PieceLaid | Seeded):
            yield Part("changed", *cells.at(event.cell), ring, Layer.MARKS)
        elif isinstance(event, Returned):
            ghost = element("g", loose_good(event.colour, cells), class_="ghost")
            yield Part("returned", *cells.at(event.cell), ghost, Layer.TRACES)
        elif isinstance(event, Stolen):
            yield _way(seen, event)
        elif isinstance(event, TakenBack):
            for cell, piece in zip(event.cells, event.pieces, strict=True):
                ghost = element("g", piece_body(event.seat, piece, cells, None), class_="ghost")
                yield Part(f"ghost-{cell.q}-{cell.r}", *cells.at(cell), ghost, Layer.TRACES)
        elif (isinstance(event, Counted) and not moment.acts) or isinstance(event, Skipped):
            yield _row(seen, event.seat)


def _row(seen: Observation, seat: int) -> Part:
    return Part(f"actor-{seat}", *seat_at(seen, seat), circle(0, 0, 20, "ring"), Layer.MARKS)


def _way(seen: Observation, event: Stolen) -> Part:
    """Return the way of a stolen good from one reserve to the other; their numbers stay free."""
    x, start = goods_at(seen, event.victim, event.colour)
    _, end = goods_at(seen, event.seat, event.colour)
    start += math.copysign(14, end - start)
    return Part("stolen", x, start, arrow((0, 0), (0, end - start)), Layer.MARKS)
