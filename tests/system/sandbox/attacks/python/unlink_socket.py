"""Unlinks the arena's socket."""

import os

from attack import attempt


def unlink() -> str:
    os.unlink("/run/arena/play.sock")
    return "unlinked"


attempt(unlink)
