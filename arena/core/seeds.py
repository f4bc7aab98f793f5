"""Where match seeds, drawn seat orders and the draws of matchmaking come from (docs/rules/randomness.md).

All come from a secret T of 32 bytes, drawn by a tournament once and by a ladder every day. T is committed to
before anything is paired and revealed when all its matches have ended, so the arena cannot pick a seed and
anyone can recompute every draw. Each use has its own label: no value tells anything of another.
"""

import hmac
from collections.abc import Iterable
from hashlib import sha256
from typing import Final

from engine.randomness import Stream

SECRET_BYTES: Final = 32

_COMMITMENT_LABEL: Final = b"arena-tournament-v1"
_MATCH_LABEL: Final = b"arena-match-v1"
_ORDER_LABEL: Final = b"arena-order-v1"
_PAIRING_LABEL: Final = b"arena-pairing-v1"
_SEEDING_LABEL: Final = b"arena-seeding-v1"
_NUL: Final = b"\0"


def secret_commitment(secret: bytes) -> bytes:
    """Return SHA-256("arena-tournament-v1" || T), 32 bytes, which binds to the secret without revealing it."""
    _check(secret)
    return sha256(_COMMITMENT_LABEL + secret).digest()


def match_seed(secret: bytes, group: int, group_index: int, attempt: int) -> bytes:
    """Return the seed, HMAC-SHA256(T, "arena-match-v1" || 0 || "g{group}" || 0 || u32(group_index) || u32(attempt)).

    `group_index` and `attempt` are those of the seed: `MatchRecord.seed_group_index` and `seed_attempt`.
    """
    return _hmac(secret, _MATCH_LABEL, _group_id(group) + _NUL + _u32(group_index) + _u32(attempt))


def seat_order(secret: bytes, group: int, bots: Iterable[str]) -> tuple[str, ...]:
    """Return the bots in the group's drawn order, whatever order they are given in.

    The stream of HMAC-SHA256(T, "arena-order-v1" || 0 || "g{group}") shuffles the bots sorted by id.
    """
    order = sorted(bots)
    Stream(_hmac(secret, _ORDER_LABEL, _group_id(group))).shuffle(order)
    return tuple(order)


def drawn_seeding(secret: bytes, entrants: Iterable[str]) -> tuple[str, ...]:
    """Return the entrants of a tournament in the drawn order of their seeds, whatever order they are given in.

    The stream of HMAC-SHA256(T, "arena-seeding-v1" || 0) shuffles the bots sorted by id.
    """
    order = sorted(entrants)
    Stream(_hmac(secret, _SEEDING_LABEL, b"")).shuffle(order)
    return tuple(order)


def pairing_stream(secret: bytes, ladder: str, number: int) -> Stream:
    """Return the stream for the ladder's match group of this number: the same after a restart.

    The stream of HMAC-SHA256(T, "arena-pairing-v1" || 0 || ladder id || 0 || u32(number)).
    """
    return Stream(_hmac(secret, _PAIRING_LABEL, ladder.encode("ascii") + _NUL + _u32(number)))


def rotated(order: tuple[str, ...], k: int) -> tuple[str, ...]:
    """Return the drawn order by seat in match number k of the group: seat k of match 0 becomes seat 0."""
    turn = k % len(order)
    return order[turn:] + order[:turn]


def _hmac(secret: bytes, label: bytes, message: bytes) -> bytes:
    _check(secret)
    return hmac.digest(secret, label + _NUL + message, "sha256")


def _check(secret: bytes) -> None:
    if len(secret) != SECRET_BYTES:
        raise ValueError(f"a secret has {SECRET_BYTES} bytes, not {len(secret)}")


def _group_id(group: int) -> bytes:
    return b"g%d" % group


def _u32(number: int) -> bytes:
    return number.to_bytes(4, "big")
