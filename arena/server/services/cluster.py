"""ClusterService: the match nodes, for organisers."""
# ruff: noqa: N802 - the methods are named as in the .proto

from arena.server.auth.authentication import check_still_valid
from arena.server.auth.permissions import current_caller
from arena.server.cluster.node import Node, node_not_found
from arena.server.context import Context
from arena.server.services.service_context import Service, complete, record_decision
from arena.store.audit.entries import AuditKind
from arena.store.store import Transaction
from arena.v1 import cluster_pb2 as pb
from arena.v1 import cluster_pb2_grpc
from arena.wire.fields import same, timestamp
from arena.wire.resource_names import node_name, parse_node


class ClusterService(Service, cluster_pb2_grpc.ClusterServiceServicer):
    """Shows match nodes and drains them."""

    async def ListNodes(self, request: pb.ListNodesRequest, _: Context) -> pb.ListNodesResponse:
        """Return the match nodes by name."""
        nodes = self._platform.runtime.nodes
        return pb.ListNodesResponse(
            **same(nodes, "address", "connected"),
            nodes=map(node_message, nodes.all()),
        )

    async def SetNodeDrained(
        self, request: pb.SetNodeDrainedRequest, _: Context
    ) -> pb.SetNodeDrainedResponse:
        """Begin no more matches on the node, or begin them again.

        It is recorded even if the node is so already: that may be the arena's decision, and this one is a person's.
        """
        caller, name, drained = current_caller(), parse_node("name", request.name), request.drained
        nodes, now_us = self._platform.runtime.nodes, self._platform.now_us()
        if all(node.name != name for node in nodes.all()):
            raise node_not_found(name)

        def work(tx: Transaction) -> None:
            check_still_valid(tx, caller, now_us)
            what = f"No more matches begin on the match node {name}."
            if not drained:
                what = f"Matches may begin on the match node {name} again."
            record_decision(tx, AuditKind.NODE, caller, now_us, what, node_name(name))

        async def carry_out() -> Node:
            await self._platform.database.write(work)
            return nodes.set_drained(name, drained=drained)

        return pb.SetNodeDrainedResponse(node=node_message(await complete(carry_out())))


def node_message(node: Node) -> pb.Node:
    """Return the node as a message."""
    return pb.Node(
        name=node_name(node.name),
        state=pb.NodeState.Value(f"NODE_STATE_{node.state.name}"),
        since_time=timestamp(node.since_us),
        **same(node, "address", "why", "processor", "software", "workers", "playing", "programs", "places"),
        **same(node, "cores", "memory_mib", "finished", "lost", "refused", "think_ratio", "missing_runtimes"),
    )
