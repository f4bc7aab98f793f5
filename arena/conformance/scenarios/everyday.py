"""What several scenarios begin with."""

from __future__ import annotations

from arena.conformance.seat import Seat
from arena.conformance.stage import Stage
from arena.conformance.table import Table
from arena.conformance.talk import Talk


def seat_in(stage: Stage, talk: Talk, assignment: int, *, place: int = 0, short: bool = False) -> Seat:
    """A seat of a new match of the fewest seats that the game has; nothing is told yet. Raises UnmetError."""
    game = stage.game(talk)
    table = Table(game, assignment, seats=game.spec.min_seats, own=(place,), short=short)
    return Seat(talk, table, seat=place, assignment=assignment)


async def a_seat(stage: Stage, talk: Talk, assignment: int = 1) -> Seat:
    """The bot has a seat in a long match that has begun. Raises UnmetError."""
    seat = seat_in(stage, talk, assignment)
    await seat.begin()
    return seat
