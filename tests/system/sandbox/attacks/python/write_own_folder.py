"""Writes a file into its own folder, for the next match to find."""

from pathlib import Path

from attack import attempt


def write() -> str:
    Path("/bot/diary").write_text("what I learnt")
    return "wrote " + Path("/bot/diary").read_text()


attempt(write)
