"""One seat as a Gymnasium environment, against opponents that play in this process."""

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium

from arena.research.policies import Policy, check_policy, choose
from arena.research.setting import RefusedError, SeatObservation, Setting
from arena.research.spaces import RENDER_MODES, Seeds, action_space, check_render_mode, observation_space
from engine.game import TERMINAL, Outcome, State
from engine.randomness import Stream


def env(
    game: str,
    opponents: Policy | Sequence[Policy] = "sensible",
    *,
    seat: int = 0,
    seats: int | None = None,
    options: Mapping[str, str] | None = None,
    render_mode: str | None = None,
) -> "SeatEnv":
    """Return the environment of one seat of a game.

    `opponents`: a policy for all other seats, or one for each of them in the order of seats; a policy is "random",
    "sensible", or a function from what its seat is given to the place of an action. `seats`: by default the most that
    the game allows. `options`: the game's own, as text by name. `render_mode`: "ansi" (text), "human" (prints it after
    each step) or "svg"; of all the seat's own view.

    Raises RefusedError: no such game, number of seats, option, seat, policy or mode.
    """
    return SeatEnv(Setting(game, seats, options), seat, opponents, render_mode)


class SeatEnv(gymnasium.Env[SeatObservation, int]):
    """A match as one seat plays it: `step` plays its action, and the others until it decides again or all is over."""

    def __init__(
        self,
        setting: Setting,
        seat: int,
        opponents: Policy | Sequence[Policy],
        render_mode: str | None = None,
    ) -> None:
        """See `env`."""
        check_render_mode(render_mode)
        if seat not in range(setting.seats):
            raise RefusedError(f"There is no seat {seat}: this match has the seats 0 to {setting.seats - 1}.")
        self.setting = setting
        self.seat = seat
        self.render_mode = render_mode
        self.metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}
        self.observation_space: Any = observation_space(setting)
        self.action_space = action_space(setting)
        self._policies = _policies_of(setting, seat, opponents)
        self._seeds = Seeds()
        self._state: State | None = None
        self._stream: Stream

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[SeatObservation, dict[str, Any]]:
        """Begin a match and play it until the seat decides. `options`: `match_seed`, 64 hex digits.

        Raises RefusedError: the match ends before the seat decides anything.
        """
        super().reset(seed=seed)
        state = self._state = self.setting.new_match(self._seeds.next(seed, options))
        self._stream = Stream(self._seeds.numbers.bytes(32))
        self._play_others(state)
        if state.seat_to_act == TERMINAL:
            raise RefusedError(
                f"The match ended before seat {self.seat} decided anything: choose options for longer matches."
            )
        return self.setting.observe(state, self.seat), {}

    def step(self, action: int) -> tuple[SeatObservation, float, bool, bool, dict[str, Any]]:
        """Play the action in that place of the legal list, and the others' until the seat decides again.

        At the end the reward is that of `Setting.rewards`, before 0; `info` then has placing, score and ending.

        Raises RefusedError: no legal action has that place, or no match is running. The match stays as it was.
        """
        state = self._state
        if state is None or state.seat_to_act == TERMINAL:
            raise RefusedError("No match is running: call reset first.")
        state.apply(self.setting.action_at(state, action))
        self._play_others(state)
        outcome = state.outcome()
        if self.render_mode == "human":
            self.render()
        seen = self.setting.observe(state, self.seat)
        if outcome is None:
            return seen, 0.0, False, False, {}
        reward = self.setting.rewards(outcome)[self.seat]
        return seen, reward, True, False, self._info(outcome)

    def render(self) -> str | None:
        """Return the position as the seat sees it, as text or SVG; with "human" print it, and return None.

        Raises RefusedError: the environment was made without a render mode, or no match has begun.
        """
        if self.render_mode is None:
            raise RefusedError(
                f"Make the environment with a render_mode to render: {', '.join(RENDER_MODES)}."
            )
        if self._state is None:
            raise RefusedError("No match has begun: call reset first.")
        if self.render_mode == "svg":
            return self.setting.svg(self._state, self.seat)
        text = self.setting.text(self._state, self.seat)
        if self.render_mode == "ansi":
            return text
        sys.stdout.write(f"{text}\n")
        return None

    def _play_others(self, state: State) -> None:
        while state.seat_to_act not in (self.seat, TERMINAL):
            policy = self._policies[state.seat_to_act]
            state.apply(choose(self.setting, state, policy, self._stream))

    def _info(self, outcome: Outcome) -> dict[str, Any]:
        return {
            "placing": outcome.placings[self.seat],
            "score": outcome.scores[self.seat],
            "ending": outcome.ending,
        }


def _policies_of(setting: Setting, seat: int, opponents: Policy | Sequence[Policy]) -> dict[int, Policy]:
    """Return the policies by seat. Raises RefusedError."""
    others = [other for other in range(setting.seats) if other != seat]
    policies: list[Policy]
    if isinstance(opponents, str) or not isinstance(opponents, Sequence):
        policies = [opponents] * len(others)
    else:
        policies = [*opponents]
    if len(policies) != len(others):
        raise RefusedError(
            f"{len(policies)} policies are given for {len(others)} other seats: give one for each, or one for all."
        )
    for policy in policies:
        check_policy(policy)
    return dict(zip(others, policies, strict=True))
