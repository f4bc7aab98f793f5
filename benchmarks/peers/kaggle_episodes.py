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

_PATIENT: Final = {"actTimeout": 60, "runTimeout": 3_600}
"""In seconds: on a busy machine an agent must not be late."""

_CONFIGURATIONS: Final[dict[str, dict[str, Any]]] = {
    "rps": {"episodeSteps": _STEPS, **_PATIENT},
    "connectx": _PATIENT,
}

_MOST_BROKEN: Final = 20
"""Episodes in a row that may break off before it is given up."""


def play(environment: str, agents: list[str], seconds: float) -> dict[str, float]:
    """Whole episodes that take so many seconds together; their decisions.

    The environment ends some episodes early, for example as INVALID, if an agent behind HTTP does not answer. Neither
    their decisions nor their time counts; `broken` says how many there were.

    Raises RuntimeError: too many episodes in a row have broken off.
    """
    decisions, broken, in_a_row = 0, 0, 0
    taken = 0.0
    while taken < seconds:
        began = time.monotonic()
        env = make(environment, configuration=_CONFIGURATIONS[environment])
        env.run(list(agents))
        statuses = [state["status"] for state in env.steps[-1]]
        if statuses != ["DONE", "DONE"]:
            broken, in_a_row = broken + 1, in_a_row + 1
            if in_a_row >= _MOST_BROKEN:
                raise RuntimeError(f"{in_a_row} episodes in a row ended with {statuses}")
            continue
        in_a_row = 0
        taken += time.monotonic() - began
        decisions += (len(env.steps) - 1) * _ACTORS[environment]
    return {"decisions": decisions, "seconds": taken, "broken": broken}


if __name__ == "__main__":
    answer_commands({"play": partial(play, sys.argv[1], sys.argv[2:])})
