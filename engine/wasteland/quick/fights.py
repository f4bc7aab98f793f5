"""What fights bring and cost, reckoned from the dice (W42-W47): estimates, no rules."""

from functools import lru_cache
from math import comb, erfc, sqrt
from typing import Final, NamedTuple

from engine.wasteland.attack_cards import (
    ATTACKER_ATTACK,
    ATTACKER_COPIES,
    ATTACKER_DEFENSE,
    ATTACKER_HEALTH,
    ATTACKERS,
    BOUNTY,
    CHECK,
)

_SIDES: Final = 6
_MOST_ROUNDS: Final = 12
"""A combat that lasts longer is counted as one of so many rounds."""

_SPREAD: Final = 1.5
"""Variance of the Hits of some fights over their mean: dice that come in bursts of rounds."""


class Toll(NamedTuple):
    """What a fight brings on average, if it can be fought to the end."""

    bounty: float
    """Cash."""
    hits: float
    """Taken."""


@lru_cache(maxsize=4096)
def rounds_of(attack: int, defense: int, health: int) -> float:
    """Return the mean rounds until so many dice a round have done so many Hits against that Defense."""
    chance = (_SIDES - defense) / _SIDES
    strikes = [
        comb(attack, hits) * chance**hits * (1 - chance) ** (attack - hits) for hits in range(attack + 1)
    ]
    standing = [0.0] * (health + 1)
    standing[health] = 1.0
    total = 0.0
    for _ in range(_MOST_ROUNDS):
        alive = sum(standing[1:])
        total += alive
        after = [0.0] * (health + 1)
        for left in range(1, health + 1):
            for hits, share in enumerate(strikes):
                after[max(0, left - hits)] += standing[left] * share
        standing = after
    return total


@lru_cache(maxsize=4096)
def toll_of(card: int, attack: int, defense: int, card_defense: int, card_hits: int) -> Toll:
    """Return the toll of a fight against an Attack card with that Defense and so many Hits on it."""
    left = ATTACKER_HEALTH[card] - card_hits
    taken = ATTACKER_ATTACK[card] * (_SIDES - defense) / _SIDES
    return Toll(float(BOUNTY[card]), rounds_of(attack, card_defense, left) * taken)


@lru_cache(maxsize=4096)
def required_toll(attack: int, defense: int, total_health: int) -> Toll:
    """Return the mean toll of a required Attack card over those of the whole deck that engage (W37)."""
    bounty = hits = copies = 0.0
    for card in range(ATTACKERS):
        if total_health >= CHECK[card]:
            toll = toll_of(card, attack, defense, ATTACKER_DEFENSE[card], 0)
            bounty += ATTACKER_COPIES[card] * toll.bounty
            hits += ATTACKER_COPIES[card] * toll.hits
            copies += ATTACKER_COPIES[card]
    return Toll(bounty / copies, hits / copies)


def fall_chance(hits: float, health_left: int) -> float:
    """Return the chance that a caravan falls that has so much health left and expects so many Hits."""
    if hits <= 0:
        return 0.0
    return 0.5 * erfc((health_left - 0.5 - hits) / sqrt(2 * _SPREAD * hits))
