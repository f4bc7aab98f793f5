"""The process of the web pages beside the arena: started, watched, and ended with it."""

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

import structlog

from arena.server.child_process import RestartPause

_STOP_WITHIN_S: Final = 3.0
_PLAINTEXT: Final = "ARENA_PLAINTEXT"
"""Says that the network is trusted: people may sign in without encryption."""

_log = structlog.get_logger(__name__)


@asynccontextmanager
async def pages_running(
    data: Path, listening: socket.socket | None, *, json_logs: bool
) -> AsyncIterator[None]:
    """Run `arena pages` on this socket inside; None: run nothing. `json_logs`: the form of its log.

    A fault of the pages cannot harm the arena: they are a process of their own, which is started again when it ends.
    """
    if listening is None:
        yield
        return
    task = asyncio.create_task(_keep_running(data, listening, json_logs=json_logs))
    host, port = listening.getsockname()[:2]
    _log.info("pages served", address=f"http://{f'[{host}]' if ':' in host else host}:{port}/")
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        listening.close()


async def _keep_running(data: Path, listening: socket.socket, *, json_logs: bool) -> None:
    pause = RestartPause()
    while True:
        pause.note_start()
        code = await _run(data, listening, json_logs=json_logs)
        pause_s = pause.after_end()
        _log.error("the pages ended and are started again", code=code, after_s=pause_s)
        await asyncio.sleep(pause_s)


async def _run(data: Path, listening: socket.socket, *, json_logs: bool) -> int:
    """Run the process to its end, and return its exit code; end it when this is cancelled."""
    descriptor = listening.fileno()
    command = [
        *(sys.executable, "-m", "arena.cli.app", "--data", str(data)),
        *("pages", "--socket-fd", str(descriptor), "--log-format", "json" if json_logs else "console"),
    ]
    # It ends when its standard input does, so also when the arena is killed.
    process = subprocess.Popen(  # noqa: ASYNC220 - vfork does not block
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        pass_fds=(descriptor,),
        env={
            name: value
            for name, value in os.environ.items()
            if name == _PLAINTEXT or not name.startswith("ARENA_")
        },
        start_new_session=True,
    )
    try:
        return await asyncio.to_thread(process.wait)
    finally:
        if process.stdin is not None:
            process.stdin.close()
        if process.poll() is None:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                await asyncio.to_thread(process.wait, _STOP_WITHIN_S)
            process.kill()
