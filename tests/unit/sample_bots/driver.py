"""What tests of bots share: matches in process by the wire's messages, time counted in looks, programs on a page."""

import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from random import Random
from typing import Any

import pytest

import arena.sdk
from arena.core.clock.time_control import TimeControl
from arena.sdk import Bot, Clock
from benchmarks.in_process import Table
from engine.game import TERMINAL, Game, Outcome, State
from engine.randomness import Stream
from sample_bots.python.budget import Budget
from tests.checkout import text


@dataclass
class Played:
    """One match."""

    outcome: Outcome
    actions: list[str] = field(default_factory=list)
    """In the rules' notation."""


def a_seed(number: int) -> bytes:
    return sha256(b"sample bots %d" % number).digest()


def play_match(
    game: Game, bots: Sequence[type[Bot]], seed: int, *, values: dict[str, str] | None = None
) -> Played:
    """Play the match of these bots, by seat, to its end. Raises if a bot's choice cannot be applied."""
    state = game.new_match(len(bots), game.options(len(bots), values or {}), a_seed(seed))
    table = Table(game.spec.id, len(bots), TimeControl())
    seated = [table.take_seat(bot, seat, state) for seat, bot in enumerate(bots)]
    actions: list[str] = []
    while (outcome := state.outcome()) is None:
        for action in ask(game, seated[state.seat_to_act], state):
            actions.append(state.format_action(action))
            state.apply(action)
    return Played(outcome, actions)


def ask(game: Game, bot: Bot, state: State) -> tuple[int, ...]:
    """Return what the bot chooses for the seat to act, an action or those of a plan, which must be legal."""
    actions = Table(game.spec.id, game.spec.min_seats, TimeControl()).ask(bot, state, a_clock())
    after = state.clone()
    for action in actions:
        assert after.is_legal(action), after.format_action(action)
        after.apply(action)
    return actions


def a_clock() -> Clock:
    return Clock(1000, bank_ms=10_000, increment_ms=50, time_left_ms=11_000, deadline=time.monotonic() + 11)


def duel(
    game: Game, one: type[Bot], other: type[Bot], *, matches: int, seats: int = 2, first_seed: int = 0
) -> tuple[int, int]:
    """Pairs of seats that `one` won and lost: alone among others, on every seat in turn."""
    won = lost = 0
    for number in range(matches):
        seat = number % seats
        bots = [other] * seats
        bots[seat] = one
        placings = play_match(game, bots, first_seed + number // seats).outcome.placings
        won += sum(placings[seat] < placing for placing in placings)
        lost += sum(placings[seat] > placing for placing in placings)
    return won, lost


class Looks(Budget):
    """Time that is over after so many looks at it."""

    def __init__(self, looks: int) -> None:
        super().__init__(Clock(1000, 0, 0, 1000, 1.0), 1000)
        self._count = count()
        self._looks = looks
        self.seen = 0.0

    def spent(self) -> float:
        """Spend a part more each time."""
        self.seen = next(self._count) / self._looks
        return self.seen


def with_another_deal(game: Game, state: State, number: int) -> State:
    """Return the same for the seat to act; what it may not see, and draws to come, are others."""
    return game.from_observation(state.observe(state.seat_to_act), Stream(a_seed(number)))


def some_of_each_kind(
    matches: Iterable[tuple[Any, Random]],
    choose: Callable[[Any, Random], int],
    is_kept: Callable[[Any, Random], bool],
    most: int,
) -> list[Any]:
    """Play matches and return copies of up to `most` positions of each kind of decision, of each match at most one."""
    found: Counter[int] = Counter()
    kept = []
    for state, dice in matches:
        taken: set[int] = set()
        while state.seat_to_act != TERMINAL:
            decision = state.decision
            if decision not in taken and found[decision] < most and is_kept(state, dice):
                taken.add(decision)
                found[decision] += 1
                kept.append(state.clone())
            state.apply(choose(state, dice))
    return kept


def program_on(page: str, name: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return what the program on the page defines; it is not run."""
    found = re.search(rf"^```python\n(# {name}\.py\n.*?)^```$", text(page), re.MULTILINE | re.DOTALL)
    assert found
    monkeypatch.setattr(arena.sdk, "run", lambda _bot: None)
    names: dict[str, Any] = {}
    exec(compile(found[1], f"{name}.py", "exec"), names)
    return names
