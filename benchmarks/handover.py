"""What it would cost to run referees in worker processes: each decision handed over to one, and its question back.

    python -m benchmarks.handover

A process on uvloop passes answers to a worker over a Unix socket and gets the next question for each: nothing else is
done on either side, and what is ready is written together. It tells the processor time of the passing process alone. A
worker pays only if it takes more off that process than this.
"""

import asyncio
import sys
import tempfile
import time
from pathlib import Path
from typing import Final, cast

from benchmarks import loops
from benchmarks.measuring.figures import microseconds, per_second
from benchmarks.processes.worker import Worker

ANSWER_BYTES: Final = 57
"""An answer of a bot, with who it is from and when it came."""

QUESTION_BYTES: Final = 1_068
"""A frame for a bot, with who it is for and what the clock has to know."""

_LENGTH_BYTES: Final = 4
_AT_ONCE: Final = (1, 16, 128)
_SECONDS: Final = 2.0
_WORKER: Final = "worker"
_US_PER_S: Final = 1e6


class Passing(asyncio.Protocol):
    """One end: for each message that comes it sends one of a given size, all that are ready in one write."""

    def __init__(self, size: int) -> None:
        self.came = 0
        self._out = size.to_bytes(_LENGTH_BYTES) + bytes(size)
        self._unread = b""
        self._transport: asyncio.WriteTransport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self._transport = cast(asyncio.WriteTransport, transport)  # uvloop's are of a class of their own

    def begin(self, count: int) -> None:
        """Send so many messages from now on."""
        self._transport.write(self._out * count)

    def data_received(self, data: bytes) -> None:
        """Answer each whole message."""
        data, at = self._unread + data if self._unread else data, 0
        whole: list[bytes] = []
        while (end := at + _LENGTH_BYTES) <= len(data):
            stop = end + int.from_bytes(data[at:end])
            if stop > len(data):
                break
            whole.append(data[end:stop])
            at = stop
        self._unread = data[at:]
        self.came += len(whole)
        self._transport.write(b"".join([self._out for _ in whole]))


async def _work(socket: str) -> None:
    loop = asyncio.get_running_loop()
    await loop.create_unix_server(lambda: Passing(QUESTION_BYTES), socket)
    print('"open"', flush=True)
    await asyncio.Event().wait()


async def measure(socket: str, at_once: int, seconds: float) -> tuple[float, float]:
    """Hand-overs a second, and processor time of this process for each in us, with so many under way at once."""
    transport, passing = await asyncio.get_running_loop().create_unix_connection(
        lambda: Passing(ANSWER_BYTES), socket
    )
    passing.begin(at_once)
    await asyncio.sleep(seconds / 10)
    came, worked, began = passing.came, time.process_time(), time.monotonic()
    await asyncio.sleep(seconds)
    took, worked, came = time.monotonic() - began, time.process_time() - worked, passing.came - came
    transport.close()
    return came / took, worked / came * _US_PER_S


async def _measure_all(socket: str) -> None:
    for at_once in _AT_ONCE:
        rate, cpu_us = await measure(socket, at_once, _SECONDS)
        print(
            f"{at_once:4} at once: {per_second(rate):>10}, {microseconds(cpu_us)} of the passing process each"
        )


def main() -> None:
    """Measure and print; as the worker, take what comes over the socket."""
    match sys.argv[1:]:
        case [word, socket] if word == _WORKER:
            loops.run(_work(socket))
        case []:
            _measure_with_worker()
        case _:
            raise SystemExit("Usage: python -m benchmarks.handover")


def _measure_with_worker() -> None:
    with tempfile.TemporaryDirectory(prefix="handover-") as folder:
        socket = str(Path(folder) / "worker.sock")
        with Worker("benchmarks.handover", _WORKER, socket) as worker:
            worker.answer()
            loops.run(_measure_all(socket))


if __name__ == "__main__":
    main()
