"""The demo as a stranger runs it: one command, real processes, real gRPC."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.registry import GAMES
from tests.system.cli.test_processes import gone
from tests.system.e2e.secret_scanner import Process, SecretScanner, processes
from tests.unit.cli.programs import finish, start

BOTS = {"random", "greedy", "planner", "mcts"}


def processes_of(folder: Path) -> list[int]:
    """Return the processes whose command line or environment names the folder, or the arena that runs on it."""
    address = (
        json.loads((folder / "server.json").read_text())["tcp"] if (folder / "server.json").exists() else None
    )
    marks = [str(folder).encode()] + ([f"ARENA_ADDRESS={address}".encode()] if address else [])
    return [
        int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit() and _has(entry, marks)
    ]


def _has(entry: Path, marks: list[bytes]) -> bool:
    if int(entry.name) == os.getpid():
        return False
    try:
        words = (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes()
    except OSError:
        return False
    return any(mark in words for mark in marks)


def demo(folder: Path, matches: int, *words: str, **environment: str) -> subprocess.Popen[str]:
    """Start the demo on a folder."""
    return start("demo", "--data", str(folder), "--matches", str(matches), *words, **environment)


def lines_until(process: subprocess.Popen[str], text: str) -> Iterator[str]:
    """Return what the process prints up to the line that holds the text."""
    assert process.stdout is not None
    for line in process.stdout:
        yield line
        if text in line:
            return


def all_seen(folder: Path, process: subprocess.Popen[str]) -> list[Process]:
    """Return the processes of a demo with its bots; one that has just begun shows no environment of its own yet."""
    seen: list[Process] = []
    while process.poll() is None and len(tokens_of(seen)) < len(BOTS):
        started = processes_of(folder)
        seen = [each for each in processes() if each.pid in started]
    return seen


def tokens_of(seen: list[Process]) -> set[str]:
    """Return the tokens that bots were given."""
    return {token for each in seen if (token := each.variable("ARENA_TOKEN"))}


def total(out: str) -> int:
    """How many matches the ladder has played in all, as the demo says it."""
    found = re.search(r"(\d+) on this ladder in all", out)
    assert found is not None, out
    return int(found[1])


def test_the_demo_plays_a_ladder_of_all_bots_shows_standings_and_verifies_every_log(tmp_path):
    folder = tmp_path / "demo"

    code, out, err = finish(demo(folder, 1), within=120)

    assert code == 0, out + err
    played = total(out)
    assert played >= 1
    assert f"all {played} logs verified" in out
    standings = out.partition("Standings")[2].partition("Thinking")[0]
    assert {line.split()[1] for line in standings.splitlines() if re.match(r"\s+(\d+|-) ", line)} == BOTS
    assert "\x1b" not in out + err
    assert processes_of(folder) == []
    assert len(list((folder / "logs").rglob("*.arenalog"))) == played


def test_the_demo_goes_on_when_it_is_run_again(tmp_path):
    folder = tmp_path / "demo"
    quick = ("--bot=a=random", "--bot=b=random")

    code, out, err = finish(demo(folder, 1, *quick), within=120)

    assert code == 0, out + err
    played = total(out)
    assert played >= 1

    code, out, err = finish(demo(folder, 1, *quick), within=120)

    assert code == 0, out + err
    assert total(out) > played
    assert f"all {total(out)} logs verified" in out


def test_the_demo_plays_with_bots_of_ones_own(tmp_path):
    folder = tmp_path / "demo"
    program = Path(__file__).resolve().parents[3] / "sample_bots" / "python" / "random_bot.py"
    bots = [f"--bot=mine={sys.executable} {program}", "--bot=rival=greedy"]

    code, out, err = finish(start("demo", "--data", str(folder), "--matches", "2", *bots), within=120)

    assert code == 0, out + err
    standings = out.partition("Standings")[2].partition("Thinking")[0]
    lines = [line.split()[:3] for line in standings.splitlines() if re.match(r"\s+\d+ ", line)]
    assert lines == [["1", "rival", "python"], ["2", "mine", "python"]]


def test_the_demo_plays_any_game_and_its_folder_keeps_to_one(tmp_path):
    folder = tmp_path / "demo"
    first, other, *_ = GAMES
    words = ("--data", str(folder), "--matches", "1", *(f"--bot={name}=random" for name in ("a", "b", "c")))

    code, out, err = finish(start("demo", "--game", other, "--seats", "3", *words), within=120)

    assert code == 0, out + err
    assert total(out) == 3
    assert "all 3 logs verified" in out

    for another in (("--game", first), ("--game", other, "--seats", "2,3")):
        code, _, err = finish(start("demo", *another, *words))
        assert code == 1
        assert f"--game {other} --seats 3" in err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_demo_that_is_stopped_stops_everything_it_started(tmp_path, number):
    folder = tmp_path / "demo"
    process = demo(folder, 1000, MAKELEVEL="")
    list(lines_until(process, "Started the bots"))
    seen = all_seen(folder, process)
    started = [each.pid for each in seen]

    process.send_signal(number)
    process.send_signal(number)
    code, out, err = finish(process)

    assert code == 128 + number, err
    assert "Stopping." in out
    assert "No process is left" in out.splitlines()[-1]
    assert f"`arena demo --data {folder}`" in out.splitlines()[-1]
    assert len(started) >= 1 + len(BOTS)
    assert all(gone(pid) for pid in started)
    check_secrets(folder, seen, out + err)


def check_secrets(folder: Path, seen: list[Process], said: str) -> None:
    """No token stands in what was written; and none in a process, but each bot's own."""
    scanner = SecretScanner()
    for token in tokens_of(seen):
        scanner.add_token(token.split("_")[1], token)
    assert len(scanner) == len(BOTS)
    scanner.add_token("organiser", (folder / "organiser.token").read_text().strip())
    for each in seen:
        own = each.variable("ARENA_TOKEN")
        assert scanner.found_in(each.command_line) == set()
        assert scanner.found_in(each.environment) == ({own.split("_")[1]} if own else set())
    written = "".join(path.read_text() for path in (folder / "processes").iterdir())
    assert "arena open" in written
    assert scanner.found_in(written + said) == set()


def test_what_a_killed_arena_has_left_behind_does_not_stop_the_demo(tmp_path):
    folder = tmp_path / "demo"
    quick = ("--bot=a=random", "--bot=b=random")
    process = demo(folder, 1000, *quick)
    list(lines_until(process, "Started the bots"))
    arena = json.loads((folder / "server.json").read_text())["pid"]

    os.kill(arena, signal.SIGKILL)
    code, _, err = finish(process)

    assert code == 1
    assert "Traceback" not in err
    assert processes_of(folder) == []
    assert (folder / "server.json").exists()

    code, out, err = finish(demo(folder, 1, *quick), within=120)

    assert code == 0, out + err


def test_a_bot_that_dies_ends_the_demo_with_what_it_wrote(tmp_path):
    folder = tmp_path / "demo"
    process = demo(folder, 1000)
    list(lines_until(process, "Started the bots"))
    greedy: list[int] = []
    while (
        not greedy and process.poll() is None
    ):  # a child that was just started still shows its parent's command line
        greedy = [
            pid for pid in processes_of(folder) if b"greedy.py" in Path(f"/proc/{pid}/cmdline").read_bytes()
        ]

    os.kill(greedy[0], signal.SIGKILL)
    code, _, err = finish(process)

    assert code == 1
    assert "(signal SIGKILL)" in err
    assert processes_of(folder) == []
