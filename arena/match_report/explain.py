"""Explanation of time and faults in a match, in numbers, for the author of a bot."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from arena.core.clock.time_control import TimeControl
from arena.core.evaluation import Evaluation
from arena.core.match import (
    CONNECTION_BACK,
    CONNECTION_LOST,
    ILLEGAL_ANSWER,
    Cause,
    NoteRecord,
    SeatHolder,
    SeatResult,
)
from arena.core.ply import PlyRecord
from arena.match_log.decode import LoggedPly
from arena.match_log.reader import MatchLog

NEAR_MISS: Final = 0.9
"""A decision answered in time is a near miss from this share of what was allowed on."""

LONGEST_NAMED: Final = 3
"""How many of a seat's longest thoughts are named."""


@dataclass(frozen=True, slots=True)
class TimedDecision:
    """One decision and its clock. Times in nanoseconds."""

    decision: int
    ply: int
    """Of its first action, counted from 0 in the match."""
    cause: Cause
    """CHOSEN, TIME_FORFEIT or ILLEGAL_ACTION."""
    used_ns: int
    allowed_ns: int
    """Thinking time after which it is lost: per_decision, bank and grace."""
    credit_ns: int
    stall_ns: int
    bank_before_ns: int
    bank_after_ns: int
    wait_ns: int
    """Waiting for a processor."""
    seat_used_ns: int
    """Thinking time of the seat's decisions before it."""
    over_seat_limit: bool
    """Whether it had no free time because the seat had used its limit."""
    why: str = ""
    """For ILLEGAL_ACTION: the field or the rule; empty if the log does not say."""
    evaluation: Evaluation | None = None
    """What the bot expected, if its answer said so."""

    @property
    def share(self) -> float:
        """The share of the allowed time that was used."""
        return self.used_ns / self.allowed_ns if self.allowed_ns else float(self.used_ns > 0)

    @property
    def near_miss(self) -> bool:
        """Whether it was answered in time, but not by much."""
        return self.cause is not Cause.TIME_FORFEIT and self.share >= NEAR_MISS


@dataclass(frozen=True, slots=True)
class ThinkTimes:
    """Percentiles of thinking time (inclusive, linear between neighbours), in nanoseconds, rounded down."""

    p50_ns: int
    p95_ns: int
    p99_ns: int
    most_ns: int


@dataclass(frozen=True, slots=True)
class DisconnectedTime:
    """A time without a connection, in nanoseconds since the match began."""

    lost_ns: int
    back_ns: int | None
    """None: it did not come back before the end."""


@dataclass(frozen=True, slots=True)
class SeatExplanation:
    """What the log says of one seat."""

    seat: int
    holder: SeatHolder
    result: SeatResult
    bank_ns: int
    """At the beginning."""
    decisions: tuple[TimedDecision, ...]
    """All that were decided, in order."""
    absences: tuple[DisconnectedTime, ...]
    defaults_after_forfeit: int
    """Actions that the arena has played for it after it had forfeited."""

    @property
    def strikes(self) -> tuple[TimedDecision, ...]:
        """The decisions that cost a strike, in order."""
        return tuple(each for each in self.decisions if each.cause is not Cause.CHOSEN)

    @property
    def near_misses(self) -> tuple[TimedDecision, ...]:
        """The decisions answered with less than a tenth of the time left, in order."""
        return tuple(each for each in self.decisions if each.near_miss)

    @property
    def longest(self) -> tuple[TimedDecision, ...]:
        """The longest thoughts, the longest first; of equal ones the earlier first."""
        by_length = sorted(self.decisions, key=lambda each: (-each.used_ns, each.decision))
        return tuple(by_length[:LONGEST_NAMED])

    @property
    def think_times(self) -> ThinkTimes | None:
        """How long it thought; None without a decision."""
        return think_times([each.used_ns for each in self.decisions])

    @property
    def credits_ns(self) -> tuple[int, int, int] | None:
        """Lowest, median and highest network time credited; None without a decision."""
        credited = [each.credit_ns for each in self.decisions]
        return (min(credited), int(statistics.median(credited)), max(credited)) if credited else None

    @property
    def banks_ns(self) -> tuple[int, ...]:
        """The bank at the beginning and after each decision."""
        return (self.bank_ns, *(each.bank_after_ns for each in self.decisions))

    @property
    def stalls_ns(self) -> tuple[int, ...]:
        """Stalls of the arena taken off its decisions, in order."""
        return tuple(each.stall_ns for each in self.decisions if each.stall_ns)

    @property
    def waits_ns(self) -> tuple[int, ...]:
        """Waiting for a processor taken off its decisions, in order."""
        return tuple(each.wait_ns for each in self.decisions if each.wait_ns)


@dataclass(frozen=True, slots=True)
class Explanation:
    """A whole match, seat by seat."""

    log: MatchLog
    seats: tuple[SeatExplanation, ...]


def explain(log: MatchLog) -> Explanation:
    """Return what a log tells of time and faults. It need not be true: see arena.match_log.verify."""
    timed = _timed(log)
    return Explanation(
        log,
        tuple(
            SeatExplanation(
                seat,
                holder,
                log.result.seats[seat],
                log.setup.time_control.bank_ns,
                tuple(timed[seat]),
                _absences(log, seat),
                sum(ply.seat == seat and ply.cause is Cause.FORFEITED for ply in log.plies),
            )
            for seat, holder in enumerate(log.setup.seats)
        ),
    )


def think_times(used_ns: Sequence[int]) -> ThinkTimes | None:
    """Return the percentiles of thinking times; None for none."""
    if not used_ns:
        return None
    if len(used_ns) == 1:
        return ThinkTimes(used_ns[0], used_ns[0], used_ns[0], used_ns[0])
    cuts = statistics.quantiles(used_ns, n=100, method="inclusive")
    return ThinkTimes(int(cuts[49]), int(cuts[94]), int(cuts[98]), max(used_ns))


def _timed(log: MatchLog) -> list[list[TimedDecision]]:
    """Return the decisions of each seat. Only the first action of a decision carries its times."""
    control = log.setup.time_control
    timed: list[list[TimedDecision]] = [[] for _ in log.setup.seats]
    banks = [control.bank_ns] * len(log.setup.seats)
    reasons = [""] * len(log.setup.seats)
    used = [0] * len(log.setup.seats)
    number = 0
    for entry in log.entries:
        content = entry.content
        if isinstance(content, NoteRecord) and content.what == ILLEGAL_ANSWER and content.seat is not None:
            reasons[content.seat] = content.text
        if not isinstance(content, LoggedPly):
            continue
        ply, own = content.record, timed[content.record.seat]
        if ply.decision and not (own and own[-1].decision == ply.decision):
            own.append(_decision(ply, number, banks[ply.seat], used[ply.seat], control, reasons[ply.seat]))
            used[ply.seat] += ply.used_ns
            banks[ply.seat], reasons[ply.seat] = ply.bank_ns, ""
        number += 1
    return timed


def _decision(
    ply: PlyRecord, number: int, bank_ns: int, seat_used_ns: int, control: TimeControl, why: str
) -> TimedDecision:
    per_decision_ns = 0 if ply.over_seat_limit else control.per_decision_ns
    return TimedDecision(
        decision=ply.decision,
        ply=number,
        cause=ply.cause,
        used_ns=ply.used_ns,
        allowed_ns=per_decision_ns + bank_ns + control.grace_ns,
        credit_ns=ply.credit_ns,
        stall_ns=ply.stall_ns,
        bank_before_ns=bank_ns,
        bank_after_ns=ply.bank_ns,
        wait_ns=ply.wait_ns,
        seat_used_ns=seat_used_ns,
        over_seat_limit=ply.over_seat_limit,
        why=why if ply.cause is Cause.ILLEGAL_ACTION else "",
        evaluation=ply.evaluation,
    )


def _absences(log: MatchLog, seat: int) -> tuple[DisconnectedTime, ...]:
    absences: list[DisconnectedTime] = []
    for entry in log.entries:
        note = entry.content
        if not isinstance(note, NoteRecord) or note.seat != seat:
            continue
        if note.what == CONNECTION_LOST:
            absences.append(DisconnectedTime(note.at_ns, None))
        elif note.what == CONNECTION_BACK and absences and absences[-1].back_ns is None:
            absences[-1] = DisconnectedTime(absences[-1].lost_ns, note.at_ns)
    return tuple(absences)
