"""Sends bytes that are no protocol."""

from tests.system.misbehaving.python.by_hand import listen_in_vain
from tests.system.misbehaving.python.visit import ADDRESS, Visit, run
from tests.system.play.wire import dial


def misbehave(visit: Visit) -> None:
    with dial(ADDRESS) as connection:
        connection.sendall(bytes(range(256)) * 16)
        listen_in_vain(connection)
        visit.note_end("CLOSED")


if __name__ == "__main__":
    run(misbehave)
