"""Matches and decisions as a bot of the sdk sees them, made by the rules without an arena."""

import time
from collections.abc import Sequence
from typing import Any

from arena.codecs.codec import codec_for
from arena.sdk import Clock, Match
from arena.sdk.game_messages import inner
from arena.v1 import games_pb2, time_control_pb2
from engine.game import State
from engine.randomness import SEED_BYTES


def new_state(game: str, seats: int = 2, seed: int = 0, **options: str) -> State:
    """Return a position after the set-up."""
    rules = codec_for(game).game
    return rules.new_match(seats, rules.options(seats, options), bytes([seed]) * SEED_BYTES)


def observation(game: str, state: State, viewer: int) -> Any:
    """Return the game's own message."""
    data = codec_for(game).encode_observation(state.observe(viewer))
    return inner(games_pb2.Observation.FromString(data))


def a_match(game: str, state: State, seats: int = 2, seat: int | None = None, **options: str) -> Match:
    """Return the match that begins with a position, from the seat to act or another one."""
    codec = codec_for(game)
    seat = state.seat_to_act if seat is None else seat
    return Match(
        name="matches/7",
        ladder="",
        tournament="",
        game=game,
        rules_version=1,
        options=codec.options_message(codec.game.options(seats, options)),
        seats=seats,
        seat=seat,
        time_control=time_control_pb2.TimeControl(per_decision_ms=60_000),
        rated=False,
        participants=tuple(f"bots/name-of-{each}" for each in range(seats)),
        view=observation(game, state, seat),
        comeback=False,
        answers=(),
    )


def a_clock(left_ms: int = 60_000, bank_ms: int = 0) -> Clock:
    """Return the clock of a decision that has just arrived."""
    return Clock(
        per_decision_ms=left_ms - bank_ms,
        bank_ms=bank_ms,
        increment_ms=0,
        time_left_ms=left_ms,
        deadline=time.monotonic() + left_ms / 1000,
    )


def legal(state: State) -> Sequence[int]:
    """Return the list that a bot gets with packed legal actions."""
    return list(state.legal_actions())
