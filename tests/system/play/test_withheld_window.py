"""A bot that reads its question but keeps the arena's write from ending, by HTTP/2 flow control: its clock runs."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from arena.v1 import ending_pb2, match_pb2, play_pb2, time_control_pb2
from tests.system.play.conftest import BotFactory
from tests.system.play.raw_bot import hello, request
from tests.system.play.wire import Kind, Wire, prefixed

STREAM = 1
QUICK = time_control_pb2.TimeControl(
    per_decision_ms=200, bank_ms=0, strikes=0, absence_ms=30_000, hold_ms=0, seat_limit_ms=86_400_000
)


class WithholdingBot:
    """A bot that says how many bytes of its stream the arena may send."""

    def __init__(self, wire: Wire, token: str) -> None:
        self._wire = wire
        self._read = b""
        self._frames = wire.frames()
        wire.call(STREAM, "/arena.v1.PlayService/Play", token, request(hello=hello()))
        wire.allow(0, 1 << 30)

    def say(self, **kinds: Any) -> None:
        self._wire.send(Kind.DATA, stream=STREAM, payload=prefixed(request(**kinds)))

    def read(self, size: int) -> bytes:
        """So many bytes more of the stream, which the arena is allowed to send for that."""
        self._wire.allow(STREAM, size)
        while len(self._read) < size:
            came = next(self._frames)
            self._read += came.payload if came.kind == Kind.DATA else b""
        data, self._read = self._read[:size], self._read[size:]
        return data

    def read_all_but_the_last_byte(self) -> bytes:
        """Return a message, as far as the arena may send it."""
        head = self.read(5)
        return self.read(int.from_bytes(head[1:]) - 1)


def parsed(data: bytes) -> list[play_pb2.ServerMessage]:
    return list(play_pb2.PlayResponse.FromString(data).messages)


def holds_a_decision(begun: bytes) -> bool:
    """Whether there is a decision in a frame of which the last byte is missing: another one takes its place."""
    return any(message.HasField("decision") for message in parsed(begun + b"\0"))


def test_a_bot_that_withholds_the_last_byte_of_its_question_loses_on_time_meanwhile(
    bot_factory: BotFactory,
) -> None:
    cheat, honest = bot_factory.register("m"), bot_factory.register("n")
    opponent = bot_factory.dial(honest)
    opponent.hello()
    with Wire(bot_factory.arena.tcp, window=0) as wire, ThreadPoolExecutor(1) as thread:
        bot = WithholdingBot(wire, bot_factory.tokens[cheat])
        bot_factory.arena.ladder(f"withheld{bot_factory.number}", cheat, honest, time_control=QUICK)
        played = thread.submit(
            lambda: next(m for m in opponent.play_every_seat() if m.HasField("match_ended"))
        )
        reach_a_question(bot)
        match = played.result().match_ended.match
        # The connection is still the same: the arena did not wait until its write took too long.
        bot.read(1)
        kinds: list[str | None] = []
        while "seat_ended" not in kinds:  # in one frame, or in two if the machine is busy
            told = parsed(bot.read_all_but_the_last_byte() + bot.read(1))
            kinds += [message.WhichOneof("kind") for message in told]
    assert kinds[:2] == ["decision_closed", "seat_ended"]
    assert match.state == match_pb2.MATCH_STATE_FINISHED
    [seat] = [seat for seat in match.seats if seat.bot == f"bots/{cheat}"]
    assert seat.ending.termination == ending_pb2.TERMINATION_TIME_FORFEIT


def reach_a_question(bot: WithholdingBot) -> None:
    """Read the bot's first question but for the last byte."""
    while not holds_a_decision(begun := bot.read_all_but_the_last_byte()):
        for message in parsed(begun + bot.read(1)):
            if message.HasField("ping"):
                bot.say(pong=play_pb2.Pong(id=message.ping.id))
            elif message.HasField("assigned"):
                bot.say(ready=play_pb2.Ready(assignment=message.assigned.assignment))
