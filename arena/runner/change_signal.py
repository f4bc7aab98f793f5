"""A signal to wait for the next change."""

import asyncio


class ChangeSignal:
    """A signal that wakes all waiters at each change. All on one event loop."""

    def __init__(self) -> None:
        self.notified = 0
        """How often it was notified. Read it before looking, then pass it to `after`, which then misses no change."""
        self._waiting: set[asyncio.Future[None]] = set()

    async def after(self, notified: int) -> None:
        """Wait until it was notified more often than that. Nothing is kept of a cancelled waiter."""
        while self.notified <= notified:
            change = asyncio.get_running_loop().create_future()
            self._waiting.add(change)
            try:
                await change
            finally:
                self._waiting.discard(change)

    def notify(self) -> None:
        """Wake all waiters."""
        self.notified += 1
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_result(None)
