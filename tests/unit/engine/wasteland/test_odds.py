"""W7's last columns, computed exactly from W41-W50: win chance and expected Hits against three caravans."""

from functools import cache
from math import comb

import pytest

from tests.unit.engine.wasteland.tables import ATTACKS, ODDS

CARAVANS = ((3, 3, 4), (3, 4, 7), (5, 5, 13))
"""Attack, Defense and Health: the bare Head, Head and Garrison, a strong caravan."""


@cache
def hits(dice: int, defense: int) -> tuple[float, ...]:
    """Return the chance of each number of dice above the Defense."""
    above = (6 - defense) / 6
    return tuple(
        comb(dice, number) * above**number * (1 - above) ** (dice - number) for number in range(dice + 1)
    )


def fought(card: str, caravan: tuple[int, int, int]) -> tuple[float, float]:
    """Win chance, and Hits that the caravan takes until one side or both have fallen."""
    row, (attack, defense, health) = ATTACKS[card], caravan
    won, taken, standing = 0.0, 0.0, {(row.health, health): 1.0}
    for _ in range(50):
        later: dict[tuple[int, int], float] = {}
        for (foe, own), chance in standing.items():
            for given, p in enumerate(hits(attack, row.defense)):
                for got, q in enumerate(hits(row.attack, defense)):
                    left = (max(0, foe - given), max(0, own - got))
                    likely = chance * p * q
                    taken += likely * (own - left[1])
                    if left[0] and left[1]:
                        later[left] = later.get(left, 0.0) + likely
                    elif left[1]:
                        won += likely
        standing = later
    return won, taken


@pytest.mark.parametrize("row", ODDS.strip().splitlines())
def test_w7_win_chances_and_hits(row: str) -> None:
    """Rounded as the table is."""
    card, *numbers = row.split()
    for place, caravan in enumerate(CARAVANS):
        won, taken = fought(card, caravan)
        assert abs(100 * won - float(numbers[2 * place])) <= 0.5001, (card, caravan)
        assert abs(taken - float(numbers[2 * place + 1])) <= 0.0501, (card, caravan)


def test_w7_the_table_is_complete() -> None:
    assert [row.split()[0] for row in ODDS.strip().splitlines()] == list(ATTACKS)
