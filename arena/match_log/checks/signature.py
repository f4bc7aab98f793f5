"""Checks of chain and signature: this is the log that the arena signed."""

from collections.abc import Sequence
from typing import Final

from arena.match_log.checks.check import Check, judged
from arena.match_log.framing import Flaw, signed_message
from arena.match_log.keys import PublicKey
from arena.match_log.reader import StoredLog

CHAIN: Final = "chain"
SIGNATURE: Final = "signature"


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
