"""Which bots make up the next match group of a ladder: the same choice for the same input and stream.

First an *anchor* is chosen, the bot that most needs a group; then its opponents are drawn, near ratings and
rare opponents being likelier. The promise: of N candidates none that is free is passed over by more than
`waiting_bound(N)` groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm

from arena.core.pairing.candidates import Candidate, PairingRules
from arena.core.pairing.matchmaker import Matchmaker
from arena.core.pairing.shares import DUE
from engine.randomness import Stream


def queue(candidates: Sequence[Candidate]) -> tuple[str, ...]:
    """The bots that are free in the order in which they would be anchors; equals, who are drawn, by name."""
    free = sorted((each for each in candidates if each.free > 0), key=lambda each: each.bot)
    shares = lcm(*{1 + each.running_groups for each in free})

    def urgency(candidate: Candidate) -> tuple[int, int]:
        if candidate.waited >= len(candidates) and candidate.behind is None:
            return 3, candidate.waited
        if (candidate.behind or 0) >= DUE:
            return 2, candidate.behind or 0
        if candidate.waited >= len(free):
            return 1, candidate.waited
        need = candidate.uncertainty_milli * (1 + candidate.waited)
        return 0, need * (shares // (1 + candidate.running_groups))

    return tuple(each.bot for each in sorted(free, key=urgency, reverse=True))


def choose_board(willing: Sequence[Candidate]) -> tuple[str, ...] | None:
    """The bots of the next board of a solo ladder, by name: all that are willing; None until all have room at once."""
    return Matchmaker(willing, (), PairingRules((1,), same_owner=True)).choose_board()


def choose_group(
    candidates: Sequence[Candidate],
    recent: Sequence[Sequence[str]],
    rules: PairingRules,
    stream: Stream,
) -> tuple[str, ...] | None:
    """The next group, as `Matchmaker.choose_group` chooses it."""
    return Matchmaker(candidates, recent, rules).choose_group(stream)
