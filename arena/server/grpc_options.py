"""The options of the gRPC port; docs/architecture.md gives the reasons."""

import resource
from typing import Final

from arena.server import limits

DEAD_LINK_MS: Final = 60_000
"""A connection whose peer's machine has acknowledged nothing for so long is lost."""

_DAY_MS: Final = 24 * 60 * 60_000

_OPTIONS: Final = (
    # A taken port is an error; do not share it.
    ("grpc.so_reuseport", 0),
    # Every call may hold so much of an incomplete message.
    ("grpc.max_receive_message_length", limits.MESSAGE_BYTES),
    ("grpc.absolute_max_metadata_size", limits.METADATA_BYTES),
    # Until a peer has acknowledged it, gRPC takes header blocks of up to 16 MiB.
    ("grpc.http2.settings_timeout", limits.SETTINGS_WITHIN_S * 1_000),
    # Without these an unread peer can push megabytes into a stream before it is held back.
    ("grpc.http2.bdp_probe", 0),
    ("grpc.http2.lookahead_bytes", limits.STREAM_WINDOW_BYTES),
    ("grpc.max_concurrent_streams", limits.STREAMS),
    # A bot may compute in its only thread and answer no HTTP/2 ping meanwhile, so practically none are sent. But the
    # timeout is also the TCP_USER_TIMEOUT of the sockets, and kernels answer for computing programs: a link that does
    # not acknowledge the arena's own pings for so long is dead.
    ("grpc.keepalive_time_ms", 24 * _DAY_MS),
    ("grpc.keepalive_timeout_ms", DEAD_LINK_MS),
    ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
    ("grpc.http2.max_ping_strikes", 2),
    ("grpc.max_connection_idle_ms", limits.IDLE_CONNECTION_S * 1_000),
    # A peer that connects and sends nothing.
    ("grpc.server_handshake_timeout_ms", limits.SILENT_CONNECTION_S * 1_000),
)


def server_options(connections: int) -> list[tuple[str, int]]:
    """Return the options of the port; `connections`: at once, on each listening address."""
    return [*_OPTIONS, ("grpc.max_allowed_incoming_connections", connections)]


_LISTENERS = 2  # the port and the Unix socket, each with a limit of its own


def connections_allowed() -> int:
    """Return the connections for each listener, after raising the process's limit as far as allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _LISTENERS * limits.MOST_CONNECTIONS + limits.RESERVED_DESCRIPTORS
    granted = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < granted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (granted, hard))
        soft = granted
    usable = wanted if soft == resource.RLIM_INFINITY else min(soft, wanted)
    return max(1, (usable - limits.RESERVED_DESCRIPTORS) // _LISTENERS)
