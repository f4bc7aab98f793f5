"""When, where and with which versions a run was made."""

import os
import platform
import subprocess
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from arena.hosting.environment import processor_model

_LIBRARIES: Final = ("grpcio", "protobuf", "uvloop", "sqlalchemy", "zstandard")


def load() -> float:
    """Return how many programs wanted to run in the last minute; much above 0 spoils every figure but ratios."""
    return round(os.getloadavg()[0], 2)


def circumstances(peers: dict[str, str], load_before: float) -> dict[str, object]:
    """Return date, machine and versions. `peers`: versions of what was compared with, by name."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": processor_model(),
        "cores": len(os.sched_getaffinity(0)),
        "load_before": load_before,
        "commit": _commit(),
        "versions": {name: _version(name) for name in _LIBRARIES} | peers,
    }


def _commit() -> str:
    """Return which commit was measured, and whether something was changed since."""
    try:
        said = subprocess.run(
            ["git", "describe", "--always", "--dirty", "--exclude=*"],
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return said.stdout.strip()


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
