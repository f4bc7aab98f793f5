"""What this software is called in logs."""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, version


@cache
def software() -> str:
    """What wrote a log."""
    try:
        return f"caravan-arena {version('caravan-arena')}"
    except PackageNotFoundError:
        return "caravan-arena"
