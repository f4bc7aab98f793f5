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
from tests.checkout import ROOT
from tests.system.cli.test_processes import gone
from tests.system.e2e.secret_scanner import Process, SecretScanner, processes
from tests.unit.cli.programs import finish, start

BOTS = {"random", "greedy", "planner", "mcts"}


def processes_of(folder: Path) -> list[Process]:
    """Return the processes whose command line or environment names the folder, or the arena that runs on it."""
    marks, server = [str(folder).encode()], folder / "server.json"
    if server.exists():
        marks.append(f"ARENA_ADDRESS={json.loads(server.read_text())['tcp']}".encode())
    return [
        each
        for each in processes()
        if each.pid != os.getpid() and any(mark in each.command_line + each.environment for mark in marks)
    ]


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
        seen = processes_of(folder)
    return seen


def tokens_of(seen: list[Process]) -> set[str]:
    """Return the tokens that bots were given."""
    return {token for each in seen if (token := each.variable("ARENA_TOKEN"))}


def finished(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Let a demo end; return how many matches the ladder has played in all, and the output."""
    code, out, err = finish(process, within=120)
    assert code == 0, out + err
    found = re.search(r"(\d+) on this ladder in all", out)
    assert found is not None, out
    assert f"all {found[1]} logs verified" in out
    assert "\x1b" not in out + err
    return int(found[1]), out


def standings(out: str) -> list[list[str]]:
    """Return the words of each line of the standings."""
    table = out.partition("Standings")[2].partition("Thinking")[0]
    return [line.split() for line in table.splitlines() if re.match(r"\s+(\d+|-) ", line)]


def test_the_demo_plays_a_ladder_of_all_bots_shows_standings_and_verifies_every_log(tmp_path):
    folder = tmp_path / "demo"

    played, out = finished(demo(folder, 1))

    assert played >= 1
    assert {line[1] for line in standings(out)} == BOTS
    assert processes_of(folder) == []
    assert len(list((folder / "logs").rglob("*.arenalog"))) == played
    rated = [line for line in standings(out) if line[5] != "0"]
    check_pages(folder, out, matches=played, rated=len(rated))


def check_pages(folder: Path, out: str, *, matches: int, rated: int) -> None:
    """Check that the page that the demo names is there and leads to a replay of each match."""
    found = re.search(r"Open in a browser: (\S+\.html) ", out)
    assert found is not None, out
    page = Path(found[1])
    assert page.is_relative_to(folder.resolve() / "pages")
    html = page.read_text()
    assert html.count("<polyline") == rated >= 2
    linked = set(re.findall(r'href="(\.\./matches/\d+\.html)"', html))
    assert len(linked) == matches
    for each in linked:
        frame = re.search(r'<iframe[^>]* src="([^"]+)"', (page.parent / each).read_text())
        assert frame is not None
        assert ((page.parent / each).parent / frame[1]).stat().st_size > 20_000


def test_the_demo_plays_with_given_bots_and_continues_when_it_is_run_again(tmp_path):
    program = ROOT / "sample_bots" / "python" / "random_bot.py"
    bots = (f"--bot=mine={sys.executable} {program}", "--bot=rival=greedy")

    played, out = finished(demo(tmp_path / "demo", 2, *bots))
    assert [line[:3] for line in standings(out)] == [["1", "rival", "python"], ["2", "mine", "python"]]
    again, _ = finished(demo(tmp_path / "demo", 1, *bots))
    assert again > played >= 1


def test_the_demo_plays_any_game_and_its_folder_keeps_to_one(tmp_path):
    first, other, *_ = GAMES
    bots = [f"--bot={name}=random" for name in ("a", "b", "c")]

    played, _ = finished(demo(tmp_path / "demo", 1, "--game", other, "--seats", "3", *bots))
    assert played == 3

    for another in (("--game", first), ("--game", other, "--seats", "2,3")):
        code, _, err = finish(demo(tmp_path / "demo", 1, *another, *bots))
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
    """Check that no token is in any output, and none in a process but each bot's own."""
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


def test_a_demo_whose_arena_was_killed_ends_and_can_be_run_again(tmp_path):
    folder = tmp_path / "demo"
    quick = ("--bot=a=random", "--bot=b=random")
    process = demo(folder, 1000, *quick)
    list(lines_until(process, "Started the bots"))

    os.kill(json.loads((folder / "server.json").read_text())["pid"], signal.SIGKILL)
    code, _, err = finish(process)

    assert code == 1
    assert "Traceback" not in err
    assert processes_of(folder) == []
    assert (folder / "server.json").exists()
    finished(demo(folder, 1, *quick))


def test_a_bot_that_dies_ends_the_demo_with_its_output(tmp_path):
    folder = tmp_path / "demo"
    process = demo(folder, 1000)
    list(lines_until(process, "Started the bots"))
    greedy: list[int] = []
    # A child that was just started still shows its parent's command line.
    while not greedy and process.poll() is None:
        greedy = [each.pid for each in processes_of(folder) if b"greedy.py" in each.command_line]

    os.kill(greedy[0], signal.SIGKILL)
    code, _, err = finish(process)

    assert code == 1
    assert "(signal SIGKILL)" in err
    assert processes_of(folder) == []
