"""What the author of a bot sees of their program in `arena play` and `arena log replay`."""

import json
import sys
from pathlib import Path

from arena.cli.program_output import MOST_BYTES
from arena.match_log.reader import read_log
from tests.unit.cli.conftest import Run
from tests.unit.cli.programs import finish, start

RAISES = """
import random, sys
import arena.sdk

class Raises(arena.sdk.Bot):
    games = ("caravan",)
    asked = 0

    def choose(self, observation, legal_actions, clock):
        self.asked += 1
        print("on stdout", self.asked)
        print("on stderr", self.asked, file=sys.stderr)
        self.debug(f"sent {self.asked}")
        if self.asked in (2, 3, 4):
            self.fail()
        return 0

    def fail(self):
        raise LookupError("no camel")

arena.sdk.run(Raises)
"""
LINE = next(number for number, line in enumerate(RAISES.splitlines(), 1) if "raise LookupError" in line)
EXCEPTION = f"no action chosen: LookupError: no camel (raises.py, line {LINE}, in fail)"

FLOODS = """
import itertools, sys, threading
import arena.sdk

flooded = threading.Event()

def pump():
    for written in itertools.count():
        sys.stdout.write("sand " * 1000 + "\\n")
        if written == 2000:  # 10 MB
            flooded.set()

class Floods(arena.sdk.Bot):
    games = ("caravan",)
    asked = 0

    def choose(self, observation, legal_actions, clock):
        self.asked += 1
        if self.asked == 1:
            threading.Thread(target=pump, daemon=True).start()
            flooded.wait()
        return 0

arena.sdk.run(Floods)
"""


def play_raising(folder: Path, *args: str) -> tuple[int, str, str]:
    """Play a match in which the bot of seat 1 raises three exceptions."""
    (folder / "raises.py").write_text(RAISES)
    bot = f"{sys.executable} raises.py"
    return finish(start("play", "caravan", "random", bot, *args, "--log", "one.arenalog"))


def lines(file: Path) -> list[tuple[str, str, str]]:
    """Return the lines of a seat's file: decision, source, text."""
    found = [line.split("\t", 2) for line in file.read_text().splitlines()]
    return [(decision, source, text) for decision, source, text in found]


def test_output_is_shown_on_stderr_with_its_seat_program_and_decision(tmp_path: Path) -> None:
    code, out, err = play_raising(tmp_path)
    assert code == 1
    shown = err.splitlines()
    for number in range(1, 5):
        for text in (f": on stdout {number}", f": on stderr {number}", f", debug: sent {number}"):
            assert f"seat 1 raises, decision {number}{text}" in shown
    assert "seat 1 raises, decision 2: LookupError: no camel" in shown
    assert [line for line in shown if not line.startswith(("seat 0 random", "seat 1 raises"))] == []
    assert "on stdout 1" not in out
    assert "bot_runner.py" not in err  # a traceback begins in the author's code


def test_exceptions_are_named_in_the_result_and_in_the_explanation(tmp_path: Path, run: Run) -> None:
    code, out, _ = play_raising(tmp_path, "--output", ".")
    assert code == 1
    assert f"Seat 1 (raises): exception in decisions 2, 3 and 4: {EXCEPTION}" in out.splitlines()
    explained = run("log", "explain", "one.arenalog", "--format", "json")
    seats = json.loads(explained.stdout)["seats"]
    assert seats[1]["termination"] == "ILLEGAL_ACTION"
    assert seats[1]["exceptions"] == [{"decision": number, "text": EXCEPTION} for number in (2, 3, 4)]
    assert seats[0]["exceptions"] == []
    assert EXCEPTION.encode() not in (tmp_path / "one.arenalog").read_bytes()


def test_output_and_debug_lines_are_kept_beside_the_log(tmp_path: Path, run: Run) -> None:
    play_raising(tmp_path, "--output", ".")
    kept = lines(tmp_path / "one.seat1.txt")
    for number in ("1", "2", "3", "4"):
        of_decision = [line[1:] for line in kept if line[0] == number]
        assert {("stdout", f"on stdout {number}"), ("stderr", f"on stderr {number}")} <= {*of_decision}
        assert ("message", f"sent {number}") in of_decision
        assert (("exception", EXCEPTION) in of_decision) == (number != "1")
    shown = run("log", "debug", "one.arenalog", "--bot", "raises", "--decision", "2", "--format", "json")
    listed = json.loads(shown.stdout)["lines"]
    assert {(each["seat"], each["decision"]) for each in listed} == {(1, 2)}
    assert {each["source"] for each in listed} == {
        "SOURCE_STDOUT",
        "SOURCE_STDERR",
        "SOURCE_MESSAGE",
        "SOURCE_EXCEPTION",
    }
    again = run("play", "caravan", "random", "random", "--log", "two/one.arenalog", "--output", ".")
    assert again.exit_code == 1  # the files of the first match exist


def test_a_replay_shows_and_keeps_what_the_program_writes_and_json_stays_pure(tmp_path: Path) -> None:
    play_raising(tmp_path)
    bot = f"{sys.executable} raises.py"
    args = ("--seat", "1", "--format", "json", "--output", "kept")
    _, out, err = finish(start("log", "replay", "one.arenalog", "--bot", bot, *args))
    decisions = json.loads(out)["decisions"]
    assert [each["exception"] for each in decisions] == [None, EXCEPTION, EXCEPTION, EXCEPTION]
    assert "seat 1 raises, decision 3: on stdout 3" in err.splitlines()
    kept = lines(tmp_path / "kept" / "one.replay.seat1.txt")
    assert {("2", "stdout", "on stdout 2"), ("2", "exception", EXCEPTION)} <= {*kept}


def test_endless_output_is_cut_and_the_match_is_played_to_its_end(tmp_path: Path) -> None:
    (tmp_path / "floods.py").write_text(FLOODS)
    bot = f"{sys.executable} floods.py"
    args = ("--output", ".", "--log", "one.arenalog", "--clock", "per_decision_ms=60000")
    short = ("--option", "turn_limit=12")
    code, out, err = finish(start("play", "caravan", "random", bot, *args, *short), within=300)
    assert code == 0, out
    file = tmp_path / "one.seat1.txt"
    cut = [text for _, _, text in lines(file) if "left out" in text]
    assert len(cut) == 1
    for size in (file.stat().st_size, len(err)):
        assert MOST_BYTES / 2 < size < 2 * MOST_BYTES
    assert lines(file)[-1][1] == "stderr"  # the last words
    assert read_log((tmp_path / "one.arenalog").read_bytes()).result.seats[1].strikes == 0
