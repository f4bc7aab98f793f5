"""A classic game of PettingZoo, stepped as its pages show. Argument: the module, for example connect_four_v3.

`play` replays random matches: for each agent `last`, with observation and mask, and `step`.
"""

import sys
from functools import partial
from importlib import import_module
from typing import Any, Final

import numpy as np

from benchmarks.engines.replay import Replay, timed
from benchmarks.processes.answering import answer_commands

_MATCHES: Final = 10
_MOST_PLIES: Final = 300


def drawn(environment: Any, dice: np.random.Generator) -> list[int]:
    """Return the actions of a match in which every legal action is as likely; a long one is broken off."""
    environment.reset()
    actions: list[int] = []
    for _ in environment.agent_iter(_MOST_PLIES):
        seen, _, termination, truncation, _ = environment.last()
        if termination or truncation:
            break
        actions.append(int(dice.choice(np.flatnonzero(seen["action_mask"]))))
        environment.step(actions[-1])
    return actions


def replay(environment: Any, actions: list[int]) -> tuple[int, int]:
    """Play it again; return its plies, and 0 for legal actions, which nobody counts."""
    environment.reset()
    for action in actions:
        environment.last()
        environment.step(action)
    return len(actions), 0


def main() -> None:
    """Answer `play`."""
    environment = import_module(f"pettingzoo.classic.{sys.argv[1]}").env()
    dice = np.random.default_rng(1)
    replays: list[Replay] = [partial(replay, environment, drawn(environment, dice)) for _ in range(_MATCHES)]
    answer_commands({"play": timed(replays)})


if __name__ == "__main__":
    main()
