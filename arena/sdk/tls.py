"""Encrypted connections to an arena: whom to trust, and how to show who one is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import grpc


class SettingsError(ValueError):
    """The environment does not say enough; the message is one sentence with what to do."""


@dataclass(frozen=True, slots=True)
class Tls:
    """What a client needs for an encrypted connection; all of it PEM."""

    authorities: bytes | None = None
    """The certificates to trust; None: those of the gRPC library."""
    certificate: bytes | None = None
    """The client's own certificate chain, for an arena that asks for one."""
    key: bytes | None = None
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
