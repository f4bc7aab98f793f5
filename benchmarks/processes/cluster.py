"""A cluster of match nodes on this machine: its head, and nodes with loopback addresses and ports of their own."""

import os
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.cli.framework.processes import Child, without_arena
from arena.sandbox.proc_fs import descendants
from arena.server.cluster.ray_commands import PORTS
from arena.v1 import cluster_pb2
from benchmarks.processes.arena import RunningArena
from benchmarks.processes.worker import WorkerFailedError

_FIRST_PORT: Final = 23_000
_WITHIN_S: Final = 120.0
_LOOK_S: Final = 0.5
_STARTED: Final = "Ray runtime started"
"""The output of a part says so when it runs."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """A head and nodes that have been started."""

    address: str
    """Of the head."""
    token: Path
    head: int
    """Its process."""
    nodes: Mapping[str, int]
    """The process of `arena cluster join` of each node, by name."""
    folders: Mapping[str, Path]
    """Of the nodes, by name."""

    @property
    def options(self) -> tuple[str, ...]:
        """Return the options of `arena serve` of an arena with these nodes, and no match workers of its own."""
        return ("--cluster", self.address, "--cluster-token", str(self.token), "--match-workers", "0")


@contextmanager
def cluster(folder: Path, nodes: int, *, matches: int = 1) -> Iterator[Cluster]:
    """Run a cluster with so many nodes inside, each of which plays so many matches at once.

    Raises WorkerFailedError: a part of it does not start.
    """
    environment = without_arena(os.environ) | {"RAY_TMPDIR": str(folder)}
    address, token = f"127.0.0.1:{_FIRST_PORT}", folder / "cluster.token"
    names = [f"node{number}" for number in range(1, nodes + 1)]

    def start(number: int, name: str, *words: str) -> int:
        """Start a part, and return its process when it runs: Ray may fail if two parts begin at once."""
        log = folder / f"cluster{number}.log"
        ports = ("--first-port", str(_FIRST_PORT + 100 + number * PORTS))
        command = [sys.executable, "-P", "-m", "arena.cli.app", "cluster", *words, *ports]
        child = Child(name, command, environment=environment, log=log)
        stack.callback(_end, child)
        until = time.monotonic() + _WITHIN_S
        while _STARTED not in log.read_text():
            if child.code() is not None or time.monotonic() > until:
                raise WorkerFailedError(f"{name} did not start: {child.tail()}")
            time.sleep(_LOOK_S)
        return child.pid

    with ExitStack() as stack:
        local = ("--host", "127.0.0.1", "--port", str(_FIRST_PORT))
        head = start(0, "the head of the cluster", "start", "--data", str(folder), *local)
        joined = {
            name: start(
                number,
                name,
                *("join", address, "--token-file", str(token), "--name", name, "--data", str(folder / name)),
                *("--host", f"127.0.0.{number + 1}", "--matches", str(matches)),
            )
            for number, name in enumerate(names, start=1)
        }
        yield Cluster(address, token, head, joined, {name: folder / name for name in names})


def _end(child: Child) -> None:
    """Kill a part with all that Ray has started for it, in process groups of their own."""
    below = descendants(child.pid)
    child.kill()
    for pid in below:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def wait_until_ready(arena: RunningArena, nodes: int) -> None:
    """Return when so many nodes play matches for the arena. Raises WorkerFailedError: they do not in time."""
    until = time.monotonic() + _WITHIN_S
    while time.monotonic() < until:
        listed = arena.calls.cluster.ListNodes(cluster_pb2.ListNodesRequest()).nodes
        if sum(node.state == cluster_pb2.NODE_STATE_READY for node in listed) == nodes:
            return
        time.sleep(_LOOK_S)
    raise WorkerFailedError(f"{nodes} nodes were not ready within {_WITHIN_S:g} s")
