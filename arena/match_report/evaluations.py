"""What bots expected of a match, in words."""

from collections.abc import Sequence
from typing import Final

from arena.core.evaluation import Evaluation

PER_PERCENT: Final = 10
"""Thousandths in a percent."""


def percent(per_mille: int) -> str:
    """Return an expected score in percent, for example "62 %" or "62.5 %"."""
    return f"{per_mille / PER_PERCENT:g} %"


def expectation(evaluation: Evaluation, names: Sequence[str]) -> str:
    """Return what was expected for each seat, without the line; empty if only a line was sent. `names`: by seat."""
    scores = [
        f"{name} {percent(score)}" for name, score in zip(names, evaluation.scores_per_mille, strict=False)
    ]
    finals = [f"{name} {score}" for name, score in zip(names, evaluation.final_scores, strict=False)]
    parts = [", ".join(scores)] if scores else []
    if len(finals) == 1:
        parts.append(f"final score {evaluation.final_scores[0]}")
    elif finals:
        parts.append(f"final scores {', '.join(finals)}")
    return "; ".join(parts)


def readable_line(evaluation: Evaluation) -> str:
    """Return the line for people, which a bot has written: what is not printable is replaced."""
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in evaluation.line)


def evaluation_document(evaluation: Evaluation) -> dict[str, object]:
    """Return an evaluation for JSON, with the names of the .proto."""
    return {
        "scores_per_mille": list(evaluation.scores_per_mille),
        "line": evaluation.line,
        "final_scores": list(evaluation.final_scores),
    }
