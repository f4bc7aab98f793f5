"""One program of a hosted bot from its start to its end: its folder, its socket, its sessions, how it ended."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Final, Protocol

from arena.core.faults import program_lost
from arena.core.terminations import SeatEnding
from arena.hosting.output_lines import OutputLines
from arena.players import outgoing
from arena.players.hello import Identity
from arena.players.seat import AssignedSeat
from arena.players.session import Session
from arena.runner.timers import Timers
from arena.sandbox.ending import Ending, Verdict
from arena.sandbox.errors import SandboxError
from arena.sandbox.output import Stream
from arena.sandbox.program import Limits, Program

HELLO_WITHIN_S: Final = 10.0
"""How long a program has from its start to its hello (docs/bad_inputs.md row 34)."""

LEAVE_WITHIN_S: Final = 1.0
"""How long a program has from the arena's goodbye until it is ended (row 40)."""

STOP_GRACE_S: Final = 1.0
"""From SIGTERM to SIGKILL."""

_NOT_NEEDED: Final = outgoing.Goodbye(
    outgoing.GoodbyeCode.DONE,
    "The arena has no match for this program now; it starts it again when there is one.",
)


class Door(Protocol):
    """A socket at which one program finds the arena."""

    async def close(self) -> None:
        """Nobody is heard there any more."""
        ...


OpenDoor = Callable[[Path, Identity, Callable[[Session], None]], Awaitable[Door]]
"""Serves Play at a socket to one program, known by the socket alone; tells of each session that it opens."""


class Running(Protocol):
    """A program in the sandbox, as far as it is needed here; see `arena.sandbox.running`."""

    @property
    def is_ending(self) -> bool:
        """Whether it has ended, or is being ended."""
        ...

    def tell(self, heard: Callable[[Stream, bytes], None]) -> None:
        """`heard` is called with what it writes from now on."""
        ...

    def catch_up(self) -> None:
        """What it has written by now is told."""
        ...

    def forgive_output(self) -> None:
        """What it has written so far does not count any more for the limit that ends it."""
        ...

    async def wait(self) -> Ending:
        """How it ended."""
        ...

    async def stop(self, grace_s: float) -> Ending:
        """It has ended."""
        ...


class StartsPrograms(Protocol):
    """The sandbox, as far as it is needed here."""

    async def start(self, program: Program, limits: Limits) -> Running:
        """Raises SandboxError if it cannot be started at all."""
        ...


class How(Enum):
    """How a program has come to its end."""

    LEFT = "left"
    """It was asked to."""
    ENDED = "ended"
    """By itself, or by a limit of its sandbox."""
    SILENT = "silent"
    """It said no hello in time."""
    NOT_STARTED = "not started"
    """The arena could not start it: no fault of the bot."""
    LOST = "lost"
    """The arena has lost it while it ran: no fault of the bot either, and its matches are void."""


@dataclass(frozen=True, slots=True)
class Departure:
    """The end of a program."""

    how: How
    sentence: str
    """What happened."""
    ending: Ending | None = None
    """None if there was no program."""
    overstayed: bool = False
    """Whether it had to be ended after it was asked to leave."""
    blamed: bool = False
    """Whether it was the bot's fault."""


@dataclass(frozen=True, slots=True)
class Casting:
    """What is run, and as whom."""

    identity: Identity
    program: Program
    limits: Limits
    socket: Path
    """Where it finds the arena, as the arena sees it."""


class HostedProgram:
    """A program, from before its start until nothing of it is left. Must be made with the loop running."""

    def __init__(
        self, casting: Casting, sandbox: StartsPrograms, open_door: OpenDoor, timers: Timers
    ) -> None:
        """Nothing happens before `live`. The folder of the socket is there, and is this program's own."""
        self.identity = casting.identity
        self.sessions: list[Session] = []
        self.retired = False
        """Whether it plays no match that has not begun."""
        self.gone = False
        """Whether it has ended, or is being ended."""
        self.seated = False
        """Whether it has ever had a seat."""
        self.played = 0
        """Matches that it has played to their end."""
        self.begun_at = timers.now()
        self.idle_since = self.begun_at
        """When it was last seen to play, or has said hello."""
        self.hello_within_s = HELLO_WITHIN_S
        """How long it has from its start to its hello."""
        self._casting = casting
        self._sandbox = sandbox
        self._open_door = open_door
        self._timers = timers
        self._cleared: Callable[[], None] = _nothing
        self._running: Running | None = None
        self._output = OutputLines(self._seats)
        loop = asyncio.get_running_loop()
        self._greeted: asyncio.Future[None] = loop.create_future()
        self._asked: asyncio.Future[str] = loop.create_future()

    def when_gone(self, call: Callable[[], None]) -> None:
        """`call` is called when nothing of it is left."""
        self._cleared = call

    def when_greeted(self, call: Callable[[], None]) -> None:
        """`call` is called soon after its first hello."""
        self._greeted.add_done_callback(lambda _: call())

    @property
    def greeted(self) -> bool:
        """Whether it has said hello."""
        return self._greeted.done()

    @property
    def leaving(self) -> bool:
        """Whether it was asked to leave."""
        return self._asked.done()

    @property
    def busy(self) -> bool:
        """Whether it has seats, those included whose match it has not heard the end of."""
        return any(session.seats for session in self.sessions)

    @property
    def present(self) -> bool:
        """Whether it has a connection."""
        return any(session.present for session in self.sessions)

    def retire(self) -> None:
        """It takes no more matches; those that it plays go on."""
        self.retired = True
        for session in self.sessions:
            session.retired = True

    def leave(self, blame: str = "") -> None:
        """It is asked to leave; with a sentence of blame if that is because of a fault of its own."""
        self.retire()
        if not self._asked.done():
            self._asked.set_result(blame)

    def take_session(self, session: Session) -> None:
        """It has said hello."""
        session.retired = self.retired
        session.listen = self._listen
        session.program_ends = self._ends
        self.sessions = [each for each in self.sessions if each.present or each.seats]
        if session not in self.sessions:
            self.sessions.append(session)
        self.idle_since = self._timers.now()
        if not self._greeted.done():
            self._greeted.set_result(None)

    def void_matches(self, why: str) -> None:
        """What it plays is void by the arena's fault. `why`: a sentence part for everybody."""
        cause = program_lost(self.identity.bot, why)
        for session in self.sessions:
            session.void_seats(cause)

    def note_played(self) -> None:
        """It has played a match to its end."""
        self.played += 1
        self.idle_since = self._timers.now()
        if self._running is not None:
            self._running.forgive_output()

    def _seats(self) -> Iterable[AssignedSeat]:
        return (seat for session in self.sessions for seat in session.seats.values())

    def _ends(self) -> bool:
        """Whether it has ended, and how is not known yet."""
        return not self.gone and self._running is not None and self._running.is_ending

    def _listen(self) -> None:
        """What it has printed so far is kept, and what it printed before its match goes to that."""
        if self._running is not None:
            self._running.catch_up()
        self._output.heard(Stream.STDOUT, b"")

    async def live(self) -> Departure:
        """The program is started, and runs until it ends or is asked to leave; then nothing of it is left."""
        casting = self._casting
        door: Door | None = None
        try:
            door = await self._open_door(casting.socket, self.identity, self.take_session)
            running = await self._sandbox.start(casting.program, casting.limits)
            running.tell(self._output.heard)
            self._running = running
            departure = await self._until_over(running)
        except (SandboxError, OSError) as error:
            departure = Departure(How.NOT_STARTED, str(error))
            self.void_matches("the sandbox failed")
        finally:
            self.gone = True
            if door is not None:
                await door.close()
            self._cleared()
        return departure

    async def _until_over(self, running: Running) -> Departure:
        ended = asyncio.create_task(running.wait())
        try:
            await _first({ended, self._greeted, self._asked}, self.hello_within_s)
            if self._greeted.done():
                await _first({ended, self._asked}, None)
            if ended.done():
                return self._ended(ended.result())
            return await self._see_off(running, ended)
        finally:
            self.gone = True
            ended.cancel()
            # Without effect once it has ended; otherwise the arena itself is being broken off.
            await running.stop(0.0)

    def _ended(self, ending: Ending) -> Departure:
        """It has ended by itself: it loses what it plays, with the evidence; its owner can read its last words."""
        self.gone = True
        self.retire()
        self._output.over()  # before its matches hear of it, and have their result
        if ending.verdict is Verdict.LOST:
            self.void_matches("its launcher was ended from outside")
            return Departure(How.LOST, ending.sentence, ending)
        played_on = self.busy
        for session in self.sessions:
            session.end_seats(_by(ending))
        orderly = ending.code == 0 and self.played > 0 and not played_on
        return Departure(How.ENDED, ending.sentence, ending, blamed=not orderly)

    async def _see_off(self, running: Running, ended: asyncio.Task[Ending]) -> Departure:
        """It is told goodbye if it is there, and has a moment to end by itself."""
        self.gone = True
        asked = self._asked.done()
        overstayed = asked and self.present
        if overstayed:
            for session in self.sessions:
                if session.link is not None:
                    session.link.end(_NOT_NEEDED)
            await _first({ended}, LEAVE_WITHIN_S)
            overstayed = not ended.done()
        ending = await running.stop(STOP_GRACE_S)
        if not asked:
            sentence = f"It said no hello within {self.hello_within_s:g} s of its start."
            return Departure(How.SILENT, sentence, ending, blamed=True)
        blame = self._asked.result()
        sentence = blame or "It was asked to leave."
        return Departure(How.LEFT, sentence, ending, overstayed=overstayed, blamed=bool(blame))


def _nothing() -> None:
    """Nobody is to be told."""


def _by(ending: Ending) -> Callable[[int], SeatEnding]:
    return ending.seat_ending


async def _first(waiting: Iterable[asyncio.Future[Any]], within_s: float | None) -> None:
    """Returns when one of them is done, or after this time."""
    await asyncio.wait(set(waiting), timeout=within_s, return_when=asyncio.FIRST_COMPLETED)
