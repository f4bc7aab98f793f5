"""The matches of a comparison, several at once: real programs over gRPC, real clocks, a real referee."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from arena.cli.compare.faults import FaultTally, is_faulty
from arena.cli.compare.programs import Program, ProgramPool
from arena.cli.compare.state_file import PlayedMatch
from arena.cli.framework.errors import CliError
from arena.cli.framework.processes import format_exit
from arena.cli.match_data import KEY_SUFFIX, SUFFIX
from arena.cli.play.local_play import report_ended, socket_folder
from arena.cli.play.participants import Participant
from arena.cli.program_files import format_line, program_file
from arena.core.clock.time_control import TimeControl
from arena.core.errors import FailedPreconditionError
from arena.core.match import DebugLine, LineSource, MatchState, SuitePlace
from arena.core.pairing.comparison import ComparisonMatch
from arena.match_log.keys import SigningKey
from arena.server.local_match import LocalMatch, LocalPlan, LocalResult
from arena.server.local_server import LocalServer
from arena.v1 import match_pb2

ATTEMPTS: Final = 3
"""So often a match is tried that does not begin, or that the arena makes void."""

KEPT_LOGS: Final = 20
"""So many logs with a fault are kept of each entrant."""

_POLL_SECONDS: Final = 0.05
_COPY_LENGTH: Final = 29


@dataclass(frozen=True, slots=True)
class SetUp:
    """What all matches of a group begin from."""

    seed: bytes
    """32 bytes."""
    suite: SuitePlace | None = None
    """The entry that it is from."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What all matches have in common."""

    game: str
    options: object
    """The game's own Options."""
    time_control: TimeControl
    participants: tuple[Participant, ...]
    """By entrant."""
    seats: int
    set_up: Callable[[int], SetUp]
    """Returns the set-up of a group."""
    faults: Path
    """The folder for the logs of matches with a fault; made when the first one comes."""

    def names(self, match: ComparisonMatch) -> tuple[str, ...]:
        """Return the names of the bots in the log, by seat, each once; none is that of another entrant."""
        names: list[str] = []
        taken = {participant.bot for participant in self.participants}
        for entrant in match.entrants:
            name = self.participants[entrant].bot
            copies = (f"{name[:_COPY_LENGTH]}-{number}" for number in range(2, len(taken) + 3))
            name = next(each for each in copies if each not in taken) if name in names else name
            taken.add(name)
            names.append(name)
        return tuple(names)


class NotBegunError(Exception):
    """A match did not begin, because a program had ended; another one may play it."""


class MatchSeries:
    """Plays matches, each by connected programs, which then play the next one."""

    def __init__(self, rules: Rules, faults: FaultTally, *, jobs: int) -> None:
        """`faults`: of the matches before; whoever takes the results counts further ones. `jobs`: matches at once."""
        self._rules = rules
        self._faults = faults
        self._jobs = jobs
        self._key = SigningKey.new()

    async def play(
        self, matches: Iterator[ComparisonMatch], on_played: Callable[[ComparisonMatch, PlayedMatch], bool]
    ) -> None:
        """Play the matches until there are no more. No process remains.

        `on_played` takes each result and returns whether the comparison is over; then matches in play are dropped.

        Raises CliError: a program does not start or takes no match of the game, or the arena fails on a match.
        """
        tokens: dict[str, str] = {}
        with socket_folder() as folder:
            server = LocalServer(tokens)
            socket = folder / "arena.sock"
            # At most so many programs of an entrant play at once, and idle ones stay connected.
            most = self._jobs * self._rules.seats * len(self._rules.participants)
            async with server.open(socket, most):
                pool = ProgramPool(self._rules.participants, server, tokens, f"unix://{socket}")

                async def work() -> bool:
                    for match in matches:
                        if on_played(match, await self._play(match, server, pool)):
                            return True
                    return False

                try:
                    await until_over([asyncio.create_task(work()) for _ in range(self._jobs)])
                finally:
                    await asyncio.shield(pool.end_all())

    async def _play(self, match: ComparisonMatch, server: LocalServer, pool: ProgramPool) -> PlayedMatch:
        """Play a match, again if it does not begin or becomes void by the arena's fault."""
        trouble = ""
        for _ in range(ATTEMPTS):
            programs = await _all_of([pool.take(entrant) for entrant in match.entrants])
            local = LocalMatch(self._plan(match, programs), server, self._key)
            try:
                how = await _watched(local, programs)
            except (FailedPreconditionError, NotBegunError) as error:
                trouble = str(error)
                await pool.end(*programs)
                continue
            for program in programs:
                pool.put_back(program)
            if how.result.state is not MatchState.ABORTED:
                return self._recorded(match, how, programs)
            trouble = how.result.void_reason
        raise CliError(trouble)

    def _plan(self, match: ComparisonMatch, programs: Sequence[Program]) -> LocalPlan:
        rules, set_up = self._rules, self._rules.set_up(match.group)
        return LocalPlan(
            rules.game,
            rules.options,
            rules.names(match),
            rules.time_control,
            set_up.seed,
            suite=set_up.suite,
            match=match.place + 1,
            group=match.group + 1,
            programs=tuple(program.name for program in programs),
        )

    def _recorded(self, match: ComparisonMatch, how: LocalResult, programs: Sequence[Program]) -> PlayedMatch:
        """Return what is kept of a match; write its log if a bot was at fault."""
        seats = how.result.seats
        played = PlayedMatch(
            match.group,
            match.place,
            placings=tuple(seat.placing for seat in seats),
            endings=tuple(seat.ending.termination.name for seat in seats),
            strikes=tuple(seat.strikes for seat in seats),
            exceptions=tuple(
                sum(line.source is LineSource.EXCEPTION for line in lines) for lines in how.debug_lines
            ),
        )
        if not self._faults.wants_log(match.entrants, played, KEPT_LOGS):
            return played
        return replace(played, log=str(self._keep(match, played, how, programs)))

    def _keep(
        self, match: ComparisonMatch, played: PlayedMatch, how: LocalResult, programs: Sequence[Program]
    ) -> Path:
        """Write the log, its key and what the programs at fault have written; return the log file."""
        folder = self._rules.faults
        folder.mkdir(exist_ok=True)
        path = folder / f"group-{match.group + 1}-match-{match.place + 1}{SUFFIX}"
        path.write_bytes(how.log)
        path.with_suffix(KEY_SUFFIX).write_bytes(self._key.public.pem())
        for seat, program in enumerate(programs):
            if is_faulty(played, seat):
                written = program_lines(seat, how.debug_lines[seat], program.tail())
                program_file(path, seat).write_text("".join(map(format_line, written)), encoding="utf-8")
        return path


def program_lines(seat: int, sent: Sequence[DebugLine], printed: str) -> list[match_pb2.DebugLine]:
    """Return what is kept of a program: the debug lines of the match, and the end of what it has printed.

    That is of both its streams and may begin in an earlier match, so it belongs to the match as a whole.
    """
    source = match_pb2.DebugLine.Source
    lines = [
        match_pb2.DebugLine(
            seat=seat, decision=line.decision, source=source.ValueType(line.source.value), text=line.text
        )
        for line in sent
    ]
    lines += [
        match_pb2.DebugLine(seat=seat, source=source.SOURCE_STDERR, text=text)
        for text in printed.splitlines()
    ]
    return lines


async def _watched(match: LocalMatch, programs: Sequence[Program]) -> LocalResult:
    """Play a match; a program that ends forfeits its seat at once.

    Raises:
        FailedPreconditionError: a program does not accept the match.
        NotBegunError: a program has ended before it began.
    """
    playing = asyncio.create_task(match.play())
    try:
        while not playing.done():
            await asyncio.wait({playing}, timeout=_POLL_SECONDS)
            if playing.done():
                break
            if match.begun:
                report_ended(match, [program.child for program in programs])
                continue
            for program in programs:
                if (code := program.child.code()) is not None:
                    name = program.participant.bot
                    raise NotBegunError(f"{name} ended before a match began ({format_exit(code)}).")
    finally:
        playing.cancel()
    return playing.result()


async def _all_of(starts: Sequence[Coroutine[None, None, Program]]) -> list[Program]:
    """Return all programs, started side by side. Raises what the first one that fails raises."""
    tasks = [asyncio.create_task(start) for start in starts]
    try:
        return await asyncio.gather(*tasks)
    finally:
        await _end(tasks)


async def until_over(tasks: Sequence[asyncio.Task[bool]]) -> None:
    """Wait until all tasks have ended, or one that returns True; cancel the others. Raises what a task raises."""
    left = set(tasks)
    try:
        over = False
        while left and not over:
            ended, left = await asyncio.wait(left, return_when=asyncio.FIRST_COMPLETED)
            over = any(task.result() for task in ended)
    finally:
        await _end(tasks)


async def _end(tasks: Sequence[asyncio.Task[Any]]) -> None:
    """Cancel the tasks that still run, and wait for all. asyncio prints the exception of none of them."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
