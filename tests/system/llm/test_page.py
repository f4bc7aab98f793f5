"""docs/llm.md: its commands, as pasted into a shell, with an endpoint of ours in the place of the reader's own."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.checkout import ROOT, text
from tests.unit.sdk.llm.fake_endpoint import FakeEndpoint, an_endpoint, answers

BLOCKS = [
    code
    for language, code in re.findall(r"^```(\w*)\n(.*?)^```$", text("docs/llm.md"), re.MULTILINE | re.DOTALL)
    if not language
]
WITHIN_S = 300


class Shell:
    """A shell in a folder of its own, with `arena` and `python` on its path."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder = folder
        (folder / "sample_bots").symlink_to(ROOT / "sample_bots")
        kept = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
        path = os.pathsep.join([str(Path(sys.executable).parent), kept.get("PATH", os.defpath)])
        self.environment = kept | {"PATH": path, "PYTHONPATH": str(ROOT)}
        self.environment |= {"LLM_URL": url, "LLM_MODEL": "qwen3:8b", "LLM_KEY": "sk-page"}

    def start(self, script: str) -> subprocess.Popen[str]:
        """Start a script in a process group of its own; the shell makes way for a single command."""
        return subprocess.Popen(
            ["bash", "-ec", script],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def run(self, script: str, codes: tuple[int, ...] = (0,)) -> str:
        """Run a script to its end; return what it has printed."""
        process = self.start(script)
        out, _ = process.communicate(timeout=WITHIN_S)
        assert process.returncode in codes, out
        return out


def block(beginning: str) -> str:
    """Return the block that begins so."""
    found: list[str] = [code for code in BLOCKS if code.startswith(beginning)]
    assert len(found) == 1
    return found[0]


@pytest.fixture(scope="module")
def fake() -> Iterator[FakeEndpoint]:
    """Run an endpoint whose model passes, so that matches are short."""
    with an_endpoint(answers(1)) as endpoint:
        yield endpoint


@pytest.fixture(scope="module")
def shell(fake: FakeEndpoint, tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """Return a shell in which the folder of the page has been made and tried."""
    shell = Shell(tmp_path_factory.mktemp("page"), fake.url)
    assert "=== answer ===" in shell.run(block("arena llm new"))
    return shell


def test_the_page_has_no_other_commands_than_these_tests_run() -> None:
    tested = [
        "export LLM_URL",
        "arena llm new",
        "arena play",
        "arena ladder create",
        "arena bot run",
        "cp -r",
    ]
    tested.append("arena compare my-llm-bot my-llm-bot")
    assert all(any(code.startswith(each) for each in tested) for code in BLOCKS)
    assert len(BLOCKS) == len(tested)
    names = re.findall(r"export (\w+)=", block("export LLM_URL"))
    assert names == ["LLM_URL", "LLM_MODEL", "LLM_KEY"]


def test_the_match_of_the_page_is_played_and_its_debug_lines_are_listed(shell: Shell) -> None:
    shown = shell.run(block("arena play"))
    assert "thoughts: it is the best" in shown
    assert " 0 by the fallback" in shown
    assert "fallback sensible" not in shown
    assert "sk-page" not in shown


def test_the_bots_of_the_page_play_on_a_ladder(shell: Shell) -> None:
    serving = shell.start("exec arena serve --port 0 --ready-file ready.json")
    running = [serving]
    try:
        wait_until(serving, (shell.folder / "ready.json").exists)
        shell.run(block("arena ladder create"))
        running += [shell.start(f"exec {line}") for line in block("arena bot run").splitlines()]
        wait_until(serving, lambda: len(finished(shell)) == 2)
        for match in finished(shell):
            (seat,) = [seat for seat in match["seats"] if seat["bot"] == "bots/my-llm-bot"]
            assert (seat["ending"]["termination"], seat["strikes"]) == ("TERMINATION_NORMAL", 0)
    finally:
        for process in reversed(running):
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=WITHIN_S)


def finished(shell: Shell) -> list[Any]:
    """Return the matches that have ended."""
    listed: list[Any] = json.loads(shell.run("arena match list --format json"))["matches"]
    return [match for match in listed if match["state"] == "MATCH_STATE_FINISHED"]


def wait_until(process: subprocess.Popen[str], is_done: Any) -> None:
    """Look again and again, as long as the process runs, for some minutes at most."""
    pause = threading.Event()
    for _ in range(WITHIN_S * 4):
        if is_done():
            return
        assert process.poll() is None, process.communicate()[0]
        pause.wait(0.25)
    pytest.fail("not done in time")


@pytest.mark.parametrize("beginning", ["cp -r", "arena compare my-llm-bot my-llm-bot"])
def test_the_comparisons_of_the_page_are_played(shell: Shell, beginning: str) -> None:
    shown = shell.run(block(beginning), codes=(0, 5, 6))
    assert "8 matches, 4 groups" in shown
    assert re.search(r"my-llm-bot(-2)? +\d+ +[\d.]+ % +none", shown), shown
