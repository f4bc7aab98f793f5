"""Random failures of nodes, head, client, network and arena, while a tournament and a ladder are played on nodes.

CLUSTER_FAILURES and CLUSTER_SEED, or `make crash-cluster FAILURES=... SEED=...`, say how many and which.
"""

import os
import random
import shutil
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from arena.cli.framework.connection import fetch_all
from arena.sandbox.proc_fs import descendants
from arena.v1 import cluster_pb2, ending_pb2, match_pb2, tournament_pb2
from tests.system.cluster.machines import (
    Machines,
    OtherNetwork,
    command_of,
    send_to_all,
    wait_until,
)
from tests.system.crash.audit import Audit
from tests.system.hosting.leftovers import folders_in, wait_until_gone
from tests.system.hosting.needs import needs_sandbox
from tests.system.play.arena_process import SLOW, ArenaProcess
from tests.system.play.cgroups import cgroups_of
from tests.unit.hosting.sample_submissions import RANDOM_BOT, plant

FAILURES: Final = int(os.environ.get("CLUSTER_FAILURES", "0"))
SEED: Final = int(os.environ.get("CLUSTER_SEED", "1"))

pytestmark = [
    needs_sandbox,
    pytest.mark.skipif(not FAILURES, reason="`make crash-cluster` runs it"),
    pytest.mark.skipif(shutil.which("ip") is None, reason="needs iproute2"),
]

SILENT_S: Final = 6
SOONER: Final = f"import arena.server.cluster.cluster_nodes as n; n.SILENT_S = {SILENT_S}"
"""So that it need not wait longer for what is silent."""

BOTS: Final = ("ant", "bee", "cat", "dog")
PROGRAM: Final = RANDOM_BOT.replace("import random\n", "import random\nimport time\n").replace(
    "        return", "        time.sleep(0.1)\n        return"
)
OPTIONS: Final = {"turn_limit": "12"}
"""A match takes some seconds."""

ROUNDS: Final = 1
"""Of a tournament; when one has ended, another one begins."""

LADDER: Final = "ladders/main"
FINISHED: Final = tournament_pb2.Tournament.STATE_FINISHED
READY: Final = cluster_pb2.NODE_STATE_READY
DRAINED: Final = cluster_pb2.NODE_STATE_DRAINED


class Campaign:
    """An arena, three nodes of which one is in another network, and an organiser who looks after them."""

    def __init__(self, machines: Machines, network: OtherNetwork, draw: random.Random) -> None:
        self.machines = machines
        self.network = network
        self.draw = draw
        self.done: Counter[str] = Counter()
        """Failures, by name."""
        self.plans: dict[str, list[tuple[Any, ...]]] = {}
        """Of each tournament, as it was when it began."""
        self.failures: dict[str, Callable[[], None]] = {
            "node killed": self.kill_node,
            "node frozen for long": self.freeze_for_long,
            "node frozen for a moment": self.freeze_for_a_moment,
            "host killed": self.kill_host,
            "worker killed": self.kill_worker,
            "client killed": self.kill_client,
            "head killed": self.kill_head,
            "cut off": self.cut_off,
            "arena killed": self.kill_arena,
        }

    # Machines

    def join(self, name: str) -> None:
        """Have a node join, or join again."""
        number = int(name[-1])
        self.machines.nodes.pop(name, None)
        if number == 3:
            self.machines.join(
                name, "--matches", "1", number=3, host=self.network.address, prefix=self.network.prefix
            )
        else:
            self.machines.join(name, "--matches", "1", number=number, host=self.network.here(2 + number))

    def serve(self) -> None:
        """Start the arena."""
        options = ("--cluster", self.machines.head_address, "--hosted-programs", "12")
        self.machines.arena = ArenaProcess(self.machines.data, *options, before=SOONER)
        self.machines.arena.wait_open()

    def recover(self) -> None:
        """Return when all nodes are ready: the organiser puts back those that the arena has drained."""
        for name in sorted(self.machines.nodes):
            wait_until(partial(self.has_host, name), lambda: str(self.arena.log[-20:]))
            if self.machines.wait_for_state(name, READY, DRAINED).state == DRAINED:
                self.arena.cluster.SetNodeDrained(name=f"nodes/{name}", drained=False)
                self.machines.wait_for_state(name, READY)
        self.replay_what_is_left()

    def has_host(self, name: str) -> bool:
        """Return whether the host of a node runs: a node that has just been killed may still be shown as ready."""
        self.machines.nodes[name].start_again_if_too_slow()
        return bool(self.machines.nodes[name].host())

    def replay_what_is_left(self) -> None:
        """Replay the matches that are left to the organiser."""
        request = match_pb2.ListMatchesRequest(state=match_pb2.MATCH_STATE_ABORTED)
        listing = fetch_all(self.arena.matches.ListMatches, request, metadata=self.arena.organiser)
        for match in listing.matches:
            if match.left_to_organiser:
                self.arena.matches.ReplayMatch(name=match.name)

    @property
    def arena(self) -> ArenaProcess:
        """Return the arena that runs."""
        return self.machines.arena

    def a_node(self) -> str:
        """Return one of the nodes."""
        return self.draw.choice(sorted(self.machines.nodes))

    # Failures

    def kill_node(self) -> None:
        """Kill all processes of a node; it joins again."""
        name = self.a_node()
        self.machines.nodes[name].close()
        self.join(name)

    def _freeze(self, seconds: float) -> None:
        frozen = self.machines.nodes[self.a_node()].host_and_below()
        send_to_all(frozen, signal.SIGSTOP)
        time.sleep(seconds)
        send_to_all(frozen, signal.SIGCONT)

    def freeze_for_long(self) -> None:
        """Freeze a node for longer than the arena waits."""
        self._freeze(SILENT_S + self.draw.uniform(2, 4))

    def freeze_for_a_moment(self) -> None:
        """Freeze a node for less than that."""
        self._freeze(self.draw.uniform(0.2, SILENT_S / 2))

    def kill_host(self) -> None:
        """Kill the host of a node."""
        send_to_all(self.machines.nodes[self.a_node()].host(), signal.SIGKILL)

    def kill_worker(self) -> None:
        """Kill the worker of a node."""
        send_to_all(self.machines.nodes[self.a_node()].workers(), signal.SIGKILL)

    def kill_client(self) -> None:
        """Kill the process that is in the cluster for the arena."""
        below = descendants(self.arena.process.pid)
        send_to_all([pid for pid in below if b"cluster.client" in command_of(pid)], signal.SIGKILL)

    def kill_head(self) -> None:
        """Kill the head; all nodes join the next one."""
        assert self.machines.head is not None
        self.machines.head.close()
        for node in self.machines.nodes.values():
            node.close()
        self.machines.start_head()
        for name in sorted(self.machines.nodes):
            self.join(name)

    def cut_off(self) -> None:
        """Cut the node in the other network off, for longer than the arena waits or not."""
        self.network.cut_off()
        time.sleep(self.draw.uniform(0.5, 2 * SILENT_S))
        self.network.connect()

    def kill_arena(self) -> None:
        """Kill the arena, and start it again."""
        workers = [pid for node in self.machines.nodes.values() for pid in node.workers()]
        programs = [pid for worker in workers for pid in descendants(worker)]
        self.arena.kill()
        self.arena.channel.close()
        wait_until_gone([*workers, *programs])
        self.serve()

    def fail(self) -> None:
        """Have something fail at a moment that nobody has chosen, and return when all is well again."""
        if self.cup().state == FINISHED:
            self.begin_tournament()
        wait_until(lambda: any(node.playing for node in self.arena.cluster.ListNodes().nodes))
        time.sleep(self.draw.uniform(0, 1))
        name = self.draw.choice(sorted(self.failures))
        began = time.monotonic()
        self.failures[name]()
        self.done[name] += 1
        self.recover()
        sys.stdout.write(
            f"{self.done.total():4} of {FAILURES}: {name}, all back after {time.monotonic() - began:.1f} s; "
            f"{self.ended_matches()} matches have ended\n"
        )
        sys.stdout.flush()

    # What is played

    def begin(self) -> None:
        """Begin a tournament and a ladder."""
        self.begin_tournament()
        self.arena.ladder("main", *BOTS, seat_counts=[2], options=OPTIONS, matches=0)

    def begin_tournament(self) -> None:
        """Begin another tournament."""
        name = f"cup-{len(self.plans) + 1}"
        self.arena.tournaments.CreateTournament(
            tournament_id=name,
            format=tournament_pb2.Tournament.FORMAT_ROUND_ROBIN,
            game="caravan",
            bots=[f"bots/{bot}" for bot in BOTS],
            seats=2,
            rounds=ROUNDS,
            options=OPTIONS,
            time_control=SLOW,
        )
        self.arena.tournaments.RunTournament(name=f"tournaments/{name}")
        self.plans[f"tournaments/{name}"] = self.plan(f"tournaments/{name}")

    def cup(self) -> Any:
        """Return the tournament that is played, as the arena shows it."""
        return self.arena.tournaments.GetTournament(name=list(self.plans)[-1]).tournament

    def plan(self, name: str) -> list[tuple[Any, ...]]:
        """Return the plan of a tournament, pairing by pairing."""
        request = tournament_pb2.ListPairingsRequest(name=name)
        listing = fetch_all(self.arena.tournaments.ListPairings, request, metadata=self.arena.organiser)
        return [(each.number, each.round, tuple(each.bots), each.group) for each in listing.pairings]

    def ended_matches(self) -> int:
        """Return how many matches count so far."""
        cups = [self.arena.tournaments.GetTournament(name=name).tournament for name in self.plans]
        ended: int = sum(cup.ended_matches for cup in cups) + self.ladder().finished_matches
        return ended

    def ladder(self) -> Any:
        """Return the ladder as the arena shows it."""
        return self.arena.ladders.GetLadder(name=LADDER).ladder

    def play_to_the_end(self) -> None:
        """Return when the tournament is over, and the ladder after one more group."""
        self.arena.ladders.RunLadder(name=LADDER, matches=2)

        def over() -> bool:
            self.replay_what_is_left()
            request = match_pb2.ListMatchesRequest(state=match_pb2.MATCH_STATE_PENDING)
            waiting = self.arena.matches.ListMatches(request).matches
            ladder = self.ladder()
            open_matches = len(waiting) + ladder.remaining_matches + ladder.running_matches
            return self.cup().state == FINISHED and not open_matches

        wait_until(over, within_s=900.0)


def test_random_failures_change_no_result_and_leave_nothing_behind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (
        capsys.disabled(),
        OtherNetwork() as network,
        Machines(tmp_path, network.here(1)) as machines,
    ):
        for bot in BOTS:
            plant(machines.data, bot, f"# {bot}\n{PROGRAM}")
        machines.start_head()
        campaign = Campaign(machines, network, random.Random(SEED))
        for name in ("lab1", "lab2", "lab3"):
            campaign.join(name)
        campaign.serve()
        try:
            campaign.recover()
            campaign.begin()
            for _ in range(FAILURES):
                campaign.fail()
            campaign.play_to_the_end()
            assert {name: campaign.plan(name) for name in campaign.plans} == campaign.plans
            check_results(campaign)
            below = [
                pid
                for node in machines.nodes.values()
                for worker in node.workers()
                for pid in (worker, *descendants(worker))
            ]
            assert machines.arena.terminate() == 0
        finally:
            machines.arena.close()
        wait_until_gone(below)
        assert not [node.workers() for node in machines.nodes.values() if node.workers()]
        for name in machines.nodes:
            assert cgroups_of(tmp_path / name) == []
            assert folders_in(tmp_path / name) == 0
        Audit(machines.data).check({})


def check_results(campaign: Campaign) -> None:
    """Check that each place of the plan has one match that counts, and that no bot has paid for a failure."""
    arena = campaign.arena
    listing = fetch_all(arena.matches.ListMatches, match_pb2.ListMatchesRequest(), metadata=arena.organiser)
    finished = [each for each in listing.matches if each.state == match_pb2.MATCH_STATE_FINISHED]
    places = Counter((each.group, each.group_index) for each in finished)
    assert set(places.values()) == {1}
    normal = ending_pb2.TERMINATION_NORMAL
    assert {(seat.ending.termination, seat.strikes) for each in finished for seat in each.seats} == {
        (normal, 0)
    }
    aborted = [each for each in listing.matches if each.state == match_pb2.MATCH_STATE_ABORTED]
    faults = Counter(
        fact.value for each in aborted for fact in each.seats[0].ending.evidence if fact.fact == "fault"
    )
    sys.stdout.write(f"{len(finished)} matches; void by {dict(faults)}; failures: {dict(campaign.done)}\n")
    assert set(faults) <= {"worker", "killed"}
