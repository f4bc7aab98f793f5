"""Positions of every game on the way to the end of a match, and what a seat is sent of it."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from arena.codecs.codec import codec_for
from arena.drawings.drawing import Step
from arena.v1 import games_pb2, happening_pb2
from engine.game import TERMINAL, State
from engine.randomness import SEED_BYTES, Stream


@dataclass
class Sent:
    """What a seat was sent since its last decision, with what really happened."""

    before: object
    """What it saw at its last decision."""
    happened: list[happening_pb2.Happening] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    """The same as it was, with what the seat sees of each position in between."""


def positions(game: str, seats: int, seed: int, plies: int = 400) -> Iterator[State]:
    """Yield the positions of a plausible match, each once."""
    rules = codec_for(game).game
    state = rules.new_match(seats, rules.options(seats, {}), bytes([seed]) * SEED_BYTES)
    choices = Stream(bytes([seed + 1]) * SEED_BYTES)
    for _ in range(plies):
        if state.seat_to_act == TERMINAL:
            return
        yield state.clone()
        state.apply(rules.sensible_action(state, choices))


def decisions(game: str, seats: int, seed: int) -> Iterator[tuple[State, Sent]]:
    """Yield each position in which seat 0 decides, and what it was sent since the one before."""
    codec = codec_for(game)
    choices = Stream(bytes([seed + 1]) * SEED_BYTES)
    rules = codec.game
    state = rules.new_match(seats, rules.options(seats, {}), bytes([seed]) * SEED_BYTES)
    state.take_events()
    sent = Sent(state.observe(0))
    while state.seat_to_act != TERMINAL:
        if state.seat_to_act == 0:
            yield state, sent
            sent = Sent(state.observe(0))
        seat, before = state.seat_to_act, state.observe(0)
        action = rules.sensible_action(state, choices)
        seen = state.action_seen_by(action, 0)
        state.apply(action)
        events = [event for each in state.take_events() if (event := each.seen_by(0)) is not None]
        if seen is not None:
            message = games_pb2.Action.FromString(codec.encode_action(seen))
            acted = happening_pb2.SeatAction(seat=seat, action=message)
            sent.happened.append(happening_pb2.Happening(action=acted))
            sent.steps.append(Step(seat, before, seen, tuple(events), state.observe(0)))
        for event in events:
            wire = games_pb2.GameEvent.FromString(codec.encode_event(event))
            sent.happened.append(happening_pb2.Happening(event=wire))
