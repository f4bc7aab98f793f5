"""Announces an HTTP/2 frame that is larger than any may be."""

from tests.system.misbehaving.python.by_hand import listen_in_vain
from tests.system.misbehaving.python.visit import ADDRESS, Visit, run
from tests.system.play.wire import PREFACE, Kind, dial, frame


def misbehave(visit: Visit) -> None:
    with dial(ADDRESS) as connection:
        connection.sendall(PREFACE + frame(Kind.SETTINGS) + b"\xff\xff\xff\x00" + bytes(64))
        listen_in_vain(connection)
        visit.note_end("CLOSED")


if __name__ == "__main__":
    run(misbehave)
