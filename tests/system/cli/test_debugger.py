"""`--debug`: a program has the terminal, and no clock, with a real pseudo-terminal and pdb."""

import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from arena.core.match import CLOCK_OFF, NoteRecord
from arena.match_log.reader import read_log
from tests.system.cli.pseudo_terminal import Terminal
from tests.unit.cli.conftest import Run
from tests.unit.cli.programs import finish, start

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
