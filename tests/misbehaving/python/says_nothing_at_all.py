"""Opens a TCP connection and sends nothing."""

from tests.misbehaving.python.by_hand import listen_in_vain
from tests.misbehaving.python.visit import ADDRESS, Visit, run
from tests.server.play.wire import dial


def misbehave(visit: Visit) -> None:
    with dial(ADDRESS) as connection:
        connection.settimeout(30)
        listen_in_vain(connection)
        visit.note_end("CLOSED")


if __name__ == "__main__":
    run(misbehave)
