"""The process that is in the Ray cluster for the arena.

`python -m arena.server.cluster.client DESCRIPTOR ADDRESS LOG_FORMAT`

It is started by the arena, which it reaches by the socket of that descriptor, and ends with it. Ray ends a process
whose cluster is gone, so the arena itself is none of Ray's: whatever happens to the cluster, only this process ends.
"""

import asyncio
import contextlib
import itertools
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, cast

import ray
import structlog
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from arena.sandbox.proc_fs import die_with_parent
from arena.server import event_loop
from arena.server.child_process import RestartPause
from arena.server.cluster import messages
from arena.server.cluster.messages import FromClient, InstallVersion, NodeOrder, ToClient
from arena.server.cluster.node_host import NodeHost
from arena.server.cluster.node_names import MatchNode, NodeNames
from arena.server.cluster.version_archive import pack_version
from arena.server.match_workers.channel import Channel
from arena.server.service_log import configure
from arena.submissions.version_folders import VersionFolders

_NAMESPACE: Final = "caravan-arena"
_LOOK_S: Final = 1.0
"""The nodes of the cluster are read so often."""
_HEAD_ANSWERS_WITHIN_S: Final = 15.0
"""If the head takes longer to list the nodes, it is gone."""
_DESCRIBES_WITHIN_S: Final = 120.0
_MOST_CALLS: Final = 1000
"""Calls of a host at once: more than there ever are, so that none waits for another."""

_log = structlog.get_logger(__name__)


class _HostOfNode:
    """One run of a node's host, from its start to its end."""

    def __init__(self, key: int, ray_node: str, send: Callable[[FromClient], None]) -> None:
        self.key = key
        self._send = send
        self._orders: asyncio.Queue[NodeOrder] = asyncio.Queue()
        self.abandoned = asyncio.Event()
        """Set when the arena has given it up."""
        self._installs: set[asyncio.Task[None]] = set()
        # No call is ever repeated and no actor started again by Ray: what is lost is void, and the arena replays it.
        self._actor: Any = (
            ray.remote(NodeHost)
            .options(
                num_cpus=0,
                max_restarts=0,
                max_task_retries=0,
                max_concurrency=_MOST_CALLS,
                scheduling_strategy=NodeAffinitySchedulingStrategy(ray_node, soft=False),
            )
            .remote()
        )

    async def run(self) -> str:
        """Run it until it ends. Return why it has, a sentence part."""
        delivering: asyncio.Task[None] | None = None
        try:
            async with asyncio.timeout(_DESCRIBES_WITHIN_S):
                workers, places, description = await self._actor.describe.remote()
            self._send(messages.NodeJoined(self.key, workers, places, description))
            delivering = asyncio.create_task(self._deliver())
            while True:
                news = await self._actor.events.remote()
                self._send(messages.NodeBeat(self.key))
                for number, data in news:
                    self._send(messages.FromNodeWorker(self.key, number, data))
        except TimeoutError:
            return f"did not describe itself within {_DESCRIBES_WITHIN_S:.0f} s"
        # Ray has many errors for a process, a machine or a network that is gone, and passes on those of the host.
        except Exception as error:  # noqa: BLE001
            return why_lost(error)
        finally:
            if delivering is not None:
                delivering.cancel()
            self.end()

    def order(self, order: NodeOrder) -> None:
        """Pass an order on, after those before."""
        self._orders.put_nowait(order)

    def install(self, order: InstallVersion) -> None:
        """Send a version to the node."""
        task = asyncio.create_task(self._install(order))
        self._installs.add(task)
        task.add_done_callback(self._installs.discard)

    def end(self) -> None:
        """End the process of the host, and with it the workers."""
        # In a thread: it waits for the cluster's head, which may be gone.
        asyncio.get_running_loop().run_in_executor(None, self._kill)

    def _kill(self) -> None:
        with contextlib.suppress(Exception):
            ray.kill(self._actor, no_restart=True)

    async def _deliver(self) -> None:
        with contextlib.suppress(Exception):  # then `events` fails, too
            while True:
                orders = [await self._orders.get()]
                while not self._orders.empty():
                    orders.append(self._orders.get_nowait())
                await self._actor.deliver.remote(orders)

    async def _install(self, order: InstallVersion) -> None:
        try:
            packed = await asyncio.to_thread(pack_version, VersionFolders(order.versions), order.version)
        except OSError as error:
            why = f"version {order.version[:12]} cannot be read on the arena's machine: {error.strerror or error}"
            self._send(messages.VersionInstalled(self.key, order.version, why))
            return
        with contextlib.suppress(Exception):  # then `events` fails, too, and the node is lost
            why = await self._actor.install.remote(order.version, packed)
            self._send(messages.VersionInstalled(self.key, order.version, why))


def why_lost(error: Exception) -> str:
    """Return in one line why a call of a host failed: a sentence part."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"failed ({type(error).__name__}: {lines[-1] if lines else 'no reason'})"


class ClusterClient:
    """Starts a host on each node of the cluster, and connects it with the arena."""

    def __init__(self, send: Callable[[FromClient], None]) -> None:
        """`send`: to the arena."""
        self._send = send
        self._keys = itertools.count(1)
        self._hosts: dict[int, _HostOfNode] = {}
        self._nodes: dict[str, asyncio.Task[None]] = {}
        """By Ray's id of a node that is in the cluster."""
        self._names = NodeNames()

    async def watch(self) -> None:
        """Look which nodes there are, until the cluster's head does not answer."""
        while True:
            try:
                async with asyncio.timeout(_HEAD_ANSWERS_WITHIN_S):
                    listed = await asyncio.to_thread(ray.nodes)
            except TimeoutError:
                _log.error("the cluster's head does not answer", within_s=_HEAD_ANSWERS_WITHIN_S)
                return
            self._send(messages.ClientBeat())
            self._look(listed)
            await asyncio.sleep(_LOOK_S)

    def _look(self, listed: list[Mapping[str, Any]]) -> None:
        nodes = {node.ray_node: node for node in self._names.of(listed)}
        for ray_node in self._nodes.keys() - nodes.keys():
            self._nodes.pop(ray_node).cancel()
        for ray_node, node in nodes.items():
            if ray_node not in self._nodes:
                self._nodes[ray_node] = asyncio.create_task(self._keep(node))

    async def _keep(self, node: MatchNode) -> None:
        """Keep a host running on a node, until this is cancelled because the node has left the cluster."""
        pause = RestartPause()
        while True:
            pause.note_start()
            key = next(self._keys)
            self._send(messages.NodeSeen(key, node.name, node.address, node.gives))
            host = self._hosts[key] = _HostOfNode(key, node.ray_node, self._send)
            running = asyncio.create_task(host.run())
            abandoned = asyncio.create_task(host.abandoned.wait())
            try:
                await asyncio.wait({running, abandoned}, return_when=asyncio.FIRST_COMPLETED)
                why = running.result() if running.done() else "did not answer"
                if running.done():
                    _log.error("the host of a node has ended and is started again", node=node.name, why=why)
                    self._send(messages.NodeGone(key, why, failed=True))
            except asyncio.CancelledError:
                self._send(messages.NodeGone(key, "has left the cluster", failed=False))
                running.cancel()
                raise
            finally:
                abandoned.cancel()
                # What an abandoned host says after all still reaches the arena, which counts it and takes none of it.
                running.add_done_callback(partial(self._forget, key))
            await asyncio.sleep(pause.after_end())

    def _forget(self, key: int, _done: asyncio.Task[str]) -> None:
        self._hosts.pop(key, None)

    def take(self, message: ToClient) -> None:
        """Do what the arena says."""
        host = self._hosts.get(message.key)
        match message:
            case _ if host is None:
                pass  # it has ended meanwhile, and the arena is told
            case InstallVersion():
                host.install(message)
            case messages.Abandon():
                host.abandoned.set()
                host.end()
            case _:
                host.order(message)


async def _work(end: socket.socket) -> None:
    channel = await Channel.of(end)
    client = ClusterClient(channel.send)
    watching = asyncio.create_task(client.watch())

    async def listen() -> None:
        while (message := await channel.receive()) is not None:
            client.take(cast("ToClient", message))

    listening = asyncio.create_task(listen())
    await asyncio.wait({watching, listening}, return_when=asyncio.FIRST_COMPLETED)
    os._exit(0)  # the hosts end with this process, and Ray's own end would wait for a head that may be gone


def main() -> None:
    """Work until the arena or the cluster is gone. Signals are for the arena."""
    descriptor, address, log_format = sys.argv[1:]
    die_with_parent()
    configure(json_logs=log_format == "json")
    end = socket.socket(fileno=int(descriptor))
    try:
        ray.init(
            address,
            namespace=_NAMESPACE,
            log_to_driver=False,
            configure_logging=False,
            logging_level=logging.ERROR,
        )
    # What Ray raises if it cannot connect depends on what is missing: a head, a token, a node on this machine.
    except Exception as error:  # noqa: BLE001
        _log.error("the cluster cannot be reached", address=address, why=why_lost(error))
        sys.exit(1)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: None)
    with contextlib.suppress(ConnectionError):
        event_loop.run(_work(end))


if __name__ == "__main__":
    main()
