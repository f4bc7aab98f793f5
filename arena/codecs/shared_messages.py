"""Messages that are the same for all games: in Play, in the services and in match logs."""

from dataclasses import asdict
from functools import lru_cache
from typing import Any

from arena.core.clock.time_control import TimeControl
from arena.core.endings.arena_faults import Facts
from arena.core.endings.terminations import SeatEnding
from arena.core.evaluation import Evaluation, check_counts
from arena.v1 import ending_pb2, play_pb2, time_control_pb2


def same(source: object, *names: str) -> dict[str, Any]:
    """Return these fields of the source by name, for what has them under the same names: a message, or a record."""
    return {name: getattr(source, name) for name in names}


@lru_cache(maxsize=1_000)
def time_control_message(control: TimeControl) -> time_control_pb2.TimeControl:
    """Return the clock rules as a message, which is shared: copy it before changing it."""
    return time_control_pb2.TimeControl(**asdict(control))


def time_control_of(message: time_control_pb2.TimeControl) -> TimeControl:
    """Return the clock rules of a message. Raises InvalidArgumentError (FIELD_INVALID)."""
    return TimeControl(**{field: getattr(message, field) for field in TimeControl.__dataclass_fields__})


def evidence_messages(facts: Facts) -> list[ending_pb2.Evidence]:
    """Return the facts as messages, in order."""
    return [ending_pb2.Evidence(fact=fact, value=value) for fact, value in facts]


def evaluation_message(evaluation: Evaluation) -> play_pb2.Evaluation:
    """Return an evaluation as a message."""
    return play_pb2.Evaluation(**same(evaluation, "scores_per_mille", "line", "final_scores"))


def evaluation_of(message: play_pb2.Evaluation, seats: int) -> Evaluation:
    """Return the evaluation in a message, of a match with so many seats.

    Raises ValueError, a sentence part: it is out of bounds.
    """
    check_counts(
        len(message.scores_per_mille), len(message.final_scores), seats
    )  # before a long list is copied
    return Evaluation(tuple(message.scores_per_mille), message.line, tuple(message.final_scores))


def seat_ending_message(ending: SeatEnding) -> ending_pb2.SeatEnding:
    """Return how a seat ended; the enums have the same numbers."""
    return ending_pb2.SeatEnding(
        termination=ending_pb2.Termination.ValueType(ending.termination.value),
        fault=ending_pb2.Fault.ValueType(ending.fault.value),
        evidence=evidence_messages(ending.evidence),
        sentence=ending.sentence,
    )
