"""When the arena itself was not running, and how much of that a seat is credited with.

A seat is credited only for what neither its bot nor the bot's owner could have caused:

- time in which the machine did not let the arena run, wherever it falls in a decision;
- time that the arena spent on its own work, only where it kept an answer waiting: the stall must last until the answer
  is read. A stall in the middle of a decision keeps nobody from thinking. What the arena spent on messages of and to
  bots of the same owner does not count.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import Final

BEAT_NS: Final = 5_000_000
"""The period of the heartbeat."""

GAP_NS: Final = 20_000_000
"""A gap between two beats longer than this is a stall."""

_REMEMBERED: Final = 4_096

_READ_WITHIN_NS: Final = 2 * BEAT_NS
"""An answer that waited during a stall is read within this time after the stall has ended."""

_READ_AFTER_STALLS: Final = 4
"""The most stalls in a row until an answer is read: its socket and its reader each take a turn of the loop."""


class _Stall:
    """One gap between two beats. Times in nanoseconds."""

    __slots__ = ("by_owner", "end", "machine", "start")

    def __init__(self, start: int, end: int, machine: int, by_owner: Mapping[str, int]) -> None:
        """`machine`: how long the arena did not run in it; `by_owner`: time spent on messages of and to their bots."""
        self.start = start
        self.end = end
        self.machine = machine
        self.by_owner = by_owner

    def not_caused_by(self, owner: str, overlap: int) -> int:
        """Return how much of an overlap with this stall this owner has not caused.

        The time of their messages is elapsed time: it includes time in which the machine did not let the arena run.
        """
        return max(min(overlap, self.machine), overlap - self.by_owner.get(owner, 0))


class StallMeter:
    """The gaps in the arena's heartbeat. Times are nanoseconds of its monotonic clock."""

    def __init__(self, worked: Callable[[], int]) -> None:
        """Start: time before the first beat is no stall.

        `worked`: returns the processor time that the arena's process has used so far, in nanoseconds.
        """
        self._worked = worked
        self._stalls: deque[_Stall] = deque(maxlen=_REMEMBERED)
        self._last_beat: int | None = None
        self._last_worked = 0
        self._by_owner: dict[str, int] = {}
        """Time spent on messages since the last beat."""
        self.count = 0
        """The number of stalls."""
        self.total_ns = 0
        """The duration of all of them."""

    def beat(self, now_ns: int) -> int:
        """Note a heartbeat. Return the length of the stall that ended with it, or 0."""
        last, self._last_beat = self._last_beat, now_ns
        worked_ns = self._worked()
        worked, self._last_worked = worked_ns - self._last_worked, worked_ns
        by_owner = self._by_owner
        if by_owner:
            self._by_owner = {}
        if last is None or now_ns - last <= GAP_NS:
            return 0
        length = now_ns - last
        self._stalls.append(_Stall(last, now_ns, max(0, length - worked), by_owner))
        self.count += 1
        self.total_ns += length
        return length

    def rest(self) -> None:
        """Stop the heartbeat on purpose; the time until the next beat is no stall."""
        self._last_beat = None

    def note_messages(self, owner: str, took_ns: int) -> None:
        """Note that messages of an owner's bots, or to them, have kept the arena busy for so long."""
        self._by_owner[owner] = self._by_owner.get(owner, 0) + took_ns

    def credit(self, start_ns: int, end_ns: int, owner: str = "") -> int:
        """Return how much of the time from start to end a bot of this owner is credited with.

        `end_ns`: when its answer was read, or now.
        """
        if not self._stalled_since(start_ns, end_ns):
            return 0
        total, read_by, in_a_row = 0, end_ns, 0
        for stall in self._newest_first(end_ns):
            if stall.end <= start_ns:
                break
            overlap = min(end_ns, stall.end) - max(start_ns, stall.start)
            if overlap <= 0:
                continue
            if stall.end >= read_by - _READ_WITHIN_NS and in_a_row < _READ_AFTER_STALLS:
                read_by = stall.start
                in_a_row += 1
                total += stall.not_caused_by(owner, overlap)
            else:
                in_a_row = _READ_AFTER_STALLS
                total += min(overlap, stall.machine)
        return total

    def overlap(self, start_ns: int, end_ns: int) -> int:
        """Return how much of the time from start to end was a stall, whatever its cause."""
        if not self._stalled_since(start_ns, end_ns):
            return 0
        return sum(
            max(0, min(end_ns, stall.end) - max(start_ns, stall.start))
            for stall in self._newest_first(end_ns, since_ns=start_ns)
        )

    def postponed(self, start_ns: int, by_ns: int, now_ns: int, owner: str = "") -> int:
        """Return `start_ns + by_ns`, later by every stall that begins before it and that `owner` has not caused."""
        until = start_ns + by_ns
        if not self._stalled_since(start_ns, now_ns):
            return until
        for stall in reversed(list(self._newest_first(now_ns, since_ns=start_ns))):
            if stall.start < until:
                until += stall.not_caused_by(owner, stall.end - max(start_ns, stall.start))
        return until

    def _stalled_since(self, start_ns: int, now_ns: int) -> bool:
        """Return whether any stall has ended after `start_ns`, or still lasts. Hardly ever; asked at each decision."""
        last = self._last_beat
        lasts = last is not None and now_ns - last > GAP_NS
        return lasts or (bool(self._stalls) and self._stalls[-1].end > start_ns)

    def _newest_first(self, now_ns: int, since_ns: int = 0) -> Iterator[_Stall]:
        """Yield the stalls that ended after `since_ns`, one that still lasts included."""
        last = self._last_beat
        if last is not None and now_ns - last > GAP_NS:
            length = now_ns - last
            yield _Stall(last, now_ns, max(0, length - self._worked() + self._last_worked), self._by_owner)
        for stall in reversed(self._stalls):
            if stall.end <= since_ns:
                break
            yield stall
