"""Bots that misuse their connection or their call."""

import os
import signal
from contextlib import ExitStack

from arena.v1 import play_pb2
from tests.system.misbehaving.python.by_hand import (
    GET_BOT,
    PLAY,
    STREAM,
    ByHand,
    send_and_listen,
)
from tests.system.misbehaving.python.visit import (
    ADDRESS,
    TOKEN,
    Link,
    Visit,
    main,
    remote_bot,
    while_it_thinks,
)
from tests.system.play.raw_bot import hello, request
from tests.system.play.wire import PREFACE, Kind, Wire, call, frame, prefixed, reset


@while_it_thinks
def half_closes_in_a_match(link: Link, decision: play_pb2.Decision) -> None:
    """Half-close while its decision is open."""
    link.half_close()


@while_it_thinks
def cancels_its_call(link: Link, decision: play_pb2.Decision) -> None:
    """Cancel its call while its decision is open, and keep the connection."""
    link.cancel()


@remote_bot
def dies(visit: Visit) -> None:
    """Kill this process while the decision is open."""
    next(visit.seated().decisions())
    visit.report()
    os.kill(os.getpid(), signal.SIGKILL)


@remote_bot
def resets_its_connection(visit: Visit) -> None:
    """Reset its TCP connection while its decision is open."""
    with ByHand() as bot:
        bot.take_one_seat()
        bot.hear("decision")
        bot.abandon()


@remote_bot
def dies_in_a_frame(visit: Visit) -> None:
    """Send half of an HTTP/2 frame of an answer, and reset the connection."""
    with ByHand() as bot:
        bot.take_one_seat()
        decision = bot.hear("decision").decision
        whole = prefixed(request(answer=bot.answer_to(decision)))
        bot.send_bytes(frame(Kind.DATA, stream=STREAM, payload=whole)[:-3])


@remote_bot
def reads_slowly(visit: Visit) -> None:
    """Read 256 bytes, wait, and read the next ones."""
    with ByHand(window=256, pause_s=0.02) as bot:
        bot.take_one_seat()
        for message in bot.messages:
            if message.HasField("match_ended"):
                break
            if message.HasField("decision"):
                bot.say(answer=bot.answer_to(message.decision))


@remote_bot
def floods_with_pings(visit: Visit) -> None:
    """Send HTTP/2 pings without end while its decision is open."""
    with ByHand() as bot:
        bot.take_one_seat()
        bot.hear("decision")
        bot.send_bytes(20 * frame(Kind.PING, payload=bytes(8)))
        goaway = next(each for each in bot.frames() if each.kind == Kind.GOAWAY)
        visit.note_end(f"GOAWAY {int.from_bytes(goaway.payload[4:8])}: {goaway.payload[8:].decode()}")


@remote_bot
def resets_calls_rapidly(visit: Visit) -> None:
    """Begin two thousand calls and reset each of them at once; then ask whether the connection still answers."""
    with Wire(ADDRESS) as bot:
        for number in range(2_000):
            stream = 2 * number + 1
            bot.send_bytes(call(stream, GET_BOT, TOKEN) + reset(stream))
        bot.send(Kind.PING, payload=bytes(8))
        # How many the server resets, too, depends on how many of them it meets at once.
        ends = (
            each
            for each in bot.frames()
            if each.kind == Kind.GOAWAY or (each.kind == Kind.PING and each.flags)
        )
        visit.note_end("PING ANSWERED" if next(ends).kind == Kind.PING else "GOAWAY")


@remote_bot
def opens_three_hundred_connections(visit: Visit) -> None:
    """Open three hundred calls at once."""
    with ExitStack() as held:
        for _ in range(5):
            wire = held.enter_context(Wire(ADDRESS))
            for number in range(60):
                wire.call(2 * number + 1, PLAY, TOKEN, request(hello=hello()))
            wire.send(Kind.PING, payload=bytes(8))
            next(each for each in wire.frames() if each.kind == Kind.PING and each.flags)
        link = visit.dial()
        link.say(hello=hello())
        link.hear_all()


@remote_bot
def reconnects_in_a_storm(visit: Visit) -> None:
    """Come back fifty times to each of its decisions, and then answer."""
    link = visit.seated()
    for _ in range(3):
        for _ in range(50):
            link.hear("decision")
            link.cut()
            link = visit.back(link.resume_token)
        link.answer(link.hear("decision"))
    link.play_on().leave()


@remote_bot
def replaces_itself(visit: Visit) -> None:
    """Open a second connection with its resume token while the first one is open."""
    old = visit.seated()
    old.hear("decision")
    new = visit.back(old.resume_token)
    old.hear_all()
    new.play_on().leave()


@remote_bot
def speaks_http_1(visit: Visit) -> None:
    """Speak HTTP/1.1."""
    send_and_listen(visit, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")


@remote_bot
def sends_random_bytes(visit: Visit) -> None:
    """Send bytes that are no protocol."""
    send_and_listen(visit, bytes(range(256)) * 16)


@remote_bot
def greets_in_tls(visit: Visit) -> None:
    """Begin a TLS handshake where none is spoken."""
    send_and_listen(visit, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(64))


@remote_bot
def breaks_http_2(visit: Visit) -> None:
    """Announce an HTTP/2 frame that is larger than any may be."""
    send_and_listen(visit, PREFACE + frame(Kind.SETTINGS) + b"\xff\xff\xff\x00" + bytes(64))


if __name__ == "__main__":
    main()
