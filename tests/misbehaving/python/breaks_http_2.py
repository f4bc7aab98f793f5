"""Announces an HTTP/2 frame that is larger than any may be."""

from tests.misbehaving.python.by_hand import listen_in_vain
from tests.misbehaving.python.visit import ADDRESS, Visit, run
from tests.server.play.wire import PREFACE, Kind, dial, frame


def misbehave(visit: Visit) -> None:
    with dial(ADDRESS) as connection:
        connection.sendall(PREFACE + frame(Kind.SETTINGS) + b"\xff\xff\xff\x00" + bytes(64))
        listen_in_vain(connection)
        visit.note_end("CLOSED")


if __name__ == "__main__":
    run(misbehave)
