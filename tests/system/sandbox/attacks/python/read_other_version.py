"""Reads the program of another bot."""

from pathlib import Path

from attack import attempt, setting


def read() -> str:
    return Path(setting("OTHER_VERSION"), "bot.py").read_text()


attempt(read)
