"""One match on this machine without accounts, database or ladder.

Referee and log are those of any arena. The match is unrated, and its seed may be given.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

from arena.codecs.codec import codec_for
from arena.core.clock.processor_use import ProcessorUse
from arena.core.clock.time_control import TimeControl
from arena.core.endings import verdicts
from arena.core.endings.terminations import Termination
from arena.core.errors import ErrorReason, FailedPreconditionError
from arena.core.match import (
    Continuation,
    DebugLine,
    MatchResult,
    MatchSetup,
    SeatHolder,
    SeedPolicy,
    SuitePlace,
)
from arena.match_log.keys import SigningKey
from arena.match_log.writer import MatchLogBuilder
from arena.runner.local_report import report
from arena.runner.match_runner import MatchRunner, NoShow
from arena.runner.question import Question
from arena.runner.spectator_view import SpectatorView
from arena.scheduling.wall_clock import now_ms, now_us
from arena.server.local_server import LocalServer
from arena.server.software import software
from arena.sessions.seat import AssignedSeat
from engine.registry import GAMES

if TYPE_CHECKING:
    from arena.runner.player import Player


@dataclass(frozen=True, slots=True)
class LocalPlan:
    """What to play."""

    game: str
    options: object
    """The game's own Options."""
    bots: tuple[str, ...]
    """By seat; ids, each once."""
    time_control: TimeControl
    seed: bytes
    """32 bytes."""
    untimed: frozenset[int] = frozenset()
    """The seats whose time is not counted, because a person debugs their programs or plays."""
    suite: SuitePlace | None = None
    """The entry that the seed is from."""
    continued_from: Continuation | None = None
    given: tuple[int, ...] = ()
    """The actions of the match that it plays on from: each is legal, and the game is not over after them."""
    match: int = 1
    """Its number."""
    group: int = 1
    """The number of its match group."""
    programs: tuple[str, ...] = ()
    """By seat, as the server knows them; empty: as the bots."""

    def program(self, seat: int) -> str:
        """Return the program of a seat."""
        return (self.programs or self.bots)[seat]


@dataclass(frozen=True, slots=True)
class LocalResult:
    """How a match came out."""

    result: MatchResult
    log: bytes
    """Its file."""
    debug_lines: tuple[tuple[DebugLine, ...], ...]
    """By seat; what its bot has sent."""


class ProgramOutput(Protocol):
    """What the program of a seat writes."""

    decision: Callable[[], int]
    """The decision that it belongs to; 0: the match as a whole."""

    def read(self) -> None:
        """Take what the program has printed so far."""

    def note(self, line: DebugLine) -> None:
        """Take a debug line that the bot has sent."""


class _LocalProcess:
    """The process of a seat: its session reads its output before the next question."""

    is_ending: Final = False

    def __init__(self, output: ProgramOutput, seat: AssignedSeat) -> None:
        self._output = output
        self._seat = seat
        self._noted = 0
        output.decision = lambda: seat.asked

    def read_output(self) -> None:
        """Take the debug lines and the output so far."""
        lines = self._seat.match.debug_lines[self._seat.seat]
        for line in lines[self._noted :]:
            self._output.note(line)
        self._noted = len(lines)
        self._output.read()

    def processor(self, started: int, now: int) -> ProcessorUse | None:
        """Return None: the machine is the user's own, and nothing measures it."""
        return None


Hold = Callable[[int, Question, Callable[[], None]], None]
"""Gets a seat, a question that is due for it, and what puts it to the seat, to be called once."""


class _HeldSeat:
    """A player who is asked when somebody says so. Its clock runs from then on."""

    def __init__(self, seat: AssignedSeat, hold: Hold) -> None:
        self._seat = seat
        self._hold = hold

    def ask(self, question: Question) -> None:
        """Hold the question."""
        self._hold(self._seat.seat, question, lambda: self._seat.ask(question))

    def __getattr__(self, name: str) -> Any:
        """Return everything else of the seat."""
        return getattr(self._seat, name)


class LocalMatch:
    """A match between programs that are connected to a server. It is played once."""

    def __init__(
        self,
        plan: LocalPlan,
        server: LocalServer,
        key: SigningKey,
        outputs: Sequence[ProgramOutput] = (),
        hold: Hold | None = None,
    ) -> None:
        """`key` signs the log; `outputs`: by seat. The event loop must be running.

        `hold`: gets each question before its seat, whose clock begins when it is put to it.
        """
        self._plan = plan
        self._server = server
        self._key = key
        self._over: asyncio.Future[MatchResult | NoShow] = asyncio.get_running_loop().create_future()
        self._outputs = outputs
        self._hold = hold
        self._seats: list[AssignedSeat] = []
        self._processes: list[_LocalProcess] = []
        self._runner: MatchRunner | None = None

    @property
    def missing(self) -> tuple[str, ...]:
        """The bots that have not sent `hello`."""
        return tuple(
            bot
            for seat, bot in enumerate(self._plan.bots)
            if not self._server.is_there(self._plan.program(seat))
        )

    @property
    def spectator_view(self) -> SpectatorView | None:
        """What spectators see; None before `play`."""
        return None if self._runner is None else self._runner.spectator_view

    @property
    def begun(self) -> bool:
        """Whether a position has been shown."""
        return self._runner is not None and self._runner.started

    async def play(self) -> LocalResult:
        """Play the match and return its result and log, after the bots have been sent the result.

        Raises FailedPreconditionError: VERSION_UNSUPPORTED, a bot does not play this game; FIELD_INVALID, one was not
        ready.
        """
        with self._server.match():
            return await self._play()

    async def _play(self) -> LocalResult:
        for number in range(len(self._plan.bots)):
            self._seats.append(self._seat(number))
        setup = self._setup()
        log = MatchLogBuilder(
            setup, codec_for(setup.game), software=software(), key=self._key, start_time_ms=now_ms()
        )
        held = (cast("Player", _HeldSeat(seat, self._hold)) for seat in self._seats if self._hold is not None)
        self._runner = MatchRunner(
            setup,
            tuple(held) or self._seats,
            log,
            timers=self._server.timers,
            stalls=self._server.stalls,
            match_manager=self,
            untimed=self._plan.untimed,
            given=self._plan.given,
        )
        for seat, output in zip(self._seats, self._outputs, strict=False):
            seat.session.process = process = _LocalProcess(output, seat)
            self._processes.append(process)
        self._runner.offer()
        result = await self._over
        if isinstance(result, NoShow):
            names = ", ".join(self._plan.bots[seat] for seat in result.seats) or "the arena"
            raise FailedPreconditionError(
                ErrorReason.FIELD_INVALID,
                f"The match did not begin: {names} did not answer `assigned` with `ready` within 10 s.",
                bots=names,
            )
        log.end(result)
        for process in self._processes:
            process.read_output()
        finished = log.finish()
        self._runner.announce(report(setup, result, finished.name, now_us()))
        lines = tuple(map(tuple, self._runner.debug_lines))
        return LocalResult(result, finished.data, lines)

    def program_ended(self, seat: int, termination: Termination, detail: str) -> None:
        """Forfeit the seat of a bot whose program has ended. `detail`: exit code, or signal."""
        player = self._seats[seat]
        if self.begun and not player.forfeited:
            decision = player.open.decision if player.open else 0
            player.match.ended(
                player.seat, verdicts.program_ended(termination, decision, detail), self._server.timers.now()
            )

    # arena.runner.match_runner.MatchOwner

    def all_ready(self, runner: MatchRunner) -> None:
        """Begin the match: there is nothing to store."""
        runner.begin()

    def over(self, runner: MatchRunner, how: MatchResult | NoShow) -> None:
        """Note the end of the match, or that it does not begin."""
        if not self._over.done():  # whoever waited for the match may have given it up
            self._over.set_result(how)

    def _seat(self, number: int) -> AssignedSeat:
        game, bot = GAMES[self._plan.game].spec, self._plan.bots[number]
        seat = self._server.sessions.seat_for(self._plan.program(number), game.id, game.rules_version)
        if seat is None:
            for taken in self._seats:
                taken.session.drop(taken)  # no match will be offered there
            raise FailedPreconditionError(
                ErrorReason.VERSION_UNSUPPORTED,
                f"The bot {bot} takes no match of {game.id} with rules version {game.rules_version}: its `hello`, in "
                "Python its `games`, must name the game, with a capacity of at least one match.",
                bot=bot,
            )
        return seat

    def _setup(self) -> MatchSetup:
        plan, game = self._plan, GAMES[self._plan.game].spec
        versions = [seat.session.identity.version for seat in self._seats]
        return MatchSetup(
            match=plan.match,
            ladder=None,
            tournament=None,
            group=plan.group,
            seed_group_index=0,
            seed_attempt=0,
            game=game.id,
            rules_version=game.rules_version,
            options=plan.options,
            seats=tuple(map(SeatHolder, plan.bots, versions)),
            time_control=plan.time_control,
            seed=plan.seed,
            seed_policy=SeedPolicy.FIXED,
            secret_commitment=b"",
            rated=False,
            suite=plan.suite,
            continued_from=plan.continued_from,
        )
