"""Where the arena is and who the bot is, from the environment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from arena.sdk.tls import SettingsError, Tls, tls_from
from arena.sdk.token import UNIX_SOCKET, check_secrecy, check_sendable


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An arena as one bot reaches it."""

    address: str
    """host:port or unix:///path."""
    token: str = field(repr=False)
    """The bot token; empty on a socket that is itself the bot's identity."""
    tls: Tls | None = None
    """How the connection is encrypted; None: not at all."""


def endpoint_from(environ: Mapping[str, str]) -> Endpoint:
    """Read ARENA_ADDRESS and ARENA_TOKEN, and the variables of `arena.sdk.tls` unless it is a Unix socket.

    Raises SettingsError: there is no address, a file cannot be read, or the token must not be sent (`arena.sdk.token`).
    """
    address = environ.get("ARENA_ADDRESS", "")
    if not address:
        raise SettingsError("ARENA_ADDRESS is not set: give the arena's host:port or unix:///path in it.")
    tls = None if address.startswith(UNIX_SOCKET) else tls_from(environ)
    token = environ.get("ARENA_TOKEN", "")
    if token:
        check_sendable(token, "ARENA_TOKEN")
        check_secrecy(address, encrypted=tls is not None, environ=environ)
    return Endpoint(address, token, tls)
