"""The text of a token, and that it can be told from everything else (docs/bad_inputs.md rows 1 and 2)."""

import hashlib
import hmac
import secrets
import zlib
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.tokens import new_token, parse_token, redact, secret_matches


def counting_bytes() -> Callable[[int], bytes]:
    """Random bytes that are not random."""
    return lambda size: bytes(range(size))


def test_a_token_has_a_public_id_a_256_bit_secret_and_a_checksum() -> None:
    text = str(new_token(counting_bytes()))
    token_id, secret = bytes(range(6)).hex(), bytes(range(32)).hex()
    checksum = zlib.crc32(f"{token_id}_{secret}".encode())
    assert text == f"arn_{token_id}_{secret}_{checksum:08x}"


def test_a_token_is_read_back() -> None:
    token = new_token(secrets.token_bytes)
    assert parse_token(str(token)) == token
    assert token.secret_sha256 == hashlib.sha256(token.secret.encode()).digest()


@given(st.integers(0, 89), st.characters(min_codepoint=33, max_codepoint=126))
def test_a_token_with_one_wrong_letter_is_none(place: int, letter: str) -> None:
    text = str(new_token(counting_bytes()))
    place %= len(text)
    changed = text[:place] + letter + text[place + 1 :]
    assert (parse_token(changed) is None) == (changed != text)


@given(st.text())
def test_no_other_text_is_a_token(text: str) -> None:
    assert parse_token(text) is None


def test_a_secret_matches_its_own_hash_alone() -> None:
    token = new_token(secrets.token_bytes)
    assert secret_matches(token, token.secret_sha256)
    assert not secret_matches(token, bytes(32))
    assert not secret_matches(token, None)
    assert not secret_matches(None, token.secret_sha256)
    assert not secret_matches(None, bytes(32))
    assert not secret_matches(None, None)


def test_hashes_are_compared_whether_or_not_the_token_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Row 2: the same code path for every refusal."""
    calls: list[tuple[int, int]] = []
    real = hmac.compare_digest

    def counted(left: bytes, right: bytes) -> bool:
        calls.append((len(left), len(right)))
        return real(left, right)

    monkeypatch.setattr(hmac, "compare_digest", counted)
    token = new_token(secrets.token_bytes)
    for given_token, stored in ((token, bytes(32)), (token, None), (None, bytes(32)), (None, None)):
        secret_matches(given_token, stored)
    assert calls == [(32, 32)] * 4


def test_a_token_shows_its_secret_neither_in_logs_nor_in_tracebacks() -> None:
    token = new_token(secrets.token_bytes)
    line = redact(f"metadata: authorization=Bearer {token}, again {token}")
    assert token.secret not in line
    assert line.count(token.id) == 2
    assert token.secret not in repr(token)
    assert token.secret[:8] not in redact(str(token)[:40])
