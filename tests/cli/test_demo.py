"""What the demo says when it is interrupted."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.cli.demo import _again, _last_words
from tests.cli.programs import finish, start


@pytest.mark.parametrize(
    ("level", "data", "command"),
    [
        ("", "data/demo", "arena demo"),
        ("", "my data", "arena demo --data 'my data'"),
        ("1", "data/demo", "make demo"),
        ("1", "other", 'make demo ARGS="--data other"'),
    ],
)
def test_the_command_to_go_on_with_is_the_one_that_was_called(monkeypatch, level, data, command):
    monkeypatch.setenv("MAKELEVEL", level)

    assert _again(Path(data)) == f"`{command}`"


def test_matches_are_said_to_be_kept_only_if_one_has_ended(tmp_path):
    assert "kept" not in _last_words(tmp_path, again="it")

    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "1.arenalog").touch()

    assert "matches that ended are kept" in _last_words(tmp_path, again="it")


@pytest.mark.parametrize(
    ("bots", "complaint"),
    [
        (["greedy"], "'greedy' names no bot: write NAME=COMMAND"),
        (["mine="], "a bot's command is empty"),
        (["mine=no-such-program", "other=random"], "'no-such-program' is neither a sample bot of caravan"),
        (["mine=random"], "a match needs two bots"),
        (["mine=random", "mine=greedy"], "there are two bots 'mine'"),
    ],
)
def test_bots_that_cannot_play_in_the_demo_are_refused_before_anything_starts(tmp_path, bots, complaint):
    folder = tmp_path / "demo"
    code, _, err = finish(start("demo", "--data", str(folder), *[f"--bot={bot}" for bot in bots]))
    assert code == 2
    assert complaint in " ".join(err.replace("│", " ").split())
    assert not folder.exists()
