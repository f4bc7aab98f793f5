"""A match node as the arena sees it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Protocol

from arena.core.errors import ErrorReason, NotFoundError


class NodeState(Enum):
    """Whether matches begin on a node."""

    READY = "ready"
    JOINING = "joining"
    """It is in the cluster, and has not yet described itself."""
    DRAINED = "drained"
    """An organiser or the arena has taken it out: no match begins on it, those that run are played to their end."""
    EXCLUDED = "excluded"
    """It differs from the arena in what matches depend on."""
    LOST = "lost"
    """It has left the cluster, or does not answer. What it played is void, and replayed."""


@dataclass(slots=True)
class Node:
    """One machine of the cluster that has joined as a match node. Times are in microseconds since 1970 UTC."""

    name: str
    """Its host name, or what `arena cluster join --name` said."""
    address: str
    """Its IP address in the cluster."""
    state: NodeState = NodeState.JOINING
    why: str = ""
    """Why no match begins on it, and what to do: a sentence; empty if it is ready."""
    since_us: int = 0
    """When it came into this state."""
    processor: str = ""
    """The model of its processor."""
    software: str = ""
    """Name and version of its arena software."""
    workers: int = 0
    """Matches that it plays at once."""
    playing: int = 0
    """Matches that it plays now."""
    programs: int = 0
    """Programs of bots that run on it now."""
    places: int = 0
    """Programs that it runs at once, if each takes one place (`arena.scheduling.dispatch.places_of`)."""
    cores: int = 0
    memory_mib: int = 0
    """Its memory for programs. No program gets more than that, and its cores."""
    finished: int = 0
    """Matches that it has played to their end since the arena started."""
    lost: int = 0
    """Matches that became void because it failed, since the arena started."""
    refused: dict[str, int] = field(default_factory=dict)
    """Results of it that were refused since the arena started, by reason: late, second, untrue, impossible."""
    think_ratio: float | None = None
    """How long bots think on it, over how long the same bots think elsewhere; None: not known yet."""
    missing_runtimes: tuple[str, ...] = ()
    """Runtimes that it lacks, or has in another version: no match of a bot that needs one begins on it."""


class Nodes(Protocol):
    """The nodes of an arena. Call it on its event loop; no method blocks."""

    @property
    def address(self) -> str:
        """The address of the cluster's head; empty: this arena has no cluster."""

    @property
    def connected(self) -> bool:
        """Whether the cluster's head answers."""

    @property
    def repeats(self) -> Mapping[str, int]:
        """How many matches were played on two machines and compared: same and different ones."""

    def all(self) -> Collection[Node]:
        """Return all nodes that have joined since the arena started, by name."""

    def set_drained(self, name: str, *, drained: bool) -> Node:
        """Begin no more matches on a node, or begin them again. Return it as it is then.

        Raises NotFoundError: NODE_NOT_FOUND.
        """


def node_not_found(name: str) -> NotFoundError:
    """Return the error of a node that has not joined."""
    return NotFoundError(
        ErrorReason.NODE_NOT_FOUND,
        f"No node {name} has joined since the arena started; `arena cluster show` lists those that have.",
        node=name,
    )


class NoCluster:
    """The nodes of an arena without a cluster."""

    address = ""
    connected = False
    repeats: Mapping[str, int] = MappingProxyType({})

    def all(self) -> Collection[Node]:
        """Return none."""
        return ()

    def set_drained(self, name: str, *, drained: bool) -> Node:
        """Raise NotFoundError: NODE_NOT_FOUND."""
        raise node_not_found(name)
