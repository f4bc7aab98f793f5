"""Plays bots against each other in process, by the messages that the wire would carry."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from arena.codecs.caravan import CODEC
from arena.sdk import Bot, Clock, LegalActions, Match
from arena.sdk.game_messages import TypedActions, inner, write_choice
from arena.v1 import games_pb2, play_pb2, time_control_pb2
from engine.caravan import CARAVAN
from engine.game import Outcome, State


@dataclass
class Played:
    """One match."""

    outcome: Outcome
    actions: list[str] = field(default_factory=list)
    """In the rules' notation."""


def a_seed(number: int) -> bytes:
    return sha256(b"sample bots %d" % number).digest()


def play_match(bots: Sequence[type[Bot]], seed: int, *, values: dict[str, str] | None = None) -> Played:
    """The match of these bots, by seat, to its end. Raises if a bot's choice cannot be applied."""
    options = CARAVAN.options(len(bots), values or {})
    state = CARAVAN.new_match(len(bots), options, a_seed(seed))
    seated = [_seated(bot, seat, len(bots), state) for seat, bot in enumerate(bots)]
    actions: list[str] = []
    while (outcome := state.outcome()) is None:
        action = ask(seated[state.seat_to_act], state)
        actions.append(state.format_action(action))
        state.apply(action)
    return Played(outcome, actions)


def ask(bot: Bot, state: State) -> int:
    """What the bot chooses for the seat to act, which must be legal."""
    listed = state.legal_actions()
    view = games_pb2.Observation.FromString(CODEC.encode_observation(state.observe(state.seat_to_act)))
    legal = listed if bot.legal_actions is LegalActions.PACKED else TypedActions(_Messages(listed), "caravan")
    answer = play_pb2.Answer()
    write_choice(answer, bot.choose(inner(view), legal, a_clock()), listed=len(listed), game="caravan")
    if answer.HasField("action"):
        (action,) = CODEC.decode_action(answer.action, state)
    else:
        action = listed[answer.index]
    assert state.is_legal(action), state.format_action(action)
    return action


def a_clock() -> Clock:
    return Clock(
        per_decision_ms=1000,
        bank_ms=10_000,
        increment_ms=50,
        time_left_ms=11_000,
        deadline=time.monotonic() + 11,
    )


class _Messages(Sequence[Any]):
    """The legal actions as messages, made when they are looked at."""

    def __init__(self, listed: Sequence[int]) -> None:
        self._listed = listed

    def __len__(self) -> int:
        return len(self._listed)

    def __getitem__(self, index: Any) -> Any:
        return games_pb2.Action.FromString(CODEC.encode_action(self._listed[index]))


def _seated(bot_class: type[Bot], seat: int, seats: int, state: State) -> Bot:
    view = games_pb2.Observation.FromString(CODEC.encode_observation(state.observe(seat)))
    bot = bot_class()
    bot.match = Match(
        name="matches/1",
        ladder="",
        tournament="",
        game="caravan",
        rules_version=CARAVAN.spec.rules_version,
        options=inner(view).options,
        seats=seats,
        seat=seat,
        time_control=time_control_pb2.TimeControl(),
        rated=False,
        participants=("bots/tester",) * seats,
        view=inner(view),
        comeback=False,
        answers=(),
    )
    bot.on_match_started(bot.match)
    return bot


def duel(
    one: type[Bot], other: type[Bot], *, matches: int, seats: int = 2, first_seed: int = 0
) -> tuple[int, int]:
    """Pairs of seats that `one` won and lost: alone among others, on every seat in turn."""
    won = lost = 0
    for number in range(matches):
        seat = number % seats
        bots = [other] * seats
        bots[seat] = one
        placings = play_match(bots, first_seed + number // seats).outcome.placings
        won += sum(placings[seat] < placing for placing in placings)
        lost += sum(placings[seat] > placing for placing in placings)
    return won, lost
