"""Tournaments played to the end without an arena: results, withdrawals, no-shows and void groups are drawn."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random

from arena.core.pairing.formats.plan import (
    Format,
    History,
    NextRound,
    PlayedPairing,
    PlayedRound,
    RoundPairing,
    Withdrawal,
)

SECRET = bytes(range(32))
MOST_ROUNDS = 500


def names(count: int) -> tuple[str, ...]:
    """Ids of bots in the order of entry, which is not their order by id."""
    return tuple(f"bot{(place * 7919) % 10007:05}" for place in range(count))


@dataclass(frozen=True)
class Mishaps:
    """How often, in percent, something does not go as planned."""

    withdrawal: int = 0
    """Of each bot in each round."""
    no_show: int = 0
    """Of each bot in each group."""
    void: int = 0
    """Of each group."""
    tie: int = 30
    """Of each pair in a match."""
    upset: int = 30
    """Of each pair in a match: that the later entrant is placed before the earlier."""


def a_played(
    pairing: RoundPairing, random: Random, mishaps: Mishaps = Mishaps(), order: Sequence[str] = ()
) -> PlayedPairing:
    """Play one group; earlier entrants win as a rule."""
    bots, seats = pairing.bots, len(pairing.bots)
    absent = tuple(random.randrange(100) < mishaps.no_show for _ in bots)
    if any(absent):
        return PlayedPairing(pairing, (0,) * seats, (0,) * seats, absent)
    if random.randrange(100) < mishaps.void:
        return PlayedPairing(pairing, (0,) * seats, (0,) * seats, absent)
    scores = dict.fromkeys(bots, 0)
    for one, other in combinations(sorted(bots, key=order.index) if order else bots, 2):
        for _ in range(seats):
            draw = random.randrange(100)
            if draw < mishaps.tie:
                scores[one] += 500
                scores[other] += 500
            else:
                scores[other if random.randrange(100) < mishaps.upset else one] += 1000
    return PlayedPairing(pairing, tuple(scores[bot] for bot in bots), (seats * (seats - 1),) * seats, absent)


def play_out(
    form: Format, history: History, random: Random, mishaps: Mishaps = Mishaps()
) -> tuple[History, list[NextRound]]:
    """Play a tournament to its end and return its history and all rounds made, the last one empty."""
    made: list[NextRound] = []
    while True:
        following = form.next_round(history)
        made.append(following)
        if not following.pairings:
            return history, made
        assert len(made) < MOST_ROUNDS, "the tournament does not end"
        number = len(made)
        played = tuple(a_played(each, random, mishaps, history.entrants) for each in following.pairings)
        gone = tuple(
            Withdrawal(bot, number)
            for bot in history.entered(number + 1)
            if random.randrange(100) < mishaps.withdrawal
        )
        history = replace(
            history,
            rounds=(*history.rounds, PlayedRound(played, following.byes)),
            withdrawals=(*history.withdrawals, *gone),
        )
