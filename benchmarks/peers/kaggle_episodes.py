"""Episodes of kaggle-environments, timed end to end. Arguments: the environment, and both agents."""

import sys
import time
from functools import partial
from typing import Any, Final

from kaggle_environments import make

from benchmarks.processes.answering import answer_commands

_STEPS: Final = 30
"""Of an episode of rps, which otherwise has a thousand and would outlast a measurement."""

_ACTORS: Final = {"rps": 2, "connectx": 1}
"""Agents that decide in each step."""

_CONFIGURATIONS: Final[dict[str, dict[str, Any]]] = {"rps": {"episodeSteps": _STEPS}, "connectx": {}}


def play(environment: str, agents: list[str], seconds: float) -> dict[str, float]:
    """Whole episodes until so many seconds have passed; their decisions. Raises RuntimeError: an agent failed."""
    decisions = 0
    began = time.monotonic()
    while time.monotonic() - began < seconds:
        env = make(environment, configuration=_CONFIGURATIONS[environment])
        env.run(list(agents))
        statuses = [state["status"] for state in env.steps[-1]]
        if statuses != ["DONE", "DONE"]:
            raise RuntimeError(f"an episode ended with {statuses}")
        decisions += (len(env.steps) - 1) * _ACTORS[environment]
    return {"decisions": decisions, "seconds": time.monotonic() - began}


if __name__ == "__main__":
    answer_commands({"play": partial(play, sys.argv[1], sys.argv[2:])})
