"""Matches of the network against itself."""

import time
from dataclasses import dataclass
from typing import Final

import numpy as np

from arena.research.caravan.training.bot import candidates, features, final_value, is_camel_move, played
from arena.research.caravan.training.learning import Floats, targets, values
from arena.research.setting import Setting
from engine.caravan import CARAVAN
from engine.caravan.state import CaravanState
from engine.game import TERMINAL, own
from engine.randomness import SEED_BYTES, Stream

CAMEL_MOVES: Final = 12
"""So many moves of camels, drawn at random, are looked at in a decision."""


@dataclass(frozen=True)
class Task:
    """Matches to be played."""

    weights: list[Floats]
    seed: tuple[int, ...]
    """The same task with the same seed gives the same matches."""
    matches: int
    seats: int
    temperature: float
    """A candidate that looks so much worse than another, in values, is played 1/e times as often."""


@dataclass(frozen=True)
class Played:
    """What the matches of a task have shown."""

    rows: Floats
    """The features of every position after an action, for every seat."""
    wanted: Floats
    """What their values should be."""
    plies: int
    scores: list[tuple[int, ...]]
    """By match and seat."""
    processor_seconds: float


def play(task: Task) -> Played:
    """Play the matches of a task."""
    setting = Setting("caravan", task.seats)
    began = time.process_time()
    dice = np.random.default_rng(task.seed)
    rows, wanted, scores, plies = [], [], [], 0
    for _ in range(task.matches):
        state = own(setting.new_match(dice.bytes(SEED_BYTES)), CaravanState)
        seen = []
        while state.seat_to_act != TERMINAL:
            state.apply(explore(state, task, dice))
            state.take_events()
            seen.append(features(state))
        outcome = state.outcome()
        assert outcome is not None
        match_rows = np.array(seen)
        finals = np.array([final_value(outcome, seat) for seat in range(task.seats)])
        wanted.append(targets(values(task.weights, match_rows), match_rows[..., 0], finals)[:-1].reshape(-1))
        rows.append(match_rows[:-1].reshape(-1, match_rows.shape[-1]))
        scores.append(outcome.scores)
        plies += len(seen)
    return Played(np.concatenate(rows), np.concatenate(wanted), plies, scores, time.process_time() - began)


def explore(state: CaravanState, task: Task, dice: np.random.Generator) -> int:
    """Return a candidate: the better its position looks, the more often.

    It looks at a position drawn from what the seat sees, so that the order of the bag has no influence.
    """
    seat = state.seat_to_act
    drawn = CARAVAN.from_observation(state.observe(seat), Stream(dice.bytes(SEED_BYTES)))
    actions = _some_of(candidates(drawn), dice)
    rows, ends = [], {}
    for place, action in enumerate(actions):
        after = played(drawn, action)
        outcome = after.outcome()
        if outcome is not None:
            ends[place] = final_value(outcome, seat)
        rows.append(features(after)[seat])
    found = values(task.weights, np.array(rows))
    for place, value in ends.items():
        found[place] = value
    chances = np.exp((found - found.max()) / task.temperature)
    return actions[dice.choice(len(actions), p=chances / chances.sum())]


def _some_of(actions: list[int], dice: np.random.Generator) -> list[int]:
    """Leave out most moves of camels, of which there are many: that is quicker, and lets others be tried."""
    moves = [action for action in actions if is_camel_move(action)]
    if len(moves) > CAMEL_MOVES:
        moves = [moves[place] for place in dice.choice(len(moves), CAMEL_MOVES, replace=False)]
    return [action for action in actions if not is_camel_move(action)] + moves
