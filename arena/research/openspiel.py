"""The games for OpenSpiel: importing this module registers each of them as `arena_<game>`.

A game begins with a chance node that draws one of a number of set-ups, each with the same chance. All later chance
follows from the set-up, whose number no player sees; so a copy of a state has the very draws of the state. An
action is given by its place in the legal list. A `Resampler` gives a search states that fit what its player sees.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from typing import Any, ClassVar, Final

import numpy as np
import pyspiel

from arena.research.features import features_for
from arena.research.setting import RefusedError, Setting
from engine.game import SPECTATOR, TERMINAL, Chance, Game, State
from engine.randomness import SEED_BYTES, Stream
from engine.registry import GAMES

PREFIX: Final = "arena_"
"""Before the id of a game in the name that OpenSpiel knows it by."""

_LABEL: Final = b"arena-openspiel-v1"
_LONGEST: Final = 2**31 - 1
_SETUPS: Final = 1024
_NUMBER_BYTES: Final = 8


@lru_cache(maxsize=64)
def _setting(game: str, seats: int, options: str) -> Setting:
    """`options`: `name:value`, with spaces between them, since OpenSpiel has other uses for `=` and commas."""
    pairs = [word.partition(":") for word in options.split()]
    return Setting(game, seats, {name: value for name, _, value in pairs})


class _Match:
    """What a state is about, in a form that OpenSpiel copies and stores with it."""

    def __init__(self, setting: Setting, options: str, setups: int, seed: int) -> None:
        """Begin at the chance node."""
        self.setting = setting
        self.options = options
        self.setups = setups
        self.seed = seed
        self.actions: list[int] = []
        """The number of the set-up, then places."""
        self.position: State | None = None
        """None at the chance node."""
        self.is_drawn = False
        """Whether the position was drawn to fit what a player sees, so that the actions do not lead to it."""

    def __deepcopy__(self, _memo: dict[int, Any]) -> _Match:
        copy = self.fresh()
        copy.actions = self.actions[:]
        copy.position = None if self.position is None else self.position.clone()
        copy.is_drawn = self.is_drawn
        return copy

    def __reduce__(self) -> tuple[Callable[..., _Match], tuple[object, ...]]:
        if self.is_drawn:
            raise RefusedError(
                "A state of a `Resampler` cannot be serialised: serialise the one it was made from."
            )
        key = (self.setting.game, self.setting.seats, self.options, self.setups, self.seed)
        return _played, (*key, tuple(self.actions))

    def fresh(self) -> _Match:
        """Return the beginning of another match of the same game."""
        return _Match(self.setting, self.options, self.setups, self.seed)

    def apply(self, action: int) -> None:
        """Draw the set-up of that number, or play the action in that place."""
        if self.position is None:
            number = self.seed.to_bytes(_NUMBER_BYTES, "big") + action.to_bytes(_NUMBER_BYTES, "big")
            self.position = self.setting.new_match(sha256(_LABEL + number).digest())
        else:
            self.position.apply(self.setting.action_at(self.position, action))
        self.actions.append(action)


def _played(game: str, seats: int, options: str, setups: int, seed: int, actions: tuple[int, ...]) -> _Match:
    """Return the match after these actions."""
    match = _Match(_setting(game, seats, options), options, setups, seed)
    for action in actions:
        match.apply(action)
    return match


class MatchState(pyspiel.State):  # type: ignore[misc] # comes without types
    """A position of a match, or the chance node before it."""

    def __init__(self, game: pyspiel.Game, match: _Match) -> None:
        """Use `pyspiel.Game.new_initial_state`."""
        super().__init__(game)
        self.match = match

    def current_player(self) -> int:
        """Return the seat to act, CHANCE before the set-up or TERMINAL."""
        position = self.match.position
        if position is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if position.seat_to_act == TERMINAL else position.seat_to_act

    def _legal_actions(self, _player: int) -> list[int]:
        position = self.match.position
        count = self.match.setups if position is None else self.match.setting.legal_count(position)
        return [*range(count)]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the numbers of the set-ups with their chances."""
        setups = self.match.setups
        return [(number, 1 / setups) for number in range(setups)]

    def _apply_action(self, action: int) -> None:
        self.match.apply(action)

    def _action_to_string(self, _player: int, action: int) -> str:
        position = self.match.position
        if position is None:
            return f"set-up {action}"
        return position.format_action(self.match.setting.action_at(position, action))

    def is_terminal(self) -> bool:
        """Return whether the match is over."""
        position = self.match.position
        return position is not None and position.seat_to_act == TERMINAL

    def returns(self) -> list[float]:
        """Return the rewards by seat, 0 before the end."""
        outcome = None if self.match.position is None else self.match.position.outcome()
        return [0.0] * self.match.setting.seats if outcome is None else self.match.setting.rewards(outcome)

    def __str__(self) -> str:
        position = self.match.position
        if position is None:
            return f"one of {self.match.setups} set-ups"
        return f"{self.match.setting.text(position, SPECTATOR)}\n{position.digest().hex()}"


class MatchGame(pyspiel.Game):  # type: ignore[misc] # comes without types
    """A game with a number of players and options; there is a subclass for each game."""

    rules: ClassVar[Game]
    kind: ClassVar[pyspiel.GameType]

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        """`params`: players, options, setups and seed, as `_kind` has their defaults. Raises RefusedError."""
        given = {**self.kind.parameter_specification, **(params or {})}
        players, options, setups, seed = (given[name] for name in ("players", "options", "setups", "seed"))
        if setups < 1 or seed < 0:
            raise RefusedError("`setups` is 1 or more, and `seed` 0 or more.")
        setting = _setting(self.rules.spec.id, players, options)
        length = min(setting.rules.max_plies(players, setting.options), _LONGEST)
        info = pyspiel.GameInfo(
            num_distinct_actions=setting.actions,
            max_chance_outcomes=setups,
            num_players=players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=length,
        )
        super().__init__(self.kind, info, given)
        self.start = _Match(setting, options, setups, seed)

    def new_initial_state(self) -> MatchState:
        """Return the chance node."""
        return MatchState(self, self.start.fresh())

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: Mapping[str, Any] | None = None
    ) -> SeatObserver:
        """Return what players see. Raises RefusedError: perfect recall is asked for, or a parameter given."""
        if params or (iig_obs_type is not None and iig_obs_type.perfect_recall):
            raise RefusedError(
                "What a player sees is its view of the position, without parameters or past views."
            )
        return SeatObserver(self.start.setting)


class SeatObserver:
    """What a player sees: the features of the game."""

    def __init__(self, setting: Setting) -> None:
        """Begin with zeros."""
        self.tensor = np.zeros(setting.size, np.float32)
        self.dict = setting.split(self.tensor)

    def set_from(self, state: MatchState, player: int) -> None:
        """Fill tensor and dict with what the player sees; zeros at the chance node."""
        match = state.match
        seen = 0 if match.position is None else match.setting.vector(match.position.observe(player))
        self.tensor[:] = seen

    def string_from(self, state: MatchState, player: int) -> str:
        """Return the features as text: equal if and only if they are equal."""
        match = state.match
        if match.position is None:
            return "no set-up yet"
        return " ".join(map(str, match.setting.vector(match.position.observe(player)).tolist()))


class Resampler:
    """Draws states from those that fit what a player sees, hidden cards and draws to come included.

    That is what a search is to begin at, so that it uses nothing that its player does not know:
    `ISMCTSBot.set_resampler` takes a resampler, and any other search the state that it returns.
    """

    def __init__(self, seed: int | None = None) -> None:
        """`seed`: makes all states repeatable; None: nobody can."""
        self._numbers = np.random.default_rng(seed)

    def __call__(self, state: MatchState, player: int) -> MatchState:
        """Return the next state for a player. Raises RefusedError at the chance node, where nobody sees anything."""
        match = state.match
        if match.position is None:
            raise RefusedError("At the chance node no player sees anything: apply one of its outcomes first.")
        drawn = match.fresh()
        stream = Stream(self._numbers.bytes(SEED_BYTES))
        drawn.position = match.setting.rules.from_observation(match.position.observe(player), stream)
        drawn.actions, drawn.is_drawn = match.actions[:], True
        return MatchState(state.get_game(), drawn)


def _kind(rules: Game) -> pyspiel.GameType:
    spec = rules.spec
    fewest = max(2, spec.min_seats)
    is_open = spec.chance is not Chance.HIDDEN and not spec.hidden_information
    information = pyspiel.GameType.Information
    return pyspiel.GameType(
        short_name=f"{PREFIX}{spec.id}",
        long_name=spec.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=information.PERFECT_INFORMATION if is_open else information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=spec.max_seats,
        min_num_players=fewest,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": fewest, "options": "", "setups": _SETUPS, "seed": 0},
    )


def _register(rules: Game) -> None:
    """Register a class: a function would be freed with OpenSpiel's own registry, after Python has ended."""
    kind = _kind(rules)
    pyspiel.register_game(
        kind, type(f"{MatchGame.__name__}_{rules.spec.id}", (MatchGame,), {"rules": rules, "kind": kind})
    )


for _id in GAMES:
    with suppress(KeyError):  # a game without a feature list
        features_for(_id)
        _register(GAMES[_id])
