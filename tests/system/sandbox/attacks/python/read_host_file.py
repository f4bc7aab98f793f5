"""Reads a file of the host that everybody may read."""

from pathlib import Path

from attack import attempt, setting


def read() -> str:
    return Path(setting("HOST_FILE")).read_text()


attempt(read)
