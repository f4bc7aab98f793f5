"""What the demo says when it is interrupted."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.cli.demo import _again, _last_words


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

    assert _again(Path(data)) == command


def test_matches_are_said_to_be_kept_only_if_one_has_ended(tmp_path):
    assert "kept" not in _last_words(tmp_path)

    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "1.arenalog").touch()

    assert "matches that ended are kept" in _last_words(tmp_path)
