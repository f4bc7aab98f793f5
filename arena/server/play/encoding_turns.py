"""The turns in which connections encode what they write, a few milliseconds at a time for all of them together.

Many messages that become ready at once, as those to bots that reconnect, or questions with texts, would keep the event
loop busy, and the heartbeat would count that as a stall. So the loop gets a turn in between: nobody can stall the arena
by what is written to them.
"""

import asyncio
import time
from collections import Counter, deque

from arena.server.play.frame_queue import NOTED_NS, TURN_NS, NoteMessages


class EncodingTurns:
    """Lets connections encode in the order in which they ask. Times in nanoseconds."""

    def __init__(self, note_messages: NoteMessages) -> None:
        """`note_messages`: gets the time that messages to an owner's bots have taken."""
        self._note_messages = note_messages
        self._used_ns = 0
        """In this turn of the loop. What was used in earlier ones only makes a connection wait for the next."""
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._scheduled = False
        self._of_owner: Counter[str] = Counter()
        """What each owner's connections have used while others waited."""

    @property
    def is_free(self) -> bool:
        """Whether a connection may encode at once."""
        return self._used_ns < TURN_NS and not self._waiting

    async def wait(self, owner: str) -> int:
        """Return when a connection of this owner may encode; it calls `used` then.

        Return how long it has waited, without the time that messages to the same owner's bots have taken.
        """
        since, own = time.monotonic_ns(), self._of_owner[owner]
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        self._schedule()
        try:
            await turn
        except asyncio.CancelledError:
            self._schedule()  # for the next one, if this one had its turn
            raise
        return max(0, time.monotonic_ns() - since - (self._of_owner[owner] - own))

    def used(self, owner: str, took_ns: int) -> None:
        """Note that a connection of this owner has encoded for so long."""
        self._used_ns += took_ns
        if took_ns > NOTED_NS:
            self._note_messages(owner, took_ns)
        if self._waiting:
            self._of_owner[owner] += took_ns
            if self._used_ns < TURN_NS:
                self._let_first()
            else:
                self._schedule()

    def _schedule(self) -> None:
        if not self._scheduled:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._begin)

    def _begin(self) -> None:
        """Begin to count anew, in another turn of the loop."""
        self._scheduled = False
        self._used_ns = 0
        self._let_first()

    def _let_first(self) -> None:
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
