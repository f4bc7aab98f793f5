"""Units of time, and the longest path of a Unix socket."""

from typing import Final

NS_PER_US: Final = 1_000
NS_PER_MS: Final = 1_000_000
NS_PER_S: Final = 1_000_000_000
US_PER_MS: Final = 1_000
US_PER_S: Final = 1_000_000
US_PER_MINUTE: Final = 60 * US_PER_S
US_PER_HOUR: Final = 60 * US_PER_MINUTE
US_PER_DAY: Final = 24 * US_PER_HOUR
MS_PER_S: Final = 1_000

SOCKET_PATH_BYTES: Final = 105
"""The longest path of a Unix socket that gRPC listens at as `unix://PATH`; Linux itself allows two more."""


def ms_up(ns: int) -> int:
    """Return nanoseconds as milliseconds, rounded up."""
    return -(-ns // NS_PER_MS)


def ms_down(ns: int) -> int:
    """Return nanoseconds as milliseconds, rounded down."""
    return ns // NS_PER_MS
