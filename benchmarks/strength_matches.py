"""The matches of `make strength`: which line-ups meet, on which seeds, and each match played on the clock."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Final

from arena.core.clock import SeatClock
from arena.core.match import SeedPolicy
from arena.core.pairing.groups import plan_group
from arena.core.time_control import TimeControl
from arena.sdk import Bot
from benchmarks.in_process import Table, clock_now
from engine.registry import GAMES

GAME: Final = "caravan"

CLASSES: Final = {
    "random": ("random_bot", "RandomBot"),
    "greedy": ("caravan.greedy", "Greedy"),
    "planner": ("caravan.planner", "Planner"),
    "mcts": ("caravan.mcts", "Mcts"),
}
"""By bot, weakest first: the module in sample_bots.python and the class in it."""

LINE_UPS: Final = (
    ("random", "greedy"),
    ("greedy", "planner"),
    ("planner", "mcts"),
    ("random", "greedy", "planner"),
    ("greedy", "planner", "mcts"),
    ("random", "greedy", "planner", "mcts"),
)
"""Who meets whom; each line-up is one match group a time."""


@dataclass(frozen=True, slots=True)
class Fixture:
    """A match before it is played."""

    group: int
    bots: tuple[str, ...]
    """By seat."""
    seed: bytes


@dataclass(frozen=True, slots=True)
class Played:
    """A match and how it ended. Lists by seat."""

    fixture: Fixture
    placings: tuple[int, ...]
    scores: tuple[int, ...]
    thought_ms: tuple[tuple[float, ...], ...]
    """Of each decision, in order."""
    late: tuple[int, ...]
    """Decisions that the clock did not allow; the default action was played instead."""


def fixtures(secret: bytes, groups: int) -> Iterator[Fixture]:
    """So many match groups of each line-up; all seats and seeds follow from the secret of 32 bytes."""
    number = 0
    for _ in range(groups):
        for bots in LINE_UPS:
            for plan in plan_group(secret, number, bots, SeedPolicy.DERIVED):
                yield Fixture(number, plan.bots, plan.seed)
            number += 1


def play(fixture: Fixture, control: TimeControl, *, now: Callable[[], int] = time.monotonic_ns) -> Played:
    """The match to its end; a decision that comes late by the clock is the game's default action.

    `now` tells nanoseconds.
    """
    game, seats = GAMES[GAME], len(fixture.bots)
    state = game.new_match(seats, game.options(seats, {}), fixture.seed)
    table = Table(GAME, seats, control)
    bots = [table.take_seat(bot_class(name), seat, state) for seat, name in enumerate(fixture.bots)]
    clocks = [SeatClock.full(control) for _ in bots]
    thought: list[list[float]] = [[] for _ in bots]
    late = [0] * seats
    while (outcome := state.outcome()) is None:
        seat = state.seat_to_act
        began = now()
        actions = table.ask(bots[seat], state, clock_now(clocks[seat]))
        charge = clocks[seat].measure(began, now(), credit_ns=0, stall_ns=0)
        if not charge.in_time:
            actions = (state.default_action(),)
        clocks[seat].charge(charge, pieces=len(actions), earns=charge.in_time)
        thought[seat].append(charge.used_ns / 1e6)
        late[seat] += not charge.in_time
        for action in actions:
            state.apply(action)
    return Played(
        fixture, outcome.placings, outcome.scores, tuple(tuple(times) for times in thought), tuple(late)
    )


@cache
def bot_class(name: str) -> type[Bot]:
    """The class of a sample bot."""
    module, title = CLASSES[name]
    found: type[Bot] = getattr(import_module(f"sample_bots.python.{module}"), title)
    return found
