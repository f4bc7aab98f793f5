"""The games as PettingZoo environments (AEC): one agent for each seat, asked one at a time."""

import sys
from collections.abc import Mapping
from typing import Any

from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from arena.research.setting import RefusedError, SeatObservation, Setting
from arena.research.spaces import RENDER_MODES, Seeds, action_space, check_render_mode, observation_space
from engine.game import SPECTATOR, State


def env(
    game: str,
    *,
    seats: int | None = None,
    options: Mapping[str, str] | None = None,
    render_mode: str | None = None,
) -> OrderEnforcingWrapper[str, SeatObservation, int | None]:
    """Return the environment of a game, which refuses calls before `reset`.

    `seats`: by default the most that the game allows. `options`: the game's own, as text by name. `render_mode`: "ansi"
    (text), "human" (prints it after each action) or "svg"; of all a spectator's view.

    Raises RefusedError: no such game, number of seats, option or mode.
    """
    return OrderEnforcingWrapper(raw_env(game, seats=seats, options=options, render_mode=render_mode))


def raw_env(
    game: str,
    *,
    seats: int | None = None,
    options: Mapping[str, str] | None = None,
    render_mode: str | None = None,
) -> "MatchEnv":
    """Return the environment without the wrapper of `env`."""
    return MatchEnv(Setting(game, seats, options), render_mode)


class MatchEnv(AECEnv[str, SeatObservation, "int | None"]):  # type: ignore[misc] # comes without types
    """A match whose agents are its seats, `seat_0` and so on."""

    def __init__(self, setting: Setting, render_mode: str | None = None) -> None:
        """Prepare matches of a setting. Raises RefusedError for an unknown render mode."""
        super().__init__()
        check_render_mode(render_mode)
        self.setting = setting
        self.render_mode = render_mode
        self.metadata = {
            "name": f"{setting.game}_v{setting.rules.spec.rules_version}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(setting.seats)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: observation_space(setting) for agent in self.possible_agents}
        self.action_spaces = {agent: action_space(setting) for agent in self.possible_agents}
        self._seeds = Seeds()
        self._state: State

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of what an agent is given."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of places."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match. `options`: `match_seed`, 64 hex digits, for the match of a suite or log."""
        self._state = self.setting.new_match(self._seeds.next(seed, options))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self._state.seat_to_act]

    def observe(self, agent: str) -> SeatObservation:
        """Return what an agent is given. Raises RefusedError for an unknown agent."""
        if agent not in self._seat_of:
            raise RefusedError(f'There is no agent "{agent}": use {", ".join(self.possible_agents)}.')
        return self.setting.observe(self._state, self._seat_of[agent])

    def step(self, action: int | None) -> None:
        """Play the action in that place of the legal list; None for an agent whose match is over.

        Raises RefusedError: no legal action has that place. The match stays as it was.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._state.apply(self.setting.action_at(self._state, action))  # type: ignore[arg-type] # None is refused
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        outcome = self._state.outcome()
        if outcome is None:
            self.agent_selection = self.agents[self._state.seat_to_act]
        else:
            self.rewards = dict(zip(self.agents, self.setting.rewards(outcome), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self.infos = {
                name: {
                    "placing": outcome.placings[seat],
                    "score": outcome.scores[seat],
                    "ending": outcome.ending,
                }
                for seat, name in enumerate(self.agents)
            }
            self.agent_selection = self.agents[0]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Return the position as a spectator sees it, as text or SVG; with "human" print it, and return None.

        Raises RefusedError: the environment was made without a render mode.
        """
        if self.render_mode is None:
            raise RefusedError(
                f"Make the environment with a render_mode to render: {', '.join(RENDER_MODES)}."
            )
        if self.render_mode == "svg":
            return self.setting.svg(self._state, SPECTATOR)
        text = self.setting.text(self._state, SPECTATOR)
        if self.render_mode == "ansi":
            return text
        sys.stdout.write(f"{text}\n")
        return None

    def close(self) -> None:
        """Release nothing: a match is memory alone."""
