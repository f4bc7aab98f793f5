"""A game of open_spiel, timed as ours is. Argument: the game as open_spiel names it."""

import random
import sys
from functools import partial
from importlib import import_module
from typing import Any, Final

import pyspiel

from benchmarks.engines.replay import Replay, timed, timed_playouts
from benchmarks.processes.answering import answer_commands

_MATCHES: Final = 10


def drawn(game: Any, dice: random.Random) -> list[int]:
    """Return the actions of a match in which every legal action is as likely."""
    state = game.new_initial_state()
    actions: list[int] = []
    while not state.is_terminal():
        actions.append(dice.choice(state.legal_actions()))
        state.apply_action(actions[-1])
    return actions


def replay(game: Any, actions: list[int]) -> tuple[int, int]:
    """Play it again."""
    state = game.new_initial_state()
    listed = 0
    plies = iter(actions)
    while not state.is_terminal():
        listed += len(state.legal_actions())
        state.apply_action(next(plies))
    return len(actions), listed


def playout(game: Any, dice: random.Random) -> int:
    """Play a match in which every legal action is as likely; return its plies."""
    return len(drawn(game, dice))


def main() -> None:
    """Answer `play` and `playout`."""
    if sys.argv[1].startswith("python_"):
        import_module("open_spiel.python.games")  # registers them
    game = pyspiel.load_game(sys.argv[1])
    dice = random.Random(1)
    replays: list[Replay] = [partial(replay, game, drawn(game, dice)) for _ in range(_MATCHES)]
    answer_commands({"play": timed(replays), "playout": timed_playouts([partial(playout, game, dice)])})


if __name__ == "__main__":
    main()
