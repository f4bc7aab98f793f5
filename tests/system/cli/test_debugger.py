"""`--debug`: a program has the terminal, and no clock, with a real pseudo-terminal and pdb."""

import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from arena.core.match import CLOCK_OFF, NoteRecord
from arena.match_log.reader import read_log
from tests.unit.cli.conftest import Run
from tests.unit.cli.programs import environment, finish, start

STOPS = """
import arena.sdk

class Stops(arena.sdk.Bot):
    games = ("caravan",)
    asked = 0

    def choose(self, observation, legal_actions, clock):
        self.asked += 1
        if self.asked == 2:
            answer = 41
            breakpoint()
        return 0

    def on_match_ended(self, match, result):
        breakpoint()

arena.sdk.run(Stops)
"""
PROMPT = b"(Pdb) "
SHORT = ("--option", "turn_limit=30")
WITHIN_S = 120.0


_TAKE_TERMINAL = (
    "import os, sys; os.close(os.open(os.ttyname(0), os.O_RDWR)); os.execv(sys.argv[1], sys.argv[1:])"
)
"""A program that makes the terminal its own, as a shell's is, and becomes the command that follows."""


class Terminal:
    """A pseudo-terminal with `arena ARGS...` in it."""

    def __init__(self, *args: str) -> None:
        self._end, inside = pty.openpty()
        self._process = subprocess.Popen(
            [sys.executable, "-c", _TAKE_TERMINAL, sys.executable, "-m", "arena.cli.app", *args],
            stdin=inside,
            stdout=inside,
            stderr=inside,
            env=environment(TERM="dumb", COLUMNS="200"),
            start_new_session=True,
        )
        os.close(inside)
        self.seen = b""

    def expect(self, what: bytes) -> bytes:
        """Return all up to `what`; fail if it does not come."""
        deadline = time.monotonic() + WITHIN_S
        while what not in self.seen:
            assert select.select([self._end], [], [], max(0.0, deadline - time.monotonic()))[0], self.seen
            self.seen += os.read(self._end, 65_536)
        before, _, self.seen = self.seen.partition(what)
        return before

    def type(self, text: str) -> None:
        os.write(self._end, text.encode())

    def echoes(self) -> bool:
        return bool(termios.tcgetattr(self._end)[3] & termios.ECHO)

    def finish(self) -> tuple[int, bytes]:
        """Return the exit code and what was not read yet."""
        try:
            while data := os.read(self._end, 65_536):
                self.seen += data
        except OSError:  # nothing holds the other end any more
            pass
        os.close(self._end)
        return self._process.wait(WITHIN_S), self.seen


@pytest.fixture
def bot(tmp_path: Path) -> str:
    (tmp_path / "stops.py").write_text(STOPS)
    return f"{sys.executable} stops.py"


def use_the_debugger(terminal: Terminal) -> None:
    """Look at a variable at the breakpoint, continue, and look at the result at the end of the match."""
    terminal.expect(PROMPT)
    terminal.type("p answer + 1\n")
    assert b"42" in terminal.expect(PROMPT)
    terminal.type("c\n")
    terminal.expect(PROMPT)
    terminal.type("p 'placing', result.placing\n")
    assert b"('placing', " in terminal.expect(PROMPT).partition(b"\n")[2]
    terminal.type("c\n")


def test_a_breakpoint_in_a_match_costs_no_time_and_the_log_verifies(
    tmp_path: Path, run: Run, bot: str
) -> None:
    rules = ("per_decision_ms=1", "bank_ms=0", "increment_ms=0", "strikes=1000")
    clock = (arg for rule in rules for arg in ("--clock", rule))
    terminal = Terminal(
        "play", "caravan", "random", bot, "--debug", "1", *clock, *SHORT, "--log", "a.arenalog"
    )
    use_the_debugger(terminal)
    code, rest = terminal.finish()
    assert code == 0, rest
    log = read_log((tmp_path / "a.arenalog").read_bytes())
    random_bot, debugged = log.result.seats
    assert (debugged.strikes, debugged.used_ns) == (0, 0)
    assert random_bot.used_ns > 0
    notes = [entry.content for entry in log.entries if isinstance(entry.content, NoteRecord)]
    assert [(note.what, note.seat) for note in notes][:1] == [(CLOCK_OFF, 1)]
    assert run("log", "verify", "a.arenalog", "--key", "a.pub").exit_code == 0


def test_a_breakpoint_in_a_replay_waits_and_so_does_one_in_a_scenario(tmp_path: Path, bot: str) -> None:
    (tmp_path / "first.py").write_text(STOPS.replace("breakpoint()", "pass"))
    first = f"{sys.executable} first.py"
    code, out, err = finish(
        start("play", "caravan", "random", first, "--log", "a.arenalog", "--option", "turn_limit=30")
    )
    assert code == 0, out + err
    terminal = Terminal(
        "log", "replay", "a.arenalog", "--seat", "1", "--bot", bot, "--patience", "1", "--debug"
    )
    use_the_debugger(terminal)
    code, rest = terminal.finish()
    assert code == 0, rest

    terminal = Terminal(
        "conformance", "--only", "hello", "--patience", "1", "--debug", "--", sys.executable, "wait.py"
    )
    (tmp_path / "wait.py").write_text("breakpoint()\n")
    terminal.expect(PROMPT)
    terminal.type("p 40 + 2\n")
    assert b"42" in terminal.expect(PROMPT)
    terminal.type("q\n")
    assert terminal.finish()[0] == 1  # the program has ended without a hello


def test_ctrl_c_at_the_prompt_ends_all_and_gives_the_terminal_back(tmp_path: Path, bot: str) -> None:
    terminal = Terminal("play", "caravan", "random", bot, "--debug", "1", "--log", "a.arenalog")
    assert terminal.echoes()
    terminal.expect(PROMPT)
    terminal.type("p answer + 1\n")
    terminal.expect(PROMPT)
    terminal.type("\x03")
    terminal.expect(b"No process is left")
    assert terminal.echoes()
    assert terminal.finish()[0] == 128 + signal.SIGINT
    assert not (tmp_path / "a.arenalog").exists()


@pytest.mark.parametrize(
    "args",
    [
        ("play", "caravan", "random", "random", "--debug", "2"),
        ("play", "caravan", "random", "random", "--debug", "1", "--watch"),
        ("conformance", "--debug", "--", sys.executable, "stops.py"),
        ("conformance", "--only", "hello", "--debug", "--format", "json", "--", sys.executable, "stops.py"),
        ("log", "replay", "a.arenalog", "--bot", "random", "--debug", "--format", "json"),
    ],
    ids=["no such seat", "the board needs it", "all scenarios", "JSON of scenarios", "JSON of a replay"],
)
def test_a_terminal_that_cannot_be_lent_is_refused(run: Run, args: Sequence[str]) -> None:
    refused = run(*args)
    assert refused.exit_code == 2
    assert "--debug" in refused.output
