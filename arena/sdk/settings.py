"""Where the arena is and who the bot is, from the environment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from arena.sdk.tls import SettingsError, Tls, tls_from

UNIX_SOCKET = "unix:"
"""Addresses that begin so lie on this machine and are never encrypted."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An arena as one bot reaches it."""

    address: str
    """host:port or unix:///path."""
    token: str
    """The bot token; empty on a socket that is itself the bot's identity."""
    tls: Tls | None = None
    """How the connection is encrypted; None: not at all."""


def endpoint_from(environ: Mapping[str, str]) -> Endpoint:
    """What ARENA_ADDRESS and ARENA_TOKEN say, and the variables of `arena.sdk.tls` unless it is a Unix socket.

    Raises:
        SettingsError: there is no address, or a file cannot be read.
    """
    address = environ.get("ARENA_ADDRESS", "")
    if not address:
        raise SettingsError("ARENA_ADDRESS is not set: give the arena's host:port or unix:///path in it.")
    tls = None if address.startswith(UNIX_SOCKET) else tls_from(environ)
    return Endpoint(address, environ.get("ARENA_TOKEN", ""), tls)
