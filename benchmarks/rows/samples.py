"""One stretch of play, as the bots saw it and as the processor's clock of the other side has it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from benchmarks.measuring.spread import Spread, percentile, ratios, spread

_US_PER_S: Final = 1e6
_NS_PER_US: Final = 1e3
_NS_PER_S: Final = 1e9


@dataclass(frozen=True, slots=True)
class Sample:
    """Figures of one stretch."""

    decisions: int
    per_second: float
    """Decisions by the clock on the wall, pauses between matches included."""
    in_play: float
    """Decisions a second of a match, from one to the next: pauses between matches left out."""
    cpu_us: float
    """Processor time of the asking side for each decision, in microseconds, whatever it was spent on."""
    waits_us: Sequence[float]
    """From an answer to the next decision, in microseconds, ascending."""
    legal_actions: float
    """In the mean."""
    frame_bytes: float
    """Of a frame with decisions, in the mean."""
    per_frame: float
    """Decisions in such a frame, in the mean."""

    @property
    def p50_us(self) -> float:
        """The median of the waits."""
        return percentile(self.waits_us, 0.50)

    @property
    def p99_us(self) -> float:
        """What one wait in a hundred exceeds."""
        return percentile(self.waits_us, 0.99)


def sample(answer: dict[str, Any], cpu_s: float) -> Sample:
    """From what a program of bots tells, and the processor time that the other side has used meanwhile."""
    decisions = answer["decisions"]
    return Sample(
        decisions=decisions,
        per_second=decisions / answer["seconds"],
        in_play=answer["turns"] / (answer["turns_ns"] / _NS_PER_S) if answer["turns"] else 0.0,
        cpu_us=cpu_s / decisions * _US_PER_S,
        waits_us=sorted(wait / _NS_PER_US for wait in answer["waits_ns"]),
        legal_actions=answer["legal_actions"] / decisions,
        frame_bytes=answer["frame_bytes"] / answer["frames"],
        per_frame=decisions / answer["frames"],
    )


Pairs = Sequence[tuple[Sample, Sample]]
Figure = Callable[[Sample], float]


def middles(pairs: Pairs, figure: Figure) -> tuple[float, float]:
    """Return the medians of a figure, ours and theirs."""
    return (
        spread(figure(ours) for ours, _ in pairs).middle,
        spread(figure(theirs) for _, theirs in pairs).middle,
    )


def ratio(pairs: Pairs, figure: Figure) -> Spread:
    """Ours over theirs, pair by pair."""
    return ratios([(figure(ours), figure(theirs)) for ours, theirs in pairs])
