"""What a bot expects of a match, as the message that goes with its answer."""

from collections.abc import Sequence
from typing import Final

from arena.v1 import play_pb2

LINE_BYTES: Final = 200
"""The arena's limit of the line; the rest is cut."""

_PER_MILLE: Final = 1_000
_MOST_POINTS: Final = 1_000_000


def evaluation_message(
    scores: Sequence[float], line: str, final_scores: Sequence[float], *, seats: int
) -> play_pb2.Evaluation:
    """Return the evaluation of a match with so many seats; the values are those of `Bot.set_evaluation`.

    Raises:
        ValueError: a wrong number of values, or a value out of its range.
        TypeError: something that is no number, or no text.
    """
    pairs = seats if seats > 1 else 0
    return play_pb2.Evaluation(
        scores_per_mille=_checked("scores", scores, pairs, unit=_PER_MILLE, lowest=0, highest=1),
        line=line.encode(errors="replace")[:LINE_BYTES].decode(errors="ignore"),
        final_scores=_checked(
            "final_scores", final_scores, seats, lowest=-_MOST_POINTS, highest=_MOST_POINTS
        ),
    )


def _checked(
    name: str, values: Sequence[float], count: int, *, lowest: int, highest: int, unit: int = 1
) -> list[int]:
    """Return the values in whole units."""
    if len(values) not in {0, count}:
        raise ValueError(f"{name} has {len(values)} values, but needs {count or 'none'} in this match.")
    for value in values:
        if not lowest - 0.5 / unit <= value <= highest + 0.5 / unit:  # not a number is never in between
            raise ValueError(f"{name} has {value}, but goes from {lowest} to {highest}.")
    return [min(max(round(value * unit), lowest * unit), highest * unit) for value in values]
