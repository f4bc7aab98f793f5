"""Bots that send malformed, empty or too many frames."""

import grpc

from arena.v1 import play_pb2
from tests.system.misbehaving.python.visit import Visit, main, remote_bot
from tests.system.play.raw_bot import hello


@remote_bot
def sends_garbage(visit: Visit) -> None:
    """Send bytes that are no message in the middle of a match."""
    link = visit.seated()
    next(link.decisions())
    link.say_bytes(b"\xff" * 40)
    link.hear_all()


@remote_bot
def sends_text_that_is_none(visit: Visit) -> None:
    """Send a debug line that is no UTF-8."""
    link = visit.seated()
    next(link.decisions())
    # ClientMessage.debug.text, field 6 and in it field 3: a byte that begins a letter, and one that does not end it.
    link.say_bytes(b"\x0a\x06\x32\x04\x1a\x02\xc3\x28")
    link.hear_all()


@remote_bot
def sends_too_many_messages(visit: Visit) -> None:
    """Send a frame of 65 messages."""
    link = visit.seated()
    next(link.decisions())
    link.say_messages(*[play_pb2.ClientMessage(pong=play_pb2.Pong(id=1))] * 65)
    link.hear_all()


@remote_bot
def sends_a_huge_frame(visit: Visit) -> None:
    """Send a frame of two mebibytes."""
    link = visit.seated()
    next(link.decisions())
    link.say_bytes(bytes(2 << 20))
    link.hear_all()


@remote_bot
def says_hello_twice(visit: Visit) -> None:
    """Say hello in the middle of a match."""
    link = visit.seated()
    next(link.decisions())
    link.say(hello=hello())
    link.hear_all()


@remote_bot
def sends_a_gzip_bomb(visit: Visit) -> None:
    """Send a compressed frame of a few kilobytes that unpacks to 64 mebibytes."""
    link = visit.dial(compression=grpc.Compression.Gzip).take_one_seat()
    next(link.decisions())
    link.say_bytes(bytes(64 << 20))
    link.hear_all()


@remote_bot
def sends_garbage_three_times(visit: Visit) -> None:
    """Come back after garbage, twice, to send garbage again."""
    link = visit.dial()
    welcome = link.hello()
    assigned = link.hear("assigned").assignment
    link.say(capacity=play_pb2.Capacity(), ready=play_pb2.Ready(assignment=assigned))
    for _ in range(3):
        link.hear("decision")
        link.say_bytes(b"\xff")
        link.hear_all()
        link = visit.dial()
        welcome = link.hello(resume_token=welcome.resume_token, capacity=play_pb2.Capacity(open_decisions=1))
    link.hear("match_ended")
    link.leave()


if __name__ == "__main__":
    main()
