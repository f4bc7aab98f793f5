"""The metrics of a running arena, for Prometheus (docs/operations.md)."""

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path
from typing import Final, TypeVar

import prometheus_client as prometheus
from prometheus_client import core
from prometheus_client.registry import Collector

from arena.core.errors import ArenaError, ErrorReason, FailedPreconditionError
from arena.hosting.host.program_outcomes import HostStats
from arena.match_log.files import LogFiles
from arena.server.metered_log import BOUNDS, MatchCounts, TimeCounts
from arena.store.database import Database
from arena.store.store import Store, Transaction

T = TypeVar("T")

_DISK: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
_LAG: Final = (
    *(0.0005, 0.00075, 0.001, 0.0015, 0.002, 0.0025, 0.003, 0.004, 0.005, 0.0075),
    *(0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5),
)

_SNAPSHOT_WITHIN_S: Final = 5.0


class Metrics:
    """What an arena counts while it runs. Times are in seconds."""

    def __init__(self) -> None:
        """Set everything to zero."""
        prometheus.disable_created_metrics()  # type: ignore[no-untyped-call]
        self.registry = registry = prometheus.CollectorRegistry()
        self.matches = MatchCounts()
        self.calls = prometheus.Counter(
            "arena_grpc_calls", "Calls that have ended.", ["method", "code"], registry=registry
        )
        self.log_failures = prometheus.Counter(
            "arena_log_write_failures", "Attempts to write a match log that failed.", registry=registry
        )
        self._loop_lag = prometheus.Histogram(
            "arena_loop_lag_seconds",
            "By how much the heartbeat came late while matches ran.",
            registry=registry,
            buckets=_LAG,
        )
        self._longest_lag = prometheus.Gauge(
            "arena_loop_lag_longest_seconds", "The longest of them since the start.", registry=registry
        )
        self._longest_s = 0.0
        self._own_lag = prometheus.Histogram(
            "arena_loop_own_lag_seconds",
            "The part of the lag in which the loop's thread itself was working.",
            registry=registry,
            buckets=_LAG,
        )
        self._longest_own_lag = prometheus.Gauge(
            "arena_loop_own_lag_longest_seconds", "The longest of them since the start.", registry=registry
        )
        self._longest_own_s = 0.0
        self.database_writes = prometheus.Histogram(
            "arena_database_write_seconds",
            "From asking for a write to its commit.",
            registry=registry,
            buckets=_DISK,
        )
        self.log_writes = prometheus.Histogram(
            "arena_log_write_seconds", "Until a match log is on disk.", registry=registry, buckets=_DISK
        )

    def observe_lag(self, lag_s: float, own_s: float) -> None:
        """Count a heartbeat that came `lag_s` seconds late, `own_s` of them by the loop's own work."""
        self._own_lag.observe(own_s)
        if own_s > self._longest_own_s:
            self._longest_own_s = own_s
            self._longest_own_lag.set(own_s)
        self._loop_lag.observe(lag_s)
        if lag_s > self._longest_s:
            self._longest_s = lag_s
            self._longest_lag.set(lag_s)


class MeteredLogFiles(LogFiles):
    """Log files whose writes are timed."""

    def __init__(self, folder: Path, metrics: Metrics) -> None:
        """See LogFiles."""
        super().__init__(folder)
        self._metrics = metrics

    def write(self, match: int, data: bytes) -> None:
        """See LogStorage."""
        started = time.perf_counter()
        try:
            super().write(match, data)
        except ArenaError:
            self._metrics.log_failures.inc()
            raise
        self._metrics.log_writes.observe(time.perf_counter() - started)


class MeteredDatabase(Database):
    """A database whose writes are timed, from the request to the commit."""

    def __init__(self, store: Store, metrics: Metrics) -> None:
        """See Database."""
        super().__init__(store)
        self.metrics = metrics

    async def write(self, change: Callable[[Transaction], T]) -> T:
        """See Database."""
        with self.metrics.database_writes.time():
            return await super().write(change)


@contextmanager
def metrics_served(
    metrics: Metrics, snapshot: Callable[[], Coroutine[None, None, list[core.Metric]]], host: str, port: int
) -> Iterator[int]:
    """Serve http://host:port/metrics; yield the port in use. Call this on the arena's event loop.

    Raises FailedPreconditionError: the port is taken, or the address is not this machine's.
    """
    metrics.registry.register(_SnapshotCollector(snapshot, asyncio.get_running_loop()))
    prometheus.ProcessCollector(registry=metrics.registry)
    try:
        server, thread = prometheus.start_http_server(port, host, metrics.registry)
    except OSError as error:
        raise FailedPreconditionError(
            ErrorReason.FIELD_INVALID,
            f"Metrics cannot be served at {host}:{port} ({error.strerror}): choose another --metrics-port.",
            field="metrics_port",
        ) from error
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _SnapshotCollector(Collector):
    """Takes a snapshot of an arena for each scrape, on the thread of the scrape."""

    def __init__(
        self,
        snapshot: Callable[[], Coroutine[None, None, list[core.Metric]]],
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        """`loop`: the event loop of the arena."""
        self._snapshot = snapshot
        self._loop = loop

    def collect(self) -> Iterable[core.Metric]:
        """Return the metrics of this moment. Raises TimeoutError if the arena does not answer."""
        return asyncio.run_coroutine_threadsafe(self._snapshot(), self._loop).result(_SNAPSHOT_WITHIN_S)


def labelled(
    kind: type[core.GaugeMetricFamily] | type[core.CounterMetricFamily],
    name: str,
    text: str,
    label: str,
    values: Mapping[str, int],
) -> core.Metric:
    """Return a metric with a value for each value of the label."""
    family = kind(name, text, labels=[label])
    for key, value in sorted(values.items()):
        family.add_metric([key], value)
    return family


def match_metrics(matches: MatchCounts) -> list[core.Metric]:
    """Return the metrics of decisions and of ended matches."""
    ended = {state.name.lower(): number for state, number in matches.ended.items()}
    text = "Matches played, by their state."
    turnaround = "From an answer until the match's next question is out, a busy bot's holding back included."
    return [
        labelled(core.CounterMetricFamily, "arena_matches_ended", text, "state", ended),
        _histogram("arena_decision_think_seconds", "Time that bots took for a decision.", matches.think),
        _histogram("arena_decision_turnaround_seconds", turnaround, matches.turnaround),
    ]


def _histogram(name: str, text: str, times: TimeCounts) -> core.Metric:
    bounds = (*map(str, BOUNDS), "+Inf")
    family = core.HistogramMetricFamily(name, text)
    family.add_metric([], list(zip(bounds, accumulate(times.counts), strict=True)), times.sum_s)
    return family


def hosting_metrics(stats: HostStats) -> list[core.Metric]:
    """Return the metrics of hosted bots' processes."""
    ends = "Programs of hosted bots that have ended, by how."
    start_s = "From the start of a program to its hello."
    overstays = "Programs that had to be ended after the arena's goodbye."
    waits = (
        "Time in which hosted programs were ready to run without a processor; bots are not charged for it."
    )
    return [
        labelled(core.CounterMetricFamily, "arena_hosted_ends", ends, "how", stats.ends),
        core.SummaryMetricFamily("arena_hosted_start_seconds", start_s, stats.hellos, stats.hello_s),
        core.CounterMetricFamily("arena_hosted_starts", "Programs of hosted bots started.", stats.starts),
        core.CounterMetricFamily("arena_hosted_overstays", overstays, stats.overstayed),
        core.CounterMetricFamily("arena_hosted_processor_wait_seconds", waits, stats.waited_s),
        core.CounterMetricFamily("arena_hosted_benchings", "Suspensions of versions.", stats.suspensions),
    ]
