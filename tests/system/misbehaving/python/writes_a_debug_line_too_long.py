"""Writes debug lines of 64 KiB of four-byte letters."""

from arena.v1 import play_pb2
from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.seated()
    for decision in link.decisions():
        text = "\N{BACTRIAN CAMEL}" * 16_384
        link.say(debug=play_pb2.Debug(assignment=link.assignment, decision=decision.decision, text=text))
        link.answer(decision)
    link.leave()


if __name__ == "__main__":
    run(misbehave)
