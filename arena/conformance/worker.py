"""The process that tries bots for an arena: `python -m arena.conformance.worker`, orders on its standard input.

A bot that floods its trial fills the memory of this process and not the arena's. It ends with its parent, or as soon
as that closes the pipe.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from arena.conformance import worker_messages as messages
from arena.conformance.run import try_in
from arena.conformance.scenario import Scenario
from arena.conformance.scenarios import SCENARIOS
from arena.conformance.scenarios.hellos import STARTS
from arena.conformance.scripted_server import BotUnderTest

_BY_NAME: Final[Mapping[str, Scenario]] = {each.name: each for each in (STARTS, *SCENARIOS)}


Send = Callable[[messages.FromWorker], object]
"""Writes a message to the parent process; blocks."""


def _sender() -> Send:
    """Return what writes to the parent process; all other output goes to the standard error from now on."""
    pipe = os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return lambda message: pipe.write(messages.line_of(message))


class _RemoteProgram:
    """The bot's program of one trial, which the parent process runs."""

    def __init__(self, number: int, send: Send) -> None:
        self._number = number
        self._send = send
        self._ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._started: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._output: asyncio.Future[str] | None = None
        self._waited_s = 0.0

    # Messages of the parent process

    def take(self, message: messages.ToWorker) -> None:
        """Handle news of the program."""
        match message:
            case messages.ProcessStarted():
                self._started.set_result(None)
            case messages.ProcessWaited():
                self._waited_s = message.seconds
            case messages.ProcessEnded():
                self._ended.set_result(message.code)
            case messages.ProcessOutput() if self._output is not None:
                self._output.set_result(message.text)
                self._output = None

    # What the kit asks

    async def launch(self, settings: Mapping[str, str], _folder: Path) -> _RemoteProgram:
        """Start the program."""
        self._send(messages.Start(self._number, dict(settings)))
        await self._started
        return self

    def code(self) -> int | None:
        """Return the exit code, negative for a signal; None while it runs."""
        return self._ended.result() if self._ended.done() else None

    def send_signal(self, number: int) -> None:
        """Send a signal, if it still runs."""
        self._send(messages.Signal(self._number, number))

    async def kill(self) -> None:
        """End it with all that it has started."""
        self._send(messages.Kill(self._number))
        await self._ended

    def waited_s(self) -> float:
        """Return how long it was ready to run and got no processor, as last reported."""
        return self._waited_s

    async def output(self) -> str:
        """Return what is kept of its output."""
        if self._output is None:
            self._output = asyncio.get_running_loop().create_future()
            self._send(messages.ReadOutput(self._number))
        return await self._output


class _Worker:
    """Carries out the orders of the parent process."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._programs: dict[int, _RemoteProgram] = {}
        self._trying: set[asyncio.Task[None]] = set()

    def take(self, message: messages.ToWorker) -> None:
        """Handle an order, or news of a program."""
        if isinstance(message, messages.Try):
            task = asyncio.create_task(self._try(message))
            self._trying.add(task)
            task.add_done_callback(self._trying.discard)
        elif message.number in self._programs:
            self._programs[message.number].take(message)

    async def _try(self, order: messages.Try) -> None:
        program = _RemoteProgram(order.number, self._send)
        self._programs[order.number] = program
        bot = BotUnderTest(program.launch, order.game, order.patience, is_hosted=True)
        row = await try_in(Path(order.folder), bot, _BY_NAME[order.scenario])
        del self._programs[order.number]
        self._send(messages.ScenarioOutcome(order.number, row.verdict.value, row.why, row.to_do))


async def _work() -> None:
    loop = asyncio.get_running_loop()
    send = _sender()
    worker = _Worker(send)
    threading.Thread(target=_listen, args=(loop, worker), daemon=True).start()
    send(messages.Ready())
    await loop.create_future()


def _listen(loop: asyncio.AbstractEventLoop, worker: _Worker) -> None:
    """Hand on orders, and end this process with its parent, however busy the event loop is."""
    try:
        for line in sys.stdin.buffer:
            loop.call_soon_threadsafe(worker.take, messages.to_worker(line))
    finally:
        os._exit(0)


if __name__ == "__main__":
    asyncio.run(_work())
