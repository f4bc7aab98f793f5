"""The processes of the demo: one arena, and each bot by itself."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import grpc

from arena.cli.demo import bots, local_arena
from arena.cli.demo.bots import LADDER, DemoPlan
from arena.cli.framework.connection import ArenaClient
from arena.cli.framework.errors import CliError
from arena.cli.framework.output import say
from arena.cli.framework.processes import Child, ended, stop_all
from arena.cli.framework.signals import Interrupted, Interruption
from arena.v1 import bot_pb2, ladder_pb2

PROCESS_LOGS: Final = "processes"
"""The folder, in the data folder, of what the processes write to their standard output and error."""

_PAUSE_SECONDS = 2.0
_DIAL_SECONDS = 30.0
_POLL_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class DemoBots:
    """A running arena with all bots on their way to it."""

    arena: ArenaClient
    """With all rights."""
    plan: DemoPlan
    processes: tuple[Child, ...]
    """What was started: the arena, unless it ran before, and the bots."""

    def wait_for_bots(self) -> None:
        """All bots are connected, so that nobody is left out of the first matches.

        Raises:
            CliError: a process has ended, or a bot does not come.
        """
        deadline = time.monotonic() + _DIAL_SECONDS
        for entrant in self.plan.cast:
            request = bot_pb2.GetBotRequest(name=f"bots/{entrant.bot}")
            while not self.arena.bots.GetBot(request).bot.connections:
                self.check_alive()
                if time.monotonic() > deadline:
                    raise CliError(f"The bot {entrant.bot} does not connect: look at what it wrote.")
                time.sleep(_POLL_SECONDS)

    @contextmanager
    def blamed(self) -> Iterator[None]:
        """If a call fails inside because a process has ended, that is what is said."""
        try:
            yield
        except grpc.RpcError:
            time.sleep(_POLL_SECONDS)  # the connection breaks a moment before the process has ended
            self.check_alive()
            raise

    def check_alive(self) -> None:
        """All processes run.

        Raises:
            CliError: one has ended; with the last lines it wrote.
        """
        for child in self.processes:
            code = child.code()
            if code is not None:
                raise CliError(
                    f"{child.name} ended in the middle of the demo ({ended(code)}):\n{child.tail()}"
                )


@contextmanager
def stage(data: Path, plan: DemoPlan, interruption: Interruption) -> Iterator[DemoBots]:
    """Arena and bots run inside; whatever was started has ended afterwards, in whichever way it is left."""
    logs = data / PROCESS_LOGS
    for folder in reversed((logs, *logs.parents)):
        folder.mkdir(mode=0o700, exist_ok=True)  # `parents=True` would leave those above open to everybody
    started: list[Child] = []

    def start(child: Child) -> Child:
        started.append(child)
        return child

    with ExitStack() as stack, _told_at_once():
        stack.callback(_stop, started, interruption)
        local = local_arena.already_running(data)
        if local is None:
            with interruption.held():
                child = start(local_arena.start(data, logs / "arena.log"))
            local = local_arena.wait_for(child, data)
            say(f"The arena runs at {local.running.tcp}, its data is in {data}.")
        else:
            say(f"An arena runs on {data} already, at {local.running.tcp}: it is used, and left running.")
        arena = stack.enter_context(local.connect())
        stack.enter_context(_paused_on_failure(arena))
        bots.enter_all(arena, plan)
        for entrant in plan.cast:
            token = bots.new_token(arena, entrant.bot).secret
            with interruption.held():
                start(entrant.start(local.running.tcp, token, logs / f"{entrant.bot}.log"))
        say(f"Bots dial in, each a process of its own: {', '.join(entrant.bot for entrant in plan.cast)}.")
        players = DemoBots(arena, plan, tuple(started))
        with players.blamed():
            players.wait_for_bots()
            yield players


@contextmanager
def _told_at_once() -> Iterator[None]:
    """Whoever interrupts is told what goes on: the arena lets matches in play end before it closes."""
    try:
        yield
    except Interrupted:
        say("Stopping: matches in play may end first, which takes up to 10 s. Ctrl-C again ends at once.")
        raise


@contextmanager
def _paused_on_failure(arena: ArenaClient) -> Iterator[None]:
    """If the demo is cut short, the arena pairs no more bots that are about to go."""
    try:
        yield
    except BaseException:
        with suppress(grpc.RpcError):
            arena.ladders.PauseLadder(ladder_pb2.PauseLadderRequest(name=LADDER), timeout=_PAUSE_SECONDS)
        raise


def _stop(started: list[Child], interruption: Interruption) -> None:
    """The arena goes first, so that matches cut short are its own fault and no bot's."""
    interruption.ignore()
    stop_all(started[:1], hurry=interruption.again)
    stop_all(started[1:], hurry=interruption.again)
