"""How often an address may fail to sign in."""

from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address, ip_network
from time import monotonic
from typing import Final

BURST: Final = 10
"""Failed sign-ins of an address at once."""
PAUSE_S: Final = 10.0
"""After them one more in so long."""
ADDRESSES: Final = 10_000
"""Addresses that are kept; the one that failed longest ago is forgotten first."""

_NETWORK_BITS: Final = 64
"""The holder of an IPv6 address has the 2^64 of its network."""


class FailedSignIns:
    """Counts failed sign-ins by address."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        """`now`: seconds."""
        self._now = now
        self._full_again: OrderedDict[str, float] = OrderedDict()
        """When each address has its whole burst again."""

    def wait_s(self, address: str) -> float:
        """Return for how many seconds an address may not try again; 0 if it may."""
        full_again = self._full_again.get(network_of(address), 0.0)
        return max(0.0, full_again - self._now() - (BURST - 1) * PAUSE_S)

    def note(self, address: str) -> None:
        """Count a sign-in; before it is tried, so that many at once are no way around the limit."""
        network, now = network_of(address), self._now()
        self._full_again[network] = max(self._full_again.pop(network, now), now) + PAUSE_S
        if len(self._full_again) > ADDRESSES:
            self._full_again.popitem(last=False)

    def forgive(self, address: str) -> None:
        """Take back a sign-in that has not failed."""
        network = network_of(address)
        if network in self._full_again:
            self._full_again[network] -= PAUSE_S


def network_of(address: str) -> str:
    """Return what counts as one caller: an IPv4 address, the 64-bit network of an IPv6 address, or a text as it is."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address[:60]
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ip_network((found, _NETWORK_BITS), strict=False))
    return str(found)


def is_loopback(address: str) -> bool:
    """Return whether an address is this machine's own."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return (mapped or found).is_loopback
