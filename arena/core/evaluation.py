"""What a bot expects of a match when it answers a decision; it may say so with its answer."""

from dataclasses import dataclass
from typing import Final

MOST_PER_MILLE: Final = 1_000
"""The expected score of a seat that is sure to be placed before all others."""

MOST_POINTS: Final = 1_000_000
"""The largest final score that can be expected, and its negative the smallest."""

LINE_BYTES: Final = 200
"""The longest line, in bytes of UTF-8."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a bot expects. Raises ValueError, a sentence part, if one of its values is out of bounds."""

    scores_per_mille: tuple[int, ...] = ()
    """By seat: the expected score in thousandths, the mean over its pairs with the other seats; or none."""
    line: str = ""
    """For people, any text."""
    final_scores: tuple[int, ...] = ()
    """By seat: the final score that is expected, in the points of the game; or none."""

    def __post_init__(self) -> None:
        for score in self.scores_per_mille:
            if not 0 <= score <= MOST_PER_MILLE:
                raise ValueError(f"scores_per_mille has {score}, but goes from 0 to {MOST_PER_MILLE}")
        for score in self.final_scores:
            if abs(score) > MOST_POINTS:
                raise ValueError(f"final_scores has {score}, but goes from -{MOST_POINTS} to {MOST_POINTS}")
        if (length := len(self.line.encode())) > LINE_BYTES:
            raise ValueError(f"line has {length} bytes; at most {LINE_BYTES} are allowed")


def check_counts(scores_per_mille: int, final_scores: int, seats: int) -> None:
    """Check how many values of each kind an evaluation has: one for each seat, or none.

    A match of one seat has no pairs, so it has no expected score. Raises ValueError, a sentence part.
    """
    pairs = seats if seats > 1 else 0
    if scores_per_mille not in {0, pairs}:
        raise ValueError(_wrong_count("scores_per_mille", scores_per_mille, pairs, seats))
    if final_scores not in {0, seats}:
        raise ValueError(_wrong_count("final_scores", final_scores, seats, seats))


def _wrong_count(field: str, given: int, needed: int, seats: int) -> str:
    wanted = f"{needed} or none" if needed else "none"
    return f"{field} has {given} values; a match with {seats} seat{'s' * (seats > 1)} needs {wanted}"
