"""Checks of the proofs: this is the log that the arena signed, played on the seed that it was committed to.

How a seed is committed to and derived from the secret: docs/rules/randomness.md.
"""

from collections.abc import Sequence
from typing import Final

from arena.core.match import SeedPolicy
from arena.core.seeds import SECRET_BYTES, match_seed, secret_commitment
from arena.match_log.checks.check import Check, judged, not_checked
from arena.match_log.framing import Flaw, signed_message
from arena.match_log.keys import PublicKey
from arena.match_log.reader import MatchLog, StoredLog
from engine.randomness import SEED_BYTES, commitment

CHAIN: Final = "chain"
SIGNATURE: Final = "signature"
SEED: Final = "seed"
DERIVATION: Final = "derivation"


def check_chain(stored: StoredLog, name: str | None) -> Check:
    """Check that the records are chained to the log's name. `name`: as the arena has it; None if not known."""
    count, end, flaw = len(stored.records), stored.end.hex(), None
    if name not in (None, end):
        flaw = Flaw(count - 1, f"The chain ends in {end}, but the log that was asked for is {name}.")
    return judged(CHAIN, flaw, f"{count} records are chained to {end}.")


def check_signature(stored: StoredLog, keys: Sequence[PublicKey]) -> Check:
    """Check the signature of the chain's end with the key that the header names."""
    index, key_id, flaw = len(stored.records), stored.header.key_id, None
    key = next((key for key in keys if key.key_id == key_id), None)
    if not keys:
        flaw = Flaw(index, "No key was given to check it with; give the arena's public key.")
    elif key is None:
        known = ", ".join(key.key_id for key in keys)
        flaw = Flaw(0, f"The header names key {key_id}, which is none of the trusted ones ({known}).")
    elif not key.signed(signed_message(stored.end), stored.signature):
        sentence = f"Key {key_id} has not signed these records: one of them, or the signature, was changed."
        flaw = Flaw(index, sentence)
    return judged(SIGNATURE, flaw, f"Key {key_id} has signed the end of the chain.")


def check_seed(log: MatchLog) -> Check:
    """Check that the footer's seed fits the commitment in the header."""
    seed, flaw = log.setup.seed, None
    if len(seed) != SEED_BYTES:
        flaw = Flaw(log.footer_index, f"The seed has {len(seed)} bytes, not {SEED_BYTES}.")
    elif commitment(seed) != log.seed_commitment:
        flaw = Flaw(log.footer_index, "The seed is not the one that the header is committed to.")
    return judged(SEED, flaw, "The seed is the one that was committed to before the match.")


def check_derivation(log: MatchLog, secret: bytes | None) -> Check:
    """Check that the seed follows from the secret T. `secret`: 32 bytes; None until it is revealed."""
    setup, flaw = log.setup, None
    fixed = setup.seed_policy is SeedPolicy.FIXED
    if fixed and not setup.rated:
        return not_checked(DERIVATION, "The seed was fixed by hand and follows from no secret.")
    if fixed:
        flaw = Flaw(0, "The seed was fixed by hand, but the match was rated.")
    elif setup.seed_policy is SeedPolicy.SHARED and setup.seed_group_index:
        flaw = Flaw(0, "A seed that a group shares has index 0 in each of its matches.")
    elif secret is None:
        why = "The secret of the seed is not known here: it is published when its day or tournament is over."
        return not_checked(DERIVATION, why)
    elif len(secret) != SECRET_BYTES or secret_commitment(secret) != setup.secret_commitment:
        flaw = Flaw(0, "The secret is not the one that the header is committed to.")
    elif match_seed(secret, setup.group, setup.seed_group_index, setup.seed_attempt) != setup.seed:
        flaw = Flaw(log.footer_index, "The seed does not follow from the secret.")
    return judged(DERIVATION, flaw, "The seed follows from the secret that was committed to.")
