"""A tournament of deterministic bots on this machine alone, and on two nodes: everything but the times is the same."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from arena.cli.framework.connection import fetch_all
from arena.core.match import MatchState
from arena.match_log.reader import MatchLog, read_log
from arena.v1 import cluster_pb2, match_pb2, tournament_pb2
from tests.system.cluster.machines import Machines, on_demand, wait_until
from tests.system.hosting.needs import needs_sandbox
from tests.system.play.arena_process import SLOW, ArenaProcess
from tests.unit.hosting.sample_submissions import RANDOM_BOT, plant

pytestmark = [needs_sandbox, on_demand]

CUP: Final = "tournaments/cup"
BOTS: Final = tuple(f"bot{number:02}" for number in range(16))
ROUNDS: Final = 4
DETERMINISTIC: Final = RANDOM_BOT.replace("import random\n", "").replace(
    "return random.randrange(len(legal_actions))",
    "return SALT * (7 + observation.ByteSize()) % len(legal_actions)",
)


def plan_it(arena: ArenaProcess) -> None:
    """Create a tournament of all bots, whose rounds depend on the results of those before."""
    arena.tournaments.CreateTournament(
        tournament_id="cup",
        format=tournament_pb2.Tournament.FORMAT_SWISS,
        game="caravan",
        bots=[f"bots/{bot}" for bot in BOTS],
        seats=2,
        rounds=ROUNDS,
        options={"turn_limit": "6"},
        time_control=SLOW,
    )


def played(arena: ArenaProcess) -> dict[str, Any]:
    """Play the tournament; return its plan, its standings, and its matches without their times."""
    arena.tournaments.RunTournament(name=CUP)
    finished = tournament_pb2.Tournament.STATE_FINISHED
    wait_until(lambda: arena.tournaments.GetTournament(name=CUP).tournament.state == finished, within_s=300.0)
    pairings = fetch_all(
        arena.tournaments.ListPairings,
        tournament_pb2.ListPairingsRequest(name=CUP),
        metadata=arena.organiser,
    ).pairings
    crosstable = arena.tournaments.GetCrosstable(name=CUP)
    matches = fetch_all(
        arena.matches.ListMatches, match_pb2.ListMatchesRequest(tournament=CUP), metadata=arena.organiser
    ).matches
    return {
        "plan": [(each.number, each.round, tuple(each.bots), each.group) for each in pairings],
        "standings": crosstable.standings,
        "ratings": [(line.bot, line.rating_milli) for line in crosstable.standings],
        "logs": {
            (each.group, each.group_index): without_times(read_log(arena.log_bytes(each.name)))
            for each in matches
            if each.state == match_pb2.MATCH_STATE_FINISHED
        },
    }


def without_times(log: MatchLog) -> dict[str, Any]:
    """Return all that a log says but for the number of the match, the chain, and the times."""
    setup, result = asdict(log.setup), asdict(log.result)
    del setup["match"], result["duration_ns"]
    for seat in result["seats"]:
        del seat["used_ns"], seat["longest_ns"]
    plies = [
        {name: getattr(ply, name) for name in ("seat", "decision", "action", "cause", "events", "digest")}
        for ply in log.plies
    ]
    assert log.result.state is MatchState.FINISHED
    assert not any(seat["strikes"] for seat in result["seats"])
    return {"setup": setup, "result": result, "set_up": log.set_up, "plies": plies}


@contextmanager
def planned(data: Path) -> Iterator[None]:
    """Make the bots and plan the tournament; the arena has ended inside."""
    for salt, bot in enumerate(BOTS, start=7):
        plant(data, bot, f"SALT = {salt}\n{DETERMINISTIC}")
    with ArenaProcess(data) as arena:
        plan_it(arena)
        assert arena.terminate() == 0
    yield


def test_two_nodes_give_the_same_plan_ratings_and_logs_as_this_machine_alone(
    machines: Machines, tmp_path: Path
) -> None:
    with planned(machines.data):
        shutil.copytree(machines.data, tmp_path / "alone")
    with ArenaProcess(tmp_path / "alone", "--hosted-programs", "12") as arena:
        alone = played(arena)
    for name in ("lab1", "lab2"):
        machines.join(name, "--matches", "1")
    with ArenaProcess(machines.data, "--cluster", machines.head_address) as arena:
        machines.arena = arena
        for name in ("lab1", "lab2"):
            machines.wait_for_state(name, cluster_pb2.NODE_STATE_READY)
        nodes = played(arena)
        assert min(
            machines.wait_for_state(name, cluster_pb2.NODE_STATE_READY).finished for name in ("lab1", "lab2")
        )
    assert len(alone["logs"]) == ROUNDS * len(BOTS)
    assert nodes == alone
    assert len({tuple(ply["action"] for ply in log["plies"]) for log in alone["logs"].values()}) > ROUNDS
