"""Matches on nodes of a cluster: a real arena, a real head, real nodes, a real sandbox; and what a failure costs.

The failures are for `make crash-cluster`: Ray gives up if a part of it takes more than 30 s to start.
"""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path

import pytest

from arena.sandbox.proc_fs import descendants
from arena.submissions.version_folders import VersionFolders
from arena.v1 import audit_pb2, cluster_pb2, match_pb2
from tests.system.cluster.machines import (
    Machines,
    OtherNetwork,
    command_of,
    on_demand,
    send_to_all,
    wait_until,
)
from tests.system.hosting.leftovers import wait_until_gone
from tests.system.hosting.needs import needs_sandbox
from tests.system.hosting.test_match_workers import ENDLESS, frames_of
from tests.system.play.arena_process import ArenaProcess
from tests.system.play.cgroups import cgroups_of
from tests.unit.hosting.sample_submissions import RANDOM_BOT

pytestmark = needs_sandbox

READY, LOST, DRAINED = (
    cluster_pb2.NODE_STATE_READY,
    cluster_pb2.NODE_STATE_LOST,
    cluster_pb2.NODE_STATE_DRAINED,
)
BOTS = dict.fromkeys(("ant", "bee"), RANDOM_BOT)
SLOW_BOTS = dict.fromkeys(("ant", "bee"), ENDLESS)
SOONER = "import arena.server.cluster.cluster_nodes as n; n.SILENT_S = 6"
"""So that the tests need not wait longer for what is silent."""


@contextmanager
def playing(
    machines: Machines, programs: Mapping[str, str], *, turns: int = 16, matches: int = 1, before: str = ""
) -> Iterator[ArenaProcess]:
    """Run an arena whose first match is played on the node lab1."""
    machines.join("lab1", "--matches", "1")
    with machines.serving(dict(programs), before=before) as arena:
        machines.wait_for_state("lab1", READY)
        arena.ladder("main", "ant", "bee", matches=matches, options={"turn_limit": str(turns)})
        wait_until_running(arena)
        yield arena


def state_of(arena: ArenaProcess, match: str) -> "match_pb2.MatchState.ValueType":
    state: match_pb2.MatchState.ValueType = arena.match(match).state
    return state


def wait_until_running(arena: ArenaProcess) -> None:
    """Return when the first match is played."""
    arena.wait_for("match group made")
    wait_until(lambda: state_of(arena, "matches/1") == match_pb2.MATCH_STATE_RUNNING)


def assert_replayed(arena: ArenaProcess, worker: str) -> None:
    """Check that the first match is void by a worker's fault, at no bot's cost, and that its replay is played."""
    wait_until(lambda: state_of(arena, "matches/1") == match_pb2.MATCH_STATE_ABORTED)
    first = arena.match("matches/1")
    for seat in first.seats:
        evidence = {fact.fact: fact.value for fact in seat.ending.evidence}
        assert (evidence["fault"], evidence["worker"]) == ("worker", worker)
    wait_until(lambda: state_of(arena, first.replayed_as) == match_pb2.MATCH_STATE_FINISHED)


def audited(arena: ArenaProcess) -> list[str]:
    """Return what the audit trail says about nodes."""
    return [entry.sentence for entry in arena.audit.ListAuditEntries(kind=audit_pb2.AUDIT_KIND_NODE).entries]


def test_matches_are_played_on_nodes_and_nothing_of_them_is_left(machines: Machines, tmp_path: Path) -> None:
    machines.join("lab1", "--matches", "2")
    with machines.serving(BOTS) as arena:
        machines.wait_for_state("lab1", READY)
        arena.ladder("main", "ant", "bee", options={"turn_limit": "20"}, matches=4)
        arena.wait_for("match over", 4)
        assert {state_of(arena, f"matches/{n}") for n in range(1, 5)} == {match_pb2.MATCH_STATE_FINISHED}
        node = machines.wait_for_state("lab1", READY)
        assert (node.finished, node.lost, sum(node.refused.values())) == (4, 0, 0)
        folder = tmp_path / "lab1"
        assert (
            VersionFolders(folder / "versions").hashes() == VersionFolders(arena.data / "versions").hashes()
        )
        secrets = {path.read_bytes() for path in (*arena.data.glob("keys/*"), arena.data / "organiser.token")}
        assert not secrets & {path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        programs = descendants(machines.nodes["lab1"].process.pid)
        arena.terminate()
    wait_until(lambda: not any(b"match_workers.worker" in command_of(pid) for pid in programs))
    assert not list((folder / "hosted").glob("*/*"))


def test_a_match_on_a_node_can_be_watched_and_its_lines_read(machines: Machines) -> None:
    with playing(machines, SLOW_BOTS, turns=60) as arena:
        shown = list(islice(arena.matches.WatchMatch(name="matches/1"), 6))
        lines = arena.matches.ListDebugLines(name="matches/1", bot="bots/ant").lines
        assert state_of(arena, "matches/1") == match_pb2.MATCH_STATE_RUNNING
        assert len(frames_of(shown)) >= len(shown) - 1
        assert "thinking" in {line.text for line in lines}


@on_demand
def test_a_killed_node_costs_no_bot_anything_and_another_one_replays(machines: Machines) -> None:
    for name in ("lab1", "lab2"):
        machines.join(name, "--matches", "1")
    with machines.serving(SLOW_BOTS, before=SOONER) as arena:
        for name in ("lab1", "lab2"):
            machines.wait_for_state(name, READY)
        arena.ladder("main", "ant", "bee", matches=1, options={"turn_limit": "16"})
        wait_until_running(arena)
        name = next(name for name in ("lab1", "lab2") if machines.wait_for_state(name, READY).playing)
        programs = machines.nodes[name].processes()
        machines.nodes[name].send(signal.SIGKILL)
        wait_until_gone(programs)
        assert_replayed(arena, f"worker 1 of node {name}")
        assert machines.wait_for_state(name, LOST).lost == 1
        assert audited(arena)


@on_demand
def test_a_frozen_node_is_given_up_and_plays_again_when_it_is_back(machines: Machines) -> None:
    with playing(machines, SLOW_BOTS, before=SOONER) as arena:
        frozen = machines.nodes["lab1"].host_and_below()
        send_to_all(frozen, signal.SIGSTOP)
        machines.wait_for_state("lab1", LOST)
        send_to_all(frozen, signal.SIGCONT)
        machines.wait_for_state("lab1", READY)
        assert_replayed(arena, "worker 1 of node lab1")


@on_demand
def test_a_node_that_stays_frozen_gets_another_host_which_leaves_nothing_of_the_earlier_one(
    machines: Machines, tmp_path: Path
) -> None:
    with playing(machines, SLOW_BOTS, before=SOONER) as arena:
        frozen = machines.nodes["lab1"].host_and_below()
        send_to_all(frozen, signal.SIGSTOP)
        machines.wait_for_state("lab1", LOST)
        machines.wait_for_state("lab1", READY)
        wait_until_gone(frozen)
        assert_replayed(arena, "worker 1 of node lab1")
        assert arena.terminate() == 0
        assert cgroups_of(tmp_path / "lab1") == []


@on_demand
def test_a_node_whose_host_crashes_is_back_at_once_and_drained_if_it_goes_on(machines: Machines) -> None:
    with playing(machines, SLOW_BOTS) as arena:
        kill_host(machines)
        assert_replayed(arena, "worker 1 of node lab1")
        for _ in range(3):
            machines.wait_for_state("lab1", READY)
            kill_host(machines)
            machines.wait_for_state("lab1", LOST)
        machines.wait_for_state("lab1", DRAINED)
        arena.cluster.SetNodeDrained(name="nodes/lab1", drained=False)
        machines.wait_for_state("lab1", READY)


def kill_host(machines: Machines) -> None:
    """Kill the process of the first node's host."""
    (host,) = machines.nodes["lab1"].host()
    os.kill(host, signal.SIGKILL)


@on_demand
def test_without_its_head_an_arena_goes_on_and_its_nodes_come_back(machines: Machines) -> None:
    slower = {bot: program.replace("sleep(0.05)", "sleep(1)") for bot, program in SLOW_BOTS.items()}
    with playing(machines, slower, turns=100) as arena:
        assert machines.head is not None
        machines.head.close()
        wait_until(lambda: state_of(arena, "matches/1") == match_pb2.MATCH_STATE_ABORTED)
        machines.wait_for_state("lab1", LOST)
        assert not arena.cluster.ListNodes().connected
        assert arena.games.ListGames().games, "all else is served"
        machines.nodes["lab1"].close()
        machines.start_head()
        machines.join("lab1", "--matches", "1", number=1)
        machines.wait_for_state("lab1", READY)
        wait_until(lambda: machines.wait_for_state("lab1", READY).playing == 1)
        assert state_of(arena, arena.match("matches/1").replayed_as) != match_pb2.MATCH_STATE_ABORTED


@on_demand
def test_workers_and_programs_of_nodes_end_with_a_killed_arena(machines: Machines) -> None:
    with playing(machines, SLOW_BOTS, turns=100) as arena:
        workers = machines.nodes["lab1"].workers()
        programs = [pid for worker in workers for pid in descendants(worker)]
        assert programs
        arena.kill()
        wait_until_gone([*workers, *programs])
    with ArenaProcess(arena.data, "--cluster", machines.head_address) as again:
        machines.arena = again
        machines.wait_for_state("lab1", READY)
        assert state_of(again, "matches/1") == match_pb2.MATCH_STATE_ABORTED


@on_demand
def test_nobody_joins_with_another_token(machines: Machines, tmp_path: Path) -> None:
    machines.token = tmp_path / "other.token"
    machines.token.write_text("0" * 64)
    stranger = machines.join("lab1")
    assert stranger.process.wait(90) != 0


@on_demand
def test_a_drained_node_plays_its_matches_to_the_end_and_begins_none(machines: Machines) -> None:
    with playing(machines, SLOW_BOTS, turns=8, matches=2) as arena:
        node = arena.cluster.SetNodeDrained(name="nodes/lab1", drained=True).node
        assert (node.state, node.playing) == (DRAINED, 1)
        arena.wait_for("match over", 1)
        wait_until(lambda: machines.wait_for_state("lab1", DRAINED).programs == 0)
        assert state_of(arena, "matches/2") == match_pb2.MATCH_STATE_PENDING
        arena.cluster.SetNodeDrained(name="nodes/lab1", drained=False)
        arena.wait_for("match over", 2)


@on_demand
def test_a_node_with_a_full_disk_is_drained_and_its_match_waits(machines: Machines, tmp_path: Path) -> None:
    folder = tmp_path / "lab1"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", str(folder)], check=True)
    try:
        machines.join("lab1", "--matches", "1")
        with machines.serving(BOTS) as arena:
            machines.wait_for_state("lab1", READY)
            (folder / "filler").write_bytes(bytes((1 << 20) - 64 * 1024))
            with suppress(OSError):
                (folder / "rest").write_bytes(bytes(1 << 20))
            arena.ladder("main", "ant", "bee", matches=1, options={"turn_limit": "8"})
            machines.wait_for_state("lab1", DRAINED)
            assert state_of(arena, "matches/1") == match_pb2.MATCH_STATE_PENDING
            for name in ("filler", "rest"):
                (folder / name).unlink()
            arena.cluster.SetNodeDrained(name="nodes/lab1", drained=False)
            arena.wait_for("match over", 1)
    finally:
        machines.close()
        subprocess.run(["umount", str(folder)], check=True)


DAMAGED = """
import sys

if any("cluster.client" in word for word in sys.orig_argv):
    from arena.server.cluster import version_archive

    whole = version_archive.pack_version

    def pack_version(*arguments):
        packed = whole(*arguments)
        return packed[: len(packed) // 2]

    version_archive.pack_version = pack_version
"""
"""What sends versions to nodes, over a network that damages them."""


@on_demand
def test_a_node_that_gets_a_damaged_version_is_drained_and_the_match_waits_for_another_one(
    machines: Machines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "damaged").mkdir()
    (tmp_path / "damaged" / "sitecustomize.py").write_text(DAMAGED)
    machines.join("lab1", "--matches", "1")
    with monkeypatch.context() as patch:
        patch.setenv("PYTHONPATH", str(tmp_path / "damaged"))
        with machines.serving(BOTS, before="pass") as arena:
            machines.wait_for_state("lab1", READY)
            arena.ladder("main", "ant", "bee", matches=1, options={"turn_limit": "8"})
            machines.wait_for_state("lab1", DRAINED)
            assert state_of(arena, "matches/1") == match_pb2.MATCH_STATE_PENDING
            assert audited(arena)
            assert not VersionFolders(tmp_path / "lab1" / "versions").hashes()
            assert arena.terminate() == 0
    with ArenaProcess(machines.data, "--cluster", machines.head_address) as arena:
        machines.arena = arena
        machines.wait_for_state("lab1", DRAINED)
        arena.cluster.SetNodeDrained(name="nodes/lab1", drained=False)
        arena.wait_for("match over", 1)


LIAR = """
import dataclasses
import sys

if any("match_workers.worker" in word for word in sys.orig_argv):
    from arena.scheduling.dispatch import PlayedMatch
    from arena.server.match_workers import channel, messages

    honest = channel.pack

    def pack(message):
        if isinstance(message, messages.Over) and isinstance(message.how, PlayedMatch):
            result = dataclasses.replace(message.how.result, ending="NO_SUCH_ENDING")
            message = messages.Over(message.match, dataclasses.replace(message.how, result=result))
        return honest(message)

    channel.pack = pack
"""
"""What the worker of a node that has been tampered with reports."""


@on_demand
def test_a_node_that_reports_what_is_not_true_is_named_and_drained(
    machines: Machines, tmp_path: Path
) -> None:
    (tmp_path / "lies").mkdir()
    (tmp_path / "lies" / "sitecustomize.py").write_text(LIAR)
    machines.join("lab1", "--matches", "1", environment={"PYTHONPATH": str(tmp_path / "lies")})
    with machines.serving(BOTS) as arena:
        machines.wait_for_state("lab1", READY)
        arena.ladder("main", "ant", "bee", matches=1, options={"turn_limit": "8"})
        node = machines.wait_for_state("lab1", DRAINED)
        assert dict(node.refused) == {"untrue": 1}
        wait_until(lambda: state_of(arena, "matches/1") == match_pb2.MATCH_STATE_ABORTED)
        assert audited(arena)
        machines.join("lab2", "--matches", "1")
        wait_until(
            lambda: state_of(arena, arena.match("matches/1").replayed_as) == match_pb2.MATCH_STATE_FINISHED
        )


@on_demand
def test_an_arena_whose_cluster_client_is_killed_starts_another_one(machines: Machines) -> None:
    with playing(machines, SLOW_BOTS) as arena:
        (client,) = [pid for pid in descendants(arena.process.pid) if b"cluster.client" in command_of(pid)]
        os.kill(client, signal.SIGKILL)
        machines.wait_for_state("lab1", LOST)
        machines.wait_for_state("lab1", READY)
        assert_replayed(arena, "worker 1 of node lab1")


@on_demand
@pytest.mark.skipif(shutil.which("ip") is None, reason="needs iproute2")
def test_a_node_that_is_cut_off_is_given_up_and_its_late_result_changes_nothing(tmp_path: Path) -> None:
    with OtherNetwork() as network, Machines(tmp_path, network.here(1)) as machines:
        machines.start_head()
        machines.join("lab1", "--matches", "1", host=network.address, prefix=network.prefix)
        with machines.serving(SLOW_BOTS, before=SOONER) as arena:
            machines.wait_for_state("lab1", READY)
            arena.ladder("main", "ant", "bee", matches=1, options={"turn_limit": "16"})
            wait_until_running(arena)
            network.cut_off()
            machines.wait_for_state("lab1", LOST)
            network.connect()
            assert_replayed(arena, "worker 1 of node lab1")
            assert set(machines.wait_for_state("lab1", READY).refused) <= {"late"}
