"""Our engine, timed. Argument: the game.

`play` replays sensible matches, `playout` plays others to their end as searches do, `clone` copies positions.

It uses whatever engine its environment has: the plain one of the checkout, or the one of a wheel.
"""

import sys
import time
from functools import partial
from hashlib import sha256
from typing import Final

from benchmarks.engines.replay import Replay, timed, timed_playouts
from benchmarks.processes.answering import answer_commands
from engine.game import TERMINAL, Game, State
from engine.randomness import Stream
from engine.registry import GAMES

_MATCHES: Final = 10
_SEATS: Final = 2
_LONGEST: Final = 1_000
"""Plies of a playout: those that a search makes are shorter, too."""


def drawn(game: Game, number: int) -> tuple[bytes, list[int]]:
    """Return the seed and the actions of a match between two sensible players; the number decides which."""
    seed = sha256(b"arena-bench-v1" + number.to_bytes(8, "big")).digest()
    stream = Stream(sha256(b"arena-bench-policy-v1" + seed).digest())
    state = game.new_match(_SEATS, game.options(_SEATS, {}), seed)
    actions: list[int] = []
    while state.outcome() is None:
        actions.append(game.sensible_action(state, stream))
        state.apply(actions[-1])
    return seed, actions


def replay(game: Game, seed: bytes, actions: list[int]) -> tuple[int, int]:
    """Play it again; return its plies, and the legal actions of all of them."""
    state = game.new_match(_SEATS, game.options(_SEATS, {}), seed)
    listed = 0
    plies = iter(actions)
    while state.seat_to_act != TERMINAL:
        listed += len(state.legal_actions())
        state.apply(next(plies))
    return len(actions), listed


def playout(start: State, stream: Stream) -> int:
    """Play a match from its set-up to the end, by the actions that the game has for that; return its plies."""
    return start.clone().playout(stream, _LONGEST)


def clone(game: Game, matches: list[tuple[bytes, list[int]]], seconds: float) -> dict[str, float]:
    """Clones of positions from the middle of the matches, and the processor time of at least so many seconds of it."""
    states = []
    for seed, actions in matches:
        state = game.new_match(_SEATS, game.options(_SEATS, {}), seed)
        for action in actions[: len(actions) // 2]:
            state.apply(action)
        states.append(state)
    clones = 0
    began = time.process_time()
    while time.process_time() - began < seconds:
        for state in states:
            for _ in range(100):
                state.clone()
        clones += 100 * len(states)
    return {"clones": clones, "cpu_s": time.process_time() - began}


def kind(game: Game) -> str:
    """Return which engine this is: "compiled" or "plain"."""
    file = sys.modules[type(game.new_match(_SEATS, game.options(_SEATS, {}), bytes(32))).__module__].__file__
    return "plain" if file is None or file.endswith(".py") else "compiled"


def main() -> None:
    """Answer `play`, `playout`, `clone` and `kind`."""
    game = GAMES[sys.argv[1]]
    matches = [drawn(game, number) for number in range(_MATCHES)]
    replays: list[Replay] = [partial(replay, game, seed, actions) for seed, actions in matches]
    stream = Stream(bytes(32))
    starts = [game.new_match(_SEATS, game.options(_SEATS, {}), seed) for seed, _ in matches]
    answer_commands(
        {
            "play": timed(replays),
            "playout": timed_playouts([partial(playout, start, stream) for start in starts]),
            "clone": partial(clone, game, matches),
            "kind": partial(kind, game),
        }
    )


if __name__ == "__main__":
    main()
