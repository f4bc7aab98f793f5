"""What a bot's environment says about its arena."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.sdk.settings import Endpoint, SettingsError, endpoint_from


def test_an_address_and_a_token_are_enough() -> None:
    endpoint = endpoint_from({"ARENA_ADDRESS": "arena.example:7450", "ARENA_TOKEN": "secret"})
    assert endpoint == Endpoint("arena.example:7450", "secret", tls=False, certificates=None)


def test_a_token_may_be_missing_because_a_socket_can_be_the_identity() -> None:
    assert endpoint_from({"ARENA_ADDRESS": "unix:///run/seat.sock"}).token == ""


def test_an_encrypted_connection_is_asked_for_with_one_variable() -> None:
    endpoint = endpoint_from({"ARENA_ADDRESS": "a:1", "ARENA_TLS": "1"})
    assert (endpoint.tls, endpoint.certificates) == (True, None)
    assert not endpoint_from({"ARENA_ADDRESS": "a:1", "ARENA_TLS": "0"}).tls


def test_certificates_of_an_own_authority_encrypt_too(tmp_path: Path) -> None:
    file = tmp_path / "ca.pem"
    file.write_bytes(b"a certificate")
    endpoint = endpoint_from({"ARENA_ADDRESS": "a:1", "ARENA_TLS_CA": str(file)})
    assert (endpoint.tls, endpoint.certificates) == (True, b"a certificate")


@pytest.mark.parametrize(
    ("environ", "named"),
    [({}, "ARENA_ADDRESS"), ({"ARENA_ADDRESS": "a:1", "ARENA_TLS_CA": "/no/ca"}, "/no/ca")],
)
def test_what_is_missing_is_named(environ: dict[str, str], named: str) -> None:
    with pytest.raises(SettingsError, match=named):
        endpoint_from(environ)
