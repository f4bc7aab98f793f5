"""ClusterService: match nodes with their states, and draining; for organisers alone."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import pytest
from google.protobuf import text_format

from arena.core.errors import UnauthenticatedError
from arena.server.cluster.node import Node, NodeState, node_not_found
from arena.store.audit.entries import Actor, AuditKind
from arena.store.store import Transaction
from arena.v1 import cluster_pb2
from tests.unit.server.services.harness import Arena
from tests.unit.server.services.test_decisions import call_behind, nothing

HEAD = "10.0.0.1:6379"


@dataclass
class FakeNodes:
    """The nodes of a cluster, and what was asked of them."""

    nodes: dict[str, Node]
    address: str = HEAD
    connected: bool = True
    repeats: Mapping[str, int] = field(default_factory=dict)
    asked: list[tuple[str, bool]] = field(default_factory=list)

    def all(self) -> Collection[Node]:
        return self.nodes.values()

    def set_drained(self, name: str, *, drained: bool) -> Node:
        if name not in self.nodes:
            raise node_not_found(name)
        self.asked.append((name, drained))
        self.nodes[name].state = NodeState.DRAINED if drained else NodeState.READY
        return self.nodes[name]


@pytest.fixture
def nodes(arena: Arena) -> FakeNodes:
    """Return the nodes of the arena: lab1, which has not described itself, and lab2, which plays."""
    lab2 = Node(
        "lab2",
        "10.0.0.3",
        NodeState.READY,
        "",
        1_500_000,
        processor="Ryzen 7",
        software="caravan-arena 1.8",
        workers=8,
        playing=3,
        programs=6,
        places=16,
        finished=120,
        lost=2,
        refused={"late": 1, "untrue": 4},
        think_ratio=1.25,
        missing_runtimes=("go", "rust"),
    )
    nodes = FakeNodes({"lab1": Node("lab1", "10.0.0.2", why="It has not described itself."), "lab2": lab2})
    arena.runtime.nodes = nodes
    return nodes


LISTED = """
    address: "10.0.0.1:6379" connected: true
    nodes {
      name: "nodes/lab1" address: "10.0.0.2" state: NODE_STATE_JOINING why: "It has not described itself." since_time {}
    }
    nodes {
      name: "nodes/lab2" address: "10.0.0.3" state: NODE_STATE_READY since_time { seconds: 1 nanos: 500000000 }
      processor: "Ryzen 7" software: "caravan-arena 1.8" workers: 8 playing: 3 programs: 6 places: 16
      finished: 120 lost: 2 refused { key: "late" value: 1 } refused { key: "untrue" value: 4 } think_ratio: 1.25
      missing_runtimes: ["go", "rust"]
    }
"""


def test_nodes_are_listed_with_all_their_fields(arena: Arena, nodes: FakeNodes) -> None:
    listed = arena.call("ListNodes", "organiser")
    assert listed == text_format.Parse(LISTED, cluster_pb2.ListNodesResponse())
    assert not listed.nodes[0].HasField("think_ratio")


@pytest.mark.parametrize("state", NodeState)
def test_every_state_has_its_value_in_the_message(arena: Arena, nodes: FakeNodes, state: NodeState) -> None:
    nodes.nodes["lab1"].state = state
    shown = arena.call("ListNodes", "organiser").nodes[0].state
    assert cluster_pb2.NodeState.Name(shown) == f"NODE_STATE_{state.name}"


def test_a_head_that_does_not_answer_is_listed_as_such(arena: Arena, nodes: FakeNodes) -> None:
    nodes.connected = False
    listed = arena.call("ListNodes", "organiser")
    assert (listed.address, listed.connected) == (HEAD, False)


def test_an_arena_without_a_cluster_lists_no_nodes(arena: Arena) -> None:
    assert arena.call("ListNodes", "organiser") == cluster_pb2.ListNodesResponse()


def test_a_node_is_drained_and_plays_again_and_both_decisions_are_recorded(
    arena: Arena, nodes: FakeNodes
) -> None:
    drained = arena.call("SetNodeDrained", "organiser", name="nodes/lab2", drained=True).node
    again = arena.call("SetNodeDrained", "organiser", name="nodes/lab2").node
    assert (drained.name, drained.state) == ("nodes/lab2", cluster_pb2.NODE_STATE_DRAINED)
    assert again.state == cluster_pb2.NODE_STATE_READY
    assert nodes.asked == [("lab2", True), ("lab2", False)]
    actor = Actor("root", arena.tokens["organiser"].id)
    entries = arena.audited()
    assert [(each.kind, each.actor, each.about) for each in entries] == [
        (AuditKind.NODE, actor, ("nodes/lab2",))
    ] * 2
    assert len({each.sentence for each in entries}) == 2


def test_a_node_that_has_not_joined_is_not_found(arena: Arena, nodes: FakeNodes) -> None:
    refused = arena.refusal("SetNodeDrained", "organiser", name="nodes/lab9", drained=True)
    assert refused.status == ("NOT_FOUND", "NODE_NOT_FOUND")
    assert refused.metadata == {"node": "lab9"}
    assert (nodes.asked, arena.audited()) == ([], ())


@pytest.mark.parametrize(
    ("method", "fields"), [("ListNodes", {}), ("SetNodeDrained", {"name": "nodes/lab2"})]
)
@pytest.mark.parametrize("caller", ["ada", "ant"])
def test_owners_and_bots_neither_see_nor_drain_nodes(
    arena: Arena, nodes: FakeNodes, method: str, fields: dict[str, str], caller: str
) -> None:
    refused = arena.refusal(method, caller, **fields)
    assert refused.status == ("PERMISSION_DENIED", "ROLE_REQUIRED")
    assert (nodes.asked, arena.audited()) == ([], ())


def test_a_node_is_drained_though_the_caller_has_cancelled(arena: Arena, nodes: FakeNodes) -> None:
    arena.await_(call_behind(arena, "SetNodeDrained", nothing, gone=True))
    assert nodes.asked == [("lab2", True)]


def test_a_caller_whose_token_is_revoked_while_the_call_waits_drains_nothing(
    arena: Arena, nodes: FakeNodes
) -> None:
    def revoked(tx: Transaction) -> None:
        tx.tokens.revoke(arena.tokens["organiser"].id, arena.now_us)

    outcome = arena.await_(call_behind(arena, "SetNodeDrained", revoked, gone=False))
    assert isinstance(outcome, UnauthenticatedError)
    assert (nodes.asked, arena.audited()) == ([], ())
