"""A cluster of several machines on this one: each has a loopback address, ports, a folder and processes of its own."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Self

import pytest

from arena.cli.framework.processes import without_arena
from arena.sandbox.proc_fs import descendants
from arena.server.cluster.ray_commands import PORTS
from arena.v1 import cluster_pb2
from tests.system.play.arena_process import ArenaProcess
from tests.unit.hosting.sample_submissions import plant

on_demand = pytest.mark.skipif(
    "CLUSTER_FAILURES" not in os.environ,
    reason="`make crash-cluster` runs it: on a machine that also runs other tests, a part of Ray may fail to start",
)

WAIT_S = 90.0
"""Ray's processes take seconds to start, and far longer on a busy machine."""

_TOO_SLOW = "timed out during startup"
"""Ray says so, after 30 s."""

_FIRST = 21_000
_LAST = 31_000


def free_ports(count: int) -> int:
    """Return the first of so many ports in a row that nobody listens on, different for the workers of a test run."""
    start = _FIRST + os.getpid() * 997 % (_LAST - _FIRST - count)
    first: int
    for first in (*range(start, _LAST - count, count), *range(_FIRST, start, count)):
        with ExitStack() as held:
            try:
                for port in range(first, first + count):
                    held.enter_context(socket.socket()).bind(("0.0.0.0", port))
            except OSError:
                continue
            return first
    raise AssertionError("no ports are free")


class ClusterProcess:
    """`arena cluster start` or `arena cluster join`, with all that Ray starts for it."""

    def __init__(
        self, *words: str, prefix: tuple[str, ...] = (), environment: dict[str, str] | None = None
    ) -> None:
        """`prefix`: a command that runs it; `environment`: variables beside this process's."""
        self._command = [*prefix, sys.executable, "-m", "arena.cli.app", "cluster", *words]
        self._environment = without_arena(os.environ) | (environment or {})
        self.said: list[str] = []
        self._start()

    def _start(self) -> None:
        self.process = subprocess.Popen(
            self._command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=self._environment,
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def start_again_if_too_slow(self) -> None:
        """Start it again if Ray gave up because a part of it took too long to start, as its service would."""
        if self.process.poll() is not None and any(_TOO_SLOW in line for line in self.said):
            self.said.clear()
            self._start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            self.said.extend(lines)

    def processes(self) -> list[int]:
        """Return all processes of this machine's part of the cluster; none once it has ended."""
        return [] if self.process.poll() is not None else [self.process.pid, *descendants(self.process.pid)]

    def host(self) -> list[int]:
        """Return the process of a node's host; none if it does not run."""
        return [pid for pid in self.processes() if b"ray::NodeHost" in command_of(pid)]

    def host_and_below(self) -> list[int]:
        """Return the process of a node's host, and its workers and programs."""
        return [process for first in self.host() for process in (first, *descendants(first))]

    def workers(self) -> list[int]:
        """Return the match workers of a node."""
        return [pid for pid in self.processes() if b"match_workers.worker" in command_of(pid)]

    def send(self, number: int) -> None:
        """Send a signal to all of them."""
        send_to_all(self.processes(), number)

    def close(self) -> None:
        """End all of them, whatever state they are in."""
        pids = self.processes()
        for number in (signal.SIGKILL, signal.SIGCONT):
            send_to_all(pids, number)
        self.process.wait()
        self._reader.join()


class Machines:
    """An arena, the head of its cluster, and nodes."""

    def __init__(self, folder: Path, host: str = "127.0.0.1") -> None:
        """`host`: the address of the arena's machine."""
        self.folder = folder
        self.data = folder / "data"
        self.data.mkdir(mode=0o700)
        self._ports = free_ports(4 * PORTS + 1)
        self.head_address = f"{host}:{self._ports + 4 * PORTS}"
        self.token = self.data / "cluster.token"
        self.head: ClusterProcess | None = None
        self.nodes: dict[str, ClusterProcess] = {}
        self.arena: ArenaProcess
        # Ray keeps sockets below its temporary folder, whose path must be short.
        self._scratch = Path(f"/tmp/arena-ray-{os.getpid()}-{time.monotonic_ns() % 10**9}")
        self._scratch.mkdir()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End all processes of the cluster."""
        for process in (*self.nodes.values(), *([self.head] if self.head else [])):
            process.close()
        shutil.rmtree(self._scratch, ignore_errors=True)

    def start_head(self) -> None:
        """Start the head, and return when its token is there."""
        host, port = self.head_address.split(":")
        self.head = ClusterProcess(
            *("start", "--data", str(self.data), "--host", host, "--port", port),
            *("--first-port", str(self._ports)),
            environment={"RAY_TMPDIR": str(self._scratch)},
        )
        head = self.head

        def look() -> bool:
            head.start_again_if_too_slow()
            return port_answers(host, int(port))

        wait_until(look, lambda: "".join(head.said))

    def join(
        self,
        name: str,
        *options: str,
        number: int | None = None,
        host: str | None = None,
        prefix: tuple[str, ...] = (),
        environment: dict[str, str] | None = None,
    ) -> ClusterProcess:
        """Have a node join. `number`: of its address and ports, from 1; `host`: its address."""
        number = len(self.nodes) + 1 if number is None else number
        process = self.nodes[name] = ClusterProcess(
            *("join", self.head_address, "--token-file", str(self.token), "--name", name),
            *("--data", str(self.folder / name), "--host", host or f"127.0.0.{number + 1}"),
            *("--first-port", str(self._ports + number * PORTS), *options),
            prefix=prefix,
            environment=environment,
        )
        return process

    @contextmanager
    def serving(self, programs: dict[str, str], *options: str, before: str = "") -> Iterator[ArenaProcess]:
        """Run the arena with these hosted bots."""
        for bot, program in programs.items():
            plant(self.data, bot, f"# {bot}\n{program}")
        cluster = ("--cluster", self.head_address, "--hosted-programs", "12")
        with ArenaProcess(self.data, *cluster, *options, before=before) as arena:
            self.arena = arena
            yield arena

    def node(self, name: str) -> cluster_pb2.Node | None:
        """Return a node as the arena shows it; None if it has not joined."""
        found = [each for each in self.arena.cluster.ListNodes().nodes if each.name == f"nodes/{name}"]
        return found[0] if found else None

    def wait_for_state(self, name: str, *states: "cluster_pb2.NodeState.ValueType") -> cluster_pb2.Node:
        """Return a node when the arena shows it in one of these states."""
        found: list[cluster_pb2.Node] = []

        def look() -> bool:
            if name in self.nodes:
                self.nodes[name].start_again_if_too_slow()
            node = self.node(name)
            found[:] = [] if node is None else [node]
            return node is not None and node.state in states

        wait_until(
            look, lambda: f"{found} {self.arena.log[-20:]} {[n.said[-20:] for n in self.nodes.values()]}"
        )
        return found[0]


class OtherNetwork:
    """A network namespace, joined with this machine by a link that can be cut. Needs root and iproute2."""

    def __init__(self) -> None:
        number = os.getpid()
        self._subnet = f"10.77.{number % 200 + 20}"
        self._name = f"arena-{number}"
        self._here, self._there = f"va{number}", f"vb{number}"
        self.address = f"{self._subnet}.2"
        """Of the machine in it."""
        self.prefix = ("nsenter", f"--net=/var/run/netns/{self._name}")
        """Of a command that runs in it."""

    def here(self, number: int) -> str:
        """Return an address of this machine in the network: 1, or from 3 on."""
        return f"{self._subnet}.{number}"

    def __enter__(self) -> Self:
        name, here, there = self._name, self._here, self._there
        try:
            for each in (
                f"netns add {name}",
                f"link add {here} type veth peer name {there}",
                f"link set {there} netns {name}",
                *(f"addr add {self.here(number)}/24 dev {here}" for number in (1, 3, 4)),
                f"link set {here} up",
                f"-n {name} addr add {self.address}/24 dev {there}",
                f"-n {name} link set lo up",
            ):
                _ip(each)
            self.connect()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        subprocess.run(["ip", "link", "del", self._here], check=False)
        _ip(f"netns del {self._name}")

    def cut_off(self) -> None:
        """Take the link down: nothing passes, and no connection is closed."""
        _ip(f"-n {self._name} link set {self._there} down")

    def connect(self) -> None:
        """Take the link up."""
        _ip(f"-n {self._name} link set {self._there} up")


def _ip(words: str) -> None:
    subprocess.run(["ip", *words.split()], check=True)


def command_of(pid: int) -> bytes:
    """Return the command of a process; empty if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def send_to_all(pids: Iterable[int], number: int) -> None:
    """Send a signal to those of these processes that have not ended."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def port_answers(host: str, port: int) -> bool:
    """Return whether somebody listens there."""
    with socket.socket() as client:
        return not client.connect_ex((host, port))


def wait_until(true: Callable[[], bool], describe: Callable[[], str] = str, within_s: float = WAIT_S) -> None:
    """Return when something is true. `describe`: what is shown if it never is."""
    until = time.monotonic() + within_s
    while not true():
        assert time.monotonic() < until, describe()
        threading.Event().wait(0.1)
