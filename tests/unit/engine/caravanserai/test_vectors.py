"""S54 and S55: set-ups and whole matches from the seed of 32 zero bytes."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from engine.caravanserai.events import BoardLaid
from engine.game import TERMINAL
from tests.unit.engine.caravanserai.positions import a_match, view


class SetUp(NamedTuple):
    """One set-up of S54."""

    seats: int
    first: int
    tiles: str
    """Tile and rotation by position."""
    loose: str
    """In the order of S12."""
    market: str


SET_UPS = [
    SetUp(
        2,
        0,
        "A-P/5 B-Y/5 F-R/2 F-W/2 A-W/5 A-K/5 F-Y/5 C-W/5 F-K/4 A-R/2 F-P/0 B-R/3 C-P/5 C-Y/1 B-W/1 B-K/2 A-Y/1 "
        "B-P/3 C-R/1",
        "Y(-1,-2) R(-4,3) W(0,-2) W(0,2) K(4,-3) Y(3,0)",
        "W4 K5 P6 R5 Y4",
    ),
    SetUp(
        3,
        0,
        "A-R/5 E-K/5 F-K/5 C-P/5 F-W/4 C-Y/2 E-W/0 B-W/3 B-Y/5 A-K/1 A-P/1 F-R/2 F-P/1 F-Y/3 B-K/1 B-R/4 A-W/4 "
        "B-P/4 E-P/3 E-Y/5 C-W/0 C-R/2 A-Y/4 C-K/1",
        "K(-2,0) P(-2,1) W(2,-3) Y(-2,4) W(4,-2) W(1,3) Y(6,-2) K(4,2)",
        "W3 K4 P5 R6 Y4",
    ),
    SetUp(
        4,
        0,
        "B-Y/2 C-R/0 E-K/3 A-Y/5 A-R/1 F-W/1 C-W/2 E-W/1 B-W/3 C-Y/1 D-K/4 B-K/4 A-W/4 C-P/3 E-P/5 A-P/0 E-Y/2 "
        "D-W/4 F-Y/1 A-K/1 F-P/2 E-R/3 C-K/0 F-R/5 F-K/5 B-R/2 B-P/0",
        "Y(-2,-1) R(-3,2) W(-4,6) W(0,-2) W(-2,6) W(2,-2) Y(0,4) K(5,0) K(4,1)",
        "W2 K4 P6 R5 Y4",
    ),
    SetUp(
        5,
        3,
        "E-W/4 E-R/2 D-P/0 C-Y/3 F-R/5 B-R/1 C-W/1 C-K/2 D-Y/1 C-P/3 E-K/1 B-Y/4 F-K/4 B-P/4 F-W/3 A-Y/5 A-P/0 "
        "E-P/2 C-R/4 D-K/1 A-W/1 A-K/2 E-Y/3 B-K/0 D-R/5 D-W/5 B-W/2 A-R/0 F-Y/4 F-P/0",
        "R(-1,-2) R(-3,3) W(-4,6) K(0,-2) Y(-2,5) P(4,-3) K(0,7) Y(6,-2) K(5,2) P(4,4)",
        "W5 K3 P4 R4 Y4",
    ),
]


class Vector(NamedTuple):
    """One half of a row of S55."""

    seats: int
    expert: bool
    ending: str
    round: int
    actions: int
    lengths: tuple[int, ...]
    placings: tuple[int, ...]


VECTORS = [
    Vector(1, False, "MARKET", 16, 104, (10,), (1,)),
    Vector(2, False, "MARKET", 17, 229, (6, 8), (2, 1)),
    Vector(3, False, "MARKET", 9, 184, (5, 3, 8), (2, 3, 1)),
    Vector(4, False, "MARKET", 7, 168, (5, 8, 3, 3), (2, 1, 3, 4)),
    Vector(5, False, "MARKET", 6, 179, (1, 3, 3, 6, 4), (5, 4, 3, 1, 2)),
    Vector(6, False, "MARKET", 6, 202, (9, 4, 3, 6, 3, 7), (1, 4, 6, 3, 5, 2)),
    Vector(1, True, "MARKET", 12, 93, (8,), (1,)),
    Vector(2, True, "MARKET", 17, 210, (3, 1), (1, 2)),
    Vector(3, True, "MARKET", 8, 166, (2, 5, 2), (2, 1, 3)),
    Vector(4, True, "MARKET", 5, 152, (1, 6, 3, 1), (3, 1, 2, 4)),
    Vector(5, True, "MARKET", 4, 148, (4, 3, 1, 1, 1), (1, 2, 5, 3, 4)),
    Vector(6, True, "MARKET", 4, 152, (4, 1, 1, 3, 1, 1), (1, 6, 5, 2, 4, 3)),
]


@pytest.mark.parametrize("vector", SET_UPS, ids=lambda vector: f"{vector.seats} seats")
def test_s54_the_set_up_of_the_zero_seed_is_that_of_the_vectors(vector: SetUp) -> None:
    match = a_match(vector.seats)
    seen = view(match)
    (event,) = match.take_events()
    assert isinstance(event, BoardLaid)
    assert seen.first == event.first == vector.first
    assert " ".join(map(str, seen.tiles)) == vector.tiles
    words = vector.loose.split()
    assert [str(cell) for cell in event.loose] == [word[1:] for word in words]
    assert sorted(event.loose) == list(seen.loose)
    colours = ["WKPRY"[match.setup.inn_colour[match.setup.tables.numbers[cell]]] for cell in event.loose]
    assert colours == [word[0] for word in words]
    counts = zip("WKPRY", seen.market, strict=True)
    assert " ".join(f"{letter}{count}" for letter, count in counts) == vector.market


def test_s54_one_seat_has_the_set_up_of_two_and_six_the_board_of_five() -> None:
    assert view(a_match(1)).tiles == view(a_match(2)).tiles
    assert view(a_match(6)).tiles == view(a_match(5)).tiles
    assert (view(a_match(1)).first, view(a_match(6)).first) == (0, 0)


def test_s54_the_expert_set_up_differs_in_the_market_alone() -> None:
    basic, expert = view(a_match(4)), view(a_match(4, options={"expert": "true"}))
    assert (basic.tiles, basic.loose) == (expert.tiles, expert.loose)
    assert [count + 1 for count in basic.market] == list(expert.market)


@pytest.mark.parametrize(
    "vector", VECTORS, ids=lambda vector: f"{vector.seats} seats{', expert' if vector.expert else ''}"
)
def test_s55_a_match_by_rule_ends_as_the_table_says(vector: Vector) -> None:
    match, ply = a_match(vector.seats, options={"expert": str(vector.expert).lower()}), 0
    while match.seat_to_act != TERMINAL:
        listed = match.legal_actions()
        match.apply(listed[(7 * ply + 3) % len(listed)])
        ply += 1
    outcome = match.outcome()
    assert outcome is not None
    assert (outcome.ending, view(match).round, ply) == (vector.ending, vector.round, vector.actions)
    assert (outcome.scores, outcome.placings) == (vector.lengths, vector.placings)
