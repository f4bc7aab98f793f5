"""Writes debug lines of 600 KiB, more than a match keeps."""

from arena.v1 import play_pb2
from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.seated()
    first = next(link.decisions())
    for _ in range(150):
        link.say(debug=play_pb2.Debug(assignment=link.assignment, decision=1, text="x" * 4_096))
    link.answer(first)
    link.play_on().leave()


if __name__ == "__main__":
    run(misbehave)
