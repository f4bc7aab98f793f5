"""docs/training.md: its commands, as pasted into a shell, from a training to a ladder; and what a training promises."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena.research.caravan.training.training_run import Plan, TrainingRun
from tests.checkout import ROOT
from tests.system.hosting.needs import needs_sandbox
from tests.system.page_shell import WITHIN_S, Shell, block, blocks_of

PAGE = blocks_of("docs/training.md")
SHORT = {"TRAINING_ROUNDS": "1", "MATCHES": "2", "GREEDY_MATCHES": "2", "LADDER_MATCHES": "2"}
"""The settings of the page, for a trial of a few seconds."""
SHORTER = {"TRAINING_MATCHES": "2"}
"""Fewer matches in a round, which the page names as well."""
PROGRAM = "python -m arena.research.caravan.training"
LEARNED = 'arena compare "python my-learned-bot/bot.py"'
TRAINING = (f"{PROGRAM} train", f"{PROGRAM} export", f"{LEARNED} random", f"{LEARNED} greedy")
LADDER = ("arena ladder create", "arena ladder standings", "kill")
TESTED = (*TRAINING, "arena serve", "arena bot create", *LADDER)


def test_the_page_has_no_other_commands_than_these_tests_run() -> None:
    assert len(PAGE) == 2 + len(TESTED)
    assert all(block(PAGE, beginning) in PAGE for beginning in TESTED)
    assert PAGE[0] == "pip install '.[server,research]'\n"
    assert set(re.findall(r"export (\w+)=", PAGE[1])) == set(SHORT)


@needs_sandbox
def test_the_commands_of_the_page_lead_from_a_training_to_a_ladder(tmp_path: Path) -> None:
    shell = Shell(tmp_path, **SHORT, **SHORTER)
    assert "round 1: 2 matches" in shell.run(block(PAGE, TRAINING[0]))
    # A bot that has learned plays shorter matches, so the tests take half the time.
    shutil.copy(ROOT / "arena/research/caravan/training/weights.json", tmp_path / "learned")
    shell.run(block(PAGE, TRAINING[1]))
    for comparison in TRAINING[2:]:
        shown = shell.run(block(PAGE, comparison), codes=(0, 5, 6))
        assert "2 matches, 1 group" in shown
        assert re.search(r"new +bot +2 +[\d.]+ % +none", shown), shown
    serving = shell.start(
        block(PAGE, "arena serve").replace("arena serve", "exec arena serve --port 0 --ready-file r")
    )
    try:
        wait_for(serving, tmp_path / "r")
        assert "was admitted" in shell.run(block(PAGE, "arena bot create"))
        shell.run("".join(block(PAGE, part) for part in LADDER) + "wait\n")
        matches = json.loads(shell.run("arena match list --format json"))["matches"]
        assert len(matches) == 2
        assert {match["state"] for match in matches} == {"MATCH_STATE_FINISHED"}
        seats = [seat for match in matches for seat in match["seats"]]
        assert {"bots/learned"} < {seat["bot"] for seat in seats}
        assert {seat["ending"]["termination"] for seat in seats} == {"TERMINATION_NORMAL"}
    finally:
        serving.send_signal(signal.SIGTERM)
        serving.communicate(timeout=WITHIN_S)


def wait_for(process: subprocess.Popen[str], file: Path) -> None:
    """Look again and again, as long as the process runs."""
    while not file.exists():
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.1)


def train(folder: Path, rounds: int, workers: int) -> list[Any]:
    """Train in rounds of one match; return the weights."""
    run = TrainingRun(folder, Plan(matches=1))
    assert len(list(run.run(rounds, workers))) > 0
    return run.learner.weights


def test_a_training_that_was_interrupted_comes_to_the_same_weights(tmp_path: Path) -> None:
    whole = train(tmp_path / "whole", rounds=2, workers=2)
    train(tmp_path / "parts", rounds=1, workers=1)
    parts = train(tmp_path / "parts", rounds=2, workers=1)
    assert all(np.array_equal(one, other) for one, other in zip(whole, parts, strict=True))
    files = [json.loads((tmp_path / name / "weights.json").read_text()) for name in ("whole", "parts")]
    for file in files:
        assert file["progress"].pop("processor_seconds") > 0
    assert files[0] == files[1]


@pytest.mark.parametrize("times", [1, 3])
def test_ctrl_c_ends_a_training_with_a_sentence_and_leaves_its_checkpoint(tmp_path: Path, times: int) -> None:
    command = [sys.executable, "-m", "arena.research.caravan.training", "train", "learned", "--matches", "1"]
    process = subprocess.Popen(
        command,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline().startswith("round 1: 1 matches")
    for _ in range(times):
        os.killpg(process.pid, signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.1)
    _, told = process.communicate(timeout=WITHIN_S)
    assert process.returncode == 1
    assert "the same command continues" in told
    assert "Traceback" not in told
    assert TrainingRun(tmp_path / "learned", Plan(matches=1)).progress.rounds >= 1
