"""A clock that the test moves, players that do what the test says, a log that remembers."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from arena.core.clock.processor_use import ProcessorUse
from arena.core.clock.time_control import TimeControl
from arena.core.endings.terminations import SeatEnding
from arena.core.match import MatchResult, MatchSetup, NoteRecord, SeatHolder
from arena.core.ply import PlyRecord
from arena.core.referee.effects import CloseDecision, IgnoreAnswer
from arena.core.referee.referee import Network
from arena.core.units import NS_PER_MS
from arena.runner.history import Happening
from arena.runner.match_runner import MatchRunner, NoShow
from arena.runner.player import MatchOver, Player
from arena.runner.question import Question
from engine.game import Event
from engine.registry import GAMES
from tests.unit.core.stalls_by_hand import StallsByHand
from tests.unit.match_log.matches import a_setup

CONTROL = TimeControl(per_decision_ms=100, bank_ms=0, increment_ms=0, strikes=1, absence_ms=1_000)


@dataclass
class Alarm:
    when: int
    call: Callable[[], None]
    cancelled: bool = False

    def cancel(self) -> None:
        self.cancelled = True


class FakeTimers:
    """Time stands still until the test moves it."""

    def __init__(self) -> None:
        self.ns = 1_000 * NS_PER_MS
        self.alarms: list[Alarm] = []

    def now(self) -> int:
        return self.ns

    def call_at(self, when: int, call: Callable[[], None]) -> Alarm:
        alarm = Alarm(when, call)
        self.alarms.append(alarm)
        return alarm

    def move(self, ms: float) -> None:
        """Time passes; alarms go off when they are due, in their order."""
        end = self.ns + round(ms * NS_PER_MS)
        while due := [alarm for alarm in self.alarms if not alarm.cancelled and alarm.when <= end]:
            alarm = min(due, key=lambda each: each.when)
            self.alarms.remove(alarm)
            self.ns = max(self.ns, alarm.when)
            alarm.call()
        self.ns = end

    def move_to_next(self) -> None:
        """Time passes until an alarm goes off, which is set."""
        self.move((min(alarm.when for alarm in self.alarms if not alarm.cancelled) - self.ns) / NS_PER_MS)

    def stall(self, ms: float) -> None:
        """Nothing runs while time passes; afterwards what was due meanwhile goes off."""
        self.ns += round(ms * NS_PER_MS)
        due = [alarm for alarm in self.alarms if not alarm.cancelled and alarm.when <= self.ns]
        for alarm in sorted(due, key=lambda each: each.when):
            self.alarms.remove(alarm)
            alarm.call()


@dataclass
class FakePlayer:
    """Remembers what it is told; says what the test lets it say."""

    timers: FakeTimers
    live: bool = False
    present: bool = True
    sees_view: bool = True
    sees_list: bool = True
    holds_back: bool = False
    """Whether questions are held back until `match.released` is called."""
    told: list[str] = field(default_factory=list)
    withdrawn: str = ""
    """Why the match was withdrawn."""
    questions: list[Question] = field(default_factory=list)
    news_heard: list[Happening] = field(default_factory=list)
    over: MatchOver | None = None
    use: ProcessorUse | None = None
    """What its program has had of the processors, of any span; None: the arena does not run it."""

    def offer(self, setup: MatchSetup, seat: int, match: MatchRunner) -> None:
        self.setup, self.seat, self.match = setup, seat, match
        self.told.append("offer")

    def withdraw(self, why: str) -> None:
        self.withdrawn = why
        self.told.append("withdraw")

    def start(self, observation: object) -> None:
        self.told.append("start")

    def ask(self, question: Question) -> None:
        self.told.append(f"ask #{question.decision}")
        self.questions.append(question)
        if not self.holds_back:
            self.match.released(self.seat, question.decision, self.timers.now())

    def news(self, happened: list[Happening]) -> None:
        self.news_heard += happened

    def close(self, closed: CloseDecision) -> None:
        self.told.append(f"close #{closed.decision} {closed.cause.name}")

    def ignore(self, ignored: IgnoreAnswer) -> None:
        self.told.append(f"ignore #{ignored.decision} {ignored.reason.name}")

    def end_seat(self, ending: SeatEnding) -> None:
        self.told.append(f"end seat {ending.termination.name}")

    def end_match(self, ended: MatchOver) -> None:
        self.over = ended
        self.told.append("end match")

    def network(self, control: TimeControl) -> Network:
        return Network(0, None)

    def processor(self, started: int, now: int) -> ProcessorUse | None:
        return self.use

    def take(self, decision: int) -> None:
        """Report that the question was sent now."""
        self.match.sent(self.seat, decision, self.timers.now())

    def answer(self, index: int = 0) -> None:
        """Answers its last question at once."""
        question = self.questions[-1]
        self.take(question.decision)
        self.match.answered(self.seat, question.decision, (question.legal_actions[index],), self.timers.now())


@dataclass
class FakeLog:
    """The records in order."""

    records: list[Any] = field(default_factory=list)

    def set_up(self, events: tuple[Event, ...]) -> None:
        self.records.append(events)

    def ply(self, record: PlyRecord) -> None:
        self.records.append(record)

    def note(self, record: NoteRecord) -> None:
        self.records.append(record)

    @property
    def plies(self) -> list[PlyRecord]:
        return [record for record in self.records if isinstance(record, PlyRecord)]


_MATCHES = count(1)


class MatchFixture:
    """One match with everything around it."""

    def __init__(
        self,
        seats: int = 2,
        *,
        control: TimeControl = CONTROL,
        match: int | None = None,
        game: str = "caravan",
        **options: str,
    ) -> None:
        self.timers, self.stalls = FakeTimers(), StallsByHand()
        self.players = [FakePlayer(self.timers) for _ in range(seats)]
        self.log = FakeLog()
        self.ends: list[MatchResult | NoShow] = []
        rules = GAMES[game]
        self.setup = a_setup(
            match=next(_MATCHES) if match is None else match,
            game=game,
            rules_version=rules.spec.rules_version,
            options=rules.options(seats, options),
            seats=tuple(SeatHolder(f"bot{seat}", "1") for seat in range(seats)),
            time_control=control,
            seed=bytes(32),
        )
        self._given: Sequence[int] = ()
        self.runner = self.new_runner(self.players)
        self.stored_at_once = True

    def new_runner(
        self, players: Sequence[Player], absent: Mapping[int, SeatEnding] | None = None
    ) -> MatchRunner:
        """Return a runner of the match with these players, not offered yet."""
        return MatchRunner(
            self.setup,
            players,
            self.log,
            timers=self.timers,
            stalls=self.stalls.meter,
            match_manager=self,
            absent=absent,
            given=self._given,
        )

    def playing_on(self, given: Sequence[int]) -> MatchFixture:
        """Let the match play on after these actions."""
        self._given = given
        self.runner = self.new_runner(self.players)
        return self

    # The match manager's part

    def all_ready(self, runner: MatchRunner) -> None:
        if self.stored_at_once:
            runner.begin()

    def over(self, runner: MatchRunner, how: MatchResult | NoShow) -> None:
        self.ends.append(how)

    # What tests do

    def offer(self, *ready: int) -> MatchFixture:
        """Offer the match; these seats are ready at once."""
        self.runner.offer()
        for seat in ready:
            self.runner.ready(seat)
        return self

    def begin(self) -> MatchFixture:
        """Offer the match, with all seats ready."""
        return self.offer(*range(len(self.players)))

    def result(self) -> MatchResult:
        """How the match came out."""
        [result] = self.ends
        assert isinstance(result, MatchResult)
        return result


@contextmanager
def without_garbage_collector() -> Iterator[None]:
    """Inside, nothing is collected: what is gone has gone because nobody held it."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
