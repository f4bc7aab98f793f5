"""What a bot's environment says about its arena."""

from pathlib import Path

import pytest

from arena.sdk.settings import Endpoint, endpoint_from
from arena.sdk.tls import SettingsError, Tls, tls_from
from tests.unit.server.certificates import Authority

PEM = b"-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----\n"


@pytest.mark.parametrize(
    ("environ", "endpoint"),
    [
        (
            {"ARENA_ADDRESS": "localhost:7450", "ARENA_TOKEN": "secret"},
            Endpoint("localhost:7450", "secret"),
        ),
        ({"ARENA_ADDRESS": "a:1", "ARENA_TLS": "1"}, Endpoint("a:1", "", Tls())),
        ({"ARENA_ADDRESS": "a:1", "ARENA_TLS": "0"}, Endpoint("a:1", "")),
        ({"ARENA_ADDRESS": "unix:///run/seat.sock", "ARENA_TLS": "1"}, Endpoint("unix:///run/seat.sock", "")),
        ({"ARENA_ADDRESS": "a:1", "ARENA_DEBUGGED": "1"}, Endpoint("a:1", "", is_debugged=True)),
    ],
    ids=["address and token", "encrypted", "not encrypted", "a Unix socket may be the identity", "debugged"],
)
def test_an_endpoint_is_read_from_the_environment(environ: dict[str, str], endpoint: Endpoint) -> None:
    assert endpoint_from(environ) == endpoint


def test_certificates_of_an_own_authority_encrypt_too(tmp_path: Path) -> None:
    file = tmp_path / "ca.pem"
    file.write_bytes(PEM)
    endpoint = endpoint_from({"ARENA_ADDRESS": "a:1", "ARENA_TLS_CA": str(file)})
    assert endpoint.tls == Tls(authorities=PEM)


@pytest.mark.parametrize(
    ("environ", "named"),
    [
        ({}, "ARENA_ADDRESS"),
        ({"ARENA_ADDRESS": "a:1", "ARENA_TLS_CA": "/no/ca"}, "/no/ca"),
        ({"ARENA_ADDRESS": "a:1", "ARENA_TLS_CERT": "/dev/null"}, "ARENA_TLS_KEY"),
    ],
)
def test_what_is_missing_is_named(environ: dict[str, str], named: str) -> None:
    with pytest.raises(SettingsError, match=named):
        endpoint_from(environ)


def test_files_that_are_of_another_kind_or_do_not_fit_are_named(tmp_path: Path) -> None:
    """gRPC would only say that no connection came about."""
    authority = Authority(tmp_path, "authority")
    mine, other = authority.issue("mine"), authority.issue("other")

    def said(certificate: Path, key: Path) -> str:
        with pytest.raises(SettingsError) as error:
            tls_from({"ARENA_TLS_CERT": str(certificate), "ARENA_TLS_KEY": str(key)})
        return str(error.value)

    assert str(other.key) in said(mine.certificate, other.key)
    assert "PEM" in said(mine.key, mine.certificate)
    with pytest.raises(SettingsError, match="holds no certificate"):
        tls_from({"ARENA_TLS_CA": str(mine.key)})
    assert tls_from({"ARENA_TLS_CERT": str(mine.certificate), "ARENA_TLS_KEY": str(mine.key)}) is not None
