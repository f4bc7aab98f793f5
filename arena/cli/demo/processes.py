"""The processes of the demo: the arena and the bots; and the report at its end."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import grpc

from arena.cli.demo.commands import LADDER, DemoPlan, register_bots
from arena.cli.framework.connection import ArenaClient
from arena.cli.framework.errors import CliError, CommandExit
from arena.cli.framework.output import err, out, print_line, progress_bar, show, table_of
from arena.cli.framework.processes import Child, format_exit, stop_all, without_arena
from arena.cli.framework.signals import Interrupted, Interruption
from arena.cli.framework.target import RunningArena, Target, running_on
from arena.cli.ladder.standings import THINKING, standings_of, standings_table
from arena.cli.log.verification import VERDICTS, Verifier, worst
from arena.cli.log.verify import with_logs
from arena.cli.match_data import log_of_match, match_filter
from arena.cli.token import bot_token
from arena.drawings.wording import counted
from arena.pages.export import export_pages
from arena.pages.links import file_of
from arena.pages.reads import Connection, PageError
from arena.v1 import bot_pb2, game_pb2, ladder_pb2
from arena.wire.wording import short

PROCESS_LOGS: Final = "processes"
"""The folder, in the data folder, of the output of the processes."""

PAGES: Final = "pages"
"""The folder, in the data folder, of the web pages."""

_REPLAYS: Final = 24
"""So many of the newest matches get a page with their replay, which takes up to half a second each."""

START_SECONDS: Final = 30.0
"""How long an arena may take to answer, and bots to connect, in seconds."""

_ANSWER_SECONDS: Final = 2.0
_POLL_SECONDS: Final = 0.05


@dataclass(frozen=True, slots=True)
class LocalArena:
    """An arena that answers."""

    running: RunningArena
    token: str
    """Its organiser token."""


def already_running(data: Path, pid: int | None = None) -> LocalArena | None:
    """Return the arena that runs on the folder, or None if there is none or its process is not `pid`."""
    try:
        running = running_on(data)
        if pid not in (None, running.pid):
            return None
        with ArenaClient(running.address, None) as arena:
            arena.games.ListGames(game_pb2.ListGamesRequest(), timeout=_ANSWER_SECONDS)
    except (CliError, grpc.RpcError):
        return None
    token = Target(None, None, data).secret()
    if token is None:
        raise CliError(f"The organiser token of the arena on {data} is missing. Use another --data.")
    return LocalArena(running, token)


def start_arena(data: Path, log: Path) -> Child:
    """Start an arena process on the folder, on any free port."""
    command = [sys.executable, "-m", "arena.cli.app", "serve", "--data", str(data), "--port", "0"]
    return Child("the arena", command, environment=without_arena(os.environ), log=log)


def wait_for(child: Child, data: Path) -> LocalArena:
    """Return the arena that the child process runs, once it answers.

    Raises CliError: it has ended, or does not answer in time.
    """
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if child.code() is not None:
            raise CliError(f"The arena did not start:\n{child.tail()}")
        if (arena := already_running(data, child.pid)) is not None:
            return arena
        time.sleep(_POLL_SECONDS)
    raise CliError(f"The arena did not answer within {START_SECONDS:.0f} s:\n{child.tail()}")


@dataclass(frozen=True, slots=True)
class RunningDemo:
    """A running arena and its bots."""

    arena: ArenaClient
    """With all rights."""
    connection: Connection
    """For web pages."""
    processes: list[Child]
    """The started processes: the bots, and the arena unless it ran before."""

    def wait_for_bots(self, plan: DemoPlan) -> None:
        """Wait until all bots are connected. Raises CliError if one ends or does not connect."""
        deadline = time.monotonic() + START_SECONDS
        for participant in plan.participants:
            request = bot_pb2.GetBotRequest(name=f"bots/{participant.bot}")
            while not self.arena.bots.GetBot(request).bot.connections:
                self.check_alive()
                if time.monotonic() > deadline:
                    raise CliError(f"The bot {participant.bot} does not connect. See its output.")
                time.sleep(_POLL_SECONDS)

    def check_alive(self) -> None:
        """Raise CliError with the last output of a process that has ended."""
        for child in self.processes:
            if (code := child.code()) is not None:
                raise CliError(f"{child.name} ended during the demo ({format_exit(code)}):\n{child.tail()}")


@contextmanager
def running_demo(data: Path, plan: DemoPlan, interruption: Interruption) -> Iterator[RunningDemo]:
    """Run arena and bots inside; all that was started has ended afterwards."""
    logs = data / PROCESS_LOGS
    for folder in reversed((logs, *logs.parents)):
        folder.mkdir(mode=0o700, exist_ok=True)  # `parents=True` would leave those above open to everybody
    started: list[Child] = []

    def stop() -> None:
        """Stop the arena first, so that interrupted matches are no bot's fault."""
        interruption.ignore()
        stop_all(started[:1], hurry=interruption.again)
        stop_all(started[1:], hurry=interruption.again)

    with ExitStack() as stack, _announce_stop():
        stack.callback(stop)
        local = already_running(data)
        if local is None:
            with interruption.held():
                started.append(start_arena(data, logs / "arena.log"))
            local = wait_for(started[0], data)
            print_line(f"Started an arena at {local.running.tcp}. Its data is in {data}.")
        else:
            print_line(f"Using the arena that is already running on {data}, at {local.running.tcp}.")
        client = stack.enter_context(ArenaClient(local.running.address, local.token))
        demo = RunningDemo(client, Connection(local.running.address, local.token), started)
        stack.enter_context(_paused_on_failure(demo.arena))
        register_bots(demo.arena, plan)
        for participant in plan.participants:
            token = bot_token(demo.arena, participant.bot, expire_days=1).secret
            with interruption.held():
                log = logs / f"{participant.bot}.log"
                started.append(participant.start(local.running.tcp, token, log))
        names = ", ".join(participant.bot for participant in plan.participants)
        print_line(f"Started the bots, each as a process of its own: {names}.")
        try:
            demo.wait_for_bots(plan)
            yield demo
        except grpc.RpcError:
            # A process that has ended is reported in place of the error that follows from it.
            time.sleep(_POLL_SECONDS)  # the connection breaks a moment before the process has ended
            demo.check_alive()
            raise


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


def report(arena: ArenaClient, data: Path) -> CommandExit:
    """Print standings, thinking times and verified logs; return whether every log verifies as an exit code."""
    standings = standings_of(arena, LADDER)
    _heading("Standings")
    show(standings_table(standings))
    _heading("Thinking times")
    show(table_of(THINKING, standings.standings))
    verifier = Verifier.of_arena(arena)
    with progress_bar(unit="logs") as bar:
        matches = bar.track(with_logs(arena, match_filter(LADDER)), description="verifying")
        verdicts = [verifier.verify(log_of_match(arena, match)) for match in matches]
    _heading("Logs")
    print_line(f"Match logs: {data / 'logs'}. Output of arena and bots: {data / PROCESS_LOGS}.")
    bad = [verdict for verdict in verdicts if verdict.code is not CommandExit.OK]
    if bad:
        print_line(f"Verdict: {len(verdicts) - len(bad)} of {len(verdicts)} logs verified. The others:")
        show(table_of(VERDICTS, bad))
    else:
        print_line(
            f"Verdict: all {len(verdicts)} logs verified - hash chain, signature, seed commitment, clocks, "
            "placings, and every match replayed by the rules."
        )
    if verdicts:
        example = short(verdicts[0].title)
        print_line(
            f"To see more: `arena serve --data {data}`, then `arena log show {example} --data {data}`. "
            f"The command is in {Path(sys.executable).parent}."
        )
    return worst(verdicts)


def write_pages(connection: Connection, data: Path) -> None:
    """Write the ladder, the bots and the newest matches as web pages, and print where they are."""
    folder = data / PAGES
    _heading("Web pages")
    try:
        with err().status("writing") as status:
            written = export_pages(
                connection, folder, matches=_REPLAYS, progress=lambda what: status.update(f"writing {what}")
            )
    except (PageError, FileExistsError) as error:
        raise CliError(f"The pages could not be written: {error}") from error
    page = folder.resolve() / file_of(LADDER)
    print_line(
        f"Open in a browser: {page} - standings, rating chart, and replays of "
        f"{counted(written.replays, 'match', 'matches')}. No server is needed."
    )


def _heading(text: str) -> None:
    out().print(f"\n[bold]{text}[/bold]")
