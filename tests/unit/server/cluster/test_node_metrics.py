"""The metrics of match nodes."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import pytest

from arena.server.cluster.node import NoCluster, Node, NodeState
from arena.server.cluster.node_metrics import node_metrics
from arena.server.match_workers.machine import Refusal
from tests.checkout import text


@dataclass
class NodesOfTest:
    """The nodes of an arena with a cluster: `arena.server.cluster.node.Nodes`."""

    nodes: Collection[Node] = ()
    connected: bool = True
    address: str = field(default="192.0.2.10:6379", init=False)
    repeats: Mapping[str, int] = field(default_factory=lambda: {"same": 3, "different": 1}, init=False)

    def all(self) -> Collection[Node]:
        return self.nodes

    def set_drained(self, name: str, *, drained: bool) -> Node:
        raise AssertionError("metrics change nothing")


BUSY = Node(
    "lab2",
    "192.0.2.12",
    state=NodeState.READY,
    workers=8,
    playing=5,
    programs=11,
    places=38,
    finished=300,
    lost=2,
    refused={"late": 2, "untrue": 1},
    think_ratio=1.25,
)
NEW = Node("lab3", "192.0.2.13", state=NodeState.JOINING)


def samples(nodes: NodesOfTest) -> dict[tuple[str, str], float]:
    """Return all values, by the metric and the values of its labels."""
    return {
        (sample.name, " ".join(sample.labels.values())): sample.value
        for metric in node_metrics(nodes)
        for sample in metric.samples
    }


def test_an_arena_without_a_cluster_has_no_metrics_of_nodes() -> None:
    assert node_metrics(NoCluster()) == []


@pytest.mark.parametrize("connected", [True, False])
def test_a_cluster_that_answers_counts_as_connected_with_or_without_nodes(connected: bool) -> None:
    assert samples(NodesOfTest(connected=connected))["arena_cluster_connected", ""] == int(connected)


def test_every_node_has_values_of_its_own() -> None:
    found = samples(NodesOfTest((BUSY, NEW)))
    values = {
        "arena_node_workers": (8, 0),
        "arena_node_matches": (5, 0),
        "arena_node_programs": (11, 0),
        "arena_node_matches_finished_total": (300, 0),
        "arena_node_matches_lost_total": (2, 0),
    }
    for name, (busy, new) in values.items():
        assert (found[name, "lab2"], found[name, "lab3"]) == (busy, new), name


def test_every_state_is_there_with_the_number_of_its_nodes() -> None:
    found = samples(NodesOfTest((BUSY, NEW, Node("lab4", "192.0.2.14"))))
    states = {labels: value for (name, labels), value in found.items() if name == "arena_nodes"}
    assert states == {state.value: 0 for state in NodeState} | {"ready": 1, "joining": 2}


def test_refused_results_are_counted_by_node_and_reason() -> None:
    found = samples(NodesOfTest((BUSY, NEW)))
    refused = {labels: value for (name, labels), value in found.items() if "refused" in name}
    assert refused == {f"{node} {reason.value}": 0 for node in ("lab2", "lab3") for reason in Refusal} | {
        "lab2 late": 2,
        "lab2 untrue": 1,
    }


def test_matches_that_were_played_twice_are_counted_by_how_they_compare() -> None:
    found = samples(NodesOfTest())
    assert found["arena_node_matches_repeated_total", "same"] == 3
    assert found["arena_node_matches_repeated_total", "different"] == 1


def test_a_node_has_a_think_ratio_once_it_is_known() -> None:
    found = samples(NodesOfTest((BUSY, NEW)))
    ratios = {labels: value for (name, labels), value in found.items() if name == "arena_node_think_ratio"}
    assert ratios == {"lab2": 1.25}


def test_every_metric_of_nodes_is_documented_with_its_labels_and_no_other_is() -> None:
    exported: dict[str, set[str]] = {}
    for metric in node_metrics(NodesOfTest((BUSY,))):
        for sample in metric.samples:
            exported.setdefault(sample.name, set()).update(sample.labels)
    rows = re.findall(r"^\| (.*?) \| (.*?) \|", text("docs/operations.md"), re.MULTILINE)
    documented = {
        name: set(re.findall(r"`(\w+)`", labels.split(":")[0]))
        for names, labels in rows
        for name in re.findall(r"`(arena_(?:cluster_|node_|nodes)\w*)`", names)
    }
    assert documented == exported
