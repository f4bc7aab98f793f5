"""Writes a file into the root folder."""

from pathlib import Path

from attack import attempt


def write() -> str:
    Path("/note").write_text("what I learnt")
    return "wrote " + Path("/note").read_text()


attempt(write)
