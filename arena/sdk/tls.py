"""Encrypted connections to an arena: whom to trust, and how to show who one is."""

from __future__ import annotations

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


def why_no_connection(details: str) -> str | None:
    """What went wrong with the encryption, and what to do; None if it had nothing to do with it.

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
        """The same as gRPC wants it."""
        return grpc.ssl_channel_credentials(self.authorities, self.key, self.certificate)


def tls_from(environ: Mapping[str, str]) -> Tls | None:
    """What ARENA_TLS=1, ARENA_TLS_CA, ARENA_TLS_CERT and ARENA_TLS_KEY say; None: plain text.

    Raises:
        SettingsError: a file cannot be read, or there is a certificate without its key or a key alone.
    """
    authorities, certificate, key = (_read(environ, f"ARENA_TLS_{name}") for name in ("CA", "CERT", "KEY"))
    if (certificate is None) is not (key is None):
        raise SettingsError("ARENA_TLS_CERT and ARENA_TLS_KEY belong together: set both, or neither.")
    if environ.get("ARENA_TLS", "") != "1" and authorities is None and certificate is None:
        return None
    return Tls(authorities, certificate, key)


def _read(environ: Mapping[str, str], variable: str) -> bytes | None:
    path = environ.get(variable, "")
    if not path:
        return None
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise SettingsError(f"{variable} names {path}, which cannot be read: {error.strerror}.") from error
