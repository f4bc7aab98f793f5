"""One program of a hosted bot from its start to its end: its folder, its socket, its sessions, how it ended."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Final, Protocol

from arena.core.clock.processor_use import WAIT_AGAIN_NS, ProcessorUse
from arena.core.endings.arena_faults import program_lost
from arena.core.endings.terminations import SeatEnding
from arena.core.units import NS_PER_S
from arena.hosting.host.output import OutputLines
from arena.hosting.host.processor_history import READ_EVERY_NS, ProcessorHistory
from arena.runner.timers import Timers
from arena.sandbox.exit_status import ExitReason, ExitStatus
from arena.sandbox.output import Stream
from arena.sandbox.process_spec import ProcessLimits, ProcessSpec, SandboxError
from arena.sandbox.processor_time import ProcessorReading
from arena.sessions import outgoing
from arena.sessions.handshake import Identity
from arena.sessions.seat import AssignedSeat
from arena.sessions.session import Session

HELLO_WITHIN_S: Final = 10.0
"""How long a program has from its start to its hello (docs/bad_inputs.md row 34), time in which it got no processor
left out."""

START_WALL_S: Final = 120.0
"""A program that has said no hello after this time on the wall is ended in any case. If it was waiting for a processor,
the machine is to blame, and not the bot."""

_LOOK_S: Final = 0.25
"""A program that starts is looked at so often: what a thread has waited is known only as long as the thread is
there."""

LEAVE_WITHIN_S: Final = 1.0
"""How long a program has from the arena's goodbye until it is ended (row 40)."""

STOP_GRACE_S: Final = 1.0
"""From SIGTERM to SIGKILL."""


_NOT_NEEDED: Final = outgoing.Goodbye(
    outgoing.GoodbyeCode.DONE,
    "The arena has no match for this program now; it starts it again when there is one.",
)


class ProcessSocket(Protocol):
    """A socket at which one program finds the arena."""

    async def close(self) -> None:
        """Nobody is heard there any more."""
        ...


OpenDoor = Callable[[Path, Identity, Callable[[Session], None]], Awaitable[ProcessSocket]]
"""Serves Play at a socket to one program, known by the socket alone; tells of each session that it opens."""


class RunningProcess(Protocol):
    """A program in the sandbox, as far as it is needed here; see `arena.sandbox.process`."""

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

    def processor(self, now_ns: int) -> ProcessorReading | None:
        """What it has had of the processors by now; None where the machine does not tell."""
        ...

    async def wait(self) -> ExitStatus:
        """How it ended."""
        ...

    async def stop(self, grace_s: float) -> ExitStatus:
        """It has ended."""
        ...


class ProcessStarter(Protocol):
    """The sandbox, as far as it is needed here."""

    async def start(self, program: ProcessSpec, limits: ProcessLimits) -> RunningProcess:
        """Raises SandboxError if it cannot be started at all."""
        ...


class ProcessEnd(Enum):
    """How a program has come to its end."""

    LEFT = "left"
    """It was asked to."""
    ENDED = "ended"
    """By itself, or by a limit of its sandbox."""
    SILENT = "silent"
    """It said no hello in time."""
    STARVED = "starved"
    """It said no hello because it got no processor: no fault of the bot."""
    NOT_STARTED = "not started"
    """The arena could not start it: no fault of the bot."""
    LOST = "lost"
    """The arena has lost it while it ran: no fault of the bot either, and its matches are void."""


@dataclass(frozen=True, slots=True)
class ProcessDeparture:
    """The end of a program."""

    how: ProcessEnd
    sentence: str
    """What happened."""
    ending: ExitStatus | None = None
    """None if there was no program."""
    overstayed: bool = False
    """Whether it had to be ended after it was asked to leave."""
    blamed: bool = False
    """Whether it was the bot's fault."""


@dataclass(frozen=True, slots=True)
class LaunchSpec:
    """What is run, and as whom."""

    identity: Identity
    program: ProcessSpec
    limits: ProcessLimits
    socket: Path
    """Where it finds the arena, as the arena sees it."""


class HostedProcess:
    """A program, from before its start until nothing of it is left. Must be made with the loop running."""

    def __init__(
        self,
        spec: LaunchSpec,
        sandbox: ProcessStarter,
        open_door: OpenDoor,
        timers: Timers,
        *,
        starting: asyncio.Semaphore | None = None,
        stalled: Callable[[int, int], int] | None = None,
    ) -> None:
        """Nothing happens before `live`. The folder of the socket is there, and is this program's own.

        `starting`: held from its start to its hello; `stalled`: how much of a span the arena stood still.
        """
        self.identity = spec.identity
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
        self.starved = False
        """Whether its start was given up because the machine had no processor for it."""
        self._spec = spec
        self._sandbox = sandbox
        self._open_door = open_door
        self._timers = timers
        self._cleared: Callable[[], None] = _nothing
        self._starting = starting or asyncio.Semaphore()
        self._stalled = stalled or _never
        self._history: ProcessorHistory | None = None
        self._running: RunningProcess | None = None
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
        session.processor = self.processor
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

    # The processors

    def processor(self, started: int, now: int) -> ProcessorUse | None:
        """What it has had of the processors from soon after `started` until now; None if that is not known."""
        return None if self._history is None or self.gone else self._history.since(started, now)

    def look(self, now: int) -> None:
        """It is looked at if it has something to answer, and is due to be."""
        history = self._history
        if history is None or self.gone:
            return
        asked = [since for seat in self._seats() if (since := seat.expected_since) is not None]
        if asked and (max(asked) > history.read_at or now - history.read_at >= READ_EVERY_NS):
            history.look(now)

    @property
    def waited_ns(self) -> int:
        """How long it has been ready to run and got no processor, as far as it was looked at."""
        return 0 if self._history is None else self._history.waited_ns

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

    async def live(self) -> ProcessDeparture:
        """The program is started, and runs until it ends or is asked to leave; then nothing of it is left."""
        spec = self._spec
        door: ProcessSocket | None = None
        try:
            door = await self._open_door(spec.socket, self.identity, self.take_session)
            departure = await self._run()
        except (SandboxError, OSError) as error:
            departure = ProcessDeparture(ProcessEnd.NOT_STARTED, str(error))
            self.void_matches("the sandbox failed")
        finally:
            self.gone = True
            if door is not None:
                await door.close()
            self._cleared()
        return departure

    async def _run(self) -> ProcessDeparture:
        """It runs, once it is its turn to be started, until it ends or is asked to leave."""
        async with AsyncExitStack() as starting:
            await starting.enter_async_context(self._starting)
            if self.leaving:
                return ProcessDeparture(ProcessEnd.LEFT, "It was asked to leave before it was started.")
            running = await self._begin()
            ended = asyncio.create_task(running.wait())
            try:
                await self._until_greeted(ended)
                await starting.aclose()  # the next one is started
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

    async def _begin(self) -> RunningProcess:
        running = await self._sandbox.start(self._spec.program, self._spec.limits)
        self.begun_at = self._timers.now()
        running.tell(self._output.heard)
        self._running = running
        self._history = ProcessorHistory(running.processor, self._stalled, self.begun_at)
        return running

    async def _until_greeted(self, ended: asyncio.Task[ExitStatus]) -> None:
        """It has said hello, has ended, was asked to leave, or its time for that is up."""
        waiting: set[asyncio.Future[Any]] = {ended, self._greeted, self._asked}
        left_s: float | None = self.hello_within_s
        while left_s is not None:
            await _first(waiting, min(left_s, _LOOK_S))
            left_s = None if any(each.done() for each in waiting) else self._still_to_greet_s()

    def _still_to_greet_s(self) -> float | None:
        """How much longer its hello is waited for, time in which it got no processor left out; None if no longer."""
        now = self._timers.now()
        use = self.processor(self.begun_at, now) or ProcessorUse(0, 0)
        elapsed_ns = now - self.begun_at
        _, waited_ns = use.credited(elapsed_ns, 0)
        left_ns = round(self.hello_within_s * NS_PER_S) - elapsed_ns + waited_ns
        if left_ns <= 0 and use.is_settled(-left_ns):
            return None
        wall_s = START_WALL_S - elapsed_ns / NS_PER_S
        self.starved = wall_s <= 0
        return None if self.starved else min(max(left_ns, WAIT_AGAIN_NS) / NS_PER_S, wall_s)

    def _ended(self, ending: ExitStatus) -> ProcessDeparture:
        """It has ended by itself: it loses what it plays, with the evidence; its owner can read its last words."""
        self.gone = True
        self.retire()
        self._output.over()  # before its matches hear of it, and have their result
        if ending.verdict is ExitReason.LOST:
            self.void_matches("its launcher was ended from outside")
            return ProcessDeparture(ProcessEnd.LOST, ending.sentence, ending)
        played_on = self.busy
        for session in self.sessions:
            session.end_seats(_by(ending))
        orderly = ending.code == 0 and self.played > 0 and not played_on
        return ProcessDeparture(ProcessEnd.ENDED, ending.sentence, ending, blamed=not orderly)

    async def _see_off(self, running: RunningProcess, ended: asyncio.Task[ExitStatus]) -> ProcessDeparture:
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
        if self.starved:
            sentence = (
                f"It got no processor for its start within {START_WALL_S:g} s: the machine is overloaded."
            )
            return ProcessDeparture(ProcessEnd.STARVED, sentence, ending)
        if not asked:
            sentence = f"It said no hello within {self.hello_within_s:g} s of its start."
            return ProcessDeparture(ProcessEnd.SILENT, sentence, ending, blamed=True)
        blame = self._asked.result()
        sentence = blame or "It was asked to leave."
        return ProcessDeparture(ProcessEnd.LEFT, sentence, ending, overstayed=overstayed, blamed=bool(blame))


def _never(_since: int, _until: int) -> int:
    """The arena has not stood still."""
    return 0


def _nothing() -> None:
    """Nobody is to be told."""


def _by(ending: ExitStatus) -> Callable[[int], SeatEnding]:
    return ending.seat_ending


async def _first(waiting: Iterable[asyncio.Future[Any]], within_s: float | None) -> None:
    """Returns when one of them is done, or after this time."""
    await asyncio.wait(set(waiting), timeout=within_s, return_when=asyncio.FIRST_COMPLETED)
