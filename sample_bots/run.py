"""Runs a sample bot of the checkout on whatever engine is installed: `python sample_bots/run.py caravan mcts`.

In an environment with a wheel (`pip install .`) that is the compiled engine. Started as a module from the checkout
a bot takes the engine of the checkout, which is plain Python.
"""

import runpy
import sys
from pathlib import Path

_WORDS = 3


def main() -> None:
    """Run the bot of that game and name; the checkout comes last on the path of modules."""
    if len(sys.argv) != _WORDS:
        raise SystemExit("Usage: python sample_bots/run.py GAME BOT")
    _, game, bot = sys.argv
    sys.path.append(str(Path(__file__).resolve().parents[1]))
    runpy.run_module(f"sample_bots.python.{game}.{bot}", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
