"""The commands of Ray that make a cluster: its head, and a node; and the token without which nobody joins."""

import os
import secrets
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from arena.core.errors import ErrorReason, FailedPreconditionError
from arena.match_log.durable import write_durably

NODE_RESOURCE: Final = "arena_node:"
"""A node of the cluster that plays matches has a resource in Ray of this and its name."""

HEAD_PORT: Final = 6379
"""Ray's own default."""

FIRST_PORT: Final = 7460
"""The first of the ports that a machine of the cluster listens on, if nothing else is said."""

PORTS: Final = 100
"""How many ports in a row those are."""

_TOKEN_BYTES: Final = 32
_LEAST_TOKEN: Final = 32
"""Characters."""


def require_ray() -> None:
    """Raise ModuleNotFoundError if Ray is not installed: the extra [cluster] brings it."""
    if find_spec("ray") is None:
        raise ModuleNotFoundError("No module named 'ray'", name="ray")


def ports_of(first: int) -> dict[str, int]:
    """Return the ports of a machine by the options of `ray start`; workers take those up to `first` + PORTS - 1."""
    names = (
        "node-manager-port",
        "object-manager-port",
        "runtime-env-agent-port",
        "dashboard-agent-grpc-port",
        "dashboard-agent-listen-port",
        "metrics-export-port",
    )
    return {name: first + number for number, name in enumerate(names)} | {
        "min-worker-port": first + 10,
        "max-worker-port": first + PORTS - 1,
    }


def head_command(*, host: str, port: int, first_port: int) -> list[str]:
    """Return the command that runs the head of a cluster until it is stopped. It plays no matches."""
    return [
        *_ray("start", "--head", "--block", "--disable-usage-stats", "--include-dashboard=false"),
        f"--node-ip-address={host}",
        f"--port={port}",
        f"--ray-client-server-port={first_port + 9}",
        *_ports(first_port),
    ]


def node_command(head: str, *, name: str, host: str | None, first_port: int) -> list[str]:
    """Return the command that joins the cluster at `head` as a match node, until it is stopped.

    `host`: this machine's address in the cluster; None: as Ray finds it.
    """
    return [
        *_ray("start", "--block", "--disable-usage-stats"),
        f"--address={head}",
        *([] if host is None else [f"--node-ip-address={host}"]),
        f'--resources={{"{NODE_RESOURCE}{name}": 1}}',
        *_ports(first_port),
    ]


def _ray(*words: str) -> list[str]:
    return [sys.executable, "-m", "ray.scripts.scripts", *words]


def _ports(first: int) -> list[str]:
    return [f"--{name}={port}" for name, port in ports_of(first).items()]


def ray_environment(token: Path, more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment of a process of Ray: this one's without settings of an arena, and with the token.

    Settings of Ray such as RAY_USE_TLS are kept, but not those of another cluster or of its authentication.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("ARENA_", "RAY_AUTH_", "RAY_ADDRESS"))
    }
    return {
        **kept,
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN_PATH": str(token.resolve()),
        "RAY_USAGE_STATS_ENABLED": "0",
        **(more or {}),
    }


def make_token(path: Path) -> bool:
    """Write a new token, readable by this user alone, unless there is one. Return whether it is new.

    Raises OSError: it cannot be written.
    """
    if path.exists():
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    write_durably(path, f"{secrets.token_hex(_TOKEN_BYTES)}\n".encode())
    return True


def check_token(path: Path) -> None:
    """Check that there is a token of the cluster. Raises FailedPreconditionError: FIELD_INVALID."""
    try:
        text = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        text = ""
    if len(text) < _LEAST_TOKEN:
        raise FailedPreconditionError(
            ErrorReason.FIELD_INVALID,
            f"{path} has no token of a cluster, and without one nobody may join it: copy the file that `arena cluster "
            "start` has written on the head's machine.",
            field="cluster_token",
        )
