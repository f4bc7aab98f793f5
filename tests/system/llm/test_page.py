"""docs/llm.md: its commands, as pasted into a shell, with an endpoint of ours in the place of the reader's own."""

import re
import signal
from collections.abc import Iterator

import pytest

from tests.system.page_shell import WITHIN_S, Shell, block, blocks_of, wait_until
from tests.unit.sdk.llm.fake_endpoint import FakeEndpoint, an_endpoint, answers

BLOCKS = blocks_of("docs/llm.md")


@pytest.fixture(scope="module")
def fake() -> Iterator[FakeEndpoint]:
    """Run an endpoint whose model passes, so that matches are short."""
    with an_endpoint(answers(1)) as endpoint:
        yield endpoint


@pytest.fixture(scope="module")
def shell(fake: FakeEndpoint, tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """Return a shell in which the folder of the page has been made and tried."""
    shell = Shell(tmp_path_factory.mktemp("page"), LLM_URL=fake.url, LLM_MODEL="qwen3:8b", LLM_KEY="sk-page")
    assert "=== answer ===" in shell.run(block(BLOCKS, "arena llm new"))
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
    names = re.findall(r"export (\w+)=", block(BLOCKS, "export LLM_URL"))
    assert names == ["LLM_URL", "LLM_MODEL", "LLM_KEY"]


def test_the_match_of_the_page_is_played_and_its_debug_lines_are_listed(shell: Shell) -> None:
    shown = shell.run(block(BLOCKS, "arena play"))
    assert "thoughts: it is the best" in shown
    assert " 0 by the fallback" in shown
    assert "fallback sensible" not in shown
    assert "sk-page" not in shown


def test_the_bots_of_the_page_play_on_a_ladder(shell: Shell) -> None:
    serving = shell.start("exec arena serve --port 0 --ready-file ready.json")
    running = [serving]
    try:
        wait_until(serving, (shell.folder / "ready.json").exists)
        shell.run(block(BLOCKS, "arena ladder create"))
        running += [shell.start(f"exec {line}") for line in block(BLOCKS, "arena bot run").splitlines()]
        wait_until(serving, lambda: len(shell.finished()) == 2)
        for match in shell.finished():
            (seat,) = [seat for seat in match["seats"] if seat["bot"] == "bots/my-llm-bot"]
            assert (seat["ending"]["termination"], seat["strikes"]) == ("TERMINATION_NORMAL", 0)
    finally:
        for process in reversed(running):
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=WITHIN_S)


@pytest.mark.parametrize("beginning", ["cp -r", "arena compare my-llm-bot my-llm-bot"])
def test_the_comparisons_of_the_page_are_played(shell: Shell, beginning: str) -> None:
    shown = shell.run(block(BLOCKS, beginning), codes=(0, 5, 6))
    assert "8 matches, 4 groups" in shown
    assert re.search(r"my-llm-bot(-2)? +\d+ +[\d.]+ % +none", shown), shown
