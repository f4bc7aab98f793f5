"""`arena compare` with real programs: verdicts, faults, and a comparison that is killed and resumed."""

import json
import os
import select
from pathlib import Path
from typing import Any

import pytest

from arena.match_log.reader import read_log
from tests.system.cli.test_play import with_mark
from tests.unit.cli.programs import finish, start

WIDE = ("--sprt", "0,800", "--alpha", "0.2", "--beta", "0.2", "--jobs", "2", "--format", "json")
"""Hypotheses that a few matches tell from each other."""

EXITS = "import os, sys\nprint('out of sand', file=sys.stderr, flush=True)\nos._exit(7)"

FIRST_ACTION = """
import os, signal, sys
from pathlib import Path
import arena.sdk

matches = []

class Steady(arena.sdk.Bot):
    games = ("caravan",)
    asked = 0

    def choose(self, observation, legal_actions, clock):
        self.asked += 1
        if self.asked == 1:
            matches.append(self)
        BODY
        return len(legal_actions) // 2

arena.sdk.run(Steady)
"""


def program(path: Path, body: str) -> str:
    """Write a bot that plays the action in the middle, and runs `body` before; return its name."""
    indented = body.replace("\n", "\n        ")
    path.write_text(FIRST_ACTION.replace("BODY", indented))
    return path.name


def compare(*args: str, mark: str = "none") -> tuple[int, Any, str]:
    """Compare; return exit code, the JSON document if there is one, and standard error."""
    code, out, err = finish(start("compare", *args, COMPARED=mark), within=300)
    assert "arena/cli" not in err, err
    return code, json.loads(out) if out else None, err


def lines(state: Path) -> list[Any]:
    """Return the matches in a state file."""
    return [json.loads(line) for line in state.read_text().splitlines()[1:]]


def wait_for_its_end(process: int) -> None:
    """Wait until a process has ended, for a minute at most."""
    try:
        end = os.pidfd_open(process)
    except ProcessLookupError:
        return
    assert select.select([end], [], [], 60)[0], f"process {process} is left"
    os.close(end)


def test_a_clearly_better_bot_is_accepted_and_no_process_is_left() -> None:
    code, found, err = compare("greedy", "random", *WIDE, "--state", "a.jsonl", mark="better")
    assert (code, found["verdict"]) == (0, "better"), err
    new, old = found["bots"]
    assert new["score"] > 0.9
    assert new["score"] + old["score"] == pytest.approx(1)
    assert (new["forfeits"], new["strikes"]) == ({}, 0)
    assert found["matches"] == len(lines(Path("a.jsonl"))) <= 20
    assert with_mark("COMPARED=better") == []


def test_a_bot_that_crashes_loses_and_its_logs_and_output_are_kept() -> None:
    name = program(Path("fragile.py"), f"if self.asked == 3:\n    {EXITS.replace(chr(10), chr(10) + '    ')}")
    code, found, err = compare(name, "random", "--against", "random", *WIDE, "--state", "c.jsonl")
    assert (code, found["verdict"]) == (5, "not_better"), err
    new, old, opponent = found["bots"]
    assert new["forfeits"] == {"EXITED": new["seats_played"]}
    assert (old["forfeits"], opponent["forfeits"]) == ({}, {})
    log = Path(new["logs"][0])
    assert log.parent == Path("c.faults")
    holders = [holder.bot for holder in read_log(log.read_bytes()).setup.seats]
    assert sorted(holders) == ["fragile", "random-2"]
    code, explained, _ = finish(start("log", "explain", str(log), "--format", "json"), within=60)
    assert code == 0
    (seat,) = (each for each in json.loads(explained)["seats"] if each["bot"] == "bots/fragile")
    assert "out of sand" in [line["text"] for line in seat["debug_lines"]["last"]]
    assert len(list(log.parent.glob("*.arenalog"))) == len(new["logs"])


def test_killed_at_any_moment_it_goes_on_with_all_matches_that_had_ended() -> None:
    kills = "if len(matches) == 4 and not Path('killed').exists():\n"
    kills += "    Path('killed').touch()\n    os.kill(os.getppid(), signal.SIGKILL)"
    bots = program(Path("new.py"), kills), program(Path("old.py"), "pass")
    rest = (
        "--option",
        "turn_limit=5",
        "--matches",
        "12",
        "--jobs",
        "1",
        "--format",
        "json",
        "--state",
        "k.jsonl",
    )
    code, _, _ = compare(*bots, *rest, mark="killed")
    assert code == -9
    before = lines(Path("k.jsonl"))
    assert [(match["group"], match["place"]) for match in before] == [(0, 0), (0, 1), (1, 0)]

    code, found, err = compare(*bots, *rest, "--resume")

    # The two play alike, so that either wins what the other one wins with the seats changed.
    assert (code, found["verdict"], found["elo"]["difference"]) == (6, "undecided", 0.0), err
    after = lines(Path("k.jsonl"))
    assert after[:3] == before
    assert {(match["group"], match["place"]) for match in after} == {
        (g, p) for g in range(6) for p in range(2)
    }
    assert len(after) == 12
    for left in with_mark("COMPARED=killed"):  # they try for some seconds to come back to their match
        wait_for_its_end(left)
    Path("new.py").write_text(Path("new.py").read_text() + "# changed\n")
    code, found, err = compare(*bots, *rest, "--resume")
    assert (code, found) == (1, None)
    assert "new.py" in err


def test_a_program_that_leaves_after_its_match_is_no_fault() -> None:
    """It takes no further match; one that only exits then may have accepted one, which it forfeits."""
    name = program(Path("once.py"), "if self.asked == 1:\n    os.kill(os.getpid(), signal.SIGTERM)")
    short = ("--option", "turn_limit=5", "--matches", "4", "--jobs", "2", "--format", "json")
    code, found, err = compare(name, "random", *short)
    assert (code, found["matches"], found["bots"][0]["forfeits"]) == (6, 4, {}), err


def test_a_program_that_does_not_start_ends_the_comparison_with_what_it_printed() -> None:
    Path("broken.py").write_text("raise RuntimeError('no model file')")
    code, found, err = compare("broken.py", "random", *WIDE)
    assert (code, found) == (1, None)
    assert "RuntimeError: no model file" in err
