"""The programs of a comparison: each plays match after match, one at a time."""

import asyncio
import os
import secrets
import time
from collections.abc import MutableMapping, Sequence
from typing import Final

from arena.cli.framework.errors import CliError
from arena.cli.framework.processes import Streams, format_exit, stop_all
from arena.cli.play.local_play import HELLO_SECONDS, LEAVE_SECONDS
from arena.cli.play.participants import Participant
from arena.cli.program_output import UNBUFFERED
from arena.hosting.host.output import readable
from arena.server.local_server import LocalServer

STARTS: Final = 3
"""So many times in a row a program may fail to start."""

_NAME_LENGTH: Final = 24
_TAIL_BYTES: Final = 4_096
_READ_BYTES: Final = 1 << 16
_POLL_SECONDS: Final = 0.02


class Program:
    """A running program, and the end of what it prints."""

    def __init__(self, participant: Participant, entrant: int, name: str, address: str, token: str) -> None:
        """Start it. `name`: as the server knows it. Raises CliError: it cannot be started."""
        self.participant = participant
        self.entrant = entrant
        self.name = name
        self.token = token
        self._printed = b""
        self._pipe, writing = os.pipe()
        os.set_blocking(self._pipe, False)
        try:
            self.child = participant.start(
                address, token, streams=Streams(stdout=writing, stderr=writing), settings=UNBUFFERED
            )
        except CliError:
            os.close(self._pipe)
            raise
        finally:
            os.close(writing)
        self._is_read = True
        asyncio.get_running_loop().add_reader(self._pipe, self.read)

    def read(self) -> None:
        """Take what it has printed so far; only the end is kept."""
        while self._is_read:
            try:
                data = os.read(self._pipe, _READ_BYTES)
            except BlockingIOError:
                return
            if not data:
                self.close()
            self._printed = (self._printed + data)[-_TAIL_BYTES:]
            if len(data) < _READ_BYTES:
                return

    def tail(self) -> str:
        """Return the last lines that it has printed."""
        self.read()
        return "\n".join(map(readable, self._printed.splitlines()))

    def close(self) -> None:
        """Stop reading. It must have ended."""
        if self._is_read:
            self._is_read = False
            asyncio.get_running_loop().remove_reader(self._pipe)
            os.close(self._pipe)


class ProgramPool:
    """All programs of a comparison: those that play, and those that wait for their next match."""

    def __init__(
        self,
        participants: Sequence[Participant],
        server: LocalServer,
        tokens: MutableMapping[str, str],
        address: str,
    ) -> None:
        """`participants`: by entrant. `tokens`: where the server looks up who connects."""
        self._participants = participants
        self._server = server
        self._tokens = tokens
        self._address = address
        self._idle: list[list[Program]] = [[] for _ in participants]
        self._running: dict[str, Program] = {}
        self._started = 0

    async def take(self, entrant: int) -> Program:
        """Return a connected program of this entrant that plays no match.

        Raises CliError: it failed to start three times in a row.
        """
        while self._idle[entrant]:
            program = self._idle[entrant].pop()
            if program.child.code() is None and self._server.is_there(program.name):
                return program
            await self.end(program)
        why = printed = ""
        for _ in range(STARTS):
            program = self._start(entrant)
            why = await self._wait_for_hello(program)
            if not why:
                return program
            printed = program.tail()
            await self.end(program)
        raise CliError(f"{why} {f'Its last output:{chr(10)}{printed}' if printed else 'It printed nothing.'}")

    def put_back(self, program: Program) -> None:
        """Let it wait for its next match."""
        self._idle[program.entrant].append(program)

    async def end(self, *programs: Program) -> None:
        """Stop programs."""
        await asyncio.to_thread(stop_all, [program.child for program in programs], within=LEAVE_SECONDS)
        for program in programs:
            program.close()
            self._tokens.pop(program.token, None)
            self._running.pop(program.name, None)

    async def end_all(self) -> None:
        """Stop all programs."""
        await self.end(*self._running.values())

    def _start(self, entrant: int) -> Program:
        self._started += 1
        participant, token = self._participants[entrant], secrets.token_hex(16)
        name = f"{participant.bot[:_NAME_LENGTH]}-{self._started}"
        self._tokens[token] = name
        program = self._running[name] = Program(participant, entrant, name, self._address, token)
        return program

    async def _wait_for_hello(self, program: Program) -> str:
        """Wait until a program has connected; return why it has not, a sentence, empty if it has."""
        deadline = time.monotonic() + HELLO_SECONDS
        name = program.participant.bot
        while not self._server.is_there(program.name):
            if (code := program.child.code()) is not None:
                return f"{name} ended before its first match ({format_exit(code)})."
            if time.monotonic() > deadline:
                return (
                    f"{name} sent no hello within {HELLO_SECONDS:.0f} s. It must connect to ARENA_ADDRESS with the "
                    "token in ARENA_TOKEN (docs/protocol.md)."
                )
            await asyncio.sleep(_POLL_SECONDS)
        return ""
