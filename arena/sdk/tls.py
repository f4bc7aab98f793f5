"""Encrypted connections to an arena: whom to trust, and how to show who one is."""

import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import grpc


class SettingsError(ValueError):
    """The environment does not say enough; the message is one sentence with what to do."""


_CAUSES: Final = (
    ("certificate has expired", "the arena's certificate has expired, and its operator has to renew it"),
    ("Hostname Verification", "the arena's certificate is for another name than the one in the address"),
    (
        "CERTIFICATE_VERIFY_FAILED",
        "the arena's certificate is of no authority that is trusted here: name it in ARENA_TLS_CA (--tls-ca)",
    ),
    (
        "WRONG_VERSION_NUMBER",
        "what answers there does not encrypt: leave out ARENA_TLS and ARENA_TLS_CA (--tls-ca) if that is right",
    ),
    (
        "handshake",
        "the arena's certificate and ARENA_TLS_CA (--tls-ca) do not go together, or it does not encrypt",
    ),
    (
        "Socket closed",
        (
            "it hung up: if it encrypts, set ARENA_TLS=1 or ARENA_TLS_CA (--tls-ca); if it asks for a certificate, "
            "show one with ARENA_TLS_CERT and ARENA_TLS_KEY"
        ),
    ),
)
"""What the gRPC library says of a connection that did not come about, and what that means; the first that fits."""


_CERTIFICATE: Final = b"CERTIFICATE-----"


def why_no_connection(details: str) -> str | None:
    """Return why the encryption failed, and what to do; None if it did not.

    `details`: of the status UNAVAILABLE that the gRPC library itself gave.
    """
    return next((meaning for words, meaning in _CAUSES if words in details), None)


@dataclass(frozen=True, slots=True)
class Tls:
    """What a client needs for an encrypted connection; all of it PEM."""

    authorities: bytes | None = None
    """The certificates to trust; None: those of the gRPC library."""
    certificate: bytes | None = None
    """The client's own certificate chain, for an arena that asks for one."""
    key: bytes | None = field(default=None, repr=False)
    """The key of that certificate."""

    def credentials(self) -> grpc.ChannelCredentials:
        """Return these files as gRPC credentials."""
        return grpc.ssl_channel_credentials(self.authorities, self.key, self.certificate)


def tls_from(environ: Mapping[str, str]) -> Tls | None:
    """Read ARENA_TLS=1, ARENA_TLS_CA, ARENA_TLS_CERT and ARENA_TLS_KEY; None: plain text.

    Raises SettingsError: a file cannot be read or is of another kind, or there is a certificate without its key, or a
    key alone or of another certificate.
    """
    authorities, certificate, key = (_read(environ, f"ARENA_TLS_{name}") for name in ("CA", "CERT", "KEY"))
    if (certificate is None) is not (key is None):
        raise SettingsError("ARENA_TLS_CERT and ARENA_TLS_KEY belong together: set both, or neither.")
    if authorities is not None and _CERTIFICATE not in authorities:
        raise SettingsError(
            f"ARENA_TLS_CA names {environ['ARENA_TLS_CA']}, which holds no certificate: it must be a PEM file "
            "with the line -----BEGIN CERTIFICATE-----."
        )
    if certificate is not None:
        _check_pair(environ["ARENA_TLS_CERT"], environ["ARENA_TLS_KEY"])
    if environ.get("ARENA_TLS", "") != "1" and authorities is None and certificate is None:
        return None
    return Tls(authorities, certificate, key)


def _check_pair(certificate: str, key: str) -> None:
    """Raise SettingsError if gRPC could not use these files, which it would not report."""
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_cert_chain(certificate, key, password="")
    except (ssl.SSLError, OSError, ValueError) as error:
        mismatch = getattr(error, "reason", "") == "KEY_VALUES_MISMATCH"
        why = (
            "it is not the key of that certificate" if mismatch else "one of them is no PEM file of its kind"
        )
        raise SettingsError(
            f"ARENA_TLS_CERT names {certificate} and ARENA_TLS_KEY {key}, which do not go together: {why}. They are "
            "your own certificate, which an arena may ask for; that of the arena's authority belongs into ARENA_TLS_CA."
        ) from error


def _read(environ: Mapping[str, str], variable: str) -> bytes | None:
    path = environ.get(variable, "")
    if not path:
        return None
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise SettingsError(f"{variable} names {path}, which cannot be read: {error.strerror}.") from error
