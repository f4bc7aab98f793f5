"""One match on this machine: a socket in a temporary folder, one process per bot."""

import asyncio
import os
import secrets
import signal
import tempfile
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.cli.framework.errors import CliError
from arena.cli.framework.processes import Child, format_exit, stop_all
from arena.cli.play.participants import Participant
from arena.cli.viewer import Follow
from arena.core.endings.terminations import Termination
from arena.core.units import SOCKET_PATH_BYTES
from arena.match_log.keys import SigningKey
from arena.server.local_match import LocalMatch, LocalPlan

HELLO_SECONDS: Final = 60.0
"""How long a bot may take to connect, in seconds."""

LEAVE_SECONDS: Final = 3.0
"""How long a bot may take to exit after the match, in seconds."""

_POLL_SECONDS: Final = 0.05
_TAIL_LINES: Final = 15


@dataclass(frozen=True, slots=True)
class LocalResult:
    """A finished match."""

    log: bytes
    """The log file."""
    written: tuple[str, ...]
    """The last lines of output, by seat."""


async def play_local(
    plan: LocalPlan,
    participants: tuple[Participant, ...],
    key: SigningKey,
    *,
    follow: Follow,
    keep: Callable[[bytes], None],
) -> LocalResult:
    """Play the match to its end, shown by `follow`; no process remains.

    `keep` gets the log file as soon as the match has ended, even if it is still being shown.

    Raises:
        CliError: a bot cannot be started, ends before the match begins, or sends no hello.
        FailedPreconditionError: a bot does not accept the match.
    """
    tokens = {secrets.token_hex(16): participant.bot for participant in participants}
    # Not in the default folder if the socket's path would be too long.
    usual = os.fsencode(tempfile.gettempdir())
    root = None if len(usual) + len("/arena-12345678/arena.sock") <= SOCKET_PATH_BYTES else "/tmp"
    with tempfile.TemporaryDirectory(prefix="arena-", dir=root) as name:
        folder = Path(name)
        socket = folder / "arena.sock"
        match = LocalMatch(plan, tokens, key)
        async with (
            match.open(socket),
            _programs(participants, tokens, f"unix://{socket}", folder) as children,
        ):
            await _wait_for_hellos(match, children)
            log = await _play(match, children, follow, keep)
        return LocalResult(log, tuple(child.tail(_TAIL_LINES) for child in children))


@asynccontextmanager
async def _programs(
    participants: tuple[Participant, ...], tokens: dict[str, str], address: str, folder: Path
) -> AsyncGenerator[list[Child]]:
    """Run all programs inside; none runs afterwards."""
    children: list[Child] = []
    leave = 0.0
    try:
        for participant, token in zip(participants, tokens, strict=True):
            children.append(participant.start(address, token, folder / f"{participant.bot}.log"))
        yield children
        leave = LEAVE_SECONDS
    finally:
        deadline = time.monotonic() + leave
        await asyncio.shield(asyncio.to_thread(stop_all, children, hurry=lambda: time.monotonic() > deadline))


async def _wait_for_hellos(match: LocalMatch, children: list[Child]) -> None:
    """Wait until every bot has sent its hello."""
    deadline = time.monotonic() + HELLO_SECONDS
    while match.missing:
        _check_alive(children)
        if time.monotonic() > deadline:
            late = next(child for child in children if child.name in match.missing)
            raise CliError(
                f"{late.name} sent no hello within {HELLO_SECONDS:.0f} s. It must connect to ARENA_ADDRESS with "
                f"the token in ARENA_TOKEN (docs/protocol.md).{_what_it_wrote(late)}"
            )
        await asyncio.sleep(_POLL_SECONDS)


async def _play(
    match: LocalMatch, children: list[Child], follow: Follow, keep: Callable[[bytes], None]
) -> bytes:
    playing = asyncio.create_task(match.play())
    await asyncio.sleep(0)  # from here on there is a spectator view

    async def show() -> None:
        if match.spectator_view is not None:
            await follow(match.spectator_view)

    following = asyncio.create_task(show())
    try:
        while not playing.done():
            await asyncio.wait({playing}, timeout=_POLL_SECONDS)
            _check_programs(match, children)
        keep(playing.result())
        await following
    finally:
        playing.cancel()
        following.cancel()
    return playing.result()


def _check_programs(match: LocalMatch, children: list[Child]) -> None:
    """Report programs that have ended; before the match begins, raise CliError."""
    if not match.begun:
        _check_alive(children)
        return
    for seat, child in enumerate(children):
        if (code := child.code()) is not None:
            how = Termination.EXITED if code >= 0 else Termination.SIGNALLED
            match.program_ended(seat, how, str(code) if code >= 0 else signal.Signals(-code).name)


def _check_alive(children: list[Child]) -> None:
    for child in children:
        if (code := child.code()) is not None:
            how = f"ended before the match began ({format_exit(code)})"
            raise CliError(f"{child.name} {how}.{_what_it_wrote(child)}")


def _what_it_wrote(child: Child) -> str:
    text = child.tail(_TAIL_LINES)
    return f" Its output:\n{text}" if text else " It printed nothing."
