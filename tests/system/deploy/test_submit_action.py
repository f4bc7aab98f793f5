"""The action for CI services (.github/actions/submit) against a real arena: outputs, summary and exit codes."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena.cli.framework.processes import without_arena
from arena.v1 import bot_pb2, time_control_pb2, token_pb2
from tests.checkout import ROOT
from tests.system.hosting.needs import needs_sandbox
from tests.system.play.arena_process import ArenaProcess
from tests.unit.hosting.sample_submissions import MANIFEST, RANDOM_BOT, plant

SUBMIT = ROOT / ".github" / "actions" / "submit" / "submit.py"
ONE_SCENARIO = (
    "import arena.hosting.admission.trials as trials; "
    "trials.SCENARIOS = [each for each in trials.SCENARIOS if each.name == 'hello']"
)
"""For an arena whose admissions are to be short."""
REJECTED = "print('::stop-commands::x <b>')\nraise SystemExit(3)\n"


@dataclass(frozen=True)
class Job:
    """What a run of the action has left."""

    code: int
    log: str
    summary: str
    outputs: dict[str, str]


def run(folder: Path, **environment: str) -> Job:
    """Run the script as action.yml does, with these variables."""
    summary, outputs = folder / "summary.md", folder / "outputs"
    outputs.write_text("")
    summary.write_text("")
    done = subprocess.run(
        [sys.executable, SUBMIT],
        cwd=folder,
        env={
            **without_arena(os.environ),
            "GITHUB_STEP_SUMMARY": str(summary),
            "GITHUB_OUTPUT": str(outputs),
            **environment,
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    pairs = dict(line.split("=", 1) for line in outputs.read_text().splitlines())
    return Job(done.returncode, done.stdout, summary.read_text(), pairs)


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ArenaProcess]:
    """Yield an arena that hosts `mine` and `rival`, and has registered `new`."""
    data = tmp_path_factory.mktemp("arena") / "data"
    data.mkdir(mode=0o700)
    plant(data, "mine", f"# first\n{RANDOM_BOT}", owner="ada")
    plant(data, "rival", f"# rival\n{RANDOM_BOT}", owner="ada")
    with ArenaProcess(data, before=ONE_SCENARIO) as running:
        running.bots.CreateBot(bot_id="new", owner="owners/ada")
        yield running


@pytest.fixture
def settings(arena: ArenaProcess, tmp_path: Path) -> dict[str, str]:
    """Return the settings of an owner whose folder has a bot that plays."""
    (tmp_path / "bot.toml").write_text(MANIFEST)
    (tmp_path / "bot.py").write_text(RANDOM_BOT)
    token = arena.tokens.CreateToken(role=token_pb2.ROLE_OWNER, owner="owners/ada").secret
    return {"ARENA_ADDRESS": arena.tcp, "ARENA_TOKEN": token, "SUBMIT_BOT": "new", "SUBMIT_PATH": "."}


@needs_sandbox
def test_a_bot_that_is_admitted_sets_the_outputs_and_its_trials_are_in_the_summary(
    arena: ArenaProcess, settings: dict[str, str], tmp_path: Path
) -> None:
    # A first version has nothing to be compared with, so its gate is none.
    job = run(tmp_path, **settings, SUBMIT_AGAINST="rival", SUBMIT_GAME="caravan", SUBMIT_MATCHES="4")
    assert job.code == 0, job.log
    version = arena.bots.GetBot(name="bots/new").bot.hosting.version.rpartition("/")[2]
    assert job.outputs == {
        "submission": job.outputs["submission"],
        "version": version,
        "admitted": "true",
        "plays": "true",
        "gate": "",
        "verdict": "none",
    }
    assert job.outputs["submission"].isdecimal()
    assert "| hello | passed |" in job.summary
    assert settings["ARENA_TOKEN"] not in job.log + job.summary


@needs_sandbox
def test_a_rejected_bot_fails_the_job_with_the_reason_and_what_it_printed_is_no_markup(
    settings: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "bot.py").write_text(REJECTED)
    job = run(tmp_path, **settings)
    assert job.code == 1, job.log
    assert (job.outputs["admitted"], job.outputs["plays"]) == ("false", "false")
    assert "gate" not in job.outputs
    (error,) = [line for line in job.log.splitlines() if line.startswith("::")]
    assert error.startswith("::error ")
    assert "BOT_START_FAILED" in error
    assert "BOT_START_FAILED" in job.summary.replace("&#95;", "_")
    assert "&lt;b&gt;" in job.summary
    assert "<b>" not in job.summary


@needs_sandbox
def test_the_gate_keeps_the_old_version_until_the_new_one_is_better(
    arena: ArenaProcess, settings: dict[str, str], tmp_path: Path
) -> None:
    before = arena.bots.GetBot(name="bots/mine").bot.hosting.version
    clock = time_control_pb2.TimeControl(
        per_decision_ms=60_000, strikes=2, absence_ms=30_000, hold_ms=5_000, seat_limit_ms=1_800_000
    )
    arena.ladders.CreateLadder(ladder_id="main", game="caravan", seat_counts=[2], time_control=clock)
    gate = {"SUBMIT_AGAINST": "rival", "SUBMIT_LADDER": "main", "SUBMIT_MATCHES": "4", "SUBMIT_APPLY": "true"}
    job = run(tmp_path, **{**settings, "SUBMIT_BOT": "mine"}, **gate, SUBMIT_REQUIRE_BETTER="true")
    hosting = arena.bots.GetBot(name="bots/mine").bot.hosting
    hosting = arena.bots.GetBot(name="bots/mine").bot.hosting
    assert (hosting.mode, hosting.version) == (bot_pb2.Hosting.MODE_PINNED, before)
    # Four matches decide nothing between two bots that play at random.
    assert (job.code, job.outputs.get("verdict")) == (6, "undecided"), job.log
    assert (job.outputs["admitted"], job.outputs["plays"]) == ("true", "false")
    assert arena.tournaments.GetTournament(name=f"tournaments/{job.outputs['gate']}").tournament.HasField(
        "gate"
    )
    assert "score of the candidate" in job.summary


def test_an_arena_that_does_not_answer_fails_the_job(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text(MANIFEST)
    (tmp_path / "bot.py").write_text(RANDOM_BOT)
    job = run(
        tmp_path,
        ARENA_ADDRESS=f"unix://{tmp_path / 'none.sock'}",
        ARENA_TOKEN="arn_a_b_c",
        SUBMIT_BOT="mine",
        SUBMIT_PATH=".",
    )
    assert (job.code, job.outputs) == (4, {}), job.log
    assert job.log.count("::error ") == 1


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"ARENA_TOKEN": ""}, "token"),
        ({"ARENA_ADDRESS": " "}, "server"),
        ({"SUBMIT_BOT": ""}, "bot"),
        ({"SUBMIT_APPLY": "yes"}, "apply"),
        ({"SUBMIT_REQUIRE_BETTER": "true"}, "against"),
    ],
)
def test_a_missing_or_wrong_input_is_named_before_anything_is_sent(
    tmp_path: Path, changed: dict[str, str], named: str
) -> None:
    given = {
        "ARENA_ADDRESS": "127.0.0.1:9",
        "ARENA_TOKEN": "arn_a_b_c",
        "SUBMIT_BOT": "b",
        "SUBMIT_PATH": ".",
    }
    job = run(tmp_path, **{**given, **changed})
    assert (job.code, job.outputs) == (2, {})
    assert f"nput {named} " in job.log
