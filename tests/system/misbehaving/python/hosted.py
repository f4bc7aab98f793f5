"""What the bots share that the arena runs itself: a seat that plays as it should, until it misbehaves."""

from __future__ import annotations

import errno
from collections.abc import Callable

from arena.v1 import play_pb2
from tests.system.misbehaving.python.visit import Link

Misbehave = Callable[["Seat", play_pb2.Decision], None]


class Seat(Link):
    """A connection that takes every seat that it is offered: matches that did not begin are offered again."""

    def hear_any(self) -> play_pb2.ServerMessage | None:
        """The next message; None when the stream has ended."""
        message = super().hear_any()
        if message is not None and message.HasField("assigned"):
            self.assignment = message.assigned.assignment
            self.say(ready=play_pb2.Ready(assignment=self.assignment))
        return message

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
    asked = next(seat.decisions())
    misbehave(seat, asked)
    seat.answer(asked)
    seat.play_on()
    seat.hear_all()
