"""The bots and the arena of the demo, and what it prints when it is interrupted."""

import json
import os
from pathlib import Path

import pytest

from arena.cli import sample_bots
from arena.cli.demo.commands import _interrupted_message, default_folder, plan_demo, rerun_command
from arena.cli.demo.processes import already_running, wait_for
from arena.cli.framework.errors import CliError
from arena.cli.framework.processes import Child
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
def test_the_command_that_continues_is_the_one_that_was_called(monkeypatch, level, called, command):
    monkeypatch.setenv("MAKELEVEL", level)

    assert rerun_command(*called) == f"`{command}`"


def test_each_game_has_a_folder_of_its_own():
    assert len({default_folder(game) for game in GAMES}) == len(GAMES)
    assert default_folder(FIRST) == Path("data/demo")


@pytest.mark.parametrize(
    ("most", "expected"), [(2, (2,)), (3, (2, 3)), (4, (2, 3, 4)), (5, (2, 5)), (6, (2, 6))]
)
def test_the_default_seat_counts_are_all_or_the_smallest_and_the_largest(most, expected):
    bots = [f"bot-{number}=random" for number in range(most)]

    assert plan_demo(LARGEST, None, bots).seat_counts == expected


def test_a_demo_has_a_program_for_each_seat(game):
    plan = plan_demo(game.spec.id, None, ())

    assert plan.seat_counts[-1] == game.spec.max_seats
    assert len(plan.participants) >= plan.seat_counts[-1]
    assert len({participant.bot for participant in plan.participants}) == len(plan.participants)
    assert {participant.bot for participant in plan.participants} >= set(sample_bots.names(game.spec.id))


def test_a_bot_plays_twice_only_if_there_are_too_few_bots(game):
    samples = sample_bots.names(game.spec.id)

    plan = plan_demo(game.spec.id, "2", ())

    assert plan.seat_counts == (2,)
    assert [participant.bot for participant in plan.participants] == list(
        (*samples, "random-2") if len(samples) < 2 else samples
    )


def test_matches_are_reported_as_kept_only_if_one_has_ended(tmp_path):
    assert "kept" not in _interrupted_message(tmp_path, again="it")  # no match has ended

    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "1.arenalog").touch()

    assert "kept" in _interrupted_message(tmp_path, again="it")


@pytest.fixture
def running(fake, tmp_path):
    """Return the fake arena, which runs on the folder."""
    fake.answers["ListGames"] = ""
    (tmp_path / "server.json").write_text(json.dumps({"tcp": fake.address, "unix": None, "pid": 1}))
    return fake


def test_an_arena_that_answers_is_found_with_its_token(running, tmp_path):
    (tmp_path / "organiser.token").write_text("arn_it")

    found = already_running(tmp_path)

    assert found is not None
    assert (found.running.tcp, found.token) == (running.address, "arn_it")


@pytest.mark.parametrize("text", [None, "", "{}", '{"tcp": "127.0.0.1:1", "unix": null, "pid": 1}'])
def test_files_of_a_killed_arena_are_no_running_arena(tmp_path, text):
    if text is not None:
        (tmp_path / "server.json").write_text(text)

    assert already_running(tmp_path) is None


def test_an_arena_without_its_organiser_token_is_refused(running, tmp_path):
    with pytest.raises(CliError, match="organiser token"):
        already_running(tmp_path)


def test_the_arena_of_another_process_is_not_the_one_that_was_started(running, tmp_path):
    log = tmp_path / "log"
    child = Child("the arena", ["sh", "-c", "echo it cannot be >&2"], environment=os.environ, log=log)

    with pytest.raises(CliError, match=r":\nit cannot be$"):
        wait_for(child, tmp_path)
