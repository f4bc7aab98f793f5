"""What `make ladder-builds` enters into its ladder."""

import shlex
import subprocess
import sys
from pathlib import Path

from benchmarks.environments import Installed
from benchmarks.ladder_builds import entrants, program


def test_the_bot_plays_on_both_engines_and_its_rival_on_the_plain_one() -> None:
    compiled = Installed(Path("/a wheel/python"), "compiled", is_compiled=True)
    commands = [
        shlex.split(entry.partition("=")[2]) for entry in entrants("caravan", compiled, "mcts", "planner")
    ]
    assert [(command[0], *command[2:]) for command in commands] == [
        ("/a wheel/python", "caravan", "mcts"),
        (sys.executable, "caravan", "mcts"),
        (sys.executable, "caravan", "planner"),
    ]


def test_the_command_starts_the_bot_which_says_that_it_lacks_an_arena() -> None:
    command = shlex.split(program(Path(sys.executable), "caravan", "mcts"))
    finished = subprocess.run(command, env={}, cwd="/", capture_output=True, text=True, check=False)
    assert (finished.returncode, "ARENA_ADDRESS" in finished.stderr) == (2, True), finished.stderr
