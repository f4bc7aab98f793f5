"""Gymnasium's own test of environments, on every game."""

from typing import Any

import pytest
from gymnasium.utils.env_checker import check_env

from arena.research.gymnasium import SeatEnv
from arena.research.setting import Setting
from engine.registry import GAMES


class OfAnyNumber(SeatEnv):
    """Takes any number of the action space for a legal place: the test samples without a mask."""

    def step(self, action: int) -> Any:
        assert self._state is not None
        return super().step(int(action) % self.setting.legal_count(self._state))


@pytest.mark.parametrize("game", GAMES)
def test_the_environment_of_a_seat_has_the_interface(game: str) -> None:
    check_env(OfAnyNumber(Setting(game, 2), 1, "random", "ansi"), skip_render_check=True)
