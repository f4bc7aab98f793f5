"""A match as its bot sees it: the match, the clock of one decision, and the result."""

from dataclasses import dataclass
from typing import Any, Generic

from typing_extensions import TypeVar

from arena.sdk.game_messages import inner
from arena.v1 import match_pb2, play_pb2, time_control_pb2

ObservationT = TypeVar("ObservationT", default=Any)
OptionsT = TypeVar("OptionsT", default=Any)


@dataclass(frozen=True, slots=True)
class Match(Generic[ObservationT, OptionsT]):
    """One match from one seat; the same from its start to its end."""

    name: str
    """For example "matches/17"."""
    ladder: str
    """For example "ladders/main"; empty for a match outside of any."""
    tournament: str
    """For example "tournaments/spring"; empty for a match outside of any."""
    game: str
    """The game's id."""
    rules_version: int
    options: OptionsT
    """The game's own options message, all of it set."""
    seats: int
    """Number of seats."""
    seat: int
    """This bot's seat, counted from 0."""
    time_control: time_control_pb2.TimeControl
    rated: bool
    participants: tuple[str, ...]
    """The bots by seat, for example "bots/greedy"."""
    view: ObservationT
    """The game's own observation message at the start; after a comeback the last one this seat was shown."""
    comeback: bool
    """True if the match was running before this program took the seat over."""
    answers: tuple[play_pb2.GivenAnswer, ...]
    """After a comeback: this seat's answers since `view`, in order."""


@dataclass(frozen=True, slots=True)
class Clock:
    """How long one decision may take; docs/protocol.md, "The clock", has the arena's arithmetic."""

    per_decision_ms: int
    """Free time for this decision."""
    bank_ms: int
    """What is left of the bank; only time beyond `per_decision_ms` is taken from it."""
    increment_ms: int
    """Added to the bank if the answer comes in time."""
    time_left_ms: int
    """Time until the decision is lost, counted from its arrival."""
    deadline: float
    """The same on this program's `time.monotonic()`, in seconds: arrival + `time_left_ms`."""
    seat_time_left_ms: int | None = None
    """What is left of `seat_limit_ms`, after which decisions have no free time; None from an older arena."""


@dataclass(frozen=True, slots=True)
class Result(Generic[ObservationT]):
    """How a match ended for this bot's seat."""

    placing: int
    """1 is best; shared by ties. 0 if the match is void."""
    score: int
    ending: str
    """Why the match ended, for example FINAL_DELIVERY; empty if it is void."""
    sentence: str
    """How this seat ended, in one sentence; for a void match why it is void."""
    record: match_pb2.Match
    """The whole match as MatchService shows it: all seats, endings, the log's name."""
    view: ObservationT | None
    """The game's own observation message of the last position, or None."""


def match_of(assigned: play_pb2.Assigned, started: play_pb2.MatchStarted) -> Match:
    """Combine `assigned` and `match_started`."""
    return Match(
        name=assigned.match,
        ladder=assigned.ladder,
        tournament=assigned.tournament,
        game=assigned.game,
        rules_version=assigned.rules_version,
        options=inner(assigned.options),
        seats=assigned.seats,
        seat=assigned.seat,
        time_control=assigned.time_control,
        rated=assigned.rated,
        participants=tuple(participant.bot for participant in started.participants),
        view=inner(started.view),
        comeback=started.comeback,
        answers=tuple(started.answers),
    )


def result_of(ended: play_pb2.MatchEnded, seat: int) -> Result:
    """Return how the match ended for `seat`; zeros where the arena left the seat out."""
    record = ended.match
    own = record.seats[seat] if seat < len(record.seats) else match_pb2.MatchSeat()
    return Result(
        placing=own.placing,
        score=own.score,
        ending=record.ending,
        sentence=record.void_reason or own.ending.sentence,
        record=record,
        view=inner(ended.view),
    )


def clock_of(decision: play_pb2.Decision, arrived: float) -> Clock:
    """Return the clock of a decision that arrived at `arrived` on `time.monotonic()`."""
    return Clock(
        per_decision_ms=decision.per_decision_ms,
        bank_ms=decision.bank_ms,
        increment_ms=decision.increment_ms,
        time_left_ms=decision.time_left_ms,
        deadline=arrived + decision.time_left_ms / 1000,
        seat_time_left_ms=decision.seat_time_left_ms if decision.HasField("seat_time_left_ms") else None,
    )
