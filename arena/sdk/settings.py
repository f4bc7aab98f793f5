"""Where the arena is and who the bot is, from the environment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


class SettingsError(ValueError):
    """The environment does not say enough; the message is one sentence with what to do."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An arena as one bot reaches it."""

    address: str
    """host:port or unix:///path."""
    token: str
    """The bot token; empty on a socket that is itself the bot's identity."""
    tls: bool
    """Whether the connection is encrypted."""
    certificates: bytes | None
    """The PEM certificates to trust; None means the ones of the gRPC library."""


def endpoint_from(environ: Mapping[str, str]) -> Endpoint:
    """What ARENA_ADDRESS and ARENA_TOKEN say; ARENA_TLS=1, or a PEM file's path in ARENA_TLS_CA, encrypts.

    Raises:
        SettingsError: there is no address, or the file of certificates cannot be read.
    """
    address = environ.get("ARENA_ADDRESS", "")
    if not address:
        raise SettingsError("ARENA_ADDRESS is not set: give the arena's host:port or unix:///path in it.")
    authority = environ.get("ARENA_TLS_CA", "")
    return Endpoint(
        address=address,
        token=environ.get("ARENA_TOKEN", ""),
        tls=bool(authority) or environ.get("ARENA_TLS", "") == "1",
        certificates=_read(Path(authority)) if authority else None,
    )


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise SettingsError(f"ARENA_TLS_CA names {path}, which cannot be read: {error.strerror}.") from error
