"""Who is next: owners take turns, so that nobody waits for all that another one has handed in."""

from __future__ import annotations

import asyncio
from collections import deque

from arena.store.bots.submissions import SubmissionRow


class FairQueue:
    """Submissions that wait. Of each owner the oldest comes first; the owner who has waited longest is next."""

    def __init__(self) -> None:
        self._of: dict[str, deque[SubmissionRow]] = {}
        """By owner, the one who is next first."""
        self._anybody = asyncio.Event()

    def put(self, submission: SubmissionRow) -> None:
        """Add an item behind those of its owner; an owner without items goes behind all others."""
        self._of.setdefault(submission.owner, deque()).append(submission)
        self._anybody.set()

    async def take(self) -> SubmissionRow:
        """Wait for the next item and return it. Its owner goes behind the others."""
        await self._anybody.wait()
        owner, waiting = next(iter(self._of.items()))
        del self._of[owner]
        submission = waiting.popleft()
        if waiting:
            self._of[owner] = waiting
        if not self._of:
            self._anybody.clear()
        return submission
