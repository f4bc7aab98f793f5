"""How many connections the file descriptors of this process allow."""

from __future__ import annotations

import resource

from arena.server.limits import MOST_CONNECTIONS, RESERVED_DESCRIPTORS

_LISTENERS = 2  # the port and the Unix socket, each with a limit of its own


def connections_allowed() -> int:
    """Connections for each listener; the limit of the process is raised first, as far as it may be."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _LISTENERS * MOST_CONNECTIONS + RESERVED_DESCRIPTORS
    granted = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < granted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (granted, hard))
        soft = granted
    usable = wanted if soft == resource.RLIM_INFINITY else min(soft, wanted)
    return max(1, (usable - RESERVED_DESCRIPTORS) // _LISTENERS)
