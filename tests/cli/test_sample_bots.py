"""Which sample bots there are, by game."""

from __future__ import annotations

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


def test_every_sample_bot_is_a_program_with_a_line_that_says_what_it_does() -> None:
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


def test_without_a_checkout_there_are_none_and_it_is_said_where_they_come_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sample_bots, "__file__", str(tmp_path / "arena" / "cli" / "sample_bots.py"))
    assert sample_bots.names("caravan") == ()
    with pytest.raises(typer.BadParameter, match="checkout"):
        parse_participants(["greedy"], "caravan")


def test_those_of_a_checkout_are_found_from_its_folder_wherever_the_arena_was_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sample_bots, "__file__", str(tmp_path / "arena" / "cli" / "sample_bots.py"))
    monkeypatch.chdir(ROOT)
    assert sample_bots.names("caravan") == ("random", "greedy", "mcts", "planner")
