"""Which nodes play matches, and what becomes of those that fail: the test is the process that is in the cluster."""

import asyncio
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from arena.core.errors import ErrorReason, FailedPreconditionError, NotFoundError
from arena.scheduling.repeated_matches import RepeatedMatch
from arena.server.cluster import cluster_nodes, messages
from arena.server.cluster.cluster_nodes import ClusterNodes, ClusterSettings, DrainedNodes
from arena.server.cluster.messages import FromClient, ToClient
from arena.server.cluster.node import Node, NodeState
from arena.server.cluster.node_description import MachineDescription
from arena.server.match_workers.channel import pack
from arena.server.match_workers.machine import THIS_MACHINE, Refusal
from arena.server.match_workers.match_workers import MatchWorkers
from arena.server.match_workers.messages import Beat, Over
from arena.server.metered_log import MatchCounts
from arena.store.audit.entries import AuditEntry, AuditKind
from arena.store.audit.writer import AuditWriter
from arena.store.webhooks.outbox import Notification, NotificationType
from arena.submissions.manifest import Grant
from tests.unit.server.test_match_workers import played_match, program

HERE = MachineDescription(
    software="caravan-arena 1",
    code="abc",
    compiled=False,
    rules=(("caravan", 1),),
    missing=(),
    runtimes=(("java", "21"), ("python", "3.11")),
    processor="model",
    processors=2,
    late_ms=0.1,
    why_not="",
)


DRAINED = Path("drained_nodes.json")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each test a folder of its own."""
    monkeypatch.chdir(tmp_path)


class NodesOfTest(ClusterNodes):
    """The nodes of an arena whose cluster the test is."""

    def __init__(self) -> None:
        self.audited: list[AuditKind] = []
        self.notified: list[Notification] = []
        self.told: list[ToClient] = []
        workers = MatchWorkers(changed=lambda: None, counts=MatchCounts(), audit=lambda *_, **__: None)
        environment: Any = None
        super().__init__(
            workers,
            ClusterSettings("192.0.2.1:6379", Path("token")),
            environment=environment,
            versions=Path("versions"),
            drained=DrainedNodes(DRAINED),
            audit=cast(
                "AuditWriter",
                SimpleNamespace(
                    put=self._put,
                    record=lambda kind, _what, **_: self.audited.append(kind),
                ),
            ),
            now_us=lambda: 1,
            json_logs=False,
        )
        self.workers = workers
        workers.reports = self
        self._here = HERE

    def _put(self, entry: AuditEntry) -> None:
        self.audited.append(entry.kind)
        if entry.notification is not None:
            self.notified.append(entry.notification)

    def _tell(self, message: ToClient) -> None:
        self.told.append(message)

    def say(self, *said: FromClient) -> None:
        for message in said:
            self._take(message)

    def join(self, key: int, name: str = "lab", **other: Any) -> Node:
        """Have a node join that is as the arena is, but for `other`."""
        self.say(
            messages.NodeSeen(key, name, "192.0.2.9", Grant(4, 8_000)),
            messages.NodeJoined(key, 2, 8, replace(HERE, **other)),
        )
        return self.node(name)

    def node(self, name: str = "lab") -> Node:
        return next(node for node in self.all() if node.name == name)


async def test_a_node_like_the_arena_plays_matches() -> None:
    nodes = NodesOfTest()
    nodes.say(messages.ClientBeat(), messages.NodeSeen(1, "lab", "192.0.2.9", Grant(4, 8_000)))
    assert (nodes.connected, nodes.node().state, nodes.workers.places) == (True, NodeState.JOINING, 0)
    node = nodes.join(1)
    assert (node.state, node.why, node.address, node.workers, node.places) == (
        NodeState.READY,
        "",
        "192.0.2.9",
        2,
        8,
    )
    assert nodes.workers.places == 8


@pytest.mark.parametrize(
    "other",
    [
        {"software": "caravan-arena 2"},
        {"code": "abd"},
        {"compiled": True},
        {"rules": (("caravan", 2),)},
        {"missing": ("seccomp",)},
        {"late_ms": 80.0},
        {"why_not": "Install bubblewrap."},
    ],
)
async def test_a_node_that_differs_in_what_matches_depend_on_plays_none(other: dict[str, Any]) -> None:
    nodes = NodesOfTest()
    node = nodes.join(1, **other)
    assert (node.state, nodes.workers.places) == (NodeState.EXCLUDED, 0)
    assert node.why.endswith(".")
    assert nodes.audited == [AuditKind.NODE]


async def test_what_the_arena_itself_lacks_a_node_may_lack_too() -> None:
    nodes = NodesOfTest()
    nodes._here = replace(HERE, missing=("seccomp", "memory"))
    assert nodes.join(1, missing=("seccomp",)).state is NodeState.READY


async def test_a_runtime_in_another_version_only_keeps_its_bots_away() -> None:
    nodes = NodesOfTest()
    node = nodes.join(1, runtimes=(("java", "17"), ("python", "3.11"), ("node", "22")))
    assert (node.state, node.missing_runtimes) == (NodeState.READY, ("java",))
    assert not nodes.workers.can_play([program(runtime="java")])
    assert nodes.workers.can_play([program(runtime="python")])


async def test_a_program_is_played_where_it_gets_its_cores_and_its_memory() -> None:
    nodes = NodesOfTest()
    node = nodes.join(1)
    assert (node.cores, node.memory_mib) == (4, 8_000)
    assert nodes.workers.can_play([program(cores=4, memory_mib=2_000)])
    assert not nodes.workers.can_play([program(cores=5)])
    assert not nodes.workers.can_play([program(memory_mib=8_001)])


async def test_a_node_that_is_gone_is_lost_until_it_comes_back() -> None:
    nodes = NodesOfTest()
    nodes.join(1)
    nodes.say(messages.NodeGone(1, "has left the cluster", failed=False))
    assert (nodes.node().state, nodes.workers.places) == (NodeState.LOST, 0)
    [told] = nodes.notified
    assert (told.type, told.data["node"]) == (NotificationType.NODE_LOST, "nodes/lab")
    assert nodes.join(2).state is NodeState.READY


async def test_a_node_that_fails_again_and_again_is_taken_out_until_an_organiser_puts_it_back() -> None:
    nodes = NodesOfTest()
    for key in range(1, 5):
        assert nodes.join(key).state is NodeState.READY
        nodes.say(messages.NodeGone(key, "failed", failed=True))
    assert nodes.join(5).state is NodeState.DRAINED
    assert nodes.set_drained("lab", drained=False).state is NodeState.READY


async def test_a_node_that_is_stopped_again_and_again_has_not_failed() -> None:
    nodes = NodesOfTest()
    for key in range(1, 8):
        assert nodes.join(key).state is NodeState.READY
        nodes.say(messages.NodeGone(key, "has left the cluster", failed=False))


async def test_a_node_whose_operator_allows_it_may_lack_a_protection() -> None:
    nodes = NodesOfTest()
    assert nodes.join(1, missing=("seccomp",), allows_weak=True).state is NodeState.READY


async def test_an_organiser_drains_a_node_and_it_stays_so_when_it_comes_back() -> None:
    nodes = NodesOfTest()
    nodes.join(1)
    assert nodes.set_drained("lab", drained=True).state is NodeState.DRAINED
    assert nodes.workers.places == 0
    nodes.say(messages.NodeGone(1, "has left the cluster", failed=False))
    assert nodes.join(2).state is NodeState.DRAINED
    assert nodes.set_drained("lab", drained=False).state is NodeState.READY
    nodes.say(messages.NodeGone(2, "has left the cluster", failed=False))
    assert nodes.join(3).state is NodeState.READY
    with pytest.raises(NotFoundError) as unknown:
        nodes.set_drained("lab9", drained=True)
    assert unknown.value.reason is ErrorReason.NODE_NOT_FOUND


async def test_a_drained_node_stays_so_after_a_restart_of_the_arena() -> None:
    nodes = NodesOfTest()
    nodes.join(1)
    nodes._drain(nodes._nodes["lab"], "Bots think 2.0 times as long on it as the same bots do elsewhere.")
    why = nodes.node().why
    again = NodesOfTest()
    node = again.join(1)
    assert (node.state, node.why, again.workers.places) == (NodeState.DRAINED, why, 0)
    again.set_drained("lab", drained=False)
    assert NodesOfTest().join(1).state is NodeState.READY


def test_a_damaged_list_of_drained_nodes_is_named() -> None:
    DRAINED.write_text("[")
    with pytest.raises(FailedPreconditionError) as refused:
        DrainedNodes(DRAINED)
    assert refused.value.reason is ErrorReason.STORAGE


async def test_a_list_of_drained_nodes_that_cannot_be_written_stops_nobody() -> None:
    nodes = NodesOfTest()
    nodes.join(1)
    DRAINED.with_name("drained_nodes.json.unfinished").mkdir()
    assert nodes.set_drained("lab", drained=True).state is NodeState.DRAINED


async def test_a_silent_node_is_given_up_and_what_it_says_later_is_counted_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cluster_nodes, "_TICK_S", 0)
    nodes = NodesOfTest()
    nodes.join(1)
    watching = asyncio.create_task(nodes._watch())
    for _ in range(10 * cluster_nodes.SILENT_S):
        await asyncio.sleep(0)
    watching.cancel()
    assert nodes.told == [messages.Abandon(1)]
    assert nodes.node().state is NodeState.LOST
    late = pack(Over(5, played_match(plies=3)))
    nodes.say(
        messages.FromNodeWorker(1, 1, pack(Beat())),
        messages.FromNodeWorker(1, 1, late),
        messages.FromNodeWorker(1, 1, None),
    )
    assert nodes.node().refused == {"late": 1}
    assert nodes.node().state is NodeState.LOST


@pytest.mark.parametrize(
    ("reason", "state"),
    [
        (Refusal.LATE, NodeState.READY),
        (Refusal.SECOND, NodeState.READY),
        (Refusal.UNTRUE, NodeState.DRAINED),
        (Refusal.IMPOSSIBLE, NodeState.DRAINED),
    ],
)
async def test_a_result_against_the_rules_takes_its_node_out(reason: Refusal, state: NodeState) -> None:
    nodes = NodesOfTest()
    nodes.join(1)
    nodes.refused("lab", reason, 7)
    assert (nodes.node().state, nodes.node().refused) == (state, {reason.value: 1})
    assert AuditKind.NODE in nodes.audited


def ticket(*bots: str) -> Any:
    holders = tuple(SimpleNamespace(bot=bot, version="1") for bot in bots)
    return SimpleNamespace(setup=SimpleNamespace(seats=holders))


async def test_a_node_on_which_the_same_bots_think_longer_is_taken_out() -> None:
    nodes = NodesOfTest()
    nodes.join(1, "fast")
    nodes.join(2, "slow")
    for _ in range(100):
        for name, seconds in (("fast", 1.0), ("slow", 1.6), (THIS_MACHINE, 1.0)):
            played: Any = SimpleNamespace(think=SimpleNamespace(counts=(10,), sum_s=seconds))
            nodes.finished(name, ticket("ant", "bee"), played)
    slow = nodes.node("slow")
    assert (slow.state, nodes.node("fast").state) == (NodeState.DRAINED, NodeState.READY)
    assert slow.think_ratio == pytest.approx(1.6)
    assert slow.finished == 100


async def test_a_node_whose_workers_stand_still_is_taken_out() -> None:
    nodes = NodesOfTest()
    nodes.join(1)
    for _ in range(2 * 14):  # each of its two workers reports what is one stall
        nodes.stalled("lab", 1.0)
    assert nodes.node().state is NodeState.READY
    for _ in range(2):
        nodes.stalled("lab", 1.5)
    assert nodes.node().state is NodeState.DRAINED


@pytest.mark.parametrize(("difference", "audited"), [("", 0), ("Ply 3 differs.", 1)])
async def test_a_match_that_two_machines_have_played_is_counted_and_a_difference_audited(
    difference: str, audited: int
) -> None:
    nodes = NodesOfTest()
    nodes.compared(RepeatedMatch(7, ("lab", ""), difference))
    assert nodes.repeats == {"same": 1 - audited, "different": audited}
    assert len(nodes.audited) == audited
