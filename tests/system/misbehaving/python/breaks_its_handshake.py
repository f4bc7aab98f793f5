"""Begins a TLS handshake, and sends bytes that are none after half of it."""

import contextlib

from tests.system.misbehaving.python.by_hand import listen_in_vain
from tests.system.misbehaving.python.visit import ADDRESS, Visit, run
from tests.system.play.wire import dial


def misbehave(visit: Visit) -> None:
    with dial(ADDRESS) as connection:
        with contextlib.suppress(ConnectionError):
            connection.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(2_000))
        listen_in_vain(connection)
        visit.note_end("CLOSED")


if __name__ == "__main__":
    run(misbehave)
