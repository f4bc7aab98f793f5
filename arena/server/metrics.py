"""The metrics of a running arena, for Prometheus; docs/operations.md tells what each is good for."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, Protocol

from prometheus_client import CollectorRegistry, ProcessCollector, start_http_server
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
    SummaryMetricFamily,
)
from prometheus_client.registry import Collector

from arena.core.errors import ErrorReason, FailedPreconditionError
from arena.hosting.host.host import HostStats
from arena.server.buckets import Buckets
from arena.server.meters import Meters

_ANSWER_WITHIN_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What an arena is like at one moment."""

    running: int
    """Matches in play."""
    pending: int
    """Matches that wait for their bots."""
    sessions: int
    connections: int
    waiting_ladders: dict[str, bool]
    """Running ladders, and whether each waits for something."""
    stalls: int
    stalled_s: float
    programs: int
    """Of hosted bots, that run."""
    hosting: HostStats
    free_bytes: int
    """-1 where that cannot be found out."""
    keep_free_bytes: int


class MetricsSource(Protocol):
    """The arena that is measured."""

    meters: Meters

    async def snapshot(self) -> Snapshot:
        """The arena at this moment."""
        ...


@contextmanager
def metrics_served(source: MetricsSource, host: str, port: int) -> Iterator[int]:
    """Inside, Prometheus may scrape http://host:port/metrics; the port in use. Called on the arena's event loop.

    Raises:
        FailedPreconditionError: the port is taken, or the address is not this machine's.
    """
    registry = CollectorRegistry()
    registry.register(ArenaCollector(source, asyncio.get_running_loop()))
    ProcessCollector(registry=registry)
    try:
        server, thread = start_http_server(port, host, registry)
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


class ArenaCollector(Collector):
    """Reads an arena when it is scraped, on the thread of the scrape."""

    def __init__(self, source: MetricsSource, loop: asyncio.AbstractEventLoop) -> None:
        """`loop`: the event loop of the arena."""
        self._source = source
        self._loop = loop

    def collect(self) -> Iterator[Metric]:
        """Everything that is measured. Raises TimeoutError if the arena does not answer."""
        asked = asyncio.run_coroutine_threadsafe(self._source.snapshot(), self._loop)
        yield from _moment(asked.result(_ANSWER_WITHIN_S))
        yield from _counted(self._source.meters)

    def describe(self) -> list[Metric]:
        """Nothing: the registry must not scrape the arena before it runs."""
        return []


def _moment(now: Snapshot) -> Iterator[Metric]:
    matches = GaugeMetricFamily("arena_matches", "Matches that have not ended.", labels=["state"])
    matches.add_metric(["running"], now.running)
    matches.add_metric(["pending"], now.pending)
    yield matches
    yield GaugeMetricFamily(
        "arena_sessions", "Bots' sessions, those that may be resumed included.", now.sessions
    )
    yield GaugeMetricFamily("arena_connections", "Connections of bots.", now.connections)
    waiting = GaugeMetricFamily(
        "arena_ladder_waiting", "1 if a running ladder waits for something, else 0.", labels=["ladder"]
    )
    for ladder, waits in sorted(now.waiting_ladders.items()):
        waiting.add_metric([ladder], int(waits))
    yield waiting
    yield CounterMetricFamily("arena_stalls", "Times that the whole arena stood still.", now.stalls)
    yield CounterMetricFamily("arena_stalled_seconds", "How long it stood still in all.", now.stalled_s)
    yield from _hosted(now)
    yield GaugeMetricFamily("arena_disk_free_bytes", "Free space where everything is stored.", now.free_bytes)
    yield GaugeMetricFamily(
        "arena_disk_keep_free_bytes", "Below so much free space no match begins.", now.keep_free_bytes
    )


def _hosted(now: Snapshot) -> Iterator[Metric]:
    figures = now.hosting
    yield GaugeMetricFamily("arena_hosted_programs", "Programs of hosted bots that run.", now.programs)
    yield CounterMetricFamily("arena_hosted_starts", "Programs of hosted bots started.", figures.starts)
    ends = CounterMetricFamily(
        "arena_hosted_ends", "Programs of hosted bots that have ended, by how.", labels=["how"]
    )
    for how, number in sorted(figures.ends.items()):
        ends.add_metric([how], number)
    yield ends
    yield SummaryMetricFamily(
        "arena_hosted_start_seconds",
        "From the start of a program to its hello.",
        figures.hellos,
        figures.hello_s,
    )
    yield CounterMetricFamily(
        "arena_hosted_overstays",
        "Programs that had to be ended after the arena's goodbye.",
        figures.overstayed,
    )
    yield CounterMetricFamily(
        "arena_hosted_processor_wait_seconds",
        "Time in which hosted programs were ready to run and got no processor; their bots are not charged for it.",
        figures.waited_s,
    )
    yield CounterMetricFamily("arena_hosted_benchings", "Versions benched.", figures.benchings)


def _counted(meters: Meters) -> Iterator[Metric]:
    ended = CounterMetricFamily(
        "arena_matches_ended", "Matches played, by what became of them.", labels=["state"]
    )
    for state, count in list(meters.matches.items()):
        ended.add_metric([state.name.lower()], count)
    yield ended
    calls = CounterMetricFamily("arena_grpc_calls", "Calls that have ended.", labels=["method", "code"])
    for (method, code), count in list(meters.calls.items()):
        calls.add_metric([method, code], count)
    yield calls
    yield CounterMetricFamily(
        "arena_log_write_failures", "Attempts to write a match log that failed.", meters.log_failures
    )
    yield _histogram("arena_decision_think_seconds", "Time that bots took for a decision.", meters.think)
    yield _histogram(
        "arena_decision_turnaround_seconds",
        "From an answer until the match's next question is out, a busy bot's holding back included.",
        meters.turnaround,
    )
    yield _histogram(
        "arena_loop_lag_seconds", "By how much the heartbeat came late while matches ran.", meters.loop_lag
    )
    yield GaugeMetricFamily(
        "arena_loop_lag_longest_seconds", "The longest of them since the start.", meters.loop_lag.highest
    )
    yield _histogram(
        "arena_database_write_seconds", "From asking for a write to its commit.", meters.database_writes
    )
    yield _histogram("arena_log_write_seconds", "Until a match log is on disk.", meters.log_writes)


def _histogram(name: str, text: str, buckets: Buckets) -> Metric:
    counts, total = buckets.read()
    below, cumulated = 0, []
    for bound, count in zip((*(str(bound) for bound in buckets.bounds), "+Inf"), counts, strict=True):
        below += count
        cumulated.append((bound, below))
    family = HistogramMetricFamily(name, text)
    family.add_metric([], cumulated, total)
    return family
