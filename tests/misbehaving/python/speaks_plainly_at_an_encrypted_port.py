"""Speaks HTTP/2 without TLS where it is expected."""

import contextlib

from tests.misbehaving.python.by_hand import listen_in_vain
from tests.misbehaving.python.visit import ADDRESS, Visit, run
from tests.server.play.wire import PREFACE, dial


def misbehave(visit: Visit) -> None:
    with dial(ADDRESS) as connection:
        with contextlib.suppress(ConnectionError):  # it may be closed by then
            connection.sendall(PREFACE)
        listen_in_vain(connection)
        visit.note_end("CLOSED")


if __name__ == "__main__":
    run(misbehave)
