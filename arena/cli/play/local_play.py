"""One match on this machine: a socket in a temporary folder, one process per bot."""

import asyncio
import math
import os
import secrets
import signal
import tempfile
import time
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.cli.framework.errors import CliError
from arena.cli.framework.processes import TERMINAL, Child, format_exit, stop_all
from arena.cli.framework.terminal import DEBUGGED
from arena.cli.play.participants import Participant
from arena.cli.program_output import UNBUFFERED, SeatOutput
from arena.cli.viewer import Follow
from arena.core.endings.terminations import Termination
from arena.core.units import SOCKET_PATH_BYTES
from arena.match_log.keys import SigningKey
from arena.server.local_match import Hold, LocalMatch, LocalPlan
from arena.server.local_server import LocalServer

HELLO_SECONDS: Final = 60.0
"""How long a bot may take to connect, in seconds."""

LEAVE_SECONDS: Final = 3.0
"""How long a bot may take to exit after the match, in seconds."""

_POLL_SECONDS: Final = 0.05


@dataclass(frozen=True, slots=True)
class SeatProgram:
    """The program of a seat and what it writes."""

    participant: Participant
    output: SeatOutput
    has_terminal: bool = False
    """Whether a person debugs it or plays with it: it has the terminal, and as much time as it takes."""

    def start(self, address: str, token: str) -> Child:
        """Start it. On the event loop. Raises CliError."""
        if self.has_terminal:
            return self.participant.start(address, token, streams=TERMINAL, settings=DEBUGGED)
        with self.output.streams() as streams:
            return self.participant.start(address, token, streams=streams, settings=UNBUFFERED)


async def play_local(
    plan: LocalPlan,
    programs: tuple[SeatProgram, ...],
    key: SigningKey,
    *,
    follow: Follow,
    keep: Callable[[bytes], None],
    hold: Hold | None = None,
) -> bytes:
    """Play the match to its end, shown by `follow`, and return its log; no process remains.

    `hold` gets each question before its seat. `keep` gets the log file as soon as the match has ended, even if it is
    still being shown.

    Raises:
        CliError: a bot cannot be started, ends before the match begins, or sends no hello.
        FailedPreconditionError: a bot does not accept the match.
    """
    tokens = {secrets.token_hex(16): program.participant.bot for program in programs}
    with socket_folder() as folder:
        socket = folder / "arena.sock"
        server = LocalServer(tokens)
        match = LocalMatch(plan, server, key, [program.output for program in programs], hold)
        async with (
            server.open(socket, len(programs)),
            _running(programs, tokens, f"unix://{socket}") as running,
        ):
            await _wait_for_hellos(match, running)
            log = await _play(match, running, follow, keep)
            await _wait_for_person(running)
        return log


@contextmanager
def socket_folder() -> Iterator[Path]:
    """Yield a new folder for the socket `arena.sock`; it is removed afterwards."""
    # Not in the default folder if the socket's path would be too long.
    usual = os.fsencode(tempfile.gettempdir())
    root = None if len(usual) + len("/arena-12345678/arena.sock") <= SOCKET_PATH_BYTES else "/tmp"
    with tempfile.TemporaryDirectory(prefix="arena-", dir=root) as name:
        yield Path(name)


_Running = list[tuple[SeatProgram, Child]]
"""The programs that were started, by seat."""


@asynccontextmanager
async def _running(
    programs: tuple[SeatProgram, ...], tokens: dict[str, str], address: str
) -> AsyncGenerator[_Running]:
    """Run all programs inside; none runs afterwards, and all of their output was taken."""
    running: _Running = []
    leave = 0.0
    try:
        for program, token in zip(programs, tokens, strict=True):
            running.append((program, program.start(address, token)))
        yield running
        leave = LEAVE_SECONDS
    finally:
        deadline, children = time.monotonic() + leave, [child for _, child in running]
        try:
            await asyncio.shield(
                asyncio.to_thread(stop_all, children, hurry=lambda: time.monotonic() > deadline)
            )
        finally:
            for program in programs:
                program.output.close()


async def _wait_for_hellos(match: LocalMatch, running: _Running) -> None:
    """Wait until every bot has sent its hello; for one that is debugged, as long as it takes."""
    deadline = time.monotonic() + HELLO_SECONDS
    while match.missing:
        _check_alive(running)
        late = [
            program
            for program, _ in running
            if program.participant.bot in match.missing and not program.has_terminal
        ]
        if late and time.monotonic() > deadline:
            raise CliError(
                f"{late[0].participant.bot} sent no hello within {HELLO_SECONDS:.0f} s. It must connect to "
                f"ARENA_ADDRESS with the token in ARENA_TOKEN (docs/protocol.md).{_what_it_wrote(late[0])}"
            )
        await asyncio.sleep(_POLL_SECONDS)


async def _wait_for_person(running: _Running) -> None:
    """Stop the program that has the terminal, in its own time: a person may be looking at the end of the match."""
    for program, child in running:
        if program.has_terminal:
            await asyncio.to_thread(stop_all, [child], within=math.inf)


async def _play(match: LocalMatch, running: _Running, follow: Follow, keep: Callable[[bytes], None]) -> bytes:
    playing = asyncio.create_task(match.play())
    await asyncio.sleep(0)  # from here on there is a spectator view

    async def show() -> None:
        if match.spectator_view is not None:
            await follow(match.spectator_view)

    following = asyncio.create_task(show())
    try:
        while not playing.done():
            await asyncio.wait({playing}, timeout=_POLL_SECONDS)
            _check_programs(match, running)
        keep(playing.result().log)
        await following
    finally:
        playing.cancel()
        following.cancel()
    return playing.result().log


def _check_programs(match: LocalMatch, running: _Running) -> None:
    """Report programs that have ended; before the match begins, raise CliError."""
    if not match.begun:
        _check_alive(running)
        return
    report_ended(match, [child for _, child in running])


def report_ended(match: LocalMatch, children: Sequence[Child]) -> None:
    """Let the seats forfeit whose programs have ended; the match has begun. `children`: by seat."""
    for seat, child in enumerate(children):
        if (code := child.code()) is not None:
            how = Termination.EXITED if code >= 0 else Termination.SIGNALLED
            match.program_ended(seat, how, str(code) if code >= 0 else signal.Signals(-code).name)


def _check_alive(running: _Running) -> None:
    for program, child in running:
        if (code := child.code()) is not None:
            how = f"ended before the match began ({format_exit(code)})"
            raise CliError(f"{child.name} {how}.{_what_it_wrote(program)}{_hint(program, code)}")


def _hint(program: SeatProgram, code: int) -> str:
    """Return what a Python file lacks that ends without an error."""
    is_python = any(word.endswith(".py") for word in program.participant.command)
    return " The file of a Python bot ends with `arena.sdk.run(MyBot)`." if is_python and code == 0 else ""


def _what_it_wrote(program: SeatProgram) -> str:
    if program.has_terminal:
        return ""
    program.output.read()
    return " Its output is above." if program.output.tail() else " It printed nothing."
