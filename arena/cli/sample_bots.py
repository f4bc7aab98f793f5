"""The sample bots of the checkout."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from arena.cli.errors import CliError

FILES: Final = {
    "random": "random_bot.py",
    "greedy": "greedy.py",
    "planner": "planner.py",
    "mcts": "mcts.py",
}
"""By name, the files in sample_bots/python."""


def folder(who: str, instead: str) -> Path:
    """Where the sample bots lie.

    `who` needs them, for example "The demo"; `instead`: what to do without.

    Raises:
        CliError: they are not there; they come with a checkout.
    """
    place = checkout() / "sample_bots" / "python"
    missing = [file for file in FILES.values() if not (place / file).is_file()]
    if missing:
        raise CliError(f"{who} needs the sample bots, but {place / missing[0]} is not there: {instead}")
    return place


def environment(address: str, token: str) -> dict[str, str]:
    """What the process of a sample bot is given: an address and a token, and where to find the sdk."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "PYTHONPATH": str(checkout()),
        "ARENA_ADDRESS": address,
        "ARENA_TOKEN": token,
    }


def checkout() -> Path:
    """The root of the checkout that this is part of."""
    return Path(__file__).resolve().parents[2]
