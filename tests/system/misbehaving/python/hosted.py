"""A seat of a bot that the arena runs, which plays as it should until it misbehaves."""

import errno
from collections.abc import Callable

from arena.v1 import play_pb2
from tests.system.misbehaving.python.visit import PROGRAMS, Link

Misbehave = Callable[["Seat", play_pb2.Decision], None]


class Seat(Link):
    """A connection that takes every seat that it is offered: matches that did not begin are offered again."""

    def hear_any(self) -> play_pb2.ServerMessage | None:
        """Return the next message; None when the stream has ended."""
        message = super().hear_any()
        if message is not None and message.HasField("assigned"):
            self.assignment = message.assigned.assignment
            self.say(ready=play_pb2.Ready(assignment=self.assignment))
        return message

    def tell(self, text: str) -> None:
        """Send a debug line, which its owner reads."""
        self.say(debug=play_pb2.Debug(assignment=self.assignment, text=text))

    def try_out(self, what: str, attempt: Callable[[], object]) -> None:
        """Send how the machine has answered as a debug line."""
        try:
            attempt()
            self.tell(f"{what}: done")
        except OSError as error:
            self.tell(f"{what}: {errno.errorcode.get(error.errno or 0, error)}")


def at_first_decision(misbehave: Misbehave) -> Misbehave:
    """Make a function a program of its name that plays, and calls it while its first decision is open."""
    PROGRAMS[misbehave.__name__] = lambda: play_and_misbehave(misbehave)
    return misbehave


def play_and_misbehave(misbehave: Misbehave) -> None:
    """Misbehave while the first decision is open; then play on, and leave when told to."""
    seat = Seat()
    seat.hello()
    asked = next(seat.decisions())
    misbehave(seat, asked)
    seat.answer(asked)
    seat.play_on()
    seat.hear_all()
