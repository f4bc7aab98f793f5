"""Signals as events to wait for, or as one exception; handlers run no other code."""

from __future__ import annotations

import asyncio
import os
import select
import signal
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Final, Self, TypeVar

STOPPING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""The signals that ask a command to stop."""

T = TypeVar("T")


def stop_signals() -> tuple[signal.Signals, ...]:
    """Return the signals that stop a command: not SIGHUP where it is ignored, as under `nohup`."""
    ignored = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    return tuple(number for number in STOPPING if not (ignored and number is signal.SIGHUP))


class Interrupted(BaseException):
    """A signal asked the command to stop."""

    def __init__(self, number: int) -> None:
        """Keep the number of the signal."""
        super().__init__(number)
        self.number = number


class SignalQueue:
    """Waits for signals in the main thread. Use it in a `with` statement, which restores the handlers."""

    def __init__(self) -> None:
        """Catch nothing before `with`."""
        self._read, self._write = os.pipe()
        self._before: dict[int, object] = {}

    def __enter__(self) -> Self:
        os.set_blocking(self._read, False)
        os.set_blocking(self._write, False)
        self._wakeup_before = signal.set_wakeup_fd(self._write)
        for number in (*stop_signals(), signal.SIGCHLD):
            self._before[number] = signal.signal(number, lambda _number, _frame: None)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]
        signal.set_wakeup_fd(self._wakeup_before)
        os.close(self._read)
        os.close(self._write)

    def wait(self, seconds: float | None) -> list[int]:
        """Return the signals since the last call, at least one; none after `seconds`."""
        ready, _, _ = select.select([self._read], [], [], seconds)
        return list(os.read(self._read, 64)) if ready else []


@contextmanager
def interruptible() -> Iterator[Interruption]:
    """Raise Interrupted in the main thread, once, if a signal asks to stop inside."""
    interruption = Interruption()
    before = {number: signal.signal(number, interruption.arrive) for number in stop_signals()}
    try:
        yield interruption
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Interruption:
    """Raises Interrupted once, but not while deferred."""

    def __init__(self) -> None:
        """Start without a signal."""
        self._arrived: int | None = None
        self._held = 0
        self._again = False

    def arrive(self, number: int, frame: FrameType | None) -> None:
        """Handle a signal."""
        if self._arrived is not None:
            self._again = True
            return
        self._arrived = number
        if not self._held:
            raise Interrupted(number)

    def again(self) -> bool:
        """Return whether a second signal has come."""
        return self._again

    def ignore(self) -> None:
        """Raise nothing from now on, so that cleaning up completes."""
        self._held += 1

    @contextmanager
    def held(self) -> Iterator[None]:
        """Defer Interrupted to the end of the block."""
        waiting = self._arrived is None
        self._held += 1
        try:
            yield
        finally:
            self._held -= 1
        if waiting and self._arrived is not None and not self._held:
            raise Interrupted(self._arrived)


def run_interruptible(work: Callable[[], Awaitable[T]]) -> T:
    """Run the work; if a signal asks to stop, cancel it, let it clean up and raise Interrupted."""
    arrived: list[int] = []

    async def main() -> T:
        task = asyncio.ensure_future(work())
        loop = asyncio.get_running_loop()

        def stop(number: int) -> None:
            arrived.append(number)
            task.cancel()

        for number in stop_signals():
            loop.add_signal_handler(number, stop, number)
        return await task

    try:
        return asyncio.run(main())
    except asyncio.CancelledError:
        raise Interrupted(arrived[0]) from None
