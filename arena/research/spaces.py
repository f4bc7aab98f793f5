"""What environments share: the spaces of observations and actions, render modes, and the seeds of matches."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from gymnasium import spaces

from arena.research.features import LARGEST, NONE
from arena.research.setting import RefusedError, Setting
from engine.randomness import SEED_BYTES

RENDER_MODES: Final = ("ansi", "human", "svg")
"""Text, the same printed, and a picture as text."""


def observation_space(setting: Setting) -> spaces.Dict:
    """Return the space of what a seat is given."""
    features: dict[str, spaces.Space[Any]] = {
        feature.name: spaces.Box(feature.low, feature.high, feature.shape, np.int32)
        for feature in setting.features
    }
    return spaces.Dict(
        {
            "observation": spaces.Dict(features),
            "action_mask": spaces.Box(0, 1, (setting.actions,), np.int8),
            "actions": spaces.Box(NONE, LARGEST, (setting.actions, len(setting.columns)), np.int32),
        }
    )


def action_space(setting: Setting) -> spaces.Discrete[Any]:
    """Return the space of places."""
    return spaces.Discrete(setting.actions)


def check_render_mode(mode: str | None) -> None:
    """Raise RefusedError for a mode that is none of RENDER_MODES."""
    if mode is not None and mode not in RENDER_MODES:
        raise RefusedError(f'There is no render mode "{mode}": use {", ".join(RENDER_MODES)}, or None.')


class Seeds:
    """The seeds of an environment's matches."""

    def __init__(self) -> None:
        """Begin with numbers that nobody knows."""
        self.numbers = np.random.default_rng()

    def next(self, seed: int | None, options: Mapping[str, Any] | None) -> bytes:
        """Return the seed of the next match: 32 bytes.

        `seed`: begins the numbers of the environment anew. `options`: those of `reset`; `match_seed`, 64 hex digits as
        in suites and logs, names the match itself. Others are ignored, as environments do.

        Raises RefusedError: no such digits.
        """
        if seed is not None:
            self.numbers = np.random.default_rng(seed)
        text = (options or {}).get("match_seed")
        if text is None:
            return self.numbers.bytes(SEED_BYTES)
        try:
            found = bytes.fromhex(text)
        except (TypeError, ValueError):
            found = b""
        if len(found) != SEED_BYTES:
            raise RefusedError(f"match_seed is {2 * SEED_BYTES} hex digits, not {text!r}.")
        return found
