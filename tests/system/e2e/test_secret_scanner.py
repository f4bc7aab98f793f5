"""The scanner of `test_secrets.py` finds what is there, however it is written, and nothing else."""

import json
import secrets
from base64 import b64decode, b64encode, urlsafe_b64encode
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.core.tokens import TokenText, new_token
from tests.system.e2e.secret_scanner import SecretScanner
from tests.unit.server.certificates import Authority

WAYS: dict[str, Callable[[TokenText], bytes]] = {
    "as it is": lambda token: str(token).encode(),
    "the secret alone": lambda token: token.secret.encode(),
    "without its end": lambda token: str(token)[:52].encode(),
    "without its beginning": lambda token: str(token)[45:].encode(),
    "in capitals": lambda token: str(token).upper().encode(),
    "the bytes themselves": lambda token: bytes.fromhex(token.secret),
    "hex": lambda token: str(token).encode().hex().encode(),
    "hex with spaces, as gRPC's traces have it": lambda token: f"Bearer {token}".encode().hex(" ").encode(),
    "base64": lambda token: b64encode(str(token).encode()),
    "base64 of a header": lambda token: b64encode(f"Bearer {token}\n".encode()),
    "base64 of a longer header": lambda token: b64encode(f"a: Bearer {token}\n".encode()),
    "base64 for addresses, of the bytes": lambda token: urlsafe_b64encode(b"x" + bytes.fromhex(token.secret)),
    "JSON": lambda token: json.dumps({"authorization": f"Bearer {token}"}).encode(),
    "backwards": lambda token: token.secret[::-1].encode(),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_token_is_found(way: str) -> None:
    token, other = new_token(secrets.token_bytes), new_token(secrets.token_bytes)
    scanner = SecretScanner()
    scanner.add_token("mine", str(token))
    scanner.add_token("other", str(other))
    assert scanner.found_in(b"before " + WAYS[way](token) + b" after") == {"mine"}


def test_the_public_part_of_a_token_and_its_hash_are_no_secrets() -> None:
    token = new_token(secrets.token_bytes)
    scanner = SecretScanner()
    scanner.add_token("mine", str(token))
    assert scanner.found_in(b"tokens/" + token.id.encode() + token.secret_sha256) == set()


@pytest.mark.parametrize("part", ["whole", "a line", "DER", "the number in it"])
def test_a_private_key_is_found(tmp_path: Path, part: str) -> None:
    files = Authority(tmp_path, "authority").issue("somebody")
    pem = files.key.read_bytes()
    scanner = SecretScanner()
    scanner.add_key("key", pem)
    lines = pem.splitlines()
    der = b64decode(b"".join(lines[1:-1]))
    written = {"whole": pem, "a line": lines[2], "DER": der, "the number in it": der[36:68].hex().encode()}
    assert scanner.found_in(b"log: " + written[part] + b".") == {"key"}
    assert scanner.found_in(files.certificate.read_bytes()) == set()
