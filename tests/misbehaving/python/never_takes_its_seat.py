"""Says hello, is offered a seat, and never says that it is ready."""

from tests.misbehaving.python.hosted import Seat

if __name__ == "__main__":
    seat = Seat()
    seat.hello()
    seat.hear_all()
