"""One match on this machine without accounts, database or ladder.

Bots connect as in any arena: the same Play service, sessions, clocks, referee and log. The match is unrated, and its
seed may be given.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

import grpc

from arena.codecs.codec import codec_for
from arena.core.clock.processor_use import ProcessorUse
from arena.core.clock.stalls import StallMeter
from arena.core.clock.time_control import TimeControl
from arena.core.endings import verdicts
from arena.core.endings.terminations import Termination
from arena.core.errors import ErrorReason, FailedPreconditionError, UnauthenticatedError
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
from arena.runner.timers import LoopTimers
from arena.scheduling.heartbeat import beat_while
from arena.scheduling.wall_clock import now_ms, now_us
from arena.server.auth.authentication import bearer
from arena.server.context import Context
from arena.server.grpc_options import server_options
from arena.server.play.service import CallPolicy, PlayService
from arena.server.software import software
from arena.sessions.handshake import Identity
from arena.sessions.registry import SessionRegistry
from arena.sessions.seat import AssignedSeat
from engine.registry import GAMES

if TYPE_CHECKING:
    from arena.runner.player import Player

_MATCH: Final = 1
"""Its number."""

_STOP_GRACE_S: Final = 0.5


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
    """A match that waits for its bots on a socket and is played once."""

    def __init__(
        self,
        plan: LocalPlan,
        tokens: Mapping[str, str],
        key: SigningKey,
        outputs: Sequence[ProgramOutput] = (),
        hold: Hold | None = None,
    ) -> None:
        """`tokens`: the bot of each token; `key` signs the log; `outputs`: by seat. The event loop must be running.

        `hold`: gets each question before its seat, whose clock begins when it is put to it.
        """
        self._plan = plan
        self._tokens = tokens
        self._key = key
        self._timers = LoopTimers(asyncio.get_running_loop())
        self._sessions = SessionRegistry(self._timers, lambda: None)
        self._stalls = StallMeter()
        self._began = asyncio.Event()
        self._over: asyncio.Future[MatchResult | NoShow] = asyncio.get_running_loop().create_future()
        self._outputs = outputs
        self._hold = hold
        self._seats: list[AssignedSeat] = []
        self._processes: list[_LocalProcess] = []
        self._runner: MatchRunner | None = None

    @contextlib.asynccontextmanager
    async def open(self, socket: Path) -> AsyncGenerator[None]:
        """Accept bots at the socket inside."""
        play = PlayService(self._sessions, self._timers, mass_loss=lambda _: None, stalls=self._stalls)
        server = grpc.aio.server(options=server_options(4 * len(self._plan.bots)))
        server.add_generic_rpc_handlers((play.handler(CallPolicy(self._authenticate)),))
        server.add_insecure_port(f"unix://{socket}")
        await server.start()
        beats = asyncio.create_task(
            beat_while(lambda: not self._over.done(), self._began, self._stalls, self._timers)
        )
        try:
            yield
        finally:
            beats.cancel()
            await play.shut_down()
            await server.stop(_STOP_GRACE_S)

    @property
    def missing(self) -> tuple[str, ...]:
        """The bots that have not sent `hello`."""
        return tuple(bot for bot in self._plan.bots if not self._sessions.presence(bot).connections)

    @property
    def spectator_view(self) -> SpectatorView | None:
        """What spectators see; None before `play`."""
        return None if self._runner is None else self._runner.spectator_view

    @property
    def begun(self) -> bool:
        """Whether a position has been shown."""
        return self._runner is not None and self._runner.started

    async def play(self) -> bytes:
        """Play the match and return its log, after the bots have been sent the result.

        Raises FailedPreconditionError: VERSION_UNSUPPORTED, a bot does not play this game; FIELD_INVALID, one was not
        ready.
        """
        for bot in self._plan.bots:
            self._seats.append(self._seat(bot))
        setup = self._setup()
        log = MatchLogBuilder(
            setup, codec_for(setup.game), software=software(), key=self._key, start_time_ms=now_ms()
        )
        held = (cast("Player", _HeldSeat(seat, self._hold)) for seat in self._seats if self._hold is not None)
        self._runner = MatchRunner(
            setup,
            tuple(held) or self._seats,
            log,
            timers=self._timers,
            stalls=self._stalls,
            match_manager=self,
            untimed=self._plan.untimed,
            given=self._plan.given,
        )
        for seat, output in zip(self._seats, self._outputs, strict=False):
            seat.session.process = process = _LocalProcess(output, seat)
            self._processes.append(process)
        self._began.set()
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
        return finished.data

    def program_ended(self, seat: int, termination: Termination, detail: str) -> None:
        """Forfeit the seat of a bot whose program has ended. `detail`: exit code, or signal."""
        player = self._seats[seat]
        if self.begun and not player.forfeited:
            decision = player.open.decision if player.open else 0
            player.match.ended(
                player.seat, verdicts.program_ended(termination, decision, detail), self._timers.now()
            )

    # arena.runner.match_runner.MatchOwner

    def all_ready(self, runner: MatchRunner) -> None:
        """Begin the match: there is nothing to store."""
        runner.begin()

    def over(self, runner: MatchRunner, how: MatchResult | NoShow) -> None:
        """Note the end of the match, or that it does not begin."""
        self._over.set_result(how)

    async def _authenticate(self, context: Context) -> Identity:
        bot = self._tokens.get(bearer(context.invocation_metadata() or ()) or "")
        if bot is None:
            raise UnauthenticatedError(
                ErrorReason.TOKEN_INVALID, "This match knows the tokens in ARENA_TOKEN of its own bots alone."
            )
        return Identity(bot, "", bot, "")

    def _seat(self, bot: str) -> AssignedSeat:
        game = GAMES[self._plan.game].spec
        seat = self._sessions.seat_for(bot, game.id, game.rules_version)
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
        identities = [seat.session.identity for seat in self._seats]
        return MatchSetup(
            match=_MATCH,
            ladder=None,
            tournament=None,
            group=_MATCH,
            seed_group_index=0,
            seed_attempt=0,
            game=game.id,
            rules_version=game.rules_version,
            options=plan.options,
            seats=tuple(SeatHolder(identity.bot, identity.version) for identity in identities),
            time_control=plan.time_control,
            seed=plan.seed,
            seed_policy=SeedPolicy.FIXED,
            secret_commitment=b"",
            rated=False,
            suite=plan.suite,
            continued_from=plan.continued_from,
        )
