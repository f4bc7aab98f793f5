"""The hash chain over the records of a log: its end is the log's name, and what the arena signs."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import Final

LABEL: Final = b"arena-log-v1"

_SIGNATURE_RECORD: Final = b"\x2a\x42\x0a\x40"
_SIGNATURE_BYTES: Final = 64


def chain_end(records: Iterable[bytes]) -> bytes:
    """32 bytes: h0 = SHA-256("arena-log-v1" || r0), hi = SHA-256(h(i-1) || ri), over the bytes as stored."""
    end = LABEL
    for record in records:
        end = sha256(end + record).digest()
    return end


def signed_message(end: bytes) -> bytes:
    """What the arena signs for a chain that ends so."""
    return LABEL + end


def signature_record(signature: bytes) -> bytes:
    """The record that carries a signature of 64 bytes: a LogRecord in the one form that is allowed for it."""
    return _SIGNATURE_RECORD + signature


def signature_of(record: bytes) -> bytes | None:
    """The signature in a record; None if it is no signature record, or one in any other form.

    The record stands outside of the chain, so a looser reading would let bytes be added to it unseen.
    """
    head, signature = record[: len(_SIGNATURE_RECORD)], record[len(_SIGNATURE_RECORD) :]
    return signature if head == _SIGNATURE_RECORD and len(signature) == _SIGNATURE_BYTES else None
