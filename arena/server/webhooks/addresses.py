"""Which addresses notifications are sent to: public ones, unless the operator allows others."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final

Resolver = Callable[[str, int], Awaitable[list[str]]]
"""Returns the IP addresses of a host and port. Raises OSError: it has none."""

_THREADS: Final = 2
_EMBEDS_IPV4: Final = (IPv6Network("64:ff9b::/96"), IPv6Network("::/96"))
"""NAT64 (RFC 6052) and IPv4-compatible addresses (RFC 4291, 2.5.5.1)."""


class RefusedAddressError(Exception):
    """An address to which nothing may be sent; the text is a sentence part."""


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether the address is of the public internet, and so is the IPv4 address that an IPv6 address embeds."""
    if isinstance(address, IPv6Address):
        embedded = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
        if any(address in network for network in _EMBEDS_IPV4):
            embedded.append(IPv4Address(int(address) & 0xFFFF_FFFF))
        if address.is_site_local or not all(is_public(each) for each in embedded if each is not None):
            return False
        if address.ipv4_mapped is not None:
            return True
    special = address.is_multicast or address.is_reserved or address.is_unspecified or address.is_loopback
    return address.is_global and not (special or address.is_link_local)


def check_addresses(host: str, addresses: list[str]) -> None:
    """Raise RefusedAddressError if one of the addresses of a host is not public."""
    for text in addresses:
        if not is_public(ip_address(text.partition("%")[0])):
            raise RefusedAddressError(
                f"{host} has the address {text}, which is not public; `arena serve --allow-private-webhooks` allows it"
            )


class SystemResolver:
    """Resolves names as the system does, on threads of its own: a name server that hangs delays nothing else."""

    def __init__(self) -> None:
        """Start no thread yet."""
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="webhook-names")

    async def __call__(self, host: str, port: int) -> list[str]:
        """See `Resolver`."""
        found = await asyncio.get_running_loop().run_in_executor(
            self._threads, lambda: socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        )
        return list(dict.fromkeys(str(each[4][0]) for each in found))
