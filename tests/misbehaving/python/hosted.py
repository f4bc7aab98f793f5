"""What the bots share that the arena runs itself: a seat that plays as it should, until it misbehaves."""

from __future__ import annotations

import errno
from collections.abc import Callable

from arena.v1 import play_pb2
from tests.misbehaving.python.visit import Link

Misbehave = Callable[["Seat", play_pb2.Decision], None]


class Seat(Link):
    """A connection with the seat of one match."""

    def tell(self, text: str) -> None:
        """A debug line, which its owner reads."""
        self.say(debug=play_pb2.Debug(assignment=self.assignment, text=text))

    def try_out(self, what: str, attempt: Callable[[], object]) -> None:
        """Tells its owner how the machine has answered."""
        try:
            attempt()
            self.tell(f"{what}: done")
        except OSError as error:
            self.tell(f"{what}: {errno.errorcode.get(error.errno or 0, error)}")


def at_its_first_decision(misbehave: Misbehave) -> None:
    """It misbehaves while its first decision is open; then it plays on, and leaves when it is told to."""
    seat = Seat()
    seat.hello()
    seat.assignment = seat.take_seat().assignment
    asked = next(seat.decisions())
    misbehave(seat, asked)
    seat.answer(asked)
    seat.play_on()
    seat.hear_all()
