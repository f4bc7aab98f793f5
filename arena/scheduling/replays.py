"""What is played instead of a void match."""

from __future__ import annotations

from arena.core.pairing.groups import replay_attempt
from arena.core.seeds import match_seed
from arena.store.matches.matches import MatchRow
from arena.store.matches.results import ReplacementMatch
from arena.store.store import Transaction
from engine.randomness import commitment


def replay_of(tx: Transaction, match: MatchRow) -> ReplacementMatch:
    """The match again: on a new seed, unless its group shares one."""
    secret = tx.groups.secret_of(match.group)
    assert secret is not None, "the matches of an arena are of a ladder or a tournament"
    attempt = replay_attempt(match.attempt, match.seed_policy, view_sent=True)
    seed = match_seed(secret.secret, match.group, match.group_index, attempt)
    return ReplacementMatch(attempt, commitment(seed))
