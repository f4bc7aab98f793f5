"""How an engine is timed, the same for each: whole matches played again.

Before every ply the engine is asked whether the match is over and what is legal, as whatever drives an engine has to.
The matches are drawn once, before anything is timed, so that nobody's dice are measured. Playouts choose their actions
as they go, so there they are. Standard library only: this runs in the environments of the peers, too.
"""

import time
from collections.abc import Callable
from typing import Protocol

Replay = Callable[[], tuple[int, int]]
"""Plays one match; its plies, and the legal actions that were listed in all of them."""


class Timed(Protocol):
    """What is timed."""

    def __call__(self, seconds: float) -> dict[str, float]:
        """Return plies, legal actions and processor time of at least so many seconds."""
        ...


def timed_playouts(playouts: list[Callable[[], int]]) -> Timed:
    """Play matches to their end, in turns; each returns its plies."""

    def measure(seconds: float) -> dict[str, float]:
        plies = 0
        began = time.process_time()
        while time.process_time() - began < seconds:
            for playout in playouts:
                plies += playout()
        return {"plies": plies, "cpu_s": time.process_time() - began}

    return measure


def timed(replays: list[Replay]) -> Timed:
    """Play the matches in turns."""

    def measure(seconds: float) -> dict[str, float]:
        plies = listed = 0
        began = time.process_time()
        while time.process_time() - began < seconds:
            for replay in replays:
                more_plies, more_listed = replay()
                plies += more_plies
                listed += more_listed
        return {"plies": plies, "legal_actions": listed, "cpu_s": time.process_time() - began}

    return measure
