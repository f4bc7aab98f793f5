"""Moves the arena's socket out of the way."""

import os

from attack import attempt


def rename() -> str:
    os.rename("/run/arena/movable", "/run/arena/moved")
    return "moved"


attempt(rename)
