"""A match log that counts decisions and ends of matches. It is compiled with the class that it extends (setup.py)."""

from __future__ import annotations

from typing import Final

from arena.codecs.codec import Codec
from arena.core.clock.time_control import NS_PER_MS
from arena.core.match import MatchResult, MatchSetup
from arena.core.ply import PlyRecord
from arena.match_log.keys import SigningKey
from arena.match_log.writer import MatchLogBuilder
from arena.server.metrics import Metrics

_NS_PER_S: Final = 1_000 * NS_PER_MS


class MeteredLogBuilder(MatchLogBuilder):
    """A match log that counts decisions and the end of the match."""

    __slots__ = ("_answered_ns", "_metrics")

    def __init__(
        self,
        metrics: Metrics,
        setup: MatchSetup,
        codec: Codec,
        *,
        software: str,
        key: SigningKey,
        start_time_ms: int,
    ) -> None:
        """See MatchLogBuilder."""
        super().__init__(setup, codec, software=software, key=key, start_time_ms=start_time_ms)
        self._metrics = metrics
        self._answered_ns = 0

    def ply(self, record: PlyRecord) -> None:
        """Add the ply, and count it if it is the first of a decision that was asked."""
        super().ply(record)
        if record.started_ns:
            if self._answered_ns:
                self._metrics.turnaround.observe(max(0, record.started_ns - self._answered_ns) / _NS_PER_S)
            self._metrics.think.observe(record.used_ns / _NS_PER_S)
            spent = record.used_ns + record.credit_ns + record.stall_ns + record.wait_ns
            self._answered_ns = record.started_ns + spent

    def end(self, result: MatchResult) -> None:
        """Add the result, and count the match."""
        super().end(result)
        self._metrics.matches.labels(result.state.name.lower()).inc()
