"""Which machines of a Ray cluster are match nodes, and the name of each."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from arena.sandbox.process_spec import MIB
from arena.server.cluster.ray_commands import NODE_RESOURCE
from arena.submissions.manifest import Grant


@dataclass(frozen=True, slots=True)
class MatchNode:
    """A match node that is in the cluster."""

    ray_node: str
    """Ray's id of it, which is another one each time that the machine joins."""
    name: str
    """Unique in the cluster."""
    address: str
    gives: Grant
    """Its cores and its memory: resources in Ray."""


class NodeNames:
    """Names of match nodes. A machine that joins again has the same name, unless another one has taken it meanwhile."""

    def __init__(self) -> None:
        self._names: dict[tuple[str, str], str] = {}
        """By the name and the address with which a machine has joined, of those that are in the cluster."""
        self._first_seen: dict[str, int] = {}
        """By Ray's id: the number of the listing that had it first."""
        self._listings = 0

    def of(self, listed: Iterable[Mapping[str, Any]]) -> list[MatchNode]:
        """Return the match nodes among what `ray.nodes()` lists.

        Ray notices with a delay that a machine is gone. If it has joined again meanwhile, only its later entry counts.
        """
        self._listings += 1
        machines: dict[tuple[str, str], Mapping[str, Any]] = {}
        for each in listed:
            name = _joined_as(each["Resources"])
            if not name or not each["Alive"]:
                continue  # it is gone, or is the head, or a machine for something else
            seen = self._first_seen.setdefault(each["NodeID"], self._listings)
            machine = (name, each["NodeManagerAddress"])
            before = machines.get(machine)
            if before is None or seen >= self._first_seen[before["NodeID"]]:
                machines[machine] = each
        self._names = {machine: name for machine, name in self._names.items() if machine in machines}
        return [
            MatchNode(each["NodeID"], self._name(*machine), machine[1], _gives(each["Resources"]))
            for machine, each in machines.items()
        ]

    def _name(self, name: str, address: str) -> str:
        """Return the name of a machine: while another one has this name, the address is added."""
        machine = (name, address)
        if machine not in self._names:
            taken = name in self._names.values()
            self._names[machine] = f"{name}-{address.replace('.', '-').replace(':', '-')}" if taken else name
        return self._names[machine]


def _gives(resources: Mapping[str, float]) -> Grant:
    return Grant(int(resources.get("CPU", 0)), int(resources.get("memory", 0)) // MIB)


def _joined_as(resources: Mapping[str, float]) -> str:
    """Return the name with which a match node has joined, from its resources in Ray; empty if it is none."""
    for resource in resources:
        if resource.startswith(NODE_RESOURCE):
            return resource.removeprefix(NODE_RESOURCE)
    return ""
