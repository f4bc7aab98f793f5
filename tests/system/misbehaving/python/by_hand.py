"""A Play call over HTTP/2 written by hand, for bots that do what no gRPC library would."""

import contextlib
import socket
import struct
import time
from collections.abc import Iterator
from typing import Any

from arena.v1 import play_pb2
from tests.system.misbehaving.python.visit import ADDRESS, TOKEN, Visit
from tests.system.play.raw_bot import hello, request
from tests.system.play.wire import Frame, Kind, Wire, dial, messages_in, prefixed

PLAY = "/arena.v1.PlayService/Play"
GET_BOT = "/arena.v1.BotService/GetBot"
STREAM = 1


class ByHand(Wire):
    """A Play call, its hello said. It reads only when it is asked to."""

    def __init__(self, *, window: int | None = None, pause_s: float = 0) -> None:
        """`window`: how many bytes the arena may send; as many more, whenever so many were read and a pause made."""
        super().__init__(ADDRESS, window=window)
        self._pause_s = pause_s
        self.call(STREAM, PLAY, TOKEN, request(hello=hello()))
        self.assignment = 0
        self.messages = self._heard()
        """What the arena says, until it ends the call or the connection."""

    def say(self, **kinds: Any) -> None:
        """Send one frame with a message for each kind."""
        self.send(Kind.DATA, stream=STREAM, payload=prefixed(request(**kinds)))

    def answer_to(self, decision: play_pb2.Decision) -> play_pb2.Answer:
        """Return the answer with the first action of the list."""
        return play_pb2.Answer(assignment=self.assignment, decision=decision.decision, index=0)

    def abandon(self) -> None:
        """Reset the connection: what was under way is lost, and the arena gets a RST."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._socket.close()

    def take_one_seat(self) -> None:
        """Take the seat of one match and of no other; the match need not have begun."""
        self.assignment = self.hear("assigned").assigned.assignment
        self.say(capacity=play_pb2.Capacity(), ready=play_pb2.Ready(assignment=self.assignment))

    def hear(self, kind: str) -> play_pb2.ServerMessage:
        """Return the next message of this kind."""
        return next(message for message in self.messages if message.WhichOneof("kind") == kind)

    def _heard(self) -> Iterator[play_pb2.ServerMessage]:
        for data in messages_in(self._slowly()):
            yield from play_pb2.PlayResponse.FromString(data).messages

    def _slowly(self) -> Iterator[Frame]:
        """Yield all frames; after each of data make a pause, and allow as much again."""
        for each in self.frames():
            if each.kind == Kind.DATA and self._pause_s:
                time.sleep(self._pause_s)
                self.allow(0, len(each.payload))
                self.allow(STREAM, len(each.payload))
            yield each


def listen_in_vain(connection: socket.socket) -> None:
    """Return when the arena has closed the connection."""
    with contextlib.suppress(ConnectionResetError):
        while connection.recv(4_096):
            pass


def send_and_listen(visit: Visit, data: bytes) -> None:
    """Send bytes over a plain connection, and note when the arena has closed it."""
    with dial(ADDRESS) as connection:
        with contextlib.suppress(ConnectionError):  # it may be closed by then
            connection.sendall(data)
        listen_in_vain(connection)
        visit.note_end("CLOSED")
