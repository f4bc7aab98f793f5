"""The log of a match, by whose records the arena counts how long bots think and how quick it is itself."""

from __future__ import annotations

from arena.codecs.codec import Codec
from arena.core.match import MatchResult, MatchSetup
from arena.core.ply import PlyRecord
from arena.core.units import NS_PER_S
from arena.match_log.keys import SigningKey
from arena.match_log.writer import MatchLogBuilder
from arena.server.meters import Meters


class MeteredLogBuilder(MatchLogBuilder):
    """A match log by whose records decisions and ends are counted."""

    __slots__ = ("_answered_ns", "_meters")

    def __init__(
        self,
        meters: Meters,
        setup: MatchSetup,
        codec: Codec,
        *,
        software: str,
        key: SigningKey,
        start_time_ms: int,
    ) -> None:
        """See MatchLogBuilder."""
        super().__init__(setup, codec, software=software, key=key, start_time_ms=start_time_ms)
        self._meters = meters
        self._answered_ns = 0

    def ply(self, record: PlyRecord) -> None:
        """The ply is written, and counted if it is the first of a decision that was asked."""
        super().ply(record)
        if record.started_ns:
            if self._answered_ns:
                self._meters.turnaround.add(max(0, record.started_ns - self._answered_ns) / NS_PER_S)
            self._meters.think.add(record.used_ns / NS_PER_S)
            spent = record.used_ns + record.credit_ns + record.stall_ns + record.wait_ns
            self._answered_ns = record.started_ns + spent

    def end(self, result: MatchResult) -> None:
        """The result is in the log, and the match is counted."""
        super().end(result)
        self._meters.matches[result.state] += 1
