"""The sample bots in Python, of the checkout or the installed package: `random`, which plays every game, and others."""

import ast
import os
import sys
from pathlib import Path
from typing import Final

RANDOM: Final = "random"
"""The bot that plays every game."""


def names(game: str) -> tuple[str, ...]:
    """Return the sample bots of a game, `random` first; none if they are not there."""
    if not _program(game, RANDOM).is_file():
        return ()
    return (RANDOM, *sorted(path.stem for path in (_folder() / game).glob("*.py")))


def command(game: str, name: str) -> tuple[str, ...]:
    """Return the command of a sample bot."""
    return (sys.executable, str(_program(game, name)))


def description(game: str, name: str) -> str:
    """Return the first line of its docstring, without the full stop."""
    text = _program(game, name).read_text(encoding="utf-8")
    return (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0].rstrip(".")


def environment(address: str, token: str) -> dict[str, str]:
    """Return the environment of a sample bot's process."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "PYTHONPATH": str(checkout()),
        "ARENA_ADDRESS": address,
        "ARENA_TOKEN": token,
    }


def _program(game: str, name: str) -> Path:
    return _folder() / "random_bot.py" if name == RANDOM else _folder() / game / f"{name}.py"


def _folder() -> Path:
    return checkout() / "sample_bots" / "python"


def checkout() -> Path:
    """Return the folder with the sample bots: where this file is, or the current folder if it is a checkout."""
    own, here = Path(__file__).resolve().parents[2], Path.cwd()
    beside = (here / "sample_bots" / "python", here / "arena" / "cli")
    return here if not (own / "sample_bots").is_dir() and all(each.is_dir() for each in beside) else own
