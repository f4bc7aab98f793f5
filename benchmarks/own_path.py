"""What a decision costs the arena without gRPC and database, by what the bot asks for: `python -m benchmarks.own_path`.

Two bots that answer at random play in this process. Their frames go through connection, session, match runner, referee,
engine, log and codec as in an arena, on the same event loop, and only the gRPC call is replaced. What the bots
themselves take is measured and left out.
"""

import asyncio
import random
import secrets
import time
from dataclasses import dataclass
from statistics import median
from types import SimpleNamespace
from typing import Annotated, Any, Final

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from arena.codecs.codec import codec_for
from arena.core.clock.stalls import StallMeter
from arena.core.clock.time_control import TimeControl
from arena.core.match import MatchResult, MatchSetup, SeatHolder, SeedPolicy
from arena.core.ply import PlyRecord
from arena.match_log.keys import SigningKey
from arena.runner.match_runner import MatchRunner, NoShow
from arena.runner.timers import LoopTimers
from arena.server import event_loop
from arena.server.metered_log import MatchCounts, MeteredLogBuilder
from arena.server.play.service import CallPolicy, PlayService
from arena.sessions.handshake import Identity
from arena.sessions.registry import SessionRegistry
from arena.v1 import play_pb2
from benchmarks.measuring.figures import significant
from benchmarks.measuring.machine import load
from benchmarks.rows.table_of_play import GAME
from engine.registry import GAMES

SEATS: Final = 2
_NS_PER_US: Final = 1e3

_CONTROL: Final = TimeControl(
    per_decision_ms=60_000,
    bank_ms=60_000,
    increment_ms=50,
    strikes=2,
    absence_ms=60_000,
    seat_limit_ms=86_400_000,
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the bots of a line ask for."""

    name: str
    legal_actions: play_pb2.LegalActionsForm.ValueType
    view: play_pb2.ViewForm.ValueType

    @property
    def hello(self) -> bytes:
        """The first frame."""
        hello = play_pb2.Hello(
            lowest_protocol=1,
            highest_protocol=1,
            games=[play_pb2.GameSupport(game=GAME)],
            preferences=play_pb2.Preferences(legal_actions=self.legal_actions, view=self.view),
        )
        return _request(hello=hello)


FORMS: Final = (
    Wanted("view and typed list", play_pb2.LEGAL_ACTIONS_FORM_TYPED, play_pb2.VIEW_FORM_FULL),
    Wanted("view and packed list", play_pb2.LEGAL_ACTIONS_FORM_PACKED, play_pb2.VIEW_FORM_FULL),
    Wanted("events and packed list", play_pb2.LEGAL_ACTIONS_FORM_PACKED, play_pb2.VIEW_FORM_EVENTS),
    Wanted("events, no list", play_pb2.LEGAL_ACTIONS_FORM_NONE, play_pb2.VIEW_FORM_EVENTS),
)


def _request(**kind: Any) -> bytes:
    message = play_pb2.ClientMessage(**kind)
    return play_pb2.PlayRequest(messages=[message]).SerializeToString()


class Call:
    """One bot and the gRPC call that it would make: what the arena writes is answered in a later turn of the loop."""

    def __init__(self, bot: str, wanted: Wanted, match: "OneMatch") -> None:
        self.bot = bot
        self._wanted = wanted
        self._match = match
        self._loop = asyncio.get_running_loop()
        self._frames = [wanted.hello]
        self._reading: asyncio.Future[bytes] | None = None
        self.welcomed = self._loop.create_future()
        self.decisions = 0
        self.spent_ns = 0
        """What the bot has taken."""

    async def send_initial_metadata(self, _metadata: object) -> None:
        """Do nothing."""

    def peer(self) -> str:
        """Return that it is on the same machine."""
        return "unix:"

    async def read(self) -> bytes:
        """Return the next frame of the bot."""
        if self._frames:
            return self._frames.pop(0)
        self._reading = self._loop.create_future()
        return await self._reading

    async def write(self, data: bytes) -> None:
        """Take a frame for the bot: as with gRPC in another turn of the loop, and it is answered in a later one."""
        taken = self._loop.create_future()
        self._loop.call_soon(self._take, taken, data)
        await taken

    def _take(self, taken: asyncio.Future[None], data: bytes) -> None:
        if not taken.done():
            taken.set_result(None)
        self._loop.call_soon(self._answer, data)

    def _answer(self, data: bytes) -> None:
        began = time.thread_time_ns()
        for message in play_pb2.PlayResponse.FromString(data).messages:
            if reply := self._reply(message):
                self._frames.append(reply)
        if self._frames and self._reading is not None and not self._reading.done():
            self._reading.set_result(self._frames.pop(0))
        self.spent_ns += time.thread_time_ns() - began

    def _reply(self, message: play_pb2.ServerMessage) -> bytes:
        match message.WhichOneof("kind"):
            case "welcome":
                self.welcomed.set_result(None)
            case "ping":
                return _request(pong=play_pb2.Pong(id=message.ping.id))
            case "assigned":
                return _request(ready=play_pb2.Ready(assignment=message.assigned.assignment))
            case "decision":
                self.decisions += 1
                return self._decide(message.decision)
        return b""

    def _decide(self, asked: play_pb2.Decision) -> bytes:
        answer = play_pb2.Answer(assignment=asked.assignment, decision=asked.decision)
        legal = self._match.runner.state.legal_actions()
        place = random.randrange(len(legal))
        if self._wanted.legal_actions == play_pb2.LEGAL_ACTIONS_FORM_NONE:
            answer.action.MergeFromString(codec_for(GAME).encode_action(legal[place]))
        else:
            answer.index = place
        return _request(answer=answer)


class OneMatch:
    """A match between two bots that want the same."""

    runner: MatchRunner

    def __init__(self, wanted: Wanted, key: SigningKey) -> None:
        self._key = key
        loop = asyncio.get_running_loop()
        timers, stalls = LoopTimers(loop), StallMeter(time.process_time_ns)
        self._timers, self._stalls = timers, stalls
        self._sessions = SessionRegistry(timers, lambda: None)
        self._service = PlayService(self._sessions, timers, mass_loss=lambda _loss: None, stalls=stalls)
        self._calls = [Call(f"bot-{seat}", wanted, self) for seat in range(SEATS)]
        self._over: asyncio.Future[MatchResult | NoShow] = loop.create_future()
        self.plies = 0
        """Plies of the log."""

    async def play(self) -> tuple[int, int]:
        """Play it, and return its decisions and the nanoseconds of processor time that the arena has spent on them."""
        calls = [asyncio.create_task(self._call(call)) for call in self._calls]
        await asyncio.gather(*[call.welcomed for call in self._calls])
        spec = GAMES[GAME].spec
        seats = [self._sessions.seat_for(call.bot, GAME, spec.rules_version) for call in self._calls]
        setup = MatchSetup(
            match=1,
            ladder="own-path",
            tournament=None,
            group=1,
            seed_group_index=0,
            seed_attempt=0,
            game=GAME,
            rules_version=spec.rules_version,
            options=GAMES[GAME].options(SEATS, {}),
            seats=tuple(SeatHolder(call.bot, "1") for call in self._calls),
            time_control=_CONTROL,
            seed=secrets.token_bytes(32),
            seed_policy=SeedPolicy.FIXED,
            secret_commitment=b"",
            rated=False,
        )
        log = MeteredLogBuilder(
            MatchCounts(), setup, codec_for(GAME), software="own path", key=self._key, start_time_ms=0
        )
        self.runner = MatchRunner(
            setup,
            [seat for seat in seats if seat is not None],
            log,
            timers=self._timers,
            stalls=self._stalls,
            match_manager=self,
        )
        began = time.thread_time_ns()
        self.runner.offer()
        await self._over
        spent = time.thread_time_ns() - began - sum(call.spent_ns for call in self._calls)
        for call in calls:
            call.cancel()
        await asyncio.gather(*calls, return_exceptions=True)
        self.plies = sum(isinstance(record, PlyRecord) for record in log.all)
        self.runner.let_go()
        return sum(call.decisions for call in self._calls), spent

    async def _call(self, call: Call) -> None:
        async def identity(_context: Any) -> Identity:
            return Identity(call.bot, "", call.bot, call.bot)

        handler = self._service.handler(CallPolicy(authenticate=identity))
        details: Any = SimpleNamespace(method="/arena.v1.PlayService/Play")
        method: Any = handler.service(details)
        await method.stream_stream(None, call)

    # arena.runner.match_runner.MatchOwner

    def all_ready(self, runner: MatchRunner) -> None:
        """Begin."""
        runner.begin()

    def over(self, _runner: MatchRunner, how: MatchResult | NoShow) -> None:
        """Note the end."""
        self._over.set_result(how)


async def measure(rounds: int, matches: int) -> dict[str, list[float]]:
    """Return microseconds of a decision by what the bots ask for, one figure for each round; forms take turns."""
    key = SigningKey.new()
    found: dict[str, list[float]] = {wanted.name: [] for wanted in FORMS}
    for round_ in range(rounds + 1):
        for wanted in FORMS:
            decisions = spent = 0
            for _ in range(matches):
                played, took = await OneMatch(wanted, key).play()
                decisions, spent = decisions + played, spent + took
            if round_:  # caches fill in the first
                found[wanted.name].append(spent / decisions / _NS_PER_US)
    return found


def run(
    rounds: Annotated[int, typer.Option(min=1)] = 10,
    matches: Annotated[int, typer.Option(min=1, help="Of each turn.")] = 3,
) -> None:
    """Print the processor time of a decision by what its bot asks for.

    Example: python -m benchmarks.own_path --rounds 20
    """
    before = load()
    found = event_loop.run(measure(rounds, matches))
    everything = found[FORMS[0].name]
    table = Table(box=box.SIMPLE, pad_edge=False)
    for title in ("the bots ask for", "us a decision", "of that with everything"):
        table.add_column(title)
    for name, figures in found.items():
        ratio = median(one / whole for one, whole in zip(figures, everything, strict=True))
        table.add_row(name, significant(median(figures)), f"{ratio:.2f}")
    Console(highlight=False).print(table)
    Console(highlight=False).print(f"Load before {before}.")


if __name__ == "__main__":
    typer.run(run)
