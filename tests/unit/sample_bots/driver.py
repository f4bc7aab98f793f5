"""Plays bots against each other in process, by the messages that the wire would carry."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from arena.core.clock.time_control import TimeControl
from arena.sdk import Bot, Clock
from benchmarks.in_process import Table
from engine.game import Game, Outcome, State


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
    return Clock(
        per_decision_ms=1000,
        bank_ms=10_000,
        increment_ms=50,
        time_left_ms=11_000,
        deadline=time.monotonic() + 11,
    )


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
