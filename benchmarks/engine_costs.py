"""What a ply costs in the engine alone, and where: `python -m benchmarks.engine_costs [GAME ...]`.

Matches of the sensible player are played again from their actions, on one core, in processor time. The engine that is
imported is measured; a script that imports nothing else, it can be given to the interpreter of another environment.
"""

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.game import TERMINAL, Game, State
from engine.randomness import Stream
from engine.registry import GAMES
from engine.state import COMPILED

MATCHES = 12
REPEATS = 5
LOOK_EVERY = 5
PLAYOUT_PLIES = 400


@dataclass(frozen=True, slots=True)
class Record:
    """A match to be played again."""

    start: State
    actions: tuple[int, ...]

    def replay(self, *, with_lists: bool) -> None:
        """Play it, with the legal list of every position or without."""
        state = self.start.clone()
        for action in self.actions:
            if with_lists:
                state.legal_actions()
            state.apply(action)


def record(game: Game, seats: int, number: int) -> Record:
    """Return a match of the sensible player."""
    options, seed = game.options(seats, {}), number.to_bytes(32, "big")
    start, choices = game.new_match(seats, options, seed), Stream(seed[::-1])
    state, actions = start.clone(), list[int]()
    while state.seat_to_act != TERMINAL:
        actions.append(game.sensible_action(state, choices))
        state.apply(actions[-1])
    return Record(start, tuple(actions))


def positions(records: Sequence[Record]) -> list[State]:
    """Return a copy of the position every so many plies."""
    found: list[State] = []
    for one in records:
        state = one.start.clone()
        for ply, action in enumerate(one.actions):
            if ply % LOOK_EVERY == 0:
                found.append(state.clone())
            state.apply(action)
    return found


def microseconds(work: Callable[[], int]) -> float:
    """Return the processor time for each of the things that `work` does and counts: the best of a few runs."""
    best = float("inf")
    for _ in range(REPEATS):
        began = time.process_time()
        done = work()
        best = min(best, (time.process_time() - began) / done)
    return best * 1e6


def costs(game: Game) -> dict[str, float]:
    """Return microseconds of each thing, by name; "legal actions" is their mean number."""
    seats = min(max(2, game.spec.min_seats), game.spec.max_seats), game.spec.max_seats
    records = [record(game, seats[number % 2], number) for number in range(MATCHES)]
    states, stream = positions(records), Stream(bytes(32))

    def calls(work: Callable[[State], object]) -> int:
        for state in states:
            work(state)
        return len(states)

    def each(work: Callable[[State], object]) -> float:
        return microseconds(lambda: calls(work)) - microseconds(lambda: calls(lambda _: None))

    def replay(*, with_lists: bool) -> int:
        for one in records:
            one.replay(with_lists=with_lists)
        return sum(len(one.actions) for one in records)

    return {
        "legal actions": sum(len(state.legal_actions()) for state in states) / len(states),
        "list + apply": microseconds(lambda: replay(with_lists=True)),
        "apply": microseconds(lambda: replay(with_lists=False)),
        "clone": each(lambda state: state.clone()),
        "digest": each(lambda state: state.digest()),
        "observe": each(lambda state: state.observe(state.seat_to_act)),
        "playout ply": microseconds(
            lambda: sum(state.clone().playout(stream, PLAYOUT_PLIES) for state in states[::10])
        ),
    }


def main() -> None:
    """Print a line for each game."""
    names = sys.argv[1:] or list(GAMES)
    if not set(names) <= set(GAMES):
        raise SystemExit(
            f"Usage: python -m benchmarks.engine_costs [GAME ...]; the games are {', '.join(GAMES)}."
        )
    print(
        f"engine: {'compiled' if COMPILED else 'plain Python'}; microseconds of processor time, but for legal actions"
    )
    for row, name in enumerate(names):
        measured = costs(GAMES[name])
        if row == 0:
            print(f"{'game':16}" + "".join(f"{title:>14}" for title in measured))
        print(f"{name:16}" + "".join(f"{value:14.2f}" for value in measured.values()))


if __name__ == "__main__":
    main()
