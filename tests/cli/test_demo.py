"""Who plays in the demo, and what it says when it is refused or interrupted."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.cli import sample_bots
from arena.cli.demo.bots import programme
from arena.cli.demo.commands import _last_words, again, default_folder
from engine.registry import GAMES

FIRST, OTHER, *_ = GAMES
LARGEST = max(GAMES, key=lambda game: GAMES[game].spec.max_seats)


@pytest.mark.parametrize(
    ("level", "called", "command"),
    [
        ("", (FIRST, None, None), "arena demo"),
        ("", (FIRST, None, Path("my data")), "arena demo --data 'my data'"),
        ("", (OTHER, "2,4", None), f"arena demo --game {OTHER} --seats 2,4"),
        ("1", (FIRST, None, None), "make demo"),
        ("1", (FIRST, "2", Path("other")), 'make demo ARGS="--seats 2 --data other"'),
        ("1", (OTHER, None, None), f"make demo GAME={OTHER}"),
    ],
)
def test_the_command_to_go_on_with_is_the_one_that_was_called(monkeypatch, level, called, command):
    monkeypatch.setenv("MAKELEVEL", level)

    assert again(*called) == f"`{command}`"


def test_each_game_has_a_folder_of_its_own():
    assert len({default_folder(game) for game in GAMES}) == len(GAMES)
    assert default_folder(FIRST) == Path("data/demo")


@pytest.mark.parametrize(
    ("most", "expected"), [(2, (2,)), (3, (2, 3)), (4, (2, 3, 4)), (5, (2, 5)), (6, (2, 6))]
)
def test_a_demo_is_for_all_sizes_of_tables_or_of_many_for_the_smallest_and_the_largest(most, expected):
    bots = [f"bot-{number}=random" for number in range(most)]

    assert programme(LARGEST, None, bots).seat_counts == expected


def test_a_demo_has_a_program_for_each_seat(game):
    plan = programme(game.spec.id, None, ())

    assert plan.seat_counts[-1] == game.spec.max_seats
    assert len(plan.cast) >= plan.seat_counts[-1]
    assert len({entrant.bot for entrant in plan.cast}) == len(plan.cast)
    assert {entrant.bot for entrant in plan.cast} >= set(sample_bots.names(game.spec.id))


def test_a_bot_sits_down_twice_only_where_the_others_do_not_fill_the_table(game):
    samples = sample_bots.names(game.spec.id)

    plan = programme(game.spec.id, "2", ())

    assert plan.seat_counts == (2,)
    assert [entrant.bot for entrant in plan.cast] == list(
        (*samples, "random-2") if len(samples) < 2 else samples
    )


def test_bots_of_ones_own_play_at_the_tables_that_they_fill():
    plan = programme(FIRST, None, ["one=random", "two=random", "three=random"])

    assert plan.seat_counts == (2, 3)


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
        (["mine=random"], "a match of 2 seats needs 2 bots, not 1"),
        (["mine=random", "mine=greedy"], "there are two bots 'mine'"),
    ],
)
def test_bots_that_cannot_play_in_the_demo_are_refused_before_anything_starts(tmp_path, run, bots, complaint):
    folder = tmp_path / "demo"
    refused = run("demo", "--data", str(folder), *[f"--bot={bot}" for bot in bots])
    assert refused.exit_code == 2
    assert complaint in " ".join(refused.output.replace("│", " ").split())
    assert not folder.exists()


@pytest.mark.parametrize(
    ("words", "expected", "complaint"),
    [
        (["--game", "chess"], 2, "there is no game 'chess'"),
        (["--game", OTHER, "--seats", "1"], 2, "a rated match has 2 seats or more"),
        (["--seats", "2,40"], 1, "seats, not 40"),
        (["--seats", "two"], 2, "'two' is not a list of numbers"),
        (["--seats", "4", "--bot=a=random", "--bot=b=random"], 2, "a match of 4 seats needs 4 bots, not 2"),
    ],
)
def test_a_game_or_a_table_that_there_is_not_is_refused_before_anything_starts(
    tmp_path, run, words, expected, complaint
):
    folder = tmp_path / "demo"
    refused = run("demo", "--data", str(folder), *words)
    assert refused.exit_code == expected
    assert complaint in " ".join(refused.output.replace("│", " ").split())
    assert not folder.exists()
