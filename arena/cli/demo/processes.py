"""The processes of the demo: the arena and the bots."""

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
from arena.cli.framework.output import print_line
from arena.cli.framework.processes import Child, format_exit, stop_all
from arena.cli.framework.signals import Interrupted, Interruption
from arena.cli.token import bot_token
from arena.v1 import bot_pb2, ladder_pb2

PROCESS_LOGS: Final = "processes"
"""The folder, in the data folder, of the output of the processes."""

_DIAL_SECONDS = 30.0
_POLL_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class DemoBots:
    """A running arena and its bots."""

    arena: ArenaClient
    """With all rights."""
    plan: DemoPlan
    processes: tuple[Child, ...]
    """The started processes: the bots, and the arena unless it ran before."""

    def wait_for_bots(self) -> None:
        """Wait until all bots are connected. Raises CliError if one ends or does not connect."""
        deadline = time.monotonic() + _DIAL_SECONDS
        for participant in self.plan.participants:
            request = bot_pb2.GetBotRequest(name=f"bots/{participant.bot}")
            while not self.arena.bots.GetBot(request).bot.connections:
                self.check_alive()
                if time.monotonic() > deadline:
                    raise CliError(f"The bot {participant.bot} does not connect. See its output.")
                time.sleep(_POLL_SECONDS)

    @contextmanager
    def blame_ended_processes(self) -> Iterator[None]:
        """Report a process that has ended in place of the RPC error that follows from it."""
        try:
            yield
        except grpc.RpcError:
            time.sleep(_POLL_SECONDS)  # the connection breaks a moment before the process has ended
            self.check_alive()
            raise

    def check_alive(self) -> None:
        """Raise CliError with the last output of a process that has ended."""
        for child in self.processes:
            code = child.code()
            if code is not None:
                raise CliError(f"{child.name} ended during the demo ({format_exit(code)}):\n{child.tail()}")


@contextmanager
def running_demo(data: Path, plan: DemoPlan, interruption: Interruption) -> Iterator[DemoBots]:
    """Run arena and bots inside; all that was started has ended afterwards."""
    logs = data / PROCESS_LOGS
    for folder in reversed((logs, *logs.parents)):
        folder.mkdir(mode=0o700, exist_ok=True)  # `parents=True` would leave those above open to everybody
    started: list[Child] = []

    def start(child: Child) -> Child:
        started.append(child)
        return child

    def stop() -> None:
        """Stop the arena first, so that interrupted matches are no bot's fault."""
        interruption.ignore()
        stop_all(started[:1], hurry=interruption.again)
        stop_all(started[1:], hurry=interruption.again)

    with ExitStack() as stack, _announce_stop():
        stack.callback(stop)
        local = local_arena.already_running(data)
        if local is None:
            with interruption.held():
                child = start(local_arena.start(data, logs / "arena.log"))
            local = local_arena.wait_for(child, data)
            print_line(f"Started an arena at {local.running.tcp}. Its data is in {data}.")
        else:
            print_line(f"Using the arena that is already running on {data}, at {local.running.tcp}.")
        arena = stack.enter_context(local.connect())
        stack.enter_context(_paused_on_failure(arena))
        bots.register_bots(arena, plan)
        for participant in plan.participants:
            token = bot_token(arena, participant.bot, expire_days=1).secret
            with interruption.held():
                start(participant.start(local.running.tcp, token, logs / f"{participant.bot}.log"))
        names = ", ".join(participant.bot for participant in plan.participants)
        print_line(f"Started the bots, each as a process of its own: {names}.")
        players = DemoBots(arena, plan, tuple(started))
        with players.blame_ended_processes():
            players.wait_for_bots()
            yield players


@contextmanager
def _announce_stop() -> Iterator[None]:
    """Print at once that the demo stops: the arena first lets running matches end."""
    try:
        yield
    except Interrupted:
        print_line(
            "Stopping. Matches in play may end first, for up to 10 s. Press Ctrl-C again to stop at once."
        )
        raise


@contextmanager
def _paused_on_failure(arena: ArenaClient) -> Iterator[None]:
    """Pause the ladder if the demo fails, so that no more matches start."""
    try:
        yield
    except BaseException:
        with suppress(grpc.RpcError):
            arena.ladders.PauseLadder(ladder_pb2.PauseLadderRequest(name=LADDER), timeout=2.0)
        raise
