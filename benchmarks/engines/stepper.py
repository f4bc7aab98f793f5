"""Our stepper of many matches, timed. Arguments: the game, and the number of matches.

`step` steps random matches and makes the masks of each step; `observe` makes the observations, too. Unlike in a
replay the actions are drawn as they go: for all matches at once that costs little.
"""

import sys
import time
from functools import partial
from typing import Final

import numpy as np

from arena.research.vector import VectorStepper
from benchmarks.processes.answering import answer_commands

_SEATS: Final = 2
_STEPS: Final = 20
"""Between two looks at the clock."""


def run(
    stepper: VectorStepper, dice: np.random.Generator, seconds: float, *, observed: bool
) -> dict[str, float]:
    """Return decisions and processor time of at least so many seconds."""
    plies = 0
    began = time.process_time()
    while not plies or time.process_time() - began < seconds:
        for _ in range(_STEPS):
            stepper.masks()
            if observed:
                stepper.observations()
            stepper.step(dice.integers(0, stepper.legal))
        plies += _STEPS * len(stepper.legal)
    return {"plies": plies, "cpu_s": time.process_time() - began}


def main() -> None:
    """Answer `step` and `observe`."""
    stepper = VectorStepper(sys.argv[1], int(sys.argv[2]), seats=_SEATS, seed=1)
    dice = np.random.default_rng(1)
    answer_commands(
        {
            "step": partial(run, stepper, dice, observed=False),
            "observe": partial(run, stepper, dice, observed=True),
        }
    )


if __name__ == "__main__":
    main()
