"""A referee driven by a fake clock: what happened is written as lines, what followed is read as lines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from arena.core.clock.processor_use import ProcessorUse
from arena.core.clock.time_control import TimeControl
from arena.core.evaluation import Evaluation
from arena.core.match import MatchResult, NoteRecord, SeatResult
from arena.core.referee.effects import (
    Ask,
    CloseDecision,
    Effect,
    EndSeat,
    IgnoreAnswer,
    Played,
    SetUp,
)
from arena.core.referee.referee import Network, Referee, Refused
from arena.core.units import NS_PER_MS
from tests.unit.core.causes import a_cause
from tests.unit.core.stalls_by_hand import StallsByHand
from tests.unit.core.toy_game import ToyState

CONTROL = TimeControl(
    per_decision_ms=100, bank_ms=50, increment_ms=10, grace_ms=0, strikes=1, absence_ms=1_000, hold_ms=0
)


@dataclass
class RefereeTable:
    """Everything is said in milliseconds since the match began."""

    seats: int = 2
    rounds: int = 3
    moves_each: int = 1
    control: TimeControl = CONTROL
    credit_ms: float = 0
    owner: str = ""
    """Of all bots."""
    lines: list[str] = field(default_factory=list)
    stalls: StallsByHand = field(default_factory=StallsByHand)
    use: Callable[[int, int], ProcessorUse | None] = lambda _started, _now: None
    """What every seat's program has had of the processors between two times; None: the arena does not run it."""
    untimed: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        self.state = ToyState(self.seats, self.rounds, self.moves_each)
        self.referee = Referee(
            self.state,
            self.seats,
            self.control,
            stalls=self.stalls.meter,
            network=self._network,
            processor=lambda _, started, now: self.use(started, now),
            untimed=self.untimed,
        )
        self.result: MatchResult | None = None
        self.played: list[Played] = []
        self.sentences: list[str] = []
        self.read(self.referee.begin(0))

    def _network(self, seat: int) -> Network:
        return Network(round(self.credit_ms * NS_PER_MS), round(2 * NS_PER_MS), self.owner)

    def read(self, effects: list[Effect]) -> RefereeTable:
        self.lines += [line for effect in effects for line in self._line(effect)]
        return self

    def _line(self, effect: Effect) -> list[str]:
        match effect:
            case Ask():
                return [f"ask {effect.seat} #{effect.decision}"]
            case Played():
                self.played.append(effect)
                record = effect.record
                return [f"play {record.seat} +{record.action} {record.cause.name}"]
            case CloseDecision():
                self.sentences.append(effect.sentence)
                late = -(-effect.late_ns // NS_PER_MS)
                return [f"close {effect.seat} #{effect.decision} late {late} strikes {effect.strikes}"]
            case IgnoreAnswer():
                late = -(-effect.late_ns // NS_PER_MS)
                return [f"ignore {effect.seat} #{effect.decision} {effect.reason.name} {late}"]
            case EndSeat():
                return [f"end {effect.seat} {effect.ending.termination.name}"]
            case MatchResult():
                self.result = effect
                assert effect.duration_ns >= 0
                return [f"finish {effect.state.name} {effect.ending or '-'}"]
            case NoteRecord():
                assert effect.at_ns >= 0
                return []
            case SetUp():
                return []

    def new(self) -> list[str]:
        lines, self.lines = self.lines, []
        return lines

    def released(self, seat: int, decision: int, at: float) -> RefereeTable:
        self.referee.released(seat, decision, round(at * NS_PER_MS))
        return self

    def sent(self, seat: int, decision: int, at: float) -> RefereeTable:
        self.referee.sent(seat, decision, round(at * NS_PER_MS))
        return self

    def answer(
        self,
        seat: int,
        decision: int,
        action: int | tuple[int, ...] | str,
        at: float,
        evaluation: Evaluation | None = None,
    ) -> RefereeTable:
        if isinstance(action, str):
            said: tuple[int, ...] | Refused = Refused(action)
        else:
            said = action if isinstance(action, tuple) else (action,)
        return self.read(self.referee.answered(seat, decision, said, round(at * NS_PER_MS), evaluation))

    def turn(self, seat: int, decision: int, action: int, at: float) -> RefereeTable:
        """Sent and answered at once."""
        return self.sent(seat, decision, at).answer(seat, decision, action, at)

    def tick(self, at: float) -> RefereeTable:
        return self.read(self.referee.tick(round(at * NS_PER_MS)))

    def lost(self, seat: int, at: float, why: str = "") -> RefereeTable:
        return self.read(self.referee.lost(seat, round(at * NS_PER_MS), why))

    def returned(self, seat: int, at: float) -> RefereeTable:
        return self.read(self.referee.returned(seat, round(at * NS_PER_MS)))

    def resigned(self, seat: int, at: float) -> RefereeTable:
        return self.read(self.referee.resigned(seat, round(at * NS_PER_MS)))

    def void(self, why: str, at: float) -> RefereeTable:
        return self.read(self.referee.void(a_cause(why), round(at * NS_PER_MS)))

    def wake_ms(self, now: float) -> float | None:
        at = self.referee.wake_at(round(now * NS_PER_MS))
        return None if at is None else at / NS_PER_MS

    @property
    def results(self) -> tuple[SeatResult, ...]:
        assert self.result is not None
        return self.result.seats

    @property
    def placings(self) -> list[int]:
        return [seat.placing for seat in self.results]

    @property
    def terminations(self) -> list[str]:
        return [seat.ending.termination.name for seat in self.results]
