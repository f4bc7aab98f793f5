"""A signal to wait for the next change."""

from __future__ import annotations

import asyncio


class ChangeSignal:
    """A signal that wakes all waiters when it rings. All on one event loop."""

    def __init__(self) -> None:
        self._rings = 0
        self._waiting: set[asyncio.Future[None]] = set()

    @property
    def rings(self) -> int:
        """How often it has rung. Read it before looking, then pass it to `after`: no ring in between is missed."""
        return self._rings

    async def after(self, rings: int) -> None:
        """Wait until it has rung more often than that. Nothing is kept of a cancelled waiter."""
        while self._rings <= rings:
            ring = asyncio.get_running_loop().create_future()
            self._waiting.add(ring)
            try:
                await ring
            finally:
                self._waiting.discard(ring)

    def ring(self) -> None:
        """Wake all waiters."""
        self._rings += 1
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_result(None)
