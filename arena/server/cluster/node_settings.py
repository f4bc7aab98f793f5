"""The settings of a match node, which `arena cluster join` gives to the processes of its machine."""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

VARIABLE: Final = "ARENA_NODE"
"""The environment variable that has them, as JSON. The node's Ray processes inherit it."""


@dataclass(frozen=True, slots=True)
class NodeSettings:
    """What a node plays matches with."""

    name: str
    """Unique in the cluster."""
    data: Path
    """The folder for versions, runtimes and sockets."""
    workers: int
    """Matches at once."""
    places: int
    """Programs at once."""
    allow_weak_sandbox: bool = False
    """Run programs even if the sandbox lacks a protection against untrusted programs."""
    json_logs: bool = False

    def to_environment(self) -> dict[str, str]:
        """Return the variable that has them."""
        return {VARIABLE: json.dumps(asdict(self) | {"data": str(self.data)})}

    @staticmethod
    def from_environment() -> "NodeSettings":
        """Return the settings of this machine's node. Raises KeyError: it has joined the cluster by other means."""
        values = json.loads(os.environ[VARIABLE])
        return NodeSettings(**values | {"data": Path(values["data"])})
