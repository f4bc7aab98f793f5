"""Where the arena is and who the bot is, from the environment."""

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from arena.sdk.tls import SettingsError, Tls, tls_from

UNIX_SOCKET: Final = "unix:"
"""Addresses that begin so lie on this machine and are never encrypted."""

PLAINTEXT_VARIABLE: Final = "ARENA_PLAINTEXT"
"""1: tokens may cross a network unencrypted, because the user trusts it."""

DEBUGGED_VARIABLE: Final = "ARENA_DEBUGGED"
"""1: `Endpoint.is_debugged`; set by the commands with `--debug`."""

_SCHEMES: Final = ("ipv4:", "ipv6:", "dns:///", "dns:")


def check_sendable(token: str, where: str) -> None:
    """Check that the token can be sent as metadata. `where`: its source, for the error.

    Raises SettingsError: it cannot; the sentence does not repeat it.
    """
    if not all("!" <= character <= "~" for character in token):
        raise SettingsError(
            f"{where} holds characters that cannot be sent: a token is one word of plain letters."
        )


def check_secrecy(address: str, *, encrypted: bool, environ: Mapping[str, str]) -> None:
    """Check that a token may be sent: encrypted, within this machine, or with ARENA_PLAINTEXT=1.

    Raises SettingsError: everybody on the way could read it.
    """
    if encrypted or is_local(address) or environ.get(PLAINTEXT_VARIABLE, "") == "1":
        return
    raise SettingsError(
        f"The token is not sent to {address}, because everybody on the way could read it: encrypt with ARENA_TLS=1 or "
        f"ARENA_TLS_CA (`--tls-ca`), or set {PLAINTEXT_VARIABLE}=1 if you trust the network."
    )


def is_local(address: str) -> bool:
    """Return whether the address certainly stays within this machine: a Unix socket, localhost, a loopback address.

    Names are not looked up: their resolver may be anyone.
    """
    if address.startswith(UNIX_SOCKET):
        return True
    scheme = next((each for each in _SCHEMES if address.startswith(each)), "")
    return all(_is_local_place(place) for place in address.removeprefix(scheme).split(","))


def _is_local_place(place: str) -> bool:
    """Return whether one host:port is local; an IPv6 address may be in brackets, or alone without a port."""
    host = place
    if place.startswith("["):
        host = place[1:].partition("]")[0]
    elif place.count(":") < 2:
        host = place.partition(":")[0]
    if host.lower() == "localhost":
        return True
    try:
        ip = ipaddress.ip_address(host)
    except ValueError:
        return False
    mapped = ip.ipv4_mapped if isinstance(ip, ipaddress.IPv6Address) else None
    return (mapped or ip).is_loopback or ip.is_unspecified


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An arena as one bot reaches it."""

    address: str
    """host:port or unix:///path."""
    token: str = field(repr=False)
    """The bot token; empty on a socket that is itself the bot's identity."""
    tls: Tls | None = None
    """How the connection is encrypted; None: not at all."""
    is_debugged: bool = False
    """Whether a person debugs the program: then neither silence nor a slow method ends anything."""


def endpoint_from(environ: Mapping[str, str]) -> Endpoint:
    """Read ARENA_ADDRESS and ARENA_TOKEN, and the variables of `arena.sdk.tls` unless it is a Unix socket.

    Raises SettingsError: there is no address, a file cannot be read, or the token must not be sent.
    """
    address = environ.get("ARENA_ADDRESS", "")
    if not address:
        raise SettingsError("ARENA_ADDRESS is not set: give the arena's host:port or unix:///path in it.")
    tls = None if address.startswith(UNIX_SOCKET) else tls_from(environ)
    token = environ.get("ARENA_TOKEN", "")
    if token:
        check_sendable(token, "ARENA_TOKEN")
        check_secrecy(address, encrypted=tls is not None, environ=environ)
    return Endpoint(address, token, tls, environ.get(DEBUGGED_VARIABLE, "") == "1")
