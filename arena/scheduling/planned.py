"""The matches of a group as they are stored: seats and commitments, not the seeds themselves."""

from __future__ import annotations

from collections.abc import Collection

from arena.core.match import SeedPolicy
from arena.core.pairing.groups import plan_group
from arena.store.groups import PlannedMatch
from engine.randomness import commitment


def planned_matches(
    secret: bytes, group: int, bots: Collection[str], policy: SeedPolicy
) -> tuple[PlannedMatch, ...]:
    """What `plan_group` plans, in the same order."""
    return tuple(
        PlannedMatch(match.bots, match.group_index, commitment(match.seed))
        for match in plan_group(secret, group, bots, policy)
    )
