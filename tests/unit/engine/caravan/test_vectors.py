"""Worked example 11: whole matches from the seed of 32 zero bytes, played by two simple rules."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from engine.caravan.actions import PICK_UP, kind_of
from engine.game import TERMINAL
from tests.unit.engine.caravan.positions import a_match, view


class Vector(NamedTuple):
    """One row of the table."""

    rule: str
    seats: int
    ending: str
    plies: int
    last_turn: int
    scores: tuple[int, ...]
    delivered: tuple[int, ...]
    placings: tuple[int, ...]


VECTORS = [
    Vector("a", 2, "NO_PROGRESS", 143, 40, (0, 0), (0, 0), (1, 1)),
    Vector("a", 3, "NO_PROGRESS", 190, 60, (0, 0, 0), (0, 0, 0), (1, 1, 1)),
    Vector("a", 4, "NO_PROGRESS", 332, 103, (0, 0, 1, 0), (0, 0, 0, 0), (2, 2, 1, 2)),
    Vector("b", 2, "NO_PROGRESS", 243, 63, (-5, -1), (0, 0), (2, 1)),
    Vector("b", 3, "NO_PROGRESS", 398, 104, (-5, -3, 1), (0, 0, 0), (3, 2, 1)),
    Vector("b", 4, "NO_PROGRESS", 541, 142, (-1, -5, -3, -4), (0, 0, 0, 0), (1, 4, 2, 3)),
]


def choices(listed: list[int], rule: str) -> list[int]:
    """All actions for rule (a); those with goods, if there are any, for rule (b)."""
    with_goods = [action for action in listed if kind_of(action) >= PICK_UP]
    return with_goods if rule == "b" and with_goods else listed


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"rule {vector.rule}, {vector.seats} seats")
def test_example_11_a_match_by_rule_ends_as_the_table_says(vector: Vector) -> None:
    match, ply = a_match(vector.seats), 0
    while match.seat_to_act != TERMINAL:
        among = choices(list(match.legal_actions()), vector.rule)
        match.apply(among[(7 * ply + 3) % len(among)])
        ply += 1
    outcome = match.outcome()
    assert outcome is not None
    assert (outcome.ending, ply, view(match).turn) == (vector.ending, vector.plies, vector.last_turn)
    assert (outcome.scores, outcome.placings) == (vector.scores, vector.placings)
    assert tuple(sum(seat.delivered) for seat in view(match).seats) == vector.delivered
