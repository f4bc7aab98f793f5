"""A way to wait for the next time that something changes."""

from __future__ import annotations

import asyncio


class Bell:
    """Wakes everybody who waits for its next ring. All on one event loop."""

    def __init__(self) -> None:
        """Nobody waits."""
        self._waiting: list[asyncio.Future[None]] = []

    def next_ring(self) -> asyncio.Future[None]:
        """Done at the next ring. Taken before one looks, awaited after: so no ring between the two is missed."""
        ring = asyncio.get_running_loop().create_future()
        self._waiting.append(ring)
        return ring

    def ring(self) -> None:
        """Everybody who has taken `next_ring` is woken."""
        waiting, self._waiting = self._waiting, []
        for each in waiting:
            if not each.done():
                each.set_result(None)
