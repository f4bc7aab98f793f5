"""A node as a machine on which match workers run."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Final

from arena.core.match import MatchSetup, SeatHolder
from arena.scheduling.dispatch import NotBegun
from arena.server.cluster import messages
from arena.server.cluster.messages import ToClient
from arena.server.match_workers.channel import pack, unpack_checked
from arena.server.match_workers.messages import FromArena, Over, Play, ProgramMissing
from arena.store.json_columns import VersionProgram
from arena.submissions.manifest import Grant

_STOP_WITHIN_S: Final = 5.0


class NodeWorker:
    """A worker process of a node: `arena.server.match_workers.machine.WorkerLink`."""

    def __init__(self, number: int, machine: "NodeMachine") -> None:
        self._number = number
        self._machine = machine
        self._said: asyncio.Queue[object | None] = asyncio.Queue()
        self._to_send: asyncio.Queue[FromArena] = asyncio.Queue()
        self._sending = asyncio.create_task(self._send_all())
        self._ended = asyncio.Event()

    def send(self, message: FromArena) -> None:
        """See WorkerLink."""
        self._to_send.put_nowait(message)

    async def receive(self) -> object | None:
        """See WorkerLink."""
        return await self._said.get()

    def kill(self) -> None:
        """See WorkerLink. It counts as ended at once: the node may not answer."""
        self._machine.tell(messages.KillWorker(self._machine.key, self._number))
        self.note(None)

    async def end(self) -> None:
        """See WorkerLink."""
        self._sending.cancel()
        while not self._to_send.empty():  # the order to stop may be among them
            self._pass_on(self._to_send.get_nowait())
        try:
            async with asyncio.timeout(_STOP_WITHIN_S):
                await self._ended.wait()
        except TimeoutError:
            self._machine.tell(messages.KillWorker(self._machine.key, self._number))

    def note(self, data: bytes | None) -> None:
        """Take what the worker has said; None: it has ended."""
        if data is None:
            self._ended.set()
            self._said.put_nowait(None)
            return
        try:
            self._said.put_nowait(unpack_checked(data))
        except ValueError as error:
            # It is no message of a worker: the match is void, and the node named.
            self._said.put_nowait(error)

    async def _send_all(self) -> None:
        while True:
            message = await self._to_send.get()
            if isinstance(message, Play):
                setup = message.ticket.setup
                for holder in self._machine.missing(setup):
                    why = "the arena has lost the files of its version"
                    self._said.put_nowait(ProgramMissing(holder.bot, holder.version, why))
                if not await self._machine.has_versions(setup):
                    # It waits for another occasion: the bot is out whose version is lost, or else this node.
                    self._said.put_nowait(Over(setup.match, NotBegun()))
                    continue
            self._pass_on(message)

    def _pass_on(self, message: FromArena) -> None:
        self._machine.tell(messages.ToWorker(self._machine.key, self._number, pack(message)))


class NodeMachine:
    """A node: `arena.server.match_workers.machine.Machine`."""

    def __init__(  # noqa: PLR0913 - what a machine needs
        self,
        name: str,
        joined: messages.NodeJoined,
        *,
        versions: Path,
        lacking: tuple[str, ...],
        gives: Grant,
        tell: Callable[[ToClient], None],
        failed: Callable[[str], None],
    ) -> None:
        """`versions`: the arena's folder; `lacking`: runtimes; `gives`: cores and memory; `tell`: sends to the client.

        `failed`: called when a version cannot be installed there, with the reason, a sentence part.
        """
        self.name: Final = name
        self.key: Final = joined.key
        self.kind: Final = joined.description.kind
        self.workers: Final = joined.workers
        self.places: Final = joined.places
        self.tell: Final = tell
        self._versions = versions
        self._lacking = frozenset(lacking)
        self._gives = gives
        self._failed = failed
        self._running: dict[int, NodeWorker] = {}
        self._installed: dict[str, asyncio.Future[str]] = {}
        """By version; why it is not there, or an empty text."""
        self._gone = False

    def can_run(self, program: VersionProgram) -> bool:
        """See Machine."""
        gives = self._gives
        return (
            program.runtime not in self._lacking
            and program.cores <= gives.cores
            and program.memory_mib <= gives.memory_mib
        )

    async def start_worker(self, number: int, name: str) -> NodeWorker:
        """See Machine."""
        worker = self._running[number] = NodeWorker(number, self)
        self.tell(messages.StartWorker(self.key, number, name))
        return worker

    async def clear(self) -> None:
        """See Machine."""
        self.tell(messages.ClearNode(self.key))

    def note_worker(self, number: int, data: bytes | None) -> None:
        """Take what a worker has said."""
        if (worker := self._running.get(number)) is not None:
            worker.note(data)

    def note_installed(self, version: str, why_not: str) -> None:
        """Take whether a version is there."""
        waiting = self._installed.get(version)
        if waiting is not None and not waiting.done():
            waiting.set_result(why_not)

    def give_up(self) -> None:
        """Wake everybody who waits for this node: it is gone."""
        self._gone = True
        for worker in self._running.values():
            worker.note(None)
        for waiting in self._installed.values():
            if not waiting.done():
                waiting.set_result("the node is gone")

    def missing(self, setup: MatchSetup) -> list[SeatHolder]:
        """Return those who play a match whose versions the arena itself has not."""
        return [holder for holder in setup.seats if not (self._versions / holder.version).is_dir()]

    async def has_versions(self, setup: MatchSetup) -> bool:
        """Install the versions that play a match, as far as they are missing. Return whether all are there."""
        if self.missing(setup):
            return False
        for version in sorted({holder.version for holder in setup.seats}):
            waiting = self._installed.get(version)
            if waiting is None:
                waiting = self._installed[version] = asyncio.get_running_loop().create_future()
                self.tell(messages.InstallVersion(self.key, version, self._versions))
            if why := await asyncio.shield(waiting):
                self._installed.pop(version, None)
                if not self._gone:
                    self._failed(why)
                return False
        return True
