"""Sends a debug line that is no UTF-8."""

from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.seated()
    next(link.decisions())
    # ClientMessage.debug.text, field 6 and in it field 3: a byte that begins a letter, and one that does not end it.
    link.say_bytes(b"\x0a\x06\x32\x04\x1a\x02\xc3\x28")
    link.hear_all()


if __name__ == "__main__":
    run(misbehave)
