"""A bot that speaks the protocol word by word, without the sdk: each test says what it says."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import grpc

from arena.v1 import games_pb2, play_pb2
from engine.registry import GAMES

WAIT_S = 60.0
_END = object()


class RawBot:
    """One connection. `hear` waits for the next message of a kind; pings are answered unless told otherwise."""

    def __init__(
        self,
        address: str,
        token: str | None,
        *,
        answer_pings: bool = True,
        compression: grpc.Compression | None = None,
        own_connection: bool = False,
    ) -> None:
        """`own_connection`: share none with others of this process, of which the arena takes 64 calls each."""
        self._outgoing: queue.Queue[Any] = queue.Queue()
        self._incoming: queue.Queue[Any] = queue.Queue()
        self.token = token
        self.resume_token = ""
        """Of its last welcome."""
        self._answer_pings = answer_pings
        self.heard: list[play_pb2.ServerMessage] = []
        options = (("grpc.use_local_subchannel_pool", int(own_connection)),)
        self._channel = grpc.insecure_channel(address, options=options)
        play: grpc.StreamStreamMultiCallable[bytes, bytes] = self._channel.stream_stream(
            "/arena.v1.PlayService/Play"
        )
        metadata = () if token is None else (("authorization", f"Bearer {token}"),)
        self._call = play(iter(self._outgoing.get, _END), metadata=metadata, compression=compression)
        self.status: grpc.StatusCode | None = None
        self.trailing: dict[str, Any] = {}
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            for frame in self._call:
                for message in play_pb2.PlayResponse.FromString(frame).messages:
                    self._incoming.put(message)
            self.status = grpc.StatusCode.OK
        except grpc.RpcError:
            self.status = self._call.code()
            self.trailing = dict(self._call.trailing_metadata() or ())
        self._incoming.put(_END)

    # Saying

    def say(self, **kinds: Any) -> RawBot:
        """One frame with a message for each kind, in the order given."""
        return self.say_bytes(request(**kinds))

    def say_messages(self, *messages: play_pb2.ClientMessage) -> RawBot:
        """One frame with these messages."""
        return self.say_bytes(play_pb2.PlayRequest(messages=messages).SerializeToString())

    def say_bytes(self, frame: bytes) -> RawBot:
        """One frame, whatever is in it."""
        self._outgoing.put(frame)
        return self

    def taken(self) -> RawBot:
        """Wait until the arena has accepted the call."""
        self._call.initial_metadata()
        return self

    def half_close(self) -> None:
        """Nothing more will be said."""
        self._outgoing.put(_END)

    def cancel(self) -> None:
        """Cancel the call; the connection stays."""
        self._call.cancel()

    def cut(self) -> None:
        """Lose the connection, as when a cable is pulled."""
        self._call.cancel()
        self._channel.close()

    # Hearing

    def hear_any(self) -> play_pb2.ServerMessage | None:
        """Return the next message; None when the stream has ended."""
        message = self._incoming.get(timeout=WAIT_S)
        if message is _END:
            return None
        assert isinstance(message, play_pb2.ServerMessage)
        self.heard.append(message)
        if message.HasField("ping") and self._answer_pings:
            self.say(pong=play_pb2.Pong(id=message.ping.id))
        return message

    def hear(self, kind: str) -> Any:
        """Return the next message of this kind; skip pings and others before it."""
        give_up = time.monotonic() + WAIT_S  # pings alone would keep it waiting for ever
        for message in self._messages():
            if message.HasField(kind):  # type: ignore[arg-type]
                return getattr(message, kind)
            assert time.monotonic() < give_up, f"no {kind} came; heard {self.kinds()}"
        raise AssertionError(f"the stream ended ({self.status}) without {kind}; heard {self.kinds()}")

    def _messages(self) -> Iterator[play_pb2.ServerMessage]:
        while (message := self.hear_any()) is not None:
            yield message

    def hear_end(self) -> play_pb2.Goodbye:
        """Wait for the end of the stream; return its goodbye."""
        for _ in self._messages():
            pass
        goodbyes = [message.goodbye for message in self.heard if message.HasField("goodbye")]
        assert goodbyes, f"no goodbye, status {self.status}"
        return goodbyes[-1]

    def kinds(self) -> list[str]:
        """Return what was received so far, without pings."""
        named = [str(message.WhichOneof("kind")) for message in self.heard]
        return [kind for kind in named if kind != "ping"]

    def waits(self, kind: str) -> bool:
        """Whether a message of this kind has arrived that was not heard yet."""
        return any(message is not _END and message.HasField(kind) for message in list(self._incoming.queue))

    # Everyday conversation

    def hello(self, **fields: Any) -> play_pb2.Welcome:
        """Say hello; return the welcome."""
        self.say(hello=hello(**fields))
        welcome = self.hear("welcome")
        assert isinstance(welcome, play_pb2.Welcome)
        self.resume_token = welcome.resume_token
        return welcome

    def take_seat(self) -> play_pb2.Assigned:
        """Return the next assignment, answered with ready."""
        assigned = self.hear("assigned")
        self.say(ready=play_pb2.Ready(assignment=assigned.assignment))
        assert isinstance(assigned, play_pb2.Assigned)
        return assigned

    def play_every_seat(self) -> Iterator[play_pb2.ServerMessage]:
        """Yield every message; take every seat, and answer every decision with the first action of the list."""
        for message in self._messages():
            if message.HasField("assigned"):
                self.say(ready=play_pb2.Ready(assignment=message.assigned.assignment))
            elif message.HasField("decision"):
                self.answer(message.decision)
            yield message

    def play_matches(self, matches: int = 1) -> play_pb2.MatchEnded:
        """Play every seat until so many matches have ended; return the last end."""
        ends = (each.match_ended for each in self.play_every_seat() if each.HasField("match_ended"))
        return next(islice(ends, matches - 1, None))

    def answer(
        self, decision: play_pb2.Decision, index: int = 0, evaluation: play_pb2.Evaluation | None = None
    ) -> None:
        """Answer with a place in the list."""
        answer = play_pb2.Answer(assignment=decision.assignment, decision=decision.decision, index=index)
        if evaluation is not None:
            answer.evaluation.CopyFrom(evaluation)
        self.say(answer=answer)

    def act(self, decision: play_pb2.Decision, action: games_pb2.Action) -> None:
        """Answer with an action."""
        answer = play_pb2.Answer(assignment=decision.assignment, decision=decision.decision, action=action)
        self.say(answer=answer)


def connect(address: str, tokens: Iterable[str | None], **fields: Any) -> list[RawBot]:
    """Return a welcomed bot for each token."""
    bots = [RawBot(address, token) for token in tokens]
    for bot in bots:
        bot.hello(**fields)
    return bots


def begin_match(bots: Sequence[RawBot]) -> list[RawBot]:
    """Take the seats of a match, which begins; return the bots by seat."""
    seats = [bot.take_seat().seat for bot in bots]
    for bot in bots:
        bot.hear("match_started")
    return [bots[place] for place in sorted(range(len(bots)), key=lambda place: seats[place])]


def hello(**fields: Any) -> play_pb2.Hello:
    """Return a valid `hello`, with these fields changed."""
    usual: dict[str, Any] = {
        "lowest_protocol": 1,
        "highest_protocol": 1,
        "games": [play_pb2.GameSupport(game=game) for game in GAMES],
        "capacity": play_pb2.Capacity(matches=1),
        "language": "words",
    }
    return play_pb2.Hello(**{**usual, **fields})


def request(**kinds: Any) -> bytes:
    """Return a frame with a message for each kind, in the order given."""
    messages = [play_pb2.ClientMessage(**{kind: body}) for kind, body in kinds.items()]
    return play_pb2.PlayRequest(messages=messages).SerializeToString()
