"""The match nodes of an arena: which there are, what they may play, and what becomes of those that fail."""

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

import structlog

from arena.core.errors import ErrorReason, FailedPreconditionError
from arena.hosting.environment import HostingEnvironment, processors
from arena.match_log.durable import write_durably
from arena.scheduling.dispatch import MatchTicket, PlayedMatch
from arena.scheduling.repeated_matches import RepeatedMatch
from arena.server.child_process import ChildProcess, RestartPause
from arena.server.cluster import messages
from arena.server.cluster.messages import FromClient, FromHost, ToClient
from arena.server.cluster.node import Node, NodeState, node_not_found
from arena.server.cluster.node_description import (
    MachineDescription,
    describe,
    missing_runtimes,
    why_excluded,
)
from arena.server.cluster.node_machine import NodeMachine
from arena.server.cluster.ray_commands import ray_environment
from arena.server.cluster.think_times import ThinkTimes
from arena.server.match_workers.channel import Channel, unpack_checked
from arena.server.match_workers.machine import THIS_MACHINE, Refusal
from arena.server.match_workers.match_workers import MatchWorkers
from arena.server.match_workers.messages import Over
from arena.store.audit.entries import AuditEntry, AuditKind
from arena.store.audit.writer import AuditWriter
from arena.store.webhooks.notifications import node_data
from arena.store.webhooks.outbox import Notification, NotificationType
from arena.submissions.manifest import Grant
from arena.wire.resource_names import node_name

SILENT_S: Final = 20
"""A node that says nothing for so many seconds, by the arena's own count of them, is lost."""

_CLIENT_SILENT_S: Final = 60
"""The same for the process that is in the cluster for the arena; connecting takes it up to half a minute."""

_MOST_FAILURES: Final = 3
_FAILURES_WITHIN_S: Final = 600
"""A node that fails more often than that within ten minutes is taken out."""

_SLOW: Final = 1.5
"""A node on which bots think so many times longer than elsewhere is taken out."""

_COMPARED: Final = 100
"""Matches on either side before a node counts as slow."""

_JUDGED_EVERY: Final = 10
"""Matches of a node between two comparisons: one takes the event loop up to 2 ms."""

_STALLED_S: Final = 15
_STALLED_WITHIN_S: Final = 300
"""A node whose workers stand still for so many seconds within five minutes is taken out."""

_LONGEST_PAUSE_S: Final = 30.0
_TICK_S: Final = 1.0

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class ClusterSettings:
    """The cluster of an arena."""

    address: str
    """Of its head, host:port."""
    token: Path
    """The file of the token without which nobody joins it."""


class DrainedNodes:
    """The nodes on which no match begins, kept in a file over restarts of the arena."""

    def __init__(self, path: Path) -> None:
        """Read the file. Raises FailedPreconditionError: STORAGE, it is damaged."""
        self._path = path
        self._why: dict[str, str] = {}
        try:
            self._why = dict(json.loads(path.read_text(encoding="utf-8")))
        except FileNotFoundError:
            pass
        except (OSError, ValueError, TypeError) as error:
            raise FailedPreconditionError(
                ErrorReason.STORAGE,
                f"{path} cannot be read ({error}): it lists the nodes that are drained. Remove it to begin with none.",
            ) from error

    def why(self, node: str) -> str:
        """Return why no match begins on a node: a sentence; empty if matches may."""
        return self._why.get(node, "")

    def put(self, node: str, why: str) -> None:
        """Note why no match begins on a node from now on; an empty text: matches may."""
        if why:
            self._why[node] = why
        elif self._why.pop(node, None) is None:
            return
        try:
            write_durably(self._path, f"{json.dumps(self._why, indent=2)}\n".encode())
        except OSError as error:
            _log.error("it could not be stored which nodes are drained", why=error.strerror or str(error))


class _Tracked:
    """A node, and what the arena knows of it beside what it shows."""

    def __init__(self, name: str, address: str) -> None:
        self.node = Node(name, address)
        self.key = 0
        """Of its host that runs now; 0: none does."""
        self.machine: NodeMachine | None = None
        """None unless matches are played on it."""
        self.silent = 0
        """Seconds without a word of it."""
        self.failed_at: deque[float] = deque(maxlen=_MOST_FAILURES + 1)
        self.stalled: deque[tuple[float, float]] = deque()
        """When it has reported a stall, and for how many seconds."""


class ClusterNodes:
    """The nodes of an arena: `arena.server.cluster.node.Nodes`, and `MachineReports` of its workers."""

    def __init__(  # noqa: PLR0913 - what nodes need
        self,
        workers: MatchWorkers,
        settings: ClusterSettings,
        *,
        environment: HostingEnvironment,
        versions: Path,
        drained: DrainedNodes,
        audit: AuditWriter,
        now_us: Callable[[], int],
        json_logs: bool,
    ) -> None:
        """`environment`: of the arena's machine; `versions`: its folder of versions; `audit`: for the audit trail.

        `drained`: those on which no match begins, from before.
        """
        self.address = settings.address
        self.connected = False
        self._workers = workers
        self._token = settings.token
        self._environment = environment
        self._versions = versions
        self._drained = drained
        self._audit = audit
        self._now_us = now_us
        self._json_logs = json_logs
        self._here: MachineDescription | None = None
        self._nodes: dict[str, _Tracked] = {}
        self._by_key: dict[int, _Tracked] = {}
        """Also of hosts that have ended: what comes late names its node."""
        self._channel: Channel | None = None
        self._client_silent = 0
        self._think_times = ThinkTimes()
        self.repeats = {"same": 0, "different": 0}
        """Matches that were played on two machines, by how they compare."""

    # Nodes

    def all(self) -> Collection[Node]:
        """See Nodes."""
        return [self._shown(each) for _, each in sorted(self._nodes.items())]

    def set_drained(self, name: str, *, drained: bool) -> Node:
        """See Nodes."""
        tracked = self._nodes.get(name)
        if tracked is None:
            raise node_not_found(name)
        self._drained.put(name, "An organiser has drained it." if drained else "")
        if not drained:  # it begins anew
            tracked.failed_at.clear()
            tracked.stalled.clear()
            self._think_times.forget(name)
            tracked.node.think_ratio = None
        self._apply_drained(tracked)
        return self._shown(tracked)

    def _shown(self, tracked: _Tracked) -> Node:
        use, node = self._workers.use_of(tracked.node.name), tracked.node
        node.playing, node.programs = use.playing, use.programs
        return node

    # The process that is in the cluster

    @asynccontextmanager
    async def running_while(self) -> AsyncIterator[None]:
        """Be in the cluster inside; the hosts of all nodes end with it."""
        tasks = [asyncio.create_task(self._keep_connected()), asyncio.create_task(self._watch())]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _keep_connected(self) -> None:
        self._here = await describe(self._environment, processors())
        pause = RestartPause(_LONGEST_PAUSE_S)
        while True:
            pause.note_start()
            await self._connect()
            pause_s = pause.after_end()
            _log.error("the cluster is lost, and is tried again", address=self.address, after_s=pause_s)
            await asyncio.sleep(pause_s)

    async def _connect(self) -> None:
        """Run one client to its end; end it if this is cancelled."""
        client = await ChildProcess.start(
            *("arena.server.cluster.client", self.address, "json" if self._json_logs else "console"),
            environment=ray_environment(self._token),
        )
        channel = self._channel = client.channel
        self._client_silent = 0
        try:
            while (message := await channel.receive()) is not None:
                self._client_silent = 0
                self._take(cast("FromClient", message))
        finally:
            self._channel, self.connected = None, False
            for tracked in list(self._nodes.values()):
                self._lose(tracked, "lost its cluster", failed=False)
            self._by_key.clear()
            channel.close()  # by which it ends
            await client.end(_TICK_S)

    def _tell(self, message: ToClient) -> None:
        if self._channel is not None:
            self._channel.send(message)

    async def _watch(self) -> None:
        """Give up what is silent for too long. Seconds are counted by turns of this loop."""
        while True:
            await asyncio.sleep(_TICK_S)
            self._client_silent += 1
            if self._client_silent >= _CLIENT_SILENT_S and self._channel is not None:
                self._channel.close()
            for tracked in list(self._nodes.values()):
                tracked.silent += 1
                if tracked.machine is not None and tracked.silent >= SILENT_S:
                    self._tell(messages.Abandon(tracked.key))
                    self._lose(tracked, f"did not answer for {tracked.silent} s", failed=True)

    def _take(self, message: FromClient) -> None:
        match message:
            case messages.ClientBeat():
                self._note_connected()
            case messages.NodeSeen():
                self._note_seen(message)
            case _:
                tracked = self._by_key.get(message.key)
                if tracked is None:
                    return
                if tracked.key == message.key:
                    tracked.silent = 0
                    self._take_of_node(tracked, message)
                elif isinstance(message, messages.FromNodeWorker):
                    self._note_late(tracked, message)
                if isinstance(message, messages.NodeGone):
                    del self._by_key[message.key]

    def _take_of_node(self, tracked: _Tracked, message: FromHost) -> None:
        """Take what the host of a node says that runs now."""
        match message:
            case messages.NodeJoined():
                self._note_joined(tracked, message)
            case messages.NodeGone():
                self._lose(tracked, message.why, failed=message.failed)
            case messages.FromNodeWorker() if tracked.machine is not None:
                tracked.machine.note_worker(message.number, message.data)
            case messages.VersionInstalled() if tracked.machine is not None:
                tracked.machine.note_installed(message.version, message.why_not)
            case _:
                pass  # a beat, or it has been excluded meanwhile

    def _note_connected(self) -> None:
        if not self.connected:
            self.connected = True
            _log.info("connected with the cluster", address=self.address)

    def _note_seen(self, message: messages.NodeSeen) -> None:
        tracked = self._nodes.get(message.name)
        if tracked is None:
            tracked = self._nodes[message.name] = _Tracked(message.name, message.address)
        self._by_key[message.key] = tracked
        tracked.key, node = message.key, tracked.node
        node.address, node.cores, node.memory_mib = (
            message.address,
            message.gives.cores,
            message.gives.memory_mib,
        )
        if node.state is not NodeState.LOST:  # one that was lost is lost until it has joined again
            self._set_state(tracked, NodeState.JOINING)

    def _note_joined(self, tracked: _Tracked, message: messages.NodeJoined) -> None:
        assert self._here is not None
        node, description = tracked.node, message.description
        node.processor, node.software = description.processor, description.software
        node.workers, node.places = message.workers, message.places
        node.missing_runtimes = missing_runtimes(self._here, description)
        if why := why_excluded(self._here, description):
            self._set_state(tracked, NodeState.EXCLUDED, why)
            return
        tracked.machine = NodeMachine(
            node.name,
            message,
            versions=self._versions,
            lacking=node.missing_runtimes,
            gives=Grant(node.cores, node.memory_mib),
            tell=self._tell,
            failed=lambda why: self._drain(tracked, f"A version could not be installed on it: {why}."),
        )
        self._workers.attach(tracked.machine)
        self._set_state(tracked, NodeState.READY)
        self._apply_drained(tracked)

    def _lose(self, tracked: _Tracked, why: str, *, failed: bool) -> None:
        """Note that the host of a node is gone; what it played is void. `why`: follows "It"; `failed`: by its fault."""
        tracked.key = 0
        machine, tracked.machine = tracked.machine, None
        if machine is not None:
            machine.give_up()
            self._workers.detach(tracked.node.name, why)
            if failed:
                self._note_failure(tracked)
        if tracked.node.state is not NodeState.LOST:
            self._set_state(tracked, NodeState.LOST, f"It {why}.")

    def _note_failure(self, tracked: _Tracked) -> None:
        now = asyncio.get_running_loop().time()
        tracked.failed_at.append(now)
        if len(tracked.failed_at) > _MOST_FAILURES and now - tracked.failed_at[0] < _FAILURES_WITHIN_S:
            self._drain(tracked, f"It failed {len(tracked.failed_at)} times within ten minutes.")

    def _note_late(self, tracked: _Tracked, message: messages.FromNodeWorker) -> None:
        """Count what an ended host says of a match after all: the arena has replayed it."""
        if message.data is not None and is_result(message.data):
            self.refused(tracked.node.name, Refusal.LATE, 0)

    # States

    def _set_state(self, tracked: _Tracked, state: NodeState, why: str = "") -> None:
        node = tracked.node
        changed = (node.state, node.why) != (state, why)
        node.state, node.why = state, why
        if not changed:
            return
        node.since_us = self._now_us()
        _log.info("a node is " + state.value, node=node.name, address=node.address, why=why or None)
        if state in {NodeState.EXCLUDED, NodeState.LOST}:
            notification = None
            if state is NodeState.LOST:
                notification = Notification(NotificationType.NODE_LOST, node_data(node.name, why))
            self._record(tracked, f"The node {node.name} is {state.value}. {why}", notification)

    def _drain(self, tracked: _Tracked, why: str) -> None:
        """Take a node out. `why`: a sentence."""
        if self._drained.why(tracked.node.name):
            return
        self._drained.put(tracked.node.name, why)
        self._record(tracked, f"The arena has drained the node {tracked.node.name}. {why}")
        self._apply_drained(tracked)

    def _apply_drained(self, tracked: _Tracked) -> None:
        if tracked.machine is None:
            return
        why = self._drained.why(tracked.node.name)
        self._workers.set_drained(tracked.node.name, drained=bool(why))
        self._set_state(tracked, NodeState.DRAINED if why else NodeState.READY, why)

    def _record(self, tracked: _Tracked, sentence: str, notification: Notification | None = None) -> None:
        facts = (("node", tracked.node.name), ("address", tracked.node.address))
        about = (node_name(tracked.node.name),)
        self._audit.put(
            AuditEntry(AuditKind.NODE, self._now_us(), sentence, about, facts, notification=notification)
        )

    # MachineReports

    def finished(self, machine: str, ticket: MatchTicket, played: PlayedMatch) -> None:
        """See MachineReports."""
        pairing = tuple(sorted((holder.bot, holder.version) for holder in ticket.setup.seats))
        self._think_times.add(machine, pairing, sum(played.think.counts), played.think.sum_s)
        if machine == THIS_MACHINE or (tracked := self._nodes.get(machine)) is None:
            return
        tracked.node.finished += 1
        if tracked.node.finished % _JUDGED_EVERY:
            return
        ratio = tracked.node.think_ratio = self._think_times.ratio(machine, _COMPARED)
        if ratio is not None and ratio >= _SLOW:
            self._drain(tracked, f"Bots think {ratio:.1f} times as long on it as the same bots do elsewhere.")

    def lost(self, machine: str, match: int) -> None:
        """See MachineReports."""
        if (tracked := self._nodes.get(machine)) is not None:
            tracked.node.lost += 1

    def refused(self, machine: str, reason: Refusal, match: int) -> None:
        """See MachineReports."""
        tracked = self._nodes.get(machine)
        if tracked is None:
            return
        counts = tracked.node.refused
        counts[reason.value] = counts.get(reason.value, 0) + 1
        of = f" of match {match}" if match else ""
        # Summed up: a node may send many of them.
        self._audit.record(
            AuditKind.NODE,
            f"a result{of} that node {machine} has sent was refused: {reason.value}",
            about=(node_name(machine),),
            facts=(("node", machine), ("reason", reason.value)),
        )
        if reason in {Refusal.UNTRUE, Refusal.IMPOSSIBLE}:
            self._drain(tracked, f"It has sent a result{of} that is {reason.value}.")

    def compared(self, repeated: RepeatedMatch) -> None:
        """Note a match that was played on two machines."""
        self.repeats["different" if repeated.difference else "same"] += 1
        if not repeated.difference:
            return
        first, second = (machine or "the arena's own machine" for machine in repeated.machines)
        sentence = (
            f"Match {repeated.match} came out differently on {first} and on {second}. {repeated.difference}"
        )
        _log.error(
            "a repeated match of deterministic bots differs", match=repeated.match, machines=repeated.machines
        )
        about = tuple(node_name(machine) for machine in repeated.machines if machine)
        self._audit.put(
            AuditEntry(AuditKind.NODE, self._now_us(), sentence, (f"matches/{repeated.match}", *about))
        )

    def stalled(self, machine: str, seconds: float) -> None:
        """See MachineReports."""
        tracked = self._nodes.get(machine)
        if tracked is None:
            return
        now, stalls = asyncio.get_running_loop().time(), tracked.stalled
        stalls.append((now, seconds))
        while now - stalls[0][0] > _STALLED_WITHIN_S:
            stalls.popleft()
        # Workers stand still together, and each reports it.
        total = sum(length for _, length in stalls) / max(1, tracked.node.workers)
        if total >= _STALLED_S:
            self._drain(tracked, f"Its workers stood still for {total:.0f} s within five minutes.")


def is_result(data: bytes) -> bool:
    """Return whether a worker's message is the result of a match."""
    try:
        message = unpack_checked(data)
    except ValueError:
        return False
    return isinstance(message, Over) and isinstance(message.how, PlayedMatch)
