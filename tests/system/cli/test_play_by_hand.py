"""`arena play` with a person: they play by hand at a terminal of 80 columns, or look at each decision."""

import os
import random
import re
import signal
from pathlib import Path

import pytest

from arena.codecs.codec import codec_for
from arena.core.endings.terminations import Termination
from arena.core.match import CLOCK_OFF, NoteRecord
from arena.match_log.reader import read_log
from arena.viewer.replay import replay_of
from engine.registry import GAMES
from tests.system.cli.pseudo_terminal import Terminal
from tests.system.cli.test_processes import gone
from tests.unit.cli.conftest import Run
from tests.unit.cli.programs import finish, start

ASKED = "(? for help): "
PLANNED = "(u: undo): "
ILLEGAL = {
    "caravan": ("MOVE(13,0)", "C8"),
    "caravanserai": ("CAMEL(0)", "S44"),
    "ahldarahd": ('{"type":"pass"}', "A48"),
    "wasteland": ('{"type":"stop"}', "W72"),
}
"""Actions that are not legal at first, and the rule."""
SHORT = {
    "caravan": ("turn_limit=30",),
    "wasteland": ("max_rounds=4",),
}


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_is_played_by_keys_and_its_log_verifies(tmp_path: Path, run: Run, game: str) -> None:
    options = [part for each in SHORT.get(game, ()) for part in ("--option", each)]
    terminal = Terminal("play", game, "me", "greedy", *options, "--log", "a.arenalog", columns=80)
    keys, shown = random.Random(game), ""
    illegal, rule = ILLEGAL[game]
    first = iter(["?", "h", "zebra", "", illegal, "? score", "r", "a", "b", "2"])
    undone = False
    while (screen := terminal.prompt(ASKED, PLANNED)).endswith((ASKED, PLANNED)):
        shown += screen
        if screen.endswith(PLANNED):
            terminal.type("\n" if undone else "u\n")
            undone = True
        else:
            terminal.type(f"{next(first, keys.randint(1, 12))}\n")
    shown += screen
    code, _ = terminal.finish()
    assert code == 0, shown[-2000:]
    assert "You are me, on seat 0, against greedy." in shown
    assert "would play: " in shown
    assert f"{illegal} is not possible now" in shown
    assert rule in shown.partition(f"{illegal} is not possible now")[2].partition(ASKED)[0]
    assert "The match is over: you are in place " in shown
    asked = shown.partition("You are me")[2].rpartition(PLANNED)[0]
    assert [
        line for line in asked.splitlines() if len(line) > 80 and not line.endswith((ASKED, PLANNED))
    ] == []
    assert "Traceback" not in shown
    log = read_log((tmp_path / "a.arenalog").read_bytes())
    assert [seat.ending.termination for seat in log.result.seats] == [Termination.NORMAL] * 2
    notes = [entry.content for entry in log.entries if isinstance(entry.content, NoteRecord)]
    assert [(note.what, note.seat) for note in notes][:1] == [(CLOCK_OFF, 0)]
    frames = replay_of(log, codec_for(game))["frames"]
    assert {frame["seat"] for frame in frames if "untimed" in frame} == {0}
    assert run("log", "verify", "a.arenalog", "--key", "a.pub").exit_code == 0


def test_resigning_ends_the_match_with_a_log(tmp_path: Path) -> None:
    terminal = Terminal("play", "caravan", "greedy", "me", "--log", "a.arenalog", columns=80)
    terminal.prompt(ASKED)
    terminal.type("q\n")
    terminal.prompt("Type yes: ")
    terminal.type("yes\n")
    assert terminal.finish()[0] == 0
    log = read_log((tmp_path / "a.arenalog").read_bytes())
    assert log.result.seats[1].ending.termination is Termination.RESIGNATION


def test_ctrl_c_at_the_prompt_leaves_no_log_and_a_terminal_that_echoes(tmp_path: Path) -> None:
    terminal = Terminal("play", "caravan", "me", "greedy", "--log", "a.arenalog", columns=80)
    terminal.prompt(ASKED)
    terminal.type("\x03")
    terminal.prompt("no log.")
    assert terminal.echoes()
    assert terminal.finish()[0] == 128 + signal.SIGINT
    assert not any(tmp_path.iterdir())


def test_a_match_that_is_killed_leaves_no_program_that_reads_the_keys(tmp_path: Path) -> None:
    terminal = Terminal("play", "caravan", "me", "greedy", "--log", "a.arenalog", columns=80)
    terminal.prompt(ASKED)
    children = [
        int(child)
        for task in Path(f"/proc/{terminal.pid}/task").iterdir()
        for child in (task / "children").read_text().split()
    ]
    os.kill(terminal.pid, signal.SIGKILL)
    assert len(children) == 2
    assert all(gone(child) for child in children)
    terminal.finish()


def test_without_a_terminal_keys_come_from_a_pipe_and_its_end_resigns(tmp_path: Path) -> None:
    code, out, err = finish(start("play", "caravan", "me", "greedy", "--log", "a.arenalog"))
    assert code == 0, out + err
    log = read_log((tmp_path / "a.arenalog").read_bytes())
    assert log.result.seats[0].ending.termination is Termination.RESIGNATION


PAUSED = b"Ctrl-C: stop the match."


def test_with_pause_each_decision_waits_for_a_line_and_its_clock_too(tmp_path: Path) -> None:
    clock = ("--clock", "per_decision_ms=2000", "--clock", "bank_ms=0")
    terminal = Terminal(
        "play", "caravan", "greedy", "random", "--pause", *clock, "--option", "turn_limit=20",
        "--log", "a.arenalog", columns=80,
    )  # fmt: skip
    asked = []
    for _ in range(4):
        shown = terminal.expect(PAUSED).decode()
        asked += re.findall(r"(\w+) \(seat \d\), decision (\d+): \d+ legal actions?\.", shown)
        terminal.type("\n")
    assert asked == [("greedy", "1"), ("random", "1"), ("random", "2"), ("greedy", "2")]
    terminal.expect(PAUSED)
    terminal.type("c\n")
    assert terminal.finish()[0] == 0
    log = read_log((tmp_path / "a.arenalog").read_bytes())
    assert [seat.strikes for seat in log.result.seats] == [0, 0]
    assert log.result.seats[0].ending.termination is Termination.NORMAL


def test_with_pause_and_no_terminal_the_match_is_played_to_its_end(tmp_path: Path) -> None:
    code, out, err = finish(
        start(
            "play",
            "wasteland",
            "greedy",
            "random",
            "--pause",
            "--option",
            "max_rounds=3",
            "--log",
            "a.arenalog",
        )
    )
    assert code == 0, out + err
    assert read_log((tmp_path / "a.arenalog").read_bytes()).result.void_reason == ""


@pytest.mark.parametrize(
    ("args", "named"),
    [
        (("me", "me"), "one person"),
        (("me", "greedy", "--debug", "1"), "--debug"),
        (("me", "greedy", "--watch"), "--watch"),
        (("me", "greedy", "--pause"), "--pause"),
        (("greedy", "random", "--pause", "--watch"), "--watch"),
        (("greedy", "random", "--hint", "greedy"), "--hint"),
        (("me", "greedy", "--hint", "nobody"), "nobody"),
    ],
)
def test_what_cannot_be_together_is_refused_before_anything_starts(
    tmp_path: Path, run: Run, args: tuple[str, ...], named: str
) -> None:
    result = run("play", "caravan", *args)
    assert result.exit_code == 2
    assert named in result.stderr
    assert not any(tmp_path.iterdir())
