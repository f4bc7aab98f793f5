"""Checks the installed wheel: `python -P .ci/check_wheel.py`, in an environment with `caravan-arena[server]`.

cibuildwheel runs it for each wheel that it has built (pyproject.toml). It fails if the engine is not compiled, if it is
not the installed one, if data files or sample bots are missing, or if a match of any game cannot be played. It uses
nothing of the checkout, and `-P` keeps the folder of this file from being searched for modules.
"""

import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import engine.state
from engine.registry import GAMES


def main() -> None:
    """Check it, or end with what is wrong."""
    packages = Path(sysconfig.get_path("purelib")), Path(sysconfig.get_path("platlib"))
    place = Path(engine.state.__file__)
    if not place.is_relative_to(packages[0]) and not place.is_relative_to(packages[1]):
        sys.exit(f"The engine was imported from {place}, and not from the installed wheel.")
    if not engine.state.COMPILED:
        sys.exit(f"The engine of the installed wheel is plain Python: {place}.")
    for game, rules in GAMES.items():
        seats = str(max(2, rules.spec.min_seats))
        run("simulate", game, "--seats", seats, "--matches", "1")
        run("play", game, *["random"] * int(seats))
    print(f"The wheel is compiled, and has played {', '.join(GAMES)} with Python {sys.version.split()[0]}.")


def run(*words: str) -> None:
    """Run `arena` in an empty folder, or end with its output."""
    program = "from arena.cli.entry import main; main()"
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-P", "-c", program, *words],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
    if done.returncode:
        sys.exit(f"`arena {' '.join(words)}` ended with {done.returncode}:\n{done.stdout}")


if __name__ == "__main__":
    main()
