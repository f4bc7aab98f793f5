"""Plays matches and prints, for each, a hash of everything that its game says: for two builds to be compared.

A program of its own that imports the engine, and of the tests what plays actions that are never listed:
`play.py PLIES < plan`, the plan a JSON list of matches. PLIES is `hashes`, one line a match, or `plies`, the lines of
each ply. The first line says which build it is.
"""

import json
import sys
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

sys.path.append(
    str(Path(__file__).resolve().parents[3])
)  # for the tests; an installed engine comes before it

from engine.game import SPECTATOR, TERMINAL, Game, GameError, State
from engine.randomness import Stream
from engine.registry import GAMES
from engine.state import COMPILED
from tests.unit.contract.hidden import HIDDEN

LOOK_EVERY = 32
PLAYOUT = 40
NO_ACTIONS = (-1, 1 << 31, 1 << 62, 1 << 63, 1 << 70)
UNLISTED_FROM = 1 << 32
"""Wider actions may be legal, but are never listed: offers."""
LIKELY_UNLISTED_ONE_IN = 4


def match(plan: dict[str, Any]) -> Iterator[str]:
    """Yield a match ply by ply; one action in `random_one_in` is any of the list, the others are sensible.

    In games with offers one in LIKELY_UNLISTED_ONE_IN is drawn from all that is legal, listed or not.
    """
    game = GAMES[plan["game"]]
    options = game.options(plan["seats"], plan["options"])
    state = game.new_match(plan["seats"], options, bytes.fromhex(plan["seed"]))
    choices = Stream(sha256(plan["seed"].encode()).digest())
    ply = 0
    while state.seat_to_act != TERMINAL and ply < plan["limit"]:
        listed = state.legal_actions()
        if plan["game"] in HIDDEN and choices.uniform(LIKELY_UNLISTED_ONE_IN) == 0:
            action = HIDDEN[plan["game"]].choose(state, Random(choices.word()))
        elif choices.uniform(plan["random_one_in"]) == 0:
            action = listed[choices.uniform(len(listed))]
        else:
            action = game.sensible_action(state, choices)
        yield said(state, action)
        if action >= UNLISTED_FROM:
            yield f"{refused(state, neighbours(action))}"
        if ply % LOOK_EVERY == 0:
            yield looked_at(game, state, choices)
        state.apply(action)
        ply += 1
    yield f"{ply} plies {state.outcome()} {state.take_events()} {state.digest().hex()}"


def said(state: State, action: int) -> str:
    """Return what is compared of every ply."""
    listed = bytes(memoryview(state.legal_actions())).hex()  # type: ignore[arg-type]
    notation = state.format_action(action)
    return f"{state.seat_to_act} {notation} {listed} {state.digest().hex()} {state.take_events()}"


def looked_at(game: Game, state: State, choices: Stream) -> str:
    """Return what is compared now and then: views, copies, refusals, playouts, positions made from a view."""
    copy = state.clone()
    plies = copy.playout(choices, PLAYOUT)
    made = game.from_observation(state.observe(state.seat_to_act), choices)
    seen = [state.observe(SPECTATOR), made.observe(SPECTATOR)]
    words = choices.words, state.default_action(), plies, copy.outcome()
    digests = [one.digest().hex() for one in (state, copy, made)]
    listed = state.legal_actions()
    around = (listed[0] - 1, listed[-1] + 1, listed[-1] ^ 3, listed[-1] + (1 << 22), *NO_ACTIONS)
    return f"{words} {digests} {seen} {refused(state, around)}"


def neighbours(action: int) -> list[int]:
    """All actions that differ from it in one bit."""
    return [action ^ 1 << bit for bit in range(action.bit_length() + 1)]


def refused(state: State, tried: Iterable[int]) -> list[str]:
    """Return the refusals of those of the actions that are not legal."""
    found: list[str] = []
    for action in tried:
        if not state.is_legal(action):
            try:
                state.apply(action)
            except GameError as error:
                found.append(f"{type(error).__name__} {error}")
    return found


def say(text: str) -> None:
    """On the standard output."""
    sys.stdout.write(f"{text}\n")


def main() -> None:
    """Plays the plan of the standard input."""
    say("compiled" if COMPILED else "interpreted")
    for plan in json.load(sys.stdin):
        if sys.argv[1] == "plies":
            say("\n".join(match(plan)))
        else:
            everything = sha256()
            for line in match(plan):
                everything.update(line.encode())
            say(everything.hexdigest())


if __name__ == "__main__":
    main()
