"""The matches of a group as they are stored: seats and commitments, not the seeds themselves."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from arena.core.match import SeedPolicy
from arena.core.pairing.groups import MatchPlan, plan_board, plan_group
from arena.store.groups import PlannedMatch
from engine.randomness import commitment


def planned_matches(
    secret: bytes, group: int, bots: Collection[str], policy: SeedPolicy
) -> tuple[PlannedMatch, ...]:
    """What `plan_group` plans, in the same order."""
    return _stored(plan_group(secret, group, bots, policy))


def planned_board(
    secret: bytes, group: int, bots: Collection[str], policy: SeedPolicy
) -> tuple[PlannedMatch, ...]:
    """What `plan_board` plans, in the same order."""
    return _stored(plan_board(secret, group, bots, policy))


def _stored(plans: Iterable[MatchPlan]) -> tuple[PlannedMatch, ...]:
    return tuple(PlannedMatch(match.bots, match.group_index, commitment(match.seed)) for match in plans)
