"""The matches of a group as they are stored: seats and commitments, not the seeds themselves."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from arena.core.match import MatchState, SeedPolicy
from arena.core.pairing.groups import MatchPlan, plan_board, plan_group
from arena.store.matches.groups import MatchTerms, PlannedMatch
from arena.store.matches.open_matches import OpenMatch
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


def opened(
    terms: MatchTerms,
    group: int,
    ids: Sequence[int],
    planned: Sequence[PlannedMatch],
    policy: SeedPolicy,
    *,
    yields: bool = False,
) -> tuple[OpenMatch, ...]:
    """The matches of a group that is stored, `ids` in the order of `planned`. `yields`: see OpenMatch."""
    return tuple(
        OpenMatch(
            match,
            group,
            terms.ladder,
            terms.tournament,
            terms.game,
            terms.rules_version,
            MatchState.PENDING,
            each.bots,
            policy,
            yields=yields,
        )
        for match, each in zip(ids, planned, strict=True)
    )


def _stored(plans: Iterable[MatchPlan]) -> tuple[PlannedMatch, ...]:
    return tuple(PlannedMatch(match.bots, match.group_index, commitment(match.seed)) for match in plans)
