"""Says hello, is offered a seat, and never says that it is ready."""

from tests.system.misbehaving.python.visit import Link

if __name__ == "__main__":
    seat = Link()
    seat.hello()
    seat.hear_all()
