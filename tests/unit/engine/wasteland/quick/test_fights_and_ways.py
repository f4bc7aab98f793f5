"""Estimates of fights and ways over the board against the tables of docs/rules/wasteland.md and every way there is."""

import pytest

from engine.randomness import Stream
from engine.wasteland.attack_cards import ATTACKER_ATTACK, ATTACKER_DEFENSE, ATTACKER_HEALTH, ATTACKER_IDS
from engine.wasteland.board import LINKED, SPACE_KINDS, SPACES, WILD
from engine.wasteland.quick.fights import fall_chance, required_toll, toll_of
from engine.wasteland.quick.ways import WAYS
from tests.unit.engine.wasteland.tables import ODDS

STRONG = {row.split()[0]: float(row.split()[-1]) for row in ODDS.strip().splitlines()}
"""Hits that a caravan of Attack 5, Defense 5 and 13 Health takes; it falls in no fight."""


@pytest.mark.parametrize("name", STRONG)
def test_hits_taken_are_those_of_the_page(name: str) -> None:
    """W7, rounded there."""
    card = ATTACKER_IDS.index(name)
    assert toll_of(card, 5, 5, ATTACKER_DEFENSE[card], 0).hits == pytest.approx(STRONG[name], abs=0.06)


def test_hits_taken_are_those_of_dice_that_are_rolled() -> None:
    """W43 to W47: the bare Head against Road Warriors, both sides striking each round."""
    card, stream, taken, fights = ATTACKER_IDS.index("road_warriors"), Stream(bytes(32)), 0, 4000
    for _ in range(fights):
        left = ATTACKER_HEALTH[card]
        while left > 0:
            left -= sum(stream.die(6) > ATTACKER_DEFENSE[card] for _ in range(3))
            taken += sum(stream.die(6) > 3 for _ in range(ATTACKER_ATTACK[card]))
    assert taken / fights == pytest.approx(toll_of(card, 3, 3, ATTACKER_DEFENSE[card], 0).hits, rel=0.05)


def test_hits_on_the_card_shorten_the_fight() -> None:
    """W46: Hits stay on it."""
    card = ATTACKER_IDS.index("slaver_column")
    tolls = [toll_of(card, 3, 4, 3, hits).hits for hits in range(ATTACKER_HEALTH[card])]
    assert tolls == sorted(tolls, reverse=True)
    assert tolls[-1] < tolls[0] / 2


def test_a_caravan_with_more_health_meets_dearer_cards() -> None:
    """W37: whose Check it meets."""
    bounties = [required_toll(5, 5, health).bounty for health in (4, 6, 8, 10, 12)]
    assert bounties == sorted(set(bounties))


def test_a_caravan_falls_the_more_likely_the_more_hits_come() -> None:
    """W52."""
    chances = [fall_chance(hits, 6) for hits in (0, 1, 3, 5.5, 9)]
    assert chances == sorted(chances)
    assert chances[0] == 0
    assert chances[3] == pytest.approx(0.5)


def walked(start: int, steps: int) -> set[tuple[int, int]]:
    """(end, Wilds entered) of every way of at most so many steps (W32, W34)."""
    found, ends = {(start, 0)}, {(start, 0)}
    for _ in range(steps):
        ends = {
            (near, wilds + (SPACE_KINDS[near] == WILD)) for space, wilds in ends for near in LINKED[space]
        }
        found |= ends
    return found


def test_ends_and_wilds_are_those_of_all_ways() -> None:
    """W4, W34."""
    for start in range(SPACES):
        for steps in range(6):
            row = WAYS[steps][start]
            told = {(end, wilds) for end in range(SPACES) for wilds in range(6) if row[end] >> wilds & 1}
            assert told == walked(start, steps)
