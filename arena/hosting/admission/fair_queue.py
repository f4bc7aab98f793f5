"""Who is next: owners take turns, so that nobody waits for all that another one has handed in."""

from __future__ import annotations

import asyncio
from collections import deque

from arena.store.bots.submissions import SubmissionRow


class FairQueue:
    """Submissions that wait. Of each owner the oldest comes first; the owner who has waited longest is next."""

    def __init__(self) -> None:
        """Nobody waits."""
        self._of: dict[str, deque[SubmissionRow]] = {}
        """By owner, the one who is next first."""
        self._anybody = asyncio.Event()

    def put(self, submission: SubmissionRow) -> None:
        """It waits, behind those of its owner; who had nothing to wait for stands behind all other owners."""
        self._of.setdefault(submission.owner, deque()).append(submission)
        self._anybody.set()

    async def take(self) -> SubmissionRow:
        """The next one, as soon as there is one. Its owner stands behind the others from now on."""
        await self._anybody.wait()
        owner, waiting = next(iter(self._of.items()))
        del self._of[owner]
        submission = waiting.popleft()
        if waiting:
            self._of[owner] = waiting
        if not self._of:
            self._anybody.clear()
        return submission
