"""Comparison of the rounds that an arena made with those that the format gives (`arena log verify --tournament`)."""

from collections.abc import Sequence
from dataclasses import dataclass

from arena.core.pairing.formats.plan import Format, History, NextRound


@dataclass(frozen=True, slots=True)
class RoundDifference:
    """A round that was made otherwise than the format says."""

    round: int
    """From 1."""
    planned: NextRound
    """By the format."""
    made: NextRound
    """By the arena."""


def verify_rounds(form: Format, history: History, made: Sequence[NextRound]) -> list[RoundDifference]:
    """Recompute every round from what was known before it, and return those that differ.

    `history`: all complete rounds, and the secret if one is revealed. `made`: the rounds as the arena planned them, in
    order; its newest may be incomplete and not in the history. If all are complete and the tournament has ended, add
    an empty round: then it is also checked that there was nothing left to play.
    """
    differences = []
    for number, each in enumerate(made, start=1):
        if number > len(history.rounds) + 1:
            raise ValueError(f"round {number} was made before round {number - 1} was complete")
        planned = form.next_round(history.before(number))
        if planned != each:
            differences.append(RoundDifference(number, planned, each))
    return differences
