"""Becomes the user that the arena runs as."""

import os

from attack import attempt, setting


def become() -> str:
    os.setuid(int(setting("ARENA_UID")))
    return "became the arena's user"


attempt(become)
