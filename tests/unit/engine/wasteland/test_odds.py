"""W7's last columns, computed exactly from W41-W50: win chance and expected Hits against three caravans."""

from functools import cache
from math import comb

import pytest

from tests.unit.engine.wasteland.tables import ATTACKS

CARAVANS = ((3, 3, 4), (3, 4, 7), (5, 5, 13))
"""Attack, Defense and Health: the bare Head, Head and Garrison, a strong caravan."""

ODDS = """
feral_dogs      100 0.6  100 0.4  100 0.2
lone_raider     100 0.6  100 0.4  100 0.2
scavenger_gang   98 1.3  100 0.9  100 0.3
toll_gang        93 1.6  100 1.1  100 0.4
rad_scorpion     95 1.4  100 0.9  100 0.4
mutant_pack      90 1.9  100 1.3  100 0.5
plague_carriers 100 0.6  100 0.4  100 0.2
sniper_nest      95 1.2  100 0.8  100 0.3
deserter_squad   82 2.2  100 1.6  100 0.5
road_warriors    54 3.0   99 2.3  100 0.8
slaver_column    34 3.4   97 3.0  100 1.0
rust_tank        16 3.7   81 4.2  100 1.5
"""
"""W7: for each caravan the win chance in percent and the Hits taken; a fall of both sides is lost."""


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
