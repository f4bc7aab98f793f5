"""Seeds, seat orders and pairing draws against hashes worked out here by hand: docs/rules/randomness.md."""

import hashlib
import hmac
import struct

import pytest

from arena.core.seeds import match_seed, pairing_stream, rotated, seat_order, secret_commitment

SECRET = bytes(range(32))


def by_hand(message: bytes) -> bytes:
    return hmac.new(SECRET, message, hashlib.sha256).digest()


def words(seed: bytes) -> list[int]:
    """Return the first eight words of the public stream."""
    blocks = b"".join(hashlib.sha256(seed + struct.pack(">Q", i)).digest() for i in range(2))
    return list(struct.unpack(">8Q", blocks))


def test_the_commitment_hashes_the_label_and_the_secret() -> None:
    assert secret_commitment(SECRET) == hashlib.sha256(b"arena-tournament-v1" + SECRET).digest()


def test_a_match_seed_is_the_hmac_of_group_index_and_attempt() -> None:
    message = b"arena-match-v1\x00g5\x00\x00\x00\x00\x01\x00\x00\x00\x02"
    assert match_seed(SECRET, 5, 1, 2) == by_hand(message)


def test_a_match_seed_is_the_one_that_openssl_gives() -> None:
    # printf 'arena-match-v1\0g5\0\0\0\0\1\0\0\0\0' | openssl dgst -sha256 -mac HMAC -macopt hexkey:$T
    assert (
        match_seed(SECRET, 5, 1, 0).hex()
        == "e536462c106866e27b3311aebf8ee2de608b89f1ca720f289acb13b35a040a16"
    )


def test_the_drawn_order_is_the_public_shuffle_of_the_bots_sorted_by_id() -> None:
    expected = ["ant", "bee", "cat", "dog"]
    drawn = words(by_hand(b"arena-order-v1\x00g12"))
    for i, word in zip((3, 2, 1), drawn, strict=False):  # no word is large enough to be dropped
        j = word % (i + 1)
        expected[i], expected[j] = expected[j], expected[i]
    assert seat_order(SECRET, 12, ["dog", "cat", "bee", "ant"]) == tuple(expected)
    assert seat_order(SECRET, 12, ["ant", "dog", "bee", "cat"]) == tuple(expected)


def test_pairing_draws_have_a_stream_for_each_ladder_and_group_number() -> None:
    stream = pairing_stream(SECRET, "main", 7)
    assert stream.word() == words(by_hand(b"arena-pairing-v1\x00main\x00\x00\x00\x00\x07"))[0]


def test_rotation_moves_the_bot_of_seat_k_to_seat_0() -> None:
    assert [rotated(("a", "b", "c"), k) for k in range(4)] == [
        ("a", "b", "c"),
        ("b", "c", "a"),
        ("c", "a", "b"),
        ("a", "b", "c"),
    ]


@pytest.mark.parametrize("secret", [b"", bytes(31), bytes(33)])
def test_a_secret_of_another_length_is_refused(secret: bytes) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        secret_commitment(secret)
    with pytest.raises(ValueError, match="32 bytes"):
        match_seed(secret, 1, 0, 0)
