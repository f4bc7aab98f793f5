"""A token before it is sent: whether it can be, and whether the way to the arena keeps it secret."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from typing import Final

from arena.sdk.tls import SettingsError

UNIX_SOCKET: Final = "unix:"
"""Addresses that begin so lie on this machine and are never encrypted."""

PLAINTEXT_VARIABLE: Final = "ARENA_PLAINTEXT"
"""Set to 1 by whoever trusts the network: tokens then travel in the open."""

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
