"""No misbehaving bot, but an honest one that the arena runs beside them: it plays match after match."""

from arena.v1 import play_pb2
from tests.system.misbehaving.python.hosted import Seat

if __name__ == "__main__":
    seat = Seat()
    seat.hello(capacity=play_pb2.Capacity(matches=6))
    while (message := seat.hear_any()) is not None:
        if message.HasField("decision"):
            seat.answer(message.decision)
