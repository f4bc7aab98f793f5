"""The metrics of match nodes, for Prometheus (docs/operations.md)."""

from collections.abc import Callable, Collection

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from arena.server.cluster.node import Node, Nodes, NodeState
from arena.server.match_workers.machine import Refusal


def node_metrics(nodes: Nodes) -> list[Metric]:
    """Return the metrics of the nodes; none of an arena without a cluster."""
    if not nodes.address:
        return []
    found = nodes.all()
    connected = GaugeMetricFamily("arena_cluster_connected", "1 if the cluster's head answers, else 0.")
    connected.add_metric([], int(nodes.connected))
    states = GaugeMetricFamily(
        "arena_nodes", "Nodes that have joined since the arena started.", labels=["state"]
    )
    for state in NodeState:
        states.add_metric([state.value], sum(node.state is state for node in found))
    refused = CounterMetricFamily(
        "arena_node_results_refused", "Results of a node that were not taken.", labels=["node", "reason"]
    )
    for node in found:
        for reason in Refusal:
            refused.add_metric([node.name, reason.value], node.refused.get(reason.value, 0))
    repeated = CounterMetricFamily(
        "arena_node_matches_repeated", "Matches played on two machines and compared.", labels=["result"]
    )
    for result, count in nodes.repeats.items():
        repeated.add_metric([result], count)
    ratios = _by_node(
        "arena_node_think_ratio",
        "How long bots think on a node, over how long the same bots think elsewhere.",
        [node for node in found if node.think_ratio is not None],
        lambda node: node.think_ratio or 0.0,
    )
    return [
        connected,
        states,
        refused,
        repeated,
        ratios,
        _by_node(
            "arena_node_workers", "Matches that a node plays at once.", found, lambda node: node.workers
        ),
        _by_node("arena_node_matches", "Matches that a node plays now.", found, lambda node: node.playing),
        _by_node(
            "arena_node_programs", "Programs of bots that run on a node.", found, lambda node: node.programs
        ),
        _counted("arena_node_matches_finished", "Matches played to their end on a node.", found, "finished"),
        _counted("arena_node_matches_lost", "Matches that a node's failure made void.", found, "lost"),
    ]


def _by_node(name: str, text: str, nodes: Collection[Node], value: Callable[[Node], float]) -> Metric:
    metric = GaugeMetricFamily(name, text, labels=["node"])
    for node in nodes:
        metric.add_metric([node.name], value(node))
    return metric


def _counted(name: str, text: str, nodes: Collection[Node], field: str) -> Metric:
    metric = CounterMetricFamily(name, text, labels=["node"])
    for node in nodes:
        metric.add_metric([node.name], getattr(node, field))
    return metric
