"""Reads the token that the arena keeps for its organiser."""

from pathlib import Path

from attack import attempt, setting


def read() -> str:
    return (Path(setting("DATA_FOLDER")) / "organiser.token").read_text()


attempt(read)
