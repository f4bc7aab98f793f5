"""Checks of the seed: its commitment and its derivation from the secret (docs/rules/randomness.md)."""

from __future__ import annotations

from typing import Final

from arena.core.match import SeedPolicy
from arena.core.seeds import SECRET_BYTES, match_seed, secret_commitment
from arena.match_log.checks.check import Check, failed, not_checked, passed
from arena.match_log.framing import Flaw
from arena.match_log.reader import MatchLog
from engine.randomness import SEED_BYTES, commitment

SEED: Final = "seed"
DERIVATION: Final = "derivation"


def check_seed(log: MatchLog) -> Check:
    """Check that the footer's seed fits the commitment in the header."""
    seed = log.setup.seed
    if len(seed) != SEED_BYTES:
        return failed(SEED, Flaw(log.footer_index, f"The seed has {len(seed)} bytes, not {SEED_BYTES}."))
    if commitment(seed) != log.seed_commitment:
        return failed(
            SEED, Flaw(log.footer_index, "The seed is not the one that the header is committed to.")
        )
    return passed(SEED, "The seed is the one that was committed to before the match.")


def check_derivation(log: MatchLog, secret: bytes | None) -> Check:
    """Check that the seed follows from the secret T. `secret`: 32 bytes; None until it is revealed."""
    setup = log.setup
    if setup.seed_policy is SeedPolicy.FIXED:
        if setup.rated:
            return failed(DERIVATION, Flaw(0, "The seed was fixed by hand, but the match was rated."))
        return not_checked(DERIVATION, "The seed was fixed by hand and follows from no secret.")
    if setup.seed_policy is SeedPolicy.SHARED and setup.seed_group_index:
        return failed(DERIVATION, Flaw(0, "A seed that a group shares has index 0 in each of its matches."))
    if secret is None:
        return not_checked(
            DERIVATION,
            "The secret of the seed is not known here: it is published when its day or tournament is over.",
        )
    if len(secret) != SECRET_BYTES or secret_commitment(secret) != setup.secret_commitment:
        return failed(DERIVATION, Flaw(0, "The secret is not the one that the header is committed to."))
    if match_seed(secret, setup.group, setup.seed_group_index, setup.seed_attempt) != setup.seed:
        return failed(DERIVATION, Flaw(log.footer_index, "The seed does not follow from the secret."))
    return passed(DERIVATION, "The seed follows from the secret that was committed to.")
