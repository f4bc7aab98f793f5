"""A gate in a real arena and a real sandbox: decided across a kill, pinned, and proved (docs/bots/gates.md)."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.match_log.files import LogFiles
from arena.match_log.reader import read_log
from arena.v1 import bot_pb2
from tests.system.hosting.needs import needs_sandbox
from tests.system.play.arena_process import SLOW, ArenaProcess
from tests.unit.hosting.sample_submissions import RANDOM_BOT, plant

pytestmark = needs_sandbox

GREEDY = Path("sample_bots/python/caravan/greedy.py").read_text()


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[ArenaProcess]:
    """Yield an arena whose gate, of a greedy version of a bot that plays at random, was killed and goes on."""
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    greedy = plant(data, "mine", GREEDY)
    for bot in ("mine", "ant", "bee"):
        plant(data, bot, f"# {bot}\n{RANDOM_BOT}")
    with ArenaProcess(data) as process:
        process.ladders.CreateLadder(ladder_id="main", game="caravan", seat_counts=[2], time_control=SLOW)
        for bot in ("ant", "bee", "mine"):
            process.ladders.JoinLadder(name="ladders/main", bot=f"bots/{bot}")
        asked = ("gate", "mine", "--candidate", greedy[:12], "--against", "field:2", "--ladder", "main")
        code, told = run(process, *asked, "--sprt", "0,400", "--alpha", "0.1", "--beta", "0.1", "--apply")
        assert code == 0, told
        process.wait_for("match over", 3)
        process.kill()
    with ArenaProcess(data) as process:
        yield process


def run(arena: ArenaProcess, *words: str) -> tuple[int, Any]:
    """Run a command with JSON output; return its exit code and what it has printed."""
    command = [sys.executable, "-m", "arena.cli.app", *words, "--data", str(arena.data), "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, json.loads(done.stdout) if done.stdout else done.stderr


def test_a_gate_that_was_killed_finds_the_better_version_pins_it_and_can_be_proved(
    arena: ArenaProcess,
) -> None:
    arena.wait_for_line("tournament over", within_s=300)
    code, told = run(arena, "tournament", "show", "gate-1")
    assert (code, told["state"]) == (0, "STATE_FINISHED"), told
    gate = told["gate"]
    assert gate["verdict"] == "VERDICT_BETTER"
    assert gate["llr_milli"][-1] >= gate["upper_milli"] == 2197
    assert gate["set_ups"] == len(gate["llr_milli"])
    assert gate["applied"] is True
    assert told["bots"] == ["bots/gate-1-candidate", "bots/gate-1-incumbent", "bots/ant", "bots/bee"]

    # The winner plays, the bots of the gate do not, and no list has them.
    now = arena.bots.GetBot(name="bots/mine").bot
    assert (now.hosting.version, now.hosting.mode) == (gate["candidate"], bot_pb2.Hosting.MODE_PINNED)
    assert {each.name for each in arena.bots.ListBots(show_hidden=True).bots} == {
        "bots/mine",
        "bots/ant",
        "bots/bee",
    }
    candidate = arena.bots.GetBot(name="bots/gate-1-candidate").bot
    assert candidate.hosting.mode == bot_pb2.Hosting.MODE_OFF
    assert candidate.hidden

    # Each match of a set-up has the same seed, and was played by the version that it is about.
    pairings = arena.tournaments.ListPairings(name="tournaments/gate-1").pairings
    logs = LogFiles(arena.data / "logs")
    first = [read_log(logs.read(int(name.rpartition("/")[2]))).setup for name in pairings[0].matches]
    assert len(first) == 4
    assert len({each.seed for each in first}) == 1
    versions = {holder.bot: holder.version for each in first for holder in each.seats}
    assert f"bots/mine/versions/{versions['gate-1-candidate']}" == gate["candidate"]
    assert f"bots/mine/versions/{versions['gate-1-incumbent']}" == gate["incumbent"] != gate["candidate"]
    assert not any(each.rated for each in first)

    code, proof = run(arena, "log", "verify", "--tournament", "gate-1")
    assert code == 0, proof
    assert {each["status"] for each in proof["tournament"]["checks"]} == {"ok"}
