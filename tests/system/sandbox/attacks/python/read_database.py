"""Reads the arena's database."""

from pathlib import Path

from attack import attempt, setting


def read() -> str:
    return (Path(setting("DATA_FOLDER")) / "arena.db").read_text()


attempt(read)
