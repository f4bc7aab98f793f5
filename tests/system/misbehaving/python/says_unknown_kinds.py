"""Says messages of a kind that nobody knows, and messages of no kind."""

from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.seated()
    for decision in link.decisions():
        # Field 99 of ClientMessage: a kind that may come some day.
        link.say_bytes(b"\x0a\x05\x9a\x06\x02hi\x0a\x00")
        link.answer(decision)
    link.leave()


if __name__ == "__main__":
    run(misbehave)
