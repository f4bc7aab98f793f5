"""`arena play`: one match on this machine, with real processes."""

import json
import os
import re
import signal
import sys
from pathlib import Path

import pytest

from arena.cli.play.commands import _log_path
from arena.cli.suites import suite_named
from arena.core.endings.terminations import Termination
from arena.core.match import Continuation, SeedPolicy, SuitePlace
from arena.match_log.reader import MatchLog, read_log
from tests.checkout import ROOT
from tests.unit.cli.conftest import Run
from tests.unit.cli.programs import finish, start

GREEDY = f"{sys.executable} {ROOT / 'sample_bots' / 'python' / 'caravan' / 'greedy.py'}"
SEED = "5e" * 32

HALF_WAY = """
import os, sys
import arena.sdk

class Fragile(arena.sdk.Bot):
    games = ("caravan",)
    asked = 0

    def choose(self, observation, legal_actions, clock):
        self.asked += 1
        if self.asked == 3:
            print("out of sand", file=sys.stderr, flush=True)
            os._exit(7)
        return 0

arena.sdk.run(Fragile)
"""


def the_log(folder: Path) -> MatchLog:
    """Return the one log in the folder."""
    [path] = folder.glob("*.arenalog")
    return read_log(path.read_bytes())


def with_mark(mark: str) -> list[int]:
    """Return the processes that have the mark in their environment."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and mark.encode() in (entry / "environ").read_bytes():
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def test_a_match_is_played_and_its_log_verifies(tmp_path: Path, run: Run) -> None:
    code, out, err = finish(start("play", "caravan", "greedy", "random", "--log", "one.arenalog"))
    assert code == 0, out + err
    assert "greedy (seat 0)" in out
    assert "one.arenalog --key one.pub" in out
    setup = the_log(tmp_path).setup
    assert (setup.seed_policy, setup.rated, setup.ladder) == (SeedPolicy.FIXED, False, None)
    verified = run("log", "verify", "one.arenalog", "--key", "one.pub", "--format", "json")
    assert verified.exit_code == 0, verified.output
    checks = json.loads(verified.stdout)["logs"][0]["checks"]
    assert [check["name"] for check in checks if check["status"] != "ok"] == ["derivation"]


def test_the_same_seed_gives_the_same_match(tmp_path: Path) -> None:
    logs = []
    for name in ("a", "b"):
        folder = tmp_path / name
        folder.mkdir()
        bots = ("greedy",) * 3
        assert finish(start("play", "caravan", *bots, "--seed", SEED, "--log", f"{name}/x.arenalog"))[0] == 0
        logs.append(the_log(folder))
    assert [holder.bot for holder in logs[0].setup.seats] == ["greedy", "greedy-2", "greedy-3"]
    assert logs[0].setup.seed.hex() == SEED
    assert [ply.action for ply in logs[0].plies] == [ply.action for ply in logs[1].plies]


def test_a_match_on_a_suite_is_played_on_from_a_ply_by_other_bots(tmp_path: Path, run: Run) -> None:
    Path("mine.suite").write_text(f"game ahldarahd\nseats 2\nopen {SEED}\n")
    suite = suite_named("mine.suite")
    first = ("play", "ahldarahd", "greedy", "random", "--suite", "mine.suite")
    code, out, err = finish(start(*first, "--log", "first.arenalog"))
    assert code == 0, out + err
    assert all(text in out for text in (suite.sha256, "entry open"))
    before = read_log(Path("first.arenalog").read_bytes())
    assert before.setup.suite == SuitePlace("mine", suite.sha256, "open")
    assert before.setup.seed == bytes.fromhex(SEED)
    second = ("play", "ahldarahd", "random", "random", "--from", "first.arenalog", "--ply", "20")
    code, out, err = finish(start(*second, "--log", "second.arenalog"))
    assert code == 0, out + err
    after = read_log(Path("second.arenalog").read_bytes())
    assert after.setup.continued_from == Continuation(before.name, 20)
    assert [holder.bot for holder in after.setup.seats] == ["random", "random-2"]
    assert [ply.action for ply in after.plies[:20]] == [ply.action for ply in before.plies[:20]]
    verified = run("log", "verify", "second.arenalog", "--key", "second.pub", "--source", "first.arenalog")
    assert verified.exit_code == 0, verified.output
    wrong = run("log", "verify", "second.arenalog", "--key", "second.pub", "--source", "second.arenalog")
    assert wrong.exit_code == 1, wrong.output
    for command in ("show", "explain", "render"):
        assert run("log", command, "second.arenalog").exit_code == 0
    assert "given" in run("log", "show", "second.arenalog", "--plies").output


@pytest.mark.parametrize(
    ("command", "program", "named"),
    [
        (
            "caravan greedy",
            "raise RuntimeError('no model file')",
            ("(exit code 1)", "RuntimeError: no model file"),
        ),
        (
            "caravan greedy",
            HALF_WAY.replace("arena.sdk.run(Fragile)", ""),
            ("(exit code 0)", "arena.sdk.run(MyBot)"),
        ),
        ("caravan greedy", HALF_WAY.replace('"caravan"', '"chess"'), ("game",)),
        ("caravanserai random", HALF_WAY, ("in Python its `games`",)),
    ],
    ids=["does not start", "does not run", "unknown game", "another game"],
)
def test_a_bot_that_cannot_play_is_reported_and_leaves_no_log(
    tmp_path: Path, command: str, program: str, named: tuple[str, ...]
) -> None:
    (tmp_path / "my_bot.py").write_text(program)
    code, _, err = finish(start("play", *command.split(), "my_bot.py"))
    assert code == 1
    assert [text for text in named if text not in err] == []
    assert not list(tmp_path.glob("match-*"))


def test_matches_that_begin_in_the_same_second_have_logs_of_their_own() -> None:
    names = {_log_path(None).name for _ in range(3)}
    assert len(names) == 3
    assert all(re.fullmatch(r"match-\d{8}-\d{6}-[0-9a-f]{6}\.arenalog", name) for name in names)


def test_a_program_that_ends_in_the_match_forfeits_at_once_and_its_last_output_is_shown(
    tmp_path: Path,
) -> None:
    (tmp_path / "fragile.py").write_text(HALF_WAY)
    code, out, err = finish(start("play", "caravan", "greedy", f"{sys.executable} fragile.py"), within=120)
    assert code == 1, err
    assert "code 7 at decision 3" in out
    assert "out of sand" in out
    result = the_log(tmp_path).result
    assert [seat.ending.termination for seat in result.seats] == [Termination.NORMAL, Termination.EXITED]
    assert [seat.placing for seat in result.seats] == [1, 2]


def test_the_bot_of_the_guide_that_looks_at_the_board_beats_random(tmp_path: Path) -> None:
    guide = (ROOT / "docs" / "bots" / "python.md").read_text()
    programs = re.findall(r"```python\n# my_bot\.py\n(.*?)```", guide, re.DOTALL)
    (tmp_path / "my_bot.py").write_text(programs[-1])
    code, _, err = finish(start("play", "caravan", "random", "my_bot.py", "--seed", "7a" * 32), within=120)
    assert code == 0, err
    random_bot, my_bot = the_log(tmp_path).result.seats
    assert (my_bot.placing, my_bot.strikes) == (1, 0)
    assert my_bot.score > random_bot.score + 30


def test_ctrl_c_leaves_no_process_behind(tmp_path: Path) -> None:
    (tmp_path / "silent.py").write_text("import time\nprint('up', flush=True)\ntime.sleep(600)\n")
    mark = f"PLAY_TEST={os.getpid()}-ctrl-c"
    name, _, value = mark.partition("=")
    process = start("play", "caravan", GREEDY, "silent.py", **{name: value})
    assert process.stdout is not None
    while "Seed" not in process.stdout.readline():
        pass
    while len(with_mark(mark)) < 3 and process.poll() is None:
        pass
    process.send_signal(signal.SIGINT)
    code, out, err = finish(process, within=120)
    assert code == 128 + signal.SIGINT, out + err
    assert "No process is left" in out
    assert with_mark(mark) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["silent.py"]


def test_an_existing_log_is_not_overwritten(tmp_path: Path, run: Run) -> None:
    (tmp_path / "old.pub").write_text("precious")
    refused = run("play", "caravan", "greedy", "random", "--log", "old.arenalog")
    assert refused.exit_code == 1
    assert "old.pub" in refused.output


def test_a_watched_match_is_shown_turn_by_turn(tmp_path: Path) -> None:
    code, out, err = finish(start("play", "caravan", "greedy", "greedy", "--watch", "--seed", SEED))
    assert code == 0, err
    assert "Turn 1 · greedy · 1 point\n" in out
    played = max(
        int(line.split()[1]) for line in out.splitlines() if line.startswith("Turn ") and "·" in line
    )
    assert f"Turn {played}: " in out
