"""Speaks HTTP/2 without TLS where it is expected."""

import contextlib

from tests.system.misbehaving.python.by_hand import listen_in_vain
from tests.system.misbehaving.python.visit import ADDRESS, Visit, run
from tests.system.play.wire import PREFACE, dial


def misbehave(visit: Visit) -> None:
    with dial(ADDRESS) as connection:
        with contextlib.suppress(ConnectionError):  # it may be closed by then
            connection.sendall(PREFACE)
        listen_in_vain(connection)
        visit.note_end("CLOSED")


if __name__ == "__main__":
    run(misbehave)
