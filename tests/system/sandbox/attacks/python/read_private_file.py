"""Reads a file that is for the arena's own user alone."""

from pathlib import Path

from attack import attempt


def read() -> str:
    return Path("/bot/private").read_text()


attempt(read)
