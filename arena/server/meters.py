"""What an arena counts while it runs: plain numbers, cheap to write, read when somebody asks for the metrics."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

import grpc

from arena.core.errors import ArenaError
from arena.core.match import MatchState
from arena.match_log.files import LogFiles
from arena.server.auth.interceptor import same_arity
from arena.server.buckets import Buckets
from arena.server.context import Context
from arena.store.database import Database
from arena.store.store import Store, Transaction

T = TypeVar("T")

THINK_BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
DISK_BOUNDS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
LAG_BOUNDS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)

_CODES: Final[Mapping[int, str]] = {code.value[0]: code.name for code in grpc.StatusCode}


class Meters:
    """All that is counted, from the start of the arena."""

    def __init__(self) -> None:
        """All is zero."""
        self.think = Buckets(THINK_BOUNDS)
        """Seconds that bots took for decisions, as their clocks say."""
        self.turnaround = Buckets(THINK_BOUNDS)
        """Seconds from an answer until the next question of the match is out: the arena's own share."""
        self.loop_lag = Buckets(LAG_BOUNDS)
        """Seconds by which the heartbeat was late while there were matches: what everything else waits, too."""
        self.database_writes = Buckets(DISK_BOUNDS)
        """Seconds from asking for a write until it is on disk."""
        self.log_writes = Buckets(DISK_BOUNDS)
        """Seconds until a log is on disk."""
        self.log_failures = 0
        self.matches: Counter[MatchState] = Counter()
        """Matches that have been played, by what became of them."""
        self.calls: Counter[tuple[str, str]] = Counter()
        """Calls that have ended, by method and status code."""


class MeteredLogFiles(LogFiles):
    """Log files whose writes are timed."""

    def __init__(self, folder: Path, meters: Meters) -> None:
        """See LogFiles."""
        super().__init__(folder)
        self._meters = meters

    def write(self, match: int, data: bytes) -> None:
        """See LogStorage."""
        begun = time.perf_counter()
        try:
            super().write(match, data)
        except ArenaError:
            self._meters.log_failures += 1
            raise
        self._meters.log_writes.add(time.perf_counter() - begun)


class MeteredDatabase(Database):
    """A database whose writes are timed, the time included that they wait for those before them."""

    def __init__(self, store: Store, meters: Meters) -> None:
        """See Database."""
        super().__init__(store)
        self.meters = meters

    async def write(self, change: Callable[[Transaction], T]) -> T:
        """See Database."""
        begun = time.perf_counter()
        try:
            return await super().write(change)
        finally:
            self.meters.database_writes.add(time.perf_counter() - begun)


class CallMeter(grpc.aio.ServerInterceptor):
    """Counts every call by method and status. It is the first of the interceptors, before Guard."""

    def __init__(self, meters: Meters) -> None:
        """Counts in `meters`."""
        self._calls = meters.calls

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Any:
        """The method's handler, counted; None for a method that there is not."""
        handler = await continuation(handler_call_details)
        if handler is None:
            return None
        method = handler_call_details.method
        behaviour = (
            handler.unary_unary or handler.unary_stream or handler.stream_unary or handler.stream_stream
        )

        async def counted(request: object, context: Context) -> Any:
            broken_off = False
            try:
                # Behind Guard, and in Play, every handler is awaited and writes a stream of answers by itself.
                return await behaviour(request, context)
            except asyncio.CancelledError:
                broken_off = True
                raise
            finally:
                self._calls[method, "CANCELLED" if broken_off else _code_of(context)] += 1

        return same_arity(handler)(counted, handler.request_deserializer, handler.response_serializer)


def _code_of(context: Context) -> str:
    """The name of a call's status; OK if none was set."""
    code: object = context.code()
    if isinstance(code, grpc.StatusCode):
        return code.name
    return _CODES.get(code, grpc.StatusCode.OK.name) if isinstance(code, int) else grpc.StatusCode.OK.name
