"""What is written is encoded in short turns of the loop, in order, and noted for the owner whose bots it is for."""

import asyncio
import time
from typing import cast

import pytest

from arena.core.match import MatchSetup
from arena.runner.question import Question
from arena.server.play import connection as connections
from arena.server.play.connection import Connection
from arena.server.play.encoding_turns import EncodingTurns
from arena.server.play.frame_queue import NOTED_NS, TURN_NS, FrameQueue
from arena.server.play.keepalive import WriteWatch
from arena.sessions import outgoing
from arena.sessions.decision_window import Asked
from arena.v1 import play_pb2
from tests.unit.runner.fakes import FakeTimers


class SlowClock:
    """Time that passes only while messages are encoded."""

    def __init__(self) -> None:
        self.ns = 0
        self.encoded: list[str] = []

    def encode(self, message: outgoing.Outgoing, _preferences: object) -> bytes:
        """Take half of a turn for any message."""
        self.ns += TURN_NS // 2
        text = message.sentence if isinstance(message, outgoing.Withdrawn) else "question"
        self.encoded.append(text)
        return play_pb2.ServerMessage(withdrawn=play_pb2.Withdrawn(sentence=text)).SerializeToString()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SlowClock:
    """Return the clock by which connections encode."""
    clock = SlowClock()
    monkeypatch.setattr(time, "monotonic_ns", lambda: clock.ns)
    monkeypatch.setattr(connections, "encode_message", clock.encode)
    return clock


class Transport:
    """Takes every frame at once."""

    def __init__(self) -> None:
        self.frames: list[int] = []
        """How many messages each frame had."""
        self._wrote = asyncio.Event()

    async def read(self) -> object:
        return None

    async def write(self, data: bytes) -> None:
        self.frames.append(len(play_pb2.PlayResponse.FromString(data).messages))
        self._wrote.set()

    async def wait_for(self, messages: int) -> None:
        """Return when so many have been written."""
        while sum(self.frames) < messages:
            self._wrote.clear()
            await self._wrote.wait()


class AskedSeat:
    """A seat whose question is written."""

    assignment = 1
    setup = cast(MatchSetup, None)

    def __init__(self) -> None:
        self.delays: list[int] = []

    def delayed(self, decision: int, by_ns: int) -> None:
        self.delays.append(by_ns)

    def written(self, decision: int, at: int) -> None: ...


def question(seat: AskedSeat) -> Asked:
    """Return a question to this seat."""
    return Asked(seat, Question(1, [], None, [], per_decision_ms=0, bank_ms=0, increment_ms=0), 0)


def connect(owner: str, encoding: EncodingTurns) -> tuple[Transport, Connection]:
    """Return a connection of a bot of this owner."""
    timers, transport = FakeTimers(), Transport()
    made = Connection(
        transport, timers, WriteWatch(timers), FrameQueue(lambda _owner, _took: None), encoding, local=True
    )
    made.owner = owner
    return transport, made


def say(connection: Connection, text: str) -> None:
    """Have the connection write a message."""
    connection.push(outgoing.Withdrawn(1, text))


async def test_the_loop_gets_its_turn_after_a_few_milliseconds_of_encoding(clock: SlowClock) -> None:
    encoding = EncodingTurns(lambda _owner, _took: None)
    tasks = []
    for number in range(10):
        _, connection = connect(f"owner{number}", encoding)
        say(connection, str(number))
        tasks.append(asyncio.create_task(connection.write_all()))
    turns: list[int] = []
    while len(clock.encoded) < 10:
        await asyncio.sleep(0)
        turns.append(len(clock.encoded))
    assert clock.encoded == [str(number) for number in range(10)]
    assert max(after - before for before, after in zip([0, *turns], turns, strict=False)) == 2
    for task in tasks:
        task.cancel()


async def test_a_frame_has_no_more_than_is_encoded_in_a_turn(clock: SlowClock) -> None:
    transport, connection = connect("ada", EncodingTurns(lambda _owner, _took: None))
    for number in range(7):
        say(connection, str(number))
    task = asyncio.create_task(connection.write_all())
    await transport.wait_for(7)
    assert transport.frames == [3, 3, 1]  # the third passes the limit
    task.cancel()


async def test_what_messages_take_is_noted_for_the_owner_whose_bots_they_are_for(clock: SlowClock) -> None:
    noted: list[tuple[str, int]] = []
    encoding = EncodingTurns(lambda owner, took: noted.append((owner, took)))
    transport, connection = connect("mallory", encoding)
    say(connection, "text")
    task = asyncio.create_task(connection.write_all())
    await transport.wait_for(1)
    assert noted == [("mallory", TURN_NS // 2)]
    encoding.used("ada", NOTED_NS)
    assert noted == [("mallory", TURN_NS // 2)]
    task.cancel()


@pytest.mark.parametrize(("owner", "turns"), [("ada", 6), ("mallory", 0)])
async def test_a_question_is_delayed_by_what_is_written_to_bots_of_others(
    clock: SlowClock, owner: str, turns: int
) -> None:
    encoding = EncodingTurns(lambda _owner, _took: None)
    tasks = []
    for number in range(8):
        _, connection = connect("mallory", encoding)
        say(connection, str(number))
        tasks.append(asyncio.create_task(connection.write_all()))
    seat = AskedSeat()
    transport, connection = connect(owner, encoding)
    connection.push(question(seat))
    tasks.append(asyncio.create_task(connection.write_all()))
    await transport.wait_for(1)
    # Two were encoded in the turn in which the question became ready, the other six while it waited.
    assert seat.delays == [turns * TURN_NS // 2] * (turns > 0)
    for task in tasks:
        task.cancel()


async def test_a_connection_that_is_gone_leaves_its_turn_to_the_next() -> None:
    encoding = EncodingTurns(lambda _owner, _took: None)
    encoding.used("ada", TURN_NS)
    first, second = (asyncio.create_task(encoding.wait("ada")) for _ in range(2))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    first.cancel()  # it has its turn, and has not used it
    async with asyncio.timeout(60):
        await second
    assert first.cancelled()
