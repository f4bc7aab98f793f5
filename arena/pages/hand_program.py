"""The program by which one person plays by hand: started by the pages, and asked by them for its page and state."""

import asyncio
import re
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Mapping
from contextlib import suppress
from typing import Final, NamedTuple
from urllib.parse import SplitResult, urlsplit

from arena.pages.reads import PageError
from arena.v1 import match_pb2

ANSWER_S: Final = 30.0
"""A request for news is answered within 20 s."""
ANSWER_BYTES: Final = 16 * 1024 * 1024
REQUESTS: Final = 6
"""Requests to one program at the same time."""

_ADDRESS: Final = re.compile(rb"http://127\.0\.0\.1:[0-9]+/[A-Za-z0-9_-]+/")
_HEAD_BYTES: Final = 64 * 1024


class BoardAnswer(NamedTuple):
    """What the program has answered."""

    status: int
    kind: str
    """Its media type."""
    body: bytes


class HandProgram:
    """One person who plays one challenge by hand."""

    def __init__(self, process: Process, bot: str, opponent: str, token: str) -> None:
        """`bot`, `opponent`, `token`: resource names."""
        self._process = process
        self.bot = bot
        self.opponent = opponent
        self.token = token
        self.tournament = ""
        """The challenge; empty until it is made."""
        self.matches: list[match_pb2.Match] = []
        """The matches of the challenge, oldest first, as they were a moment ago."""
        self.over = False
        self._board: SplitResult | None = None
        """Where the program shows the matches, one after the other."""
        self._requests = 0
        self._reading = asyncio.create_task(self._read())

    @property
    def has_board(self) -> bool:
        """Whether the program has begun to show its page."""
        return self._board is not None

    @property
    def runs(self) -> bool:
        """Whether the program runs."""
        return self._process.returncode is None

    async def _read(self) -> None:
        """Note the address that the program prints."""
        assert self._process.stdout is not None
        with suppress(ValueError):  # a line without an end; it prints none
            async for line in self._process.stdout:
                if self._board is None and (found := _ADDRESS.search(line)):
                    self._board = urlsplit(found[0].decode())

    async def ask(self, method: str, place: str, body: bytes = b"") -> BoardAnswer:
        """Return what the program answers for a place below its page.

        Raises PageError: 410, it has ended; 503, it does not answer now, or is asked too much at once.
        """
        gone = PageError(410, "You do not play here now.")
        if self._board is None or not self.runs:
            raise gone
        if self._requests >= REQUESTS:
            raise PageError(503, "This board is open in many windows. Close some.")
        self._requests += 1
        try:
            async with asyncio.timeout(ANSWER_S):
                return await _ask(self._board, method, place, body)
        except TimeoutError as error:
            raise PageError(503, "The program of the match does not answer now. Try again.") from error
        except (OSError, EOFError, ValueError, asyncio.LimitOverrunError) as error:
            raise gone from error
        finally:
            self._requests -= 1

    async def end(self) -> None:
        """End the program. A match that it plays is lost as by a lost connection."""
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()
        await self._reading
        self.over = True


async def start_hand_program(
    environment: Mapping[str, str], bot: str, opponent: str, token: str, secret: str
) -> HandProgram:
    """Start the program as a bot. `environment`: names the arena; `token`: its name, `secret`: the token itself."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "arena.human", "--browser", "--served"),
        stdin=DEVNULL,
        stdout=PIPE,
        stderr=DEVNULL,
        env={**environment, "ARENA_TOKEN": secret},
        start_new_session=True,
    )
    return HandProgram(process, bot, opponent, token)


async def _ask(board: SplitResult, method: str, place: str, body: bytes) -> BoardAnswer:
    assert board.hostname is not None
    reader, writer = await asyncio.open_connection(board.hostname, board.port, limit=_HEAD_BYTES)
    try:
        lines = [
            f"{method} {board.path}{place} HTTP/1.1",
            f"Host: {board.netloc}",
            "Connection: close",
            *([f"Content-Length: {len(body)}", "Content-Type: application/json"] if body else []),
        ]
        writer.write("\r\n".join((*lines, "", "")).encode() + body)
        await writer.drain()
        first, *fields = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in fields)}
        size = int(headers.get("content-length", "0"))
        if size > ANSWER_BYTES:
            raise ValueError(f"{size} bytes")
        return BoardAnswer(
            int(first.split()[1]), headers.get("content-type", ""), await reader.readexactly(size)
        )
    finally:
        writer.close()
