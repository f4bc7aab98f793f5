"""The host of a node: a Ray actor that runs match workers there, and passes on what they and the arena say.

It holds no key, no token and no database. The clocks of a match run in the worker, on the same machine as its bots.
"""

import asyncio
import os
from pathlib import Path
from typing import Final

import structlog

from arena.hosting.environment import HostingEnvironment, open_environment, processors
from arena.sandbox import proc_fs
from arena.sandbox.runtime_files import read_runtimes
from arena.server.cluster.messages import ClearNode, KillWorker, NodeOrder, StartWorker, ToWorker
from arena.server.cluster.node_description import MachineDescription, describe
from arena.server.cluster.node_settings import NodeSettings
from arena.server.cluster.version_archive import VersionDamagedError, install_version
from arena.server.match_workers.this_machine import LocalWorker, worker_settings
from arena.server.service_log import configure

_BEAT_S: Final = 1.0
"""Without news the arena hears of the host so often."""

_MOST_BYTES: Final = 8 << 20
"""Of messages in one answer; the rest comes with the next one."""

_MOST_VERSIONS: Final = 500
"""Versions that stay on a node when it starts, the latest installed."""

_ENDS_WITHIN_S: Final = 10.0
"""A killed process needs that long only if it waits for a disk."""

_log = structlog.get_logger(__name__)

WorkerNews = tuple[int, bytes | None]
"""The number of a worker and what it has said, as it has packed it; None: it has ended."""


class NodeHost:
    """Runs on the event loop of its actor. Every method may be called at most once for each call of the arena's."""

    def __init__(self) -> None:
        self._settings = NodeSettings.from_environment()
        configure(json_logs=self._settings.json_logs)
        self._environment: HostingEnvironment | None = None
        self._workers: dict[int, LocalWorker] = {}
        self._readers: dict[int, asyncio.Task[None]] = {}
        self._news: list[WorkerNews] = []
        self._has_news = asyncio.Event()
        self._installing = asyncio.Lock()

    async def describe(self) -> tuple[int, int, MachineDescription]:
        """Prepare the node. Return its workers, its places for programs, and what the machine is."""
        settings = self._settings
        self._environment = environment = await asyncio.to_thread(_open, settings)
        workers = 0 if environment.why_not else settings.workers
        return (
            workers,
            settings.places,
            await describe(environment, processors(), allows_weak=settings.allow_weak_sandbox),
        )

    async def deliver(self, orders: list[NodeOrder]) -> None:
        """Do what the arena says, in this order."""
        for order in orders:
            match order:
                case StartWorker():
                    await self._start(order)
                case ToWorker():
                    if (worker := self._workers.get(order.number)) is not None:
                        worker.forward(order.data)
                case KillWorker():
                    if (worker := self._workers.get(order.number)) is not None:
                        worker.kill()
                case ClearNode():
                    await asyncio.to_thread(self._opened.sandbox.sweep)

    async def events(self) -> list[WorkerNews]:
        """Return what the workers have said since the last call, after a second at the latest."""
        try:
            async with asyncio.timeout(_BEAT_S):
                await self._has_news.wait()
        except TimeoutError:
            return []
        news, size = [], 0
        while self._news and size < _MOST_BYTES:
            news.append(each := self._news.pop(0))
            size += len(each[1] or b"")
        if not self._news:
            self._has_news.clear()
        return news

    async def install(self, version: str, packed: bytes) -> str:
        """Add a version of a bot. Return why that is not possible, a sentence part; empty if it is there now."""
        async with self._installing:
            try:
                await asyncio.to_thread(install_version, self._opened.versions, version, packed)
            except VersionDamagedError as error:
                return str(error)
            except OSError as error:
                return f"version {version[:12]} could not be written: {error.strerror or error}"
        return ""

    @property
    def _opened(self) -> HostingEnvironment:
        assert self._environment is not None, "describe() comes first"
        return self._environment

    async def _start(self, order: StartWorker) -> None:
        number, environment = order.number, self._opened
        settings = worker_settings(
            number,
            order.name,
            data=self._settings.data,
            sockets=environment.work.path,
            runtimes=environment.sandbox.runtimes.added,
            json_logs=self._settings.json_logs,
        )
        try:
            worker = self._workers[number] = await LocalWorker.start(settings)
        except OSError as error:
            _log.error("a match worker could not be started", worker=order.name, why=str(error))
            self._note((number, None))
            return
        self._readers[number] = asyncio.create_task(self._read(number, worker))

    async def _read(self, number: int, worker: LocalWorker) -> None:
        while (data := await worker.receive_packed()) is not None:
            self._note((number, data))
        await worker.end()
        if self._workers.get(number) is worker:
            del self._workers[number]
        self._note((number, None))

    def _note(self, news: WorkerNews) -> None:
        self._news.append(news)
        self._has_news.set()


def _open(settings: NodeSettings) -> HostingEnvironment:
    """Open the folders of a node; end what an earlier host has left there. Blocks. Raises OSError."""
    settings.data.mkdir(parents=True, exist_ok=True)
    _replace_earlier_host(settings.data / "host")
    environment = open_environment(
        settings.data,
        slots=settings.places,
        workers=settings.workers,
        allow_weak=settings.allow_weak_sandbox,
        runtimes=read_runtimes(settings.data / "runtimes", (settings.data,)),
    )
    versions = environment.versions
    versions.sweep()
    installed = sorted(
        versions.hashes(), key=lambda each: versions.source(each).stat().st_mtime, reverse=True
    )
    for version in installed[_MOST_VERSIONS:]:
        versions.remove(version)
    return environment


def _replace_earlier_host(path: Path) -> None:
    """End the host that ran here before, and note in the file that this one does now. Blocks. Raises OSError.

    The arena has given it up, but it may have been frozen: its workers would go on, and what they hold of the machine
    would stay after their end.
    """
    try:
        pid, _, started = path.read_text(encoding="ascii").partition(" ")
    except FileNotFoundError:
        pid, started = "", ""
    if pid.isdecimal() and not proc_fs.kill_tree(int(pid), started, _ENDS_WITHIN_S):
        _log.warning("an earlier host of this node does not end", pid=int(pid))
    own = os.getpid()
    path.write_text(f"{own} {proc_fs.started_at(own)}", encoding="ascii")
