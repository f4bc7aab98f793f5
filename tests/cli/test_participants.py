"""Who plays in a match on this machine."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from arena.cli.play.participants import parse_participants


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("python my_bot.py", "my-bot"),
        ("python3.11 -u bots/My-Bot.py --depth 3", "my-bot"),
        ("env X=1 python a.py", "env"),
        ("true", "true"),
        ("python 7up.py", "bot-7up"),
        (f"python {'x' * 60}.py", "x" * 32),
        ("python", "python"),
    ],
)
def test_a_command_is_named_after_its_program(command: str, name: str) -> None:
    [participant] = parse_participants([command], "caravan")
    assert participant.bot == name
    assert not participant.sample


def test_the_same_bot_on_several_seats_gets_a_number() -> None:
    assert [
        participant.bot
        for participant in parse_participants(["greedy", "random", "greedy", "greedy"], "caravan")
    ] == ["greedy", "random", "greedy-2", "greedy-3"]


def test_a_python_file_alone_is_run_by_this_python(tmp_path: Path) -> None:
    (tmp_path / "mine.py").touch()
    [participant] = parse_participants([f"{tmp_path / 'mine.py'} --fast"], "caravan")
    assert participant.command == (sys.executable, str(tmp_path / "mine.py"), "--fast")
