"""Bots at a table in this process: what they are shown and what they answer are the messages of the wire."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from arena.codecs.codec import Codec, codec_for
from arena.core.clock.seat_clock import SeatClock
from arena.core.clock.time_control import TimeControl
from arena.core.units import NS_PER_MS
from arena.sdk import Bot, Clock, LegalActions, Match
from arena.sdk.game_messages import TypedActions, inner, write_choice
from arena.v1 import games_pb2, play_pb2, time_control_pb2
from engine.game import State

_MS_PER_S = 1000


def clock_now(clock: SeatClock) -> Clock:
    """Return the bot's clock if a decision begins now."""
    left_ms = clock.allowance_ns // NS_PER_MS
    return Clock(
        per_decision_ms=clock.per_decision_ns // NS_PER_MS,
        bank_ms=clock.bank_ns // NS_PER_MS,
        increment_ms=clock.control.increment_ms,
        time_left_ms=left_ms,
        deadline=time.monotonic() + left_ms / _MS_PER_S,
    )


@dataclass(frozen=True, slots=True)
class Table:
    """What is the same for all seats of a match."""

    game: str
    seats: int
    control: TimeControl

    def take_seat(self, bot_class: type[Bot], seat: int, state: State) -> Bot:
        """Return a new bot of the class that has been assigned its match."""
        codec, control = codec_for(self.game), self.control
        view = _shown(codec, state, seat)
        bot = bot_class()
        bot.match = Match(
            name="matches/1",
            ladder="",
            tournament="",
            game=self.game,
            rules_version=codec.game.spec.rules_version,
            options=view.options,
            seats=self.seats,
            seat=seat,
            time_control=time_control_pb2.TimeControl(
                per_decision_ms=control.per_decision_ms,
                bank_ms=control.bank_ms,
                increment_ms=control.increment_ms,
            ),
            rated=False,
            participants=("bots/sample",) * self.seats,
            view=view,
            comeback=False,
            answers=(),
        )
        bot.on_match_started(bot.match)
        return bot

    def ask(self, bot: Bot, state: State, clock: Clock) -> tuple[int, ...]:
        """Return what the bot chooses for the seat to act: an action, or those of a plan, which may be illegal.

        Raises what the bot raises.
        """
        codec = codec_for(self.game)
        listed = state.legal_actions()
        packed = bot.legal_actions is LegalActions.PACKED
        legal = listed if packed else TypedActions(_Messages(codec, listed), self.game)
        answer = play_pb2.Answer()
        choice = bot.choose(_shown(codec, state, state.seat_to_act), legal, clock)
        write_choice(answer, choice, listed=len(listed), game=self.game)
        if answer.HasField("action"):
            return codec.decode_action(answer.action, state)
        return (listed[answer.index],)


def _shown(codec: Codec, state: State, seat: int) -> Any:
    return inner(games_pb2.Observation.FromString(codec.encode_observation(state.observe(seat))))


class _Messages(Sequence[Any]):
    """The legal actions as messages, made when they are looked at."""

    def __init__(self, codec: Codec, listed: Sequence[int]) -> None:
        self._codec = codec
        self._listed = listed

    def __len__(self) -> int:
        return len(self._listed)

    def __getitem__(self, index: Any) -> Any:
        return games_pb2.Action.FromString(self._codec.encode_action(self._listed[index]))
