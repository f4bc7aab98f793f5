"""The matches of `make strength`: which line-ups meet, on which seeds, and each match played on the clock."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from arena.core.clock.seat_clock import SeatClock
from arena.core.clock.time_control import TimeControl
from arena.core.pairing.groups import default_seed_policy, plan_board, plan_group
from benchmarks.in_process import Table, clock_now
from benchmarks.strength_contest import Contest, bot_class
from engine.registry import GAMES


@dataclass(frozen=True, slots=True)
class Fixture:
    """A match before it is played."""

    game: str
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


def fixtures(contest: Contest, secret: bytes, groups: int) -> Iterator[Fixture]:
    """Return so many match groups of each line-up, and boards of all bots if there is solo.

    All seats and seeds follow from the secret of 32 bytes; a group shares its seed if an arena would let it.
    """
    policy = default_seed_policy(GAMES[contest.game].spec.chance, isolated=False)
    number = 0
    for _ in range(groups):
        for bots in contest.line_ups:
            for plan in plan_group(secret, number, bots, policy):
                yield Fixture(contest.game, number, plan.bots, plan.seed)
            number += 1
        if contest.has_solo:
            for plan in plan_board(secret, number, contest.bots, policy):
                yield Fixture(contest.game, number, plan.bots, plan.seed)
            number += 1


def play(fixture: Fixture, control: TimeControl, *, now: Callable[[], int] = time.monotonic_ns) -> Played:
    """Play the match to its end; a decision that comes late by the clock is the game's default action.

    `now` tells nanoseconds.
    """
    game, seats = GAMES[fixture.game], len(fixture.bots)
    state = game.new_match(seats, game.options(seats, {}), fixture.seed)
    table = Table(fixture.game, seats, control)
    classes = [bot_class(fixture.game, name) for name in fixture.bots]
    bots = [table.take_seat(bot, seat, state) for seat, bot in enumerate(classes)]
    clocks = [SeatClock(control) for _ in bots]
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
