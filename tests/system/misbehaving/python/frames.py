"""Bots that send malformed, empty or too many frames."""

import grpc

from arena.v1 import play_pb2
from tests.system.misbehaving.python.visit import Link, Visit, main, remote_bot, while_it_thinks
from tests.system.play.raw_bot import hello


@while_it_thinks
def sends_garbage(link: Link, decision: play_pb2.Decision) -> None:
    """Send bytes that are no message in the middle of a match."""
    link.say_bytes(b"\xff" * 40)


@while_it_thinks
def sends_text_that_is_none(link: Link, decision: play_pb2.Decision) -> None:
    """Send a debug line that is no UTF-8."""
    # ClientMessage.debug.text, field 6 and in it field 3: a byte that begins a letter, and one that does not end it.
    link.say_bytes(b"\x0a\x06\x32\x04\x1a\x02\xc3\x28")


@while_it_thinks
def sends_too_many_messages(link: Link, decision: play_pb2.Decision) -> None:
    """Send a frame of 65 messages."""
    link.say_messages(*[play_pb2.ClientMessage(pong=play_pb2.Pong(id=1))] * 65)


@while_it_thinks
def sends_a_huge_frame(link: Link, decision: play_pb2.Decision) -> None:
    """Send a frame of two mebibytes."""
    link.say_bytes(bytes(2 << 20))


@while_it_thinks
def says_hello_twice(link: Link, decision: play_pb2.Decision) -> None:
    """Say hello in the middle of a match."""
    link.say(hello=hello())


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
    link = visit.seated()
    for _ in range(3):
        link.hear("decision")
        link.say_bytes(b"\xff")
        link.hear_all()
        link = visit.back(link.resume_token)
    link.hear("match_ended")
    link.leave()


if __name__ == "__main__":
    main()
