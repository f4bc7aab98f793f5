"""What an arena and the process of its cluster client tell each other: one class for each message.

A `key` names one run of a node's host: after a failure the same node comes back under another key.
"""

from dataclasses import dataclass
from pathlib import Path

from arena.server.cluster.node_description import MachineDescription
from arena.submissions.manifest import Grant

# From the arena


@dataclass(frozen=True, slots=True)
class StartWorker:
    """Start a match worker on a node, in place of one that has ended."""

    key: int
    number: int
    name: str


@dataclass(frozen=True, slots=True)
class ToWorker:
    """Pass a message on to a worker, as it is packed."""

    key: int
    number: int
    data: bytes


@dataclass(frozen=True, slots=True)
class KillWorker:
    """End a worker at once."""

    key: int
    number: int


@dataclass(frozen=True, slots=True)
class ClearNode:
    """Remove what a worker that has ended has left on a node."""

    key: int


NodeOrder = StartWorker | ToWorker | KillWorker | ClearNode
"""What is passed on to the host of a node, in this order."""


@dataclass(frozen=True, slots=True)
class InstallVersion:
    """Send a version of a bot to a node."""

    key: int
    version: str
    versions: Path
    """The arena's folder of versions, on this machine."""


@dataclass(frozen=True, slots=True)
class Abandon:
    """End the host of a node that does not answer, and start another one when it does."""

    key: int


ToClient = NodeOrder | InstallVersion | Abandon


# From the client


@dataclass(frozen=True, slots=True)
class ClientBeat:
    """The client runs, and the cluster's head answers."""


@dataclass(frozen=True, slots=True)
class NodeSeen:
    """A node is in the cluster; its host is being started."""

    key: int
    name: str
    address: str
    gives: Grant
    """Its cores and its memory, as Ray lists them."""


@dataclass(frozen=True, slots=True)
class NodeJoined:
    """The host of a node runs."""

    key: int
    workers: int
    """Matches at once."""
    places: int
    """Programs at once."""
    description: MachineDescription


@dataclass(frozen=True, slots=True)
class NodeGone:
    """The host of a node has ended, or could not be started. `why`: a sentence part without a full stop."""

    key: int
    why: str
    failed: bool
    """False: the node was stopped, or has left the cluster with its machine."""


@dataclass(frozen=True, slots=True)
class NodeBeat:
    """The host of a node runs."""

    key: int


@dataclass(frozen=True, slots=True)
class FromNodeWorker:
    """A worker of a node has said this, as it has packed it; None: it has ended."""

    key: int
    number: int
    data: bytes | None


@dataclass(frozen=True, slots=True)
class VersionInstalled:
    """A version is on a node; or why it could not be installed there, a sentence part."""

    key: int
    version: str
    why_not: str


FromHost = NodeJoined | NodeGone | NodeBeat | FromNodeWorker | VersionInstalled

FromClient = ClientBeat | NodeSeen | FromHost
