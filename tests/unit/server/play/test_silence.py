"""When a connection counts as silent, when its bot does not read, and when the system takes it for dead."""

import asyncio
import os
import socket
from contextlib import suppress
from pathlib import Path

import grpc

from arena.core.clock.stalls import StallMeter
from arena.core.errors import DeadlineExceededError, ErrorReason
from arena.server.grpc_options import DEAD_LINK_MS, server_options
from arena.server.play.connection import MOST_UNWRITTEN, SILENT_PINGS, Connection, ignore_message
from arena.server.play.frame_queue import FrameQueue
from arena.server.play.keepalive import PING_EVERY_NS, WRITE_WITHIN_S, PingSchedule, WriteWatch
from arena.sessions.outgoing import Warned, WarningCode
from arena.v1 import play_pb2
from tests.unit.runner.fakes import FakeTimers

PONG = play_pb2.PlayRequest(messages=[play_pb2.ClientMessage(pong=play_pb2.Pong(id=1))]).SerializeToString()


def frame_queue() -> FrameQueue:
    """Return a queue that reports its work nowhere."""
    return FrameQueue(StallMeter().note_messages)


class FakeTransport:
    """Takes every frame; hands on what the test puts in."""

    def __init__(self) -> None:
        self.incoming: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.written: asyncio.Queue[bytes] = asyncio.Queue()

    async def read(self) -> bytes | None:
        await asyncio.sleep(0)  # as with gRPC, others have their turn before each frame
        return await self.incoming.get()

    async def write(self, data: bytes) -> None:
        await self.written.put(data)


def test_row_26_a_bot_that_floods_and_does_not_listen_is_not_read_until_it_does() -> None:
    """Each of its frames earns it 64 replies."""
    frames = 100

    async def frame() -> tuple[int, int]:
        timers, transport = FakeTimers(), FakeTransport()
        transport.written = asyncio.Queue(maxsize=1)
        connection = Connection(transport, timers, WriteWatch(timers), frame_queue(), local=False)
        handled: list[bytes] = []
        all_handled = asyncio.Event()

        def reply(data: bytes, _received: int) -> None:
            handled.append(data)
            for _ in range(64):
                connection.push(Warned(WarningCode.UNEXPECTED_MESSAGE, 0, "This pong answers no ping."))
            if len(handled) == frames:
                all_handled.set()

        connection.listen(reply, ignore_message)
        for _ in range(frames):
            transport.incoming.put_nowait(PONG)
        tasks = [asyncio.create_task(work) for work in (connection.write_all(), connection.read_all())]
        for _ in range(10 * frames):
            await asyncio.sleep(0)
        held_back_at = len(handled)
        listening = asyncio.create_task(listen(transport))
        await all_handled.wait()
        for task in (*tasks, listening):
            task.cancel()
        await asyncio.gather(*tasks, listening, return_exceptions=True)
        return held_back_at, len(handled)

    held_back_at, handled = asyncio.run(frame())
    assert held_back_at <= MOST_UNWRITTEN // 64 + 4  # two frames are out to be written, one was read ahead
    assert handled == frames


async def listen(transport: FakeTransport) -> None:
    """Let the bot read again."""
    while True:
        await transport.written.get()


def test_a_connection_is_silent_from_the_fifth_ping_without_a_word_until_the_next_word() -> None:
    async def frame() -> list[bool]:
        timers, transport = FakeTimers(), FakeTransport()
        connection = Connection(transport, timers, WriteWatch(timers), frame_queue(), local=False)
        heard = asyncio.Event()
        connection.listen(lambda data, received: heard.set(), ignore_message)
        tasks = [asyncio.create_task(work) for work in (connection.write_all(), connection.read_all())]
        silent = []
        connection.ping()
        PingSchedule(timers).join(connection)
        for _ in range(SILENT_PINGS):
            await transport.written.get()
            silent.append(connection.silent)
            timers.move(PING_EVERY_NS / 1_000_000)
        await transport.incoming.put(PONG)
        await heard.wait()
        silent.append(connection.silent)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return silent

    assert asyncio.run(frame()) == [False, False, False, False, True, False]


class FullTransport(FakeTransport):
    """Takes no frame."""

    async def write(self, data: bytes) -> None:
        await super().write(data)
        await asyncio.Event().wait()


def test_row_27_a_bot_that_does_not_read_is_told_apart_from_an_arena_that_stands_still() -> None:
    async def frame() -> list[bool]:
        timers, transport = FakeTimers(), FullTransport()
        connection = Connection(transport, timers, WriteWatch(timers), frame_queue(), local=False)
        writing = asyncio.create_task(connection.write_all())
        connection.push(play_pb2.Ping(id=1))
        await transport.written.get()
        ended = []
        for pass_time, part in ((timers.stall, 4), (timers.move, 0.85), (timers.move, 0.2)):
            pass_time(part * WRITE_WITHIN_S * 1_000)
            ended.append(connection.ended.done())
        writing.cancel()
        await asyncio.gather(writing, return_exceptions=True)
        error = connection.ended.result()
        assert isinstance(error, DeadlineExceededError)
        assert error.reason is ErrorReason.SLOW_READER
        return ended

    assert asyncio.run(frame()) == [False, False, True]


class SlowTransport(FakeTransport):
    """Takes a frame when the test lets it."""

    def __init__(self) -> None:
        super().__init__()
        self.room = asyncio.Semaphore(0)

    async def write(self, data: bytes) -> None:
        await super().write(data)
        await self.room.acquire()


def test_row_27_frames_that_are_each_taken_in_time_add_up_to_no_fault_and_need_one_alarm_together() -> None:
    async def frame() -> tuple[list[bool], list[int]]:
        timers, transport = FakeTimers(), SlowTransport()
        connection = Connection(transport, timers, WriteWatch(timers), frame_queue(), local=False)
        writing = asyncio.create_task(connection.write_all())
        ended, alarms = [], []
        for part in (0.9, 0.9, 0.9, 1.2):
            connection.push(play_pb2.Ping(id=1))
            await transport.written.get()
            timers.move(part * WRITE_WITHIN_S * 1_000)
            ended.append(connection.ended.done())
            alarms.append(len(timers.alarms))
            transport.room.release()
        writing.cancel()
        await asyncio.gather(writing, return_exceptions=True)
        return ended, alarms

    assert asyncio.run(frame()) == ([False, False, False, True], [1, 1, 1, 0])


def test_the_system_gives_up_a_link_on_which_nothing_is_acknowledged_for_a_minute() -> None:
    """gRPC makes its keepalive timeout the TCP_USER_TIMEOUT of the sockets; no HTTP/2 ping is needed for that."""

    async def frame() -> set[int]:
        server = grpc.aio.server(options=server_options(10))
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        try:
            return {timeout for own, timeout in tcp_sockets() if own == port}
        finally:
            await server.stop(None)

    assert asyncio.run(frame()) == {DEAD_LINK_MS}
    assert DEAD_LINK_MS == 60_000


def tcp_sockets() -> list[tuple[int, int]]:
    """(port, TCP_USER_TIMEOUT in ms) of every TCP socket of this process."""
    found: list[tuple[int, int]] = []
    for path in Path("/proc/self/fd").iterdir():
        with suppress(OSError), socket.socket(fileno=os.dup(int(path.name))) as end:
            if end.family in (socket.AF_INET, socket.AF_INET6) and end.type == socket.SOCK_STREAM:
                timeout = end.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
                found.append((end.getsockname()[1], timeout))
    return found
