"""Opens a TCP connection and sends nothing."""

from tests.system.misbehaving.python.by_hand import listen_in_vain
from tests.system.misbehaving.python.visit import ADDRESS, Visit, run
from tests.system.play.wire import dial


def misbehave(visit: Visit) -> None:
    with dial(ADDRESS) as connection:
        connection.settimeout(30)
        listen_in_vain(connection)
        visit.note_end("CLOSED")


if __name__ == "__main__":
    run(misbehave)
