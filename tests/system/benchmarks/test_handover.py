"""Both ends of the hand-over answer each message with one, however the bytes come."""

import asyncio
from pathlib import Path

import pytest

from benchmarks.handover import QUESTION_BYTES, Passing, measure


class Pipe(asyncio.WriteTransport):
    """Keeps what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written.append(bytes(data))


@pytest.mark.parametrize("cuts", [(), (1,), (3, 5, 11), tuple(range(1, 18))])
def test_each_whole_message_is_answered_by_one_however_the_bytes_come(cuts: tuple[int, ...]) -> None:
    passing, pipe = Passing(2), Pipe()
    passing.connection_made(pipe)
    stream = b"\0\0\0\5hello\0\0\0\0\0\0\0\1!"
    for begin, end in zip((0, *cuts), (*cuts, len(stream)), strict=True):
        passing.data_received(stream[begin:end])
    assert passing.came == 3
    assert b"".join(pipe.written) == 3 * b"\0\0\0\2\0\0"


def test_what_passes_between_two_ends_is_counted_and_costs_something(tmp_path: Path) -> None:
    async def scene() -> tuple[float, float]:
        socket = str(tmp_path / "worker.sock")
        server = await asyncio.get_running_loop().create_unix_server(lambda: Passing(QUESTION_BYTES), socket)
        async with server:
            return await measure(socket, 4, 0.05)

    rate, cpu_us = asyncio.run(scene())
    assert rate > 0
    assert cpu_us > 0
