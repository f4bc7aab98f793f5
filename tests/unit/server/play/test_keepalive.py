"""Pings and checks of writes; when a connection counts as silent, slow, or dead."""

import asyncio
import os
import socket
from collections import Counter
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import grpc
import pytest

from arena.core.errors import DeadlineExceededError, ErrorReason
from arena.core.units import NS_PER_MS
from arena.server.grpc_options import DEAD_LINK_MS, server_options
from arena.server.play.connection import MOST_UNWRITTEN, SILENT_PINGS, Connection, ignore
from arena.server.play.encoding_turns import EncodingTurns
from arena.server.play.frame_queue import FrameQueue
from arena.server.play.keepalive import (
    PING_EVERY_NS,
    TICK_NS,
    TOGETHER,
    WRITE_WITHIN_S,
    PingSchedule,
    WriteWatch,
)
from arena.sessions.outgoing import Warned, WarningCode
from arena.v1 import play_pb2
from arena.wire.play.incoming import PING_S
from tests.unit.core.stalls_by_hand import idle_meter
from tests.unit.runner.fakes import FakeTimers

ROUND_MS = PING_EVERY_NS / NS_PER_MS
TICK_MS = TICK_NS / NS_PER_MS


class Bot:
    """Remembers when it was pinged, and whether it was found too slow."""

    def __init__(self, timers: FakeTimers) -> None:
        self.timers = timers
        self.pinged_at: list[int] = []
        self.rounds: list[int] = []
        self.slow = False

    def ping_in_round(self, number: int) -> None:
        self.pinged_at.append(self.timers.now())
        self.rounds.append(number)

    def too_slow(self) -> None:
        self.slow = True


@pytest.fixture
def timers() -> FakeTimers:
    return FakeTimers()


def joined(timers: FakeTimers, round_: PingSchedule, count: int) -> list[Bot]:
    bots = [Bot(timers) for _ in range(count)]
    for bot in bots:
        round_.join(bot)
    return bots


def test_each_connection_is_pinged_within_a_round_and_then_once_a_round(timers: FakeTimers) -> None:
    begun = timers.now()
    bots = joined(timers, PingSchedule(timers), 100)
    timers.move(4 * ROUND_MS)
    for bot in bots:
        assert bot.pinged_at[0] - begun <= PING_EVERY_NS
        gaps = {later - one for one, later in zip(bot.pinged_at, bot.pinged_at[1:], strict=False)}
        assert gaps == {PING_EVERY_NS}


@pytest.mark.parametrize(
    ("count", "together"),
    [
        (30, [30]),
        (200, [TOGETHER, TOGETHER, 200 - 2 * TOGETHER]),
        (60 * TOGETHER + 2, [TOGETHER + 1] * 2 + [TOGETHER] * 58),
    ],
)
def test_connections_share_a_tick_until_it_is_full_and_then_all_ticks_evenly(
    timers: FakeTimers, count: int, together: list[int]
) -> None:
    bots = joined(timers, PingSchedule(timers), count)
    timers.move(ROUND_MS)
    pinged = Counter(at for bot in bots for at in bot.pinged_at)
    assert sorted(pinged.values(), reverse=True) == together


def test_a_connection_that_left_is_not_pinged_and_its_tick_is_free(timers: FakeTimers) -> None:
    round_ = PingSchedule(timers)
    first, *others = joined(timers, round_, 2 * TOGETHER)
    round_.leave(first)
    (late,) = joined(timers, round_, 1)
    timers.move(ROUND_MS)
    assert first.pinged_at == []
    together = Counter(at for bot in (late, *others) for at in bot.pinged_at)
    assert list(together.values()) == [TOGETHER, TOGETHER]


def test_an_empty_round_needs_no_alarm(timers: FakeTimers) -> None:
    round_ = PingSchedule(timers)
    for bot in joined(timers, round_, 2):
        round_.leave(bot)
    timers.move(TICK_MS)
    assert timers.alarms == []
    (back,) = joined(timers, round_, 1)
    timers.move(ROUND_MS)
    assert len(back.pinged_at) == 1


def test_a_connection_that_joins_after_all_others_left_is_pinged_once_a_round(timers: FakeTimers) -> None:
    round_ = PingSchedule(timers)
    for bot in joined(timers, round_, 2):
        round_.leave(bot)
    (next_,) = joined(timers, round_, 1)
    timers.move(2 * ROUND_MS)
    assert len(next_.pinged_at) == 2


def test_after_a_stall_not_all_are_pinged_at_once(timers: FakeTimers) -> None:
    bots = joined(timers, PingSchedule(timers), 60 * TOGETHER)
    timers.stall(ROUND_MS)
    assert sum(len(bot.pinged_at) for bot in bots) == TOGETHER


def test_a_write_is_too_slow_only_after_the_time_that_it_may_take(timers: FakeTimers) -> None:
    watch, first, second = WriteWatch(timers), Bot(timers), Bot(timers)
    watch.begin(first)
    timers.move(400)
    watch.begin(second)
    timers.move(WRITE_WITHIN_S * 1_000)
    assert (first.slow, second.slow) == (False, False)
    timers.move(200)
    assert (first.slow, second.slow) == (True, True)
    assert timers.alarms == []


def test_a_write_that_ends_in_time_is_not_checked_any_more(timers: FakeTimers) -> None:
    watch, bot = WriteWatch(timers), Bot(timers)
    for _ in range(3):
        watch.begin(bot)
        timers.move(0.9 * WRITE_WITHIN_S * 1_000)
        watch.end(bot)
    timers.move(2 * WRITE_WITHIN_S * 1_000)
    assert not bot.slow
    assert timers.alarms == []


PONG = play_pb2.PlayRequest(messages=[play_pb2.ClientMessage(pong=play_pb2.Pong(id=1))]).SerializeToString()


class FakeTransport:
    """Hands on the frames that the test puts in, and takes those of the arena when the test lets it."""

    def __init__(self, room: int) -> None:
        """`room`: how many frames it takes at once."""
        self.incoming: asyncio.Queue[bytes] = asyncio.Queue()
        self.written: asyncio.Queue[bytes] = asyncio.Queue()
        self.room = asyncio.Semaphore(room)

    async def read(self) -> bytes:
        await asyncio.sleep(0)  # as with gRPC, others have their turn before each frame
        return await self.incoming.get()

    async def write(self, data: bytes) -> None:
        await self.written.put(data)
        await self.room.acquire()

    async def take_all(self) -> None:
        """Let the bot read from now on."""
        while True:
            self.room.release()
            await self.written.get()


def connect(room: int) -> tuple[FakeTimers, FakeTransport, Connection]:
    """Return a connection over a transport that takes so many frames at once."""
    timers, transport = FakeTimers(), FakeTransport(room)
    frames, encoding = FrameQueue(idle_meter().note_messages), EncodingTurns(idle_meter().note_messages)
    return timers, transport, Connection(transport, timers, WriteWatch(timers), frames, encoding, local=False)


@asynccontextmanager
async def running(*work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Run the work inside."""
    tasks = [asyncio.create_task(each) for each in work]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def test_row_26_a_bot_that_floods_and_does_not_read_is_not_read_until_it_does() -> None:
    """Each of its frames earns it 64 replies."""
    frames, (_, transport, connection) = 100, connect(room=1)
    handled: list[bytes] = []
    all_handled = asyncio.Event()

    def reply(data: bytes, _received: int) -> None:
        handled.append(data)
        for _ in range(64):
            connection.push(Warned(WarningCode.UNEXPECTED_MESSAGE, 0, "This pong answers no ping."))
        if len(handled) == frames:
            all_handled.set()

    connection.listen(reply, ignore)
    for _ in range(frames):
        transport.incoming.put_nowait(PONG)
    async with running(connection.write_all(), connection.read_all()):
        for _ in range(10 * frames):
            await asyncio.sleep(0)
        # Two frames are out to be written, one was read ahead.
        assert len(handled) <= MOST_UNWRITTEN // 64 + 4
        async with running(transport.take_all()):
            await all_handled.wait()


async def test_a_connection_is_silent_from_the_fifth_ping_without_a_word_until_the_next_word() -> None:
    timers, transport, connection = connect(room=100)
    heard = asyncio.Event()
    connection.listen(lambda data, received: heard.set(), ignore)
    silent = []
    async with running(connection.write_all(), connection.read_all()):
        connection.ping()
        PingSchedule(timers).join(connection)
        for _ in range(SILENT_PINGS):
            await transport.written.get()
            silent.append(connection.silent)
            timers.move(PING_EVERY_NS / 1_000_000)
        await transport.incoming.put(PONG)
        await heard.wait()
        silent.append(connection.silent)
    assert silent == [False, False, False, False, True, False]


def test_rounds_are_numbered_and_neighbouring_ticks_are_at_different_numbers(timers: FakeTimers) -> None:
    bots = joined(timers, PingSchedule(timers), 3 * TOGETHER)
    timers.move(8 * ROUND_MS)
    for bot in bots:
        assert bot.rounds == list(range(bot.rounds[0], bot.rounds[0] + 8))
    assert sorted(Counter(bot.rounds[0] % 4 for bot in bots).values()) == [TOGETHER] * 3


async def test_a_bot_that_has_asked_for_it_is_pinged_in_every_fourth_round_and_with_a_match_in_each() -> None:
    timers, transport, connection = connect(room=100)
    seats: list[str] = []
    connection.set_idle_pings(4 * PING_S + 1, seats)
    pinged = []
    async with running(connection.write_all()):
        PingSchedule(timers).join(connection)
        for number in range(1, 20):
            timers.move(ROUND_MS)
            for _ in range(10):
                await asyncio.sleep(0)
            pinged += [number] * transport.written.qsize()
            while not transport.written.empty():
                transport.written.get_nowait()
            seats[:] = ["a seat"] if 9 <= number < 12 else []
    first = pinged[0]
    assert first <= 4
    assert pinged == [number for number in range(1, 20) if number in {10, 11, 12} or number % 4 == first % 4]


async def test_row_27_a_bot_that_does_not_read_is_told_apart_from_an_arena_that_stalls() -> None:
    timers, transport, connection = connect(room=0)
    ended = []
    async with running(connection.write_all()):
        connection.push(play_pb2.Ping(id=1))
        await transport.written.get()
        for pass_time, part in ((timers.stall, 4), (timers.move, 0.85), (timers.move, 0.2)):
            pass_time(part * WRITE_WITHIN_S * 1_000)
            ended.append(connection.ended.done())
    error = connection.ended.result()
    assert isinstance(error, DeadlineExceededError)
    assert (ended, error.reason) == ([False, False, True], ErrorReason.SLOW_READER)


async def test_row_27_frames_that_are_each_taken_in_time_are_no_fault_and_need_one_alarm_together() -> None:
    timers, transport, connection = connect(room=0)
    ended, alarms = [], []
    async with running(connection.write_all()):
        for part in (0.9, 0.9, 0.9, 1.2):
            connection.push(play_pb2.Ping(id=1))
            await transport.written.get()
            timers.move(part * WRITE_WITHIN_S * 1_000)
            ended.append(connection.ended.done())
            alarms.append(len(timers.alarms))
            transport.room.release()
    assert (ended, alarms) == ([False, False, False, True], [1, 1, 1, 0])


async def test_the_system_gives_up_a_link_on_which_nothing_is_acknowledged_for_a_minute() -> None:
    """gRPC makes its keepalive timeout the TCP_USER_TIMEOUT of the sockets; no HTTP/2 ping is needed for that."""
    server = grpc.aio.server(options=server_options(10))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        assert {timeout for own, timeout in tcp_sockets() if own == port} == {DEAD_LINK_MS}
    finally:
        await server.stop(None)
    assert DEAD_LINK_MS == 60_000


def tcp_sockets() -> list[tuple[int, int]]:
    """Return port and TCP_USER_TIMEOUT in ms of every TCP socket of this process."""
    found: list[tuple[int, int]] = []
    for path in Path("/proc/self/fd").iterdir():
        with suppress(OSError), socket.socket(fileno=os.dup(int(path.name))) as end:
            if end.family in (socket.AF_INET, socket.AF_INET6) and end.type == socket.SOCK_STREAM:
                timeout = end.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
                found.append((end.getsockname()[1], timeout))
    return found
