"""Signals that ask a command to stop, as one exception."""

import signal
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final, TypeVar

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

    def arrived(self) -> int | None:
        """Return the number of the first signal, None before it."""
        return self._arrived

    def again(self) -> bool:
        """Return whether a second signal has come."""
        return self._again

    def ignore(self) -> None:
        """Raise nothing from now on."""
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


def run_interruptible(work: Callable[[], Awaitable[T]]) -> T:
    """Run the work; if a signal asks to stop, cancel it, let it clean up and raise Interrupted."""
    import asyncio  # takes a tenth of the start of a command, and most need none

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
