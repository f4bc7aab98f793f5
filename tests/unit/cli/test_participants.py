"""Participants of a local match: sample bots by game, and commands."""

import sys
from pathlib import Path

import pytest
import typer

from arena.cli import sample_bots
from arena.cli.play.participants import parse_participants
from arena.sdk import GAMES
from engine.registry import GAMES as REGISTERED
from tests.checkout import ROOT


def test_a_bot_is_a_program_in_the_folder_of_its_game_and_random_is_one_of_every_game() -> None:
    assert sample_bots.names("caravan") == ("random", "greedy", "mcts", "planner")
    assert sample_bots.names("chess") == ("random",)


def test_every_sample_bot_is_a_program_with_a_description() -> None:
    for game in REGISTERED:
        for participant in parse_participants(sample_bots.names(game), game):
            assert Path(participant.command[-1]).is_relative_to(ROOT / "sample_bots" / "python")
            assert Path(participant.command[-1]).is_file()
            assert 20 < len(participant.description) < 90


def test_random_plays_every_game_that_the_arena_has() -> None:
    assert set(REGISTERED) <= set(GAMES)


def test_a_bot_of_another_game_is_no_sample_bot_of_this_one() -> None:
    with pytest.raises(typer.BadParameter, match=r"chess \(random\)"):
        parse_participants(["random", "planner"], "chess")


def test_sample_bots_are_found_in_a_checkout_or_in_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sample_bots, "__file__", str(tmp_path / "arena" / "cli" / "sample_bots.py"))
    assert sample_bots.names("caravan") == ()
    with pytest.raises(typer.BadParameter, match="checkout"):
        parse_participants(["greedy"], "caravan")
    monkeypatch.chdir(ROOT)
    assert sample_bots.names("caravan") == ("random", "greedy", "mcts", "planner")


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
    found = parse_participants(["greedy", "random", "greedy", "greedy"], "caravan")
    assert [each.bot for each in found] == ["greedy", "random", "greedy-2", "greedy-3"]


def test_a_python_file_alone_is_run_by_this_python(tmp_path: Path) -> None:
    (tmp_path / "mine.py").touch()
    [participant] = parse_participants([f"{tmp_path / 'mine.py'} --fast"], "caravan")
    assert participant.command == (sys.executable, str(tmp_path / "mine.py"), "--fast")
