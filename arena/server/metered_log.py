"""A match log that counts decisions and ends of matches. It is compiled with the class that it extends (setup.py).

Times of decisions are counted in plain lists: this takes 0.2 us compiled, a Histogram of
prometheus_client 0.9 us, and every decision needs two. `arena.server.metrics` exposes them.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from typing import Final

from arena.codecs.codec import Codec
from arena.core.match import MatchResult, MatchSetup, MatchState
from arena.core.ply import PlyRecord
from arena.core.units import NS_PER_S
from arena.match_log.keys import SigningKey
from arena.match_log.writer import MatchLogBuilder, MatchRecords

BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""The upper bounds of the buckets, in seconds; a last one has all longer times."""


class TimeCounts:
    """A histogram of times in seconds. Only the event loop adds to it."""

    def __init__(self) -> None:
        """Start with nothing counted."""
        self.counts = [0] * (len(BOUNDS) + 1)
        self.sum_s = 0.0

    def add(self, time_s: float) -> None:
        """Count a time."""
        self.counts[bisect_left(BOUNDS, time_s)] += 1
        self.sum_s += time_s

    def add_all(self, counts: Sequence[int], sum_s: float) -> None:
        """Add what another histogram has counted."""
        self.counts = [own + other for own, other in zip(self.counts, counts, strict=True)]
        self.sum_s += sum_s


class MatchCounts:
    """What match logs count."""

    def __init__(self) -> None:
        """Start with nothing counted."""
        self.think = TimeCounts()
        """The times of decisions by the bots' clocks."""
        self.turnaround = TimeCounts()
        """From an answer until the next question of the match is out."""
        self.ended = Counter({MatchState.FINISHED: 0, MatchState.ABORTED: 0, MatchState.NO_CONTEST: 0})
        """By state; each is there from the start, so that an alert sees the first match as an increase."""


class DecisionTimes:
    """Counts the times of the decisions of one match."""

    __slots__ = ("_answered_ns", "_counts")

    def __init__(self, counts: MatchCounts) -> None:
        """Count into `counts`."""
        self._counts = counts
        self._answered_ns = 0

    def add(self, record: PlyRecord) -> None:
        """Count the ply if it is the first of a decision that was asked."""
        if record.started_ns:
            if self._answered_ns:
                self._counts.turnaround.add(max(0, record.started_ns - self._answered_ns) / NS_PER_S)
            self._counts.think.add(record.used_ns / NS_PER_S)
            spent = record.used_ns + record.credit_ns + record.stall_ns + record.wait_ns
            self._answered_ns = record.started_ns + spent


class MeteredLogBuilder(MatchLogBuilder):
    """A match log that counts decisions and the end of the match."""

    __slots__ = ("_counts", "_times")

    def __init__(
        self,
        counts: MatchCounts,
        setup: MatchSetup,
        codec: Codec,
        *,
        software: str,
        key: SigningKey,
        start_time_ms: int,
    ) -> None:
        """See MatchLogBuilder."""
        super().__init__(setup, codec, software=software, key=key, start_time_ms=start_time_ms)
        self._counts = counts
        self._times = DecisionTimes(counts)

    def ply(self, record: PlyRecord) -> None:
        """Add and count the ply."""
        super().ply(record)
        self._times.add(record)

    def end(self, result: MatchResult) -> None:
        """Add the result, and count the match."""
        super().end(result)
        self._counts.ended[result.state] += 1


class MeteredRecords(MatchRecords):
    """The records of a match in a worker process: the arena makes the log, and adds up what is counted here."""

    __slots__ = ("_times", "counts")

    def __init__(self, codec: Codec) -> None:
        """See MatchRecords."""
        super().__init__(codec)
        self.counts = MatchCounts()
        self._times = DecisionTimes(self.counts)

    def ply(self, record: PlyRecord) -> None:
        """Add and count the ply."""
        super().ply(record)
        self._times.add(record)
